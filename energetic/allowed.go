package energetic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/incremental"
)

// ForceTolerance returns how far a force on contact j at the present node, computed
// from its positions, may be from that of the run that wrote them: what a solved
// step leaves of the forces of its island, and what the rounding of positions makes.
func (c *Certifier) ForceTolerance(j int) float64 {
	k := c.scales.Island[c.sys.ContactParticle(j)]
	return max(forceSlack*c.opt.Tolerance*c.scales.Force[k], 4*c.scales.Rounding[k])
}

// ulps is the relative rounding of a coordinate that went through a frame and back: a
// handful of operations of 2⁻⁵³ each.
const ulps = 4 * 0x1p-52

// measurePositions sets magnitude, once for a node: each of the islands asks for it.
func (c *Certifier) measurePositions() {
	c.sys.Magnitudes(c.zMid, c.node.Z)
	c.magnitude = floats.Norm(c.zMid, math.Inf(1))
}

// EnergyTolerance is that of an energy: what forces may be off along the positions, and what the
// rounding of these, and of the forces that cancel there, adds up to over the nodes so far.
func (c *Certifier) EnergyTolerance() float64 {
	n := &c.node
	rounding := (ulps*n.ForceScale + n.Rounding) * c.magnitude * float64(n.K+1)
	return forceSlack*c.opt.Tolerance*n.EnergyScale + rounding
}

// Possible reports whether a run whose node this is may have told that contact j is in a
// state: it is, or rounding decides. A frame that turns or moves coordinates rounds heights
// and ways; a normal force within rounding of none may be one or not.
func (c *Certifier) Possible(j int, s incremental.ContactState) bool {
	n, p := &c.node, c.sys.ContactParticle(j)
	if s == n.States[j] || j == p && !c.sys.Constrained(p) {
		return s == n.States[j]
	}
	f := c.sys.ContactFrame(j)
	exact := j == p && f.Exact()
	closed, force := c.sys.Touches(n.T, j, n.Z), n.Grad[3*p+2]
	if c.sys.Cornered(p) {
		closed, force = closed || c.sys.Height(n.T, j, n.Z) <= 2*c.sys.Touching(j, n.Z), c.psi.Pressure(n.T, j, n.Z, n.Grad, c.origin())
	}
	none, off := c.scales.None(p), c.ForceTolerance(j)
	v := c.v[3*p : 3*p+3]
	way := math.Hypot(v[0], v[1]) // along the obstacle: who lands does not slip
	if c.sys.Cornered(p) {
		way = math.Hypot(way, v[2])
	}
	switch s {
	case incremental.Free:
		return closed && !exact && force <= none+off
	case incremental.Grazing:
		return closed && force <= none+off
	}
	decided := n.K == 0 || exact || way > 4*ulps*c.magnitude
	return closed && force >= none-off && (!decided || (way != 0) == (s == incremental.Slip))
}

// FrictionTolerance is ForceTolerance for a force that opposes the way of contact j in the
// last step: rounding of positions turns a short one, by at most a half turn. The friction of a
// way that rounding makes is all that the pressure allows, whatever the force of one at rest is.
func (c *Certifier) FrictionTolerance(j int) float64 {
	p := c.sys.ContactParticle(j)
	f, v := c.node.Grad[3*p:3*p+3], c.v[3*p:3*p+3]
	size := max(math.Sqrt(f[0]*f[0]+f[1]*f[1]+f[2]*f[2]), c.bound(j))
	turn, way := 4*ulps*c.magnitude, math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])
	if turn < 2*way {
		turn /= way
	} else {
		turn = 2
	}
	if c.node.K == 0 || way == 0 && !c.undecided(j) {
		turn = 0
	}
	return c.ForceTolerance(j) + turn*size
}

// bound is the largest friction of contact j at the node: Size is the root mean square of two
// singular values, the larger of which is at most √2 times that.
func (c *Certifier) bound(j int) float64 {
	n := &c.node
	sigma := max(c.psi.Pressure(n.T, j, n.Z, n.Grad, c.origin()), 0)
	return math.Sqrt2 * sigma * c.psi.Factor(j, n.T) * c.psi.Size(n.T, j, n.Z)
}

// undecided reports whether rounding decides the state of contact j.
func (c *Certifier) undecided(j int) bool {
	for s := incremental.Free; s <= incremental.Slip; s++ {
		if s != c.node.States[j] && c.Possible(j, s) {
			return true
		}
	}
	return false
}

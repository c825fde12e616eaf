package energetic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/incremental"
)

// ForceTolerance returns how far a force on particle j at the present node, computed
// from its positions, may be from that of the run that wrote them: what a solved
// step leaves of the forces of its island, and what the rounding of positions makes.
func (c *Certifier) ForceTolerance(j int) float64 {
	k := c.scales.Island[j]
	return max(forceSlack*c.opt.Tolerance*c.scales.Force[k], 4*c.scales.Rounding[k])
}

// ulps is the relative rounding of a coordinate that went through a frame and back: a
// handful of operations of 2⁻⁵³ each.
const ulps = 4 * 0x1p-52

// magnitude is the largest number in the positions of the node [m].
func (c *Certifier) magnitude() float64 {
	c.sys.Magnitudes(c.zMid, c.node.Z)
	return floats.Norm(c.zMid, math.Inf(1))
}

// EnergyTolerance is that of an energy: what forces may be off along the positions, and
// what the rounding of these adds up to over the nodes so far.
func (c *Certifier) EnergyTolerance() float64 {
	n := &c.node
	rounding := ulps * n.ForceScale * c.magnitude() * float64(n.K+1)
	return forceSlack*c.opt.Tolerance*n.EnergyScale + rounding
}

// Possible reports whether a run whose node this is may have told that particle j is in a
// state: it is, or rounding decides. A frame that turns or moves coordinates rounds heights
// and ways; a normal force within rounding of none may be one or not.
func (c *Certifier) Possible(j int, s incremental.ContactState) bool {
	n := &c.node
	if s == n.States[j] || !c.sys.Constrained(j) {
		return s == n.States[j]
	}
	f := c.sys.Frame(j)
	height, force := n.Z[3*j+2], n.Grad[3*j+2]
	none, off := c.scales.None(j), c.ForceTolerance(j)
	switch s {
	case incremental.Free:
		return height == 0 && !f.Exact() && force <= none+off
	case incremental.Grazing:
		return height == 0 && force <= none+off
	}
	moved := c.v[3*j] != 0 || c.v[3*j+1] != 0
	decided := n.K == 0 || f.Exact() || math.Hypot(c.v[3*j], c.v[3*j+1]) > 4*ulps*c.magnitude()
	return height == 0 && force >= none-off && (!decided || moved == (s == incremental.Slip))
}

// Undecided reports whether rounding decides the state of particle j.
func (c *Certifier) Undecided(j int) bool {
	for s := incremental.Free; s <= incremental.Slip; s++ {
		if s != c.node.States[j] && c.Possible(j, s) {
			return true
		}
	}
	return false
}

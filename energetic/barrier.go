package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A step may pass over a place whose friction nothing overcomes, such as a rough strip of a floor: the state beyond it is in
// equilibrium as well, and so small a strip dissipates little. Where friction varies along the way, its excess over what drives
// is taken at places z(s) that the polygon of the steps passes amid the step, along the direction v of the step,
//
//	‖σM(z(s)) v‖ + DE(t, z(s))·v,
//
// at the time t = s, when the polygon is there, and at the end t = T of the step, until when the particle may have been waiting
// there. The particle is held where both are positive. What it is held by at the end of the step itself is taken off:
// there the step stops in the strip, and passes nothing.
//
// Since E is convex, what drives is the larger the further behind its place of equilibrium a particle is, so that between a place
// where it is in equilibrium and the end of the step only friction that rises and falls again has an excess.

// barriers takes that excess at the time s, with the state zMid and the forces of the interior there.
func (c *Certifier) barriers(s float64) {
	in, late := &c.between, false
	for j := range c.sys.N() {
		if v := c.v[3*j : 3*j+3]; !c.grained(j) || c.flight(j) || v[0] == 0 && v[1] == 0 && v[2] == 0 {
			continue
		}
		excess := c.heldBack(j, s, c.zMid, in.grad)
		if excess > 0 {
			if !late {
				late, in.late = true, num.Grow(in.late, len(in.grad))
				c.sys.Gradient(in.late, nil, c.node.T, c.zMid)
			}
			n := &c.node
			excess = min(excess, c.heldBack(j, n.T, c.zMid, in.late)) - max(c.heldBack(j, n.T, n.Z, n.Grad), 0)
		}
		in.step[in.island[j]].Barred.keep(max(excess, 0), s, j)
	}
}

// grained reports whether the friction of a contact of particle j varies along its way; what obstacles carry along that move beside
// others is not looked at.
func (c *Certifier) grained(j int) bool {
	varies := func(k int) bool {
		switch c.psi.Matrices[k].(type) {
		case dissipation.Grained, dissipation.Slipping:
			return true
		}
		return false
	}
	return varies(j) || !c.sys.Dragged(j) && slices.ContainsFunc(c.sys.Beside(j), varies)
}

// heldBack is the excess of the friction on particle j in a state over what drives it along the way of the step, at a time [N].
func (c *Certifier) heldBack(j int, t float64, z, grad []float64) float64 {
	g, v, friction := grad[3*j:3*j+3], c.v[3*j:3*j+3], 0.0
	if c.sys.Cornered(j) {
		friction = c.cornerFriction(j, t, c.node.T-c.tPrev, z, grad, nil)
	} else {
		friction = max(g[2], 0) * c.psi.Factor(j, t) * c.psi.Norm(t, j, z, c.v)
	}
	return (friction + g[0]*v[0] + g[1]*v[1] + g[2]*v[2]) / math.Hypot(math.Hypot(v[0], v[1]), v[2])
}

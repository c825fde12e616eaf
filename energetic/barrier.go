package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A step may go over a place whose friction nothing overcomes, as a strip that is rougher than what lies before and behind:
// the state behind it is in equilibrium too, and what the strip dissipates is little. So where friction varies it is compared,
// at places z(s) amid the step, with what drives along its way v at the time s, when the polygon is there, and at the end T
// of the step, until when it may have been waiting:
//
//	max_{t = s, T} −DE(t, z(s))·v >= ‖σM(z(s)) v‖.
//
// Behind a last place in equilibrium a convex energy drives more at all places before, so that only friction that falls
// again can miss it. A step that ends in the strip is not over it: what friction holds there, beyond what drives, is not
// missed.

// barriers takes what friction lacks of that at the time s, with the state zMid and the forces of the interior there.
func (c *Certifier) barriers(s float64) {
	in, late := &c.between, false
	for j := range c.sys.N() {
		if v := c.v[3*j : 3*j+3]; !c.grained(j) || c.flight(j) || v[0] == 0 && v[1] == 0 && v[2] == 0 {
			continue
		}
		lacks := c.heldBack(j, s, c.zMid, in.grad)
		if lacks > 0 {
			if !late {
				late, in.late = true, num.Grow(in.late, len(in.grad))
				c.sys.Gradient(in.late, nil, c.node.T, c.zMid)
			}
			n := &c.node
			lacks = min(lacks, c.heldBack(j, n.T, c.zMid, in.late)) - max(c.heldBack(j, n.T, n.Z, n.Grad), 0)
		}
		in.step[in.island[j]].Barred.keep(max(lacks, 0), s, j)
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

// heldBack is by what friction on particle j in a state exceeds what drives it along the way of the step at a time [N].
func (c *Certifier) heldBack(j int, t float64, z, grad []float64) float64 {
	g, v, friction := grad[3*j:3*j+3], c.v[3*j:3*j+3], 0.0
	if c.sys.Cornered(j) {
		friction = c.cornerFriction(j, t, c.node.T-c.tPrev, z, grad, nil)
	} else {
		friction = max(g[2], 0) * c.psi.Factor(j, t) * c.psi.Norm(t, j, z, c.v)
	}
	return (friction + g[0]*v[0] + g[1]*v[1] + g[2]*v[2]) / math.Hypot(math.Hypot(v[0], v[1]), v[2])
}

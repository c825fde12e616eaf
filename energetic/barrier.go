package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/particles"
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

// A particle that lands or lifts off in the step is looked at where it would be on the obstacle: it presses there from when on
// it has landed, which the polygon, still above it, does not know.

// barriers takes that excess at the time s, with the state zMid and the forces of the interior there.
func (c *Certifier) barriers(s float64) {
	in, n, late := &c.between, &c.node, false
	z, grad := c.landed(s)
	for j := range c.sys.N() {
		if !c.grained(j) || c.flight(j) && !c.changes(j) {
			continue
		}
		v := c.slid(j, s, z)
		if v == [3]float64{} {
			continue
		}
		excess := c.heldBack(j, s, z, grad, v)
		if excess > 0 {
			if !late {
				late, in.late = true, num.Grow(in.late, len(in.grad))
				c.sys.Gradient(in.late, nil, n.T, z)
			}
			excess = min(excess, c.heldBack(j, n.T, z, in.late, v)) - max(c.heldBack(j, n.T, n.Z, n.Grad, v), 0)
		}
		if excess > 0 {
			c.waitAt(j, s, z, grad, v)
		}
		in.step[in.island[j]].Barred.keep(max(excess, 0), s, j)
	}
}

// landed returns zMid and its forces, with those particles on their obstacles that land or lift off in the step.
func (c *Certifier) landed(s float64) (z, grad []float64) {
	in := &c.between
	z, grad = c.zMid, in.grad
	for j := range c.sys.N() {
		if !c.grained(j) || !c.flight(j) || !c.changes(j) {
			continue
		}
		if &z[0] == &c.zMid[0] {
			in.landed = append(in.landed[:0], c.zMid...)
			z = in.landed
		}
		own, others := c.touched(j)
		c.sys.Meet(s, z, j, own, others)
	}
	if &z[0] != &c.zMid[0] {
		in.pressed = num.Grow(in.pressed, len(in.grad))
		grad = in.pressed
		c.sys.Gradient(grad, nil, s, z)
	}
	return z, grad
}

// touched returns whether particle j touches the obstacle of its frame at an end of the step, and which others.
func (c *Certifier) touched(j int) (own bool, others []int) {
	at := func(k int) bool {
		return c.psi.Touches(c.tPrev, k, c.zPrev) || c.psi.Touches(c.node.T, k, c.node.Z)
	}
	others = c.kept[:0]
	for _, k := range c.sys.Beside(j) {
		if at(k) {
			others = append(others, k)
		}
	}
	c.kept = others
	return c.sys.Constrained(j) && at(j), others
}

// slid is the way of particle j in the step along the obstacles on which it is in the state z.
func (c *Certifier) slid(j int, s float64, z []float64) [3]float64 {
	v := [3]float64(c.v[3*j : 3*j+3])
	if !c.flight(j) {
		return v
	}
	var held particles.Directions
	own, others := c.touched(j)
	if own {
		held.Add([3]float64{0, 0, 1}, 0)
	}
	for _, k := range others {
		n, _, _ := c.sys.ContactAxes(s, k, z)
		held.Add(n, 0)
	}
	held.Project(&v)
	return v
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

// heldBack is the excess of the friction on particle j in a state over what drives it along a way v, at a time [N]: none where
// nothing presses it.
func (c *Certifier) heldBack(j int, t float64, z, grad []float64, v [3]float64) float64 {
	friction, _ := c.friction(j, t, z, grad)
	if friction == 0 {
		return 0
	}
	return friction/length(v) - drives(grad[3*j:3*j+3], v)
}

// friction is what the friction on particle j in a state takes along the way of the step, at a time [J], and what presses it [N].
func (c *Certifier) friction(j int, t float64, z, grad []float64) (taken, pressed float64) {
	if c.sys.Cornered(j) {
		pressed = c.setCorner(j, t, z, grad, nil)
		return c.cornerFriction(j, t, c.node.T-c.tPrev, z, grad, nil), pressed
	}
	pressed = max(grad[3*j+2], 0) * c.psi.Factor(j, t)
	return pressed * c.psi.Norm(t, j, z, c.v), pressed
}

// drives is the force −DE of a particle along a way.
func drives(grad []float64, v [3]float64) float64 {
	return -(grad[0]*v[0] + grad[1]*v[1] + grad[2]*v[2]) / length(v)
}

func length(v [3]float64) float64 { return math.Hypot(math.Hypot(v[0], v[1]), v[2]) }

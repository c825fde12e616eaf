package energetic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// The forces on a particle with several obstacles. σ_c are the normal forces of its
// closed contacts, [particles.System.PressParticle]; (S) is in forces
//
//	DE ∈ Σ_c ([0, ∞) n_c + σ_c S_cᵀ·ball)
//
// and the measure its distance. Where a particle slides, the friction of each contact is
// that against its motion.

// pressing returns the normal force of contact c, negative if the obstacle would pull.
func (c *Certifier) pressing(t float64, contact int, z, grad []float64, from dissipation.Origin) float64 {
	if c.sys.Cornered(c.sys.ContactParticle(contact)) {
		return c.psi.Pressure(t, contact, z, grad, from)
	}
	return grad[3*contact+2]
}

// origin is the node before, from which the motion of the step is counted; none at the start.
func (c *Certifier) origin() dissipation.Origin {
	if c.node.K == 0 {
		return dissipation.Origin{}
	}
	return dissipation.Origin{T: c.tPrev, Z: c.zPrev}
}

// keeps reports whether a contact of particle j is closed at both ends of the step.
func (c *Certifier) keeps(j int) bool {
	if c.stays(j) {
		return true
	}
	for _, k := range c.sys.Beside(j) {
		if c.stays(k) {
			return true
		}
	}
	return false
}

// stays reports whether contact k is closed at both ends of the step.
func (c *Certifier) stays(k int) bool {
	return c.psi.Touches(c.tPrev, k, c.zPrev) && c.psi.Touches(c.node.T, k, c.node.Z)
}

// variesCorner reports whether friction of a contact of particle j depends on place, time or slip.
func (c *Certifier) variesCorner(j int) bool {
	return c.psi.Varies(j) || slices.ContainsFunc(c.sys.Beside(j), c.psi.Varies)
}

// setCorner sets the laws of the closed contacts of particle j by the rule of the
// thresholds, and returns the sum of its normal forces.
func (c *Certifier) setCorner(j int, t float64, z, grad []float64, threshold func(contact int, sigma float64) float64) (pressed float64) {
	k := &c.corner
	k.Reset(c.sys, t, z, j, func(contact int) bool { return c.psi.Touches(t, contact, z) })
	if len(k.Contacts) == 0 {
		return 0
	}
	forces := c.psi.Pressures(t, j, z, grad, c.origin())
	for i, contact := range k.Contacts {
		sigma := forces[contact]
		pressed += sigma
		if threshold != nil {
			sigma = threshold(contact, sigma)
		}
		c.psi.Law(&k.Laws[i], t, contact, sigma*c.psi.Factor(contact, t), z)
	}
	return pressed
}

// cornerExcess returns the force on a particle at rest that its obstacles do not hold; aligned: its
// corner is, at rest.
func (c *Certifier) cornerExcess(j int, grad []float64, aligned bool) float64 {
	k := &c.corner
	if len(k.Contacts) > 0 {
		if !aligned {
			k.Align([3]float64(grad[3*j : 3*j+3]))
		}
		k.Solve([3]float64(grad[3*j:3*j+3]), [3]float64{}, 1)
	}
	return c.cornerRest(j, grad)
}

// cornerRest returns the force that the reactions of the corner do not balance.
func (c *Certifier) cornerRest(j int, grad []float64) float64 {
	f := c.corner.Force()
	return math.Hypot(math.Hypot(grad[3*j]-f[0], grad[3*j+1]-f[1]), grad[3*j+2]-f[2])
}

// held is what the obstacles of a particle with several hold at a time and a state: the end of a
// step is the start of the next.
type held struct {
	known     bool
	t         float64
	at, force [3]float64
	pressed   float64 // the sum of the normal forces [N]
	excess    float64 // the force that is not held [N]
	contacts  int     // closed
}

// sampleCorner is sample for a particle with several obstacles.
func (c *Certifier) sampleCorner(j int, t float64, z, grad []float64, rest [2]float64) {
	p := &c.between.step[c.between.island[j]]
	p.Sampled = p.Sampled || !c.between.still || c.between.bounded || c.between.varies && c.variesCorner(j)
	nearby := rest[0] + rest[1]
	h := &c.held[j]
	if g, at := [3]float64(grad[3*j:3*j+3]), [3]float64(z[3*j:3*j+3]); !h.known || h.t != t || h.at != at ||
		h.force != g || c.sys.Dragged(j) {
		*h = held{known: true, t: t, at: at, force: g}
		h.pressed = c.setCorner(j, t, z, grad, nil)
		h.excess, h.contacts = c.cornerExcess(j, grad, false), len(c.corner.Contacts)
	}
	switch {
	case h.contacts == 0 || c.smooth(j):
		p.Free.keep(h.excess+nearby, t, j)
	default:
		p.Along.keep(h.excess+nearby, t, j)
		p.ForceAcross = max(p.ForceAcross, h.pressed)
		p.ForceAlong = max(p.ForceAlong, math.Hypot(math.Hypot(h.force[0], h.force[1]), h.force[2])-h.excess)
	}
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		c.setCorner(j, t, z, grad, func(contact int, sigma float64) float64 { return r.Threshold(sigma, c.switching[contact]) })
		p.AlongGamma.keep(c.cornerExcess(j, grad, false)+nearby, t, j)
	}
}

// smooth reports whether no contact of particle j has friction.
func (c *Certifier) smooth(j int) bool {
	if c.psi.Matrices[j] != nil {
		return false
	}
	for _, k := range c.sys.Beside(j) {
		if c.psi.Matrices[k] != nil {
			return false
		}
	}
	return true
}

// alongCorner is along for a particle with several obstacles that keeps one of them. Beside
// its Ψ it returns the work of its obstacles that move, of the part of a step of the length h.
func (c *Certifier) alongCorner(j int, s, weight, h float64) (dissipated, driven float64) {
	in := &c.between
	g, v := in.grad[3*j:3*j+3], c.v[3*j:3*j+3]
	length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	p := &in.step[in.island[j]]
	pull := weight * (g[0]*v[0] + g[1]*v[1] + g[2]*v[2])
	dissipated, driven = weight*c.cornerFriction(j, s, h, c.zMid, in.grad, nil), c.driveCorner(s, weight*h)
	p.Slip += weight * c.cornerRest(j, in.grad) * length
	p.Balance += pull + dissipated - driven
	exchanged := min(math.Abs(pull-driven), dissipated)
	p.ExchangedAlong += exchanged
	p.Lost += exchanged
	p.Dissipated += dissipated
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		less := c.cornerFriction(j, s, h, c.zMid, in.grad, func(contact int, sigma float64) float64 { return r.Threshold(sigma, c.switching[contact]) })
		p.SlipGamma += weight * c.cornerRest(j, in.grad) * length
		p.BalanceGamma += pull + weight*less - driven
	}
	return dissipated, driven
}

// cornerFriction sets the corner of particle j to a state at a time of the step, of the length h, and returns what the friction of its
// contacts takes along the way of the step [J].
func (c *Certifier) cornerFriction(j int, t, h float64, z, grad []float64, threshold func(contact int, sigma float64) float64) (sum float64) {
	c.setCorner(j, t, z, grad, threshold)
	c.slideCorner(t, h)
	c.corner.Align([3]float64(grad[3*j : 3*j+3]))
	for i := range c.corner.Contacts {
		if bound := c.corner.Laws[i].Threshold; bound > 0 {
			sum += bound * c.corner.Laws[i].Shape.Norm(c.corner.Slides[i][0], c.corner.Slides[i][1])
		}
	}
	return sum
}

// slideCorner sets the motions along the contacts of the corner, of a step of the length h, as they
// are at the time s inside it.
func (c *Certifier) slideCorner(s, h float64) {
	k := &c.corner
	for i, contact := range k.Contacts {
		k.Slides[i] = [2]float64{}
		j := c.sys.ContactParticle(contact)
		if !c.sys.Bends(j) {
			x, y := c.sys.Tangent(s, contact, c.zMid, c.v)
			k.Slides[i] = [2]float64{x, y}
			continue
		}
		if x, y := c.psi.Slide(c.node.T, contact, c.node.Z, c.origin()); x == 0 && y == 0 {
			continue // it sticks in the step
		}
		w, v := c.sys.Carrying(contact, s, c.zMid), [3]float64{}
		for d := range v {
			v[d] = c.v[3*j+d] - h*w[d]
		}
		_, x, y := c.sys.ContactAxes(s, contact, c.zMid)
		k.Slides[i] = [2]float64{vec3.Dot(x, v), vec3.Dot(y, v)}
	}
}

// driveCorner returns the work in a time of the reactions of the corner on their obstacles'
// motions: what these do to the particle.
func (c *Certifier) driveCorner(s, time float64) (work float64) {
	for i, contact := range c.corner.Contacts {
		if !c.sys.Moving(contact) {
			continue
		}
		w := c.sys.Carrying(contact, s, c.zMid)
		n, x, y := c.sys.ContactAxes(s, contact, c.zMid)
		r := &c.corner.R[i]
		power := time * (r[0]*vec3.Dot(n, w) + r[1]*vec3.Dot(x, w) + r[2]*vec3.Dot(y, w))
		work += power
		j := c.sys.ContactParticle(contact)
		p := &c.between.step[c.between.island[j]]
		p.ExchangedAlong += math.Abs(power)
		p.ExchangedAcross += math.Abs(power)
	}
	return work
}

// lands reports whether a contact of the corner at hand has closed in the step: what the particle
// slid along until then says nothing of how it goes on.
func (c *Certifier) lands() bool {
	return slices.ContainsFunc(c.corner.Contacts, func(k int) bool { return !c.stays(k) })
}

// unbalancedCorner is unbalanced for a particle with several obstacles.
func (c *Certifier) unbalancedCorner(j int) float64 {
	n := &c.node
	c.setCorner(j, n.T, n.Z, n.Grad, nil)
	if n.K > 0 && c.keeps(j) && !c.lands() {
		for i, contact := range c.corner.Contacts {
			if c.sys.Bends(j) {
				x, y := c.psi.Slide(n.T, contact, n.Z, c.origin())
				c.corner.Slides[i] = [2]float64{x, y}
				continue
			}
			x, y := c.sys.Tangent(n.T, contact, n.Z, c.v)
			c.corner.Slides[i] = [2]float64{x, y}
		}
		if c.corner.Align([3]float64(n.Grad[3*j : 3*j+3])) {
			return c.cornerRest(j, n.Grad)
		}
		return c.cornerExcess(j, n.Grad, c.standing())
	}
	return c.cornerExcess(j, n.Grad, false)
}

// standing reports whether the corner at hand is one at rest, and makes it one.
func (c *Certifier) standing() bool {
	for i := range c.corner.Slides {
		if c.corner.Slides[i] != ([2]float64{}) {
			clear(c.corner.Slides)
			return false
		}
	}
	return true
}

// cornerPart is unbalancedPart for a particle with several obstacles, flat and at rest.
func (c *Certifier) cornerPart(j int, t float64, z, grad []float64) float64 {
	c.setCorner(j, t, z, grad, nil)
	for i, contact := range c.corner.Contacts {
		x, y := c.sys.Tangent(t, contact, z, c.v)
		c.corner.Slides[i] = [2]float64{x, y}
	}
	if c.corner.Align([3]float64(grad[3*j : 3*j+3])) {
		return c.cornerRest(j, grad)
	}
	return c.cornerExcess(j, grad, c.standing())
}

// react stores the reactions of the node, where particles have several obstacles, or such
// that are curved or move, and what they leave of the force on the former.
func (c *Certifier) react() {
	n := &c.node
	if len(c.sys.Extras()) == 0 && !c.sys.Charts() {
		return
	}
	n.Reactions = append(n.Reactions[:0], make([][3]float64, c.sys.Contacts())...)
	for j := range c.sys.N() {
		switch {
		case c.sys.Cornered(j):
			c.loose[j] = c.unbalancedCorner(j) // leaves the reactions
			for i, contact := range c.corner.Contacts {
				n.Reactions[contact] = c.corner.R[i]
			}
		case n.States[j] != incremental.Free:
			_, _, _, root := c.sys.ContactAxesAt(n.T, j, n.Z)
			along, across := particles.Physical(root, n.Grad[3*j], n.Grad[3*j+1])
			n.Reactions[j] = [3]float64{n.Grad[3*j+2], along, across}
		}
	}
}

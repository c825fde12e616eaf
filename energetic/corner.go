package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/incremental"
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
func (c *Certifier) pressing(contact int, z, grad []float64) float64 {
	if c.sys.Cornered(c.sys.ContactParticle(contact)) {
		return c.psi.Pressure(contact, z, grad)
	}
	return grad[3*contact+2]
}

// keeps reports whether a contact of particle j is closed at both ends of the step.
func (c *Certifier) keeps(j int) bool {
	if c.psi.Touches(j, c.zPrev) && c.psi.Touches(j, c.node.Z) {
		return true
	}
	for _, k := range c.sys.Beside(j) {
		if c.psi.Touches(k, c.zPrev) && c.psi.Touches(k, c.node.Z) {
			return true
		}
	}
	return false
}

// setCorner sets the laws of the closed contacts of particle j by the rule of the
// thresholds, and returns the sum of its normal forces.
func (c *Certifier) setCorner(j int, t float64, z, grad []float64, threshold func(contact int, sigma float64) float64) (pressed float64) {
	k := &c.corner
	k.Reset(c.sys, j, func(contact int) bool { return c.psi.Touches(contact, z) })
	for i, contact := range k.Contacts {
		sigma := c.psi.Pressure(contact, z, grad)
		pressed += sigma
		if threshold != nil {
			sigma = threshold(contact, sigma)
		}
		c.psi.Law(&k.Laws[i], contact, sigma*c.psi.Factor(contact, t), z)
	}
	return pressed
}

// cornerExcess returns the force on a particle at rest that its obstacles do not hold.
func (c *Certifier) cornerExcess(j int, z, grad []float64) float64 {
	k := &c.corner
	if len(k.Contacts) > 0 {
		clear(c.still)
		k.Align(c.psi, z, c.still, grad)
		k.Solve([3]float64(grad[3*j:3*j+3]), [3]float64{}, 1)
	}
	return c.cornerRest(j, grad)
}

// cornerRest returns the force that the reactions of the corner do not balance.
func (c *Certifier) cornerRest(j int, grad []float64) float64 {
	f := c.corner.Force()
	return math.Hypot(math.Hypot(grad[3*j]-f[0], grad[3*j+1]-f[1]), grad[3*j+2]-f[2])
}

// sampleCorner is sample for a particle with several obstacles.
func (c *Certifier) sampleCorner(j int, t float64, z, grad []float64, rest [2]float64) {
	p := &c.between.step[c.between.island[j]]
	p.Sampled = p.Sampled || !c.between.still
	nearby := rest[0] + rest[1]
	pressed := c.setCorner(j, t, z, grad, nil)
	excess := c.cornerExcess(j, z, grad)
	switch {
	case len(c.corner.Contacts) == 0 || c.smooth(j):
		p.Free.keep(excess+nearby, t, j)
	default:
		p.Along.keep(excess+nearby, t, j)
		p.ForceAcross = max(p.ForceAcross, pressed)
		g := grad[3*j : 3*j+3]
		p.ForceAlong = max(p.ForceAlong, math.Hypot(math.Hypot(g[0], g[1]), g[2])-excess)
	}
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		c.setCorner(j, t, z, grad, func(contact int, sigma float64) float64 { return r.Threshold(sigma, c.switching[contact]) })
		p.AlongGamma.keep(c.cornerExcess(j, z, grad)+nearby, t, j)
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

// alongCorner is along for a particle with several obstacles that keeps one of them.
func (c *Certifier) alongCorner(j int, s, weight float64) (dissipated float64) {
	in := &c.between
	g, v := in.grad[3*j:3*j+3], c.v[3*j:3*j+3]
	length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	p := &in.step[in.island[j]]
	pull := weight * (g[0]*v[0] + g[1]*v[1] + g[2]*v[2])
	work := func() (sum float64) {
		for i, contact := range c.corner.Contacts {
			if bound := c.corner.Laws[i].Threshold; bound > 0 {
				a, b := c.sys.Tangent(contact, c.v)
				sum += weight * bound * c.corner.Laws[i].Shape.Norm(a, b)
			}
		}
		return sum
	}
	c.setCorner(j, s, c.zMid, in.grad, nil)
	c.corner.Align(c.psi, c.zMid, c.v, in.grad)
	dissipated = work()
	p.Slip += weight * c.cornerRest(j, in.grad) * length
	p.Balance += pull + dissipated
	p.ExchangedAlong += min(math.Abs(pull), dissipated)
	p.Lost += min(math.Abs(pull), dissipated)
	p.Dissipated += dissipated
	if r := c.opt.Step.Rule; r.Gamma > 0 {
		c.setCorner(j, s, c.zMid, in.grad, func(contact int, sigma float64) float64 { return r.Threshold(sigma, c.switching[contact]) })
		c.corner.Align(c.psi, c.zMid, c.v, in.grad)
		p.SlipGamma += weight * c.cornerRest(j, in.grad) * length
		p.BalanceGamma += pull + work()
	}
	return dissipated
}

// unbalancedCorner is unbalanced for a particle with several obstacles.
func (c *Certifier) unbalancedCorner(j int) float64 {
	n := &c.node
	c.setCorner(j, n.T, n.Z, n.Grad, nil)
	if n.K > 0 && c.keeps(j) && c.corner.Align(c.psi, n.Z, c.v, n.Grad) {
		return c.cornerRest(j, n.Grad)
	}
	return c.cornerExcess(j, n.Z, n.Grad)
}

// react stores the reactions of the node, where particles have several obstacles, or such
// that are curved or move.
func (c *Certifier) react() {
	n := &c.node
	if len(c.sys.Extras()) == 0 && !c.sys.Charts() {
		return
	}
	n.Reactions = append(n.Reactions[:0], make([][3]float64, c.sys.Contacts())...)
	for j := range c.sys.N() {
		switch {
		case c.sys.Cornered(j):
			c.unbalancedCorner(j) // leaves the reactions
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

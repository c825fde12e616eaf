package energetic

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/forest"
)

// Linearisation is a functional of the same energies and particles, whose relative coordinates
// ([particles.Relative]) are made anew at the places of a node. There the admissible set and Ψ change, and E does not:
//
//	x = T z + s(t) = T' z' + s'(t),   z'_n ≥ 0.
//
// Nothing may remember its way: neither friction over slip nor what yields.
type Linearisation struct {
	Psi  *dissipation.Coulomb
	Plan *incremental.Plan // of the steps of Psi; nil: none
	// Convert returns z' of a state z at the time of the node. Normal coordinates below 0 are those of nodes that lie
	// within what they face now; they are raised to 0.
	Convert func(z []float64) []float64
}

// Settle makes a step of no length from a state z' of the new coordinates, with heights below 0 raised to 0, and
// returns where it comes to.
func (l *Linearisation) Settle(ctx context.Context, t float64, z []float64, o incremental.Options,
	from *incremental.Stepper) (*incremental.Stepper, error) {
	z = slices.Clone(z)
	for j := range l.Psi.System.N() {
		if h := &z[3*j+2]; l.Psi.System.Constrained(j) && *h < 0 {
			*h = 0
		}
	}
	o.Plan = l.Plan
	s, err := incremental.New(l.Psi, t, z, o)
	if err != nil {
		return nil, err
	}
	s.Inherit(from)
	return s, s.Step(ctx, t)
}

// Base is a settled state without the slips of contacts with friction since z. From there the settled one is the same
// minimum as from z, for Ψ depends on slips alone, and what friction takes on the way is Ψ at the pressures of the end:
// a raised state presses with forces that no state has.
func (l *Linearisation) Base(z, settled []float64) []float64 {
	sys, base := l.Psi.System, slices.Clone(settled)
	for j := range sys.N() {
		switch {
		case sys.Cornered(j):
			copy(base[3*j:3*j+3], z[3*j:3*j+3])
		case l.Psi.Matrices[j] != nil && sys.Constrained(j) && settled[3*j+2] == 0:
			copy(base[3*j:3*j+2], z[3*j:3*j+2])
		}
	}
	return base
}

// Relinearise goes on at the present node with another linearisation, and makes a step of no length, after which the
// state is stable in the new set. Both changes of E enter (E), see [Summary]; what has been added up so far goes on.
// On an error the evolution stays where it was.
func (e *Evolution) Relinearise(ctx context.Context, l *Linearisation) error {
	n, c := e.Node(), e.cert
	s, err := l.Settle(ctx, n.T, l.Convert(n.Z), c.opt.Step, e.stepper)
	if err != nil {
		return err
	}
	cert, err := c.Relinearised(ctx, l, s.State())
	if err != nil {
		return err
	}
	if err := cert.observe(ctx, n.T, s.State(), s.Stats()); err != nil {
		return err
	}
	e.stepper, e.cert = s, cert
	return nil
}

// Relinearised returns a certifier that goes on from the present node with another linearisation. The next node that
// it observes is the settled one, at the same time.
func (c *Certifier) Relinearised(ctx context.Context, l *Linearisation, settled []float64) (*Certifier, error) {
	o := c.opt
	o.Step.Plan = l.Plan
	next, err := NewCertifier(l.Psi, o)
	if err != nil {
		return nil, err
	}
	from, n := &c.node, &next.node
	placed := l.Convert(from.Z)
	z := l.Base(placed, settled)
	n.K, n.T, n.Certificate = from.K, from.T, from.Certificate
	copy(n.Z, z)
	copy(n.States, from.States)
	copy(n.Before, from.States)
	copy(next.switching, c.switching)
	for i, x := range z { // as far from the start as before
		next.z0[i] = x - (from.Z[i] - c.z0[i])
	}
	next.energy0, next.size, next.sum, next.begun = c.energy0, c.size, c.sum, true
	next.sum.Relinearised++
	next.anew = true
	next.join(c)
	next.shift(placed)
	n.Energy, _ = next.sys.Value(n.T, z)
	h := next.sys.Hessian(n.T, z)
	next.stiffest = max(c.stiffest, h.MaxDiagonal())
	next.blocks.factor(h)
	next.scales.Inherit(c.scales)
	next.measureForces(h)
	next.rememberSamples()
	return next, next.twinOf(ctx, c, l)
}

// keepSlip leaves contacts in the state slip that slipped in the step before a new linearisation and stay pressed where
// they are as the state settles: a step of no length is not the end of a slide.
func (n *Node) keepSlip() {
	for j, s := range n.States {
		if s == incremental.Stick && n.Before[j] == incremental.Slip {
			n.States[j] = incremental.Slip
		}
	}
}

// shift takes the energy E(z) − E(placed) = ½(DE(z) + DE(placed))·(z − placed), of a quadratic E, into the residuals
// of (E), and sets the gradient of the node.
func (c *Certifier) shift(placed []float64) {
	n := &c.node
	before := make([]float64, len(placed))
	c.sys.Gradient(before, nil, n.T, placed)
	c.sys.Gradient(n.Grad, nil, n.T, n.Z)
	for i, g := range n.Grad {
		c.between.part[c.between.island[i/3]].Balance += 0.5 * (g + before[i]) * (n.Z[i] - placed[i])
	}
	for i := range c.between.part {
		p := &c.between.part[i]
		p.MaxBalance = max(p.MaxBalance, math.Abs(p.Balance))
	}
}

// join makes islands of what is coupled in either of two linearisations, with what is known of them.
func (c *Certifier) join(from *Certifier) {
	c.between.divide(c, c.sys.Hessian(c.node.T, c.node.Z))
	joint := forest.New(c.sys.N())
	for _, of := range [][]int{c.between.island, from.between.island} {
		first := map[int]int{}
		for j, i := range of {
			if k, met := first[i]; met {
				joint.Join(k, j)
			} else {
				first[i] = j
			}
		}
	}
	of, count := joint.Number()
	c.between.assign(c, of, count)
	taken := make([]bool, len(from.between.part))
	for j, i := range from.between.island {
		if !taken[i] {
			taken[i] = true
			c.between.part[of[j]].join(&from.between.part[i])
		}
	}
}

// join adds what is known of an island to that of another one.
func (p *Residuals) join(s *Residuals) {
	most := *p
	p.merge(s)
	p.Touches = p.Touches || s.Touches
	p.MaxBalance, p.MaxBalanceGamma = most.MaxBalance+s.MaxBalance, most.MaxBalanceGamma+s.MaxBalanceGamma
	p.MaxTwin = most.MaxTwin + s.MaxTwin
	p.Drift = max(most.Drift, s.Drift)
}

// twinOf goes on with the twin of another linearisation, from where it is.
func (c *Certifier) twinOf(ctx context.Context, from *Certifier, l *Linearisation) error {
	if err := c.newTwin(); err != nil || c.twin.stepper == nil {
		return err
	}
	w, old, t := &c.twin, &from.twin, c.node.T
	copy(w.before, old.before)
	if w.failed = old.failed; old.same || w.failed != "" {
		return nil
	}
	placed := l.Convert(old.z)
	s, err := l.Settle(ctx, t, placed, w.options(c), old.stepper)
	if err != nil {
		w.failed = err.Error()
		return nil
	}
	copy(w.z, l.Base(placed, s.State()))
	w.psi.System.Gradient(w.grad, nil, t, w.z)
	w.stepper.Place(t, w.z, nil)
	w.same = false
	return nil
}

package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// insideOptions are the numbers of the sweeps inside the cones.
type insideOptions struct {
	// first and last are the κ at which the sweeps inside the cones begin and end; q
	// and the diagonal of W are 1 there. From 1e-3 they go farther than they have to; what 1e-6
	// leaves, sweeps on the problem itself take twice as long to end, and 1e-8 costs more than it
	// saves them.
	first, last float64
	// κ falls by down when a sweep changes the reactions by no more than κ of them: nearer to
	// the path (a tenth of that) costs twice the sweeps, and saves none.
	down float64
	most int // sweeps at one κ
	// patience are the sweeps within which those that follow have to go on, see
	// [localRun.momentumWithin].
	patience int
	// A contact is solved by steps steps of Newton's method at most, to a decrement of
	// close: the next sweep brings another right side.
	steps  int
	close  float64
	damped float64
	// round is the part of μ r_N that momentum may bring ‖r_T‖² to, squared; a contact beyond
	// it stays where the sweep has put it.
	round float64
}

// insideDefault are the values of all solves.
var insideDefault = insideOptions{
	first: 1e-4, last: 1e-7,
	down:     0.3,
	most:     600,
	patience: 1000,
	steps:    3, close: 0.1, damped: 0.25,
	round: 0.999,
}

const insideName = "sweeps inside the cones"

// insideSweeps solves very large piles whose sweeps nearly stand still without a factorisation.
// They stand still along modes of W with small eigenvalues, of clusters of weak contacts. Sweeps
// with momentum on the convex problem with the de Saxcé term frozen and a barrier κ for each cone,
//
//	min  ½ rᵀWr + qᵀr − κ/2 Σ log det x_j,   x = (μ r_N, r_T),
//
// do not: the barrier adds κ/x² to the eigenvalues, so that the sweeps contract by 1 − √κ or so,
// with no change of states to turn them, and reactions stay in the middle of what carries. κ falls
// from one level to the next, a few hundred sweeps each, which grow as the problem; a dozen
// factorisations, which grow as n^1.8, would lead to the same point. Sweeps on the problem itself end
// from there. The term is frozen at zero, where most contacts of a pile
// at rest stick; frozen anew at each level, or taken with each contact, it is noise of weak
// contacts of the order of √κ, and reactions wander off along the slow modes.
func (s *localRun) insideSweeps(limit int) form.Status {
	end := s.iterations + limit
	clear(s.ws.u)
	s.c.freezeInside(&s.ws.held, s.ws.u)
	status := s.sweepInside(insideDefault.first)
	s.c.release(&s.ws.held)
	if status != form.Unsolved {
		return status
	}
	s.evaluate()
	return s.confirmed((*localRun).insideEnd, max(1, end-s.iterations))
}

// insideEnd are the sweeps on the problem itself from there.
func (s *localRun) insideEnd(limit int) form.Status {
	return s.momentumWithin(limit, insideDefault.patience)
}

// insidable reports whether those sweeps are worth it: many contacts that go by colours, of laws
// that the interior-point method takes. Up to autoPointed that method itself is as fast, and does
// not lose them on piles in motion.
func (ws *Workspace) insidable() bool {
	return ws.colours.usable && ws.c.Nc > autoPointed && ws.c.conical()
}

// freezeInside makes the problem that of u, with barriers for cones and half-lines,
// until it is released.
func (c *reduced) freezeInside(h *held, u []vec3) {
	c.hold(h)
	for j, kind := range c.Kind {
		switch kind {
		case form.KindCoulomb, form.KindAssociated:
			c.freeze(j, &u[j], form.KindInside)
		case form.KindFrictionless:
			c.Kind[j] = form.KindInside
			c.Mu[j] = 0
		}
	}
}

// sweepInside follows the path of the frozen problem to insideDefault.last, from ws.r moved into the cones.
// Unsolved says that it got there.
func (s *localRun) sweepInside(kappa float64) form.Status {
	c, r := s.c, s.ws.r
	for j := range r {
		if c.Kind[j] == form.KindInside {
			r[j][0] = max(r[j][0], 0) + math.Sqrt(kappa)
			if mu := c.Mu[j]; mu > 0 {
				r[j][0] = max(r[j][0], math.Hypot(r[j][1], r[j][2])/mu+math.Sqrt(kappa))
			} else {
				r[j][1], r[j][2] = 0, 0
			}
		}
	}
	for ; ; kappa = max(insideDefault.down*kappa, insideDefault.last) {
		if status := s.sweepLevel(kappa); status != form.Unsolved {
			return status
		}
		if kappa <= insideDefault.last {
			return form.Unsolved
		}
	}
}

// sweepLevel sweeps with momentum towards the point of κ.
func (s *localRun) sweepLevel(kappa float64) form.Status {
	c, ws, m := s.c, s.ws, &s.ws.momentum
	c.kappa = kappa
	m.begin(ws.r)
	for range insideDefault.most {
		copy(m.image, ws.r)
		change, size := s.sweep(m.image)
		status, stop := s.step(insideName, change/max(size, 1), 1)
		switch {
		case num.Bad(change) || size*size > block.Runaway2:
			return form.NumericalFailure
		case stop:
			return status
		case change <= kappa*size:
			copy(ws.r, m.image)
			return form.Unsolved
		}
		m.advance(ws.r, change)
		for j := range ws.r {
			if c.Kind[j] == form.KindInside && !within(&ws.r[j], c.Mu[j]) {
				ws.r[j] = m.last[j] // the image
			}
		}
	}
	copy(ws.r, m.last)
	return form.Unsolved
}

// within reports whether r is inside the cone of μ.
func within(r *vec3, mu float64) bool {
	n := mu * r[0]
	return r[0] > 0 && (mu == 0 || r[1]*r[1]+r[2]*r[2] < insideDefault.round*n*n)
}

// inside moves r, inside the cone of μ, towards the solution of
//
//	N(A r + b) = κ x⁻¹,   x = N⁻¹r = (μ r_N, r_T),   x⁻¹ = Jx/det x,
//
// of one contact alone. The barrier −½ log det x is self-concordant, so that steps of Newton's
// method that are damped where their decrement is large stay inside. From far away they are many,
// along the boundary; sweeps come from the κ before. Without friction r_N is the positive root of
// A_NN r_N² + b_N r_N = κ.
func (o *oneContact) inside(r *vec3, mu, kappa float64, b *vec3) {
	if o.invN == 0 { // nothing moves the contact away
		return
	}
	if mu == 0 {
		root := math.Sqrt(b[0]*b[0] + 4*o.a[0]*kappa)
		if b[0] > 0 { // without cancellation
			r[0] = 2 * kappa / (b[0] + root)
		} else {
			r[0] = 0.5 * (root - b[0]) * o.invN
		}
		return
	}
	n := 1 / mu
	x, a := vec3{mu * r[0], r[1], r[2]}, o.a
	a[0], a[1], a[2], a[3], a[6] = n*n*a[0], n*a[1], n*a[2], n*a[3], n*a[6]
	for range insideDefault.steps {
		det := 1 / num.Lorentz(&x)
		g := vec3{x[0] * det, -x[1] * det, -x[2] * det}
		f := num.MulVec3(&a, &x)
		f[0] += n*b[0] - kappa*g[0]
		f[1] += b[1] - kappa*g[1]
		f[2] += b[2] - kappa*g[2]
		h, k := a, 2*kappa
		for p, v := range g {
			h[3*p] += k * v * g[0]
			h[3*p+1] += k * v * g[1]
			h[3*p+2] += k * v * g[2]
		}
		h[0] -= kappa * det
		h[4] += kappa * det
		h[8] += kappa * det
		var inv mat3
		if !num.Invert3(&inv, &h) {
			break
		}
		d := num.MulVec3(&inv, &f)
		t, decrement := 1.0, math.Sqrt(max(num.Dot3(&d, &f), 0)*2/kappa)
		if decrement > insideDefault.damped {
			t /= 1 + decrement
		}
		y := vec3{x[0] - t*d[0], x[1] - t*d[1], x[2] - t*d[2]}
		if !(y[0] > 0 && num.Lorentz(&y) > 0) { // rounding, or an A that is not semidefinite
			break
		}
		if x = y; decrement < insideDefault.close {
			break
		}
	}
	*r = vec3{n * x[0], x[1], x[2]}
}

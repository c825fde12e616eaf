package incremental

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/elementary"
)

// LossError says that a step has no solution: E(t, y) + Ψ falls without bound along a
// direction d in which nothing is stored and that leads into no obstacle,
//
//	D²E d = 0,   n·d >= 0 where it touches,   DE·d + Ψ(d) < 0.
//
// By these three no state at that time is in equilibrium under the friction of the step.
type LossError struct {
	Time      float64
	Direction []float64 // d, local coordinates, the particle that moves most by 1
	Particle  int       // that one
	Force     float64   // −(DE·d + Ψ(d)) [N]
	// Closing are the contacts whose obstacles leave Particle no place, in place of a direction; any place, near to
	// where it was if they are curved, is at least Depth inside one of them [m].
	Closing []int
	Depth   float64
	cause   error
}

func (e *LossError) Error() string {
	if len(e.Closing) > 0 {
		return fmt.Sprintf("incremental: no equilibrium at t=%g: %d obstacles leave no place to particle %d, any is at least %.3g m inside one of them", e.Time, len(e.Closing), e.Particle, e.Depth)
	}
	return fmt.Sprintf("incremental: no equilibrium at t=%g: particle %d slides away, driven by %.3g N more than friction holds", e.Time, e.Particle, e.Force)
}

// Unwrap returns the error of the solver.
func (e *LossError) Unwrap() error { return e.cause }

const (
	// Directions of recession are told from displacements by two regularised problems,
	// D²E + ε, of which the second is this much softer …
	softer = 1e-2
	// … and the first at most this part of the stiffest spring.
	regular = 1e-4
	// rescues is the number of times that thresholds are taken from the forces of the
	// regularised problem, softer each time: they are off by about ε of the stiffness.
	rescues = 5
	// unstored: D²E d is below this part of |D²E||d|, rounding of the solver.
	unstored = 1e-7
)

// rescue treats a step that was not solved. Where D²E is singular that may be because the
// thresholds at hand, those before the step, hold too little though those at its end would
// do: then it is solved with these. Or because nothing holds: then the error is a LossError.
func (s *Stepper) rescue(ctx context.Context, t float64, cause error) error {
	if !fixable(cause) || !s.psi.System.ConstantHessian() || s.min.condensed != nil {
		return cause
	}
	if e, ok := errors.AsType[*contact.Error](cause); !ok || e.Status == contact.Canceled {
		if _, indefinite := errors.AsType[*contact.IndefiniteError](cause); !indefinite {
			return cause
		}
	}
	eps, last := s.min.softest(), cause
	for range rescues {
		v, ok := s.min.regularised(ctx, t, s.z, eps)
		if !ok {
			return cause
		}
		if s.opt.Threshold == Lagged || s.stats.Lagged || !s.thresholdsOf(t) {
			// What drives may be so little that the springs, by which regularised states differ as well, hide
			// the direction: they do by less where it is softer.
			if last = s.lost(ctx, t, eps, v, cause); last != cause {
				return last
			}
			eps *= 0.1
			continue
		}
		// A solver that is content may have gone far along a direction in which next to
		// nothing drives.
		if v, ok = s.min.regularised(ctx, t, s.z, eps); !ok {
			return cause
		}
		last = s.lost(ctx, t, eps, v, cause)
		if _, lost := errors.AsType[*LossError](last); !lost && s.solve(ctx, t) == nil {
			return nil
		}
		eps *= 0.1
	}
	return last
}

// thresholdsOf freezes the thresholds at the normal forces of the last solve; false if they
// are those that are frozen.
func (s *Stepper) thresholdsOf(t float64) (changed bool) {
	for c, j := range s.min.slot {
		r := s.opt.Rule.Threshold(s.min.res.R[3*c], s.switching[j]) * s.psi.Factor(j, t)
		changed = changed || math.Abs(r-s.force[c]) > implicitTolerance*s.size(c)
		s.force[c] = r
		s.min.SetThreshold(c, r, t, s.z)
	}
	return changed
}

// lost makes the LossError of a direction of recession, if there is one.
func (s *Stepper) lost(ctx context.Context, t, eps float64, v []float64, cause error) error {
	w, ok := s.min.regularised(ctx, t, s.z, softer*eps)
	if !ok {
		return cause
	}
	d := make([]float64, len(v))
	for i := range d {
		d[i] = w[i] - v[i]
	}
	worst, most := 0, 0.0
	for j := range len(d) / 3 {
		if l := math.Hypot(math.Hypot(d[3*j], d[3*j+1]), d[3*j+2]); l > most {
			worst, most = j, l
		}
	}
	if most == 0 {
		return cause
	}
	floats.Scale(1/most, d)
	m := s.min
	a := m.sys.Hessian(t, s.z)
	a.MulVec(m.f, d)
	stored := 0.0
	for _, f := range m.f {
		stored = max(stored, math.Abs(f))
	}
	drive := -(elementary.Dot(m.gradBase, d) + m.Dissipation(d))
	if stored > unstored*largest(a.Val) || !(drive > 0) {
		return cause
	}
	return &LossError{Time: t, Direction: d, Particle: worst, Force: drive, cause: cause}
}

// softest is the stiffness that regularises: a part of the largest, or 1 N/m.
func (m *Minimiser) softest() float64 {
	if k := largest(m.sys.Pattern().Val); k > 0 {
		return regular * k
	}
	return 1
}

func largest(list []float64) float64 {
	k := 0.0
	for _, v := range list {
		k = max(k, math.Abs(v))
	}
	return k
}

// regularised solves the step from base with D²E + εI, which has a solution; it leaves its
// reactions, and returns the displacement.
func (m *Minimiser) regularised(ctx context.Context, t float64, base []float64, eps float64) (v []float64, ok bool) {
	clear(m.v)
	m.begin(t, base)
	copy(m.floors, m.given)
	p, hessian := &m.problem, m.sys.Hessian(t, m.y)
	m.sys.Gradient(m.gradBase, nil, t, m.base)
	if m.shifted == nil {
		m.shifted = copyPattern(hessian)
	}
	copy(m.shifted.Val, hessian.Val)
	for c := range hessian.N {
		m.shifted.Val[hessian.Ptr[c]] += eps
	}
	p.M = m.shifted
	for i, g := range m.gradBase {
		p.F[i] = -g
	}
	if err := m.solveContact(ctx); err != nil {
		return nil, false
	}
	return append([]float64(nil), m.res.V...), true
}

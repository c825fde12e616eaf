package incremental

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// fallsAlong reports whether E + Ψ falls along d by half of what drives at least, a hundred times
// as far as the step has come.
func (s *Stepper) fallsAlong(t float64, d []float64, drive float64) bool {
	m := s.min
	e0, _ := m.sys.Value(t, m.y)
	way, cost := 0.0, m.Dissipation(d)
	for _, v := range m.v {
		way = max(way, math.Abs(v))
	}
	y := make([]float64, len(d))
	for _, far := range []float64{1, 10, 100} {
		floats.AddScaledTo(y, m.y, far*way, d)
		e, _ := m.sys.Value(t, y)
		// rounding of the energies
		if !(e-e0+far*way*(cost+drive/2) <= 1e-12*(math.Abs(e)+math.Abs(e0))) {
			return false
		}
	}
	return way > 0
}

// nearestState looks, with a minimiser of its own, whether a step that was solved has gone far
// along directions in which nothing is stored and nothing drives, and then takes the nearest of the
// states that are as good, by [Stepper.proximal].
func (s *Stepper) nearestState(ctx context.Context, t float64) error {
	m, z, grad := s.secondMinimiser(), s.secondState[:len(s.z)], s.secondState[len(s.z):]
	m.proximal = m.softestAt(t, s.z)
	if err := m.Solve(ctx, t, s.z, z, grad, 0); err == nil {
		way, off := 0.0, 0.0
		for i, x := range s.zNext {
			way, off = max(way, math.Abs(z[i]-s.z[i])), max(off, math.Abs(x-z[i]))
		}
		crept := m.residual > targetResidual && s.min.residual <= targetResidual
		if off <= sameWay*way || crept && off <= halfWay*way {
			return nil
		}
	} else if ctx.Err() != nil {
		return err
	}
	return s.refine(ctx, t)
}

// secondMinimiser returns the minimiser for a second look at a step that was solved, with its
// thresholds.
func (s *Stepper) secondMinimiser() *Minimiser {
	if s.second == nil {
		s.second = NewMinimiser(s.psi, s.opt.Tolerance)
		s.secondState = make([]float64, 2*len(s.z))
	}
	copy(s.second.tresca, s.min.tresca)
	s.second.work = s.min.work
	s.second.SetFloors(s.floors)
	s.second.From(s.t)
	return s.second
}

// doubtfulResidual is the residual above which [Stepper.checkDriven] looks: half of what
// certificates allow a force to drive along the size of a system.
const doubtfulResidual = targetResidual / 2

// drives: what is below this part of the forces is rounding of their sum.
const drivenForce = 1e-14

// checkDriven looks at a step that was solved to its tolerance and not to rounding: what is left
// may be what drives along a direction that nothing holds. Then the step has no solution, and the
// error is a LossError. The direction is that of two regularised steps, or that of what is left, if
// the solver takes even these for rest.
func (s *Stepper) checkDriven(ctx context.Context, t float64) error {
	left := make([]float64, len(s.z))
	s.min.unbalanced(left)
	floats.Scale(-1, left)
	m := s.secondMinimiser()
	eps := m.softestAt(t, s.z)
	if v, ok := m.regularised(ctx, t, s.z, eps); ok {
		if d, ok := m.regularised(ctx, t, s.z, softer*eps); ok {
			floats.Sub(d, v)
			if err := s.drivenAlong(t, d); err != nil {
				return err
			}
		}
	}
	return cmp.Or(ctx.Err(), s.drivenAlong(t, left))
}

// drivenAlong makes the LossError of a direction of recession along which something drives in the
// solution of a step: what the direction stores enters by the forces there, which are none, and not
// by those of the start.
func (s *Stepper) drivenAlong(t float64, d []float64) error {
	err := s.recession(t, d, nil)
	if lost, ok := errors.AsType[*LossError](err); ok &&
		-(elementary.Dot(s.gradNext, lost.Direction)+s.min.Dissipation(lost.Direction)) > drivenForce*s.Scale() {
		return err
	}
	return nil
}

// sameWay is what two solutions of a step may differ by, of its way: far more than what their
// residuals of 1e-12 make of springs a million times as soft as others.
const sameWay = 1e-6

// undetermined reports whether nothing but friction at its bound may hold a motion of the step that
// was solved: D²E is singular, and there is an island that moves with no contact that sticks, and with
// motions that the contacts that bear a force do not hold.
func (s *Stepper) undetermined() bool {
	if s.min.condensed != nil || len(s.min.corners) > 0 {
		return false
	}
	if s.motions == nil {
		s.motions = make([]islandMotion, len(s.scales.Force))
	}
	if s.psi.System.ConstantHessian() && !s.singular() {
		return false
	}
	clear(s.motions)
	for i, z := range s.zNext {
		if z != s.z[i] {
			s.motions[s.scales.Island[i/3]].moves = true
		}
	}
	for c, j := range s.min.slot {
		if r := s.min.res.R[3*c]; r > 0 && s.min.tresca[c].Threshold > 0 && [2]float64(s.zNext[3*j:]) == [2]float64(s.z[3*j:]) {
			s.motions[s.scales.Island[j]].sticks = true
		}
	}
	return slices.Contains(s.motions, islandMotion{moves: true}) && s.singular() && !s.held()
}

// halfWay is what a solution to rounding may differ by from proximal points that have crept to the
// tolerance, of their way, to be taken for the same: along a direction with next to no stiffness
// what is left of the forces is much of the way.
const halfWay = 0.5

// recessionBetween makes the LossError of a direction of recession, if there is one.
func (s *Stepper) recessionBetween(ctx context.Context, t, eps float64, v []float64, cause error) error {
	w, ok := s.min.regularised(ctx, t, s.z, softer*eps)
	if !ok {
		return cause
	}
	d := make([]float64, len(v))
	for i := range d {
		d[i] = w[i] - v[i]
	}
	return s.recession(t, d, cause)
}

// recession makes the LossError of a direction, turned to where most drives, if it is one of
// recession, else it returns the cause.
func (s *Stepper) recession(t float64, d []float64, cause error) error {
	m := s.min
	z := s.z
	if !m.sys.ConstantHessian() {
		z = m.y
	}
	_, ok := unit(d)
	if ok && m.stored(t, z, d) > clean {
		m.relax(t, z, d)
		_, ok = unit(d)
	}
	if ok && m.admit(d) {
		_, ok = unit(d)
	}
	if !ok || m.stored(t, z, d) > unstored {
		return cause
	}
	s.flatten(t, z, d)
	drive := s.Steepest(t, d)
	if !(drive > 0) || !m.sys.ConstantHessian() && !s.fallsAlong(t, d, drive) {
		return cause
	}
	worst, _ := unit(d)
	return &LossError{Time: t, Direction: d, Particle: worst, Force: drive, cause: cause}
}

// flatten takes from a direction of recession what it has along the normals of obstacles that bear
// something, where no more is stored without it: to lift what is pressed costs, and next to nothing
// drives near to a loss.
func (s *Stepper) flatten(t float64, z, d []float64) {
	m, g, e := s.min, s.slope(), slices.Clone(d)
	for c, j := range m.slot {
		if m.particle[c] == j && !m.sys.Cornered(j) && g[3*j+2] > 0 && m.y[3*j+2] == 0 {
			e[3*j+2] = 0
		}
	}
	if m.stored(t, z, e) <= max(m.stored(t, z, d), pure) {
		copy(d, e)
	}
}

// alike: of particles that move by the same but for this part of it, the first is named.
const alike = 1e-9

package incremental

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
)

// New starts at (t0, z0), local coordinates. It fails for a state that is not
// finite or not admissible, (N0), naming the particle. Stability of the start,
// (N3), is not checked here.
func New(psi *dissipation.Coulomb, t0 float64, z0 []float64, o Options) (*Stepper, error) {
	if psi == nil || psi.System == nil {
		return nil, errors.New("incremental: New without a functional Ψ of a system, want one from dissipation.New")
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.Consistency == 0 {
		o.Consistency = implicitTolerance
	}
	if o.MaxFixedPoint == 0 {
		o.MaxFixedPoint = 100
	}
	sys := psi.System
	if err := Admissible(sys, t0, z0); err != nil {
		return nil, err
	}
	n := 3 * sys.N()
	psi = psi.Own()
	sys = psi.System
	psi.Advance(t0, z0)
	s := &Stepper{psi: psi, opt: o, min: NewMinimiser(psi, o.Tolerance)}
	s.t, s.z, s.grad, s.last = t0, make([]float64, n), make([]float64, n), make([]float64, n)
	s.zNext, s.gradNext = make([]float64, n), make([]float64, n)
	s.state, s.switching = make([]ContactState, sys.Contacts()), make([]bool, sys.Contacts())
	s.min.UsePlan(o.Plan)
	copy(s.z, z0)
	s.force = make([]float64, len(s.min.particle))
	s.strength = make([]float64, len(s.force))
	s.image = make([]float64, len(s.force))
	s.mixer.Resize(len(s.force))
	sys.Gradient(s.grad, nil, t0, s.z)
	if err := finite("DE", s.grad); err != nil {
		return nil, err
	}
	s.scales = NewScales(sys)
	s.floors, s.loose = make([]float64, len(s.scales.Force)), make([]float64, len(s.scales.Force))
	if s.platforms = platforms(psi, s.min, len(s.scales.Force), t0, s.z); len(s.platforms) > 0 {
		s.loads = make([]float64, n)
	}
	s.classify()
	return s, nil
}

// Step advances to time t, which may equal the present time (a step at fixed t
// settles a state). On an error the stepper stays where it was, and the next
// call may try again. A step without a solution is a *[LossError].
//
// The problem is solved with frozen thresholds, and what came of it goes through the table of
// recoveries, from top to bottom.
func (s *Stepper) Step(ctx context.Context, t float64) error {
	if !(t >= s.t) || math.IsInf(t, 1) {
		return fmt.Errorf("incremental: step from t=%g to t=%g", s.t, t)
	}
	s.stats, s.min.proximal, s.soft, s.found, s.continued = Stats{}, 0, 0, false, false
	s.min.work = work{limited: true}
	s.freezeThresholds()
	s.stats.Lagged = s.opt.Threshold == Lagged
	if err := s.overloaded(t); err != nil {
		return err
	}
	if s.exactCoulomb(ctx, t) {
		s.accept(t)
		return nil
	}
	o := outcome{err: s.solve(ctx, t), direct: true}
	for _, r := range recoveries() {
		if !r.applies(s, t, o) {
			continue
		}
		if r.reason == nil {
			o = outcome{err: r.solve(s, ctx, t, o.err)}
		} else if ctx.Err() == nil {
			if lost := r.reason(s, t, o); lost != nil {
				return lost
			}
		}
	}
	if o.err == nil {
		s.accept(t)
	}
	return o.err
}

// outcome is what became of a step so far.
type outcome struct {
	err    error // nil: it is solved, in zNext and gradNext
	direct bool  // by the solver itself, with no recovery
}

func (o outcome) solved() bool { return o.err == nil }

func (o outcome) lost() bool {
	_, lost := errors.AsType[*LossError](o.err)
	return lost
}

// A recovery is what is done with an outcome to which it applies: either the step is solved in
// another way, or the reason is looked for why it has no solution, which ends the step.
type recovery struct {
	name    string
	applies func(s *Stepper, t float64, o outcome) bool
	solve   func(s *Stepper, ctx context.Context, t float64, cause error) error
	reason  func(s *Stepper, t float64, o outcome) error // nil: none is known
}

// recoveries are in the order in which they are tried.
func recoveries() [10]recovery {
	return [...]recovery{
		{
			name:    "loads at the limit of friction",
			applies: func(s *Stepper, t float64, o outcome) bool { return !o.solved() },
			reason:  func(s *Stepper, t float64, o outcome) error { return s.atFrictionLimit(t, false) },
		}, {
			name:    "regularised steps: thresholds of their forces, or a direction of recession",
			applies: func(s *Stepper, t float64, o outcome) bool { return !o.solved() },
			solve:   (*Stepper).regularise,
		}, {
			name: "proximal points to rounding, where D²E is constant and singular",
			applies: func(s *Stepper, t float64, o outcome) bool {
				return o.direct && o.solved() && s.sharp && s.psi.System.ConstantHessian() && s.min.condensed == nil && s.singular()
			},
			solve: func(s *Stepper, ctx context.Context, t float64, _ error) error { return s.refine(ctx, t) },
		}, {
			name:    "the nearest of states that are as good",
			applies: func(s *Stepper, t float64, o outcome) bool { return o.direct && o.solved() && s.undetermined() },
			solve:   func(s *Stepper, ctx context.Context, t float64, _ error) error { return s.nearestState(ctx, t) },
		}, {
			name:    "implicit thresholds",
			applies: func(s *Stepper, t float64, o outcome) bool { return o.solved() && !s.stats.Lagged },
			solve:   func(s *Stepper, ctx context.Context, t float64, _ error) error { return s.settleThresholds(ctx, t) },
		}, {
			name: "viscous continuation over a jump on a curved obstacle",
			applies: func(s *Stepper, t float64, o outcome) bool {
				return o.solved() && s.opt.Threshold == Implicit && s.jumped(t)
			},
			solve: func(s *Stepper, ctx context.Context, t float64, _ error) error { return s.reconsiderJump(ctx, t) },
		}, {
			name: "what a residual above rounding drives along",
			applies: func(s *Stepper, t float64, o outcome) bool {
				return o.solved() && s.stats.Residual > doubtfulResidual && s.min.condensed == nil &&
					len(s.min.corners) == 0 && !s.psi.System.AnyCurved() && s.singular()
			},
			solve: func(s *Stepper, ctx context.Context, t float64, _ error) error { return s.checkDriven(ctx, t) },
		}, {
			name:    "a particle left inside an obstacle",
			applies: func(s *Stepper, t float64, o outcome) bool { return o.solved() && s.inside(t, s.zNext) },
			solve:   func(s *Stepper, _ context.Context, t float64, _ error) error { return s.min.failed(t, nil) },
		}, {
			name:    "loads at the limit of friction, and a solution far away",
			applies: func(s *Stepper, t float64, o outcome) bool { return !o.lost() },
			reason:  func(s *Stepper, t float64, o outcome) error { return s.atFrictionLimit(t, o.solved()) },
		}, {
			name:    "obstacles that leave no place",
			applies: func(s *Stepper, t float64, o outcome) bool { return !o.solved() },
			reason: func(s *Stepper, t float64, o outcome) error {
				if closed := s.closing(t, o.err); closed != nil {
					return closed
				}
				return nil
			},
		},
	}
}

// exactCoulomb solves the step with the exact law of Coulomb, where thresholds are implicit without
// γ; what comes near is the start of the solvers below.
func (s *Stepper) exactCoulomb(ctx context.Context, t float64) bool {
	if s.stats.Lagged || s.opt.Rule.Gamma != 0 {
		return false
	}
	if s.opt.Consistency > implicitTolerance { // what is taken as it comes
		s.looseSizes(nil)
		copy(s.min.floors, s.loose)
	}
	solved := s.min.solveCoulomb(ctx, s.force, t, s.z)
	s.stats.Inner, s.stats.Factors = s.min.inner, s.min.factors
	if !solved || s.opt.Consistency <= implicitTolerance || !s.min.takeCoulomb(t, s.zNext, s.gradNext, s.opt.Consistency) {
		return false
	}
	s.stats.Residual = s.min.residual
	return true
}

// StepLagged is Step with lagged thresholds, whatever the options say.
func (s *Stepper) StepLagged(ctx context.Context, t float64) error {
	defer func(m ThresholdMode) { s.opt.Threshold = m }(s.opt.Threshold)
	s.opt.Threshold = Lagged
	return s.Step(ctx, t)
}

// settled is the motion that counts as none, over that of the forces acting on
// the stiffest spring: what a step solved to 1e-12 leaves, times a hundred.
const settled = 1e-10

// ErrUnsettled is wrapped by the error of Equilibrate.
var ErrUnsettled = errors.New("the state does not settle")

// Equilibrate repeats the step at fixed time until the state stands still: it
// then fulfils (N3), and ratios of step lengths start afresh. It returns the
// distance ‖z − z_before‖ that the state moved.
func (s *Stepper) Equilibrate(ctx context.Context) (float64, error) {
	start := append([]float64(nil), s.z...)
	const limit = 1000
	for range limit {
		before := append([]float64(nil), s.z...)
		if err := s.Step(ctx, s.t); err != nil {
			return floats.Distance(s.z, start, 2), err
		}
		if d := floats.Distance(s.z, before, 2); d == 0 || d <= settled*s.Scale()/s.psi.System.Hessian(s.t, s.z).MaxDiagonal() {
			s.before = dissipation.Origin{}
			s.classify() // a state that has settled is at rest, as a start is
			return floats.Distance(s.z, start, 2), nil
		}
	}
	return floats.Distance(s.z, start, 2), fmt.Errorf("incremental: %w after %d steps at t=%g", ErrUnsettled, limit, s.t)
}

package incremental

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/anderson"
	"github.com/quasistatic/quasistatic/particles"
)

// ThresholdMode says at which time level friction thresholds are taken.
type ThresholdMode int

const (
	Lagged   ThresholdMode = iota // σ(t_{k−1}, z_{k−1}), M(z_{k−1}): (IP_γ) as in the paper
	Implicit                      // σ(t_k, z_k), M(z_k): (S) then holds exactly at the nodes
)

// Options are the wishes of a caller. The zero value works.
type Options struct {
	Rule      dissipation.Rule // γ and to which contacts it applies; zero: no regularisation
	Threshold ThresholdMode
	// Tolerance on the relative force residual of a step [-]; 0 means 1e-10,
	// range [1e-15, 1e-2]: below, rounding decides. Steps are iterated to 1e-12 where
	// roundoff lets them.
	Tolerance float64
	// Plan is an analysis of the system that NewPlan has made; nil: it is made when
	// it is needed.
	Plan *Plan
	// MaxFixedPoint is the number of solves that implicit thresholds may take
	// in one step by secants, and as many again by middles; 0 means 100. A step that needs more falls back to lagged.
	MaxFixedPoint int
	// Consistency is the change of implicit thresholds, relative to the forces of an
	// island, at which they are taken for consistent [-]; 0 means 1e-13: below, (S) holds to
	// rounding. Range [1e-13, 1e-2].
	Consistency float64
}

// Validate names the first field out of range.
func (o *Options) Validate() error {
	if err := o.Rule.Validate(); err != nil {
		return err
	}
	switch {
	case o.Threshold != Lagged && o.Threshold != Implicit:
		return fmt.Errorf("incremental: Threshold is %d", int(o.Threshold))
	case o.Tolerance != 0 && !(o.Tolerance >= 1e-15 && o.Tolerance <= 1e-2):
		return fmt.Errorf("incremental: Tolerance is %g, want [1e-15, 1e-2] or 0 for the default", o.Tolerance)
	case o.Consistency != 0 && !(o.Consistency >= implicitTolerance && o.Consistency <= 1e-2):
		return fmt.Errorf("incremental: Consistency is %g, want [%g, 1e-2] or 0 for the default", o.Consistency, implicitTolerance)
	case o.MaxFixedPoint < 0:
		return fmt.Errorf("incremental: MaxFixedPoint is %d, want >= 0", o.MaxFixedPoint)
	}
	return nil
}

// Stats are the costs and residuals of the last step.
type Stats struct {
	Residual    float64 // relative force residual, independent of the solver
	Newton      int     // Newton steps of the last solve
	Solves      int     // convex or Newton solves: fixed-point iterations of implicit thresholds
	Inner       int     // iterations of the contact solver
	Factors     int     // factorisations
	Lagged      bool    // the thresholds are those of the start of the step
	FellBack    bool    // implicit thresholds did not converge; the step is lagged
	Contraction float64 // measured ratio of the last changes of implicit thresholds
}

// Stepper advances a state by incremental problems. Not safe for concurrent use.
type Stepper struct {
	psi  *dissipation.Coulomb
	opt  Options
	min  *Minimiser
	t    float64
	z    []float64
	grad []float64 // DE(t, z)

	zNext, gradNext []float64
	before          dissipation.Origin // the node before; none at the start
	last            []float64          // memory of its state
	state           []ContactState
	switching       []bool    // I_s, by the history of the particle
	force           []float64 // regularised normal forces frozen in the last step, by contact
	scales          *Scales   // sizes of the forces met so far
	floors          []float64 // of the minimiser, by island
	strength        []float64 // force times the size of the friction matrix
	image           []float64 // of the strengths under the fixed-point map
	acceleration
	stats     Stats
	asked     bool       // whether D²E is singular …
	slack     bool       // … and it is, see singular
	drift     []drift    // scratch of adrift, by island
	scout     *Minimiser // see nearest; nil: not made
	near      []float64  // its state and gradient
	sharp     bool       // see Sharpen
	platforms []platform // see translation.go …
	sweep     []float64  // … and DE there
	// followed: the step at hand was solved by a flight, see flight.go.
	followed bool
}

// acceleration is that of the fixed point of the strengths.
type acceleration struct{ mixer anderson.Mixer }

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
	s := &Stepper{psi: psi, opt: o, min: NewMinimiser(psi, o.Tolerance), t: t0, z: make([]float64, n), grad: make([]float64, n),
		zNext: make([]float64, n), last: make([]float64, n), gradNext: make([]float64, n), state: make([]ContactState, sys.Contacts()), switching: make([]bool, sys.Contacts())}
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
	s.floors = make([]float64, len(s.scales.Force))
	if s.platforms = platforms(psi, s.min, len(s.scales.Force), t0, s.z); len(s.platforms) > 0 {
		s.sweep = make([]float64, n)
	}
	s.classify()
	return s, nil
}

// Admissible checks (N0) at the time t and finiteness.
func Admissible(sys *particles.System, t float64, z []float64) error {
	if sys == nil {
		return errors.New("incremental: a system is required")
	}
	if len(z) != 3*sys.N() {
		return fmt.Errorf("incremental: the state has %d entries, want %d", len(z), 3*sys.N())
	}
	if err := finite("z", z); err != nil {
		return err
	}
	for j := range sys.N() {
		if h := z[3*j+2]; sys.Constrained(j) && h < 0 {
			return fmt.Errorf("incremental: particle %d starts %g m inside its obstacle", j, -h)
		}
	}
	for c := sys.N(); c < sys.Contacts(); c++ {
		if h := sys.Height(t, c, z); !(h >= -sys.Touching(c, z)) {
			return fmt.Errorf("incremental: particle %d starts %g m inside an obstacle", sys.ContactParticle(c), -h)
		}
	}
	return nil
}

func finite(name string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("incremental: %s of particle %d, coordinate %d, is %g", name, i/3, i%3, v)
		}
	}
	return nil
}

// Time returns t_k.
func (s *Stepper) Time() float64 { return s.t }

// State returns z_k; it belongs to the stepper.
func (s *Stepper) State() []float64 { return s.z }

// Gradient returns DE(t_k, z_k); it belongs to the stepper. At a particle that
// touches, it is the force of the obstacle on the particle.
func (s *Stepper) Gradient() []float64 { return s.grad }

// States returns what each particle does; it belongs to the stepper.
func (s *Stepper) States() []ContactState { return s.state }

// Switching returns the membership of I_s under [dissipation.SwitchingOnly].
func (s *Stepper) Switching() []bool { return s.switching }

// Stats returns the costs of the last step.
func (s *Stepper) Stats() Stats { return s.stats }

// Scale returns the size of the forces met so far [N], of which a step is solved to
// Options.Tolerance: at least so large that this is more than rounding.
func (s *Stepper) Scale() float64 {
	scale := 0.0
	for k := range s.scales.Force {
		scale = max(scale, s.scales.Size(k, s.opt.Tolerance))
	}
	return scale
}

// Frozen returns the regularised normal forces of the last step by contact.
func (s *Stepper) Frozen(dst []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(s.state))
	}
	clear(dst)
	for c, j := range s.min.slot {
		dst[j] = s.force[c]
	}
	return dst
}

// Place continues at another state, which must be admissible, of a time t.
func (s *Stepper) Place(t float64, z []float64) {
	s.t = t
	copy(s.z, z)
	s.before = dissipation.Origin{}
	s.psi.System.Gradient(s.grad, nil, t, s.z)
	s.classify()
}

// Step advances to time t, which may equal the present time (a step at fixed t
// settles a state). On an error the stepper stays where it was, and the next
// call may try again. A step without a solution is a *[LossError].
func (s *Stepper) Step(ctx context.Context, t float64) error {
	if !(t >= s.t) || math.IsInf(t, 1) {
		return fmt.Errorf("incremental: step from t=%g to t=%g", s.t, t)
	}
	s.stats, s.min.proximal, s.followed = Stats{}, 0, false
	s.min.work = work{limited: true}
	s.lag()
	s.stats.Lagged = s.opt.Threshold == Lagged
	if err := s.swept(t); err != nil {
		return err
	}
	if !s.stats.Lagged && s.opt.Rule.Gamma == 0 {
		solved := s.min.solveCoulomb(ctx, s.force, t, s.z)
		s.stats.Inner, s.stats.Factors = s.min.inner, s.min.factors
		if solved && s.opt.Consistency > implicitTolerance && s.min.takeCoulomb(t, s.zNext, s.gradNext, s.opt.Consistency) {
			s.stats.Residual = s.min.residual
			s.accept(t)
			return nil
		}
	}
	err := s.solve(ctx, t)
	if err != nil {
		if over := s.overBrink(t, false); over != nil && ctx.Err() == nil {
			return over
		}
		err = s.rescue(ctx, t, err)
	} else if s.sharp && s.psi.System.ConstantHessian() && s.min.condensed == nil && s.singular() {
		err = s.again(ctx, t)
	} else if s.adrift() {
		err = s.nearest(ctx, t)
	}
	if err == nil && !s.stats.Lagged {
		if err = s.settleThresholds(ctx, t); err == nil {
			err = s.reconsider(ctx, t)
		}
	}
	if err == nil && s.stats.Residual > doubtful && s.min.condensed == nil && len(s.min.corners) == 0 && !s.psi.System.AnyCurved() && s.singular() {
		err = s.driven(ctx, t)
	}
	if err == nil && s.inside(t, s.zNext) {
		err = s.min.failed(t, nil)
	}
	if _, lost := errors.AsType[*LossError](err); !lost && ctx.Err() == nil {
		if over := s.overBrink(t, err == nil); over != nil {
			return over
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			if closed := s.closing(t, err); closed != nil {
				return closed
			}
		}
		return err
	}
	s.accept(t)
	return nil
}

// Sharpen makes steps, where D²E is constant and singular, go on to rounding: what their residual is above that drives
// along a direction that nothing holds.
func (s *Stepper) Sharpen(on bool) { s.sharp = on }

// StepLagged is Step with lagged thresholds, whatever the options say.
func (s *Stepper) StepLagged(ctx context.Context, t float64) error {
	defer func(m ThresholdMode) { s.opt.Threshold = m }(s.opt.Threshold)
	s.opt.Threshold = Lagged
	return s.Step(ctx, t)
}

// lag freezes the thresholds at (t_{k−1}, z_{k−1}).
func (s *Stepper) lag() {
	z := s.z
	for c, j := range s.min.slot {
		s.force[c] = s.opt.Rule.Threshold(s.psi.Pressure(s.t, j, z, s.grad, s.before), s.switching[j]) * s.psi.Factor(j, s.t)
		s.min.SetThreshold(c, s.force[c], s.t, z)
	}
}

// solve solves the step with the frozen thresholds.
func (s *Stepper) solve(ctx context.Context, t float64) error {
	for k := range s.floors {
		s.floors[k] = s.scales.Size(k, s.opt.Tolerance)
	}
	s.min.SetFloors(s.floors)
	s.min.From(s.t)
	clear(s.min.v)
	if s.followed { // other thresholds move a state a little: from the base it may leap to another one
		floats.SubTo(s.min.v, s.zNext, s.z)
	}
	err := s.min.descendFrom(ctx, t, s.z, s.zNext, s.gradNext, 0)
	if err == nil && s.min.astray(t) {
		err = s.min.failed(t, nil)
	}
	s.stats.Solves++
	s.stats.Newton = s.min.newton
	s.stats.Inner += s.min.inner
	s.stats.Factors += s.min.factors
	s.stats.Residual = s.min.residual
	return err
}

// accept makes the solution the present state.
func (s *Stepper) accept(t float64) {
	s.before = dissipation.Origin{T: s.t, Z: s.z}
	s.z, s.zNext, s.last = s.zNext, s.last, s.z
	s.t = t
	// That of the solver is in displacements of the step; a run that resumes here
	// knows the state only.
	s.psi.System.Gradient(s.grad, nil, t, s.z)
	s.classify()
}

// classify re-derives the contact states and the membership of I_s.
func (s *Stepper) classify() {
	s.scales.Meet(s.psi.System, s.psi.System.Hessian(s.t, s.z), s.z, s.grad)
	Classify(s.state, s.psi, s.t, s.z, s.grad, s.before, s.scales)
	MarkSwitching(s.switching, s.state)
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

// System is what steps.
func (s *Stepper) System() *particles.System { return s.psi.System }

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

// Stepper advances a state by incremental problems. Not safe for concurrent use.
type Stepper struct {
	psi *dissipation.Coulomb
	opt Options
	min *Minimiser
	node
	step
	thresholds
	nullspace
	scales    *Scales    // sizes of the forces met so far
	floors    []float64  // of the minimiser, by island …
	loose     []float64  // … see looseSizes
	platforms []platform // see translation.go …
	loads     []float64  // … and DE there
}

// node is the present node.
type node struct {
	t         float64
	z         []float64
	grad      []float64          // DE(t, z)
	before    dissipation.Origin // the node before; none at the start
	last      []float64          // memory of its state
	state     []ContactState
	switching []bool // I_s, by the history of the particle
}

// step is the step at hand.
type step struct {
	zNext, gradNext []float64
	stats           Stats
	found           bool    // zNext solves it under some thresholds
	continued       bool    // it was solved by a viscous continuation, see viscous.go
	soft            float64 // what regularised the step at hand last [N/m]; 0: nothing
}

// thresholds are those of the step, by contact.
type thresholds struct {
	force    []float64      // regularised normal forces
	strength []float64      // force times the size of the friction matrix
	image    []float64      // of the strengths under the fixed-point map
	mixer    anderson.Mixer // of the fixed point of the strengths
}

// nullspace is what is known of directions in which nothing is stored.
type nullspace struct {
	asked       bool           // whether D²E is singular …
	slack       bool           // … and it is, see singular
	motions     []islandMotion // scratch of undetermined, by island
	springs     [2][]float64   // with which held was asked, and room for the next …
	whole       bool           // … and the answer
	second      *Minimiser     // see nearestState; nil: not made
	secondState []float64      // its state and gradient
	sharp       bool           // see Sharpen
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

// Slips returns how far contacts have slipped [m]; nil where no friction remembers that.
func (s *Stepper) Slips() []float64 { return s.psi.Slips(s.t, s.z) }

// Place continues at another state, which must be admissible, of a time t, at which contacts have
// slipped so far, see [dissipation.Slipping].
func (s *Stepper) Place(t float64, z, slipped []float64) {
	s.psi.Remember(t, z, slipped)
	s.t = t
	copy(s.z, z)
	s.before = dissipation.Origin{}
	s.psi.System.Gradient(s.grad, nil, t, s.z)
	s.classify()
}

// Inherit takes the forces into account that another stepper of as many particles has met: what is small beside those
// is small.
func (s *Stepper) Inherit(from *Stepper) { s.scales.Inherit(from.scales) }

// Sharpen makes steps, where D²E is constant and singular, go on to rounding: what their residual
// is above that drives along a direction that nothing holds.
func (s *Stepper) Sharpen(on bool) { s.sharp = on }

// freezeThresholds freezes the thresholds at (t_{k−1}, z_{k−1}).
func (s *Stepper) freezeThresholds() {
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
	// Other thresholds move a state a little: from the base it may leap to another one, or come to the same
	// from afar, if E is convex.
	if s.continued || s.found && s.min.least() != nil {
		floats.SubTo(s.min.v, s.zNext, s.z)
	}
	err := s.min.descendFrom(ctx, t, s.z, s.zNext, s.gradNext, 0)
	if err == nil && s.min.pulledAway(t) {
		err = s.min.failed(t, nil)
	}
	s.found = s.found || err == nil
	s.stats.Solves++
	s.stats.Newton = s.min.newton
	s.stats.Inner += s.min.inner
	s.stats.Factors += s.min.factors
	s.stats.Residual = s.min.residual
	return err
}

// accept makes the solution the present state.
func (s *Stepper) accept(t float64) {
	s.psi.Advance(t, s.zNext)
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

// System is what steps.
func (s *Stepper) System() *particles.System { return s.psi.System }

// islandMotion is what an island did in a step.
type islandMotion struct{ moves, sticks bool }

// thresholdsOf freezes the thresholds at the normal forces of the last solve; false if they
// are those that are frozen.
func (s *Stepper) thresholdsOf(t float64) (changed bool) {
	s.min.balanceForces()
	for c, j := range s.min.slot {
		r := s.opt.Rule.Threshold(s.min.pressure(c), s.switching[j]) * s.psi.Factor(j, t)
		changed = changed || math.Abs(r-s.force[c]) > implicitTolerance*s.size(c)
		s.force[c] = r
		s.min.SetThreshold(c, r, t, s.z)
	}
	return changed
}

// singular reports whether D²E has no Cholesky factor, at the first state for which that is asked:
// springs that turn change no motion of all of them. A constant D²E is asked for in the first step.
func (s *Stepper) singular() bool {
	if !s.asked {
		s.asked, s.slack = true, s.min.slack(s.t, s.z)
	}
	return s.slack
}

// platform is an island of particles on parallel flat obstacles at rest, or on one that moves, in
// whose coordinates all is said then, each of them on one at most, with isotropic friction that is
// the same wherever a contact goes. If its energies do not change where all of it is translated by
// e along the obstacles, but for its loads F,
//
//	E(t, y + a e) = E(t, y) − a F(t)·e  at any y,
//
// then DE·e = −F·e is known before a step is solved; and so is what friction holds at most, where
// thresholds are those of the end: max_c μ_c Σ_c N_c, with Σ_c N_c = −F·n by the balance along the
// normal n. Where they lag they are frozen. That is all of what friction holds where it is the same
// for all contacts, or where each N_c is known before the step, as of particles on one plane that
// springs tie to each other: Σ_c μ_c N_c. Else a loss may be found only by solving.
type platform struct {
	island   int
	members  []int            // particles
	contacts []int            // of the minimiser
	chart    *particles.Chart // of the obstacle that moves; nil: they are at rest
	n, t, o  [3]float64
	level    bool // the normal forces do not depend on where particles are along the obstacles
}

// axes are those of a particle, in which its coordinates are those of the platform.
func (p *platform) axes(f *particles.Frame) (n, t, o [3]float64) {
	if p.chart != nil {
		return [3]float64{0, 0, 1}, [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
	}
	return f.N, f.T, f.O
}

// size is the size of the forces in the island of contact c, those of this iterate
// included.
func (s *Stepper) size(c int) float64 { return s.floors[s.scales.Island[s.min.particle[c]]] }

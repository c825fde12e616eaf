package dynamics

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/memory"
)

// Options choose the scheme. The zero value is the semi-implicit step of
// [Song04] in the gap form.
type Options struct {
	// ImplicitForce evaluates f at (t+h, q^θ, v^θ) as (16) of [Pang05] does;
	// the default is f(t, q, v) at the old state, (3) of [Song04].
	ImplicitForce bool
	// Theta weights the old value, q^θ = θq + (1−θ)q', in [0, 1]; 0 is implicit.
	Theta float64
	// VelocityForm asks 0 ≤ λ_n ⊥ s_n ≥ 0 of the patches in contact, as (13) of
	// [Song04] does. The default is the gap form
	// 0 ≤ λ_n ⊥ (Ψ_n + δ_n)/h + s_n ≥ 0, which does not drift.
	VelocityForm bool
	// Tolerance on the natural residual of each contact problem [-], relative
	// to its largest force; 0 means 1e-8. The solvers aim at 1e-11. Range (0, 1e-3).
	Tolerance float64
	// ForceTolerance ends the iteration for an implicit force when its change,
	// times h and relative to the momentum, is below [-]; 0 means 1e-13.
	ForceTolerance float64
	// Limit bounds what the contacts of a step and their problem may need, as predicted;
	// the zero value bounds nothing. A step beyond it fails with a [memory.ExceededError]
	// before it takes that.
	Limit memory.Limit
	// Until is the end of the run [s]: ways and energies are those in the frames of the mean
	// motion, until then, of what is touched, see [Inertial]; 0: of its motion at the start.
	Until float64
	// Chosen says that steps are chosen by their error, as [Adaptive] does: then one in which friction
	// that falls with speed has several solutions is an error, see [Stepper.Solved].
	Chosen bool
	// Smallness evaluates [Stepper.Smallness] at every step.
	Smallness bool
	// OnStep, if not nil, watches: it sees each step when it is done.
	OnStep func(*Step)
}

// Validate names the first field out of range.
func (o *Options) Validate() error {
	switch {
	case !(o.Theta >= 0 && o.Theta <= 1):
		return fmt.Errorf("dynamics: Options.Theta is %g, want a number from 0 to 1", o.Theta)
	case !(o.Tolerance >= 0 && o.Tolerance <= 1e-3):
		return fmt.Errorf("dynamics: Options.Tolerance is %g, want a number from 0 to 1e-3", o.Tolerance)
	case o.Limit.Bytes < 0:
		return fmt.Errorf("dynamics: Options.Limit.Bytes is %d, want a number >= 0", o.Limit.Bytes)
	case !(o.Until >= 0) || math.IsInf(o.Until, 1):
		return fmt.Errorf("dynamics: Options.Until is %g, want a finite number >= 0", o.Until)
	case !(o.ForceTolerance >= 0 && o.ForceTolerance <= 1e-3):
		return fmt.Errorf("dynamics: Options.ForceTolerance is %g, want a number from 0 to 1e-3", o.ForceTolerance)
	}
	return nil
}

// Step is what one step did.
type Step struct {
	Index    int
	H        float64
	Theta    float64 // of the options, or 0 where a contact stops what moves, see stops
	State    *State  // at the end of the step; valid until the next one
	Energy   Energy
	Contacts []ContactState // of the elements of the patches in contact, in the order of State
	Open     int            // elements without force
	Stick    int            // elements with force and no slip
	Slide    int            // elements that slip
	Residual float64        // largest relative natural residual of the contact problems
	Pivots   int            // of Lemke's method
	Solves   int            // contact problems solved
	Rounds   int            // evaluations of an implicit force
	Mu       []float64      // of the patches of the step, in the order of State, where it is that of their place, see [Worn]; else 0

	counts [3]int
}

// ContactState is what an element did in a step.
type ContactState uint8

// The states.
const (
	Open ContactState = iota
	Stick
	Slide
)

func (s ContactState) String() string { return [...]string{"open", "stick", "slide"}[s] }

// errTheta: for θ = 1 a rigid contact has no influence on its own speed.
var errTheta = errors.New("dynamics: rigid patches need Theta < 1: with Theta = 1 no force of the step can close a gap")

package incremental

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
)

// StepError is a step that was not solved. The stepper stays where it was.
type StepError struct {
	Time      float64 // that was to be reached [s]
	Newton    int     // Newton steps made
	Residual  float64 // relative force residual reached [-]
	Tolerance float64 // and wanted
	Particle  int     // where the solver fails worst, -1: nowhere in particular
	Cause     error   // of the contact solver; nil if Newton's method did not converge
}

// Error implements error.
func (e *StepError) Error() string {
	s := fmt.Sprintf("incremental: step to t=%g: ", e.Time)
	if e.Cause == nil {
		s += fmt.Sprintf("force residual %.3g > %.3g after %d Newton steps", e.Residual, e.Tolerance, e.Newton)
	} else {
		s += e.Cause.Error()
	}
	if e.Particle >= 0 {
		s += fmt.Sprintf(", worst at particle %d", e.Particle)
	}
	return s
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Cause }

// LossError says that a step has no solution: E(t, y) + Ψ falls without bound along a
// direction d in which nothing is stored and that leads into no obstacle,
//
//	D²E d = 0,   n·d >= 0 where it touches,   DE·d + Ψ(d) < 0.
//
// By these three no state at that time is in equilibrium under the friction of the step.
type LossError struct {
	Time      float64   // of the step [s]
	Direction []float64 // d, local coordinates, the particle that moves most by 1
	Particle  int       // that one
	Force     float64   // −(DE·d + Ψ(d)) [N]
	// Closing are the contacts whose obstacles leave Particle no place, in place of a direction;
	// any place, near to where it was if they are curved, is at least Depth inside one of them [m].
	Closing []int
	Depth   float64 // [m]
	cause   error
}

// Error implements error.
func (e *LossError) Error() string {
	if len(e.Closing) > 0 {
		return fmt.Sprintf("incremental: no equilibrium at t=%g: %d obstacles leave no place around particle %d, any there is at least %.3g m inside one of them",
			e.Time, len(e.Closing), e.Particle, e.Depth)
	}
	return fmt.Sprintf("incremental: no equilibrium at t=%g: particle %d slides away, driven by %.3g N more than friction holds",
		e.Time, e.Particle, e.Force)
}

// Unwrap returns the error of the solver.
func (e *LossError) Unwrap() error { return e.cause }

// fixable: the solver failed on odd thresholds, not because it was cancelled or the work of the
// step was done.
func fixable(err error) bool {
	if _, spent := errors.AsType[*WorkError](err); spent {
		return false
	}
	e, ok := errors.AsType[*contact.Error](err)
	return !ok || e.Status != contact.Canceled
}

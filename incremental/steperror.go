package incremental

import (
	"errors"
	"fmt"
	"math"

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

func (e *StepError) Unwrap() error { return e.Cause }

// failed makes the error of a step, with the particle that the solver names.
func (m *Minimiser) failed(t float64, cause error) error {
	e := &StepError{Time: t, Newton: m.newton, Residual: m.residual, Tolerance: m.tolerance, Particle: -1, Cause: cause}
	if indefinite, ok := errors.AsType[*contact.IndefiniteError](cause); ok {
		e.Particle = indefinite.Row / 3
	} else if c, ok := errors.AsType[*contact.Error](cause); ok && c.Worst >= 0 {
		e.Particle = m.particle[c.Worst]
	} else if cause == nil {
		e.Particle = m.worstImbalance()
	}
	return e
}

// worstImbalance returns the particle whose forces are balanced worst; imbalance
// has left them in m.f.
func (m *Minimiser) worstImbalance() int {
	var worst int
	for i, f := range m.f {
		if math.Abs(f) > math.Abs(m.f[worst]) {
			worst = i
		}
	}
	return worst / 3
}

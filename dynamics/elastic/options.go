package elastic

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
)

// Method is how an implicit step is solved.
type Method int

const (
	// Newton solves the coupled problem on the contacts: a globalised semismooth
	// Newton method in an accelerated fixed point over the friction thresholds.
	Newton Method = iota
	// Picard iterates Φ_n of Theorem 4: obstacle problem, then friction with the
	// thresholds it gives.
	Picard
)

// Options are what a caller asks for. Step is required; the rest may be zero.
type Options struct {
	Step   float64 // Δt > 0 [s]
	Scheme Scheme
	Method Method
	// Until is the end of the run [s]: ways and energies are those in the frames of the mean
	// motion, until then, of obstacles and supports that move, see [dynamics.View]; 0: of their
	// motion at the start.
	Until float64
	// Limit is the memory that the model may take; zero: no limit. New fails with a
	// *memory.ExceededError before it takes more.
	Limit memory.Limit
	// Tolerance of an implicit step, relative to its forces (Newton) or to its
	// displacements (Picard) [-]; 0 means 1e-13. Range (0, 1e-3].
	Tolerance float64
	// MaxIterations of Picard in one step; 0 means 1000.
	MaxIterations int
}

// OptionError is a choice that does not go with the rest.
type OptionError struct {
	Option string // scheme, method, inertia or step
	Err    error
}

func (e *OptionError) Error() string { return "elastic: " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *OptionError) Unwrap() error { return e.Err }

func invalidOption(option, format string, args ...any) error {
	return &OptionError{option, fmt.Errorf(format, args...)}
}

// agree fails for options that do not go with the model.
func (o *Options) agree(m *Model) error {
	if o.Scheme == CentralDifference && (m.Mass != fem.Lumped || m.Inertia != Modified) {
		return invalidOption("scheme", "central differences need the lumped, modified mass")
	}
	if o.Scheme == CentralDifference && m.Motions != nil {
		return invalidOption("scheme", "central differences need obstacles at rest; the trapezoidal rule takes moving ones")
	}
	if o.Method == Picard && m.Inertia == Standard {
		return invalidOption("method", "the fixed point of Theorem 4 needs a mass without contact normals: its obstacle problem has no inertia")
	}
	if len(m.Meetings)+len(m.Ties) > 0 && (o.Scheme == CentralDifference || o.Method == Picard) {
		option := "scheme"
		if o.Method == Picard {
			option = "method"
		}
		return invalidOption(option, "%w", errMeetings)
	}
	if m.Inertia == Redistributed && len(m.Ties) > 0 && len(m.Contacts) > 0 {
		return invalidOption("inertia", "what follows others, on periodic sides and lids, has mass at these that is not given to other nodes: want \"modified\" or \"standard\"")
	}
	return m.onlyTrapezoidal(o)
}

// Validate names the first field out of range.
func (o *Options) Validate() error {
	switch {
	case !(o.Step > 0) || math.IsInf(o.Step, 1):
		return fmt.Errorf("elastic: Step is %g, want a finite number > 0", o.Step)
	case o.Scheme != Trapezoidal && o.Scheme != CentralDifference:
		return fmt.Errorf("elastic: Scheme is %d", int(o.Scheme))
	case o.Method != Newton && o.Method != Picard:
		return fmt.Errorf("elastic: Method is %d", int(o.Method))
	case !(o.Tolerance >= 0 && o.Tolerance <= 1e-3):
		return fmt.Errorf("elastic: Tolerance is %g, want (0, 1e-3] or 0 for the default", o.Tolerance)
	case o.MaxIterations < 0:
		return fmt.Errorf("elastic: MaxIterations is %d, want >= 0", o.MaxIterations)
	}
	return nil
}

func (o *Options) setDefaults() {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-13
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 1000
	}
}

package form

import (
	"context"
	"errors"
	"fmt"
)

func (o *Options) ToleranceOr(def float64) float64 {
	if o.Tolerance == 0 {
		return def
	}
	return o.Tolerance
}

// Options are what a caller asks for. The zero value works.
type Options struct {
	// Tolerance on the merit of the result [-]; 0 means 1e-12 for the convex
	// Newton method, 1e-8 for the solvers of [Local]. Range (0, 1).
	Tolerance float64
	// MaxIterations of the method [-]; 0 means the method's own limit.
	MaxIterations int
	// Method of a [Local] problem, or of a [Global] one that is reduced to it; the
	// zero value tries what fits.
	Method Method
	// Memory is what the factors of a [Local] problem may take [bytes]; 0 means what is free, asked
	// for where they are large. Beyond it the solve ends: NumericalFailure, caused by a
	// [memory.ExceededError].
	Memory int64
	// NoCertificate leaves out the search for a proof that a [Local] problem has no
	// solution, which costs as much as a solve: for who tries another method next.
	NoCertificate bool
	// Enough, if not nil, ends the solve of a [Local] problem at an iterate that it accepts, with
	// the status Converged whatever its merit: for who asks of a solution something else than a
	// small merit. It is asked where the merit, in scaled units, is at most twenty times the
	// Tolerance (a thousand in sweeps of large piles), of reactions in the units of the problem,
	// dim·nc, that it must not keep.
	Enough func(r []float64) bool
	// OnIteration, if not nil, watches. It never changes an iterate.
	OnIteration func(Iteration)
}

// Iteration is what OnIteration sees: numbers that were computed anyway.
type Iteration struct {
	Solver    string
	Iteration int
	Residual  float64 // relative, of the method
	Step      float64 // length of the step taken along the Newton direction
}

const LocalTolerance = 1e-8 // default of Options.Tolerance

// CauseOf returns why ctx ended: its error, and the cause if that says more.
func CauseOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == cause || errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// Validate checks the wishes.
func (o *Options) Validate() error {
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return fmt.Errorf("contact: Options.Tolerance is %g, want a number from 0 to 1", o.Tolerance)
	}
	if o.Method < 0 || int(o.Method) >= len(MethodNames) {
		return fmt.Errorf("contact: Options.Method is %d, want one of the %d constants", int(o.Method), len(MethodNames))
	}
	if o.Memory < 0 {
		return fmt.Errorf("contact: Options.Memory is %d, want a number >= 0", o.Memory)
	}
	if o.MaxIterations < 0 {
		return fmt.Errorf("contact: Options.MaxIterations is %d, want a number >= 0", o.MaxIterations)
	}
	return nil
}

package incremental

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dissipation"
)

// ThresholdMode says at which time level friction thresholds are taken.
type ThresholdMode int

const (
	Lagged   ThresholdMode = iota // σ(t_{k−1}, z_{k−1}), M(z_{k−1}): (IP_γ) as in the paper
	Implicit                      // σ(t_k, z_k), M(z_k): (S) then holds exactly at the nodes
)

// Options are what a caller asks for. The zero value works.
type Options struct {
	Rule      dissipation.Rule // γ and to which contacts it applies; zero: no regularisation
	Threshold ThresholdMode    // lagged or implicit
	// Tolerance on the relative force residual of a step [-]; 0 means 1e-10,
	// range [1e-15, 1e-2]: below, rounding decides. Steps are iterated to 1e-12 where
	// roundoff lets them.
	Tolerance float64
	// Plan is an analysis of the system that NewPlan has made; nil: it is made when
	// it is needed.
	Plan *Plan
	// MaxFixedPoint is the number of solves that implicit thresholds may take in one step by
	// secants, and as many again by middles; 0 means 100. A step that needs more falls back to
	// lagged.
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

// implicitTolerance is the change of the thresholds, relative to the forces,
// at which implicit thresholds are consistent: (S) then holds at the node to
// the square of it.
const implicitTolerance = 1e-13

package form

import (
	"fmt"

	"github.com/quasistatic/quasistatic/internal/num"
)

// Status is the verdict of a solve.
type Status int

// The verdicts. Only Converged comes without an error.
const (
	Unsolved         Status = iota // nothing was tried
	Converged                      // the independent check passed
	IterationLimit                 // still improving when the iterations ran out: raise the limit
	NoProgress                     // the iterates stood still above the tolerance: loosen it or rescale
	Infeasible                     // no solution exists; the Result says where
	NumericalFailure               // a factorisation broke down or a number overflowed
	Canceled                       // the context was cancelled
)

var StatusNames = [...]string{"unsolved", "converged", "iteration limit", "no progress", "infeasible", "numerical failure", "canceled"}

func (s Status) String() string {
	if s < 0 || int(s) >= len(StatusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return StatusNames[s]
}

// Result is the answer of a solve, filled on failure too (the best iterate).
// The slices are reused by the next solve into the same Result.
type Result struct {
	Status     Status
	V          []float64 // nv
	U          []float64 // dim·nc, Hᵀv + w
	R          []float64 // dim·nc
	Lambda     []float64 // nb, reactions of the joints of a [Global] problem
	Merit      float64   // independent relative residual, see [Local.Merit], [Residual]
	Worst      int       // contact with the largest residual, -1 if none; nc+k for joint k
	Iterations int
	Factors    int    // numeric factorisations
	Solver     string // the method that finished

	// The parts of the check, each in units of the data, never of the iterate; the
	// limits are a hundred times the tolerance. See
	// verdict.go for Local problems, [Residual] for Global ones.
	Primal float64 // how far the motions are from admissible [-]
	Dual   float64 // how far the reactions are, and the balance of forces [-]
	Gap    float64 // power r·û that should be zero [-]

	PrimalLimit, DualLimit, GapLimit float64
	PrimalWorst, DualWorst, GapWorst int

	Distance, DistanceLimit float64
	DistanceWorst           int
	Sizes                   []float64

	// Of a Local problem.
	UnitFree  float64   // the same check in scaled units, see unitFreeMerit
	Residuals []float64 // nc, natural residual of each contact
	// Dilation is the largest u_N [m or m/s] at which an [Associated] contact
	// carries a reaction, μ‖S u_T‖ where it slips: what the relaxation falsifies.
	// It is 0 without such laws, and where none of them slips under load.
	Dilation float64
	Stages   []Stage   // what each method of SolveLocal did, in order
	stages   [2]Stage  // its memory, as long as they are few
	Ray      []float64 // if Infeasible: the certificate, see [Local.Certifies]; empty where a search ruled out all modes
}

// A Stage is the part of one method in a solve.
type Stage struct {
	Solver     string
	Status     Status
	Iterations int
	Merit      float64 // the least so far at its end, in scaled units
}

// An Error is a solve that did not converge.
type Error struct {
	Status     Status
	Criterion  string  // the number that failed; empty for the residual of the method
	Merit      float64 // its value
	Tolerance  float64 // its limit
	Iterations int
	Worst      int
	Solver     string
	Cause      error // may be nil
}

func (e *Error) Error() string {
	c := Criterion{e.Criterion, e.Merit, e.Tolerance, e.Worst}
	if c.Name == "" {
		c.Name = "residual"
	}
	s := fmt.Sprintf("contact: %s: %s after %d iterations, %s", e.Solver, e.Status, e.Iterations, c.Describe())
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// Criterion is one number of the verdict.
type Criterion struct {
	Name         string
	Value, Limit float64
	Contact      int // where it is largest, -1 if it is of all
}

// Failed returns the first criterion that a result misses at the tolerance.
func (res *Result) Failed(tol float64) (Criterion, bool) {
	for _, c := range [...]Criterion{
		{"merit", res.Merit, tol, res.Worst},
		{"unit-free merit", res.UnitFree, tol, res.Worst},
		{"primal residual (motion outside K*)", res.Primal, res.PrimalLimit, res.PrimalWorst},
		{"dual residual (reaction outside K)", res.Dual, res.DualLimit, res.DualWorst},
		{"distance (to complementary motion and reaction)", res.Distance, res.DistanceLimit, res.DistanceWorst},
		{"gap (power r·û)", res.Gap, res.GapLimit, res.GapWorst},
	} {
		if !(c.Value <= c.Limit) {
			return c, true
		}
	}
	return Criterion{}, false
}

// Passes reports whether all criteria are met.
func (res *Result) Passes(tol float64) bool {
	_, failed := res.Failed(tol)
	return !failed
}

// Verdict returns nil for a result that converged, and the error that names the
// number which failed otherwise.
func (res *Result) Verdict(status Status, tol float64, cause error) error {
	res.Status = status
	if status == Converged {
		return nil
	}
	c, failed := res.Failed(tol)
	if !failed { // stopped in between
		c = Criterion{"merit", max(res.Merit, res.UnitFree), tol, res.Worst}
	}
	return &Error{Status: status, Criterion: c.Name, Merit: c.Value, Tolerance: c.Limit, Iterations: res.Iterations,
		Worst: c.Contact, Solver: res.Solver, Cause: cause}
}

// Describe is the part of an error that names the number.
func (c Criterion) Describe() string {
	s := fmt.Sprintf("%s %.3g > %.3g", c.Name, c.Value, c.Limit)
	if c.Contact >= 0 {
		s += fmt.Sprintf(", worst at contact %d", c.Contact)
	}
	return s
}

// Allocate sizes what a local solve fills, at once in a new result.
func (res *Result) Allocate(n, nc int) {
	if res.R == nil && res.U == nil && res.Residuals == nil {
		all := make([]float64, 2*n+nc)
		res.R, res.U, res.Residuals = all[:n:n], all[n:2*n:2*n], all[2*n:]
	}
	res.R, res.U, res.Residuals = num.Grow(res.R, n), num.Grow(res.U, n), num.Grow(res.Residuals, nc)
	if res.Stages == nil {
		res.Stages = res.stages[:0]
	}
}

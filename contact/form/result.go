package form

import "fmt"

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

package factor

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// maxOrder bounds the order of a matrix: indices inside a factor are 32 bits.
const maxOrder = math.MaxInt32 - 1

// Factor solves A x = b for a symmetric positive definite A of a pattern that
// Analyse has seen. A Factor is not safe for concurrent use.
type Factor interface {
	// Refactor computes the factors of a, which must have the pattern that was
	// analysed. If a pivot is not positive (see Options.PivotTolerance) it
	// returns a *NotPositiveDefiniteError; a next Refactor may succeed again.
	Refactor(a *sparse.Sym) error
	// RefactorContext is Refactor until the context is done, looked at several times
	// a second; then it returns the cause, and Solve panics.
	RefactorContext(ctx context.Context, a *sparse.Sym) error
	// Solve computes dst = A⁻¹b for the matrix of the last Refactor and panics
	// if that failed. dst may be b.
	Solve(dst, b []float64)
	// Release gives back the memory that only Refactor needs, for a matrix that is
	// factorised once; a next Refactor allocates it anew.
	Release()
	// NNZ returns the number of entries of the factor L, diagonal included.
	NNZ() int
}

// NotPositiveDefiniteError says that the matrix is not positive definite to
// working precision.
type NotPositiveDefiniteError struct {
	Column int     // column of the matrix, in its own numbering
	Pivot  float64 // pivot found there: zero, negative, relatively tiny or not finite
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("factor: not positive definite: pivot %g at column %d", e.Pivot, e.Column)
}

// Method is the way of factorisation.
type Method int

const (
	AutoMethod Method = iota // by the predicted number of operations
	Simplicial               // up-looking LDLᵀ, one row at a time: small and very sparse factors
	Supernodal               // multifrontal Cholesky on dense blocks: large factors
)

func (m Method) String() string {
	return [...]string{"auto", "simplicial", "supernodal"}[m]
}

// Ordering is the way to choose the elimination order.
type Ordering int

const (
	AutoOrdering     Ordering = iota // the one with fewer predicted operations
	MinimumDegree                    // approximate minimum degree
	NestedDissection                 // recursive bisection, minimum degree on the leaves
	Natural                          // as numbered
)

func (o Ordering) String() string {
	return [...]string{"auto", "minimum degree", "nested dissection", "natural"}[o]
}

// Options are the wishes for Analyse. The zero value works.
type Options struct {
	Method   Method
	Ordering Ordering
	// Workers is the number of goroutines of a supernodal Refactor. Results do
	// not depend on it, bit for bit. Default: GOMAXPROCS at the time of Analyse.
	Workers int
	// PivotTolerance [-] is the largest pivot, relative to the diagonal entry
	// |a_jj|, that counts as not positive. Default: n·2⁻⁵², the bound of the
	// backward error of Cholesky with unit constant.
	PivotTolerance float64
}

// Validate reports the first field that is out of range. NewPlan panics
// with that error.
func (o Options) Validate() error {
	switch {
	case o.Method < AutoMethod || o.Method > Supernodal:
		return fmt.Errorf("factor: Options.Method is %d, want in [%d, %d]", int(o.Method), int(AutoMethod), int(Supernodal))
	case o.Ordering < AutoOrdering || o.Ordering > Natural:
		return fmt.Errorf("factor: Options.Ordering is %d, want in [%d, %d]", int(o.Ordering), int(AutoOrdering), int(Natural))
	case o.Workers < 0:
		return fmt.Errorf("factor: Options.Workers is %d, want at least 0", o.Workers)
	case !(o.PivotTolerance >= 0 && o.PivotTolerance < 1):
		return fmt.Errorf("factor: Options.PivotTolerance is %g, want in [0, 1)", o.PivotTolerance)
	}
	return nil
}

// Analyse orders a to keep its factor sparse and returns the Factor with all
// memory allocated. Only the pattern of a is read.
func Analyse(a *sparse.Sym, o Options) Factor {
	return NewPlan(a, o).Factor()
}

// AnalyseContext is Analyse until the context is done; then it returns the cause.
func AnalyseContext(ctx context.Context, a *sparse.Sym, o Options) (Factor, error) {
	p, err := NewPlanContext(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return p.Factor(), nil
}

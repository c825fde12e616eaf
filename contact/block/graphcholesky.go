package block

import (
	"context"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// graphCholesky factorises the M + K D Kᵀ of a [graphLU] where all D are symmetric and
// positive semidefinite: convex problems. That takes half of the work and, one triangle alone,
// less than half of the memory of its LU.
type graphCholesky struct {
	a      *sparse.Sym
	factor factor.Factor
	x      []float64
}

// choleskyFrom is the number of contacts from which an ordering of its own is soon paid for.
const choleskyFrom = 1000

// newGraphCholesky analyses the pattern of blocks, until the context is done.
func newGraphCholesky(ctx context.Context, ptr []int, col []int32) (*graphCholesky, error) {
	n := len(ptr) - 1
	a := &sparse.Sym{N: rowsPerBlock * n, Ptr: make([]int, 1, rowsPerBlock*n+1)}
	for i := range n {
		for q := range rowsPerBlock {
			for p := q; p < rowsPerBlock; p++ {
				a.Row = append(a.Row, rowsPerBlock*i+p)
			}
			for _, j := range col[ptr[i]:ptr[i+1]] {
				if int(j) > i {
					a.Row = append(a.Row, rowsPerBlock*int(j), rowsPerBlock*int(j)+1, rowsPerBlock*int(j)+2)
				}
			}
			a.Ptr = append(a.Ptr, len(a.Row))
		}
	}
	a.Val = make([]float64, len(a.Row))
	f, err := factor.AnalyseContext(ctx, a, factor.Options{})
	if err != nil {
		return nil, err
	}
	return &graphCholesky{a: a, factor: f, x: make([]float64, a.N)}, nil
}

// refactor takes the blocks of the pattern, of which those right of the diagonal count.
func (f *graphCholesky) refactor(ctx context.Context, ptr []int, col []int32, values []mat3) error {
	at := 0
	for i := range len(ptr) - 1 {
		from := ptr[i]
		for int(col[from]) < i {
			from++
		}
		for q := range rowsPerBlock {
			at += copy(f.a.Val[at:], values[from][rowsPerBlock*q+q:rowsPerBlock*(q+1)])
			for k := from + 1; k < ptr[i+1]; k++ {
				at += copy(f.a.Val[at:], values[k][rowsPerBlock*q:rowsPerBlock*(q+1)])
			}
		}
	}
	return f.factor.RefactorContext(ctx, f.a)
}

// solve overwrites v.
func (f *graphCholesky) solve(v []vec3) {
	for i := range v {
		copy(f.x[rowsPerBlock*i:], v[i][:])
	}
	f.factor.Solve(f.x, f.x)
	for i := range v {
		v[i] = vec3(f.x[rowsPerBlock*i:])
	}
}

package factor

import (
	"context"
	"math"
	"runtime"
)

// Dense is the Cholesky factorisation of a dense symmetric positive definite
// matrix, by the kernels of the supernodal one.
type Dense struct {
	n     int
	v     []float64 // L, by rows
	limit []float64
	team  team
}

// NewDense allocates a factor of order n.
func NewDense(n int) *Dense {
	d := &Dense{}
	d.Resize(n)
	d.team.workers = runtime.GOMAXPROCS(0)
	return d
}

// Resize makes the factor one of order n, without values; memory is kept.
func (d *Dense) Resize(n int) {
	d.n = n
	if cap(d.v) < n*n {
		d.v, d.limit = make([]float64, n*n), make([]float64, n)
	}
	d.v, d.limit = d.v[:n*n], d.limit[:n]
}

// Row returns the row i of the matrix that the next Factor takes; its entries up
// to the diagonal count.
func (d *Dense) Row(i int) []float64 { return d.v[i*d.n : (i+1)*d.n] }

// Factor overwrites the matrix by L. If a pivot is not positive it returns a
// *NotPositiveDefiniteError; when the context is done, the cause.
func (d *Dense) Factor(ctx context.Context) error {
	for i := range d.n {
		d.limit[i] = float64(d.n) * 0x1p-52 * math.Abs(d.v[i*d.n+i])
	}
	p := panel{matrix: matrix{d.v, d.n}, m: d.n, k: d.n, limit: d.limit}
	d.team.ctx = ctx
	col, pivot := p.factor(&d.team)
	d.team.ctx = nil // no hold on what is the caller's
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if col >= 0 {
		return &NotPositiveDefiniteError{Column: col, Pivot: pivot}
	}
	return nil
}

// Solve computes dst = A⁻¹b; dst may be b.
func (d *Dense) Solve(dst, b []float64) {
	n := d.n
	if len(dst) != n || len(b) != n {
		panic("factor: Dense.Solve: wrong length")
	}
	copy(dst, b)
	for i := range n {
		row := d.v[i*n : i*n+i+1]
		dst[i] = (dst[i] - dot(row[:i], dst[:i])) / row[i]
	}
	for i := n - 1; i >= 0; i-- {
		row := d.v[i*n : i*n+i+1]
		dst[i] /= row[i]
		subScaled(dst[:i], dst[i], row[:i])
	}
}

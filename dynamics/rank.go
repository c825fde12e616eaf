package dynamics

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// rankTolerance: singular values below this part of the largest are rounding
// of typed data.
const rankTolerance = 1e-10

// rank returns the numerical rank of a, its right sides left alone, and for a
// rank-deficient one a left null vector y, yᵀa = 0.
func rank(a *mat.Dense) (r int, null []float64) {
	rows, _ := a.Dims()
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFullU) {
		return r, null
	}
	values := svd.Values(nil)
	for _, v := range values {
		if v > rankTolerance*values[0] {
			r++
		}
	}
	if r < rows {
		var u mat.Dense
		svd.UTo(&u)
		null = mat.Col(nil, rows-1, &u)
	}
	return r, null
}

// solvable refuses rows of (13) that contradict or repeat each other, or that
// do not determine v(0) even for free flight.
func (b *Boundary) solvable(flight *mat.Dense) error {
	nv := b.nv
	all := mat.NewDense(nv, nv+len(b.N)/nv, nil)
	for i := range nv {
		for j := range nv {
			all.Set(i, j, b.MV[i*nv+j])
		}
		n := len(b.N) / nv
		for j := range n {
			all.Set(i, nv+j, b.N[i*n+j])
		}
	}
	if r, y := rank(all); r < nv {
		gap, size := 0.0, 0.0
		for i, v := range y {
			gap += v * b.B[i]
			size = max(size, math.Abs(v*b.B[i]))
		}
		what := "depend on each other: one of them says nothing new"
		if math.Abs(gap) > rankTolerance*size {
			what = "contradict each other"
		}
		return fmt.Errorf("dynamics: the boundary rows %s %s: [M_v N] has rank %d of %d", involved(y), what, r, nv)
	}
	if r, y := rank(flight); r < nv {
		return fmt.Errorf("dynamics: the boundary rows do not determine v(0): M_v + N_v + T N_q G(q0), the response in free flight, has rank %d of %d; see rows %s",
			r, nv, involved(y))
	}
	return nil
}

// Rank returns the rank of M_v + N_v after a [Boundary.Check] or solve: nv if
// Theorem 8 of [Pang05] applies.
func (b *Boundary) Rank() int {
	n := len(b.N) / b.nv
	a := mat.NewDense(b.nv, b.nv, nil)
	for i := range b.nv {
		for j := range b.nv {
			a.Set(i, j, b.MV[i*b.nv+j]+b.N[i*n+b.nq+j])
		}
	}
	r, _ := rank(a)
	return r
}

// involved lists the rows, from 1, with a share in a null vector.
func involved(y []float64) string {
	var s []string
	for i, v := range y {
		if math.Abs(v) > 1e-6 {
			s = append(s, fmt.Sprint(i+1))
		}
	}
	return strings.Join(s, ", ")
}

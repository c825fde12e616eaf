package form

import (
	"slices"
)

// SampleOperator returns W as a full matrix, row by row.
func SampleOperator(w Operator) []float64 {
	if d, ok := w.(*Dense); ok {
		return d.Val
	}
	n := w.Dim() * w.Contacts()
	a, e, col := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for j := range n {
		e[j] = 1
		w.MulVec(col, e)
		e[j] = 0
		for i, v := range col {
			a[i*n+j] = v
		}
	}
	return a
}

// Triple sets dst to contact j of a stacked vector, zero-padded in two dimensions.
func Triple(dst *vec3, x []float64, dim, j int) {
	if dim == 3 {
		*dst = vec3(x[3*j:])
		return
	}
	x = x[2*j : 2*j+2]
	dst[0], dst[1], dst[2] = x[0], x[1], 0
}

// Sampled evaluates w on the unit vectors.
func Sampled(w Operator) *Dense {
	n := w.Dim() * w.Contacts()
	d := &Dense{D: w.Dim(), N: n, Val: make([]float64, n*n)}
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		x[j] = 1
		w.MulVec(y, x)
		x[j] = 0
		for i, v := range y {
			d.Val[i*n+j] = v
		}
	}
	return d
}

// sampledCopy returns W as a matrix of its own.
func sampledCopy(w Operator) *Dense {
	if d, ok := w.(*Dense); ok {
		return &Dense{D: d.D, N: d.N, Val: slices.Clone(d.Val)}
	}
	return Sampled(w)
}

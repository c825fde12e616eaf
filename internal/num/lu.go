package num

import (
	"math"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
)

// LU factorises small dense unsymmetric matrices with partial pivoting.
// Below blockedOrder a plain loop is faster than the blocked routine.
type LU struct {
	n     int
	a     []float64 // row by row, overwritten by L and U
	x     []float64 // room for a right-hand side
	pivot []int
}

const BlockedOrder = 48

// Resize returns the matrix and the vector to fill.
func (f *LU) Resize(n int) (a, x []float64) {
	f.n = n
	f.a, f.x = Resized(f.a, n*n), Resized(f.x, n)
	if cap(f.pivot) < n {
		f.pivot = make([]int, n)
	}
	f.pivot = f.pivot[:n]
	return f.a, f.x
}

// Factor reports whether the matrix is regular to working precision: no pivot
// below 2⁻⁵² n of the largest entry.
func (f *LU) Factor() bool {
	n := f.n
	tiny := InfNorm(f.a) * float64(n) * 0x1p-52
	if n >= BlockedOrder {
		lapack.Implementation{}.Dgetrf(n, n, f.a, n, f.pivot)
	} else {
		f.factorSmall()
	}
	for k := range n {
		if !(math.Abs(f.a[k*n+k]) > tiny) {
			return false
		}
	}
	return true
}

func (f *LU) factorSmall() {
	n, a := f.n, f.a
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[p*n+k]) {
				p = i
			}
		}
		f.pivot[k] = p
		rowK := a[k*n : k*n+n]
		if p != k {
			for j, v := range a[p*n : p*n+n] {
				a[p*n+j], rowK[j] = rowK[j], v
			}
		}
		if rowK[k] == 0 {
			return
		}
		for i := k + 1; i < n; i++ {
			row := a[i*n : i*n+n]
			l := row[k] / rowK[k]
			row[k] = l
			for j := k + 1; l != 0 && j < n; j++ {
				row[j] -= l * rowK[j]
			}
		}
	}
}

// Solve overwrites x with A⁻¹ x.
func (f *LU) Solve(x []float64) {
	n := f.n
	if n >= BlockedOrder {
		lapack.Implementation{}.Dgetrs(blas.NoTrans, n, 1, f.a, n, f.pivot, x, 1)
		return
	}
	for k, p := range f.pivot {
		x[k], x[p] = x[p], x[k]
	}
	for i := range n {
		s := x[i]
		for j, l := range f.a[i*n : i*n+i] {
			s -= l * x[j]
		}
		x[i] = s
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for j := i + 1; j < n; j++ {
			s -= f.a[i*n+j] * x[j]
		}
		x[i] = s / f.a[i*n+i]
	}
}

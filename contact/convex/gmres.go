package convex

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/quasistatic/quasistatic/internal/num"
)

// linearMap is a square system with a preconditioner.
type linearMap interface {
	mul(dst, x []float64)
	divide(dst, x []float64)
}

// gmres is the generalised minimal residual method with right preconditioning:
// A P⁻¹ z = b, x = P⁻¹ z, from x = 0.
type gmres struct {
	basis      [][]float64 // orthonormal
	h          [gmresLimit + 1][gmresLimit]float64
	cos, sin   [gmresLimit]float64
	g          [gmresLimit + 1]float64
	z, x       []float64
	iterations int
}

// gmresLimit is the size of the Krylov space; the preconditioners here need some
// tens, and Newton's method lives with what is left.
const gmresLimit = 80

// solve reduces the residual by the factor tol, if the limit allows, and returns
// x, which belongs to the method.
func (s *gmres) solve(a linearMap, b []float64, tol float64) []float64 {
	n := len(b)
	s.z, s.x = num.Grow(s.z, n), num.Grow(s.x, n)
	clear(s.x)
	s.iterations = 0
	beta := num.Norm(b)
	if beta == 0 {
		return s.x
	}
	q := s.vector(0, n)
	for i, v := range b {
		q[i] = v / beta
	}
	clear(s.g[:])
	s.g[0] = beta
	for j := 0; j < min(gmresLimit, n); j++ {
		s.iterations = j + 1
		a.divide(s.z, s.basis[j])
		a.mul(s.vector(j+1, n), s.z)
		grown := s.orthogonalise(j, n)
		s.rotate(j)
		if math.Abs(s.g[j+1]) <= tol*beta || !grown {
			break
		}
	}
	s.combine()
	a.divide(s.x, s.z)
	return s.x
}

func (s *gmres) vector(k, n int) []float64 {
	for len(s.basis) <= k {
		s.basis = append(s.basis, nil)
	}
	s.basis[k] = num.Grow(s.basis[k], n)
	return s.basis[k]
}

// orthogonalise is the modified Gram-Schmidt process on vector j+1; it reports
// whether something is left.
func (s *gmres) orthogonalise(j, n int) bool {
	v := vector(s.basis[j+1])
	before := blas64.Nrm2(v)
	for i := range j + 1 {
		q := vector(s.basis[i])
		s.h[i][j] = blas64.Dot(q, v)
		blas64.Axpy(-s.h[i][j], q, v)
	}
	s.h[j+1][j] = blas64.Nrm2(v)
	if s.h[j+1][j] <= num.Eps*float64(n)*before {
		s.h[j+1][j] = 0
		return false
	}
	blas64.Scal(1/s.h[j+1][j], v)
	return true
}

// rotate applies the Givens rotations to column j and makes the next one.
func (s *gmres) rotate(j int) {
	for i := range j {
		x, y := s.h[i][j], s.h[i+1][j]
		s.h[i][j], s.h[i+1][j] = s.cos[i]*x+s.sin[i]*y, s.cos[i]*y-s.sin[i]*x
	}
	x, y := s.h[j][j], s.h[j+1][j]
	r := math.Hypot(x, y)
	if r == 0 { // nothing has grown: the last column
		return
	}
	s.cos[j], s.sin[j] = x/r, y/r
	s.h[j][j], s.h[j+1][j] = r, 0
	s.g[j], s.g[j+1] = s.cos[j]*s.g[j], -s.sin[j]*s.g[j]
}

// combine solves the triangular system and sets z to the combination of the
// basis.
func (s *gmres) combine() {
	m := s.iterations
	var c [gmresLimit]float64
	for i := m - 1; i >= 0; i-- {
		sum := s.g[i]
		for k := i + 1; k < m; k++ {
			sum -= s.h[i][k] * c[k]
		}
		if s.h[i][i] != 0 {
			c[i] = sum / s.h[i][i]
		}
	}
	clear(s.z)
	for i := range m {
		blas64.Axpy(c[i], vector(s.basis[i]), vector(s.z))
	}
}

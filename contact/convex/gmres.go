package convex

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/quasistatic/quasistatic/internal/num"
)

// linearMap is a square system A with a preconditioner P: divide sets dst = P⁻¹ b, and mul dst = A x for
// the x that the last divide has made of b.
type linearMap interface {
	divide(dst, b []float64)
	mul(dst, x, b []float64)
}

// gmres is the generalised minimal residual method with right preconditioning:
// A P⁻¹ z = b, x = P⁻¹ z, from x = 0.
type gmres struct {
	basis      [][]float64 // orthonormal
	hessenberg num.Hessenberg
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
	s.hessenberg.Begin(beta)
	for j := 0; j < min(gmresLimit, n); j++ {
		s.iterations = j + 1
		a.divide(s.z, s.basis[j])
		a.mul(s.vector(j+1, n), s.z, s.basis[j])
		grown := s.orthogonalise(j, n)
		if s.hessenberg.Append() <= tol*beta || !grown {
			break
		}
	}
	clear(s.z)
	for i, c := range s.hessenberg.Solve() {
		blas64.Axpy(c, vector(s.basis[i]), vector(s.z))
	}
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
	v, column := vector(s.basis[j+1]), s.hessenberg.Column()
	before := blas64.Nrm2(v)
	for i := range j + 1 {
		q := vector(s.basis[i])
		column[i] = blas64.Dot(q, v)
		blas64.Axpy(-column[i], q, v)
	}
	column[j+1] = blas64.Nrm2(v)
	if column[j+1] <= num.Eps*float64(n)*before {
		column[j+1] = 0
		return false
	}
	blas64.Scal(1/column[j+1], v)
	return true
}

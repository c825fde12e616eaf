package contact

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/factor"
)

// dependence is the pivot of S = GᵀM⁻¹G, relative to its diagonal, below which
// a joint counts as dependent: the square of 1e-6 of its direction is new,
// still well above the roundoff of S.
const dependence = 1e-12

// schur answers M v − Gλ = f, Gᵀv + b = 0 by the complement S = GᵀM⁻¹G = LLᵀ.
type schur struct {
	m  factor.Factor
	g  *Columns
	z  [][]float64 // M⁻¹G by columns
	l  []float64   // nb×nb, row by row
	nb int
}

func newSchur(p *Global, m factor.Factor) (*schur, error) {
	s := &schur{m: m, g: p.G, nb: p.Joints()}
	s.z, s.l = make([][]float64, s.nb), make([]float64, s.nb*s.nb)
	rhs, col := make([]float64, p.M.N), make([]float64, s.nb)
	for k := range s.nb {
		clear(rhs)
		for e := p.G.Ptr[k]; e < p.G.Ptr[k+1]; e++ {
			rhs[p.G.Row[e]] += p.G.Val[e]
		}
		s.z[k] = make([]float64, p.M.N)
		m.Solve(s.z[k], rhs)
		clear(col)
		p.G.MulTransAdd(col, s.z[k])
		copy(s.l[k*s.nb:], col[:k+1])
	}
	return s, s.factor()
}

// factor overwrites the lower triangle of S with its Cholesky factor.
func (s *schur) factor() error {
	n, l := s.nb, s.l
	for i := range n {
		row := l[i*n : i*n+n]
		least := dependence * row[i]
		for j := range i {
			other := l[j*n : j*n+j+1]
			x := row[j]
			for k := range j {
				x -= row[k] * other[k]
			}
			row[j] = x / other[j]
			row[i] -= row[j] * row[j]
		}
		if !(row[i] > least) {
			return &DependentError{Row: i}
		}
		row[i] = math.Sqrt(row[i])
	}
	return nil
}

// backsolve overwrites x with S⁻¹x.
func (s *schur) backsolve(x []float64) {
	n, l := s.nb, s.l
	for i := range n {
		for j := range i {
			x[i] -= l[i*n+j] * x[j]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		x[i] /= l[i*n+i]
		for j := range i {
			x[j] -= l[i*n+j] * x[i]
		}
	}
}

// solve sets v and λ for b = 0: λ = −S⁻¹GᵀM⁻¹rhs, v = M⁻¹(rhs + Gλ). A second
// pass on the Gᵀv that is left brings the joints to roundoff of v.
func (s *schur) solve(v, lambda, rhs []float64) {
	s.m.Solve(v, rhs)
	clear(lambda)
	y := make([]float64, s.nb)
	for range 2 {
		clear(y)
		s.g.MulTransAdd(y, v)
		s.backsolve(y)
		s.correct(v, lambda, y)
	}
}

// correct subtracts y from λ and its motion from v.
func (s *schur) correct(v, lambda, y []float64) {
	for k, x := range y {
		lambda[k] -= x
		for i, z := range s.z[k] {
			v[i] -= x * z
		}
	}
}

// shift returns the motion and the reactions that b alone causes.
func (s *schur) shift(b []float64) (v, lambda []float64) {
	v, lambda = make([]float64, len(s.z[0])), make([]float64, s.nb)
	y := append([]float64(nil), b...)
	s.backsolve(y)
	s.correct(v, lambda, y)
	return v, lambda
}

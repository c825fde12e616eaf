package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// tangent holds k̃_q and k̃_v of one force, n×n row by row, over its velocities.
type tangent struct {
	at    []int // velocities of the world
	local []int // in the component
	q, v  []float64
	s, e  []float64 // scratch of definite
}

// openTangents makes room for the Jacobians of all forces.
func (s *mechanics) openTangents() {
	s.tangents = make([]tangent, len(s.model.Setup.Forces))
	for i, f := range s.model.Setup.Forces {
		k := &s.tangents[i]
		for _, b := range f.Bodies() {
			if b < 0 {
				continue
			}
			p := &s.model.Bodies[b]
			for d := range p.N {
				k.at, k.local = append(k.at, p.V+d), append(k.local, p.Local+d)
			}
		}
		n := len(k.at)
		k.q, k.v = make([]float64, n*n), make([]float64, n*n)
		if s.o.Jacobians == multibody.DefiniteJacobians {
			k.s, k.e = make([]float64, n*n), make([]float64, n*n)
		}
	}
}

// linearise evaluates k̃_q and k̃_v of (4.3) at (t + h, q, v).
func (s *mechanics) linearise(h float64) {
	if s.o.Jacobians == multibody.NoJacobians {
		return
	}
	for i, f := range s.model.Setup.Forces {
		k := &s.tangents[i]
		clear(k.q)
		clear(k.v)
		f.Jacobian(k.q, k.v, s.t+h, &s.snap)
		if s.o.Jacobians == multibody.DefiniteJacobians {
			definite(k.q, k.s, k.e, len(k.at))
			definite(k.v, k.s, k.e, len(k.at))
		}
	}
}

// mul adds f times the matrix a times x to dst.
func (k *tangent) mul(dst []float64, f float64, a, x []float64) {
	n := len(k.at)
	for i, r := range k.at {
		sum := 0.0
		for j, c := range k.at {
			sum += a[i*n+j] * x[c]
		}
		dst[r] += f * sum
	}
}

// definite overwrites the n×n matrix a by the negative semidefinite part of its symmetric part, Σ
// min(λ, 0) eeᵀ; s and e are scratch, n×n.
func definite(a, s, e []float64, n int) {
	for i := range n {
		for j := range n {
			s[i*n+j] = 0.5 * (a[i*n+j] + a[j*n+i])
		}
	}
	jacobi(s, e, n)
	clear(a)
	for k := range n {
		lambda := s[k*n+k]
		if lambda >= 0 {
			continue
		}
		for i := range n {
			for j := range n {
				a[i*n+j] += lambda * e[i*n+k] * e[j*n+k]
			}
		}
	}
}

// jacobi diagonalises the symmetric n×n matrix s by Jacobi's rotations: the eigenvalues come to its
// diagonal, the eigenvectors to the columns of e. It allocates nothing, at O(n³) a sweep.
func jacobi(s, e []float64, n int) {
	clear(e)
	for i := range n {
		e[i*n+i] = 1
	}
	for range 30 { // sweeps; quadratic convergence, six to eight do
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				all += s[i*n+j] * s[i*n+j]
				if i != j {
					off += s[i*n+j] * s[i*n+j]
				}
			}
		}
		if off <= 1e-32*all { // rounding, squared
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(s, e, n, p, q)
			}
		}
	}
}

// rotate makes s_pq zero.
func rotate(s, e []float64, n, p, q int) {
	x := s[p*n+q]
	if x == 0 {
		return
	}
	theta := (s[q*n+q] - s[p*n+p]) / (2 * x)
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(1, theta))
	c := 1 / math.Hypot(1, t)
	d := t * c
	for k := range n {
		a, b := s[k*n+p], s[k*n+q]
		s[k*n+p], s[k*n+q] = c*a-d*b, d*a+c*b
	}
	for k := range n {
		a, b := s[p*n+k], s[q*n+k]
		s[p*n+k], s[q*n+k] = c*a-d*b, d*a+c*b
		a, b = e[k*n+p], e[k*n+q]
		e[k*n+p], e[k*n+q] = c*a-d*b, d*a+c*b
	}
}

package contact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLocalUnits: W, q in other units change the answer by rounding alone.
func TestLocalUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for k := range 20 {
		p := randomProblem(rng, 3, 1+k, 80, func() Law { return Coulomb{Mu: 0.3} })
		want := solveOrFail(t, p)
		for _, f := range []float64{1e-6, 1e6} {
			for _, g := range []float64{1e-6, 1, 1e6} {
				w := &Dense{D: 3, N: len(p.Q), Val: slices.Clone(p.W.(*Dense).Val)}
				q := slices.Clone(p.Q)
				for i := range w.Val {
					w.Val[i] *= f
				}
				for i := range q {
					q[i] *= g
				}
				got := solveOrFail(t, &Local{W: w, Q: q, Laws: p.Laws})
				for i := range got {
					if math.Abs(got[i]*f/g-want[i]) > 1e-8*norm(want) {
						t.Fatalf("problem %d, W×%g, q×%g: r differs by %g of %g", k, f, g, got[i]*f/g-want[i], norm(want))
					}
				}
			}
		}
	}
}

// TestLocalObjectivity: turning the tangent frames turns the answer, also for
// an anisotropic law whose shape turns along.
func TestLocalObjectivity(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	shape := [4]float64{1, 0.2, 0, 0.5}
	for k := range 10 {
		p := randomProblem(rng, 3, 6, 40, func() Law { return Coulomb{Mu: 0.2, Shape: NewShape(shape)} })
		want := solveOrFail(t, p)
		n := len(p.Q)
		turn := make([]float64, n*n) // block diagonal, rows (1; c s; −s c)
		q := &Local{Q: make([]float64, n)}
		for j := range 6 {
			s, c := math.Sincos(rng.Float64() * 6)
			b := 3 * j
			turn[b*n+b], turn[(b+1)*n+b+1], turn[(b+1)*n+b+2], turn[(b+2)*n+b+1], turn[(b+2)*n+b+2] = 1, c, s, -s, c
			// ‖S u_T‖ with u_T = Rᵀ u'_T.
			q.Laws = append(q.Laws, Coulomb{Mu: 0.2, Shape: NewShape([4]float64{
				shape[0]*c + shape[1]*s, -shape[0]*s + shape[1]*c, shape[2]*c + shape[3]*s, -shape[2]*s + shape[3]*c})})
		}
		w := p.W.(*Dense)
		a, b := make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				for l := range n {
					a[i*n+j] += turn[i*n+l] * w.Val[l*n+j]
				}
			}
		}
		for i := range n {
			for j := range n {
				for l := range n {
					b[i*n+j] += a[i*n+l] * turn[j*n+l]
				}
				q.Q[i] += turn[i*n+j] * p.Q[j]
			}
		}
		q.W = &Dense{D: 3, N: n, Val: b}
		got := solveOrFail(t, q)
		for i := range n {
			s := 0.0
			for j := range n {
				s += turn[i*n+j] * want[j]
			}
			if math.Abs(got[i]-s) > 1e-8*norm(want) {
				t.Fatalf("problem %d: turned r[%d] = %g, want %g", k, i, got[i], s)
			}
		}
	}
}

package contact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/lcp"
	"github.com/quasistatic/quasistatic/internal/num"
)

// One contact with W = I: the answers are by hand.
func TestPolyhedralOneContact(t *testing.T) {
	sq := math.Sqrt2
	for _, c := range []struct {
		name string
		law  Law
		q, r []float64
	}{
		{"frictionless takes off", Frictionless{}, []float64{1, 2}, []float64{0, 0}},
		{"frictionless presses", Frictionless{}, []float64{-1, 2}, []float64{1, 0}},
		{"bilateral", Bilateral{}, []float64{1, 2}, []float64{-1, -2}},
		{"stick", Coulomb{Mu: 0.5}, []float64{-2, 0.8}, []float64{2, -0.8}},
		{"slip", Coulomb{Mu: 0.5}, []float64{-2, 3}, []float64{2, -1}},
		{"slip back", Coulomb{Mu: 0.5}, []float64{-2, -3}, []float64{2, 1}},
		{"take off", Coulomb{Mu: 0.5}, []float64{2, -3}, []float64{0, 0}},
		{"grazing", Coulomb{Mu: 0.5}, []float64{0, -3}, []float64{0, 0}},
		{"no friction", Coulomb{}, []float64{-1, -3}, []float64{1, 0}},
		{"Tresca slip", Tresca{Threshold: 0.5}, []float64{1, -3}, []float64{0, 0.5}},
		{"Tresca stick", Tresca{Threshold: 5}, []float64{-1, -3}, []float64{1, 3}},
		{"pyramid in the plane", Pyramid{Mu: 0.5}, []float64{-2, 3}, []float64{2, -1}},
		// r = x(1, −μ) with u ⊥ r: x = 3.5/(1+μ²), the contact opens.
		{"associated", Associated{Mu: 0.5}, []float64{-2, 3}, []float64{2.8, -1.4}},
		{"box stick", Pyramid{Mu: 0.5, Facets: 4}, []float64{-2, 0.9, 0.9}, []float64{2, -0.9, -0.9}},
		{"box slip along t", Pyramid{Mu: 0.5, Facets: 4}, []float64{-2, 3, 0}, []float64{2, -1, 0}},
		{"box slips in both", Pyramid{Mu: 0.5, Facets: 4}, []float64{-2, 3, 2}, []float64{2, -1, -1}},
		// Slopes 1 and 1/2; with a shear S = [[1, 1], [0, 1]] the corners of Sᵀ·box are (1, 2) and
		// (1, 0).
		{"rectangle slips in both", Pyramid{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})}, []float64{-2, 3, 2}, []float64{2, -2, -1}},
		{"sheared box to a corner", Pyramid{Mu: 0.5, Shape: NewShape([4]float64{1, 1, 0, 1})}, []float64{-2, 3, 4}, []float64{2, -1, -2}},
		{"rectangle in the plane", Pyramid{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})}, []float64{-2, 5}, []float64{2, -2}},
		{"octagon slips to a corner", Pyramid{Mu: 0.5, Facets: 8}, []float64{-2, 9, 9 * (sq - 1)}, []float64{2, -1, 1 - sq}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := len(c.q)
			w := &Dense{D: n, N: n, Val: make([]float64, n*n)}
			for i := range n {
				w.Val[i*n+i] = 1
			}
			var res Result
			if err := by(MethodLemke)(context.Background(), &Local{W: w, Q: c.q, Laws: []Law{c.law}}, nil, nil, &res); err != nil {
				t.Fatal(err)
			}
			for i, r := range c.r {
				if math.Abs(res.R[i]-r) > 1e-13 {
					t.Fatalf("r = %v, want %v", res.R, c.r)
				}
			}
		})
	}
}

// randomLocal draws a positive semidefinite W of the given rank.
func randomLocal(rng *rand.Rand, dim, nc, rank int, law func() Law) *Local {
	n := dim * nc
	h := make([]float64, n*rank)
	for i := range h {
		h[i] = rng.NormFloat64()
	}
	w := &Dense{D: dim, N: n, Val: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			for k := range rank {
				w.Val[i*n+j] += h[i*rank+k] * h[j*rank+k]
			}
		}
	}
	p := &Local{W: w, Q: make([]float64, n)}
	v := make([]float64, rank) // q = Hᵀv with w = 0: a solution exists
	for k := range v {
		v[k] = rng.NormFloat64()
	}
	for i := range n {
		for k := range rank {
			p.Q[i] += h[i*rank+k] * v[k]
		}
	}
	for range nc {
		p.Laws = append(p.Laws, law())
	}
	return p
}

// Mixed polyhedral laws, also hyperstatic: the merit of the local problem
// certifies the answer of the complementarity problem.
func TestSolvePolyhedralRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for k := range 200 {
		dim, nc := 2+k%2, 1+rng.IntN(6)
		law := func() Law {
			switch mu := rng.Float64(); rng.IntN(4) {
			case 0:
				return Frictionless{}
			case 1:
				return Pyramid{Mu: mu, Facets: 4 + 2*rng.IntN(4)}
			case 2:
				if dim == 2 {
					return Tresca{Threshold: mu}
				}
				return Pyramid{Mu: mu, Shape: NewShape([4]float64{1, 0.4, -0.3, 0.6})}
			default:
				if dim == 2 {
					return Coulomb{Mu: mu}
				}
				return Frictionless{}
			}
		}
		p := randomLocal(rng, dim, nc, 1+rng.IntN(dim*nc), law)
		var res Result
		if err := by(MethodLemke)(context.Background(), p, nil, nil, &res); err != nil {
			t.Errorf("problem %d (%d contacts, %dD): %v", k, nc, dim, err)
		}
	}
}

// Lemke's answer is that of the other solvers where the solution is unique:
// a regular W and little friction.
func TestSolvePolyhedralAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for k := range 40 {
		dim, nc := 2+k%2, 1+rng.IntN(5)
		law := func() Law {
			if dim == 2 && rng.IntN(2) == 0 {
				return Coulomb{Mu: 0.1}
			}
			return Pyramid{Mu: 0.1, Facets: 6, Shape: NewShape([4]float64{1, 0, 0, 1 + rng.Float64()})}
		}
		p := randomLocal(rng, dim, nc, 4*dim*nc, law)
		var lemke, other Result
		if err := by(MethodLemke)(context.Background(), p, nil, nil, &lemke); err != nil {
			t.Fatal(err)
		}
		for name, solve := range map[string]localSolver{"auto": SolveLocal, "Gauss-Seidel": by(MethodGaussSeidel)} {
			if err := solve(context.Background(), p, &Options{Tolerance: 1e-12}, &LocalWorkspace{}, &other); err != nil {
				t.Fatalf("%s, problem %d: %v", name, k, err)
			}
			for i, r := range lemke.R {
				if math.Abs(r-other.R[i]) > 1e-8*max(num.InfNorm(lemke.R), num.InfNorm(p.Q)/num.InfNorm(p.W.(*Dense).Val)) {
					t.Fatalf("problem %d: r = %v, %s says %v", k, lemke.R, name, other.R)
				}
			}
		}
	}
}

func TestToMLCPRejects(t *testing.T) {
	p := &Local{W: &Dense{D: 3, N: 3, Val: make([]float64, 9)}, Q: make([]float64, 3), Laws: []Law{Coulomb{Mu: 0.3}}}
	if _, err := lcp.ToMLCP(p); err == nil {
		t.Error("the exact cone in three dimensions passed for polyhedral")
	}
	p.Laws[0] = Bilateral{}
	if _, _, err := lcp.ToLCP(p); err == nil {
		t.Error("a bilateral contact passed for an LCP")
	}
}

func BenchmarkSolvePolyhedral(b *testing.B) {
	for _, nc := range []int{1, 4, 16} {
		b.Run(fmt.Sprint(nc), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			p := randomLocal(rng, 2, nc, 2*nc, func() Law { return Coulomb{Mu: 0.3} })
			var res Result
			for b.Loop() {
				if err := by(MethodLemke)(context.Background(), p, nil, nil, &res); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

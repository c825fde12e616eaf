package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
)

// TestLocalUnits: W, q in other units (and thresholds with them) change neither
// the verdict nor the answer of any solver, over twelve powers of ten. In tiny
// units of W the merit of FCLIB alone calls every admissible r a solution.
// Powers of 4 leave the scaled problem the same to the last bit.
func TestLocalUnits(t *testing.T) {
	for _, s := range localSolvers {
		rng := rand.New(rand.NewPCG(13, 14))
		solved := 0
		for k := range 24 {
			dim := 2 + k%2
			p := randomProblem(rng, dim, 1+k%8, 80, func() Law { return fuzzLaw(rng, dim) })
			var want Result
			wantErr := s.solve(context.Background(), p, &Options{MaxIterations: 3000}, nil, &want)
			for i, f := range []float64{0x1p-40, 0x1p-20, 0x1p20, 0x1p40} {
				for j, g := range []float64{0x1p-40, 1, 0x1p40} {
					if (i+j+k)%2 > 0 {
						continue // the others are for the next problem
					}
					var got Result
					err := s.solve(context.Background(), inUnits(p, f, g), &Options{MaxIterations: 3000}, nil, &got)
					if (err == nil) != (wantErr == nil) {
						t.Fatalf("%s, problem %d, W×%g, q×%g: %v, want %v", s.name, k, f, g, err, wantErr)
					}
					if err != nil {
						continue
					}
					solved++
					for i := range got.R {
						// 1e-6: the tolerance of 1e-8 through a condition of 1e2.
						if d := math.Abs(got.R[i]*f/g - want.R[i]); d > 1e-6*num.Norm(want.R) {
							t.Fatalf("%s, problem %d, W×%g, q×%g: r differs by %g of %g", s.name, k, f, g, d, num.Norm(want.R))
						}
					}
				}
			}
		}
		if solved == 0 {
			t.Errorf("%s: nothing solved", s.name)
		}
	}
}

// inUnits returns p with W×f, q×g and, for the same answer, s×g/f.
func inUnits(p *Local, f, g float64) *Local {
	w := &Dense{D: p.W.Dim(), N: len(p.Q), Val: slices.Clone(p.W.(*Dense).Val)}
	s := &Local{W: w, Q: slices.Clone(p.Q), Laws: slices.Clone(p.Laws)}
	for i := range w.Val {
		w.Val[i] *= f
	}
	for i := range s.Q {
		s.Q[i] *= g
	}
	for i, law := range s.Laws {
		if l, ok := law.(Tresca); ok {
			l.Threshold *= g / f
			s.Laws[i] = l
		}
	}
	return s
}

// TestUnitFreeMerit: one number in all units; a start that solves nothing does
// not pass for a solution in a warm workspace, whatever the units.
func TestUnitFreeMerit(t *testing.T) {
	p := &Local{W: diagonal(3, 1, 1, 1), Q: []float64{-2, 3, 0}, Laws: []Law{Coulomb{Mu: 0.5}}}
	r, u := []float64{1, 0, 0}, make([]float64, 3)
	want := p.UnitFreeMerit(u, r)
	for _, f := range []float64{0x1p-40, 0x1p40} {
		q := inUnits(p, f, 1)
		x := []float64{1 / f, 0, 0}
		if m := q.UnitFreeMerit(u, x); math.Abs(m-want) > 4*num.Eps {
			t.Errorf("W×%g: %g, want %g", f, m, want)
		}
		var ws LocalWorkspace
		ws.WarmStart(x)
		var res Result
		if err := SolveLocal(context.Background(), q, nil, &ws, &res); err != nil || math.Abs(res.R[0]*f-2) > 1e-7 {
			t.Errorf("W×%g: %v, r = %v", f, err, res.R)
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
			if math.Abs(got[i]-s) > 1e-8*num.Norm(want) {
				t.Fatalf("problem %d: turned r[%d] = %g, want %g", k, i, got[i], s)
			}
		}
	}
}

package energetic

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// rough is the form of particles of which each has a row a of one entry and a row b of one, along its own two axes; 0: none.
func rough(a, b []float64) (*form, []bool) {
	f, all := &form{rows: make([]frictionRow, len(a))}, make([]bool, len(a))
	for j := range a {
		all[j] = true
		f.rows[j].a.add(3*j, a[j])
		if b[j] != 0 {
			f.rows[j].b = []row{{col: []int{3*j + 1}, val: []float64{b[j]}}}
		}
	}
	return f, all
}

// TestNormOfOne: the largest (|a x| + |b y|)² on the unit circle is a² + b²; θ that is y/x of the maximiser bounds it by that, at a ratio of 1e-3 at
// least and 1e3 at most (twelve averages come to 2 % of the best), whatever is beside it that the maximiser leaves at rest. A row a alone, or b, is its own bound.
func TestNormOfOne(t *testing.T) {
	for _, c := range []struct{ a, b, upper, tol float64 }{
		{3, 1, math.Sqrt(10), 2e-2}, {1, 3, math.Sqrt(10), 2e-2}, {0.3, 0.1, math.Sqrt(0.1), 2e-2}, {3, 0, 3, 1e-15}, {0, 3, 3, 1e-15},
		{3, 1e-6, 3 * math.Sqrt(1+1e-3), 1e-12}, {1e-6, 3, 3 * math.Sqrt(1+1e-3), 1e-12},
	} {
		for _, beside := range [][2]float64{{0, 0}, {1e-2, 1e-2}} {
			f, all := rough([]float64{c.a, beside[0]}, []float64{c.b, beside[1]})
			s := f.selection(all, []bool{false, false})
			q, share := f.qNorm(all, all)
			nearly(t, "q from below", q.Lo, math.Hypot(c.a, c.b), 1e-14)
			nearly(t, "q from above", q.Hi, math.Hypot(c.a, c.b), 1e-14)
			nearly(t, "share", share[0], c.a*c.a+c.b*c.b, 1e-14)
			nearly(t, "share", share[1], 0, 1e-14)
			if got := s.upper(); got < q.Hi*(1-1e-15) || math.Abs(got-c.upper) > c.tol*c.upper {
				t.Errorf("%+v beside %v: at most %.17g", c, beside, got)
			}
			if s.norm(s.a); c.a != 0 {
				nearly(t, "the maximiser", norm2(s.u), 1, 1e-15)
			}
		}
	}
}

// TestEightSigns: with eight particles of varying friction q is that of all signs, with nine it is bounded.
func TestEightSigns(t *testing.T) {
	for n, exact := range map[int]bool{signLimit: true, signLimit + 1: false} {
		a, b := make([]float64, n), make([]float64, n)
		for j := range a {
			a[j], b[j] = 1+float64(j)/8, 0.5
		}
		f, all := rough(a, b)
		for j := range a { // all push along one way too
			f.rows[j].a.add(3*n-2, 0.25)
		}
		if q, _ := f.qNorm(all, all); (q.Lo == q.Hi) != exact {
			t.Errorf("%d particles: %v", n, q)
		}
	}
}

// TestGramOfNeighbours: rows that share columns with their neighbours alone have a tridiagonal GGᵀ, made in its pattern.
func TestGramOfNeighbours(t *testing.T) {
	const m = 9
	s := &selection{n: m + 1}
	var g []row
	for i := range m {
		g = append(g, row{col: []int{i, i + 1}, val: []float64{float64(i + 1), -2}})
	}
	a := s.gramSparse(g)
	if len(a.Val) != 2*m-1 {
		t.Errorf("%d entries, want %d", len(a.Val), 2*m-1)
	}
	got, want := full(a), s.gramDense(g)
	for i := range m {
		for k := range m {
			nearly(t, "GGᵀ", got.At(i, k), want.At(i, k), 0)
		}
	}
	none := mat.NewSymDense(4, nil)
	for i := range 4 {
		for k := i; k < 4; k++ {
			none.SetSym(i, k, math.NaN())
		}
	}
	if v, w := largestDense(none); v.Lo != 0 || !math.IsInf(v.Hi, 1) || !slices.Equal(w, make([]float64, 4)) {
		t.Errorf("of what is no number: %v, %v", v, w)
	}
}

// counting is an energy that knows nothing of itself and counts how often it is asked.
type counting struct {
	unknown
	count *int
}

func (c counting) Gradient(_, _ []float64, _ float64, _ []float64) { *c.count++ }

// TestSamplesOfRates: of terms that do not know their derivatives an interval between breaks has 33 samples or its share of 2048, and its ends; what is
// kept of large systems is bounded.
func TestSamplesOfRates(t *testing.T) {
	for intervals, want := range map[int]int{1: 2 + 2047, 4: 4 * (2 + 511), 100: 100 * (2 + 32)} {
		times, points := []float64{}, [][3]float64{}
		for k := range intervals + 1 {
			times, points = append(times, float64(k)/float64(intervals)), append(points, [3]float64{float64(k % 2), 0, 0})
		}
		count := 0
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: must(particles.PiecewiseLinear(times, points)), Stiffness: particles.Isotropic(1)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, counting{count: &count})), []dissipation.Matrix{nil}))
		count = 0
		if boundRates(psi.System, make([]float64, 3), 1); count != want {
			t.Errorf("%d intervals: %d evaluations, want %d", intervals, count, want)
		}
	}
	for n, want := range map[int]int{0: 20000, 1: 20000, 200: 20000, 400: 10000, 4000: 1000} {
		if got := rateEvaluations(n); got != want {
			t.Errorf("%d particles: %d evaluations, want %d", n, got, want)
		}
	}
}

// TestLongestFirst: of intervals that are added in any order the one of largest excess is the first.
func TestLongestFirst(t *testing.T) {
	sys := must(particles.NewSystem(particles.Floors(1), unknown{}))
	for _, lengths := range [][]float64{{1, 2, 3, 4}, {4, 1, 3, 2}, {2, 3, 1, 4}} {
		s := &rateSweep{rateBounds: &rateBounds{}, sys: sys, second: make([]float64, 3), third: make([]float64, 3), jerk: 8, best: rateBounds{c1: 1, rate: make([]float64, 1), sigma: make([]float64, 1)}}
		most := 0.0
		for _, l := range lengths {
			most = max(most, l)
			at := func(t float64) *instant { return &instant{t: t, rate: make([]float64, 1), sigma: make([]float64, 1)} }
			s.push(at(0), at(l))
			nearly(t, "excess", s.open[0].excess, max(0, most*most-1), 1e-15)
		}
	}
}

// TestExcess: bounds that lie above what is attained count in parts of the scale; below it, or without a scale, they do not.
func TestExcess(t *testing.T) {
	sys := must(particles.NewSystem(particles.Floors(1), unknown{}))
	at := func(t, c1 float64) *instant {
		return &instant{t: t, c1: c1, rate: make([]float64, 1), sigma: make([]float64, 1)}
	}
	for _, c := range []struct{ jerk, attained, want float64 }{{8, 2, 1.5}, {8, 0, 0}, {1, 4, 0}, {0, 0, 0}} {
		s := &rateSweep{rateBounds: &rateBounds{}, sys: sys, second: make([]float64, 3), third: make([]float64, 3), jerk: c.jerk, best: rateBounds{c1: c.attained, rate: make([]float64, 1), sigma: make([]float64, 1)}}
		nearly(t, "excess", s.excess(at(0, 1), at(2, 0.5)), c.want, 0) // 1 + 2² jerk/8 at most
	}
}

package assume

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// sample is a random D²E of n particles with friction matrices and normal forces.
type sample struct {
	n        int
	h        *sparse.Sym
	matrices []dissipation.Matrix
	z        []float64
	sigma    []float64
}

func (s *sample) form() *form {
	var slopes []slope
	for j, m := range s.matrices {
		slopes = append(slopes, slopeOf(m, [2]float64{s.z[3*j], s.z[3*j+1]}, 0))
	}
	return newForm(s.h, s.sigma, slopes)
}

// value is the maximum of (2.3) over v for a given u, from the definition: the
// best v^(j) is the top singular direction of S_j, weighted.
func (s *sample) value(u []float64, k []bool) float64 {
	sum := 0.0
	for j, m := range s.matrices {
		if !k[j] {
			continue
		}
		dsigma := 0.0
		for c := range s.h.N {
			dsigma += s.h.Val[s.h.Index(3*j+2, c)] * u[c]
		}
		var d [2][4]float64
		mat := m.At(s.z[3*j], s.z[3*j+1], &d)
		best := 0.0 // over directions of v^(j)
		const turns = 64
		for i := range turns {
			x, y := math.Cos(math.Pi*float64(i)/turns), math.Sin(math.Pi*float64(i)/turns)
			var dm [4]float64
			for e := range dm {
				dm[e] = d[0][e]*u[3*j] + d[1][e]*u[3*j+1]
			}
			length := func(a *[4]float64) float64 { return math.Hypot(a[0]*x+a[1]*y, a[2]*x+a[3]*y) }
			best = max(best, math.Abs(dsigma)*length(&mat)+s.sigma[j]*length(&dm))
		}
		sum += best * best
	}
	return math.Sqrt(sum)
}

// brute climbs from random u, starts times: for a convex functional u ← ∇/|∇| never
// descends.
func (s *sample) brute(k []bool, rng *rand.Rand, starts int) float64 {
	n, best := s.h.N, 0.0
	u, g := make([]float64, n), make([]float64, n)
	clip := func(x []float64) {
		for j, in := range k {
			if in {
				x[3*j+2] = 0
			}
		}
		if l := floats.Norm(x, 2); l > 0 {
			floats.Scale(1/l, x)
		}
	}
	for range starts {
		for i := range u {
			u[i] = rng.NormFloat64()
		}
		clip(u)
		for range 15 {
			for i := range g {
				x := u[i]
				u[i] = x + 1e-6
				g[i] = s.value(u, k)
				u[i] = x - 1e-6
				g[i] -= s.value(u, k)
				u[i] = x
			}
			clip(g)
			copy(u, g)
		}
		best = max(best, s.value(u, k))
	}
	return best
}

// drawSample draws H = GGᵀ + small·I, full, and matrices of all kinds.
func drawSample(t *rapid.T, most int) *sample {
	s := &sample{n: rapid.IntRange(1, most).Draw(t, "n")}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	m := 3 * s.n
	g, dense := make([]float64, m*m), make([]float64, m*m)
	for i := range g {
		g[i] = rng.NormFloat64()
	}
	for r := range m {
		for c := range m {
			dense[r*m+c] = elementary.Dot(g[r*m:(r+1)*m], g[c*m:(c+1)*m])
		}
		dense[r*m+r] += 0.1
	}
	s.h = fullSym(dense, m)
	for range s.n {
		s.matrices = append(s.matrices, drawMatrix(t, rng))
		s.sigma = append(s.sigma, max(rng.NormFloat64()+1, 0))
		s.z = append(s.z, rng.NormFloat64(), rng.NormFloat64(), 0)
	}
	return s
}

func drawMatrix(t *rapid.T, rng *rand.Rand) dissipation.Matrix {
	var base dissipation.Matrix = dissipation.Isotropic{Mu: rng.Float64()}
	kind := rapid.IntRange(0, 3).Draw(t, "matrix")
	if kind%2 == 1 {
		o, err := dissipation.NewOrthotropic([2]float64{rng.Float64(), rng.Float64()}, [2]float64{rng.NormFloat64(), 1})
		if err != nil {
			t.Fatal(err)
		}
		base = o
	}
	if kind >= 2 {
		r, err := dissipation.NewRippled(base, 0.9*rng.Float64(), 0.5+rng.Float64(), [2]float64{rng.NormFloat64(), 1}, rng.Float64())
		if err != nil {
			t.Fatal(err)
		}
		base = r
	}
	return base
}

// TestBoundsContainBruteForce: q_K from the definition lies in the interval, and
// reaches it where it is exact.
func TestBoundsContainBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t, 4)
		k := make([]bool, s.n)
		for j := range k {
			k[j] = rapid.Bool().Draw(t, "in")
		}
		q, _ := s.form().qNorm(k, k)
		rng := rand.New(rand.NewPCG(1, 1))
		found := s.brute(k, rng, 5)
		if found < q.Lo*(1-2e-2) { // a local maximum: the functional has up to 2^N
			found = max(found, s.brute(k, rng, 300))
		}
		if found > q.Hi*(1+1e-9) {
			t.Fatalf("found %g beyond %v", found, q)
		}
		// 64 directions of v miss the best by a quarter of 1/64 of a half turn,
		// 0.03 % at most; fifteen climbs leave less than the rest.
		if found < q.Lo*(1-2e-2) {
			t.Fatalf("found only %g of %v", found, q)
		}
	})
}

// TestSplitBound: for many varying matrices the bounds by iterated signs and by
// θ contain the exact value, and are close.
func TestSplitBound(t *testing.T) {
	widest := 0.0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t, 5)
		all := make([]bool, s.n)
		for j := range all {
			all[j] = true
		}
		sel := s.form().selection(all, all)
		exact := sel.bySigns()
		lo, hi := sel.lower(false), sel.upper()
		if lo > exact.Hi*(1+1e-12) || hi < exact.Lo*(1-1e-12) {
			t.Fatalf("[%g, %g] does not contain %v", lo, hi, exact)
		}
		if exact.Hi > 0 {
			widest = max(widest, hi/exact.Hi-1)
		}
	})
	t.Logf("upper bound at most %.2g above", widest)
}

// TestAlphaMonotone: α_K grows with K, and the branch bound of Q dominates.
func TestAlphaMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t, 4)
		f, small, large := s.form(), make([]bool, s.n), make([]bool, s.n)
		for j := range small {
			large[j] = rapid.Bool().Draw(t, "large")
			small[j] = large[j] && rapid.Bool().Draw(t, "small")
		}
		a, _ := alpha(t.Context(), s.h, small)
		b, _ := alpha(t.Context(), s.h, large)
		if a.Lo > b.Hi+1e-12*math.Abs(b.Hi) {
			t.Fatalf("α_K falls from %v to %v", a, b)
		}
		q, _ := f.qNorm(large, large)
		bound, _ := f.qNorm(large, small)
		if q.Lo > bound.Hi*(1+1e-12) {
			t.Fatalf("q = %v exceeds the bound %v of its branch", q, bound)
		}
	})
}

// TestSearchFindsTheMinimum: branch and bound against the list of all K.
func TestSearchFindsTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t, 5)
		p := &separationProblem{ctx: context.Background(), forms: []*form{s.form()}, n: s.n, limit: nodeLimit}
		for j := range s.n {
			if rapid.Bool().Draw(t, "pressed") {
				p.contact = append(p.contact, j)
			} else {
				p.switching = append(p.switching, j)
			}
		}
		var list, found Separation
		endless := Interval{math.Inf(1), math.Inf(1)}
		list.Margin, list.Factor = endless, endless
		found.Margin, found.Factor = list.Margin, list.Factor
		p.enumerate(&list)
		list.conclude()
		newSearch(p, &found).run()
		found.conclude()
		tol := 1e-8 * math.Abs(found.Worst.Alpha.Hi+found.Worst.Q.Hi)
		if found.Margin.Lo > list.Margin.Hi+tol || found.Margin.Hi < list.Margin.Lo-tol || found.Margin.Hi-found.Margin.Lo > tol {
			t.Fatalf("search %v, list %v", found.Margin, list.Margin)
		}
		if found.Factor.Lo > list.Factor.Hi*(1+1e-9) || found.Factor.Hi < list.Factor.Lo*(1-1e-9) {
			t.Fatalf("search: factor %v, list %v", found.Factor, list.Factor)
		}
		if found.Verdict != list.Verdict {
			t.Fatalf("search %v, list %v", found.Verdict, list.Verdict)
		}
	})
}

// drawSignal draws a constant, a table, a sine or a sum of them.
func drawSignal(t *rapid.T, depth int) signal.Scalar {
	num := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, "x") }
	var s signal.Scalar
	var err error
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return signal.Constant(num(-2, 2))
	case 1:
		s, err = signal.NewTable([]float64{0, num(0.1, 0.8), 1}, []float64{num(-1, 1), num(-1, 1), num(-1, 1)})
	case 2:
		s, err = signal.NewSine(num(-1, 1), num(-1, 1), num(-9, 9), num(-4, 4))
	default:
		if depth > 2 {
			return signal.Constant(1)
		}
		s, err = signal.NewSum(drawSignal(t, depth+1), drawSignal(t, depth+1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func drawPath(t *rapid.T) particles.Path {
	return particles.Path{drawSignal(t, 0), drawSignal(t, 0), drawSignal(t, 0)}
}

// TestRateBounds: no sample of a dense sweep exceeds the certified bounds, and some
// sample comes close, for all terms with signals and on a slope.
func TestRateBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		slope, err := particles.NewHalfSpace([3]float64{0, 0, 1}, [3]float64{0.5, rapid.Float64Range(-1, 1).Draw(t, "n"), 1})
		must(err)
		tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: drawPath(t),
			Stiffness: particles.Stiffness{2, 0.5, 0, 0.5, 1, 0, 0, 0, 3}})
		must(err)
		bonds, err := particles.NewBonds([]float64{0, 0, 1, 1, 0, 0}, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(1)},
			particles.Bond{I: 1, Anchor: drawPath(t), Stiffness: particles.Diagonal(1, 2, 3)})
		must(err)
		springs, err := particles.NewSprings(particles.Spring{I: 1, Anchor: drawPath(t), Law: particles.Linear{K: 2}},
			particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 1, Rest: 1}})
		must(err)
		loads, err := particles.NewLoads(particles.Load{Particle: 1, Force: drawPath(t)})
		must(err)
		sys, err := particles.NewSystem([]particles.Frame{slope.Frame(), particles.Floor()}, tethers, bonds, springs, loads)
		must(err)
		z := []float64{0.1, 0.2, 0, 1, 0.3, 0}
		got := boundRates(sys, z, 1)
		if !got.certified {
			t.Fatal("not certified")
		}
		c1, rate, sigma := 0.0, make([]float64, 2), make([]float64, 2)
		g, r := make([]float64, 6), make([]float64, 6)
		times := []float64{}
		for k := range 2000 {
			times = append(times, float64(k)/2000)
		}
		for _, b := range sys.Breaks(nil, 0, 1) { // two may lie nearer than samples
			times = append(times, b, math.Nextafter(b, 0))
		}
		for _, s := range times {
			sys.Gradient(g, r, s, z)
			c1 = max(c1, floats.Norm(r, 2))
			for j := range 2 {
				rate[j], sigma[j] = max(rate[j], math.Abs(r[3*j+2])), max(sigma[j], g[3*j+2])
			}
		}
		check := func(what string, sampled, bound, near float64) {
			// Samples miss a crest by (2π·9·1/2000)²/8 of it, 1e-4; sums of three sines
			// have up to 500 N/s, which may cancel but for their sum.
			if sampled > bound*(1+1e-14) || bound > sampled*(1+1e-3)+near {
				t.Fatalf("%s: sampled %.15g, bound %.15g", what, sampled, bound)
			}
		}
		check("c_1", c1, got.c1, 2)
		for j := range 2 {
			check("rate", rate[j], got.rate[j], 2)
			check("sigma", sigma[j], got.sigma[j], 0.2)
		}
	})
}

// TestRateBoundsOfOthers: terms that do not know their derivatives are sampled.
func TestRateBoundsOfOthers(t *testing.T) {
	hook, err := signal.NewSine(0, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	stiffening, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor: particles.Path{hook, signal.Constant(0), signal.Constant(0)}, Stiffness: particles.Isotropic(1), Stiffening: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []particles.Energy{stiffening, unknown{}} {
		sys, err := particles.NewSystem(particles.Floors(1), e)
		if err != nil {
			t.Fatal(err)
		}
		if boundRates(sys, make([]float64, 3), 1).certified {
			t.Errorf("%T: certified", e)
		}
	}
}

// TestRatesOfLongTables: of a table the largest slope and force are those of its rows, whether they
// come first, last or in between, and what is kept of its intervals are those that may have them.
func TestRatesOfLongTables(t *testing.T) {
	const rows, k = 40000, 3.0
	for name, f := range map[string]func(x float64) float64{
		"falls": func(x float64) float64 { return math.Expm1(-5*x) / 5 },
		"rises": func(x float64) float64 { return math.Expm1(5*x) / 5 },
		"waves": func(x float64) float64 { return math.Sin(40*x) * (1 + x) },
	} {
		times, values := make([]float64, rows), make([]float64, rows)
		for i := range times {
			times[i] = float64(i) / (rows - 1)
			values[i] = f(times[i])
		}
		slope := 0.0
		for i := 1; i < rows; i++ {
			slope = max(slope, math.Abs((values[i]-values[i-1])/(times[i]-times[i-1])))
		}
		table, err := signal.NewTable(times, values)
		if err != nil {
			t.Fatal(err)
		}
		tether, err := particles.NewTethers(particles.Tether{Particle: 0,
			Anchor: particles.Path{signal.Constant(0), signal.Constant(0), table}, Stiffness: particles.Isotropic(k)})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(particles.Floors(1), tether)
		if err != nil {
			t.Fatal(err)
		}
		lowest := slices.Min(values) // presses most
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := boundRates(sys, make([]float64, 3), 1)
		runtime.ReadMemStats(&after)
		// 1e-14: rounding of a slope and of a product.
		if !got.certified || math.Abs(got.c1-k*slope) > 1e-14*k*slope ||
			math.Abs(got.rate[0]-k*slope) > 1e-14*k*slope || math.Abs(got.sigma[0]+k*min(lowest, 0)) > 1e-13 {
			t.Errorf("%s: c_1 %.17g, rate %.17g, force %.17g, want %.17g and %.17g", name, got.c1, got.rate[0],
				got.sigma[0], k*slope, -k*lowest)
		}
		// The times of breaks are copied some ten times while their list grows, 8 bytes each; both
		// ends of all intervals take 160 more.
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 120*rows {
			t.Errorf("%s: %d bytes allocated for %d rows", name, taken, rows)
		}
	}
}

// unknown is a user's term that says nothing about itself.
type unknown struct{}

func (unknown) Pattern(*particles.Pattern) {}

func (unknown) Value(float64, []float64) (e, rate float64) { return 0, 0 }

func (unknown) Gradient(_, _ []float64, _ float64, _ []float64) {}

func (unknown) Hessian(_ *particles.Hessian, _ float64, _ []float64) {}

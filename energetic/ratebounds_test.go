package energetic

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

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
		tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: drawPath(t), Stiffness: particles.Stiffness{2, 0.5, 0, 0.5, 1, 0, 0, 0, 3}})
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
			c1 = max(c1, norm2(r))
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
	stiffening, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{hook, signal.Constant(0), signal.Constant(0)}, Stiffness: particles.Isotropic(1), Stiffening: 1})
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

// TestRatesOfLongTables: of a table the largest slope and force are those of its rows, whether they come
// first, last or in between, and what is kept of its intervals are those that may have them.
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
		tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{signal.Constant(0), signal.Constant(0), table}, Stiffness: particles.Isotropic(k)})
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
		if !got.certified || math.Abs(got.c1-k*slope) > 1e-14*k*slope || math.Abs(got.rate[0]-k*slope) > 1e-14*k*slope || math.Abs(got.sigma[0]+k*min(lowest, 0)) > 1e-13 {
			t.Errorf("%s: c_1 %.17g, rate %.17g, force %.17g, want %.17g and %.17g", name, got.c1, got.rate[0], got.sigma[0], k*slope, -k*lowest)
		}
		// The times of breaks are copied some ten times while their list grows, 8 bytes each; both ends of all intervals take 160 more.
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 120*rows {
			t.Errorf("%s: %d bytes allocated for %d rows", name, taken, rows)
		}
	}
}

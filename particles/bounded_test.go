package particles_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// TestBounded: the bounds of every law lie below its values on a fine grid of random ranges, and
// are met there to the width of the grid; ½ g l² − c lies below φ everywhere.
func TestBounded(t *testing.T) {
	piecewise, err := particles.NewPiecewise([]float64{.5, 1, 2, 3}, []float64{-1, 2, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	falling, err := particles.NewPiecewise([]float64{1, 2}, []float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, c := falling.Growth(); !math.IsInf(c, 1) {
		t.Errorf("a law that falls without end has the growth offset %g", c)
	}
	laws := map[string]interface {
		particles.Law
		particles.Bounded
	}{
		"linear": particles.Linear{K: 2, Rest: .7}, "cubic": particles.Cubic{K: 1, K3: 3, Rest: 1.1},
		"morse":         particles.Morse{Depth: 2, Distance: 1, Decay: 3},
		"lennard-jones": particles.LennardJones{Depth: .5, Distance: 1}, "piecewise": piecewise,
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for name, law := range laws {
		g, c := law.Growth()
		for range 200 {
			a := 3 * rng.Float64()
			b := a + 3*rng.Float64()*rng.Float64()
			value, slope, curvature := law.Bounds(a, b)
			least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			const n = 2000
			for i := range n + 1 {
				l := a + (b-a)*float64(i)/n
				for k, v := range [3]float64{law.Value(l), law.D1(l), law.D2(l)} {
					least[k] = min(least[k], v)
				}
				if v := law.Value(l); v < g*l*l/2-c-1e-12*(1+math.Abs(v)) {
					t.Fatalf("%s: φ(%g) = %g is below its growth %g", name, l, v, g*l*l/2-c)
				}
			}
			for k, bound := range [3]float64{value, slope, curvature} {
				// Rounding of the two ways to compute it.
				size := 1e-12*(math.Abs(least[k])+math.Abs(bound)+1) + 0
				if bound > least[k]+size {
					t.Errorf("%s over [%g, %g]: bound %d is %.12g, the least value %.12g", name, a, b, k, bound, least[k])
				}
			}
		}
		if v, s, k := law.Bounds(0, math.Inf(1)); math.IsNaN(v) || math.IsNaN(s) || math.IsNaN(k) {
			t.Errorf("%s: bounds over all lengths are %g, %g, %g", name, v, s, k)
		}
	}
}

// TestPiecewise holds φ of the characteristic (1, 0), (1.5, 2), (2.5, −1), (3, 1): the wells at 1
// and 2.75 differ by the area below, 1/2 + 1/2 − 1/8.
func TestPiecewise(t *testing.T) {
	law, err := particles.NewPiecewise([]float64{1, 1.5, 2.5, 3}, []float64{0, 2, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ l, value, tension, slope float64 }{
		{1, 0, 0, 4}, {1.25, .125, 1, 4}, {.5, .5, -2, 4}, {2, .5 + 1 - 3*.125, .5, -3}, {2.75, .875, 0, 4}, {4, .875 + 2*1.25*1.25, 5, 4},
	} {
		if v, f, k := law.Value(x.l), law.D1(x.l), law.D2(x.l); math.Abs(v-x.value) > 1e-15 ||
			math.Abs(f-x.tension) > 1e-15 || k != x.slope {
			t.Errorf("at %g: %g, %g, %g, want %g, %g, %g", x.l, v, f, k, x.value, x.tension, x.slope)
		}
	}
	if r := law.Rests(); len(r) != 2 || math.Abs(r[0]-1) > 1e-12 || math.Abs(r[1]-2.75) > 1e-12 {
		t.Errorf("rests at %v, want 1 and 2.75", r)
	}
	for _, bad := range [][2][]float64{{{1}, {0}}, {{1, 1}, {0, 1}}, {{1, 2}, {0, math.NaN()}}, {{1, 2}, {0}}, {{0, 1e-300}, {0, 1e300}}} {
		if _, err := particles.NewPiecewise(bad[0], bad[1]); err == nil {
			t.Errorf("lengths %v, tensions %v are taken", bad[0], bad[1])
		}
	}
}

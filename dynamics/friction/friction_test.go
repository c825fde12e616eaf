package friction_test

import (
	"math"
	"testing"

	. "github.com/quasistatic/quasistatic/dynamics/friction"
	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"pgregory.net/rapid"
)

func laws(t *rapid.T) Law {
	kinetic := rapid.Float64Range(0, 1).Draw(t, "kinetic")
	static := kinetic + rapid.Float64Range(0, 1).Draw(t, "fall")
	switch rapid.IntRange(0, 2).Draw(t, "law") {
	case 0:
		return Jump{static, kinetic}
	case 1:
		return Stribeck{static, kinetic, rapid.Float64Range(.01, 10).Draw(t, "speed"), rapid.Float64Range(1, 6).Draw(t, "exponent")}
	}
	n := rapid.IntRange(2, 5).Draw(t, "n")
	l := Table{}
	v := rapid.Float64Range(0, 1).Draw(t, "first")
	for range n {
		l.Speeds, l.Coefficients = append(l.Speeds, v), append(l.Coefficients, rapid.Float64Range(0, 1).Draw(t, "mu"))
		v += rapid.Float64Range(.01, 1).Draw(t, "step")
	}
	return l
}

// TestSlope: no two speeds above zero have a steeper chord than Weakening says of the speeds between
// them, some have nearly one as steep, and all μ are within Bounds.
func TestSlope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := laws(t)
		if err := l.Validate(); err != nil {
			t.Fatal(err)
		}
		from := rapid.Float64Range(1e-3, 3).Draw(t, "from")
		to := from + rapid.Float64Range(.01, 3).Draw(t, "to")
		const n = 2000
		bound, steepest := l.Weakening(from, to), 0.0
		least, most := l.Bounds()
		for k := range n {
			v := from + (to-from)*float64(k)/n
			w := v + (to-from)/n
			steepest = max(steepest, (l.Mu(v)-l.Mu(w))/(w-v))
			if x := l.Mu(v); x < least-1e-12 || x > most+1e-12 {
				t.Fatalf("μ(%g) = %g is not between %g and %g", v, x, least, most)
			}
		}
		if steepest > bound*(1+1e-9)+1e-9 {
			t.Fatalf("%#v falls by %g a metre per second between %g and %g, bound %g", l, steepest, from, to, bound)
		}
		if _, smooth := l.(Stribeck); smooth && steepest < .9*bound-1e-6 {
			t.Fatalf("%#v falls by %g at most between %g and %g, bound %g", l, steepest, from, to, bound)
		}
	})
}

func TestRefused(t *testing.T) {
	nan := math.NaN()
	for _, l := range []Law{Jump{.3, .5}, Jump{nan, 0}, Jump{1, -1}, Jump{2e6, 1}, Stribeck{.5, .3, 0, 2}, Stribeck{.5, .3, 1, .5}, Stribeck{.5, .3, 1, nan}, Stribeck{.5, .3, math.Inf(1), 1},
		Table{}, Table{[]float64{0, 1}, []float64{1}}, Table{[]float64{0, 0}, []float64{1, 1}}, Table{[]float64{-1, 0}, []float64{1, 1}}, Table{[]float64{0, 1}, []float64{1, -1}}, Table{[]float64{0, nan}, []float64{1, 1}}} {
		if l.Validate() == nil {
			t.Errorf("%#v is accepted", l)
		}
	}
}

// TestNorm: no unit vector is stretched by more, and some by nearly as much.
func TestNorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.Float64Range(-1, 1), 9, 9).Draw(t, "w")
		norm, most := Norm(w, 3), 0.0
		for k := range 1000 {
			sin, cos := math.Sincos(math.Pi * float64(k) / 1000)
			most = max(most, math.Hypot(w[4]*cos+w[5]*sin, w[7]*cos+w[8]*sin))
		}
		if most > norm+1e-12 || most < .999*norm-1e-12 {
			t.Fatalf("%v: norm %g, largest of a thousand %g", w, norm, most)
		}
	})
	if x := Norm([]float64{1, 2, 3, -4}, 2); x != 4 {
		t.Errorf("in the plane %g, want 4", x)
	}
}

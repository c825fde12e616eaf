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
	switch rapid.IntRange(0, 4).Draw(t, "law") {
	case 4:
		return weakening(t).In(0, rapid.Float64Range(.01, 1).Draw(t, "h"))
	case 3:
		return aged(t)
	case 0:
		return Jump{static, kinetic}
	case 1:
		return Stribeck{static, kinetic, rapid.Float64Range(.01, 10).Draw(t, "speed"), rapid.Float64Range(1, 6).Draw(t, "exponent")}
	}
	return table(t)
}

// weakening draws friction over slip.
func weakening(t *rapid.T) Weakening {
	l := table(t)
	first := l.Speeds[0]
	for k := range l.Speeds {
		l.Speeds[k] -= first
	}
	return Weakening{l.Speeds, l.Coefficients}
}

func table(t *rapid.T) (l Table) {
	n := rapid.IntRange(2, 5).Draw(t, "n")
	v := rapid.Float64Range(0, 1).Draw(t, "first")
	for range n {
		l.Speeds, l.Coefficients = append(l.Speeds, v), append(l.Coefficients, rapid.Float64Range(0, 1).Draw(t, "mu"))
		v += rapid.Float64Range(.01, 1).Draw(t, "step")
	}
	return l
}

func aged(t *rapid.T) Aged {
	l := Ageing{rapid.Float64Range(0, 1).Draw(t, "mu0"), rapid.Float64Range(.005, .1).Draw(t, "a"), rapid.Float64Range(0, .2).Draw(t, "b"),
		rapid.Float64Range(1e-3, 1).Draw(t, "v0"), rapid.Float64Range(1e-3, 1).Draw(t, "length"), 1e-4, 1}
	return l.During(rapid.Float64Range(.01, 10).Draw(t, "theta"), rapid.Float64Range(1e-3, 1).Draw(t, "h"))
}

// TestAgeing: the state is the solution of dθ/dt = 1 − vθ/L, whatever the parts that its time is cut
// in, and steady sliding has μ₀ + (a − b) ln(v/v₀); Slope is dμ/dv.
func TestAgeing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := aged(t)
		v, h := rapid.Float64Range(0, 10).Draw(t, "v"), rapid.Float64Range(1e-6, 1).Draw(t, "time")
		whole, parts := l.Aged(l.Theta, v, h), l.Aged(l.Aged(l.Theta, v, .3*h), v, .7*h)
		if math.Abs(whole-parts) > 1e-12*whole {
			t.Fatalf("θ = %.17g in one part, %.17g in two", whole, parts)
		}
		const d = 1e-6
		if rate := (l.Aged(l.Theta, v, d) - l.Theta) / d; math.Abs(rate-(1-v*l.Theta/l.Length)) > 1e-3*(1+
			v*l.Theta/l.Length)*(1+v/l.Length) {
			t.Fatalf("dθ/dt = %g, want %g", rate, 1-v*l.Theta/l.Length)
		}
		v = rapid.Float64Range(.01, 1).Draw(t, "steady")
		steady := l.During(l.Length/v, l.Step)
		want := l.Reference + (l.Direct-l.Evolution)*math.Log(v/l.Speed)
		if want > 10*l.Direct && math.Abs(steady.Mu(v)-want) > 1e-8 {
			t.Fatalf("steady sliding at %g m/s has μ = %.10g, want %.10g", v, steady.Mu(v), want)
		}
		const dv = 1e-6
		if slope := (l.Mu(v*(1+dv)) - l.Mu(v*(1-dv))) / (2 * dv * v); math.Abs(slope-l.Slope(v)) > 1e-5*(l.Direct+l.Evolution)/v+1e-6 {
			t.Fatalf("dμ/dv = %.9g, Slope says %.9g", slope, l.Slope(v))
		}
	})
}

// TestCreep: with a normal impulse of 1 and v = max(0, c (μ* − μ)) the search finds the one speed of
// which friction is what leads to it, over twelve decades of speed, or that nothing slides.
func TestCreep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := aged(t)
		l.Rest = 1e-12
		c := math.Pow(10, rapid.Float64Range(-6, 0).Draw(t, "gain"))
		pull := rapid.Float64Range(0, 1.5).Draw(t, "pull")
		if c*l.Weakening(0, c*pull) >= .99 {
			t.Skip("several solutions")
		}
		var s Search
		s.Clear()
		s.Add(l, Start{Stuck: true})
		s.Open()
		for {
			mu := s.Mu(0)
			v := max(0, c*(pull-mu))
			s.Gain(0, c*rapid.Float64Range(1, 3).Draw(t, "bound"))
			s.See(0, v > 0, 1, min(mu, pull), [2]float64{v})
			outcome, _ := s.Next(1, 1e-11, 1e-8)
			if outcome == Lost {
				t.Fatalf("lost at μ = %.12g, v = %g of a pull of %g", mu, v, pull)
			}
			if outcome == Found {
				if v > 0 && math.Abs(l.Mu(v)-mu) > 1e-7 || v == 0 && pull > l.Mu(0)+1e-12 {
					t.Fatalf("found μ = %.12g at v = %g, where friction is %.12g", mu, v, l.Mu(v))
				}
				return
			}
		}
	})
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
	for _, l := range []Law{Jump{.3, .5}, Jump{nan, 0}, Jump{1, -1}, Jump{2e6, 1}, Stribeck{.5, .3, 0, 2},
		Stribeck{.5, .3, 1, .5}, Stribeck{.5, .3, 1, nan}, Stribeck{.5, .3, math.Inf(1), 1},
		Table{}, Table{[]float64{0, 1}, []float64{1}}, Table{[]float64{0, 0}, []float64{1, 1}},
		Table{[]float64{-1, 0}, []float64{1, 1}}, Table{[]float64{0, 1}, []float64{1, -1}}, Table{[]float64{0, nan}, []float64{1, 1}},
		Ageing{.4, 0, .1, 1, 1, 1, 1}, Ageing{.4, .1, -1, 1, 1, 1, 1}, Ageing{.4, .1, .1, 0, 1, 1, 1},
		Ageing{.4, .1, .1, 1, nan, 1, 1}, Ageing{.4, .1, .1, 1, 1, 0, 1}, Ageing{.4, .1, .1, 1, 1, 1, 0}} {
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

// TestRestBounds: what sticks up to a speed beyond 1 km/s has no more friction than Bounds says.
func TestRestBounds(t *testing.T) {
	l := Ageing{Reference: .4, Direct: .01, Evolution: 1.5e-5, Speed: 1e9, Length: 1e-4, Rest: 1e6, Start: 1e-13}
	for _, law := range []Law{l, l.During(0, 1)} {
		if _, most := law.Bounds(); !(law.Mu(0) <= most) {
			t.Errorf("%T: μ(0) = %g, Bounds says %g at most", law, law.Mu(0), most)
		}
	}
}

// TestWeakening: the slip of a contact is that of all parts of its way, friction in a step is that of the
// middle of the slip, and Weakening bounds how it falls with the speed.
func TestWeakening(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := weakening(t)
		x := Table{l.Ways, l.Coefficients}
		if err := l.Validate(); err != nil {
			t.Fatal(err)
		}
		v, h := rapid.Float64Range(0, 3).Draw(t, "v"), rapid.Float64Range(.01, 1).Draw(t, "h")
		slipped := l.After(l.After(0, v, .3*h), v, .7*h)
		if got, want := l.In(slipped, 0).Mu(9), x.Mu(v*h); math.Abs(got-want) > 1e-9 {
			t.Fatalf("slipped %g m: μ = %g, want %g", v*h, got, want)
		}
		step := l.In(slipped, h)
		if got, want := step.Mu(v), x.Mu(1.5*v*h); math.Abs(got-want) > 1e-9 {
			t.Fatalf("in a step: μ = %g, want %g", got, want)
		}
		w := v + rapid.Float64Range(.01, 3).Draw(t, "faster")
		if falls, most := (step.Mu(v)-step.Mu(w))/(w-v), step.Weakening(v, w); falls > most+1e-9 {
			t.Fatalf("it falls by %g s/m between %g and %g m/s, Weakening says %g", falls, v, w, most)
		}
	})
}

// TestLift: of a contact that slides along a line with friction μN against it, what a sway takes off its slip is that along
// the surface, and [Lift.Slips] for that along the normal, whatever its block of W is.
func TestLift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Float64Range(-1, 1)
		l := [3]float64{rapid.Float64Range(.2, 2).Draw(t, "l"), draw.Draw(t, "c"), rapid.Float64Range(.2, 2).Draw(t, "m")}
		w := [9]float64{l[0] * l[0], l[0] * l[1], l[0] * l[1], l[1]*l[1] + l[2]*l[2]}
		mu, way := rapid.Float64Range(0, 2).Draw(t, "mu"), float64(1-2*rapid.IntRange(0, 1).Draw(t, "way"))
		effective := w[0] - mu*way*w[1]
		if effective < .01 {
			t.Skip("Painlevé")
		}
		slip := func(normal, along float64) float64 { // of speeds without force
			force := -normal / effective
			return way * (along + (w[2]-mu*way*w[3])*force)
		}
		b, e := [2]float64{draw.Draw(t, "normal"), draw.Draw(t, "along")}, [2]float64{draw.Draw(t, "lift"), draw.Draw(t, "sway")}
		x := Lift{Sway: e[0], W: w, Dim: 2}
		got, want := way*e[1]+x.Slips(mu, [2]float64{way}), slip(b[0], b[1])-slip(b[0]-e[0], b[1]-e[1])
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("%g, want %g", got, want)
		}
	})
}

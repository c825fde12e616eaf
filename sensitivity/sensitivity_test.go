package sensitivity_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sensitivity"
	"github.com/quasistatic/quasistatic/signal"
)

// one is a particle on a spring diag(kt, kt, kn) with friction.
type one struct {
	mu, kt, kn float64
	x, z       signal.Scalar
	until      float64
}

func (c one) plane() (*events.Plane, error) {
	e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.Path{c.x, signal.Constant(0), c.z},
		Stiffness: particles.Diagonal(c.kt, c.kt, c.kn)})
	if err != nil {
		return nil, err
	}
	sys, err := particles.NewSystem(particles.Floors(1), e)
	if err != nil {
		return nil, err
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: c.mu}})
	if err != nil {
		return nil, err
	}
	return events.NewPlane(psi, make([]float64, 3), c.until)
}

func sine(offset, amplitude, frequency float64) signal.Scalar {
	s, err := signal.NewSine(offset, amplitude, frequency, 0)
	if err != nil {
		panic(err)
	}
	return s
}

func table(times []float64, values ...float64) signal.Scalar {
	s, err := signal.NewTable(times, values)
	if err != nil {
		panic(err)
	}
	return s
}

// walk walks a family at p to a time.
func walk(t *testing.T, f sensitivity.Family, p, until float64) *sensitivity.Walk {
	t.Helper()
	w, err := sensitivity.New(f, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Integrate(context.Background(), events.Dual{V: until}, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// is fails where value or derivative are off by more than a tolerance.
func is(t *testing.T, name string, got events.Dual, value, derivative, tolerance float64) {
	t.Helper()
	if !(math.Abs(got.V-value) <= tolerance) || !(math.Abs(got.D-derivative) <= tolerance) {
		t.Errorf("%s: %.15g, derivative %.15g, want %.15g and %.15g", name, got.V, got.D, value, derivative)
	}
}

// play is example 1a.
var play = one{mu: .4, kt: 2, kn: 5, x: sine(0, 1, 1), z: sine(-.3, 0, 1), until: 2}

// TestPlay: D(1) = 4μNU − 5(μN)²/k, D(2) = D(1) + 4μN(U − μN/k), with N = 1.5, U = 1; by μ
// and by k.
func TestPlay(t *testing.T) {
	const n, k = 1.5, 2.
	byMu := func(mu float64) (*events.Plane, error) { c := play; c.mu = mu; return c.plane() }
	is(t, "D(1)", walk(t, byMu, .4, 1).Dissipation(), 1.5, 4*n-10*.4*n*n/k, 1e-12)
	is(t, "D(2)", walk(t, byMu, .4, 2).Dissipation(), 3.18, 8*n-18*.4*n*n/k, 1e-12)
	byK := func(k float64) (*events.Plane, error) { c := play; c.kt = k; return c.plane() }
	is(t, "D(2) by k", walk(t, byK, 2, 2).Dissipation(), 3.18, 9*.36/4, 1e-12) // (μN)² = .36
	// In the slip from the turn at t = ¼ the place is u + μN/k; sticking it is ∓(U − μN/k).
	is(t, "x(.65) by k", walk(t, byK, 2, .65).Position(0)[0], math.Sin(1.3*math.Pi)+.3, -.6/4, 1e-12)
	is(t, "x(.3) by k", walk(t, byK, 2, .3).Position(0)[0], .7, .6/4, 1e-12)
	// Slip until μN/k reaches 1: μ = 4/3, and for no friction the events are gone.
	r, err := sensitivity.Interval(context.Background(), byMu, .4, 2, 0)
	if err != nil || math.Abs(r.Hi-2./3) > 1e-8 && math.Abs(r.Hi-4./3) > 1e-8 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestBoundOfParameter: where the case has a bound, the interval ends at it, to the bit, with the
// fault of a number that can be read.
func TestBoundOfParameter(t *testing.T) {
	for _, c := range []struct{ lo, hi, want float64 }{{0, 9, 0}, {.3, .5, .3}} {
		f := func(mu float64) (*events.Plane, error) {
			if !(mu >= c.lo && mu <= c.hi) {
				return nil, fmt.Errorf("found %g, want [%g, %g]", mu, c.lo, c.hi)
			}
			g := play
			g.mu = mu
			return g.plane()
		}
		r, err := sensitivity.Interval(context.Background(), f, .4, 2, 0)
		if err != nil || r.Lo != c.want || r.Below == nil || r.Below.Err == nil {
			t.Fatalf("%+v, %v: want the lower end %g", r, err, c.want)
		}
		if text := r.Below.Text(nil); !strings.HasPrefix(text, fmt.Sprintf("found %g,", c.want-.4e-3)) {
			t.Errorf("below %g: %q", c.want, text)
		}
		if c.hi < 2./3 && r.Hi != c.hi {
			t.Errorf("the upper end is %.17g, want %g", r.Hi, c.hi)
		}
	}
}

// TestGrazing: the particle slips from t_s on, 2·0.5 t = μ·1.5 sin 2πt, to lift-off at t =
// ½ at the place .25: dD/dμ is that of D = ∫ μN dx, by differences of the closed integral.
func TestGrazing(t *testing.T) {
	c := one{kt: 2, kn: 5, x: table([]float64{0, 2}, 0, 1), z: sine(0, -.3, 1), until: 2}
	f := func(mu float64) (*events.Plane, error) { g := c; g.mu = mu; return g.plane() }
	// With μN/k = (3/4)μ sin 2πt and x = t/2 − (3/4)μ sin 2πt: D = ∫ 1.5 μ sin(2πt) (½ − 1.5πμ cos
	// 2πt) dt.
	onset := func(mu float64) float64 {
		lo, hi := .26, .49
		for range 100 {
			if m := (lo + hi) / 2; m < 1.5*mu*math.Sin(2*math.Pi*m) {
				lo = m
			} else {
				hi = m
			}
		}
		return lo
	}
	ts := onset(.4)
	s, co := math.Sincos(2 * math.Pi * ts)
	d := func(mu float64) float64 { return 1.5*mu*(1+co)/(4*math.Pi) - 1.5*1.5*mu*mu*math.Pi*(-s*s)/(4*math.Pi) }
	// The integrand vanishes at neither end for the velocity, but ẋ is 0 before t_s: D_μ has
	// the term −g(t_s) dt_s/dμ.
	slope := 1.5*(1+co)/(4*math.Pi) + 2*1.5*1.5*.4*s*s/4
	g := 1.5 * .4 * s * (.5 - 1.5*math.Pi*.4*co)
	dts := 1.5 * s / (1 - 1.5*.4*2*math.Pi*co)
	w := walk(t, f, .4, .8)
	is(t, "D", w.Dissipation(), d(.4), slope-g*dts, 1e-12)
	is(t, "x in the air", w.Position(0)[0], .4, 0, 1e-13)
	// as printed
	is(t, "x in slip", walk(t, f, .4, .45).Position(0)[0], .1322949017, -.75*math.Sin(.9*math.Pi), 5e-11)
}

// chain is example 4: eight particles, the spring's end moves by u = t.
func chain(mu, k, load, knot float64) (*events.Plane, error) {
	const n = 8
	z0 := make([]float64, 3*n)
	var bonds []particles.Bond
	var loads []particles.Load
	list := make([]dissipation.Matrix, n)
	for j := range n {
		z0[3*j] = -float64(j)
		list[j] = dissipation.Isotropic{Mu: mu}
		if j > 0 {
			bonds = append(bonds, particles.Bond{I: j - 1, J: j, Stiffness: particles.Isotropic(k)})
		}
		loads = append(loads, particles.Load{Particle: j, Force: particles.At(0, 0, -load)})
	}
	a, err := particles.NewTethers(particles.Tether{Particle: 0,
		Anchor:    particles.Path{table([]float64{0, knot, 40}, 0, knot, 0), signal.Constant(0), signal.Constant(0)},
		Stiffness: particles.Isotropic(k)})
	if err != nil {
		return nil, err
	}
	b, err := particles.NewBonds(z0, bonds...)
	if err != nil {
		return nil, err
	}
	l, err := particles.NewLoads(loads...)
	if err != nil {
		return nil, err
	}
	sys, err := particles.NewSystem(particles.Floors(n), a, b, l)
	if err != nil {
		return nil, err
	}
	psi, err := dissipation.New(sys, list)
	if err != nil {
		return nil, err
	}
	return events.NewPlane(psi, z0, 40)
}

// TestChain: at u = 20 all slide with x_i = u − (f/k)(8i − i(i−1)/2), f = μW; and D = f Σ x_i.
func TestChain(t *testing.T) {
	const load, k, u = 2.5, 2., 20.
	sum := 0.0 // of 8i − i(i−1)/2
	for i := 1.; i <= 8; i++ {
		sum += 8*i - i*(i-1)/2
	}
	f := func(mu float64) (*events.Plane, error) { return chain(mu, k, load, 20) }
	w := walk(t, f, .4, 20)
	is(t, "D by μ", w.Dissipation(), 8*u-sum/k, load*(8*u-2*sum/k), 1e-11) // of 160 J
	is(t, "x_8 by μ", w.Position(7)[0], 2-7, -load*36/k, 1e-12)
	is(t, "T by μ", w.Friction(4)[0], -1, -load, 1e-12)
	byK := func(k float64) (*events.Plane, error) { return chain(.4, k, load, 20) }
	is(t, "x_8 by k", walk(t, byK, k, 20).Position(7)[0], 2-7, 36/(k*k), 1e-12)
	// The order of events: the eighth must start before u = 20, (f/k)·36 < 20.
	r, err := sensitivity.Interval(context.Background(), f, .4, 20, 0)
	if hi := 20 * k / 36 / load; err != nil || math.Abs(r.Hi-hi) > 1e-8 {
		t.Errorf("%+v, %v, want up to %g", r, err, hi)
	}
}

// TestKnot: p moves a kink of the loads. With the turn at u = p, the chain rests there and
// its first particle starts back when u has come back by 2f·1/k·… : its place at a time
// before is that of the turn, x_1(p) = p − (8f)/k.
func TestKnot(t *testing.T) {
	f := func(p float64) (*events.Plane, error) { return chain(.4, 2, 2.5, p) }
	w := walk(t, f, 20, 20.5)
	is(t, "x_1", w.Position(0)[0], 16, 1, 1e-12)
	// Back with the speed p/(40 − p) = 1: the first starts when k Δu = 2f, Δu = 1 = (t − p)p/(40 −
	// p).
	var started events.Dual
	w, err := sensitivity.New(f, 20, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Integrate(context.Background(), events.Dual{V: 22}, func() error {
		for _, e := range w.Changes() {
			if e.To == events.SlipBackward && e.Contact == 0 {
				started = e.Time
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	is(t, "start", started, 21, 1+(-1*20-20)/400., 1e-12) // t = p + (40 − p)/p
}

// TestDifferences: derivatives are those that central differences show inside the range.
func TestDifferences(t *testing.T) {
	at := func(mu float64) *sensitivity.Walk {
		c := one{mu: mu, kt: 2, kn: 5, x: sine(0, 1, 1), z: sine(-.3, -.15, 2), until: 2}
		return walk(t, func(p float64) (*events.Plane, error) { g := c; g.mu = p; return g.plane() }, mu, 1.9)
	}
	const h = 1e-4
	w, a, b := at(.4), at(.4+h), at(.4-h)
	for _, q := range []struct {
		name string
		of   func(w *sensitivity.Walk) events.Dual
	}{
		{"D", func(w *sensitivity.Walk) events.Dual { return w.Dissipation() }},
		{"E", func(w *sensitivity.Walk) events.Dual { return w.Energy() }},
		{"W", func(w *sensitivity.Walk) events.Dual { return w.Work() }},
		{"x", func(w *sensitivity.Walk) events.Dual { return w.Position(0)[0] }},
	} {
		d := (q.of(a).V - q.of(b).V) / (2 * h)
		// h² of the third derivative
		if got := q.of(w).D; math.Abs(got-d) > 1e-7*max(1, math.Abs(d)) {
			t.Errorf("%s: %.12g, differences say %.12g", q.name, got, d)
		}
	}
	if e := w.Balance(); math.Abs(e.V) > 1e-13 || math.Abs(e.D) > 1e-12 {
		t.Errorf("(E) and its derivative: %v", e)
	}
}

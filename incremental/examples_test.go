package incremental_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// march runs an example in n equal steps and calls visit at every node, the
// start included.
func march(t testing.TB, ex reference.Example, n int, o incremental.Options,
	visit func(k int, s *incremental.Stepper)) *incremental.Stepper {
	t.Helper()
	s, err := incremental.New(ex.Psi, 0, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	if visit != nil {
		visit(0, s)
	}
	for k := 1; k <= n; k++ {
		if err := s.Step(context.Background(), ex.Until*float64(k)/float64(n)); err != nil {
			t.Fatal(err)
		}
		if st := s.Stats(); st.Residual > 1e-12 || st.FellBack {
			t.Fatalf("step %d: %+v", k, st)
		}
		if visit != nil {
			visit(k, s)
		}
	}
	return s
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g ± %g (off by %.3g)", what, got, want, tol, got-want)
	}
}

// exact is the tolerance for solutions that the scheme meets at every node: the
// solver's 1e-12 of the forces over the stiffness, accumulated once.
const exact = 1e-12

func TestPlayIsExact(t *testing.T) {
	x := 0.0
	march(t, reference.Play(), 800, incremental.Options{}, func(k int, s *incremental.Stepper) {
		u := math.Sin(2 * math.Pi * s.Time())
		x = min(max(x, u-0.3), u+0.3)
		near(t, "x", s.State()[0], x, exact)
		if k > 0 && s.State()[2] != 0 {
			t.Fatalf("height %g", s.State()[2])
		}
	})
}

func TestChainIsExact(t *testing.T) {
	ex := reference.Chain(8, 20)
	march(t, ex, 400, incremental.Options{}, func(_ int, s *incremental.Stepper) {
		u, n := s.Time(), 0
		for m := 1; m <= 8 && u > float64(m*(m+1))/4; m++ { // onset u*_m = (f/k) m(m+1)/2
			n = m
		}
		t0 := (2*u + float64(n*(n+1))/2) / float64(n+1)
		if n == 8 {
			t0 = 8
		}
		for i := range 8 {
			want := 0.0
			if m := float64(i + 1); i < n {
				want = u - (m*t0-m*(m-1)/2)/2
			}
			near(t, "displacement", s.State()[3*i]-ex.Start[3*i], want, exact*20)
		}
	})
	// The table of the reference sheet.
	s := march(t, reference.Chain(8, 4.2), 84, incremental.Options{}, nil)
	for i, want := range []float64{2.4, 1.1, 0.3, 0, 0, 0, 0, 0} {
		near(t, "x(4.2)", s.State()[3*i]-ex.Start[3*i], want, exact*10)
	}
}

func grazingExact(t float64) float64 {
	const slip = 0.388060280994
	switch {
	case t <= slip:
		return 0
	case t <= 0.5:
		return 0.5*t - 0.3*math.Sin(2*math.Pi*t)
	case t <= 1:
		return 0.5 * t
	case t <= 1+slip:
		return 0.5
	case t <= 1.5:
		return 0.5*t - 0.3*math.Sin(2*math.Pi*t)
	}
	return 0.5 * t
}

func supError(t *testing.T, ex reference.Example, n int, o incremental.Options, exact func(t float64) float64) float64 {
	sup := 0.0
	march(t, ex, n, o, func(_ int, s *incremental.Stepper) { sup = max(sup, math.Abs(s.State()[0]-exact(s.Time()))) })
	return sup
}

func TestGrazingOrders(t *testing.T) {
	// Without γ: first order. The ratio of halving tends to 2.
	last := 0.0
	for _, n := range []int{400, 800, 1600, 3200} {
		e := supError(t, reference.Grazing(), n, incremental.Options{}, grazingExact)
		t.Logf("n = %d: error %.3e, ratio %.3f", n, e, last/e)
		if last > 0 && (last/e < 1.8 || last/e > 2.2) {
			t.Errorf("n = %d: ratio %g, want 2", n, last/e)
		}
		last = e
	}
	// As h → 0 at fixed γ the error is (μ/kt)γ = 0.2γ; the rest is O(h).
	const gamma = 1e-2
	o := incremental.Options{Rule: dissipation.Rule{Gamma: gamma}}
	e := supError(t, reference.Grazing(), 20000, o, grazingExact)
	near(t, "error at fixed γ", e, 0.2*gamma, 0.2*gamma*0.1)
	near(t, "x(.4)", grazingExact(0.4), 0.0236644243, 1e-10)
}

func klarbringExact(t float64) float64 {
	switch {
	case t <= 1.5:
		return 0
	case t <= 2:
		return 4 * (t - 1.5)
	}
	return (t - 0.25) / 0.875 // in the air: stiffness [[1, −.5], [−.5, 2]], force (t, −1)
}

func TestKlarbring(t *testing.T) {
	// Lagged thresholds err by 36h on [1.5, 2], implicit ones not at all.
	for _, n := range []int{300, 600, 1200} {
		sup := 0.0
		march(t, reference.Klarbring(1.5), n, incremental.Options{}, func(_ int, s *incremental.Stepper) {
			if s.Time() <= 2 {
				sup = max(sup, math.Abs(s.State()[0]-klarbringExact(s.Time())))
			}
		})
		t.Logf("lagged, n = %d: error %.4g = %.4g h", n, sup, sup*float64(n)/3)
		sup = supError(t, reference.Klarbring(1.5), n, incremental.Options{Threshold: incremental.Implicit}, klarbringExact)
		t.Logf("implicit, n = %d: error %.3g", n, sup)
		if sup > 1e-10 {
			t.Errorf("implicit thresholds err by %g", sup)
		}
	}
	s := march(t, reference.Klarbring(1.5), 300, incremental.Options{Threshold: incremental.Implicit}, nil)
	near(t, "x(3)", s.State()[0], 22./7, 1e-10)
	near(t, "w(3)", s.State()[2], 2./7, 1e-10)
}

func TestAnisotropic(t *testing.T) {
	s := march(t, reference.Anisotropic(), 30000, incremental.Options{}, nil)
	t.Log(s.State())
}

func rippleExact(t, wavelength float64) float64 { // u = x + (N/k)μ(x), by bisection
	lo, hi := 0.0, 3.0
	for range 200 {
		x := (lo + hi) / 2
		if x+0.75*0.4*(1+0.3*math.Sin(2*math.Pi*x/wavelength)) < 3*t {
			lo = x
		} else {
			hi = x
		}
	}
	return max(lo, 0)
}

func TestRipple(t *testing.T) {
	for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		e := supError(t, reference.Ripple(2), 400, incremental.Options{Threshold: mode},
			func(x float64) float64 { return rippleExact(x, 2) })
		t.Log(mode, e)
	}
	near(t, "x(.5)", rippleExact(0.5, 2), 1.2669334921, 1e-10)
}

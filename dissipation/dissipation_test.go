package dissipation_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/particles"
)

// small draws a number of moderate size.
func small(t *rapid.T, name string) float64 { return rapid.Float64Range(-3, 3).Draw(t, name) }

// matrix draws a friction matrix of any kind.
func matrix(t *rapid.T) dissipation.Matrix {
	axis := func() [2]float64 {
		angle := rapid.Float64Range(0, 7).Draw(t, "angle")
		return [2]float64{math.Cos(angle), math.Sin(angle)}
	}
	var m dissipation.Matrix = dissipation.Isotropic{Mu: rapid.Float64Range(0, 2).Draw(t, "mu")}
	var err error
	if rapid.Bool().Draw(t, "orthotropic") {
		mu := [2]float64{rapid.Float64Range(0, 2).Draw(t, "mu1"), rapid.Float64Range(0, 2).Draw(t, "mu2")}
		if m, err = dissipation.NewOrthotropic(mu, axis()); err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(t, "rippled") {
		if m, err = dissipation.NewRippled(m, 0.7, 1.3, axis(), small(t, "offset")); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestMatrixDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, x, y := matrix(t), small(t, "x"), small(t, "y")
		var d [2][4]float64
		m.At(x, y, &d)
		const h = 1e-5
		for dir, e := range [2][2]float64{{h, 0}, {0, h}} {
			a, b := m.At(x+e[0], y+e[1], nil), m.At(x-e[0], y-e[1], nil)
			for k := range a {
				// Central differences: h²/6·|S'''| <= 2e-11·(2π/1.3)³ and roundoff 1e-16/h.
				if got := (a[k] - b[k]) / (2 * h); math.Abs(got-d[dir][k]) > 1e-8 {
					t.Fatalf("∂S/∂z_%d[%d] = %g, differences say %g", dir+1, k, d[dir][k], got)
				}
			}
		}
	})
}

// two particles on tethers: the first touches, the second hovers.
func two(t testing.TB, m dissipation.Matrix) *dissipation.Coulomb {
	tethers, err := particles.NewTethers(
		particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(2)},
		particles.Tether{Particle: 1, Anchor: particles.At(0, 0, 1), Stiffness: particles.Isotropic(2)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := particles.NewSystem(particles.Floors(2), tethers)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(s, []dissipation.Matrix{m, m})
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// TestFunctional: Ψ is positively homogeneous and subadditive in v, vanishes off
// the obstacle, and is the support function of its forces.
func TestFunctional(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		psi := two(nil, matrix(t))
		z := []float64{small(t, "x"), small(t, "y"), 0, 0, 0, 1}
		grad := make([]float64, 6)
		psi.System.Gradient(grad, nil, 0, z)
		v, w := make([]float64, 6), make([]float64, 6)
		sum, scaled := make([]float64, 6), make([]float64, 6)
		c := rapid.Float64Range(0, 5).Draw(t, "c")
		for i := range v {
			v[i], w[i] = small(t, "v"), small(t, "w")
			sum[i], scaled[i] = v[i]+w[i], c*v[i]
		}
		value := func(v []float64) float64 { return psi.Value(0, grad, z, v) }
		eps := 1e-13 * (1 + c) * 100 // a few roundings of numbers up to 100
		if math.Abs(value(scaled)-c*value(v)) > eps {
			t.Fatalf("Ψ(cv) = %g, cΨ(v) = %g", value(scaled), c*value(v))
		}
		if value(sum) > value(v)+value(w)+eps {
			t.Fatalf("Ψ(v + w) = %g > %g", value(sum), value(v)+value(w))
		}
		f := psi.Force(0, 0, z, v)
		if power := 2 * (f[0]*v[0] + f[1]*v[1]); math.Abs(power-value(v)) > eps { // σ = 2
			t.Fatalf("σ ∂Ψ·v = %g, Ψ = %g", power, value(v))
		}
		if a, b := psi.Excess(0, 0, 2, z, [2]float64{2 * f[0], 2 * f[1]}); math.Hypot(a, b) > 1e-6*(1+math.Hypot(f[0], f[1])) {
			t.Fatalf("∂Ψ is not in its own ellipse: off by %g, %g", a, b) // 1e-6: flat ellipses
		}
		z[2] = 1e-300
		if value(v) != 0 {
			t.Fatal("friction in the air")
		}
	})
}

// TestRestricted: Ψ_{K,γ} is monotone in K and decreasing in γ, and between
// Ψ − γ‖M‖‖v‖ and Ψ, (5.3).
func TestRestricted(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.5})
	z, v := []float64{0, 0, 0, 0, 0, 0}, []float64{3, 4, 7, 0, 1, 0}
	grad := []float64{0, 0, 2, 0, 0, 1}
	for _, c := range []struct {
		rule  dissipation.Rule
		k, in []bool
		want  float64
	}{
		{dissipation.Rule{}, nil, nil, 2*0.5*5 + 0.5},
		{dissipation.Rule{}, []bool{true, false}, nil, 5},
		{dissipation.Rule{}, []bool{false, false}, nil, 0},
		{dissipation.Rule{Gamma: 0.5}, nil, nil, 1.5*0.5*5 + 0.25},
		{dissipation.Rule{Gamma: 1.5}, nil, nil, 0.5 * 0.5 * 5},
		{dissipation.Rule{Gamma: 0.5, Policy: dissipation.SwitchingOnly}, nil, []bool{false, true}, 5 + 0.25},
		{dissipation.Rule{Gamma: 0.5, Policy: dissipation.SwitchingOnly}, nil, nil, 5.5},
		{dissipation.Rule{Gamma: 0.5, Policy: dissipation.Blend}, nil, nil, 1.875*0.5*5 + 0.3125},
		{dissipation.Rule{Gamma: 0.1, Policy: dissipation.Blend}, nil, nil, 5.5}, // σ >= 5γ: unchanged
	} {
		if got := psi.Restricted(c.rule, c.k, c.in, 0, grad, z, v); math.Abs(got-c.want) > 1e-15*10 {
			t.Errorf("%+v, K = %v, I_s = %v: %g, want %g", c.rule, c.k, c.in, got, c.want)
		}
	}
	if got := psi.Value(0, grad, z, v); got != 5.5 {
		t.Errorf("Ψ = %g", got)
	}
}

// TestRule: thresholds are continuous, increasing and within γ of σ_+.
func TestRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := dissipation.Rule{Gamma: rapid.Float64Range(0, 2).Draw(t, "gamma"),
			Policy: dissipation.Policy(rapid.IntRange(0, 2).Draw(t, "policy"))}
		s, ds, in := small(t, "sigma"), rapid.Float64Range(0, 1).Draw(t, "dsigma"), rapid.Bool().Draw(t, "switching")
		a, b := r.Threshold(s, in), r.Threshold(s+ds, in)
		if b < a || b-a > 1.25*ds+1e-15 { // the slope of the blend is m/(m−1) = 1.25
			t.Fatalf("%+v: threshold %g at %g, %g at %g", r, a, s, b, s+ds)
		}
		if a > max(s, 0) || a < max(s-r.Gamma, 0) {
			t.Fatalf("%+v: threshold %g at %g", r, a, s)
		}
	})
}

// TestLaw: the contact law of a particle dissipates what Ψ does.
func TestLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		psi := two(nil, matrix(t))
		z, v := []float64{small(t, "x"), small(t, "y"), 0, 0, 0, 0}, []float64{small(t, "vx"), small(t, "vy"), 0, 0, 0, 0}
		var law contact.Tresca
		psi.Law(&law, 0, 0, 1.5, z)
		got := law.Support(&[3]float64{0, v[0], v[1]})
		if want := 1.5 * psi.Norm(0, 0, z, v); math.Abs(got-want) > 1e-13 {
			t.Fatalf("law %g, Ψ %g", got, want)
		}
		if psi.Law(&law, 0, 0, 0, z); law.Threshold != 0 {
			t.Fatal("a contact without force has friction")
		}
	})
}

func TestErrors(t *testing.T) {
	iso := dissipation.Isotropic{Mu: 1}
	ripple, err := dissipation.NewRippled(iso, 0.5, 1, [2]float64{1, 0}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []func() error{
		func() error { _, err := dissipation.NewIsotropic(-1); return err },
		func() error { _, err := dissipation.NewIsotropic(math.NaN()); return err },
		func() error { _, err := dissipation.NewOrthotropic([2]float64{1, -1}, [2]float64{1, 0}); return err },
		func() error {
			_, err := dissipation.NewOrthotropic([2]float64{math.Inf(1), 1}, [2]float64{1, 0})
			return err
		},
		func() error { _, err := dissipation.NewOrthotropic([2]float64{1, 1}, [2]float64{}); return err },
		func() error { _, err := dissipation.NewRippled(iso, 1, 1, [2]float64{1, 0}, 0); return err },
		func() error { _, err := dissipation.NewRippled(iso, 0.5, 0, [2]float64{1, 0}, 0); return err },
		func() error { _, err := dissipation.NewRippled(iso, 0.5, 1e-320, [2]float64{1, 0}, 0); return err },
		func() error { _, err := dissipation.NewRippled(iso, 0.5, 1, [2]float64{0, 0}, 0); return err },
		func() error { _, err := dissipation.NewRippled(iso, 0.5, 1, [2]float64{1, 0}, math.NaN()); return err },
		func() error { _, err := dissipation.NewRippled(ripple, 0.5, 1, [2]float64{1, 0}, 0); return err },
		func() error { return dissipation.Rule{Gamma: -1}.Validate() },
		func() error { return dissipation.Rule{Gamma: math.NaN()}.Validate() },
	} {
		if f() == nil {
			t.Errorf("case %d: no error", i)
		}
	}
}

func Example() {
	tethers, _ := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -0.3),
		Stiffness: particles.Diagonal(2, 2, 5)})
	system, _ := particles.NewSystem(particles.Floors(1), tethers)
	psi, _ := dissipation.New(system, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}})
	z, grad := make([]float64, 3), make([]float64, 3)
	system.Gradient(grad, nil, 0, z)
	fmt.Printf("pressed with %.1f N, sliding by 0.1 m dissipates %.2f J\n", grad[2], psi.Value(0, grad, z, []float64{0.1, 0, 0}))
	// Output: pressed with 1.5 N, sliding by 0.1 m dissipates 0.06 J
}

// TestSize: the root mean square of the singular values, also of a turned matrix and
// of one that is no multiple of an orthogonal one; μ of an isotropic one.
func TestSize(t *testing.T) {
	sys, err := particles.NewSystem(particles.Floors(3))
	if err != nil {
		t.Fatal(err)
	}
	straight, err := dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	turned, err := dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{math.Cos(0.7), math.Sin(0.7)})
	if err != nil {
		t.Fatal(err)
	}
	isotropic, err := dissipation.NewIsotropic(0.3)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{straight, turned, isotropic})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{math.Sqrt(0.2), math.Sqrt(0.2), 0.3} { // (0.04 + 0.36)/2
		if got := psi.Size(0, j, make([]float64, 9)); math.Abs(got-want) > 1e-15 {
			t.Errorf("particle %d: %.17g, want %.17g", j, got, want)
		}
	}
}

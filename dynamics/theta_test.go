package dynamics

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// slider is the point mass of reference/dynamics.md, section 3: m = 1 on the
// floor z = 0 under F = (1, .5, −9.81), one lumped element.
type slider struct {
	patch  *Patch
	planar bool // no force along y
}

func (s *slider) Size() (nq, nv, dim int)   { return 3, 3, 3 }
func (s *slider) Mass(m *Mass, q []float64) { m.Block(3, 1, 0, 0, 0, 1, 0, 0, 0, 1) }
func (s *slider) Force(f []float64, t float64, q, v []float64) {
	f[0], f[1], f[2] = 1, .5, -9.81
	if s.planar {
		f[1] = 0
	}
}
func (s *slider) Contacts(c *Contacts, q []float64) {
	c.Begin(0, s.patch)
	c.Element(q[2])
	c.Row(0, 0, 1, 0)
	c.Row(1, 0, 0, 1)
	c.Row(2, 1, 0, 0)
}

var sliders = map[string]struct{ k, c []float64 }{
	"A": {[]float64{2000, 1000, 1000}, []float64{40, 20, 20}},
	"B": {[]float64{2000, 1000, 600}, []float64{40, 20, 30}},
}

func newSlider(t testing.TB, name string, law contact.Law, v0 []float64, o Options) *Stepper {
	t.Helper()
	p, err := NewLumped(law, sliders[name].k, sliders[name].c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStepper(&slider{patch: p}, make([]float64, 3), v0, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t testing.TB, s *Stepper, h float64, steps int) *State {
	t.Helper()
	for range steps {
		if err := s.Step(context.Background(), h); err != nil {
			t.Fatal(err)
		}
	}
	return s.State()
}

// near fails if got differs from want by more than half a unit of the last
// digit that the reference prints, and a little rounding.
func near(t *testing.T, what string, got, want, unit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 0.51*unit) {
		t.Errorf("%s = %.14g, want %.14g to %g", what, got, want, unit)
	}
}

// TestThetaTable holds the table of reference/dynamics.md, section 3.
func TestThetaTable(t *testing.T) {
	cone, pyramid := contact.Coulomb{Mu: .3}, contact.Pyramid{Mu: .3}
	for _, c := range []struct {
		name  string
		theta float64
		law   contact.Law
		x, y  float64
		unit  float64
	}{
		{"A", 0, cone, .2645135320, -.0560788337, 1e-10},
		{"A", .5, cone, .2697874560, -.0572254554, 1e-10},
		{"A", 0, pyramid, .25189018, -.01918092, 1e-8},
		{"B", 0, cone, .2643466702, -.0558307658, 1e-10},
		{"B", .5, cone, .2696073554, -.0570049401, 1e-10},
		{"B", 0, pyramid, .25189018, -.01747141, 1e-8},
	} {
		s := newSlider(t, c.name, c.law, []float64{1, -.4, 0}, Options{ImplicitForce: true, Theta: c.theta})
		x := run(t, s, .01, 100)
		near(t, c.name+" x", x.Q[0], c.x, c.unit)
		near(t, c.name+" y", x.Q[1], c.y, c.unit)
		near(t, c.name+" z", x.Q[2], -.004905, 1e-8)
		if x.T < 1-1e-12 || s.step.Rounds != 1 {
			t.Errorf("t = %g after %d rounds in the last step, want 1 and 1", x.T, s.step.Rounds)
		}
	}
}

// TestThetaIsFirstOrder halves the step: the error of both schemes against the
// continuous motion falls by 2 (1.7 to 2.4 leaves room for the phase of the
// change from slip to stick in the grid), that of θ = ½ is the smaller.
func TestThetaIsFirstOrder(t *testing.T) {
	exact := [2]float64{.2698167261, -.0572278870}
	errorAt := func(theta, h float64) float64 {
		s := newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true, Theta: theta})
		x := run(t, s, h, int(math.Round(1/h)))
		return math.Hypot(x.Q[0]-exact[0], x.Q[1]-exact[1])
	}
	for h := .01; h > .002; h /= 2 {
		a, b := errorAt(0, h), errorAt(0, h/2)
		if r := a / b; r < 1.7 || r > 2.4 {
			t.Errorf("θ = 0, h = %g: errors %g and %g, want a ratio of 2", h, a, b)
		}
		if c := errorAt(.5, h); c > a/20 {
			t.Errorf("θ = ½, h = %g: error %g, want far below %g", h, c, a)
		}
	}
}

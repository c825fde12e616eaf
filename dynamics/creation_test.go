package dynamics

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// faller is a point mass m above the floor z = 0 with gravity g as a potential, and a
// load along x.
type faller struct {
	patch   *Patch
	m, g, f float64
}

func (s *faller) Size() (nq, nv, dim int)   { return 2, 2, 2 }
func (s *faller) Mass(m *Mass, _ []float64) { m.Block(2, s.m, 0, 0, s.m) }
func (s *faller) Force(f []float64, _ float64, _, _ []float64) {
	f[0], f[1] = s.f, -s.m*s.g
}
func (s *faller) Load(f []float64, _ float64, _, _ []float64) { f[0], f[1] = s.f, 0 }
func (s *faller) Potential(_ float64, q []float64) float64    { return s.m * s.g * q[1] }
func (s *faller) Contacts(c *Contacts, q []float64) {
	c.Begin(0, s.patch)
	c.Element(q[1])
	c.Row(0, 0, 1, 0)
	c.Row(1, 1, 0, 0)
}

// fall makes n steps of h from height z at velocity (vx, vz).
func fall(t *testing.T, s *faller, o Options, z, vx, vz, h float64, n int) *Stepper {
	t.Helper()
	if s.patch == nil {
		var err error
		if s.patch, err = NewRigid(contact.Coulomb{Mu: .3}, 2); err != nil {
			t.Fatal(err)
		}
	}
	x, err := NewStepper(s, []float64{0, z}, []float64{vx, vz}, o)
	if err != nil {
		t.Fatal(err)
	}
	run(t, x, h, n)
	return x
}

// TestNothingMovesIsSaid: energy that is made where nothing moves is no part of anything: it is said in words, and no
// number of steps is named.
func TestNothingMovesIsSaid(t *testing.T) {
	var c Creation
	c.Add(1, 0.134, 0)
	for _, m := range c.Measures(0.01, 40, "") {
		if m.Passed() || !strings.Contains(m.Place, "0.134 J at t = 1 s, and nothing moves") || m.Remedy != "no number of steps is known" {
			t.Errorf("%+v", m)
		}
	}
}

// TestCreationOfFall: q' = q + hv' destroys ½mg²h² in each step of free fall, θ = ½ none;
// what moves is ½mg²t² and a bit.
func TestCreationOfFall(t *testing.T) {
	const m, g, h, n = 2., 10., 1e-2, 100
	step := .5 * m * g * g * h * h
	x := fall(t, &faller{m: m, g: g}, Options{}, 1e3, 0, 0, h, n)
	c := x.Creation()
	// Rounding of potentials of 2e4 J.
	if math.Abs(c.Sum+n*step) > 1e-10 || math.Abs(c.Step-step) > 1e-10 || c.Most != -c.Sum || math.Abs(c.MostAt-1) > 1e-12 {
		t.Errorf("%+v, want %g a step", c, -step)
	}
	// z falls by ½gh²n(n+1), g times m of that.
	if moved := .5 * m * g * g * h * h * n * (n + 1); math.Abs(c.Scale()-moved) > 1e-9 {
		t.Errorf("%+v, want %g J that move", c, moved)
	}
	list := x.Accurate(1e-2) // 1/(n+1) = 9.9e-3
	if !list[0].Passed() || math.Abs(list[0].Value-1./(n+1)) > 1e-9 {
		t.Errorf("%+v", list[0])
	}
	if list = x.Accurate(1e-3); list[0].Passed() || list[0].Remedy != "about 1090 steps, the error being O(h)" {
		t.Errorf("%+v", list[0])
	}
	if c := fall(t, &faller{m: m, g: g}, Options{Theta: .5}, 1e3, 0, 0, h, n).Creation(); c.Most > 1e-10 {
		t.Errorf("θ = ½: %+v", c)
	}
}

// TestCreationOfContact: an inelastic impact takes what physics says, which is none of the
// scheme's; a box that stands, or slides at rest in the normal, makes nothing.
func TestCreationOfContact(t *testing.T) {
	// Thrown at the floor without gravity, on a grid that meets it: loses ½mv_z².
	x := fall(t, &faller{m: 2}, Options{}, 1, 0, -4, .25, 8)
	if c := x.Creation(); c.Most > 1e-15 || c.Scale() != 16 || math.Abs(x.Ledger().Impact-16) > 1e-12 {
		t.Errorf("impact: %+v, %+v", c, x.Ledger())
	}
	for _, h := range []float64{1e-3, .1} {
		x = fall(t, &faller{m: 2, g: 10, f: 1}, Options{}, 0, 0, 0, h, 1000)
		list := x.Accurate(1e-2)
		if c := x.Creation(); c.Most > 0 || c.Scale() != 0 || !(c.Rounding > 0 && c.Rounding < 1e-10*h*h*1000) ||
			!list[0].Passed() || !list[1].Passed() {
			t.Errorf("at rest, h = %g: %+v", h, c)
		}
		// Friction of 6 N against 10 N: it is counted along the path hv', the kinetic energy
		// changes along ½h(v + v'): ½·6·ah² with a = 2.
		x = fall(t, &faller{m: 2, g: 10, f: 10}, Options{}, 0, 0, 0, h, 100)
		if c := x.Creation(); math.Abs(c.Sum-100*6*h*h) > 1e-10*c.Scale() {
			t.Errorf("sliding, h = %g: %+v", h, c)
		}
	}
}

// TestCreationOfDeepStart: a rigid contact that starts inside is pushed out in one step
// by the gap form, and flies: energy from nothing.
func TestCreationOfDeepStart(t *testing.T) {
	x := fall(t, &faller{m: 2}, Options{}, -.1, 0, 0, .01, 10)
	if c := x.Creation(); math.Abs(c.Most-.5*2*100) > 1e-9 || x.Accurate(1e-2)[0].Passed() {
		t.Errorf("%+v, want %g J of nothing", c, .5*2*100.)
	}
}

// TestCreationResumes: a checkpoint carries the balance.
func TestCreationResumes(t *testing.T) {
	whole := newEllipse(t, 1e-10, Options{})
	run(t, whole, 1e-3, 200)
	half, rest := newEllipse(t, 1e-10, Options{}), newEllipse(t, 1e-10, Options{})
	run(t, half, 1e-3, 100)
	var c Checkpoint
	half.Save(&c)
	if err := rest.Load(&c); err != nil {
		t.Fatal(err)
	}
	run(t, rest, 1e-3, 100)
	if rest.Creation() != whole.Creation() || whole.Creation().Most == 0 || rest.Solved()[0] != whole.Solved()[0] {
		t.Errorf("%+v, want %+v", rest.Creation(), whole.Creation())
	}
	if err := rest.Step(context.Background(), 1e-3); err != nil {
		t.Error(err)
	}
}

// TestFaintStart: roundings hide the energy of the start where little else moves, and only there: of a
// disc that falls by metres with a spin of 1e-6 rad/s they are nothing, nor is there a start where a bar is drawn with
// the velocity cos(π/2) Aω, the rounding of π/2.
func TestFaintStart(t *testing.T) {
	for _, c := range []struct {
		start, rounding, moved float64
		hidden                 bool
	}{{2.5e-15, 2e-13, 0, true}, {2.5e-15, 2e-13, 1e-9, true}, {2.5e-15, 2e-13, 50, false}, {2.1e-35, 7.9e-7, 6.47, false}} {
		x := Creation{Size: c.start, Rounding: c.rounding}
		x.Start = x.Size
		x.Add(1, 1e-13, c.moved)
		if hidden := x.Over(x.Most) == math.MaxFloat64; hidden != c.hidden {
			t.Errorf("%g J move: hidden %v", c.moved, hidden)
		}
	}
}

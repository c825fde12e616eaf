package dynamics

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// ellipse is the test problem of section 6 of [Song04] as a user's own model:
// q = (x, y, θ), one patch re-meshed around the lowest point at each step.
type ellipse struct {
	a, b, m, i float64
	patch      *Patch
}

func (e *ellipse) Size() (nq, nv, dim int)                      { return 3, 3, 2 }
func (e *ellipse) Mass(m *Mass, q []float64)                    { m.Block(3, e.m, 0, 0, 0, e.m, 0, 0, 0, e.i) }
func (e *ellipse) Force(f []float64, t float64, q, v []float64) { f[0], f[1], f[2] = 0, -9.81*e.m, 0 }
func (e *ellipse) height(theta float64) (h, slope float64) {
	sin, cos := math.Sincos(theta)
	h = math.Sqrt(e.a*e.a*sin*sin + e.b*e.b*cos*cos)
	return h, (e.a*e.a - e.b*e.b) * sin * cos / h
}

func (e *ellipse) Contacts(c *Contacts, q []float64) {
	h, slope := e.height(q[2])
	c.Begin(0, e.patch)
	for i := range e.patch.Elements() {
		at, _ := e.patch.At(i)
		c.Element(q[1] - h)
		c.Row(0, 0, 1, 0)
		c.Row(1, 1, 0, 0)
		c.Row(2, -slope+at, h, 0)
	}
}

func newEllipse(t testing.TB, eps float64, o Options) *Stepper {
	t.Helper()
	law := contact.Coulomb{Mu: 0.2}
	p, err := NewRigid(law, 2)
	if eps > 0 {
		p, err = NewPatch(law, HalfSpace{Dim: 2, Elements: 3, Spacing: 1e-6, Epsilon: eps, Poisson: 0.3})
	}
	if err != nil {
		t.Fatal(err)
	}
	e := &ellipse{a: .1, b: .05, m: .05, i: 1.5e-4, patch: p}
	h, _ := e.height(75 * math.Pi / 180)
	s, err := NewStepper(e, []float64{0, h, 75 * math.Pi / 180}, make([]float64, 3), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestProbe(t *testing.T) {
	for _, eps := range []float64{1e-10, 1e-11, 0} {
		s := newEllipse(t, eps, Options{})
		mean := 0.0
		for k := range 20000 {
			if err := s.Step(context.Background(), 1e-4); err != nil {
				t.Fatal(err)
			}
			n := 0.0
			for i := 0; i < len(s.now.Lambda); i += 2 {
				n += s.now.Lambda[i]
			}
			if k >= 10000 {
				mean += n / 10000 / (9.81 * .05)
			}
			if k == 0 || k == 19999 {
				t.Logf("%.12g %.12g %.12g", s.now.Q, s.now.Lambda, n)
			}
		}
		t.Logf("mean %.6g ledger %+v", mean, s.Ledger())
	}
}

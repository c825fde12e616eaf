package dynamics

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// pendulum is a unit mass on a line with a stiff nonlinear spring and drag,
// over a floor that moves with it by friction: M, K, C and f depend on the
// state.
type pendulum struct {
	patch     *Patch
	stiffness float64
}

func (p *pendulum) Size() (nq, nv, dim int)   { return 2, 2, 2 }
func (p *pendulum) Mass(m *Mass, q []float64) { m.Diagonal(1+.1*q[0]*q[0], 1) }
func (p *pendulum) Force(f []float64, t float64, q, v []float64) {
	f[0] = -p.stiffness*math.Sinh(q[0]) - .2*v[0]*math.Abs(v[0])
	f[1] = -10
}
func (p *pendulum) Contacts(c *Contacts, q []float64) {
	c.Begin(7, p.patch)
	c.Element(q[1])
	c.Row(0, 0, 1, 0)
	c.Row(1, 1, 0, 0)
}

func newPendulum(t *testing.T, stiffness, theta float64) *Stepper {
	t.Helper()
	state := func(k, c, q []float64) {
		k[3] = 100 * (1 + q[0]*q[0])
		c[3] = 2
	}
	p, err := NewGeneral(contact.Coulomb{Mu: .05}, 2, make([][2]float64, 1), []float64{1e4, 0, 0, 100}, []float64{50, 0, 0, 2}, state)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStepper(&pendulum{p, stiffness}, []float64{1, 0}, []float64{0, 0}, Options{ImplicitForce: true, Theta: theta})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestImplicitForceMeetsItsEquation inserts the step into (16): with a soft
// spring the fixed point finds it, with h²k = 100 Newton's method does.
func TestImplicitForceMeetsItsEquation(t *testing.T) {
	for _, c := range []struct {
		stiffness, h, theta float64
		newton              bool
	}{{4, .01, 0, false}, {4, .01, .5, false}, {1e4, .1, 0, true}, {1e4, .05, .5, true}} {
		s := newPendulum(t, c.stiffness, c.theta)
		rounds := 0
		for range 20 {
			old := s.State().Clone()
			x := run(t, s, c.h, 1)
			rounds = max(rounds, s.step.Rounds)
			q, v := make([]float64, 2), make([]float64, 2)
			for i := range q {
				q[i] = c.theta*old.Q[i] + (1-c.theta)*x.Q[i]
				v[i] = c.theta*old.V[i] + (1-c.theta)*x.V[i]
				if e := x.Q[i] - old.Q[i] - c.h*v[i]; math.Abs(e) > 1e-13 {
					t.Fatalf("%+v: q' − q − h v^θ = %g", c, e)
				}
			}
			f := make([]float64, 2)
			s.sys.Force(f, x.T, q, v)
			m := 1 + .1*old.Q[0]*old.Q[0]
			e0 := m*(x.V[0]-old.V[0]) - c.h*(f[0]+x.Lambda[1])
			e1 := x.V[1] - old.V[1] - c.h*(f[1]+x.Lambda[0])
			// relative to h f: 1e-13 of the momentum and 1e-9 of the contact
			if size := c.h * (math.Abs(f[0]) + math.Abs(f[1])); math.Abs(e0) > 1e-8*size || math.Abs(e1) > 1e-8*size {
				t.Fatalf("%+v: t = %g: residuals %g and %g of %g", c, x.T, e0, e1, size)
			}
		}
		if (rounds > fixedRounds || s.Smallness().ForceRate > slowRate) != c.newton {
			t.Errorf("%+v: %d rounds, rate %g", c, rounds, s.Smallness().ForceRate)
		}
	}
}

// TestSmallnessByHand: the lumped slider has A = h/m + 1/(hk + c) in each
// direction, hence MuBar = A_t/A_n or its inverse.
func TestSmallnessByHand(t *testing.T) {
	s := newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{Smallness: true})
	run(t, s, .01, 1)
	want := (.01 + 1./(20+40)) / (.01 + 1./(10+20))
	if got := s.Smallness(); math.Abs(got.MuBar-want) > 1e-12 || !got.Unique() || got.Mu != .3 {
		t.Errorf("%+v, want MuBar = %g", got, want)
	}
}

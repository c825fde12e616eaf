package incremental

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// rubbed is a particle on a floor in the energy ¼(x² − 1)² + ½y² + ½z², displaced along y by v from 0, with friction of the size s.
func rubbed(t *testing.T, s, v float64) *Minimiser {
	t.Helper()
	sys, err := particles.NewSystem(particles.Floors(1), wells{})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := NewMinimiser(psi, 1e-12)
	z := make([]float64, 3)
	m.SetThreshold(0, s, 0, z)
	m.begin(0, z)
	m.v[1] = v
	m.place(m.v)
	m.gradient(0)
	return m
}

// TestDescent: along y from 1 to −1 + 2r, E changes by r of what its slope promises: a step that keeps a ten-thousandth
// of it is made, one that does not is halved; Ψ has its part in both. What rises by less than 1e-14 of the energies, and of
// forces times rounding of the places, counts as level.
func TestDescent(t *testing.T) {
	for _, c := range []struct{ r, want float64 }{{1.5e-4, -1 + 3e-4}, {0.5e-4, 0.5e-4}, {1.01e-4, -1 + 2.02e-4}, {0.99e-4, 0.99e-4}, {0.5, 0}, {-3, 0}, {0, 0}} {
		m := rubbed(t, 0, 1)
		m.next[1] = -1 + 2*c.r
		if ok := m.descend(0); !ok || math.Abs(m.v[1]-c.want) > 1e-15 {
			t.Errorf("a step that keeps %g: %t, went to %g, want %g", c.r, ok, m.v[1], c.want)
		}
		if m.y[1] != m.v[1] {
			t.Errorf("a step that keeps %g: y is %g", c.r, m.y[1])
		}
	}
	// From 1 to p > 0 with friction s: slope (p − 1)(1 + s), change (p − 1)((1 + p)/2 + s): always more than ½ of it, while below −s
	// Ψ rises again. From 1 to −q: slope −(1 + q) + s(q − 1), change (q² − 1)/2 + s(q − 1).
	for _, c := range []struct{ s, q, want float64 }{{0.5, 0, 0}, {0.5, 0.5, 0.25}, {0.5, -0.5, 0.5}, {3, 0.2, -0.2 + 0.4}, {2, 0.001, 0.4995}, {3, 2, -0.5}} {
		m := rubbed(t, c.s, 1)
		m.next[1] = -c.q
		slope, alpha := -(1+c.q)+c.s*(math.Abs(c.q)-1), 1.0
		for ; ; alpha /= 2 {
			y := 1 - alpha*(1+c.q)
			if (y*y-1)/2+c.s*(math.Abs(y)-1) <= 1e-4*alpha*slope {
				break
			}
		}
		if want := 1 - alpha*(1+c.q); !m.descend(0) || math.Abs(m.v[1]-want) > 1e-15 {
			t.Errorf("friction %g, to %g: went to %g, want %g", c.s, -c.q, m.v[1], want)
		}
	}
	for _, s := range []float64{0, 1, 5} {
		level := 1e-14 * (0.25 + 0.5 + s + rounding) / (1 + s) // |E| = ¾, Ψ = s, forces times places 1; E + Ψ rises by 1 + s
		for _, c := range []struct {
			part float64
			want bool
		}{{0.5, true}, {0.9, true}, {1.1, false}, {2, false}} {
			m := rubbed(t, s, 1)
			m.next[1] = 1 + c.part*level
			if got := m.descend(0); got != c.want {
				t.Errorf("friction %g: a rise of %g of the level is taken for a descent: %t", s, c.part, got)
			}
		}
	}
	m := rubbed(t, 0, 1)
	m.next[0], m.next[1] = 5, 1-1e-9 // E rises without end along x
	m.grad[0] = -1                   // which a wrong gradient does not know
	if m.descend(0); math.Abs(m.v[0]) > 5*math.Ldexp(1, -1) {
		t.Errorf("went to %v", m.v)
	}
}

// TestNearer: from the second round on, where forces are balanced to 1e-6, a step is made that halves what is left, whatever
// the energy says; else all stays as it was.
func TestNearer(t *testing.T) {
	for _, c := range []struct {
		newton   int
		residual float64
		next     float64 // of 1e-8 at hand: forces are of size 1
		want     bool
	}{{2, 1e-8, 0.49e-8, true}, {2, 1e-8, 0.51e-8, false}, {1, 1e-8, 0.49e-8, false}, {3, 1e-6, 0.49e-6, true}, {3, 1.01e-6, 0.49e-6, false}, {3, math.NaN(), 0, false}, {2, 1e-8, -0.49e-8, true}} {
		m := rubbed(t, 0, c.residual)
		m.floors[0] = 1
		m.newton, m.residual = c.newton, c.residual
		m.next[1] = c.next
		if got := m.nearer(0); got != c.want {
			t.Errorf("round %d, residual %g, to %g: %t", c.newton, c.residual, c.next, got)
		}
		want := c.residual
		if c.want {
			want = c.next
		}
		if same := func(a float64) bool { return a == want || a != a && want != want }; !same(m.v[1]) || !same(m.y[1]) || !same(m.grad[1]) {
			t.Errorf("round %d, residual %g, to %g: v, y and DE are %g, %g, %g, want %g", c.newton, c.residual, c.next, m.v[1], m.y[1], m.grad[1], want)
		}
	}
}

// TestImbalance: what DE and reactions do not balance, in parts of the forces of the island, those of the model included; a number that is
// none is seen in whichever island.
func TestImbalance(t *testing.T) {
	m := apart(t, [][3]float64{{2, 2, 2}}, make([][3]float64, 3))
	m.res.R = make([]float64, 9)
	copy(m.grad, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	for j := range 3 {
		copy(m.res.R[3*j:], []float64{m.grad[3*j+2], m.grad[3*j], m.grad[3*j+1]})
	}
	copy(m.floors, []float64{10, 20, 40})
	if got := m.imbalance(); got != 0 {
		t.Errorf("balanced forces are off by %g", got)
	}
	for j := range 3 {
		for d := range 3 {
			m.grad[3*j+d] += 0.5
			want := 0.5 / m.floors[m.island[j]]
			if got := m.imbalance(); math.Abs(got-want) > 1e-15 {
				t.Errorf("particle %d, direction %d: off by %g, want %g", j, d, got, want)
			}
			m.problem.F[3*j+d] = -80
			if got := m.imbalance(); math.Abs(got-0.5/80) > 1e-15 {
				t.Errorf("particle %d, direction %d: off by %g of the forces of the model", j, d, got)
			}
			m.problem.F[3*j+d] = 0
			m.grad[3*j+d] -= 0.5
		}
		before := m.grad[3*j]
		m.grad[3*j] = math.NaN()
		if got := m.imbalance(); got == got {
			t.Errorf("particle %d: a force that is no number is off by %g", j, got)
		}
		m.grad[3*j] = before
	}
	m.grad[8] += 0.5
	if m.imbalance(); m.worstImbalance() != 2 {
		t.Errorf("particle %d is worst", m.worstImbalance())
	}
}

// TestRescueOfOthers: what has no cure goes back as it came: a solver that was stopped or has done the work of a step, a problem on the contacts alone, and
// errors that are none of the solver.
func TestRescueOfOthers(t *testing.T) {
	ex := reference.Play()
	s, err := New(ex.Psi, 0, ex.Start, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cause := range []error{&WorkError{}, &StepError{Particle: -1, Cause: &WorkError{}}, &contact.Error{Status: contact.Canceled, Worst: -1}, fmt.Errorf("wrapped: %w", &contact.Error{Status: contact.Canceled, Worst: -1}), fmt.Errorf("x"), &StepError{Particle: -1}} {
		if got := s.rescue(t.Context(), 0.1, cause); got != cause || s.min.factors+s.min.newton != 0 {
			t.Errorf("%v became %v", cause, got)
		}
	}
	cause := &contact.Error{Status: contact.NoProgress, Worst: -1}
	s.min.condensed = &contact.Condensed{}
	if got := s.rescue(t.Context(), 0.1, cause); got != cause {
		t.Errorf("a problem on the contacts: %v became %v", cause, got)
	}
	s.min.condensed = nil
}

// TestUnitOfStrengths: the unit in which strengths are mixed is the power of two above the forces of the island.
func TestUnitOfStrengths(t *testing.T) {
	ex := reference.Play()
	s, err := New(ex.Psi, 0, ex.Start, Options{Threshold: Implicit})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ size, want float64 }{{1, 2}, {0.99, 1}, {1.5, 2}, {2, 4}, {1e-3, 0x1p-9}, {1000, 1024}} {
		s.floors[0] = c.size
		if got := s.unit(0); got != c.want {
			t.Errorf("forces of %g N are mixed in %g N, want %g", c.size, got, c.want)
		}
	}
}

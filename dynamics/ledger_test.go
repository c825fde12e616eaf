package dynamics

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestLedgerIsFirstOrder: the residual of the balance, summed over a run,
// halves with h (1.6 to 2.6: the sticking phases end on the grid), and no
// contact does positive work in any step.
func TestLedgerIsFirstOrder(t *testing.T) {
	for name, run := range map[string]func(h float64) *Stepper{
		"ellipse": func(h float64) *Stepper { return follow(t, newEllipse(t, 1e-10, Options{}), h, .2) },
		"slider": func(h float64) *Stepper {
			return follow(t, newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true}), 100*h, 1)
		},
		"theta": func(h float64) *Stepper {
			return follow(t, newSlider(t, "B", contact.Coulomb{Mu: .3}, []float64{1, -.4, 0},
				Options{ImplicitForce: true, Theta: .25}), 100*h, 1)
		},
	} {
		last := 0.0
		for _, h := range []float64{1e-4, 5e-5, 2.5e-5} {
			r := math.Abs(run(h).Ledger().Residual)
			if last > 0 && (last/r < 1.6 || last/r > 2.6) {
				t.Errorf("%s, h = %g: residual %g after %g, want half", name, h, r, last)
			}
			last = r
		}
	}
}

func follow(t *testing.T, s *Stepper, h, until float64) *Stepper {
	t.Helper()
	for range int(math.Round(until / h)) {
		if err := s.Step(context.Background(), h); err != nil {
			t.Fatal(err)
		}
		// Rounding of λ·s, which are of order 1 N and 1 m/s.
		if e := s.step.Energy; e.Friction < -1e-12*h || e.Viscous < 0 || e.Stored < 0 {
			t.Fatalf("t = %g: %+v", s.now.T, e)
		}
	}
	return s
}

// TestWarmStepAllocatesNothing for the plane patch, the cone and the box.
func TestWarmStepAllocatesNothing(t *testing.T) {
	for name, s := range map[string]*Stepper{
		"ellipse": newEllipse(t, 1e-10, Options{}),
		"rigid":   newEllipse(t, 0, Options{}),
		"cone":    newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true}),
		"box":     newSlider(t, "A", contact.Pyramid{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true, Theta: .5}),
	} {
		run(t, s, 1e-4, 50)
		if n := testing.AllocsPerRun(500, func() { run(t, s, 1e-4, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
	}
}

// TestRunsAreRepeatable, bit by bit, also from a state in the middle.
func TestRunsAreRepeatable(t *testing.T) {
	a, b := newEllipse(t, 1e-10, Options{}), newEllipse(t, 1e-10, Options{})
	run(t, a, 1e-4, 300)
	if err := b.Restart(a.State()); err != nil {
		t.Fatal(err)
	}
	x, y := run(t, a, 1e-4, 300), run(t, b, 1e-4, 300)
	for i := range x.Lambda {
		if x.Lambda[i] != y.Lambda[i] || x.Delta[i] != y.Delta[i] {
			t.Fatalf("λ %v and %v", x.Lambda, y.Lambda)
		}
	}
}

func BenchmarkEllipse(b *testing.B) {
	s := newEllipse(b, 1e-10, Options{})
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Step(context.Background(), 1e-4); err != nil {
			b.Fatal(err)
		}
		if s.State().T > 2 {
			s = newEllipse(b, 1e-10, Options{})
		}
	}
}

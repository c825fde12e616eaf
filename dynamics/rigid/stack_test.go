package rigid_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// Ten boxes stand for ten seconds: the friction sticks.
func TestBoxStack(t *testing.T) {
	for _, alpha := range []float64{1, 0.5} {
		s := boxStack(t, 10, rigid.Options{Alpha: alpha})
		_, q, _, _ := s.State()
		q0 := append([]float64(nil), q...)
		run(t, s, 0.005, 2000)
		_, q, _, _ = s.State()
		worst := 0.0
		for i := range q {
			worst = max(worst, math.Abs(q[i]-q0[i]))
		}
		if !(worst <= 1e-9) {
			t.Errorf("α = %g: the stack has moved by %g", alpha, worst)
		}
		// At rest the contacts do no work beyond the tolerance of their solves,
		// 1e-11 of speeds of W_NN r <= 8/m · 0.12 N s: 2.7 N s of normal impulses
		// a step, 2000 steps.
		e := s.Last().Energy
		near(t, "work of the normal forces", e.Normal, 0, 2000*2.7*1e-11*1)
		near(t, "work of friction", e.Friction, 0, 2000*2.7*0.5*1e-11*1)
	}
}

// TestPile: the pile comes to rest, 75 spheres within 2 s, 200 (with QUASISTATIC_LONG), whose
// last one rolls along the floor for longer, within 4 s.
func TestPile(t *testing.T) {
	n, steps := 75, 400
	if thorough.Asked() {
		n, steps = 200, 800
	}
	s := spherePile(t, n, rigid.Options{Grid: rigid.GapGrid})
	worst, start := 0.0, s.Last().Energy.Potential
	for range steps {
		if err := s.Step(context.Background(), 0.005); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, s.Last().Penetration)
	}
	if worst > 1e-8 {
		t.Errorf("penetration %g", worst)
	}
	// α = 1, γ = 1 and no drag: a fall loses energy to the step and a rise gains
	// it, so that Scheme sums up to (v_end − v_start)/2 · m g h = 0. What is freed,
	// 458 J of 200, is dissipated; in each step ten roundings of 9 J a sphere.
	rounding := float64(steps) * 10 * 9 * float64(n) * 1.1e-16
	e := s.Last().Energy
	near(t, "kinetic energy at rest", e.Kinetic, 0, 1e-9)
	near(t, "residual", e.Residual, 0, rounding)
	near(t, "scheme", e.Scheme, 0, float64(n)*9.81*0.005*1e-5) // m g h Σ|v|, ½v² below 1e-9/n
	near(t, "dissipated", e.Friction+e.Normal, start-e.Potential-e.Projection, 2*rounding+1e-9)
	if e.Friction < 0 || e.Normal < 0 {
		t.Errorf("contacts do work: %+v", e)
	}
}

// TestScatteredPile: columns of 150 spheres fall; that contacts join ahead which stay open changes
// no law: nothing is sunk at the end of a step.
func TestScatteredPile(t *testing.T) {
	s := scatteredPile(t, 150, .004, rigid.Options{Grid: rigid.GapGrid})
	worst := 0.0
	for range 60 {
		run(t, s, 0.005, 1)
		worst = max(worst, s.Last().Penetration)
	}
	if worst > 1e-10 {
		t.Errorf("penetration %g", worst)
	}
}

// A settled step allocates nothing.
func TestAllocations(t *testing.T) {
	for name, s := range map[string]*rigid.Stepper{"stack": boxStack(t, 10, rigid.Options{}),
		"pendulum": pendulum(t, false, rigid.Options{Alpha: 0.5})} {
		run(t, s, 0.001, 20)
		if n := testing.AllocsPerRun(20, func() { run(t, s, 0.001, 1) }); n > 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
	}
}

// The same input gives the same bits.
func TestDeterministic(t *testing.T) {
	var first []float64
	for range 2 {
		s := spherePile(t, 60, rigid.Options{Grid: rigid.GapGrid})
		run(t, s, 0.005, 100)
		_, q, _, _ := s.State()
		if first == nil {
			first = append(first, q...)
		}
		for i := range q {
			if q[i] != first[i] {
				t.Fatalf("q[%d] = %v, then %v", i, first[i], q[i])
			}
		}
	}
}

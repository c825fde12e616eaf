package rigid_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func boxStack(t testing.TB, n int, o rigid.Options) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for i := range n {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1,
			Position: [3]float64{0, 0, .1 + .2*float64(i)}}))
	}
	return start(t, w, rigid.Setup{Material: rigid.Material{Mu: 0.5}}, o)
}

func spherePile(t testing.TB, n int, o rigid.Options) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for _, x := range []float64{-1, 1} {
		must[int](t)(w.AddHalfSpace([3]float64{.6 * x}, [3]float64{-x}))
		must[int](t)(w.AddHalfSpace([3]float64{0, .6 * x}, [3]float64{0, -x}))
	}
	k := 0
	for z := 0; k < n; z++ {
		for x := 0; x < 5 && k < n; x++ {
			for y := 0; y < 5 && k < n; y++ {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
					Position: [3]float64{(float64(x)-2)*.22 + .01*float64(z%3), (float64(y) - 2) * .22, .15 + .22*float64(z)}}))
				k++
			}
		}
	}
	return start(t, w, rigid.Setup{Material: rigid.Material{Mu: 0.5}}, o)
}

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
	}
}

func TestPile(t *testing.T) {
	s := spherePile(t, 200, rigid.Options{Grid: rigid.GapGrid})
	worst := 0.0
	for range 400 {
		if err := s.Step(context.Background(), 0.005); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, s.Last().Penetration)
	}
	if worst > 1e-8 {
		t.Errorf("penetration %g", worst)
	}
	if e := s.Last().Energy; e.Kinetic > 1e-9 || e.Friction < 0 || math.Abs(e.Residual) > 6 { // 450 J are dissipated
		t.Errorf("at rest: %+v", e)
	}
}

// A settled step allocates nothing.
func TestAllocations(t *testing.T) {
	for name, s := range map[string]*rigid.Stepper{"stack": boxStack(t, 10, rigid.Options{}), "pendulum": pendulum(t, false, rigid.Options{Alpha: 0.5})} {
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

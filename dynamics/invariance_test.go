package dynamics_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// TestImplicitTorque: the turning of a small body is found as exactly as that of a large
// one: its angular momentum, 1e-14 of the number of the other one, has its own scale.
func TestImplicitTorque(t *testing.T) {
	solve := func(l float64) *dynamics.State {
		w, err := bodies.NewWorld(3, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Add(bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{.1 * l, .08 * l, .05 * l}}, Mass: 1,
			Velocity: [3]float64{l, 0, 0}, Spin: [3]float64{3, 5, 1}}); err != nil {
			t.Fatal(err)
		}
		q, v := w.Start()
		s, err := dynamics.NewStepper(w, q, v, dynamics.Options{ImplicitForce: true, Theta: .5})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if err := s.Step(context.Background(), 1e-2); err != nil {
				t.Fatal(err)
			}
		}
		return s.State()
	}
	want := solve(1)
	for _, l := range []float64{1e-7, 1e7} {
		for i, v := range solve(l).V[3:] {
			if math.Abs(v-want.V[3+i]) > 1e-11 { // a hundred steps to 1e-13
				t.Errorf("length %g: ω_%d = %.17g, want %.17g", l, i, v, want.V[3+i])
			}
		}
	}
}

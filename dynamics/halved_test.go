package dynamics

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestHalve: the runs side by side are the ones that are made alone, to the bit; the change of
// the trajectory is that of the positions, and halves with the step.
func TestHalve(t *testing.T) {
	make := func() *Stepper {
		return newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true})
	}
	last := 0.0
	for _, n := range []int{64, 128, 256} {
		var q [2][]float64
		s := make()
		x, err := Halve(context.Background(), s, EqualSteps(1, n), func(halved bool) error {
			k := 0
			if halved {
				k = 1
			}
			q[k] = append(q[k][:0], s.State().Q...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range []int{n, 2 * n} {
			alone := make()
			run(t, alone, 1/float64(m), m)
			for i, want := range alone.State().Q {
				if q[k][i] != want {
					t.Errorf("%d steps: coordinate %d is %.17g, alone %.17g", m, i, q[k][i], want)
				}
			}
			if k == 1 && x.Made.Most != alone.Creation().Most {
				t.Errorf("made %+v, alone %+v", x.Made, alone.Creation())
			}
		}
		m := x.Measures(1e-2, nil)[0]
		d := math.Hypot(q[0][0]-q[1][0], q[0][1]-q[1][1]) / math.Hypot(q[1][0], q[1][1])
		if m.Value < d*(1-1e-12) || m.Value > 1.5*d {
			t.Errorf("%d steps: changes by %g, at the end by %g", n, m.Value, d)
		}
		if last > 0 && math.Abs(last/m.Value-2) > .2 {
			t.Errorf("%d steps: changes by %g after %g, want half", n, m.Value, last)
		}
		last = m.Value
	}
}

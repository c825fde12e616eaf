package rigid_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestBrokenStart: a rod on a pin, let go with a velocity of its centre and no turn: the pin takes
// ½v²·J/(J + l²m) of its energy, 1/4 for J = ml²/3, and the verdict says so in place of a number of
// steps; not where the velocity is one that the pin admits. From the first step on the rod has the
// spin of its angular momentum about the pin.
func TestBrokenStart(t *testing.T) {
	for _, c := range []struct {
		alpha, spin float64
		fails       bool
	}{{1, 0, true}, {1, 2, false}, {.5, 0, true}, {.5, 2, false}} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .01}, Mass: 2, Inertia: [3]float64{2: 2 * .25 / 3},
			Position: [3]float64{.5}, Velocity: [3]float64{0, 1}, Spin: [3]float64{2: c.spin}}))
		pin := multibody.Joint{Kind: multibody.Revolute, Name: "pin", A: 0, B: -1, At: [3]float64{}}
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{pin}}, rigid.Options{Alpha: c.alpha})
		for range 20 {
			run(t, s, .001, 1)
			_, _, v, _ := s.State()
			near(t, "spin", v[2], (c.spin+6)/4, 1e-4) // α = 1 loses (hω)² of its spin in a step
		}
		told := false
		for _, m := range s.Accurate(1e-2) {
			if m.Passed() {
				continue
			}
			told = true
			if !strings.Contains(m.Remedy, `breaks joint "pin" (revolute) by 1 m/s`) ||
				!strings.Contains(m.Remedy, "0.25 J of it vanish") || m.Steps != 0 {
				t.Errorf("%+v: remedy %q, %g steps", c, m.Remedy, m.Steps)
			}
		}
		if text, _, _ := s.StartBreaks(); (text != "") != c.fails {
			t.Errorf("%+v: the start: %q", c, text)
		}
		if told != c.fails {
			t.Errorf("%+v: fails %t", c, told)
		}
	}
}

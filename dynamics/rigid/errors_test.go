package rigid_test

import (
	"context"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Each error of a step names the bodies by their names, the place, the time and
// what to try.
func TestErrorsNameTheirBodies(t *testing.T) {
	ball := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1}
	at := func(b bodies.Body, x, y, vx, vy float64) bodies.Body {
		b.Position, b.Velocity = [3]float64{x, y}, [3]float64{vx, vy}
		return b
	}
	names := []string{"ball", "other"}
	for name, c := range map[string]struct {
		bodies []bodies.Body
		walls  [][2][3]float64
		setup  rigid.Setup
		o      rigid.Options
		want   []string
	}{
		"Zeno": {[]bodies.Body{at(ball, 0, 0, 1e4, 0)}, [][2][3]float64{{{-.2}, {1}}, {{.2}, {-1}}},
			rigid.Setup{Material: rigid.Material{Restitution: 1}}, rigid.Options{},
			[]string{`body "ball" and obstacle "`, "0.2, 0, 0) m", "t = 0.00", "less restitution than 1", "smaller step"}},
		"tunnel": {[]bodies.Body{ball, at(ball, 0, 1, 0, -500)}, nil, rigid.Setup{}, rigid.Options{Grid: rigid.GapGrid},
			[]string{`body "ball" and body "other" pass`, "at (0, 0.1, 0) m", "t = 0 s", "a step of 0.0002 s resolves it"}},
		"no number": {[]bodies.Body{ball, at(ball, 1, 0, 0, 0)}, nil,
			rigid.Setup{Forces: []rigid.Force{&rigid.Spring{A: 1, B: -1, Stiffness: 1e200}}}, rigid.Options{Jacobians: rigid.NoJacobians},
			[]string{`body "other"`, "not finite", "smaller step"}},
		"matrix": {[]bodies.Body{ball, at(ball, 1, 0, 0, 0)}, nil,
			rigid.Setup{Forces: []rigid.Force{&rigid.Spring{A: 1, B: -1, Stiffness: 1e8, RestLength: 2}}}, rigid.Options{},
			[]string{`body "other" and what is tied to it`, "not positive definite", "semidefinite Jacobians"}},
		// a rail that touches the circle which the distance leaves: it moves off
		// along both to first order, and cannot
		"joints that cannot close": {[]bodies.Body{at(ball, 0, 0, 0, 1e4)}, nil,
			rigid.Setup{Joints: []rigid.Joint{{Name: "rail", Kind: rigid.Slider, A: 0, B: -1, Axis: [3]float64{0, 1}},
				{Name: "rope", Kind: rigid.Distance, A: 0, B: -1, Other: [3]float64{1}}}},
			rigid.Options{}, []string{`joint "rope" (distance) cannot close`, "smaller step"}},
		// the rope holds the ball below the floor
		"joints that gaps contradict": {[]bodies.Body{at(ball, .1, -.05, 0, 0)}, [][2][3]float64{{{}, {0, 1}}},
			rigid.Setup{Joints: []rigid.Joint{{Name: "rope", Kind: rigid.Distance, A: 0, B: -1, At: [3]float64{.1, -.05}, Other: [3]float64{0, -.3}}}}, rigid.Options{},
			[]string{`joint "rope" (distance) cannot close`, `body "ball" and obstacle "west" overlap by`}},
	} {
		w := world(t, 2, [3]float64{})
		for _, b := range c.bodies {
			must[int](t)(w.Add(b))
		}
		for _, x := range c.walls {
			must[int](t)(w.AddHalfSpace(x[0], x[1]))
		}
		c.setup.Names, c.setup.HalfSpaces = names, []string{"west", "east"}
		c.o.Uncut = true
		s := start(t, w, c.setup, c.o)
		err := s.Step(context.Background(), 0.01)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q, want %q in it", name, err, want)
			}
		}
	}
}

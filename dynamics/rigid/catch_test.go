package rigid_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// TestCaught: the step in which a sliding brick comes to stick on a belt or a floor is cut there:
// its way is that of the motion, u²/2μg. Of more than eight contacts it is not: it goes at the mean
// of its velocities on a belt, where the speed of the belt is kept, and on a floor, where the gaps
// of its corners bend; and a point on a floor, whose gap does not, not at all: α = γ = 1 there.
// Before and after at the mean.
func TestCaught(t *testing.T) {
	for _, c := range []struct {
		belt  float64
		shape bodies.Shape
		high  float64
		n     int // bodies
	}{{0, brick, .1, 1}, {.5, brick, .1, 1}, {0, bodies.Point{}, 0, 1}, {0, brick, .1, 5}, {.5, brick, .1, 5}, {0, bodies.Point{}, 0, 9}} {
		belt := c.belt
		var motion signal.Motion
		if belt != 0 {
			motion = along(ramp(t, []float64{0, 10}, []float64{0, 10 * belt}), nil, nil)
		}
		var list []bodies.Body
		for i := range c.n {
			list = append(list, bodies.Body{Shape: c.shape, Mass: 3, Position: [3]float64{float64(2 * i), c.high},
				Velocity: [3]float64{belt + .5}})
		}
		s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Mu: .4}, rigid.Options{Alpha: .5}, list,
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}, Motion: motion})
		caught := 0
		const h = 1. / 130
		run(t, s, h, 1) // the belt begins with a jump
		for range 30 {
			_, q, v, _ := s.State()
			x, u := q[0], v[0]
			run(t, s, h, 1)
			_, q, v, _ = s.State()
			want := h * (u + v[0]) / 2
			if math.Abs(u-belt) > 1e-6 && math.Abs(v[0]-belt) < 1e-9 {
				switch caught++; {
				case c.n == 1:
					want = h*belt + (u-belt)*(u-belt)/8
				case c.high == 0:
					want = 0
				}
			}
			near(t, "way", q[0]-x, want, 1e-10)
		}
		if caught != 1 {
			t.Errorf("belt at %g m/s, %d bodies: caught %d times", belt, c.n, caught)
		}
	}
}

// TestApartFromObstacles: a fast body meets those obstacles that it is not apart from, whatever
// their numbers.
func TestApartFromObstacles(t *testing.T) {
	for apart := range 3 {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{0, 1}, Velocity: [3]float64{0, -100}}))
		for _, x := range []struct{ x, y float64 }{{0, .5}, {0, .3}, {0, .1}} { // thin plates
			must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{Center: [3]float64{x.x, x.y}, R: .02}}))
		}
		x := multibody.Setup{Apart: map[[2]int]bool{}}
		for f := range apart {
			x.Apart[[2]int{0, -1 - f}] = true
		}
		s := start(t, w, x, rigid.Options{Uncut: true})
		run(t, s, .02, 1)
		_, q, _, _ := s.State()
		near(t, "height", q[1], []float64{.53, .33, .13}[apart], 1e-6)
		if n := len(s.Last().Collisions); n != 1 {
			t.Errorf("apart from the first %d: %d collisions", apart, n)
		}
	}
}

// TestSteepJoint: the joint is named that turns too fast, not one far away that stands.
func TestSteepJoint(t *testing.T) {
	w := world(t, 2, [3]float64{})
	disc := bodies.Disc{R: .1}
	must[int](t)(w.Add(bodies.Body{Shape: disc, Mass: 1, Position: [3]float64{100, 0}}))
	must[int](t)(w.Add(bodies.Body{Shape: disc, Mass: 1, Spin: [3]float64{0, 0, 1e4}}))
	must[int](t)(w.Add(bodies.Body{Shape: disc, Mass: 1, Position: [3]float64{.5}, Spin: [3]float64{0, 0, 1e4},
		Velocity: [3]float64{0, .1}}))
	must[int](t)(w.Add(bodies.Body{Shape: disc, Mass: 1, Position: [3]float64{-100, 0}}))
	x := multibody.Setup{Joints: []multibody.Joint{{Name: "idle hook", Kind: multibody.Revolute, A: 0, B: -1,
		At: [3]float64{50}}, {Name: "idle link", Kind: multibody.Revolute, A: 0, B: 3, At: [3]float64{0, 40}},
		{Name: "shaft", Kind: multibody.Revolute, A: 1, B: -1, At: [3]float64{-.3}},
		{Name: "pin", Kind: multibody.Revolute, A: 2, B: 1, At: [3]float64{.2}},
		{Name: "rail", Kind: multibody.Slider, A: 2, B: -1, At: [3]float64{.7}, Axis: [3]float64{1}}}}
	s := start(t, w, x, rigid.Options{Uncut: true})
	if err := s.Step(t.Context(), .01); err == nil || !strings.Contains(err.Error(), "cannot close") ||
		strings.Contains(err.Error(), "idle") {
		t.Error(err)
	}
}

// TestFastPairs: bodies meet within a step whichever is fast and comes first in the list.
func TestFastPairs(t *testing.T) {
	for _, v := range [][2]float64{{100, 0}, {0, -100}, {60, -40}, {100, 20}, {-20, -100}} {
		for _, swapped := range []bool{false, true} {
			w := world(t, 2, [3]float64{})
			list := []bodies.Body{{Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{-.5},
				Velocity: [3]float64{v[0]}}, {Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{.5}, Velocity: [3]float64{v[1]}}}
			if swapped {
				list[0], list[1] = list[1], list[0]
			}
			for _, b := range list {
				must[int](t)(w.Add(b))
			}
			s := start(t, w, multibody.Setup{Material: multibody.Material{Restitution: 1}}, rigid.Options{Uncut: true})
			run(t, s, .02, 1)
			if n := len(s.Last().Collisions); n != 1 {
				t.Errorf("speeds %v, swapped %t: %d collisions", v, swapped, n)
			}
			_, q, u, _ := s.State()
			a, b := 0, 3
			if swapped {
				a, b = b, a
			}
			near(t, "speed of the first", u[a], v[1], 1e-9)
			near(t, "speed of the second", u[b], v[0], 1e-9)
			if q[a] > q[b]-.02+1e-9 {
				t.Errorf("speeds %v, swapped %t: they are at %g and %g", v, swapped, q[a], q[b])
			}
		}
	}
}

package bodies_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// wear is μ = m + a x.
type wear struct{ m, a float64 }

func (w wear) At(x, _ float64) (mu, dx, dy float64) { return w.m + w.a*x, w.a, 0 }
func (w wear) Mean(from, to [2]float64) float64     { return w.m + w.a*(from[0]+to[0])/2 }

// slide is how far a body goes from x = 0 on μ = .2 + .3 x until a time; the obstacle shifts by
// drift a second, and the body with it.
func slide(t *testing.T, dim int, patch *dynamics.Patch, o dynamics.Options, drift, until float64, n int) (x, v float64) {
	t.Helper()
	up := [3]float64{}
	up[dim-1] = 1
	w, err := bodies.NewWorld(dim, [3]float64{up[0], -10 * up[1], -10 * up[2]})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 3, Velocity: [3]float64{2 + drift}}); err != nil {
		t.Fatal(err)
	}
	way, err := signal.NewTable([]float64{0, 9}, []float64{0, 9 * drift})
	if err != nil {
		t.Fatal(err)
	}
	obstacle := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: up}}
	if drift != 0 {
		obstacle.Motion = signal.Motion{Shift: signal.Vector{way, signal.Constant(0), signal.Constant(0)}}
	}
	if _, err := w.AddObstacle(obstacle); err != nil {
		t.Fatal(err)
	}
	key, err := w.OnObstacle(0, 0, patch)
	if err == nil {
		err = w.Wear(key, wear{.2, .3})
	}
	if err != nil {
		t.Fatal(err)
	}
	q0, v0 := w.Start()
	s, err := dynamics.NewStepper(w, q0, v0, o)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := s.Step(context.Background(), until/float64(n)); err != nil {
			t.Fatal(err)
		}
	}
	state := s.Last().State
	return state.Q[0] - drift*until, state.V[0] - drift
}

// TestWear: ẍ = −g(.2 + .3 x) until the body stops, an oscillation about −2/3 of ω² = 3; the place
// where it stops and one before, of first order for θ = 0 and in the velocity form, before it stops
// of second for θ = ½. An obstacle that shifts takes its μ along.
func TestWear(t *testing.T) {
	rigid := func(dim int) *dynamics.Patch {
		p, err := dynamics.NewRigid(contact.Coulomb{}, dim)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const at, speed = 2. / 3, 2.
	omega := math.Sqrt(3)
	want := func(t float64) float64 {
		t = min(t, math.Atan2(speed/omega, at)/omega)
		return at*math.Cos(omega*t) + speed/omega*math.Sin(omega*t) - at
	}
	for _, c := range []struct {
		dim          int
		o            dynamics.Options
		until, order float64
	}{
		{2, dynamics.Options{}, 2, 1}, {3, dynamics.Options{}, 2, 1}, {2, dynamics.Options{VelocityForm: true}, .3, 1},
		{2, dynamics.Options{ImplicitForce: true}, 2, 1}, {2, dynamics.Options{ImplicitForce: true, Theta: .5}, .3, 2},
	} {
		off := func(n int) float64 {
			x, v := slide(t, c.dim, rigid(c.dim), c.o, 0, c.until, n)
			if c.until == 2 && math.Abs(v) > 1e-9 { // solver tolerance
				t.Errorf("%+v: a speed of %g is left", c, v)
			}
			return math.Abs(x - want(c.until))
		}
		coarse, fine := off(64), off(512)
		// Three halvings; where it stops within a step, that step's share changes the constant.
		if order := math.Log2(coarse/fine) / 3; order < c.order-.15 || fine > .01 {
			t.Errorf("%+v: errors %g, %g, order %.3f", c, coarse, fine, order)
		}
		still, _ := slide(t, c.dim, rigid(c.dim), c.o, 0, c.until, 64)
		moved, _ := slide(t, c.dim, rigid(c.dim), c.o, 1.5, c.until, 64)
		if math.Abs(still-moved) > 1e-8 { // solver tolerance
			t.Errorf("%+v: on an obstacle that moves %g, at rest %g", c, moved, still)
		}
	}
}

// TestWearRefused: a field is one of contacts with half-spaces, of Coulomb's law.
func TestWearRefused(t *testing.T) {
	w, err := bodies.NewWorld(2, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if _, err := w.Add(bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1, Position: [3]float64{3 * float64(i), 1}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []bodies.Surface{bodies.HalfSpace{Normal: [3]float64{0, 1}}, bodies.Ball{Center: [3]float64{0, -9}, R: 1}} {
		if _, err := w.AddObstacle(bodies.Obstacle{Surface: s}); err != nil {
			t.Fatal(err)
		}
	}
	coulomb, _ := dynamics.NewRigid(contact.Coulomb{Mu: .3}, 2)
	box, _ := dynamics.NewRigid(contact.Pyramid{Mu: .3, Facets: 4}, 2)
	floor, _ := w.OnObstacle(0, 0, coulomb)
	ball, _ := w.OnObstacle(0, 1, coulomb)
	other, _ := w.OnObstacle(1, 0, box)
	two, err := w.Between(0, 1, coulomb)
	if err != nil {
		t.Fatal(err)
	}
	for key, fine := range map[int]bool{floor: true, ball: false, other: false, two: false, -1: false, two + 1: false} {
		if err := w.Wear(key, wear{}); (err == nil) != fine {
			t.Errorf("contact %d: %v", key, err)
		}
	}
}

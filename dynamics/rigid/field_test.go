package rigid_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// wear is μ = m + a x + b y.
type wear struct{ m, a, b float64 }

func (w wear) At(x, y float64) (mu, dx, dy float64) { return w.m + w.a*x + w.b*y, w.a, w.b }
func (w wear) Mean(from, to [2]float64) float64 {
	return w.m + w.a*(from[0]+to[0])/2 + w.b*(from[1]+to[1])/2
}

// worn is the motion of a body of speed v on μ = m + k x, ẍ = −g(m + k x): until it stops a
// harmonic oscillation about −m/k of ω² = gk. It returns the way at a time.
func worn(m, k, g, v, t float64) float64 {
	omega, at := math.Sqrt(g*k), m/k
	t = min(t, math.Atan2(v/omega, at)/omega) // ẋ = 0
	return at*math.Cos(omega*t) + v/omega*math.Sin(omega*t) - at
}

// TestFieldOrder: μ of the place and velocity where a step begins, taken to the time of v^α, is of
// first order with α = 1 and of second with α = ½ until the body stops; the place where it does so
// is of first order.
func TestFieldOrder(t *testing.T) {
	const m, k, g, v = 0.2, 0.3, 10.0, 2.0
	for _, c := range []struct {
		alpha, until, order float64
	}{{1, .3, 1}, {.5, .3, 2}, {1, 2, 1}, {.5, 2, 1}} {
		off := func(n int) float64 {
			s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Field: wear{m, k, 0}}, rigid.Options{Alpha: c.alpha},
				[]bodies.Body{{Shape: bodies.Point{}, Mass: 3, Velocity: [3]float64{v}}},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
			march(t, s, c.until, n)
			_, q, w, _ := s.State()
			if c.until == 2 && math.Abs(w[0]) > 1e-9 { // solver tolerance
				t.Errorf("α = %g: a speed of %g is left", c.alpha, w[0])
			}
			return math.Abs(q[0] - worn(m, k, g, v, c.until))
		}
		coarse, fine := off(64), off(512)
		// Three halvings; where it stops within a step, that step's share changes the constant.
		if order := math.Log2(coarse/fine) / 3; order < c.order-.15 || fine > .01 {
			t.Errorf("α = %g until %g: errors %g, %g, order %.3f, want %g", c.alpha, c.until, coarse, fine, order, c.order)
		}
	}
}

// TestFieldMoves: an obstacle that shifts and is turned takes its μ along: the same motion relative
// to it, in the plane and in space, along x and along y.
func TestFieldMoves(t *testing.T) {
	const m, k, g, v, angle, until = 0.2, 0.3, 10.0, 2.0, 0.7, 0.5
	sin, cos := math.Sincos(angle)
	run := func(dim int, field wear, down, normal, start, way [3]float64, motion signal.Motion) [3]float64 {
		s := onObstacles(t, dim, down, multibody.Material{Field: field}, rigid.Options{},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 3, Position: start, Velocity: way}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: normal}, Motion: motion})
		march(t, s, until, 100)
		_, q, _, _ := s.State()
		return [3]float64(append(q[:dim:dim], 0)[:3])
	}
	rest := run(2, wear{m, k, 0}, [3]float64{0, -g}, [3]float64{0, 1}, [3]float64{}, [3]float64{v}, signal.Motion{})[0]
	moved := along(ramp(t, []float64{0, 1}, []float64{5, 6}), nil, nil)
	moved.Angle, moved.Axis = signal.Constant(angle), [3]float64{0, 0, 1}
	q := run(2, wear{m, k, 0}, [3]float64{g * sin, -g * cos}, [3]float64{0, 1}, [3]float64{5}, [3]float64{v*cos + 1, v * sin}, moved)
	// Rounding of a hundred steps.
	if x := (q[0]-5-until)*cos + q[1]*sin; math.Abs(x-rest) > 1e-11 {
		t.Errorf("turned, the way is %g, want %g", x, rest)
	}
	if q := run(3, wear{m, 0, k}, [3]float64{0, 0, -g}, [3]float64{0, 0, 1}, [3]float64{4}, [3]float64{0, v},
		signal.Motion{}); math.Abs(q[1]-rest) > 1e-8 { // of the solver
		t.Errorf("in space, along y: %g, want %g", q[1], rest)
	}
}

// TestFieldHolds: on a plane that is tilted beyond the least μ, a body at rest on a rough place
// stays, one on a smooth place does not.
func TestFieldHolds(t *testing.T) {
	for _, c := range []struct {
		x    float64
		goes bool
	}{{1, false}, {-1, true}} { // μ = .6 and .2 for tan = .4
		s := onObstacles(t, 2, [3]float64{4, -10}, multibody.Material{Field: wear{.4, .2, 0}}, rigid.Options{},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{c.x}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
		march(t, s, .1, 50)
		if _, q, _, _ := s.State(); q[0] != c.x != c.goes {
			t.Errorf("from x = %g it went to %g", c.x, q[0])
		}
	}
}

// TestFieldRefused: a map is one of half-spaces.
func TestFieldRefused(t *testing.T) {
	w, err := bodies.NewWorld(2, [3]float64{0, -10})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.Add(bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []bodies.Surface{bodies.HalfSpace{Point: [3]float64{0, -2}, Normal: [3]float64{0, 1}},
		bodies.Ball{Center: [3]float64{0, -9}, R: 1}} {
		if _, err := w.AddObstacle(bodies.Obstacle{Surface: s}); err != nil {
			t.Fatal(err)
		}
	}
	rough := multibody.Material{Field: wear{m: 1}}
	apart := map[[2]int]bool{{0, 1}: true, {0, -2}: true, {1, -2}: true}
	for _, c := range []struct {
		setup multibody.Setup
		pair  [2]int
		fine  bool
	}{
		{multibody.Setup{Material: rough}, [2]int{0, -2}, false},
		{multibody.Setup{Material: rough, Pairs: map[[2]int]multibody.Material{{0, -2}: {}, {1, -2}: {}}}, [2]int{0, 1}, false},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, 1}: rough}}, [2]int{0, 1}, false},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{1, -2}: rough}}, [2]int{1, -2}, false},
		{multibody.Setup{Material: rough, Apart: apart}, [2]int{}, true},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, -1}: rough}}, [2]int{}, true},
	} {
		_, err := multibody.NewModel(w, c.setup)
		var e *multibody.FieldError
		if found := errors.As(err, &e); found == c.fine || found && e.Pair != c.pair || c.fine && err != nil {
			t.Errorf("%+v: %v", c.setup, err)
		}
	}
}

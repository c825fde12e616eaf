package rigid_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// On the gap grid what comes by far more than the margin in a step ends where it touches: the
// margin is a tenth of a body, and what was beyond it entered by the rest of its way, out of which
// a projection lifted it, with energy. At h = 10 ms and 6 m/s these come from 40 mm.
func TestForesee(t *testing.T) {
	const h, u, gap, r = .01, 6.0, .04, .1
	up := [3]float64{0, 1}
	ball := func(x, y, vx, vy float64) bodies.Body {
		return bodies.Body{Shape: bodies.Disc{R: r}, Mass: 2, Position: [3]float64{x, y}, Velocity: [3]float64{vx, vy}}
	}
	for _, c := range []struct {
		name  string
		floor *signal.Motion // nil: none
		list  []bodies.Body
		end   []float64 // coordinates and velocities along x and y of the bodies after a step
	}{
		{"onto the floor", &signal.Motion{}, []bodies.Body{ball(0, r+gap, 0, -u)}, []float64{0, r, 0, -gap / h}},
		{"no further than it comes", &signal.Motion{}, []bodies.Body{ball(0, r+gap, 0, -3)}, []float64{0, r + gap - .03, 0, -3}},
		{"onto each other", nil, []bodies.Body{ball(0, 0, u, 0), ball(2*r+gap, 0, 0, 0)},
			[]float64{h*u - .01, 0, u - 1, 0, 2*r + gap + .01, 0, 1, 0}},
		{"given from the right", nil, []bodies.Body{ball(2*r+gap, 0, 0, 0), ball(0, 0, u, 0)},
			[]float64{2*r + gap + .01, 0, 1, 0, h*u - .01, 0, u - 1, 0}},
		{"from both sides, by less than the margin each", nil,
			[]bodies.Body{ball(0, 0, .8, 0), ball(2*r+.014, 0, -.8, 0)}, []float64{.007, 0, .7, 0, 2*r + .007, 0, -.7, 0}},
		{"side by side", nil, []bodies.Body{ball(0, 0, u, 0), ball(2*r+gap, 0, u, 0)}, []float64{h * u, 0, u, 0, 2*r + gap + h*u, 0, u, 0}},
		// The line of centres closes, and the ball goes by.
		{"by each other", nil, []bodies.Body{ball(0, 0, 15, 0), ball(.15, 2.02*r, 0, 0)}, []float64{.15, 0, 15, 0, .15, 2.02 * r, 0, 0}},
	} {
		w := world(t, 2, [3]float64{})
		if c.floor != nil {
			must[int](t)(w.AddHalfSpace([3]float64{}, up))
		}
		for _, b := range c.list {
			must[int](t)(w.Add(b))
		}
		s := start(t, w, multibody.Setup{}, rigid.Options{Grid: rigid.GapGrid})
		run(t, s, h, 1)
		_, q, v, _ := s.State()
		for i := range c.list {
			for d := range 2 {
				near(t, c.name+": place", q[3*i+d], c.end[4*i+d], 1e-9) // merit of the problems
				near(t, c.name+": velocity", v[3*i+d], c.end[4*i+2+d], 1e-7)
			}
		}
		near(t, c.name+": energy of projections", s.Energy().Projection, 0, 1e-12)
	}
}

// A box that falls on a corner at 5 m/s, turning, from 26 mm, by the weight alone from 1.5 cm at a
// step of .1 s, and a floor that comes at 6 m/s: nothing is left to a projection but what corners
// turn, ½h²ω²r, and the step is played again from its impulses.
func TestForeseeAndReplay(t *testing.T) {
	for name, c := range map[string]struct {
		b    bodies.Body
		h    float64
		rise float64 // of the floor [m/s]
		most float64 // that a projection may lift [m]
	}{
		"corner": {bodies.Body{Shape: bodies.Box{Size: [3]float64{.3, .3, .3}}, Mass: 1,
			Position: [3]float64{2: .15*math.Sqrt(3) + .026}, Orientation: onCorner(),
			Velocity: [3]float64{2: -5}, Spin: [3]float64{2, 1, 0}}, .01, 0, .5e-4 * 400 * .26}, // it turns by 20 rad/s at most then
		"weight": {bodies.Body{Shape: bodies.Sphere{R: .05}, Mass: 1, Position: [3]float64{2: .065},
			Velocity: [3]float64{2: .3}}, .1, 0, 1e-9},
		"floor": {bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{2: .14}}, .01, 6, 1e-9},
	} {
		build := func() *rigid.Stepper {
			w := world(t, 3, [3]float64{2: -9.81})
			o := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{2: 1}}}
			if c.rise > 0 {
				o.Motion = signal.Motion{Shift: signal.Vector{signal.Constant(0), signal.Constant(0),
					must[*signal.Table](t)(signal.NewTable([]float64{0, 1}, []float64{0, c.rise}))}}
			}
			must[int](t)(w.AddObstacle(o))
			must[int](t)(w.Add(c.b))
			return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Grid: rigid.GapGrid, Uncut: true})
		}
		s := build()
		run(t, s, c.h, 1)
		x := s.Last()
		if lift := -s.Energy().Projection / (c.b.Mass * 9.81); lift > c.most || len(x.Impulses) == 0 {
			t.Errorf("%s: a projection lifts by %g m; %d impulses", name, lift, len(x.Impulses))
		}
		f, err := rigid.NewReplay(build()).Replay(t.Context(), c.h, x.T, x.Mode, slices.Clone(x.Q), slices.Clone(x.V), x.Impulses)
		if err != nil || f.IsStrange || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9 {
			t.Errorf("%s: %v, %+v", name, err, f)
		}
		var c rigid.Checkpoint
		s.Save(&c)
		if err := build().Load(&c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The end of a rod of 1 m that turns by .2 rad in a step strikes a ball 8 cm below it, whose centre
// it does not move.
func TestForeseeTurn(t *testing.T) {
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1, R: .01}, Mass: 1, Spin: [3]float64{2: -20}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{.48, -.1}}))
	s := start(t, w, multibody.Setup{}, rigid.Options{Grid: rigid.GapGrid})
	run(t, s, .01, 1)
	if len(s.Last().Impulses) == 0 {
		t.Error("the rod passes the ball")
	}
}

// onCorner turns a cube so that it stands on a corner: the diagonal is upright.
func onCorner() [4]float64 {
	// About (1, −1, 0)/√2 by the angle between (1, 1, 1) and the z-axis.
	sin, cos := math.Sincos(math.Acos(1/math.Sqrt(3)) / 2)
	return [4]float64{cos, sin / math.Sqrt2, -sin / math.Sqrt2, 0}
}

// TestForeseeAlong: pairs that meet within a step are foreseen along each axis, also where their
// spheres only just reach each other across the others.
func TestForeseeAlong(t *testing.T) {
	const h, u, gap, r = .01, 6.0, .04, .1
	for axis := range 3 {
		for _, off := range []float64{0, 1.9 * r} { // across
			w := world(t, 3, [3]float64{})
			var at, v [3]float64
			at[axis], at[(axis+1)%3] = math.Sqrt(4*r*r-off*off)+gap, off
			v[axis] = u
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1, Velocity: v}))
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1, Position: at}))
			s := start(t, w, multibody.Setup{}, rigid.Options{Grid: rigid.GapGrid})
			run(t, s, h, 1)
			_, _, end, _ := s.State()
			if hit := math.Hypot(math.Hypot(end[6], end[7]), end[8]); !(hit > .1) {
				t.Errorf("axis %d, %g across: the other has %g m/s", axis, off, hit)
			}
		}
	}
}

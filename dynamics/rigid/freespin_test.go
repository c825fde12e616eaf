package rigid_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// measures are the units of a scene and where it is: one second, metre and kilogram are so many of
// its own.
type measures struct {
	m, kg, s float64
	origin   float64 // [m]
}

var si = measures{1, 1, 1, 0}

// spinner is a table on four balls of .1 m, the first of which spins at 20 rad/s, and what comes.
type spinner struct {
	axis  [3]float64    // of the spin
	floor signal.Motion // in units of the scene
	shot  bool          // a ball comes to the table, and is there after half a second
	pull  bool          // a force moves the table from .5 s on
	units measures
}

func (x spinner) build(t testing.TB, o rigid.Options) *rigid.Stepper {
	u := x.units
	length, force := u.m, u.kg*u.m/u.s/u.s
	at := func(x, y, z float64) [3]float64 { return [3]float64{length * (u.origin + x), length * y, length * z} }
	w := world(t, 3, [3]float64{0, 0, -9.81 * u.m / u.s / u.s})
	must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, Motion: x.floor}))
	for i := range 4 {
		b := bodies.Body{Shape: bodies.Sphere{R: .1 * length}, Mass: u.kg, Position: at(.3*float64(i%2), .3*float64(i/2), .1)}
		for d := range 3 {
			if i == 0 {
				b.Spin[d] = 20 * x.axis[d] / u.s
			}
		}
		must[int](t)(w.Add(b))
	}
	table := bodies.Body{Shape: bodies.Box{Size: [3]float64{.5 * length, .5 * length, .1 * length}}, Mass: 2 * u.kg,
		Position: at(.15, .15, .25)}
	if x.pull {
		pull := must[*signal.Table](t)(signal.NewTable([]float64{.5 * u.s, .505 * u.s, 9 * u.s}, []float64{0, force, force}))
		table.Load = signal.Vector{pull, signal.Constant(0), signal.Constant(0)}
	}
	must[int](t)(w.Add(table))
	if x.shot {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1 * length}, Mass: u.kg, Position: at(-1.2, .15, .25),
			Velocity: [3]float64{2 * u.m / u.s, 0, 9.81 * .25 * u.m / u.s}}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, o)
}

// A ball that carries a corner of a table turns about the vertical, through both of its contacts,
// and nothing takes that: all is at rest but for this spin, which stays to the last bit, as its
// energy does; the ball turns by ωt. So it is with all schemes and grids, in other units and far
// away. A step that is played again is one of the scheme.
func TestFreeSpin(t *testing.T) {
	vertical := [3]float64{0, 0, 1}
	check := func(name string, u measures, o rigid.Options) {
		open := func() *rigid.Stepper { return spinner{axis: vertical, units: u}.build(t, o) }
		s, other, again := open(), open(), open()
		h := .005 * u.s
		_, q, v, _ := s.State()
		q0, v0 := slices.Clone(q), slices.Clone(v)
		run(t, s, h, 3)
		for k := range 60 {
			run(t, s, h, 1)
			if x := s.Last(); x.Solves != 0 || x.Rest != (rigid.Rest{Bodies: 5, Spinning: 1}) {
				t.Fatalf("%s, step %d: %d problems, %+v", name, k, x.Solves, x.Rest)
			}
		}
		if !slices.Equal(v, v0) {
			t.Errorf("%s: a velocity has changed: %g", name, v)
		}
		for b := range 5 {
			if !slices.Equal(q[7*b:7*b+3], q0[7*b:7*b+3]) {
				t.Errorf("%s: body %d has moved", name, b)
			}
			if turned := 2 * math.Atan2(q[7*b+6], q[7*b+3]); b == 0 { // 20 rad/s · .315 s, less a turn
				near(t, name+": angle of the ball", math.Remainder(turned-6.3, 2*math.Pi), 0, 1e-13*63) // rounding of 63 turns
			} else if turned != 0 {
				t.Errorf("%s: body %d has turned", name, b)
			}
		}
		x := s.Last()
		energy := .5 * .4 * .01 * 400 * u.kg * u.m * u.m / u.s / u.s // ½ ⅖mR²ω²
		near(t, name+": kinetic energy", x.Energy.Kinetic, energy, 1e-15*energy)
		near(t, name+": residual of the ledger", x.Energy.Residual, 0, 1e-12*energy*(1+u.origin)) // of potential energies of 20 J
		if err := rigid.NewReplay(other).Jump(x.T, x.Q, x.V); err != nil {
			t.Fatal(err)
		}
		run(t, s, h, 1)
		f, err := rigid.NewReplay(other).Replay(context.Background(), h, x.T, x.Mode, x.Q, x.V, x.Impulses)
		if err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9*u.m {
			t.Errorf("%s: a step played again: %v, %+v", name, err, f)
		}
		for range 8 {
			run(t, again, h, 8)
			var c rigid.Checkpoint
			again.Save(&c)
			again = open()
			if err := again.Load(&c); err != nil {
				t.Fatal(err)
			}
		}
		if _, q1, v1, w1 := again.State(); !slices.Equal(q, q1) || !slices.Equal(v, v1) || !slices.Equal(x.Alpha, w1) ||
			fmt.Sprint(again.Energy()) != fmt.Sprint(s.Energy()) {
			t.Errorf("%s: other bits of a run that was taken up again", name)
		}
	}
	for k, o := range []rigid.Options{{}, {Alpha: .75}, {Alpha: .5}, {Grid: rigid.GapGrid}, {Scheme: rigid.Gavrea},
		{Scheme: rigid.Gavrea, Alpha: .5}} {
		check(fmt.Sprint("options ", k), si, o)
	}
	check("mm, t, s", measures{1e3, 1e-3, 1, 0}, rigid.Options{})
	check("km, kg, h", measures{1e-3, 1, 1. / 3600, 0}, rigid.Options{Grid: rigid.GapGrid})
	check("10 km away", measures{1, 1, 1, 1e4}, rigid.Options{Grid: rigid.GapGrid})
}

// A spin that slips is not free: about the horizontal the ball rolls away under the table, or takes
// it along.
func TestSlippingSpin(t *testing.T) {
	for _, axis := range [][3]float64{{0, 1, 0}, {.001, 0, 1}} {
		s := spinner{axis: axis, units: si}.build(t, rigid.Options{})
		before := s.Energy().Kinetic
		run(t, s, .005, 4)
		if x := s.Last(); x.Rest.Bodies != 0 || x.Solves == 0 || !(x.Energy.Friction > 0 && x.Energy.Kinetic < before) {
			t.Errorf("about %v: %+v, friction takes %g J", axis, x.Rest, x.Energy.Friction)
		}
	}
}

// What wakes bodies at rest wakes those that spin: a ball that strikes, a force, a floor that
// begins to move. The table rolls off on its balls, against the floor that moves: its push turns a
// ball by more than it moves it.
func TestFreeSpinWakes(t *testing.T) {
	vertical := [3]float64{0, 0, 1}
	for name, x := range map[string]spinner{
		"strike": {axis: vertical, units: si, shot: true},
		"pull":   {axis: vertical, units: si, pull: true},
		"floor":  {axis: vertical, units: si, floor: along(ramp(t, []float64{0.5, 0.6, 9}, []float64{0, 0.02, 1.70}), nil, nil)},
	} {
		for _, o := range []rigid.Options{{}, {Alpha: .5}, {Grid: rigid.GapGrid}} {
			s := x.build(t, o)
			run(t, s, .005, 60) // .3 s
			if r := s.Last().Rest; r != (rigid.Rest{Bodies: 5, Spinning: 1}) {
				t.Errorf("%s: before it, %+v", name, r)
			}
			run(t, s, .005, 80)
			if r := s.Last().Rest; r.Bodies != 0 {
				t.Errorf("%s: after it, %+v", name, r)
			}
			if _, q, v, _ := s.State(); !(math.Abs(v[24]) > .01) || !(math.Abs(q[28]-.15) > 1e-3) { // of the table, along x
				t.Errorf("%s: the table is at %g m and goes by %g m/s", name, q[28], v[24])
			}
		}
	}
}

// Two balls that loads press together turn about the vertical as wheels of a gear do, for ever, and
// the other way round they slip. In the corner of a wall and a floor no spin is free once the wall
// feels a force; without one it may slip there.
func TestGears(t *testing.T) {
	gears := func(spin float64) *rigid.Stepper {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		for i := range 2 {
			sign := 1 - 2*float64(i)
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
				Position: [3]float64{-.1 * sign, 0, .1}, Spin: [3]float64{0, 0, []float64{10, spin}[i]},
				Load: signal.Vector{signal.Constant(2 * sign), signal.Constant(0), signal.Constant(0)}}))
		}
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
	}
	s := gears(-10)
	run(t, s, .005, 20)
	if x := s.Last(); x.Rest != (rigid.Rest{Bodies: 2, Spinning: 2}) || x.V[5] != 10 || x.V[11] != -10 {
		t.Errorf("gears: %+v, %g", x.Rest, x.V)
	}
	s = gears(-9)
	run(t, s, .005, 20)
	if x := s.Last(); x.Rest.Bodies != 0 {
		t.Errorf("gears of other speeds: %+v", x.Rest)
	}
	corner := func(g float64) *rigid.Stepper {
		w := world(t, 3, [3]float64{-g, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.AddHalfSpace([3]float64{-.1, 0, 0}, [3]float64{1, 0, 0}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{0, 0, .1}, Spin: [3]float64{0, 0, 1}}))
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
	}
	s = corner(0)
	run(t, s, .005, 20)
	if x := s.Last(); x.Rest != (rigid.Rest{Bodies: 1, Spinning: 1}) || x.V[5] != 1 {
		t.Errorf("a corner without force: %+v, %g", x.Rest, x.V)
	}
	s = corner(2)
	run(t, s, .005, 4)
	if x := s.Last(); x.Rest.Bodies != 0 {
		t.Errorf("a corner with a force: %+v, %g", x.Rest, x.V)
	}
}

// In the plane a disc that spins slips at any force; without one, in no gravity, it may lie beside
// another. A capsule turns about its axis on its end; a ball of different moments would wobble, and
// the one that a brake slows down rests when it stands.
func TestFreeSpins(t *testing.T) {
	disc := func(g float64) rigid.Rest {
		w := world(t, 2, [3]float64{0, -g})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		for i := range 2 {
			b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{.2 * float64(i), .1}}
			b.Spin[2] = 3 * float64(i)
			must[int](t)(w.Add(b))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
		run(t, s, .005, 6)
		return s.Last().Rest
	}
	if r := disc(0); r != (rigid.Rest{Bodies: 2, Spinning: 1}) {
		t.Errorf("discs without weight: %+v", r)
	}
	if r := disc(9.81); r.Spinning != 0 {
		t.Errorf("discs: %+v", r)
	}
	half := math.Sqrt(.5)
	for name, c := range map[string]struct {
		body bodies.Body
		want rigid.Rest
	}{
		"capsule": {bodies.Body{Shape: bodies.Capsule{Length: .2, R: .1}, Orientation: [4]float64{half, 0, -half, 0},
			Position: [3]float64{0, 0, .2}, Spin: [3]float64{3}}, rigid.Rest{Bodies: 1, Spinning: 1}},
		"uneven": {bodies.Body{Shape: bodies.Sphere{R: .1}, Inertia: [3]float64{.004, .004, .003},
			Position: [3]float64{0, 0, .1}, Spin: [3]float64{0, 0, 3}}, rigid.Rest{}},
		"braked": {bodies.Body{Shape: bodies.Sphere{R: .1}, SpinDrag: .001, Position: [3]float64{0, 0, .1},
			Spin: [3]float64{0, 0, 3}}, rigid.Rest{}},
	} {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		c.body.Mass = 1
		must[int](t)(w.Add(c.body))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
		run(t, s, .005, 20)
		if r := s.Last().Rest; r != c.want {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A slip that friction takes so slowly that no step tells, μ = 1e-12, is no rest all the same; nor
// is a spin at rest that something else has turned, as a checkpoint may.
func TestSlipIsNoRest(t *testing.T) {
	ball := func(mu float64, spin [3]float64) *rigid.Stepper {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{0, 0, .1}, Spin: spin}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{})
		run(t, s, .005, 10)
		return s
	}
	// ω' = −5μg/2R for .05 s; 12 digits of 5 rad/s say it to .1 %.
	if x := ball(1e-12, [3]float64{0, 5}).Last(); x.Rest.Bodies != 0 || !(math.Abs(5-x.V[4]-12.2625e-12) <= 2e-14) {
		t.Errorf("a slip: %+v, less by %g rad/s", x.Rest, 5-x.V[4])
	}
	s := ball(.5, [3]float64{0, 0, 5})
	if r := s.Last().Rest; r.Spinning != 1 {
		t.Errorf("a free spin: %+v", r)
	}
	var c rigid.Checkpoint
	s.Save(&c)
	c.V[4] = 1
	if err := s.Load(&c); err != nil {
		t.Fatal(err)
	}
	if run(t, s, .005, 1); s.Last().Rest.Bodies != 0 || s.Last().Solves == 0 {
		t.Errorf("a spin that has been turned: %+v", s.Last().Rest)
	}
}

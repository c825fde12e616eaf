package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// fallen runs a scene and checks what holds of each that falls without restitution: the
// gaps stay closed to projectGap, contacts take energy and give none, and the ledger closes.
func fallen(t *testing.T, s *rigid.Stepper, h float64, steps int) {
	t.Helper()
	began, worst := s.Energy(), 0.0
	for range steps {
		run(t, s, h, 1)
		worst = max(worst, s.Last().Penetration)
	}
	e := s.Energy()
	fell := began.Kinetic + began.Potential - e.Potential
	if !(worst <= 1e-10) {
		t.Errorf("penetration %g m", worst)
	}
	const rounding = -1e-24 // what sticks has impulses of 1 N s and speeds of 1e-16 m/s, of any sign: squares of rounding are left
	if e.Friction < rounding || e.Normal < 0 || e.Impact < 0 {
		t.Errorf("contacts do work: %+v", e)
	}
	near(t, "in no part of the ledger", e.Residual, 0, 1e-12*float64(steps)*fell)
}

// A thin ellipsoid falls on its edge and topples. What the paper's scheme aborted at was a
// penetration of 1.5e-4 m. It ends flat or rolls on its edge: its centre is never below the least
// semi-axis, and no energy is made.
func TestThinEllipsoid(t *testing.T) {
	for _, grid := range []rigid.Grid{rigid.CollisionGrid, rigid.GapGrid} {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		const tilt = 1.2
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{.3, .2, .01}}, Mass: 1, Position: [3]float64{0, 0, .4},
			Orientation: [4]float64{math.Cos(tilt / 2), 0, math.Sin(tilt / 2), 0}}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.4}}, rigid.Options{Grid: grid})
		first := s.Energy().Potential
		fallen(t, s, .002, 500)
		e := s.Energy()
		if _, q, _, _ := s.State(); q[2] < .01-1e-10 {
			t.Errorf("grid %d: the centre is %g m high", grid, q[2])
		}
		// What Euler's rule loses in the fall it gives back in a rise, at most ½m g h v with 2.8
		// m/s.
		if made := e.Kinetic + e.Potential - first; made > .03 {
			t.Errorf("grid %d: %g J were made", grid, made)
		}
	}
}

// 64 boxes fall .05 m in 16 columns and come to rest as they would be stacked: 16·m g·(1 + 3 + 5 +
// 7)·a/2.
func TestBoxesDropped(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	const a = .2
	for i := range 64 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{a, a, a}}, Mass: 1,
			Position: [3]float64{.25 * float64(i%4), .25 * float64(i/4%4), .05 + a/2 + a*float64(i/16)}}))
	}
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.5}}, rigid.Options{})
	fallen(t, s, .005, 100)
	e := s.Energy()
	if e.Kinetic != 0 {
		t.Errorf("kinetic energy %g J: the columns do not rest", e.Kinetic)
	}
	near(t, "potential energy", e.Potential, 16*9.81*16*a/2, 64*9.81*1e-10*4) // gaps of 1e-10 m, four of them
}

// Fifteen dominoes fall in turn; the last one lies flat, its centre at half its thickness.
func TestDominoes(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	const n = 15
	for i := range n {
		b := bodies.Body{Shape: bodies.Box{Size: [3]float64{.02, .1, .2}}, Mass: .3, Position: [3]float64{.1 * float64(i), 0, .1}}
		if i == 0 {
			b.Velocity, b.Spin = [3]float64{.4, 0, .04}, [3]float64{0, 4, 0}
		}
		must[int](t)(w.Add(b))
	}
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.3}}, rigid.Options{Grid: rigid.GapGrid})
	fallen(t, s, .005, 300)
	_, q, _, _ := s.State()
	for i := range n {
		// |n_z| of the thin axis, which is 0 where it stands: 2(q1 q3 − q0 q2)
		p := q[7*i+3 : 7*i+7]
		if lean := math.Abs(2 * (p[1]*p[3] - p[0]*p[2])); lean < .5 {
			t.Errorf("domino %d has not fallen: %g", i+1, lean)
		}
	}
	near(t, "centre of the last one", q[7*(n-1)+2], .01, 1e-9)
}

// A capsule of 45 g between two pads on slides, pressed by 30 N each with μ = .7, a hundred times
// what its weight needs, hangs in place: from the second on no step moves it (mujoco#3328, where it
// creeps at 50 to 2300 µm/s).
func TestPinchedCapsule(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	var joints []multibody.Joint
	for i, sign := range []float64{-1, 1} {
		at := [3]float64{.014 * sign}
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.02, .04, .04}}, Mass: .1, Position: at,
			Load: signal.Vector{signal.Constant(-30 * sign), signal.Constant(0), signal.Constant(0)}}))
		joints = append(joints, multibody.Joint{Kind: multibody.Prismatic, A: i, B: -1, At: at, Axis: [3]float64{1}})
	}
	turn := math.Sqrt(.5)
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Capsule{Length: .02, R: .004}, Mass: .045, Orientation: [4]float64{turn, 0, 0, turn}}))
	s := start(t, w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .7}}, rigid.Options{})
	run(t, s, .005, 1)
	_, q, _, _ := s.State()
	first := q[16]
	near(t, "height after a step", first, 0, 1e-12)
	for range 200 {
		run(t, s, .005, 1)
		near(t, "height", q[16], first, 1e-12) // 200 steps of 1e-11 of the speed that gravity gives, 5 cm/s, for 5 ms
	}
}

// A chain of fifty links keeps its energy for α = ½, in the plane and in space.
func TestLongChain(t *testing.T) {
	for _, dim := range []int{2, 3} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s, _ := chainOf(t, 50, dim, 1, rigid.Options{Alpha: .5})
			began := s.Energy()
			run(t, s, .002, 100)
			e := s.Energy()
			near(t, "energy", e.Kinetic+e.Potential, began.Kinetic+began.Potential, 1e-9*math.Abs(began.Potential))
			if e.Kinetic < 1 {
				t.Errorf("kinetic energy %g J: the chain does not fall", e.Kinetic)
			}
		})
	}
}

// TestSliver: a box on whose edge another one lies with a sliver of 1 µm, held by a third one on
// the other side, stands.
func TestSliver(t *testing.T) {
	for _, grid := range []rigid.Grid{rigid.CollisionGrid, rigid.GapGrid} {
		w := world(t, 3, [3]float64{0, 0, -10})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		for _, at := range [][3]float64{{0, 0, .1}, {.2 - 1e-6, 0, .3}, {.25, 0, .1}} {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1, Position: at}))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Grid: grid})
		for range 20 {
			run(t, s, 5e-3, 1)
			if x := s.Last(); len(x.Cuts) > 0 || x.Penetration > 1e-10 {
				t.Errorf("grid %d, t = %g: cuts %v, penetration %g", grid, x.T, x.Cuts, x.Penetration)
			}
		}
		if e := s.Energy(); e.Kinetic > 1e-18 {
			t.Errorf("grid %d: kinetic energy %g", grid, e.Kinetic)
		}
	}
}

// TestAtTheEdgeOfFriction: what pulls a box with μ times its weight, to the last digit, does not
// make it slide: its contacts stick with all the friction that they have.
func TestAtTheEdgeOfFriction(t *testing.T) {
	s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Mu: .25}, rigid.Options{},
		[]bodies.Body{{Shape: plate(.2, .2), Mass: 2, Position: [3]float64{0, .1},
			Load: signal.Vector{signal.Constant(5), signal.Constant(0)}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
	for range 3 {
		run(t, s, .01, 1)
		if x := s.Last(); x.Slip != 0 || x.Stick == 0 {
			t.Errorf("t = %g: %d stick, %d slip", x.T, x.Stick, x.Slip)
		}
	}
}

// TestStatesAddUp: open, sticking and slipping contacts are all touches, asleep or not.
func TestStatesAddUp(t *testing.T) {
	s := onObstacles(t, 2, [3]float64{0, -9.81}, multibody.Material{Mu: .3}, rigid.Options{}, []bodies.Body{
		{Shape: plate(.2, .2), Mass: 1, Position: [3]float64{0, .1}},
		{Shape: plate(.2, .2), Mass: 1, Position: [3]float64{1, .1}, Velocity: [3]float64{.5}},
		{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{2, .105}, Velocity: [3]float64{0, .1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
	touches := func() int {
		var c rigid.Checkpoint
		s.Save(&c)
		return len(c.Memory)
	}
	slept, slid := 0, 0
	for range 40 {
		before := touches()
		run(t, s, 5e-3, 1)
		x := s.Last()
		// Of the step: a contact that this state has found is not counted yet.
		if sum := x.Open + x.Stick + x.Slip; sum != before && sum != touches() {
			t.Fatalf("t = %g: %d open, %d stick, %d slip of %d touches", x.T, x.Open, x.Stick, x.Slip, before)
		}
		slid += x.Slip
		if x.Rest.Bodies > 0 {
			slept++
			if x.Stick < 2 || x.Open < 0 {
				t.Fatalf("t = %g: a box at rest and %d contacts stick, %d are open", x.T, x.Stick, x.Open)
			}
		}
	}
	if slept == 0 || slid == 0 {
		t.Errorf("%d steps with a box at rest, %d contacts slid: the test looks at nothing", slept, slid)
	}
}

// TestParts: a collision before a kink of the motion that another contact feels leaves the rest of
// the step, all of it: what flies goes on as far as it has to, and what is hit second is named.
func TestParts(t *testing.T) {
	const h = .15
	s := onObstacles(t, 2, [3]float64{}, multibody.Material{Mu: .3, Restitution: 1}, rigid.Options{Alpha: .5}, []bodies.Body{
		{Shape: plate(.2, .2), Mass: 2, Position: [3]float64{0, .1}},
		{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{9.85, 3}, Velocity: [3]float64{1}},
		{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{3, 2}, Velocity: [3]float64{2, 1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: along(ramp(t, []float64{0, .1, 1}, []float64{0, 0, 1}), nil, nil)},
		bodies.Obstacle{Surface: bodies.HalfSpace{Point: [3]float64{10, 0}, Normal: [3]float64{-1, 0}}})
	run(t, s, h, 1)
	if x := s.Last().Collisions; len(x) == 0 || x[0].B != -2 || x[0].A != 1 || !(math.Abs(x[0].T-.05) < 1e-9) {
		t.Errorf("collisions %+v, want one of body 1 with the wall at .05 s", x)
	}
	_, q, _, _ := s.State()
	for i, want := range map[int]float64{6: 3 + 2*h, 7: 2 + h, 3: 9.9 - .1, 4: 3} {
		near(t, fmt.Sprintf("coordinate %d", i), q[i], want, 1e-9) // what collisions are found to
	}
}

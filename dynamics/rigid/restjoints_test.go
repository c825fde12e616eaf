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

// pinched is a capsule of 45 g between two pads on slides, pressed by 30 N each; from t = .5 s on
// by the forces of the tables.
func pinched(t testing.TB, left, right float64, o rigid.Options) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	var joints []multibody.Joint
	for i, f := range []float64{left, -right} {
		sign := 2*float64(i) - 1
		at := [3]float64{.014 * sign}
		push := must[*signal.Table](t)(signal.NewTable([]float64{0.5, 0.505, 9}, []float64{-30 * sign, f, f}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.02, .04, .04}}, Mass: .1, Position: at,
			Load: signal.Vector{push, signal.Constant(0), signal.Constant(0)}}))
		joints = append(joints, multibody.Joint{Kind: multibody.Prismatic, A: i, B: -1, At: at, Axis: [3]float64{1}})
	}
	turn := math.Sqrt(.5)
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Capsule{Length: .02, R: .004}, Mass: .045, Orientation: [4]float64{turn, 0, 0, turn}}))
	return start(t, w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .7}}, o)
}

// resting runs up to a step before t = .5 s and checks that the last steps cost no solve and move
// nothing by a bit.
func resting(t *testing.T, s *rigid.Stepper) {
	t.Helper()
	run(t, s, .005, 20)
	_, q, v, _ := s.State()
	q0 := slices.Clone(q)
	for range 79 {
		if run(t, s, .005, 1); s.Last().Solves != 0 {
			t.Fatalf("t = %g: %d problems were solved", s.Last().T, s.Last().Solves)
		}
	}
	if !slices.Equal(q, q0) || slices.ContainsFunc(v, func(v float64) bool { return v != 0 }) {
		t.Error("a body at rest has moved")
	}
}

// replayed makes the step to the present state again from its impulses.
func replayed(t *testing.T, s, other *rigid.Stepper) {
	t.Helper()
	x := s.Last()
	if err := rigid.NewReplay(other).Jump(x.T, x.Q, x.V); err != nil {
		t.Fatal(err)
	}
	run(t, s, .005, 1)
	f, err := rigid.NewReplay(other).Replay(context.Background(), .005, x.T, x.Mode, x.Q, x.V, x.Impulses)
	if err != nil || f.Motion > 1e-9*f.Speed || f.Joint > 1e-9 || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9 {
		t.Errorf("a step at rest, played again: %v, %+v", err, f)
	}
}

var restOptions = []rigid.Options{{}, {Alpha: .5}, {Grid: rigid.GapGrid}, {Scheme: rigid.Gavrea}, {Scheme: rigid.Gavrea, Alpha: .5}}

// A pinched capsule rests on slides that rest: they carry their weight and half of its. A force
// that is less on both sides by as much, within friction, wakes it and lets it rest again; one that
// is less on one side moves all of it, and none at all lets it fall.
func TestRestOnJoints(t *testing.T) {
	const weight = .1*9.81 + .5*.045*9.81
	for _, o := range restOptions {
		s := pinched(t, 20, 20, o)
		resting(t, s)
		for i := range 2 {
			r := s.Reaction(i)
			near(t, "weight on a slide", math.Abs(r.Force[2]), weight, 1e-9*30)
			near(t, "force along it", r.Force[0], 0, 1e-9*30)
		}
		replayed(t, s, pinched(t, 20, 20, o))
		run(t, s, .005, 1)
		if s.Last().Solves == 0 {
			t.Error("the force has changed, and nothing was solved")
		}
		run(t, s, .005, 100)
		if s.Last().Solves != 0 || s.Energy().Kinetic != 0 {
			t.Error("it does not rest again")
		}
		force := 0.0
		s.Contacts(func(p *rigid.Present) { force += p.Force[0] })
		near(t, "normal forces of both pads", force, 40, 1e-9*40)

		pushed := pinched(t, 30, 20, o)
		run(t, pushed, .005, 200)
		_, q, v, _ := pushed.State()
		// 10 N on .245 kg to 1 s, from .505 s, before which they grow from zero in a step
		near(t, "speed of all that is pushed", v[0], 10/.245*.4975, 10/.245*.0026)
		near(t, "way of the capsule beside a pad", q[14]-q[0], .014, 1e-9)

		loose := pinched(t, 0, 0, o)
		run(t, loose, .005, 140)
		if _, q, _, _ := loose.State(); !(q[16] < -.1) {
			t.Errorf("the capsule has fallen to %g m", q[16])
		}
	}
}

// lamp is a box on a floor with an arm on it that nothing else touches: fixed, or a bar on a pin
// with a stop. From .5 s on something changes.
func lamp(t testing.TB, floor signal.Motion, pull float64, ball bool, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}, Motion: floor}))
	force := must[*signal.Table](t)(signal.NewTable([]float64{0.5, 0.505, 9}, []float64{0, pull, pull}))
	must[int](t)(w.Add(bodies.Body{Shape: plate(.4, .2), Mass: 2, Position: [3]float64{0, .1}}))
	must[int](t)(w.Add(bodies.Body{Shape: plate(.02, .4), Mass: .5, Position: [3]float64{0, .5}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .05}, Mass: .25, Position: [3]float64{.05, .8},
		Load: signal.Vector{force, signal.Constant(0)}}))
	if ball { // meets the shade after .75 s
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .05}, Mass: .25, Position: [3]float64{-.8, .8},
			Velocity: [3]float64{1, 9.81 * .375}}))
	}
	joints := []multibody.Joint{{Kind: multibody.Fixed, A: 1, B: 0, At: [3]float64{0, .3}},
		{Kind: multibody.Fixed, A: 2, B: 1, At: [3]float64{.05, .7}}}
	return start(t, w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .6}}, o)
}

// A lamp rests with its arm and its shade, which nothing touches; a force on the shade, a floor
// that begins to move and a ball that meets the shade wake it.
func TestLampRests(t *testing.T) {
	for _, o := range restOptions {
		s := lamp(t, signal.Motion{}, 2, false, o)
		resting(t, s)
		near(t, "weight on the arm", math.Abs(s.Reaction(0).Force[1]), .75*9.81, 1e-9*30)
		replayed(t, s, lamp(t, signal.Motion{}, 2, false, o))
		run(t, s, .005, 20)
		normal, moment, shear := 0.0, 0.0, 0.0
		s.Contacts(func(p *rigid.Present) {
			normal, shear, moment = normal+p.Force[0], shear+math.Abs(p.Force[1]), moment+p.At[0]*p.Force[0]
		})
		near(t, "weight on the floor", normal, 2.75*9.81, 1e-9*30)
		near(t, "friction", shear, 2, 1e-9*30)
		near(t, "moment", moment, .25*9.81*.05+2*.8, 1e-9*30)
		if s.Energy().Kinetic != 0 {
			t.Error("the pulled lamp moves")
		}

		if o.Grid != rigid.GapGrid || o.Scheme != rigid.Secant {
			continue // one of them will do for what is the same
		}
		moving := lamp(t, along(ramp(t, []float64{0.5, 0.6, 9}, []float64{0, 0.02, 1.70}), nil, nil), 0, false, o)
		resting(t, moving)
		run(t, moving, .005, 100)
		_, _, v, _ := moving.State()
		near(t, "speed of the shade on a moving floor", v[6], .2, 1e-6)

		hit := lamp(t, signal.Motion{}, 0, true, o)
		run(t, hit, .005, 130)
		if hit.Last().Solves != 0 {
			t.Error("the lamp is not at rest before the ball comes")
		}
		run(t, hit, .005, 40)
		if _, _, v, _ := hit.State(); v[9] > .5 {
			t.Errorf("the ball goes on with %g m/s", v[9])
		}
	}
}

// A run that is taken up again while something with joints rests goes on to the same bits.
func TestRestOnJointsAgain(t *testing.T) {
	for k, o := range restOptions {
		open := func() *rigid.Stepper { return pinched(t, 29, 28, o) }
		run1, run2 := open(), open()
		run(t, run1, .005, 140)
		for range 20 {
			run(t, run2, .005, 7)
			var c rigid.Checkpoint
			run2.Save(&c)
			run2 = open()
			if err := run2.Load(&c); err != nil {
				t.Fatal(err)
			}
		}
		_, q1, v1, w1 := run1.State()
		_, q2, v2, w2 := run2.State()
		if !slices.Equal(q1, q2) || !slices.Equal(v1, v2) || !slices.Equal(w1, w2) ||
			fmt.Sprint(run1.Energy()) != fmt.Sprint(run2.Energy()) {
			t.Errorf("options %d: other bits of a run that was taken up again", k)
		}
	}
}

// A wall comes to two hinged plates on a floor, 1e-14 s before the end of a step by rounding: in
// what is left of that the hinge feels what the contact problem leaves, over 1e-14 s. Its forces in
// the whole step that follows would be 1e4 N at the first guess, which took the definiteness from A
// where a spring, which does nothing here, makes that full. The wall pushes both.
func TestImpactBeforeEnd(t *testing.T) {
	for _, alpha := range []float64{1, .5} {
		w := world(t, 2, [3]float64{0, -9.81})
		must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}}))
		must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Point: [3]float64{.5},
			Normal: [3]float64{-1}}, Motion: along(ramp(t, []float64{0, 2}, []float64{0, -.6}), nil, nil)}))
		var forces []multibody.Force
		for i := range 2 {
			must[int](t)(w.Add(bodies.Body{Shape: plate(.2, .1), Mass: 1, Position: [3]float64{.25 * float64(i), .05}}))
			forces = append(forces, &multibody.Spring{A: i, B: -1, Stiffness: 1e-12})
		}
		hinge := multibody.Joint{Kind: multibody.Revolute, A: 1, B: 0, At: [3]float64{.125, .05}}
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{hinge}, Material: multibody.Material{Mu: .5},
			Forces: forces}, rigid.Options{Alpha: alpha})
		run(t, s, .005, 110)
		_, _, v, _ := s.State() // a chord of the wall over 1e-14 s was 1.3 % off, which α = 1/2 repeated in all steps
		near(t, "speed of the first plate", v[0], -.3, 1e-9)
		near(t, "speed of the second one", v[3], -.3, 1e-9)
	}
}

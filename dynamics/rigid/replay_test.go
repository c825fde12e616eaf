package rigid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestReplay plays random scenes with joints, impacts and piles again, from states and
// impulses alone: no equation is off by more than the contact problems are. With one
// impulse or velocity changed, one is.
func TestReplay(t *testing.T) {
	ctx, replayed, pushed, changed := context.Background(), 0, 0, 0
	first := make([]uint64, 30)
	for i := range first {
		first[i] = uint64(i)
	}
	// Beyond the first: a step of α = γ = 1 that the equations do not tell (360), one cut where a
	// contact closed without speed (333), projections with the Coriolis terms of the step before in
	// the masses of tied bodies (168, 184, 233, 351), light bodies that carry heavy ones (109, 344,
	// 412, 574). Of the first 400 all steps satisfy the
	// equations. In two a thousandth of an impulse is too little to be seen: a component turns at
	// 4e7 m/s and its contact changes that by 1e-4 m/s, 2e-12 of it (264); the impulses of a touch
	// are rounding, with 1e-15 J of friction (311).
	for _, seed := range append(first, 109, 168, 184, 233, 333, 344, 351, 360, 412, 574) {
		s, err := scene(rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			continue
		}
		r, err := scene(rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		const h = 0.005
		for k := range 12 {
			t0, q0, v0, _ := s.State()
			q0, v0 = slices.Clone(q0), slices.Clone(v0)
			if s.Step(ctx, h) != nil {
				break
			}
			x := s.Last()
			if len(x.Collisions) > 0 || len(x.Cuts) > 0 {
				if len(x.Impulses) > 0 {
					t.Fatalf("seed %d: impulses of a step with collisions", seed)
				}
				if err := rigid.NewReplay(r).Jump(x.T, x.Q, x.V); err != nil {
					t.Fatal(err)
				}
				continue
			}
			replayed++
			f, err := rigid.NewReplay(r).Replay(ctx, h, x.T, x.Mode, x.Q, x.V, x.Impulses)
			// 1e-9: the joint forces are solved for again. 1e-6: the merit of 1e-8 of a contact
			// problem has one unit for all contacts, the finding one for each.
			if err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9 || f.IsStrange ||
				f.Cone == 0 && f.ConeAt != 0 || f.Path == 0 && f.PathAt != 0 {
				t.Errorf("seed %d, step %d: %v, %+v", seed, k+1, err, f)
			}
			if len(x.Impulses) == 0 {
				continue
			}
			pushed++
			// The same step with a wrong impulse, in a stepper that is at its start.
			other, err := scene(rand.New(rand.NewPCG(seed, 1)))
			if err == nil {
				err = rigid.NewReplay(other).Jump(t0, q0, v0)
			}
			if err != nil {
				t.Fatal(err)
			}
			wrong := slices.Clone(x.Impulses)
			for _, i := range wrong { // a thousandth of the largest one
				for _, v := range i.On {
					wrong[0].On[1] += 1e-3 * math.Abs(v)
				}
			}
			f, err = rigid.NewReplay(other).Replay(ctx, h, x.T, x.Mode, x.Q, x.V, wrong)
			if err == nil && (f.Motion > 1e-9*f.Speed || f.Law > 1e-6) {
				changed++
			} else {
				t.Errorf("seed %d, step %d: a changed impulse is not seen: %v, %+v", seed, k+1, err, f)
			}
		}
		_, q, v, _ := s.State()
		if _, err := rigid.NewReplay(r).Replay(ctx, h, h, 0, q[1:], v, nil); err == nil {
			t.Fatal("a state of another model was replayed")
		}
	}
	if replayed < 100 || pushed < 50 || changed == 0 {
		t.Errorf("%d steps, %d with contacts, %d changed: the test looks at nothing", replayed, pushed, changed)
	}
}

// TestReplayTells: two capsules fall into a sphere and come to stick in it, in millimetres, grams
// and milliseconds: each step that is played again in the mode that it states ends where it did. In
// another mode steps do not: a file that lies about it is found.
func TestReplayTells(t *testing.T) {
	open := func() *rigid.Stepper {
		return onObstacles(t, 3, [3]float64{0, 0, -.00981}, multibody.Material{Mu: 1}, rigid.Options{Alpha: .5}, []bodies.Body{
			{Shape: bodies.Capsule{Length: 200, R: 40}, Mass: 1000, Position: [3]float64{-57.52399552199691, 0, -600},
				Velocity: [3]float64{0.3780875553920997, -0.43394813332301363}},
			{Shape: bodies.Capsule{Length: 200, R: 40}, Mass: 1000, Position: [3]float64{1.5498254651862275, 0, -250},
				Velocity: [3]float64{0.7931812896593915, 0.3732735316353465}}},
			bodies.Obstacle{Surface: bodies.Ball{R: 1000, Inside: true}})
	}
	s, other := open(), open()
	played, modes, found := 0, 0, 0
	var before rigid.Step
	for range 380 {
		x := s.Last()
		before.T, before.Q, before.V = x.T, slices.Clone(x.Q), slices.Clone(x.V)
		if err := rigid.NewReplay(other).Jump(x.T, x.Q, x.V); err != nil {
			t.Fatal(err)
		}
		run(t, s, 2.5, 1)
		if x = s.Last(); len(x.Collisions) > 0 || len(x.Cuts) > 0 {
			continue
		}
		f, err := rigid.NewReplay(other).Replay(t.Context(), 2.5, x.T, x.Mode, x.Q, x.V, x.Impulses)
		if played++; err != nil || f.Path > 1e-9*40 { // what diagnose allows of coordinates of 40 mm
			t.Errorf("t = %g ms: %v, off by %g mm", x.T, err, f.Path)
		}
		if x.Mode == 0 {
			continue
		}
		if !x.Mode.Valid() {
			t.Errorf("t = %g ms: mode %d", x.T, x.Mode)
		}
		modes++
		if err := rigid.NewReplay(other).Jump(before.T, before.Q, before.V); err != nil {
			t.Fatal(err)
		}
		if f, err = rigid.NewReplay(other).Replay(t.Context(), 2.5, x.T, 0, x.Q, x.V, x.Impulses); err != nil ||
			f.Path > 1e-9*40 || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-10 {
			found++
		}
	}
	if played < 300 || modes == 0 || found == 0 {
		t.Errorf("%d steps were played again, %d of other modes, of which %d were found in the wrong one", played, modes, found)
	}
}

// TestReplaySlidingTurn: a box that slides and turns on a plane has c of rounding and c_T of first
// order for α = ¾: the first must not tell that the second was left out.
func TestReplaySlidingTurn(t *testing.T) {
	box := func() *rigid.Stepper {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0.2, 0, 1}))
		tilt := math.Atan(0.2) / 2
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .3, .1}}, Mass: 3,
			Position:    [3]float64{0.05 * math.Sin(2*tilt), 0, 0.05 * math.Cos(2*tilt)},
			Orientation: [4]float64{math.Cos(tilt), 0, math.Sin(tilt), 0},
			Velocity:    [3]float64{0, 1, 0}, Spin: [3]float64{0, 0, 3}}))
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.1}}, rigid.Options{Alpha: .75})
	}
	s, r := box(), box()
	for k := range 20 {
		run(t, s, 0.005, 1)
		x := s.Last()
		f, err := rigid.NewReplay(r).Replay(context.Background(), 0.005, x.T, x.Mode, x.Q, x.V, x.Impulses)
		if err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-8 || f.Path > 1e-12 { // 1e-8: what a contact problem may leave
			t.Errorf("step %d: %v, %+v", k+1, err, f)
		}
	}
}

package dynamics_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// bouncers are bodies that fall on a floor from different heights onto patches of three
// elements, and leave it again; those of the list are there.
func bouncers(t *testing.T, list []int, rigid bool, o dynamics.Options) (*dynamics.Stepper, []int) {
	t.Helper()
	w, err := bodies.NewWorld(2, [3]float64{0, -10})
	if err != nil {
		t.Fatal(err)
	}
	floor, err := w.AddHalfSpace([3]float64{}, [3]float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	var keys []int
	for _, k := range list {
		patch, err := dynamics.NewPatch(contact.Coulomb{Mu: .1 * float64(k+1)},
			dynamics.HalfSpace{Dim: 2, Elements: 2 + k, Spacing: 1e-3, Epsilon: 1e-6, Poisson: .3, Damping: .1})
		if rigid {
			patch, err = dynamics.NewRigid(contact.Coulomb{Mu: .1 * float64(k+1)}, 2)
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := w.Add(bodies.Body{Shape: bodies.Ellipse{A: .1, B: .07}, Mass: 1 + .3*float64(k),
			Position: [3]float64{float64(k), .12 + .03*float64(k)},
			Angle:    .2 * float64(k), Velocity: [3]float64{.5 - .4*float64(k), -.3, 0}, Spin: [3]float64{0, 0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		key, err := w.OnObstacle(b, floor, patch)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	q, v := w.Start()
	s, err := dynamics.NewStepper(w, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, keys
}

// TestAlone: bodies that do not meet move as each of them does alone, to the bit, however
// their contacts come and go: forces, deformations, and those that relax where a contact was lost.
func TestAlone(t *testing.T) {
	for name, c := range map[string]struct {
		rigid bool
		o     dynamics.Options
	}{
		"springs": {}, "rigid": {rigid: true}, "velocities": {o: dynamics.Options{VelocityForm: true}},
		"θ": {o: dynamics.Options{ImplicitForce: true, Theta: .3}},
	} {
		all, keys := bouncers(t, []int{0, 1, 2}, c.rigid, c.o)
		var alone [3]*dynamics.Stepper
		var key [3]int
		for k := range alone {
			s, one := bouncers(t, []int{k}, c.rigid, c.o)
			alone[k], key[k] = s, one[0]
		}
		touched, left := 0, 0
		for step := range 800 {
			if err := all.Step(context.Background(), 5e-4); err != nil {
				t.Fatal(err)
			}
			var sum dynamics.Energy
			for k, s := range alone {
				if err := s.Step(context.Background(), 5e-4); err != nil {
					t.Fatal(err)
				}
				x, y := all.State(), s.State()
				for i := range 3 {
					if x.Q[3*k+i] != y.Q[i] || x.V[3*k+i] != y.V[i] {
						t.Fatalf("%s, step %d, body %d: q = %v, v = %v, alone %v, %v", name, step, k, x.Q[3*k:3*k+3],
							x.V[3*k:3*k+3], y.Q, y.V)
					}
				}
				f, l := x.Patch(keys[k])
				g, m := y.Patch(key[k])
				for i := range l - f {
					if m-g != l-f || x.Lambda[f+i] != y.Lambda[g+i] || x.Delta[f+i] != y.Delta[g+i] {
						t.Fatalf("%s, step %d, body %d: forces %v, alone %v", name, step, k, x.Lambda[f:l], y.Lambda[g:m])
					}
				}
				if l > f && x.Lambda[f] > 0 {
					touched++
				} else if l > f && x.Delta[f] != 0 {
					left++ // its springs relax
				}
				e := s.Last().Energy
				sum.Kinetic, sum.Stored, sum.Viscous, sum.Friction, sum.Impact = sum.Kinetic+e.Kinetic,
					sum.Stored+e.Stored, sum.Viscous+e.Viscous, sum.Friction+e.Friction, sum.Impact+e.Impact
			}
			e := all.Last().Energy
			for i, x := range [][2]float64{{e.Kinetic, sum.Kinetic}, {e.Stored, sum.Stored}, {e.Viscous, sum.Viscous},
				{e.Friction, sum.Friction}, {e.Impact, sum.Impact}} {
				if math.Abs(x[0]-x[1]) > 1e-13 { // sums of 10 J in another order
					t.Fatalf("%s, step %d: energy %d is %g, of the bodies alone %g", name, step, i, x[0], x[1])
				}
			}
		}
		if touched < 100 || !c.rigid && left < 100 {
			t.Errorf("%s: %d steps of a body in contact, %d of one whose springs relax: the scene shows nothing", name, touched, left)
		}
	}
}

// TestReplayOfBouncers: the steps of a run are found to be those of the scheme, whatever
// contacts come and go, and the ledger of the replay is that of the run; a force, a velocity
// or a position changed by 1e-6 is found.
func TestReplayOfBouncers(t *testing.T) {
	for name, c := range map[string]struct {
		rigid bool
		o     dynamics.Options
	}{
		"springs": {}, "rigid": {rigid: true}, "velocities": {o: dynamics.Options{VelocityForm: true}},
		"θ": {o: dynamics.Options{ImplicitForce: true, Theta: .3}},
	} {
		s, keys := bouncers(t, []int{0, 1, 2}, c.rigid, c.o)
		again, _ := bouncers(t, []int{0, 1, 2}, c.rigid, c.o)
		wrong, found := 0, 0
		for step := range 400 {
			h := 5e-4 * float64(1+step/100%2) // two lengths of steps
			var before dynamics.Checkpoint
			again.Save(&before)
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
			x := s.State()
			lambda := func(change float64) func(key int) []float64 {
				return func(key int) []float64 {
					first, last := x.Patch(key)
					l := append([]float64(nil), x.Lambda[first:last]...)
					l[0] *= 1 + change
					return l
				}
			}
			f, err := again.Replay(h, x.T, s.Last().Theta, x.Q, x.V, lambda(0))
			if err != nil {
				t.Fatal(err)
			}
			if f.Path > 1e-14 || f.Motion > 1e-11*f.Speed[f.MotionAt] || f.Law > 1e-8 || f.Cone > 1e-8 {
				t.Fatalf("%s, step %d: %+v", name, step, f)
			}
			if a, b := again.Ledger(), s.Ledger(); math.Abs(a.Residual-b.Residual) > 1e-11 ||
				math.Abs(a.Viscous-b.Viscous) > 1e-11 || math.Abs(a.Stored-b.Stored) > 1e-11 || math.Abs(a.Impact-b.Impact) > 1e-11 {
				t.Fatalf("%s, step %d: ledger %+v, of the run %+v", name, step, a, b)
			}
			first, last := x.Patch(keys[1])
			if step%20 != 0 || last == first || x.Lambda[first] <= 0 {
				continue
			}
			other, _ := bouncers(t, []int{0, 1, 2}, c.rigid, c.o)
			for k := range 3 {
				q, v, change := append([]float64(nil), x.Q...), append([]float64(nil), x.V...), 0.0
				switch k {
				case 0:
					change = 1e-6
				case 1:
					v[4] *= 1 + 1e-6
				case 2:
					q[4] += 1e-6
				}
				if err := other.Load(&before); err != nil {
					t.Fatal(err)
				}
				f, err := other.Replay(h, x.T, 0, q, v, lambda(change))
				if err != nil {
					t.Fatal(err)
				}
				wrong++
				if f.Path > 1e-12 || f.Motion > 1e-10*f.Speed[f.MotionAt] || f.Law > 1e-7 {
					found++
				}
			}
		}
		if found != wrong || wrong < 10 {
			t.Errorf("%s: %d of %d changes found", name, found, wrong)
		}
	}
}

// TestAloneInTheLedger: what the island of each body made, moved and lost is what it does alone,
// also where its springs relax behind it; from a checkpoint anywhere, loaded by a stepper that has
// not moved, all goes on to the same bits; and a restart with springs that are pressed ties all, as
// whose they are is not known.
func TestAloneInTheLedger(t *testing.T) {
	const h = 5e-4
	all, _ := bouncers(t, []int{0, 1, 2}, false, dynamics.Options{})
	var alone [3]*dynamics.Stepper
	for k := range alone {
		alone[k], _ = bouncers(t, []int{k}, false, dynamics.Options{})
	}
	pressed := 0
	for step := range 600 {
		for _, s := range append(alone[:], all) {
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
		}
		c := all.Creations()
		for k, s := range alone {
			a, b := c.Island[k], s.Creations().Whole
			for i, x := range [][2]float64{{a.Start, b.Start}, {a.Moved, b.Moved}, {a.Sum, b.Sum}, {a.Most, b.Most},
				{a.Step, b.Step}, {a.Taken, b.Taken}} {
				if c.Root[k] != k || math.Abs(x[0]-x[1]) > 1e-13 { // sums of 10 J in another order
					t.Fatalf("step %d, body %d: number %d is %g, alone %g", step, k, i, x[0], x[1])
				}
			}
		}
		if step%60 != 59 {
			continue
		}
		var x dynamics.Checkpoint
		all.Save(&x)
		again, _ := bouncers(t, []int{0, 1, 2}, false, dynamics.Options{})
		if err := again.Load(&x); err != nil {
			t.Fatal(err)
		}
		other, _ := bouncers(t, []int{0, 1, 2}, false, dynamics.Options{})
		if err := other.Restart(all.State()); err != nil {
			t.Fatal(err)
		}
		if stored := other.Ledger().Stored; stored > 0 {
			pressed++
			if r := other.Creations().Root; r[1] != 0 || r[2] != 0 || other.Creations().Whole.Start != other.Creations().Island[0].Start {
				t.Errorf("step %d: %g J stored, islands %v", step, stored, r)
			}
		} else if r := other.Creations().Root; r[1] != 1 || r[2] != 2 {
			t.Errorf("step %d: islands %v", step, r)
		}
		for range 12 {
			if err := again.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
		}
		all.Keep(2)
		for range 12 {
			if err := all.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
		}
		a, b := all.State(), again.State()
		for i := range a.Q {
			if a.Q[i] != b.Q[i] || a.V[i] != b.V[i] {
				t.Fatalf("step %d: other bits from the checkpoint", step)
			}
		}
		for i := range a.Delta {
			if len(a.Delta) != len(b.Delta) || a.Delta[i] != b.Delta[i] {
				t.Fatalf("step %d: other springs from the checkpoint", step)
			}
		}
		if p, q := all.Creations(), again.Creations(); p.Whole != q.Whole || p.Island[1] != q.Island[1] {
			t.Fatalf("step %d: another ledger from the checkpoint", step)
		}
		if err := all.Return(2); err != nil {
			t.Fatal(err)
		}
	}
	if pressed == 0 {
		t.Error("no springs were pressed at a restart")
	}
}

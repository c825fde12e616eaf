package rigid_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// pushedStacks are two stacks of boxes, five metres apart; a force pulls the top box of the
// second from t = .5 s on, and a ball comes to the first.
func pushedStacks(t testing.TB, o rigid.Options) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	pull := must[*signal.Table](t)(signal.NewTable([]float64{0.5, 0.505, 2}, []float64{0, 3, 3}))
	for i := range 10 {
		b := bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1,
			Position: [3]float64{5 * float64(i/5), 0, .1 + .2*float64(i%5)}}
		if i == 9 {
			b.Load = signal.Vector{pull, signal.Constant(0), signal.Constant(0)}
		}
		must[int](t)(w.Add(b))
	}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{-1.2, 0, .9},
		Velocity: [3]float64{1, 0, 4.905}}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.5}}, o)
}

// Stacks at rest cost no solve until something changes: the load, within friction, then the ball
// that comes after a second. Until then their bodies do not move by a bit, contacts
// carry what lies on them, and a step played again from its impulses is one of the scheme.
func TestRest(t *testing.T) {
	const h = 0.005
	for _, grid := range []rigid.Grid{rigid.GapGrid, rigid.CollisionGrid} {
		s, other := pushedStacks(t, rigid.Options{Grid: grid}), pushedStacks(t, rigid.Options{Grid: grid})
		run(t, s, h, 10)
		_, q, _, _ := s.State()
		q0 := slices.Clone(q)
		for range 85 {
			if run(t, s, h, 1); s.Last().Solves != 0 {
				t.Fatalf("t = %g: %d problems were solved", s.Last().T, s.Last().Solves)
			}
		}
		if !slices.Equal(q[:70], q0[:70]) {
			t.Error("a body at rest has moved")
		}
		weight := 0.0
		s.Contacts(func(p *rigid.Present) {
			if p.Floor == 0 && p.A < 5 {
				weight += p.Force[0]
			}
		})
		near(t, "force on the floor", weight, 5*9.81, 1e-9*5*9.81) // 10 times the tolerance of 1e-11, of ten boxes
		x := s.Last()
		if err := rigid.NewReplay(other).Jump(x.T, x.Q, x.V); err != nil {
			t.Fatal(err)
		}
		run(t, s, h, 1)
		f, err := rigid.NewReplay(other).Replay(context.Background(), h, x.T, x.Mode, x.Q, x.V, x.Impulses)
		if err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9 {
			t.Errorf("a step at rest, played again: %v, %+v", err, f)
		}
		run(t, s, h, 10) // the load has come at .5 s
		if !(s.Last().T > 0.5) || s.Last().Energy.Kinetic > 12 {
			t.Fatal("the test looks at another time")
		}
		pull := 0.0
		s.Contacts(func(p *rigid.Present) {
			if p.A == 8 && p.B == 9 {
				for d := range 3 {
					pull -= p.Force[d] * p.Frame[d][0]
				}
			}
		})
		near(t, "friction under the pulled box", math.Abs(pull), 3, 1e-9*10)
		run(t, s, h, 120)
		if _, q, _, _ := s.State(); math.Abs(q[4*7]-q0[4*7]) < 1e-6 {
			t.Error("the ball has not moved the box that it met")
		}
	}
}

// The impulses of islands do not depend on how many work on them, and a run that is taken up
// again between two steps goes on to the same bits, with bodies at rest and without.
func TestSameBits(t *testing.T) {
	make := map[string]func() *rigid.Stepper{
		"pile":   func() *rigid.Stepper { return spherePile(t, 100, rigid.Options{Grid: rigid.GapGrid}) },
		"stacks": func() *rigid.Stepper { return pushedStacks(t, rigid.Options{}) },
	}
	for name, open := range make {
		run1, run2, run3 := open(), open(), open()
		old := runtime.GOMAXPROCS(1)
		run(t, run1, 0.005, 120)
		runtime.GOMAXPROCS(4)
		run(t, run2, 0.005, 120)
		for range 12 {
			run(t, run3, 0.005, 10)
			var c rigid.Checkpoint
			run3.Save(&c)
			run3 = open()
			if err := run3.Load(&c); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GOMAXPROCS(old)
		_, q1, v1, _ := run1.State()
		_, q2, v2, _ := run2.State()
		_, q3, v3, _ := run3.State()
		if !slices.Equal(q1, q2) || !slices.Equal(v1, v2) {
			t.Errorf("%s: other bits with four workers than with one", name)
		}
		if !slices.Equal(q1, q3) || !slices.Equal(v1, v3) {
			t.Errorf("%s: other bits of a run that was taken up again", name)
		}
	}
}

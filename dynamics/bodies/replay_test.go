package bodies_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
)

// TestReplay plays spheres that bounce and meet again, from states and forces alone:
// the same ledger to the bit, and no equation is off. With a force changed, one is.
func TestReplay(t *testing.T) {
	s, r := bouncers(t), bouncers(t)
	forces, seen := 0, 0
	for k := range 400 {
		if err := s.Step(context.Background(), 1e-3); err != nil {
			t.Fatal(err)
		}
		x := s.State()
		change := 0.0
		lambda := func(key int) []float64 {
			first, last := x.Patch(key)
			f := slices.Clone(x.Lambda[first:last])
			if len(f) > 0 && f[0] > 0 {
				forces++
				f[0] += change
			}
			return f
		}
		if k == 200 { // in the air or not: with another force the motion is another one
			var c dynamics.Checkpoint
			r.Save(&c)
			other := bouncers(t)
			if err := other.Load(&c); err != nil {
				t.Fatal(err)
			}
			change = 1e-3
			f, err := other.Replay(1e-3, x.T, s.Last().Theta, x.Q, x.V, lambda)
			if err != nil {
				t.Fatal(err)
			}
			if f.Motion > 1e-11*f.Speed[f.MotionAt] {
				seen++
			}
			change = 0
		}
		f, err := r.Replay(1e-3, x.T, s.Last().Theta, x.Q, x.V, lambda)
		if err != nil {
			t.Fatal(err)
		}
		// The state is what the forces lead to, by the same sums; the law is kept as the
		// contact problems are solved, to 1e-8.
		if f.Motion != 0 || f.Path != 0 || f.Law > 1e-7 || f.Cone > 1e-8 || s.Ledger() != r.Ledger() {
			t.Fatalf("step %d: %+v\n%+v\n%+v", k+1, f, s.Ledger(), r.Ledger())
		}
	}
	if forces == 0 || seen == 0 {
		t.Errorf("%d forces, %d changes seen: the test looks at nothing", forces, seen)
	}
}

// TestReplayUnknown: where a force is not known, nothing is said about its bodies.
func TestReplayUnknown(t *testing.T) {
	s, r := bouncers(t), bouncers(t)
	marked := 0
	for range 50 {
		if err := s.Step(context.Background(), 1e-3); err != nil {
			t.Fatal(err)
		}
		x := s.State()
		f, err := r.Replay(1e-3, x.T, s.Last().Theta, x.Q, x.V, func(int) []float64 { return nil })
		if err != nil || f.Motion > 1e-15 || f.Law != 0 || math.IsNaN(f.Motion) {
			t.Fatalf("%v: %+v", err, f)
		}
		for _, u := range f.Unknown {
			if u {
				marked++
			}
		}
	}
	if marked == 0 {
		t.Error("no body is marked")
	}
	if _, err := r.Replay(1e-3, 1e-3, 0, s.State().Q[1:], s.State().V, nil); err == nil {
		t.Error("a state of another system was replayed")
	}
}

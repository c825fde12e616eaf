package rigid_test

import (
	"context"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestArrival: two balls on a floor without friction meet after k steps of .01 s, 1 ≤ k < 40, in 1,
// 2 or 4 parts each. Whatever rounding makes of the last gap, the step that ends there has the
// collision and v⁺ = (1 ∓ e)v/2, so that all grids have lost mv²(1 − e²)/4 at that time. Steps
// before and after it are those of their impulses, which that step has none of.
func TestArrival(t *testing.T) {
	const h, e, mass, speed = 0.01, 0.8, 2.0, 1.0
	short := 0 // collisions whose gap is not below zero at the end of a step
	for k := 1; k < 40; k++ {
		for _, parts := range []int{1, 2, 4} {
			s, r := pair(t, float64(k)*h*speed, speed, mass, e), pair(t, float64(k)*h*speed, speed, mass, e)
			for step := 1; step <= k*parts+2; step++ {
				run(t, s, h/float64(parts), 1)
				x, hits := s.Last(), 0
				if step == k*parts {
					hits = 1
					near(t, "loss", x.Energy.Impact, mass*speed*speed*(1-e*e)/4, 1e-12)
					near(t, "first ball", x.V[0], (1-e)/2*speed, 1e-12)
					near(t, "second ball", x.V[3], (1+e)/2*speed, 1e-12)
				}
				if len(x.Collisions) != hits {
					t.Fatalf("contact after %d steps in %d parts: %d collisions in step %d, want %d", k, parts,
						len(x.Collisions), step, hits)
				}
				if again(t, r, h/float64(parts), x); hits == 0 && len(x.Impulses) != 2 {
					t.Fatalf("%d impulses, want those of the floor on two balls", len(x.Impulses))
				}
				if gap := x.Q[3] - x.Q[0] - .2; hits == 1 && gap > 0 {
					short++
				}
			}
		}
	}
	if short == 0 {
		t.Error("no gap is left above zero by rounding: nothing is tried")
	}
}

// again replays a step, or jumps over one with collisions.
func again(t *testing.T, r *rigid.Stepper, h float64, x *rigid.Step) {
	t.Helper()
	if len(x.Collisions) > 0 {
		if len(x.Impulses) > 0 {
			t.Fatal("impulses of a step with a collision")
		}
		if err := rigid.NewReplay(r).Jump(x.T, x.Q, x.V); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := rigid.NewReplay(r).Replay(context.Background(), h, x.T, x.Mode, slices.Clone(x.Q), slices.Clone(x.V), x.Impulses)
	// As in TestReplay: what the contact problems are off by.
	if err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Path > 1e-9 || f.IsStrange {
		t.Fatalf("replay: %v, %+v", err, f)
	}
}

// TestReplayAfterImpact: the first of five balls leaves the others, which the law of impact leaves
// with 1e-13 of its speed between them. The next step has all four contacts, solved to some digits
// of the largest speed among them, which is that of the one that parts: of that the replay judges
// them.
func TestReplayAfterImpact(t *testing.T) {
	const h = 0.01
	for _, law := range []rigid.Impact{rigid.NewtonImpact, rigid.MoreauImpact, rigid.PoissonImpact, rigid.SequentialImpact} {
		for _, e := range []float64{.5, .95} {
			s, r, hits := ballRow(t, 0, e, rigid.Options{Impact: law}), ballRow(t, 0, e, rigid.Options{Impact: law}), 0
			for range 20 {
				run(t, s, h, 1)
				hits += len(s.Last().Collisions)
				again(t, r, h, s.Last())
			}
			if hits != 1 {
				t.Errorf("law %d, e = %g: %d collisions, want one", law, e, hits)
			}
		}
	}
}

package elastic_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// adaptive makes the stepper and the choice of its steps.
func adaptive(t *testing.T, m *elastic.Model, o elastic.Options, until, accuracy float64) (*elastic.Stepper, *dynamics.Adaptive) {
	t.Helper()
	o.Step = until / 64
	s := begin(t, m, o)
	a, err := dynamics.NewAdaptive(context.Background(), s, dynamics.AdaptiveOptions{Until: until, Accuracy: accuracy})
	if err != nil {
		t.Fatal(err)
	}
	return s, a
}

// finish makes all steps.
func finish(t *testing.T, a *dynamics.Adaptive, visit func()) {
	t.Helper()
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		if visit != nil {
			visit()
		}
	}
}

// TestAdaptiveIsAccurate: the bar, which hits the wall and leaves it, the block that
// bounces and the one that brakes, by both methods, are within the accuracy asked for: the
// bar of the exact motion in the mean of its displacement, all of runs with many equal steps.
func TestAdaptiveIsAccurate(t *testing.T) {
	thorough.Seconds(t)
	for name, c := range map[string]struct {
		m     *elastic.Model
		until float64
		most  int // steps at 1e-2
	}{
		"bar": {bar(t, 50, fem.Consistent, elastic.Modified), 1.5, 2100},
		"S1":  {s1(t, 16, 4), 0.05, 200},
		"S3":  {s3(t, 8, 2), 0.1, 1100},
	} {
		fine, accuracies := c.until/(1<<11), []float64{.1, 1e-2}
		if thorough.Asked() {
			fine, accuracies = c.until/(1<<14), []float64{.1, 1e-2, 1e-3}
		}
		if name == "S1" && !thorough.Asked() {
			continue // it bounces, as the bar does
		}
		exact := run(t, c.m, elastic.Options{Step: fine}, c.until, nil).Displacement(nil)
		size := rms(exact, nil)
		for _, accuracy := range accuracies {
			for _, method := range []elastic.Method{elastic.Newton, elastic.Picard} {
				// The bar, and the fixed point where friction is; with QUASISTATIC_LONG all that is
				// not loose.
				if name != "bar" && accuracy == .1 || method == elastic.Picard && accuracy != 1e-2 {
					continue
				}
				if !thorough.Asked() && (accuracy == .1 || (name == "S3") != (method == elastic.Picard)) {
					continue
				}
				s, a := adaptive(t, c.m, elastic.Options{Method: method}, c.until, accuracy)
				finish(t, a, nil)
				if s.State().T != c.until {
					t.Errorf("%s ends at %g", name, s.State().T)
				}
				// Positions of the bar at the end are 1.7 of the 6.7 that it moved.
				moved := max(size, 6.7*c.until/1.5*float64(2-c.m.Mesh.Dim))
				off := rms(s.Displacement(nil), exact) / moved
				if off > accuracy || !a.Measures()[0].Passed() || !passed(s.Accurate(accuracy)) || !passed(s.Solved()) {
					t.Errorf("%s, accuracy %g: off by %g; %+v, %+v", name, accuracy, off, a.Measures()[0], s.Accurate(accuracy))
				}
				if accuracy == 1e-2 && a.Stats().Accepted > c.most {
					t.Errorf("%s: %+v, want at most %d steps", name, a.Stats(), c.most)
				}
				t.Logf("%s, accuracy %g: off by %.2g, %+v", name, accuracy, off, a.Stats())
				if name == "bar" && accuracy >= 1e-2 { // the mesh, which lacks 1.3 % of its mass, errs by more below
					// The exact bar is back at rest, flying at 10: its mean is where its end is.
					mean := 0.0
					for _, u := range s.Displacement(nil) {
						mean += u / 51
					}
					near(t, "mean displacement of the bar", mean, -5+10*(1.5-.5-2./3), accuracy*moved)
				}
			}
		}
	}
}

// rms is the root of the mean square of x − y; nil: zero.
func rms(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		if y != nil {
			v -= y[i]
		}
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// TestAdaptiveResumes: a run that goes on from a checkpoint of any step has the same bits,
// and so has the same run again.
func TestAdaptiveResumes(t *testing.T) {
	thorough.Seconds(t)
	for _, method := range []elastic.Method{elastic.Newton, elastic.Picard} {
		m, o := s3(t, 8, 2), elastic.Options{Method: method, Step: 0.05 / 64}
		s, a := adaptive(t, m, o, 0.05, 1e-2)
		var saved []elastic.Checkpoint
		var states []dynamics.AdaptiveState
		finish(t, a, func() {
			saved, states = append(saved, elastic.Checkpoint{}), append(states, dynamics.AdaptiveState{})
			s.Save(&saved[len(saved)-1])
			a.Save(&states[len(states)-1])
		})
		same := func(x *elastic.Stepper, b *dynamics.Adaptive) {
			t.Helper()
			if !slices.Equal(x.State().U, s.State().U) || !slices.Equal(x.State().R, s.State().R) ||
				x.Balance() != s.Balance() || x.Creation() != s.Creation() || b.Stats().Accepted != a.Stats().Accepted {
				t.Errorf("method %d: %+v, want %+v", method, x.Balance(), s.Balance())
			}
		}
		again, b := adaptive(t, m, o, 0.05, 1e-2)
		finish(t, b, nil)
		same(again, b)
		for k := 0; k < len(saved); k += 13 {
			x := begin(t, m, o)
			if err := x.Load(&saved[k]); err != nil {
				t.Fatal(err)
			}
			b, err := dynamics.ResumeAdaptive(x, dynamics.AdaptiveOptions{Until: 0.05}, &states[k])
			if err != nil {
				t.Fatal(err)
			}
			finish(t, b, nil)
			same(x, b)
		}
	}
}

// TestAdaptiveParts: each connected part of a mesh is measured by its own motion: a block
// that bounces beside one that flies a hundred times as far takes the steps that it takes alone.
func TestAdaptiveParts(t *testing.T) {
	thorough.Seconds(t)
	alone, a := adaptive(t, s1(t, 8, 2), elastic.Options{}, 0.05, 1e-2)
	finish(t, a, nil)
	both, b := adaptive(t, two(s1(t, 8, 2), 300), elastic.Options{}, 0.05, 1e-2)
	finish(t, b, nil)
	if got := len(both.Distances(nil, -1)); got != 5 { // and their shapes, and how the one bounces on the floor
		t.Fatalf("%d parts", got)
	}
	// The energy of the flying one hides what contact makes, but not the displacements.
	one := alone.Displacement(nil)
	if off := rms(both.Displacement(nil)[:len(one)], one); off > 1e-2*0.1 || !b.Measures()[0].Passed() {
		t.Errorf("off by %g, %+v", off, b.Measures())
	}
}

// TestAdaptiveRefuses: central differences, and factors beyond the memory.
func TestAdaptiveRefuses(t *testing.T) {
	m := bar(t, 20, fem.Lumped, elastic.Modified)
	s := begin(t, m, elastic.Options{Step: 1e-3, Scheme: elastic.CentralDifference})
	if err := s.Advance(context.Background(), 1e-3, 1e-3); err == nil || !strings.Contains(err.Error(), "equal steps") {
		t.Error(err)
	}
	big := s1(t, 32, 8)
	need := begin(t, big, elastic.Options{Step: 1e-3}).Need().Total()
	o := elastic.Options{Step: 1e-3}
	o.Limit.Bytes = need + need/2
	x := begin(t, big, o)
	if err := x.Advance(context.Background(), 5e-4, 5e-4); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("two lengths of steps in the memory of one and a half: %v", err)
	}
	o.Limit.Bytes = begin(t, big, elastic.Options{Step: 1e-3}).NeedVariable().Total()
	if o.Limit.Bytes != 3*need {
		t.Errorf("predicted %d bytes, one step %d", o.Limit.Bytes, need)
	}
	x = begin(t, big, o)
	for _, h := range []float64{5e-4, 2.5e-4, 1e-3, 1.25e-4} {
		if err := x.Advance(context.Background(), h, x.State().T+h); err != nil {
			t.Error(err)
		}
	}
}

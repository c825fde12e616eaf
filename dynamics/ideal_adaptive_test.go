package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/signal"
)

// TestAdaptiveSteps: the steps that are chosen for errors that are known: how many, how long, what
// is spent and what is said of them. A pair of h is off by 2ch², so that e = 2ch²/(La) and the
// estimated errors of all are half of the true one of the run, cTh.
func TestAdaptiveSteps(t *testing.T) {
	for name, c := range map[string]struct {
		v *ideal
		o AdaptiveOptions
	}{
		"plain":   {newIdeal(1, []float64{.3, 2}, []float64{.1, .2}), AdaptiveOptions{Until: 1}},
		"strict":  {newIdeal(1, []float64{.3, 2}, []float64{.1}), AdaptiveOptions{Until: 1, Accuracy: 1e-3}},
		"second":  {newIdeal(2, []float64{3}, []float64{.1}), AdaptiveOptions{Until: 1, Accuracy: 1e-3}},
		"longest": {newIdeal(1, []float64{.01}, []float64{.1}), AdaptiveOptions{Until: 1, Longest: 1. / 200}},
		"breaks":  {newIdeal(1, []float64{.01}, []float64{.1}), AdaptiveOptions{Until: 1, Breaks: []float64{.3, .5}}},
		"still":   {newIdeal(1, []float64{0, 0}, []float64{0}), AdaptiveOptions{Until: 1}},
	} {
		a, err := NewAdaptive(context.Background(), c.v, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if c.v.now.T != 0 || c.v.now.Off[0] != 0 {
			t.Fatalf("%s: the pilot leaves the stepper at %+v", name, c.v.now)
		}
		var ends []float64
		for !a.Done() {
			if err := a.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, c.v.now.T)
			if len(ends) == 21 { // what is resumed there goes on alike
				var save AdaptiveState
				a.Save(&save)
				if b, err := ResumeAdaptive(c.v, c.o, &save); err != nil || fmt.Sprint(b.state) != fmt.Sprint(a.state) {
					t.Errorf("%s: %v, %+v, want %+v", name, err, b.state, a.state)
				}
			}
		}
		if a.Step(context.Background()) == nil || c.v.now.T != 1 {
			t.Errorf("%s: at %g there is another step", name, c.v.now.T)
		}
		stats := a.Stats()
		if stats.Accepted != len(ends) || !slices.IsSorted(ends) {
			t.Errorf("%s: %d steps are kept, %d counted", name, len(ends), stats.Accepted)
		}
		// Each step costs one: those kept, those in vain, and those of twins, all of which are
		// rough.
		if all := stats.Accepted + stats.Rejected + stats.Pilot + c.v.rough; all != c.v.advances {
			t.Errorf("%s: %+v and %d of twins, %d were made", name, stats, c.v.rough, c.v.advances)
		}
		if a.state.Spent > .8 {
			t.Errorf("%s: %g spent", name, a.state.Spent)
		}
		least, most, last := math.Inf(1), 0.0, 0.0
		for _, x := range ends {
			least, most, last = min(least, x-last), max(most, x-last), x
		}
		if !(math.Abs(stats.Least-least) <= 1e-12 && math.Abs(stats.Most-most) <= 1e-12) {
			t.Errorf("%s: steps of %g to %g, told %+v", name, least, most, stats)
		}
		if m := a.Measures(); name != "still" && !strings.HasPrefix(m[0].Place, "part ") {
			t.Errorf("%s: %+v", name, m[0])
		}
		for _, m := range a.Doubled().Measures(1e-15) {
			if !m.Passed() && m.Remedy != otherSteps {
				t.Errorf("%s: the remedy %q of steps that are chosen", name, m.Remedy)
			}
		}
		switch name {
		case "plain": // the second part is the worst
			m := a.Measures()[0]
			sum := 0.0
			for k := 1; k < len(ends); k += 2 {
				h := ends[k] - ends[k-1]
				sum += 2 * 2 * h * h
			}
			if want := sum / (2 + c.v.now.Off[1]); !(math.Abs(m.Value/want-1) <= 1e-9) || !strings.HasPrefix(m.Place, "part 1: ") {
				t.Errorf("an error of %g, want %g: %s", m.Value, want, m.Place)
			}
		case "still":
			if len(ends) != 64 {
				t.Errorf("%d steps of what makes no error, want 64", len(ends))
			}
		case "longest":
			if len(ends) != 256 {
				t.Errorf("%d steps of at most 1/200, want 256", len(ends))
			}
		case "breaks":
			for _, b := range c.o.Breaks {
				if !slices.Contains(ends, b) {
					t.Errorf("no step ends at the break %g", b)
				}
			}
			marks := signal.Stretches(1, c.o.Breaks)
			for k, end := range ends[1:] {
				h, ok := DyadicStep(marks, ends[k], end)
				if !ok || math.Abs(h-(end-ends[k])) > 1e-15 {
					t.Errorf("the step from %g to %g has the length %g, %t", ends[k], end, h, ok)
				}
			}
		}
	}
}

// TestAdaptiveFailures: steps that fail are halved until there are none, and the stepper is where
// it was; a pilot that fails at each length says so, and one that no run can follow; a context that ends
// stops it.
func TestAdaptiveFailures(t *testing.T) {
	v := newIdeal(1, []float64{.01}, []float64{.1})
	v.fails = func(at, h float64) bool { return at >= .5 && at < .5625 && h > 1./300 }
	a, err := NewAdaptive(context.Background(), v, AdaptiveOptions{Until: 1})
	if err != nil {
		t.Fatal(err)
	}
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if s := a.Stats(); s.Least > 1./512 || s.Most != 1./64 {
		t.Errorf("%+v", s)
	}

	v = newIdeal(1, []float64{.01}, []float64{.1})
	blocked := false
	v.fails = func(at, h float64) bool { return blocked && at >= .25 }
	if a, err = NewAdaptive(context.Background(), v, AdaptiveOptions{Until: 1}); err != nil {
		t.Fatal(err)
	}
	for err = nil; err == nil; err = a.Step(context.Background()) {
		blocked = true
	}
	if v.now.T != .25 || a.state.Level != lastLevel || !strings.Contains(err.Error(), "no step is short enough") {
		t.Errorf("at %g, level %d: %v", v.now.T, a.state.Level, err)
	}
	// What steps and their halves never agree on is named: a place, or the energy.
	for _, c := range []struct {
		off, made float64
		want      string
	}{{.1, 0, "error of part 0 is 10"}, {0, .1, "error of the energy is 10"}} {
		v := newIdeal(1, []float64{.01}, []float64{.1})
		v.jolt = func(at, h float64) (off, made float64) {
			if at > .3 || at+h <= .3 {
				return 0, 0
			}
			if level := int(math.Round(-math.Log2(h))); level%2 == 0 { // a step and its halves differ by it
				off = c.off
			}
			return off, c.made
		}
		if _, err := NewAdaptive(context.Background(), v, AdaptiveOptions{Until: 1}); !errors.Is(err, ErrNoStep) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	v.fails = func(at, h float64) bool { return true }
	v.now.T = 0
	before := v.advances
	if _, err = NewAdaptive(context.Background(), v, AdaptiveOptions{Until: 1}); err == nil ||
		!strings.Contains(err.Error(), "1024 steps") || v.advances != before {
		t.Errorf("%v", err)
	}
	// Where .3h is known to be too much of the way of 1 in the shortest steps no run is begun: one was
	// made in 1,500,000 steps, to be refused.
	if _, err = NewAdaptive(context.Background(), newIdeal(1, []float64{.3}, []float64{.1}),
		AdaptiveOptions{Until: 1, Accuracy: 1e-8}); err == nil ||
		!strings.Contains(err.Error(), "no steps that are chosen reach the accuracy of 1e-08") {
		t.Errorf("%v", err)
	}
	stop, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	v.fails = func(at, h float64) bool { cancel(reason); return true }
	if _, err = NewAdaptive(stop, v, AdaptiveOptions{Until: 1}); !errors.Is(err, reason) {
		t.Errorf("%v", err)
	}
}

// TestWatchOnlyDoublings: a state of twins is taken where there is one.
func TestWatchOnlyDoublings(t *testing.T) {
	v := newIdeal(1, []float64{.3}, []float64{.1})
	o := AdaptiveOptions{Until: 1}
	a, err := NewAdaptive(context.Background(), v, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	var s AdaptiveState
	a.Save(&s)
	twin, err := a.Doubled().Save()
	if err != nil {
		t.Fatal(err)
	}
	w := newIdeal(1, []float64{.3}, []float64{.1})
	w.now.set(&v.now)
	b, err := ResumeAdaptive(w, o, &s)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Watch(nil); err != nil || b.Doubled() != nil {
		t.Errorf("%v, %v", err, b.Doubled())
	}
	if err := b.Watch(twin); err != nil || b.Doubled() == nil {
		t.Fatalf("%v, %v", err, b.Doubled())
	}
	for !a.Done() {
		if err := errors.Join(a.Step(context.Background()), b.Step(context.Background())); err != nil {
			t.Fatal(err)
		}
	}
	if x, y := fmt.Sprint(a.Measures()), fmt.Sprint(b.Measures()); x != y || !b.Done() {
		t.Errorf("%s, want %s", y, x)
	}
	twin.Of = 1
	if b.Watch(twin) == nil {
		t.Error("the twin of equal steps is accepted")
	}
}

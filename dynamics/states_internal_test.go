package dynamics

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestLimitsOfAdaptive: what may be asked of steps that are chosen ends where it says so.
func TestLimitsOfAdaptive(t *testing.T) {
	for _, c := range []struct {
		o  AdaptiveOptions
		ok bool
	}{
		{AdaptiveOptions{Until: 1}, true}, {AdaptiveOptions{Until: 1, Accuracy: 1e-8}, true},
		{AdaptiveOptions{Until: 1, Accuracy: 0.999}, true},
		{AdaptiveOptions{Until: 1, Accuracy: 9.9e-9}, false}, {AdaptiveOptions{Until: 1, Accuracy: 1}, false},
		{AdaptiveOptions{Until: 1, Accuracy: -1e-3}, false},
		{AdaptiveOptions{Until: 1, Longest: 0}, true}, {AdaptiveOptions{Until: 1, Longest: -1e-300}, false},
		{AdaptiveOptions{Until: -1}, false},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	for a, want := range map[float64]float64{1e-9: 1e-8, 1e-8: 1e-8, 1e-3: 1e-3, 0.5: 0.5, 2: 0.5} {
		if got := ChoosableAccuracy(a); got != want {
			t.Errorf("%g becomes %g, want %g", a, got, want)
		}
	}
}

// thrown is a mass that is thrown, in steps that are chosen until t = 1/10.
func thrown(t *testing.T) (*Stepper, *Adaptive) {
	t.Helper()
	s := fall(t, &faller{m: 1, g: 10}, Options{}, 1, 3, 1, 1, 0)
	a, err := NewAdaptive(t.Context(), s, AdaptiveOptions{Until: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return s, a
}

// TestStateOfSteps: a state that was saved goes on to the same bits; one whose lists are a number
// too short or too long, or whose place is beyond the run, is refused.
func TestStateOfSteps(t *testing.T) {
	begin := func() (*Stepper, *Adaptive) { return thrown(t) }
	s, a := begin()
	for range 3 {
		if err := a.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var state AdaptiveState
	var c Checkpoint
	a.Save(&state)
	s.Save(&c)
	again, _ := begin()
	if err := again.Load(&c); err != nil {
		t.Fatal(err)
	}
	b, err := ResumeAdaptive(again, AdaptiveOptions{Until: 0.1}, &state)
	if err != nil {
		t.Fatal(err)
	}
	for !a.Done() {
		if err := a.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !b.Done() || !reflect.DeepEqual(s.State(), again.State()) {
		t.Errorf("other bits: %+v and %+v", s.State(), again.State())
	}
	refused := func(what string, spoil func(x *AdaptiveState)) {
		t.Helper()
		var x AdaptiveState
		y := *a
		y.state = state
		y.Save(&x)
		spoil(&x)
		if _, err := ResumeAdaptive(again, AdaptiveOptions{Until: 0.1}, &x); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	refused("a level below the first", func(x *AdaptiveState) { x.Level = -1 })
	refused("a level beyond the last", func(x *AdaptiveState) { x.Level = lastLevel + 1 })
	refused("a pair before the first", func(x *AdaptiveState) { x.At = -1 })
	refused("a pair beyond the last", func(x *AdaptiveState) { x.At = 1<<x.Level + 1 })
	kind := reflect.TypeFor[AdaptiveState]()
	for i := range kind.NumField() {
		if kind.Field(i).Type.Kind() != reflect.Slice ||
			reflect.ValueOf(state).Field(i).Len() == 0 { // of what is not paced there are no paces
			continue
		}
		refused(kind.Field(i).Name+" too short", func(x *AdaptiveState) {
			v := reflect.ValueOf(x).Elem().Field(i)
			v.Set(v.Slice(0, v.Len()-1))
		})
		refused(kind.Field(i).Name+" too long", func(x *AdaptiveState) {
			v := reflect.ValueOf(x).Elem().Field(i)
			v.Set(reflect.Append(v, v.Index(0)))
		})
	}
}

// TestCheckpointLists: a checkpoint of a body that slides on a spring is refused if one of its
// lists is a number short.
func TestCheckpointLists(t *testing.T) {
	patch, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{1e4, 1e4}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	s := fall(t, &faller{patch: patch, m: 2, g: 10}, Options{}, .01, 3, -1, 0, 0)
	for range 5 {
		if err := s.Step(t.Context(), 1e-3); err != nil {
			t.Fatal(err)
		}
	}
	var whole Checkpoint
	s.Save(&whole)
	if len(whole.Delta) == 0 {
		t.Fatal("nothing touches")
	}
	if err := s.Load(&whole); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"State.Q", "State.V", "Path", "Stored", "Keys", "Ptr", "Delta", "Lambda", "Age",
		"Home", "State.Keys", "State.Ptr", "Made.Root"} {
		var c Checkpoint
		s.Save(&c)
		v := reflect.ValueOf(&c).Elem()
		for _, part := range strings.Split(name, ".") {
			v = v.FieldByName(part)
		}
		v.Set(v.Slice(0, v.Len()-1))
		if s.Load(&c) == nil {
			t.Errorf("%s a number short is accepted", name)
		}
	}
}

// TestResumesAmidAPair: from a state saved in the middle of a pair each step that follows ends at
// the same time and place; the ends of the ranges of a state are accepted.
func TestResumesAmidAPair(t *testing.T) {
	begin := func() (*Stepper, *Adaptive) { return thrown(t) }
	s, a := begin()
	for range 5 {
		if err := a.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var state AdaptiveState
	var c Checkpoint
	a.Save(&state)
	s.Save(&c)
	if !state.Half {
		t.Fatal("a pair is whole")
	}
	again, _ := begin()
	if err := again.Load(&c); err != nil {
		t.Fatal(err)
	}
	b, err := ResumeAdaptive(again, AdaptiveOptions{Until: .1}, &state)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if err := errors.Join(a.Step(t.Context()), b.Step(t.Context())); err != nil {
			t.Fatal(err)
		}
		if x, y := s.State(), again.State(); x.T != y.T || !slices.Equal(x.Q, y.Q) {
			t.Fatalf("t = %g, q = %v, want %g, %v", y.T, y.Q, x.T, x.Q)
		}
	}
}

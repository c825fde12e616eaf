package dynamics

import (
	"math"
	"math/rand/v2"
	"reflect"
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
		{AdaptiveOptions{Until: 1}, true}, {AdaptiveOptions{Until: 1, Accuracy: 1e-8}, true}, {AdaptiveOptions{Until: 1, Accuracy: 0.999}, true},
		{AdaptiveOptions{Until: 1, Accuracy: 9.9e-9}, false}, {AdaptiveOptions{Until: 1, Accuracy: 1}, false}, {AdaptiveOptions{Until: 1, Accuracy: -1e-3}, false},
		{AdaptiveOptions{Until: 1, Longest: 0}, true}, {AdaptiveOptions{Until: 1, Longest: -1e-300}, false}, {AdaptiveOptions{Until: -1}, false},
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

// TestStateOfSteps: a state that was saved goes on to the same bits; one whose lists are a number too
// short or too long, or whose place is beyond the run, is refused.
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
		if kind.Field(i).Type.Kind() != reflect.Slice {
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
	for _, name := range []string{"State.Q", "State.V", "Path", "Stored", "Keys", "Ptr", "Delta", "Lambda", "Age", "Home", "State.Keys", "State.Ptr", "Made.Root"} {
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

// TestIslandsInAnyOrder: what islands have made, moved and lost does not depend on when their parts were
// joined; negative parts are the world, and joining twice is nothing.
func TestIslandsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const parts, steps = 7, 40
	for range 20 {
		start := make([]float64, parts)
		for p := range start {
			start[p] = r.Float64()
		}
		pairs := make([][2]int, 5)
		for i := range pairs {
			pairs[i] = [2]int{r.IntN(parts), r.IntN(parts)}
		}
		var early, late Creations
		early.Begin(start, nil, nil, nil)
		late.Begin(start, nil, nil, nil)
		for _, p := range pairs {
			stays, goes, two := early.Link(p[0], p[1])
			if again, _, more := early.Link(p[1], p[0]); more || again != 0 || two && (stays >= goes || early.Root[p[0]] != stays) {
				t.Fatalf("link %v: %d, %d, %t", p, stays, goes, two)
			}
		}
		if _, _, two := early.Link(-1, 2); two {
			t.Error("the world is joined")
		}
		if _, _, two := early.Link(2, -1); two {
			t.Error("the world is joined")
		}
		for k := range steps {
			if k%8 == 0 {
				late.Link(pairs[k/8][0], pairs[k/8][1])
			}
			for p := range parts {
				made, work, taken := r.NormFloat64(), r.NormFloat64(), r.Float64()
				for _, c := range []*Creations{&early, &late} {
					c.Add(p, made, work, 1e-3)
					c.Take(p, taken)
				}
			}
			early.Close(float64(k+1), 1)
			late.Close(float64(k+1), 1)
		}
		for p, root := range early.Root {
			if late.Root[p] != root {
				t.Fatalf("part %d is of island %d, and of %d", p, root, late.Root[p])
			}
			a, b := early.Island[root], late.Island[root]
			for what, v := range map[string][2]float64{"Start": {a.Start, b.Start}, "Sum": {a.Sum, b.Sum}, "Taken": {a.Taken, b.Taken}, "Work": {early.Work[root], late.Work[root]},
				"Longest": {a.Longest, b.Longest}, "Until": {a.Until, b.Until}} {
				if !(math.Abs(v[0]-v[1]) <= 1e-12*float64(parts*steps)) {
					t.Errorf("%s of island %d: %g and %g", what, root, v[0], v[1])
				}
			}
			// Later islands have moved at least as much: sums of absolute values.
			if b.Moved < a.Moved-1e-9 || b.Most < a.Most-1e-9 || b.Rest <= 0 || a.Rest <= 0 {
				t.Errorf("island %d: %+v and %+v", root, a, b)
			}
		}
	}
}

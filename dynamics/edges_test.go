package dynamics

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/memory"
)

// TestBoundaryData: each datum of a boundary-value problem that is not finite or of another size is
// refused, before an integration; a context that has ended leaves a residual that is not known.
func TestBoundaryData(t *testing.T) {
	soft, err := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	if err != nil {
		t.Fatal(err)
	}
	sys, start := &slider{patch: soft}, func() *State { return &State{Q: make([]float64, 3), V: make([]float64, 3)} }
	nan, inf := math.NaN(), math.Inf(1)
	for name, spoil := range map[string]func(b *Boundary, o *BoundaryOptions){
		"": func(*Boundary, *BoundaryOptions) {}, "MV NaN": func(b *Boundary, _ *BoundaryOptions) { b.MV[8] = nan },
		"N infinite":    func(b *Boundary, _ *BoundaryOptions) { b.N[2] = inf },
		"B NaN":         func(b *Boundary, _ *BoundaryOptions) { b.B[2] = nan },
		"MV":            func(b *Boundary, _ *BoundaryOptions) { b.MV = b.MV[:8] },
		"B":             func(b *Boundary, _ *BoundaryOptions) { b.B = b.B[:2] },
		"N ragged":      func(b *Boundary, _ *BoundaryOptions) { b.N = append(b.N, 0) },
		"N short":       func(b *Boundary, _ *BoundaryOptions) { b.N = b.N[:15] },
		"no step":       func(_ *Boundary, o *BoundaryOptions) { o.H = 0 },
		"endless":       func(_ *Boundary, o *BoundaryOptions) { o.H = inf },
		"no steps":      func(_ *Boundary, o *BoundaryOptions) { o.Steps = 0 },
		"tolerance":     func(_ *Boundary, o *BoundaryOptions) { o.Tolerance = -1 },
		"tolerance NaN": func(_ *Boundary, o *BoundaryOptions) { o.Tolerance = nan },
		"start NaN":     func(_ *Boundary, o *BoundaryOptions) { o.Starts = [][]float64{{0, 0, nan}} },
		"start":         func(_ *Boundary, o *BoundaryOptions) { o.Starts = [][]float64{{0, 0}} },
		"one step":      func(_ *Boundary, o *BoundaryOptions) { o.Steps = 1 },
	} {
		b, o := target(), BoundaryOptions{H: .01, Steps: 5}
		spoil(b, &o)
		var input *InputError
		if err := b.Check(sys, start(), o); errors.As(err, &input) != (name != "" && name != "one step") {
			t.Errorf("%q: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := SolveBoundary(ctx, sys, start(), target(), BoundaryOptions{H: .01, Steps: 5})
	if !errors.Is(err, context.Canceled) || !math.IsInf(r.Residual, 1) || len(r.Solutions) != 0 {
		t.Errorf("%v, residual %g", err, r.Residual)
	}
	// A start that leads nowhere has an infinite residual, and no error.
	run, err := newBoundaryRun(&cliff{System: sys, edge: .1}, start(), target(), BoundaryOptions{H: .01, Steps: 50})
	if err != nil {
		t.Fatal(err)
	}
	if size, err := run.shoot(context.Background(), make([]float64, 3), []float64{5, 0, 0}); !math.IsInf(size, 1) || err != nil {
		t.Errorf("residual %g, %v", size, err)
	}
	run.o.MaxIntegrations = 1
	if _, err := run.shoot(context.Background(), make([]float64, 3), []float64{0, 0, 0}); !errors.Is(err, errIntegrations) {
		t.Error(err)
	}
}

// TestEdgesOfVerdicts: numbers at their limits.
func TestEdgesOfVerdicts(t *testing.T) {
	for _, c := range []struct {
		s    DoubledState
		want float64
	}{{DoubledState{}, 1}, {DoubledState{Unknown: 1, Turns: 1}, 0}, {DoubledState{Unknown: 1, Turns: 4}, .75}} {
		if got := c.s.known(); got != c.want {
			t.Errorf("%d of %d unknown: %g, want %g", c.s.Unknown, c.s.Turns, got, c.want)
		}
	}
	for _, c := range []struct {
		s    Smallness
		want bool
	}{{Smallness{Mu: .3, MuBar: .3}, false}, {Smallness{Mu: .3, MuBar: .31}, true},
		{Smallness{Mu: .3, MuBar: .31, ForceRate: 1}, false}, {Smallness{Mu: .3, MuBar: .31, ForceRate: .99}, true}} {
		if c.s.Unique() != c.want {
			t.Errorf("%+v: %t", c.s, !c.want)
		}
	}
	for _, v := range []float64{.5, 1, math.NaN()} {
		m := Measure{Value: v, Limit: 1}
		if m.Passed() != (v <= 1) {
			t.Errorf("%g of 1", v)
		}
	}
	// Nothing touches: no law is looked at.
	s := newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{})
	s.now.Q[2] = 1
	if err := s.Restart(s.State().Clone()); err != nil {
		t.Fatal(err)
	}
	other := newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{})
	if err := other.Restart(s.State().Clone()); err != nil {
		t.Fatal(err)
	}
	x := run(t, s, .01, 1)
	f, err := other.Replay(.01, x.T, s.Last().Theta, x.Q, x.V, func(int) []float64 { return []float64{0, 0, 0} })
	if err != nil || f.LawKey != -1 || f.ConeKey != -1 || f.Law != 0 || f.Cone != 0 || f.Path != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestRoundingOfForces: a velocity that nothing has but the rounding of a force times the direction it
// has not is none; what is beyond that is found.
func TestRoundingOfForces(t *testing.T) {
	const h = .01
	for _, c := range []struct{ off, want float64 }{{0, 0}, {1e-17, 0}, {-1e-17, 0}, {1e-12, 1e-12}} {
		made, other := newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{}),
			newSlider(t, "A", contact.Coulomb{Mu: .3}, []float64{1, 0, 0}, Options{})
		x := run(t, made, h, 1)
		v := append([]float64(nil), x.V...)
		v[1] += c.off
		f, err := other.Replay(h, x.T, made.Last().Theta, x.Q, v, func(int) []float64 { return x.Lambda })
		if err != nil || math.Abs(f.Motion-c.want) > .01*c.want {
			t.Errorf("off by %g m/s: %g, %v", c.off, f.Motion, err)
		}
	}
}

// TestLimitsOfOptions: what may be asked ends where it says so, and so do the sizes of a start.
func TestLimitsOfOptions(t *testing.T) {
	for _, c := range []struct {
		o  Options
		ok bool
	}{
		{Options{}, true}, {Options{Theta: 1}, true}, {Options{Theta: 1.01}, false}, {Options{Theta: -.01}, false},
		{Options{Theta: math.NaN()}, false}, {Options{Tolerance: 1e-3}, true}, {Options{Tolerance: 1.01e-3}, false},
		{Options{Tolerance: -1e-9}, false},
		{Options{ForceTolerance: 1e-3}, true}, {Options{ForceTolerance: 1.01e-3}, false},
		{Options{ForceTolerance: -1e-9}, false}, {Options{Limit: memory.Limit{Bytes: -1}}, false},
		{Options{Limit: memory.Limit{Bytes: 1}}, true},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	for _, c := range []struct {
		nq, nv int
		ok     bool
	}{{2, 2, true}, {1, 2, false}, {2, 1, false}, {3, 2, false}, {2, 3, false}} {
		p, err := NewRigid(contact.Coulomb{}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewStepper(&rows{p, 1}, make([]float64, c.nq), make([]float64, c.nv), Options{}); (err == nil) != c.ok {
			t.Errorf("%d coordinates, %d velocities: %v", c.nq, c.nv, err)
		}
	}
}

// TestIslandsOfManyParts: what residuals may have made in an island is the sum of that of its
// parts; and islands of an estimate that meet add what they took and were off by.
func TestIslandsOfManyParts(t *testing.T) {
	var c Creations
	c.Begin(make([]float64, 300), nil, nil, nil)
	for p := range 299 {
		c.Link(p, p+1)
	}
	for p := range 300 {
		c.Add(p, 0, 0, 1+float64(p)/299)
	}
	c.Close(1)
	if got, want := c.Island[0].Rounding, 300*1.5; !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%g J, want %g", got, want)
	}
	s := DoubledState{Root: []int{0, 1, 2, 1}, Most: tallies{{1, 20, 300, 0}, {2, 3, 4, 0}}}
	for k := range s.Twin {
		s.Twin[k].Off, s.Twin[k].Sum = tallies{{1, 10, 100, 0}, {1, 1, 1, 0}}, tallies{{2, 20, 200, 0}, {1, 1, 1, 0}}
	}
	s.unite(3, 0)
	for k := range s.Twin {
		if x := s.Twin[k]; !reflect.DeepEqual(x.Off, tallies{{11, 0, 100, 0}, {2, 0, 1, 0}}) ||
			!reflect.DeepEqual(x.Sum, tallies{{22, 0, 200, 0}, {2, 0, 1, 0}}) {
			t.Errorf("twin %d: %+v", k, x)
		}
	}
	if s.Most[energyTaken][0] != 21 || s.Most[rubbed][0] != 5 || s.Root[1] != 0 || s.Root[3] != 0 || s.Root[2] != 2 {
		t.Errorf("%+v", s)
	}
}

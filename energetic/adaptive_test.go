package energetic_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestAdaptiveLocatesEvents: example 2 slips at .388…, lifts off at .5 and lands
// at 1. Lift-off and landing are bracketed within the tolerance.
func TestAdaptiveLocatesEvents(t *testing.T) {
	ctx := context.Background()
	for name, o := range map[string]energetic.Options{"implicit": implicit, "gamma": regularised(0.02)} {
		t.Run(name, func(t *testing.T) {
			ex := reference.Grazing()
			e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
			if err != nil {
				t.Fatal(err)
			}
			a := energetic.Adaptive{MaxStep: 0.02, MinStep: 1e-7, EventTolerance: 1e-6}
			var found []float64
			last := 0.0
			stats, err := e.Advance(ctx, 1.2, a, func(n *energetic.Node) error {
				free := func(s incremental.ContactState) bool { return s == incremental.Free }
				if free(n.States[0]) != free(n.Before[0]) {
					if n.T-last > a.EventTolerance*(1+1e-9) {
						t.Errorf("t = %g: an event inside a step of %g", n.T, n.T-last)
					}
					found = append(found, n.T)
				}
				last = n.T
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v, events at %v", stats, found)
			if len(found) != 2 || math.Abs(found[0]-0.5) > 1e-6 || math.Abs(found[1]-1) > 1e-6 {
				t.Errorf("contact opened and closed at %v, want 0.5 and 1 to 1e-6", found)
			}
			if s := e.Summary(); !s.Solved || last != 1.2 {
				t.Errorf("ended at %g: %s", last, s.First)
			}
			if stats.Coarse > 0 {
				t.Errorf("%d coarse steps", stats.Coarse)
			}
		})
	}
}

// TestAdaptiveGammaTest: every accepted step keeps |Δσ| < γ/2, so (S) is exact.
func TestAdaptiveGammaTest(t *testing.T) {
	const gamma = 0.005
	ctx, ex := context.Background(), reference.PlayPulsing()
	e, err := energetic.Start(ctx, ex.Psi, ex.Start, regularised(gamma))
	if err != nil {
		t.Fatal(err)
	}
	stats, err := e.Advance(ctx, 1, energetic.Adaptive{MaxStep: 0.1, MinStep: 1e-6}, func(n *energetic.Node) error {
		if n.ForceChange >= gamma/2 {
			t.Errorf("t = %g: σ changed by %g", n.T, n.ForceChange)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := e.Summary(); s.MaxGap > exactGap*s.EnergyScale || !s.Certified {
		t.Errorf("gap %g, %s", s.MaxGap, s.First)
	}
	t.Logf("%+v", stats)
}

// TestAdaptiveOptions: the first field out of range is named.
func TestAdaptiveOptions(t *testing.T) {
	for _, c := range []struct {
		a    energetic.Adaptive
		want string
	}{
		{energetic.Adaptive{}, "MaxStep is 0"}, {energetic.Adaptive{MaxStep: 1}, "MinStep is 0"},
		{energetic.Adaptive{MaxStep: 1, MinStep: 2}, "MinStep is 2"},
		{energetic.Adaptive{MaxStep: math.NaN(), MinStep: 1}, "MaxStep is NaN"},
		{energetic.Adaptive{MaxStep: math.Inf(1), MinStep: 1}, "MaxStep is +Inf"},
		{energetic.Adaptive{MaxStep: 1, MinStep: 0.1, EventTolerance: -1}, "EventTolerance is -1"},
		{energetic.Adaptive{MaxStep: 1, MinStep: 0.1, EventTolerance: math.Inf(1)}, "EventTolerance is +Inf"},
		{energetic.Adaptive{MaxStep: 1, MinStep: 1}, ""},
	} {
		if err := c.a.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.a, err, c.want)
		}
	}
}

// TestAdvanceAgain: a second call begins its steps and its counts anew, one that resumes behind an
// accepted step goes on with both, and one that resumes elsewhere begins.
func TestAdvanceAgain(t *testing.T) {
	ex := reference.Play()
	a := energetic.Adaptive{MaxStep: 0.1, MinStep: 0.01}
	visit := func(*energetic.Node) error { return nil }
	e := must(energetic.Start(t.Context(), ex.Psi, ex.Start, energetic.Options{}))
	first := must(e.Advance(t.Context(), 0.5, a, visit))
	var behind energetic.Checkpoint
	e.Save(&behind)
	again := must(e.Advance(t.Context(), 0.8, a, visit))
	if first.Accepted != 5 || again.Accepted != 3 {
		t.Errorf("%d and %d steps", first.Accepted, again.Accepted)
	}
	e = must(energetic.Resume(ex.Psi, energetic.Options{}, &behind))
	if on := must(e.Advance(t.Context(), 0.8, a, visit)); on.Accepted != 8 {
		t.Errorf("resumed: %d steps", on.Accepted)
	}
	e = must(energetic.Start(t.Context(), ex.Psi, ex.Start, energetic.Options{}))
	if err := e.Step(t.Context(), 0.3); err != nil {
		t.Fatal(err)
	}
	e.Save(&behind)
	e = must(energetic.Resume(ex.Psi, energetic.Options{}, &behind))
	if on := must(e.Advance(t.Context(), 0.6, a, visit)); on.Accepted != 3 {
		t.Errorf("resumed behind a step by hand: %d steps", on.Accepted)
	}
}

// TestAdvanceToKinks: steps end at the kinks of what draws a particle and of its friction, one that is cut there leaves
// the length of the next as it was, and an evolution that goes on from any step takes the same times.
func TestAdvanceToKinks(t *testing.T) {
	pull := must(signal.NewTable([]float64{0, 0.31, 0.315, 1}, []float64{0, 0.4, 0.2, 0.2}))
	rough := must(signal.NewTable([]float64{0, 0.52, 1}, []float64{1, 2, 1}))
	draw := func() *dissipation.Coulomb {
		tether := must(particles.NewTethers(particles.Tether{Stiffness: particles.Diagonal(1, 1, 1),
			Anchor: particles.Path{pull, signal.Constant(0), signal.Constant(-1)}}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)), []dissipation.Matrix{dissipation.Isotropic{Mu: 0.2}}))
		if err := psi.SetFactors([]signal.Scalar{rough}); err != nil {
			t.Fatal(err)
		}
		return psi
	}
	a := energetic.Adaptive{MaxStep: 0.1, MinStep: 0.01}
	var times []float64
	saved := make(map[int]*energetic.Checkpoint)
	e := must(energetic.Start(t.Context(), draw(), make([]float64, 3), implicit))
	must(e.Advance(t.Context(), 1, a, func(n *energetic.Node) error {
		var c energetic.Checkpoint
		e.Save(&c)
		saved[len(times)], times = &c, append(times, n.T)
		return nil
	}))
	for _, kink := range []float64{0.31, 0.315, 0.52} {
		if !slices.Contains(times, kink) {
			t.Errorf("no step ends at %g: %v", kink, times)
		}
	}
	if len(times) != 13 {
		t.Errorf("%d steps, want 4 and 1 to the kinks of the anchor, 3 to that of friction, 5 to the end: %v", len(times), times)
	}
	for k, c := range saved {
		left := slices.Clone(times[:k+1])
		e := must(energetic.Resume(draw(), implicit, c))
		must(e.Advance(t.Context(), 1, a, func(n *energetic.Node) error {
			left = append(left, n.T)
			return nil
		}))
		if !slices.Equal(left, times) {
			t.Errorf("resumed behind step %d: %v, want %v", k, left, times)
		}
	}
}

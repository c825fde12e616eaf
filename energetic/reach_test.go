package energetic_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/looks"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// prospect runs a problem in n steps and asks how many would do.
func prospect(t *testing.T, ctx context.Context, ex reference.Example, o energetic.Options, n int) (energetic.Prospect, error) {
	t.Helper()
	e, err := energetic.Start(t.Context(), ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		if err := e.Step(t.Context(), ex.Until*float64(k+1)/float64(n)); err != nil {
			t.Fatal(err)
		}
	}
	return energetic.Reach(ctx, ex.Psi, ex.Start, o, ex.Until, n, e.Measures())
}

// TestProspects pins the numbers of steps that are named, from few steps and from enough to see an
// order: of paths of order one and two, where an order is seen late or not at all, where nothing is
// left to gain, beside a jump.
func TestProspects(t *testing.T) {
	table := pinned.Open(t, "testdata/prospects.txt", *remake)
	for _, c := range []struct {
		name     string
		ex       reference.Example
		o        energetic.Options
		accuracy float64
		steps    []int
	}{
		{"play", reference.Play(), implicit, 0.1, []int{5, 15, 16, 24}},
		{"play,fine", reference.Play(), implicit, 0.01, []int{5, 16, 24}},
		{"anisotropic", reference.Anisotropic(), implicit, 0.1, []int{16}},
		{"grazing", reference.Grazing(), implicit, 0.1, []int{5, 16, 24, 200}},
		{"grazing,fine", reference.Grazing(), implicit, 1e-3, []int{5}},
		{"klarbring", reference.Klarbring(1.5), implicit, 0.1, []int{5, 16}},
		{"jump", reference.Klarbring(2.4), implicit, 0.1, []int{5, 16}},
		{"ripple", reference.Ripple(0.5), implicit, 0.1, []int{16, 24}},
		{"chain", reference.Chain(3, 4), implicit, 0.001, []int{5}},
		{"caterpillar", reference.Caterpillar(3, 2), lagged, 0.001, []int{16}},
	} {
		for _, n := range c.steps {
			o := c.o
			o.Accuracy, o.Equilibrate = c.accuracy, true
			p, err := prospect(t, t.Context(), c.ex, o, n)
			if err != nil {
				t.Fatal(err)
			}
			table.Check(fmt.Sprintf("%s,%d", c.name, n), p.Steps, p.Order, p.Worst)
		}
	}
}

// TestProspectStops: a run that is cancelled names no steps.
func TestProspectStops(t *testing.T) {
	for after := range 60 {
		ctx := looks.After(t.Context(), after)
		if p, err := prospect(t, ctx, reference.Play(), implicit, 16); err == nil || p.Steps != 0 {
			t.Errorf("stopped after %d looks: %+v, %v", after, p, err)
		}
	}
}

// TestRemedies: which words follow from which numbers.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		p    energetic.Prospect
		want string
	}{
		{energetic.Prospect{Steps: 1e7, Order: 1}, "10000000 steps would reach it, by the observed order 1: a guess, not tried"},
		{energetic.Prospect{Steps: 2e7, Order: 1, Worst: 100},
			"no number of steps that can be made: 2.0e+07, by the observed order 1; at this step the accuracy is 1"},
		{energetic.Prospect{Steps: 2e7, Order: 1, Worst: 150}, "no number of steps that can be made: 2.0e+07, by the observed order 1"},
		{energetic.Prospect{Order: 0.1, Worst: 7},
			"no number of steps is known to reach it: in twice as many it falls with the order 0.1 only; at this step the accuracy is 0.07"},
		{energetic.Prospect{Order: math.NaN(), Worst: 7},
			"no number of steps is known to reach it: in twice as many no order is seen; at this step the accuracy is 0.07"},
	} {
		if got := c.p.Remedy(0.01); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

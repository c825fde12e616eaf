package energetic_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// bits are the numbers of a node that a run writes.
func bits(n *energetic.Node) []float64 {
	c := n.Certificate
	return append(append([]float64{n.T, c.Energy, c.Dissipation, c.Work, c.Balance, c.Gap.Upper, c.Gap.Lower,
		c.StepGap.Upper, c.Upper, c.Lower, c.Force, c.Lipschitz, float64(c.SinceEvent)}, n.Z...), n.Grad...)
}

// TestResume: run(N) = run(k), save as JSON, load, run(N−k), to the bit, for lagged
// and implicit thresholds and at several k.
func TestResume(t *testing.T) {
	ctx := context.Background()
	for name, make := range map[string]func() reference.Example{
		"grazing": reference.Grazing, "wearing": reference.Wearing, "pulsing": reference.PlayPulsing,
		"net": func() reference.Example { return reference.Net(4, 4) },
	} {
		for _, o := range []energetic.Options{lagged, implicit, regularised(0.01)} {
			const n = 80
			var want [][]float64
			ex := make()
			evolve(t, ex, n, o, func(n *energetic.Node) { want = append(want, bits(n)) })
			for _, cut := range []int{0, 1, 37, 79} {
				first, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
				if err != nil {
					t.Fatal(err)
				}
				for k := 1; k <= cut; k++ {
					if err := first.Step(ctx, ex.Until*float64(k)/n); err != nil {
						t.Fatal(err)
					}
				}
				var saved, loaded energetic.Checkpoint
				first.Save(&saved)
				text, err := json.Marshal(saved)
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(text, &loaded); err != nil {
					t.Fatal(err)
				}
				again := make()
				e, err := energetic.Resume(again.Psi, o, &loaded)
				if err != nil {
					t.Fatal(err)
				}
				for k := cut + 1; k <= n; k++ {
					if err := e.Step(ctx, ex.Until*float64(k)/n); err != nil {
						t.Fatal(err)
					}
					if got := bits(e.Node()); !slices.EqualFunc(got, want[k],
						func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
						t.Fatalf("%s, cut at %d, node %d:\n got %v\nwant %v", name, cut, k, got, want[k])
					}
				}
			}
		}
	}
}

package energetic_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestLongRun: a coupled chain lands and lifts off again and again in periods of 200
// steps, far beyond the local existence time of the theory, and stays certified;
// cut in half and resumed it gives the same bits. With QUASISTATIC_LONG in 20 periods.
func TestLongRun(t *testing.T) {
	thorough.NotShort(t, "ten seconds under the race detector")
	periods := 2
	if thorough.Asked() {
		periods = 20
	}
	n, until := 200*periods, 2*float64(periods)
	ctx := context.Background()
	ex := reference.Caterpillar(7, until)
	for name, o := range map[string]energetic.Options{
		"implicit": {Equilibrate: true, Step: incremental.Options{Threshold: incremental.Implicit}},
		// above the change of σ in a step
		"gamma": {Equilibrate: true, Step: regularised(0.1).Step},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
			if err != nil {
				t.Fatal(err)
			}
			landings := 0
			var half energetic.Checkpoint
			var want [][]float64
			for k := 1; k <= n; k++ {
				if err := e.Step(ctx, until*float64(k)/float64(n)); err != nil {
					t.Fatal(err)
				}
				node := e.Node()
				for j, s := range node.States {
					if s != incremental.Free && node.Before[j] == incremental.Free {
						landings++
					}
				}
				if k == n/2 {
					e.Save(&half)
				} else if k > n/2 {
					want = append(want, bits(node))
				}
			}
			s := e.Summary()
			t.Logf("%d events, %d landings, gap %.1e of %.3g J, balance %.1e, fell back %d", s.Events, landings,
				s.MaxGap, s.EnergyScale, s.MaxBalance, s.FellBack)
			if !s.Solved || landings < 7*(periods*3/4) { // seven particles
				t.Errorf("certified %v, %d landings: %s", s.Certified, landings, s.First)
			}
			if s.FellBack > 0 || s.MaxGap > exactGap*s.EnergyScale {
				t.Errorf("gap %g, %d steps fell back", s.MaxGap, s.FellBack)
			}
			again := reference.Caterpillar(7, until)
			r, err := energetic.Resume(again.Psi, o, &half)
			if err != nil {
				t.Fatal(err)
			}
			for k := n/2 + 1; k <= n; k++ {
				if err := r.Step(ctx, until*float64(k)/float64(n)); err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(bits(r.Node()), want[k-n/2-1],
					func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Fatalf("node %d differs after resuming", k)
				}
			}
		})
	}
}

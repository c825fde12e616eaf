package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestChoosePartition: the evolutions of the reference sheet are within their accuracy
// on the nodes that are chosen: the dissipation of closed forms too, which no measure
// sees. The number of steps is bounded by twice those that were measured, so that a
// refinement that has lost its aim is found.
func TestChoosePartition(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name        string
		ex          reference.Example
		dissipation float64 // at the end; NaN: not known
		exchanged   float64 // energy that accuracy is relative to, at most
		steps       [2]int  // for 1e-2 and 1e-3
	}{
		{"play", reference.Play(), 3.18, 3.18, [2]int{103, 277}},
		{"pulsing", reference.PlayPulsing(), 3.841459619567, 3.841459619567, [2]int{98, 206}},
		// Pressing stores ½·5·0.3² J in the spring, and gives it back.
		{"grazing", reference.Grazing(), .09795706214, .225, [2]int{66, 158}},
		// The force t works 3.5 J while the particle slides and 20/7 J in the air.
		{"klarbring", reference.Klarbring(1.5), 1.5, 6.36, [2]int{32, 64}},
		{"chain", reference.Chain(8, 20), math.NaN(), 0, [2]int{32, 69}},
		{"anisotropic", reference.Anisotropic(), 1.2806681808, 1.2806681808, [2]int{64, 528}},
		{"ripple", reference.Ripple(2), math.NaN(), 0, [2]int{32, 184}},
		{"net", reference.Net(4, 4), math.NaN(), 0, [2]int{122, 1917}},
	} {
		for i, accuracy := range []float64{1e-2, 1e-3} {
			if c.steps[i] > 1000 && !thorough.Asked() {
				continue // a second
			}
			o := implicit
			o.Accuracy = accuracy
			p, err := energetic.ChoosePartition(ctx, c.ex.Psi, c.ex.Start, o, c.ex.Until)
			if err != nil {
				t.Fatal(err)
			}
			n := len(p.Times) - 1
			if !p.Accurate || n > 2*c.steps[i] {
				t.Errorf("%s to %g: %d steps in %d rounds: %s", c.name, accuracy, n, p.Rounds, p.Reason)
			}
			d := alongTimes(t, c.ex, o, p.Times).Dissipation
			t.Logf("%s to %g: %d steps in %d rounds, dissipation %.10g", c.name, accuracy, n, p.Rounds, d)
			if off := math.Abs(d - c.dissipation); off > accuracy*c.exchanged {
				t.Errorf("%s to %g: dissipation %g, want %g", c.name, accuracy, d, c.dissipation)
			}
		}
	}
}

// alongTimes runs an example over given nodes and returns the last one.
func alongTimes(t *testing.T, ex reference.Example, o energetic.Options, times []float64) *energetic.Node {
	t.Helper()
	e, err := energetic.Start(context.Background(), ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range times[1:] {
		if err := e.Step(context.Background(), to); err != nil {
			t.Fatal(err)
		}
	}
	if s := e.Summary(); !s.Certified {
		t.Errorf("the run on the nodes chosen: %s", s.First)
	}
	return e.Node()
}

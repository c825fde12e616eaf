package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// jumps runs an example with probing and returns the jumps found.
func jumps(t *testing.T, ex reference.Example, n int, o energetic.Options) []*energetic.Jump {
	t.Helper()
	ctx := context.Background()
	o.Continuous = func(ctx context.Context) bool { return assume.Continuous(ctx, ex.Psi, ex.Start) }
	e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	var found []*energetic.Jump
	for k := 1; k <= n; k++ {
		to := ex.Until * float64(k) / float64(n)
		jump, err := e.StepProbing(ctx, to, func(*energetic.Node) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if e.Node().T != to {
			t.Fatalf("stands at %g instead of %g", e.Node().T, to)
		}
		if jump != nil {
			found = append(found, jump)
		}
	}
	return found
}

// TestJumps: with L = 0.5 the coefficient of example 5b varies faster than the
// spring can follow, (N4) fails, and the particle jumps where u(x) = x + (N/k)μ(x)
// turns back: the onset is the maximum of u on the first ripple.
func TestJumps(t *testing.T) {
	peak := 0.0 // of u before the particle can follow no more: u'(x) = 0
	for x := 0.0; x < 0.25; x += 1e-6 {
		peak = max(peak, x+0.75*0.4*(1+0.3*math.Sin(4*math.Pi*x)))
	}
	for name, o := range map[string]energetic.Options{"lagged": lagged, "implicit": implicit} {
		for _, n := range []int{400, 4000} {
			found := jumps(t, reference.Ripple(0.5), n, o)
			for _, j := range found {
				t.Logf("%s %d: [%g, %g] %g m", name, n, j.From, j.To, j.Distance)
			}
			if len(found) != 5 { // one a ripple; u = 3 reaches the fifth
				t.Fatalf("%s: %d jumps, want 5", name, len(found))
			}
			first := found[0]
			t.Logf("%s, %d steps: in [%g, %g], by %g m, releasing %g J", name, n, first.From, first.To, first.Distance, first.Released)
			// The state may leave its branch two steps late.
			if u := 3 * first.To; u < peak-1e-3 || u > peak+3*3/float64(n) {
				t.Errorf("%s: jumps at u = %g, the branch ends at %g", name, u, peak)
			}
			if first.Released <= 0 || first.Distance < 0.05 {
				t.Errorf("%s: released %g J over %g m", name, first.Released, first.Distance)
			}
		}
	}
}

// TestNoFalseJumps: evolutions that satisfy (N4) have none, however steep.
func TestNoFalseJumps(t *testing.T) {
	for name, ex := range map[string]reference.Example{"play": reference.Play(), "pulsing": reference.PlayPulsing(),
		"grazing": reference.Grazing(), "klarbring": reference.Klarbring(1.5), "chain": reference.Chain(8, 20),
		"anisotropic": reference.Anisotropic(), "ripple": reference.Ripple(2), "net": reference.Net(4, 4)} {
		for _, o := range []energetic.Options{lagged, implicit} {
			for _, n := range []int{20, 150} {
				if found := jumps(t, ex, n, o); len(found) > 0 {
					t.Errorf("%s in %d steps: %v", name, n, found[0])
				}
			}
		}
	}
}

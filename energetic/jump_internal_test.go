package energetic

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// TestFed: friction feeds each of the five jumps of example 5b, however short the
// steps, and hardly a step of evolutions that satisfy (N4).
func TestFed(t *testing.T) {
	count := func(ex reference.Example, o Options, n int) (fed, leaps int) {
		e, err := Start(context.Background(), ex.Psi, ex.Start, o)
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= n; k++ {
			if err := e.Step(context.Background(), ex.Until*float64(k)/float64(n)); err != nil {
				t.Fatal(err)
			}
			if !e.fed() {
				continue
			}
			fed++
			if e.cert.v[0] > 0.04 { // ten times the drag of a step
				leaps++
			}
		}
		return fed, leaps
	}
	implicit := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	for _, n := range []int{400, 4000} {
		if _, leaps := count(reference.Ripple(0.5), implicit, n); leaps != 5 {
			t.Errorf("ripple, %d steps: %d jumps are fed, want 5", n, leaps)
		}
	}
	for name, ex := range map[string]reference.Example{"play": reference.Play(), "chain": reference.Chain(8, 20), "net": reference.Net(4, 4)} {
		if fed, _ := count(ex, implicit, 400); fed > 0 {
			t.Errorf("%s: %d steps are fed", name, fed)
		}
	}
}

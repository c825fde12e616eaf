package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// evolve runs an example in n equal steps and returns its verdict; visit sees
// every node.
func evolve(t testing.TB, ex reference.Example, n int, o energetic.Options, visit func(*energetic.Node)) energetic.Summary {
	t.Helper()
	ctx := context.Background()
	e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	if visit != nil {
		visit(e.Node())
	}
	for k := 1; k <= n; k++ {
		if err := e.Step(ctx, ex.Until*float64(k)/float64(n)); err != nil {
			t.Fatal(err)
		}
		if visit != nil {
			visit(e.Node())
		}
	}
	s := e.Summary()
	if !s.Certified {
		t.Errorf("not certified: %s", s.First)
	}
	return s
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g ± %g (off by %.3g)", what, got, want, tol, got-want)
	}
}

func TestAll(t *testing.T) {
	lag, imp := energetic.Options{}, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	gam := energetic.Options{Step: incremental.Options{Rule: dissipation.Rule{Gamma: 1e-2}}}
	for name, ex := range map[string]reference.Example{"play": reference.Play(), "pulsing": reference.PlayPulsing(), "grazing": reference.Grazing(), "klarbring": reference.Klarbring(1.5), "chain": reference.Chain(8, 20), "aniso": reference.Anisotropic(), "ripple": reference.Ripple(2), "net": reference.Net(6, 3)} {
		for i, o := range []energetic.Options{lag, imp, gam} {
			for _, n := range []int{400, 800} {
				var d float64
				s := evolve(t, ex, n, o, func(n *energetic.Node) { d = n.Dissipation })
				t.Logf("%-9s %d %5d D=%.10f gap=%.2e step=%.2e upper=%.2e lower=%.2e bal=%.3e DI=%.2e lip=%.4f ev=%d fb=%d sol=%d", name, i, n, d, s.MaxGap, s.MaxStepGap, s.MinUpper, s.MinLower, s.MaxBalance, s.MaxForce, s.MaxLipschitz, s.Events, s.FellBack, s.Solves)
			}
		}
	}
}

package energetic_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// TestContinuation: the solutions for γ_n → 0 are Cauchy at first order, and the
// limit of example 2 is its closed form; the error at γ is (μ/kt)γ.
func TestContinuation(t *testing.T) {
	const n = 800
	ex := reference.PlayPulsing()
	times := make([]float64, n+1)
	for k := range times {
		times[k] = ex.Until * float64(k) / n
	}
	nodes := 0
	levels, err := energetic.Continuation(context.Background(), ex.Psi, ex.Start, implicit, []float64{0.1, 0.01, 0.001, 0.0001}, times,
		func(int, *energetic.Node) error { nodes++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if nodes != 4*(n+1) {
		t.Errorf("%d nodes", nodes)
	}
	for i, l := range levels {
		if !l.Summary.Solved {
			t.Errorf("gamma = %g: %s", l.Gamma, l.Summary.First)
		}
		if i > 0 { // the threshold μγ moves the slipping state by (μ/kt)Δγ = 0.2Δγ
			near(t, "difference", l.Difference, 0.2*(levels[i-1].Gamma-l.Gamma), 1e-9)
		}
		if i > 1 {
			near(t, "rate", l.Rate, 1, 1e-6)
		}
	}
	if levels[3].Summary.MaxBalance > 1e-3 {
		t.Errorf("balance at the last level: %g", levels[3].Summary.MaxBalance)
	}
	for _, bad := range [][]float64{{0.1, 0.1}, {0.1, 0}, {-1}} {
		if _, err := energetic.Continuation(context.Background(), ex.Psi, ex.Start, lagged, bad, times, nil); err == nil {
			t.Errorf("gammas %v: no error", bad)
		}
	}
}

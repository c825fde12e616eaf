package energetic_test

import (
	"context"
	"math"
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
	levels, err := energetic.Continuation(context.Background(), ex.Psi, ex.Start, implicit, []float64{0.108, 0.036, 0.012, 0.004}, times,
		func(int, *energetic.Node) error { nodes++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if nodes != 4+levels[0].Steps+levels[1].Steps+levels[2].Steps+levels[3].Steps {
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
	// Friction lacks μγ along the way, which is shorter than 2·4·0.75 m in two cycles.
	if levels[3].Summary.MaxBalance > 0.4*0.004*6 {
		t.Errorf("balance at the last level: %g", levels[3].Summary.MaxBalance)
	}
	for i := 1; i < len(levels); i++ {
		if levels[i].Steps <= levels[i-1].Steps {
			t.Errorf("%d steps for gamma = %g, %d for %g: f_Π <= C_fine γ asks for more", levels[i].Steps,
				levels[i].Gamma, levels[i-1].Steps, levels[i-1].Gamma)
		}
	}
	for _, bad := range [][]float64{{0.1, 0.1}, {0.1, 0}, {-1}} {
		if _, err := energetic.Continuation(context.Background(), ex.Psi, ex.Start, lagged, bad, times, nil); err == nil {
			t.Errorf("gammas %v: no error", bad)
		}
	}
}

// TestContinuationFine: example 2 on 60 nodes with lagged thresholds. At fixed steps the
// solutions converge to one that is off by 4.7e-2; with f_Π <= C_fine γ the error is
// that of γ, (μ/kt)γ, and what the lag of a step adds, at most as much again.
func TestContinuationFine(t *testing.T) {
	const n, gamma = 60, 1e-3
	ex := reference.Grazing()
	times := make([]float64, n+1)
	for k := range times {
		times[k] = 1.2 * float64(k) / n
	}
	worst := 0.0
	_, err := energetic.Continuation(context.Background(), ex.Psi, ex.Start, lagged, []float64{0.1, 0.01, gamma}, times,
		func(level int, node *energetic.Node) error {
			if level == 2 {
				worst = max(worst, math.Abs(node.Z[0]-grazingX(node.T)))
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if worst > 0.4/2*2*gamma {
		t.Errorf("error %g, want at most %g", worst, 0.4/2*2*gamma)
	}
}

// grazingX is the closed form of example 2 up to t = 1 + t_s.
func grazingX(t float64) float64 {
	const onset = .388060280994
	switch {
	case t < onset:
		return 0
	case t < 0.5:
		return 0.5*t - 0.3*math.Sin(2*math.Pi*t)
	case t < 1:
		return 0.5 * t
	}
	return 0.5
}

package assume_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// randomExample is a random convex quadratic system at rest in z = 0 under loads
// that grow linearly: some particles pressed, with tangential forces inside their
// friction cones, some grazing. Friction is small enough for (N4).
func randomExample(t *rapid.T) (reference.Example, *assume.Assumptions) {
	n := rapid.IntRange(1, 3).Draw(t, "n")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var entries []particles.Entry
	m := 3 * n
	g := make([][]float64, m)
	for r := range g {
		g[r] = make([]float64, m)
		for c := range g[r] {
			g[r][c] = rng.NormFloat64()
		}
	}
	for r := range m {
		for c := range m {
			sum := 0.0
			for k := range m {
				sum += g[r][k] * g[c][k]
			}
			if r == c {
				sum += 1
			}
			entries = append(entries, particles.Entry{Row: r, Col: c, Value: sum})
		}
	}
	var who []int
	var force particles.Path
	matrices := make([]dissipation.Matrix, n)
	mu := 0.02 + 0.1*rng.Float64()
	for j := range n {
		who = append(who, j)
		pressed := 0.0
		if j == 0 || rapid.Bool().Draw(t, "pressed") { // one force sets the scale of all
			pressed = 0.5 + rng.Float64()
		}
		held := 0.7 * mu * pressed * rng.Float64()
		force = append(force, line(t, held, rng.NormFloat64()), line(t, -held/2, rng.NormFloat64()), line(t, -pressed, rng.NormFloat64()))
		matrices[j] = dissipation.Isotropic{Mu: mu}
	}
	q, err := particles.NewQuadratic(who, make([]float64, m), entries, force)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(n), q)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	ex := reference.Example{Psi: psi, Start: make([]float64, m), Until: 1}
	a, err := assume.Examine(context.Background(), psi, ex.Start, assume.Options{Until: ex.Until})
	if err != nil {
		t.Fatal(err)
	}
	return ex, a
}

// line is the signal a + bt up to t = 2.
func line(t *rapid.T, a, b float64) signal.Scalar {
	s, err := signal.NewTable([]float64{0, 2}, []float64{a, a + 2*b})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLipschitzBound: along certified runs with equal steps, up to T_*, no step is
// faster than c_lip with the corrected c_1: for lagged thresholds with f_Π <=
// C_fine γ as printed, and for implicit ones.
func TestLipschitzBound(t *testing.T) {
	sharpest, runs := 0.0, 0
	rapid.Check(t, func(t *rapid.T) {
		ex, a := randomExample(t)
		if a.N3.Verdict != assume.Holds {
			t.Fatalf("(N3): %+v", a.N3)
		}
		if a.N4.Verdict != assume.Holds {
			return // the draw was too strongly coupled
		}
		e := a.Extension
		if !e.Certified {
			t.Fatalf("piecewise linear loads, but %+v", e)
		}
		gamma := 0.1
		h := float64(e.CFine) * gamma * 0.99
		lagged := energetic.Options{Step: incremental.Options{Rule: dissipation.Rule{Gamma: gamma, Policy: dissipation.SwitchingOnly}}}
		implicit := energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
		for _, o := range []energetic.Options{lagged, implicit} {
			fastest := fastest(t, ex, float64(e.TStar), h, o)
			// A step is solved to 1e-12 of forces near 1.
			if fastest > float64(e.CLip)*(1+1e-9)+1e-11/h {
				t.Fatalf("a step moves at %g, c_lip = %g", fastest, e.CLip)
			}
			sharpest, runs = max(sharpest, fastest/float64(e.CLip)), runs+1
		}
	})
	t.Logf("%d runs, the fastest at %.3f c_lip", runs, sharpest)
	if runs < 20 {
		t.Errorf("only %d runs had (N4)", runs)
	}
}

// fastest evolves in equal steps up to until, at most 40 of them, and returns the
// largest ‖ż‖.
func fastest(t *rapid.T, ex reference.Example, until, h float64, o energetic.Options) float64 {
	ctx := context.Background()
	run, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= min(40, int(math.Floor(until/h))); k++ {
		if err := run.Step(ctx, h*float64(k)); err != nil {
			t.Fatal(err)
		}
	}
	s := run.Summary()
	if !s.Solved {
		t.Fatalf("not certified: %s", s.First)
	}
	return s.MaxLipschitz
}

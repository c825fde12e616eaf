package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestCattaneoMindlin: example 6 of the reference sheet, seven digits, and the
// identity q = μ(p(δ) − p(δ − U/μ)) of discrete tractions. Normal forces do not
// depend on the shear, and the shear grows in one direction, so that three steps
// give the same as twenty.
func TestCattaneoMindlin(t *testing.T) {
	thorough.NotShort(t, "half a minute under the race detector")
	for _, c := range []struct {
		n    int
		p, q float64
	}{{11, 0.001339891816, 0.5353981}, {21, 0.001334419754, 0.5350833}} {
		if c.n > 11 && !thorough.Asked() {
			continue // 1.2 s of processor time
		}
		ex := reference.CattaneoMindlin(c.n)
		ctx := context.Background()
		run, err := energetic.Start(ctx, ex.Psi, ex.Start, energetic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// δ − U/μ = 0.6 δ is reached at t = 0.6.
		var early, late []float64
		for _, at := range []float64{0.6, 1, 2} {
			if err := run.Step(ctx, at); err != nil {
				t.Fatal(err)
			}
			switch at {
			case 0.6:
				early = append(early, run.Node().Grad...)
			case 1:
				late = append(late, run.Node().Grad...)
			}
		}
		node := run.Node()
		p, q := 0.0, 0.0
		for j := range c.n * c.n {
			normal, shear := node.Grad[3*j+2], node.Grad[3*j]
			p, q = p+normal, q-shear
			if want := reference.CattaneoMu * (late[3*j+2] - early[3*j+2]); math.Abs(-shear-want) > 1e-13 {
				t.Errorf("n = %d, patch %d: traction %g, want %g", c.n, j, -shear, want)
			}
		}
		near(t, "P", p, c.p, 1e-12)                                // digits of the sheet
		near(t, "Q/(mu P)", q/(reference.CattaneoMu*p), c.q, 1e-7) // likewise
		_, theory := reference.CattaneoTheory()
		near(t, "theory", q/(reference.CattaneoMu*p), theory, 1e-3*theory)
		if s := run.Summary(); !s.Solved {
			t.Errorf("n = %d: %s", c.n, s.First)
		}
	}
}

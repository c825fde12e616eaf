package particles_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/particles"
)

// TestDecompose: the shares are those of Moreau's theorem, DE = Σ σ n + d with σ >= 0,
// d·n <= 0 and σ d·n = 0, whatever the normals; the point nearest in a cone has no others.
func TestDecompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		normals := make([][3]float64, rapid.IntRange(1, 5).Draw(t, "count"))
		for i := range normals {
			normals[i] = frame.Draw(t, "obstacle").N
		}
		g := triple.Draw(t, "force")
		share := make([]float64, len(normals))
		particles.Decompose(share, normals, g)
		rest := g
		for i, n := range normals {
			if share[i] < 0 {
				t.Fatalf("σ = %v", share)
			}
			for c := range rest {
				rest[c] -= share[i] * n[c]
			}
		}
		// Nearly dependent normals, 1e-5 apart, cost half the digits.
		small := 1e-6 * (1 + math.Abs(g[0]) + math.Abs(g[1]) + math.Abs(g[2]))
		for i, n := range normals {
			d := rest[0]*n[0] + rest[1]*n[1] + rest[2]*n[2]
			if d > small || share[i] > small && math.Abs(d) > small {
				t.Fatalf("normals %v, force %v: σ = %v leaves %v, which points into normal %d by %g", normals, g, share, rest, i, d)
			}
		}
	})
}

func TestExtrasRefused(t *testing.T) {
	ball, err := particles.NewSphere([3]float64{}, 1, false, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(ball, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.Floor(), particles.Charted(chart, [3]float64{})})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []particles.Extra{{Particle: 2, Frame: particles.Floor()},
		{Particle: -1, Frame: particles.Floor()}, {Particle: 1, Frame: particles.Floor()}, {Particle: 0}} {
		if _, err := sys.WithExtras([]particles.Extra{e}, 1); err == nil {
			t.Errorf("an extra obstacle %+v was accepted", e)
		}
	}
}

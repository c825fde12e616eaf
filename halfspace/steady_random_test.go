package halfspace

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestRandomSteady: each steady state of rolling of dissimilar bodies under thresholds is
// certified, whatever the creepages, the spin and the way: 750 of them.
func TestRandomSteady(t *testing.T) {
	if os.Getenv("QUASISTATIC_LONG") == "" {
		t.Skip("QUASISTATIC_LONG is not set")
	}
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(79, seed))
		decades := func(n float64) float64 { return math.Pow(10, -n*rng.Float64()) }
		nx, ny := 3+rng.IntN(28), 1+rng.IntN(28)
		g, size := Centred(nx, ny, 0.5+rng.Float64(), 1), float64(max(nx, ny))
		c, err := ElasticPair(Elastic{Young: 1, Poisson: 0.5 * rng.Float64()}, Elastic{Young: 0.001 + 10*rng.Float64(), Poisson: 0.5 * rng.Float64()})
		if err != nil {
			t.Fatal(err)
		}
		h := g.Sample(func(x, y float64) float64 { return 0.1 * (x*x + y*y) / size })
		if rng.IntN(2) == 1 {
			for k := range h {
				h[k] += 0.003 * size * rng.NormFloat64()
			}
		}
		p := Problem{Gap: h, Threshold: constant(g.Len(), 0.3*decades(4)), Ratio: []float64{0, 0.5, 2}[rng.IntN(3)]}
		e := NewEvolution(newTestOperator(t, g, Patches{c}), p, nil)
		for k := range 3 {
			angle := 2 * math.Pi * rng.Float64()
			d := Creep{Roll: [2]float64{math.Cos(angle) * g.DX * 3 * decades(1.5), math.Sin(angle) * g.DY * 3 * decades(1.5)}}
			if ny == 1 {
				d.Roll = [2]float64{g.DX, 0}
			}
			d.Control[MoveN] = Control{Value: -0.02 * size * (1 + 0.3*float64(k))}
			for _, move := range along {
				d.Control[move] = Control{Value: decades(5) * rng.NormFloat64()}
			}
			if err := e.Steady(context.Background(), d); err != nil {
				t.Fatalf("seed %d, step %d, %d×%d elements, rolling by %v: %v", seed, k, nx, ny, d.Roll, err)
			}
		}
	}
}

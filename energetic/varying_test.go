package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/signal"
)

// TestProvenBetweenNodes: of random scenes in coarse steps, some with friction that ripples over places
// or times, stability is proven where nothing lands, lifts off or is driven over too much in a step; and
// then the force that friction does not hold is at no time of the polygon larger than what the measure
// says, looked at 100 times a step.
func TestProvenBetweenNodes(t *testing.T) {
	ctx := context.Background()
	proven, varied, tight := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 32))
		ex := scene(t, rng)
		np := ex.Psi.System.N()
		if rng.IntN(2) == 0 {
			factors := make([]signal.Scalar, len(ex.Psi.Matrices))
			for j := range factors {
				s, err := signal.NewSine(1, .3*rng.Float64(), 1+rng.Float64(), 6*rng.Float64())
				if err != nil {
					t.Fatal(err)
				}
				factors[j] = s
			}
			if err := ex.Psi.SetFactors(factors); err != nil {
				t.Fatal(err)
			}
		}
		e, err := energetic.Start(ctx, ex.Psi, ex.Start, implicit)
		if err != nil {
			t.Fatal(err)
		}
		n := 5 + rng.IntN(30)
		worst, old, from := 0.0, append([]float64(nil), ex.Start...), 0.0
		z, grad := make([]float64, 3*np), make([]float64, 3*np)
		for k := 1; k <= n; k++ {
			to := .5 * float64(k) / float64(n)
			if err := e.Step(ctx, to); err != nil {
				t.Fatal(err)
			}
			for p := range 101 {
				s := float64(p) / 100
				for i := range z {
					z[i] = old[i] + s*(e.Node().Z[i]-old[i])
				}
				now := from + s*(to-from)
				ex.Psi.System.Gradient(grad, nil, now, z)
				for j := range np {
					if z[3*j+2] == 0 && ex.Psi.Matrices[j] != nil {
						a, b := ex.Psi.Excess(now, j, max(grad[3*j+2], 0)*ex.Psi.Factor(j, now), z, [2]float64{grad[3*j], grad[3*j+1]})
						worst = max(worst, math.Hypot(a, b))
					}
				}
			}
			copy(old, e.Node().Z)
			from = to
		}
		says, sampled, size := 0.0, false, 0.0
		for _, p := range e.Residuals() {
			says, size = max(says, p.Along.Force), max(size, p.ForceAlong)
			sampled = sampled || p.Sampled
		}
		if sampled {
			continue
		}
		proven++
		for j := range np {
			if ex.Psi.Varies(j) {
				varied++
				break
			}
		}
		if worst > says+1e-12*size { // rounding of the forces
			t.Errorf("seed %d, %d steps: friction does not hold %.9g N, %.9g N are proven", seed, n, worst, says)
		}
		if says <= worst+.01*size {
			tight++
		}
	}
	// what a bound adds is a tenth of the accuracy, .01 of the forces, and twice that for its halves
	if proven < 20 || varied < 10 || tight < proven*9/10 {
		t.Errorf("%d proven, %d of them with friction that varies, %d tight", proven, varied, tight)
	}
}

package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// energyInUnits writes p in units of stiffness and length that are 1/stiffness and 1/length times
// as large.
func energyInUnits(p *Global, stiffness, length float64) *Global {
	m := *p.M
	m.Val = append([]float64(nil), m.Val...)
	for i := range m.Val {
		m.Val[i] *= stiffness
	}
	q := &Global{M: &m, H: p.H}
	for _, f := range p.F {
		q.F = append(q.F, f*stiffness*length)
	}
	for _, w := range p.W {
		q.W = append(q.W, w*length)
	}
	for _, l := range p.Laws {
		q.Laws = append(q.Laws, Tresca{Threshold: form.FormOf(l).Bound * stiffness * length})
	}
	return q
}

// TestConvexInAnyUnits solves energies of conditions 1e4 to 1e8 in units of 1e-12 to 1e12: none
// fails, and the motion is that of the plain units, to the condition times rounding.
func TestConvexInAnyUnits(t *testing.T) {
	for k := range 400 {
		rng := rand.New(rand.NewPCG(uint64(k), 20261122))
		cond := math.Pow(10, 4+float64(rng.IntN(5)))
		p := randomEnergy(rng, 2+rng.IntN(5), cond, rng.IntN(2) == 0, rng.IntN(2) == 0)
		stiffness, length := math.Pow(10, 12*(2*rng.Float64()-1)), math.Pow(10, 12*(2*rng.Float64()-1))
		var plain, scaled Result
		if err := SolveConvex(context.Background(), p, 0, nil, nil, &plain); err != nil {
			t.Errorf("energy %d: %v", k, err)
			continue
		}
		if err := SolveConvex(context.Background(), energyInUnits(p, stiffness, length), 0, nil, nil, &scaled); err != nil {
			t.Errorf("energy %d in units of %.1g and %.1g: %v", k, stiffness, length, err)
			continue
		}
		worst, size := 0.0, num.InfNorm(plain.V)
		for i := range plain.V {
			worst = max(worst, math.Abs(scaled.V[i]/length-plain.V[i]))
		}
		if limit := 1e3 * num.Eps * cond; !(worst <= max(limit, 1e-9)*size) { // 1e3: rounding of each of the some ten steps, in both
			t.Errorf("energy %d, condition %.0g: motions differ by %.2g of themselves in units of %.1g and %.1g", k,
				cond, worst/size, stiffness, length)
		}
	}
}

package energetic

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/elementary"
)

const (
	// leastOrder is the observed order below which more steps are no remedy.
	leastOrder = 0.25
	few        = 16  // steps of which a half may miss all
	enough     = 200 // steps that may be doubled to see an order
	// mostOrder is that of a polygon. What falls faster was not seen by the coarser run at
	// all: a multiple of it is no order yet.
	mostOrder  = 2
	falseOrder = 1.5 * mostOrder
)

// Reach estimates how many equal steps an evolution to the time until needs to be
// accurate, from a run in n of them whose measures are given: by the order at which
// their worst falls from n/2 steps to n. Where n is small, or no order is seen, it
// doubles n to see one, up to a few hundred steps. It returns 0 where more steps do
// not help, and the order observed. Costs the other runs.
func Reach(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, n int, measures []Measure) (steps int, order float64, err error) {
	here := worstOf(measures)
	if n >= few {
		coarse, err := worstRatio(ctx, psi, z0, o, until, n/2)
		if err != nil {
			return 0, 0, err
		}
		order = elementary.Log2(coarse / here)
	}
	for !(order >= leastOrder && order <= falseOrder) && n <= enough {
		fine, err := worstRatio(ctx, psi, z0, o, until, 2*n)
		if err != nil {
			return 0, 0, err
		}
		if fine <= 1 {
			return 2 * n, min(elementary.Log2(here/fine), mostOrder), nil
		}
		order, here, n = elementary.Log2(here/fine), fine, 2*n
	}
	order = min(order, mostOrder)
	if !(order >= leastOrder) || math.IsInf(here, 1) {
		return 0, order, nil
	}
	// A tenth more: the order is observed, and falls towards that of the events.
	want := 1.1 * float64(n) * elementary.Pow(here, 1/order)
	if want > 1e9 {
		return 0, order, nil
	}
	digits := math.Pow(10, math.Floor(math.Log10(want))-1)
	return int(math.Ceil(want/digits) * digits), order, nil
}

// worstRatio runs in n steps and returns the worst measure over its limit.
func worstRatio(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, n int) (float64, error) {
	e, err := Start(ctx, psi, z0, o)
	if err != nil {
		return 0, err
	}
	for k := 1; k <= n; k++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := e.Step(ctx, until*float64(k)/float64(n)); err != nil {
			return 0, err
		}
	}
	return worstOf(e.Measures()), nil
}

// worstOf returns the largest judged measure over its limit.
func worstOf(list []Measure) float64 {
	worst := 0.0
	for i := range list {
		if m := &list[i]; m.Judged {
			worst = max(worst, m.ratio())
		}
	}
	return worst
}

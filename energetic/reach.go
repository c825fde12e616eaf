package energetic

import (
	"context"
	"fmt"
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
	// cheap: so many steps times particles are made to see whether they reach it, some 50 ms.
	cheap = 5000
	// mostTried: one run of these has no more than so many times the steps of the run before, …
	mostTried = 16
	// … and so many are made.
	mostTries = 6
)

// Prospect is what more steps would do for an evolution.
type Prospect struct {
	Steps float64 // that would reach its accuracy; 0: none are known to
	Order float64 // by which the worst measure was seen to fall with the step
	Tried bool    // a run in so many steps was made, and is accurate
	Worst float64 // that measure over its limit, in the steps that there are
}

// mostSteps is the largest number of steps that is advised: at 10 µs and 100 bytes, those of
// one particle, they take minutes and a gigabyte.
const mostSteps = 1e7

// Remedy says it; accuracy is that of the evolution. Where no steps help it says what is in the
// way.
func (p *Prospect) Remedy(accuracy float64) string {
	has := fmt.Sprintf("; at this step the accuracy is %.2g", accuracy*p.Worst)
	if accuracy*p.Worst > 1 { // none
		has = ""
	}
	switch {
	case p.Steps == 0 && math.IsNaN(p.Order):
		return "no number of steps is known to reach it: in twice as many no order is seen" + has
	case p.Steps == 0:
		return fmt.Sprintf("no number of steps is known to reach it: in twice as many it falls with the order %.2g only%s", p.Order, has)
	case p.Steps > mostSteps:
		return fmt.Sprintf("no number of steps that can be made: %.1e, by the observed order %.2g%s", p.Steps, p.Order, has)
	}
	how := "a guess, not tried"
	if p.Tried {
		how = "a run in so many does"
	}
	return fmt.Sprintf("%.0f steps would reach it, by the observed order %.2g: %s", p.Steps, p.Order, how)
}

// Reach estimates how many equal steps an evolution to the time until needs to be
// accurate, from a run in n of them whose measures are given: by the order at which
// their worst falls from n/2 steps to n. Where n is small, or no order is seen, it
// doubles n to see one, up to a few hundred steps. Of small systems it tries the number
// that it names. Costs the other runs.
func Reach(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, n int,
	measures []Measure) (Prospect, error) {
	here := worstOf(measures)
	p := Prospect{Worst: here}
	if n >= few {
		coarse, err := worstRatio(ctx, psi, z0, o, until, n/2)
		if err != nil {
			return p, err
		}
		p.Order = elementary.Log2(coarse / here)
	}
	for !(p.Order >= leastOrder && p.Order <= falseOrder) && n <= enough {
		fine, err := worstRatio(ctx, psi, z0, o, until, 2*n)
		if err != nil {
			return p, err
		}
		p.Order = elementary.Log2(here / fine)
		if here, n = fine, 2*n; fine <= 1 {
			p.Steps, p.Order, p.Tried = float64(n), min(p.Order, mostOrder), true
			return p, nil
		}
	}
	for range mostTries {
		if p.Order = min(p.Order, mostOrder); !(p.Order >= leastOrder) {
			return p, nil
		}
		// A tenth more: the order is observed, and falls towards that of the events.
		want := 1.1 * float64(n) * elementary.Pow(here, 1/p.Order)
		digits := math.Pow(10, math.Floor(math.Log10(want))-1)
		p.Steps = math.Ceil(want/digits) * digits
		next := int(min(p.Steps, mostTried*float64(n)))
		if next*psi.System.N() > cheap {
			break
		}
		fine, err := worstRatio(ctx, psi, z0, o, until, next)
		if err != nil {
			return p, err
		}
		if fine <= 1 {
			p.Steps, p.Tried = float64(next), true
			break
		}
		p.Order = elementary.Log2(here/fine) / elementary.Log2(float64(next)/float64(n))
		p.Steps, here, n = 0, fine, next
	}
	return p, nil
}

// worstRatio runs in n steps and returns the worst measure over its limit.
func worstRatio(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, n int) (float64, error) {
	e, err := Start(ctx, psi, z0, o)
	for k := 1; k <= n && err == nil; k++ {
		if err = ctx.Err(); err == nil {
			err = e.Step(ctx, until*float64(k)/float64(n))
		}
	}
	if err != nil {
		return 0, err
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

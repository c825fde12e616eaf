package halfspace

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

const (
	// twinName is the fact that the twin is for.
	twinName = "dissipation: against the same contact in half steps, and at the turns of its controls"
	// unseen: of an error that falls as the length of the steps the twin in halves has half; of one
	// of second order, and of what turns between nodes cut off, it sees more.
	unseen = 2
	// leastShare: where friction takes less than this part of the energy of the contact it is not
	// judged if it is off by more than the accuracy, and that is said.
	leastShare = 0.1
	// shareOfGaps is the part of what is allowed that the duality gaps of all steps of the twin may
	// be together, and mostGap the largest of them, where a step takes half of the products.
	shareOfGaps, mostGap = 0.05, 1e-6
	// mostTurns bounds the turns of a control in one step.
	mostTurns = 8
	// nextToNode is the part of a step within which a turn is at its node.
	nextToNode = 1e-9
)

// twinned reports whether a run has a twin: where friction takes energy, and the history of the
// material stays with the elements. Steady states have no steps to halve.
func (c *Case) twinned() bool { return c.frictional() && c.steady == nil && c.rolled == nil }

// startTwin makes the twin: the same contact from the state of the run, which is that at t = 0, or
// from a checkpoint.
func (r *Run) startTwin(from *halfspace.State) error {
	if !r.c.twinned() {
		return nil
	}
	if from == nil {
		from = &halfspace.State{}
		r.e.Save(from)
	}
	r.twin = halfspace.NewEvolution(r.c.Operator, r.c.Problem, &r.c.Options)
	return r.twin.Load(from)
}

// follow takes the twin from a node to the next; stopped between them it goes on from there. A twin
// that ends leaves the run as it is: the verdict tells.
func (r *Run) follow(ctx context.Context, before, t float64) error {
	s := &r.sum
	if r.twin == nil || s.Untold != "" {
		return nil
	}
	r.twin.Tolerate(r.twinGap())
	for _, at := range r.c.within(before, t) {
		if at <= r.ahead {
			continue
		}
		if err := r.twin.Step(ctx, r.c.drive(r.ahead, at)); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.Untold, s.ApartAt = err.Error(), at
			return nil
		}
		r.ahead = at
	}
	return nil
}

// twinGap is the duality gap of the next steps of the twin: what they may be off by together is a
// small part of what it finds, by what is known at the node; but not below that of the run, nor
// below what that resolves.
func (r *Run) twinGap() float64 {
	s, own := &r.sum, cmp.Or(r.c.Options.Gap, halfspace.DefaultGap)
	if !(s.Scale > 0) {
		return own
	}
	steps := 2 * float64(r.c.plan.Steps)
	return max(own, min(mostGap, shareOfGaps*r.c.plan.Accuracy*r.judgedBy(0)/(steps*s.Scale)))
}

// judgedBy is the energy that a difference in what friction took is compared with: all that it
// took, but no less than what is resolved: what run and twin find to be nothing, to the gaps of
// their steps, is nothing.
func (r *Run) judgedBy(resolved float64) float64 {
	return max(r.sum.Dissipated, resolved/r.c.plan.Accuracy)
}

// small is the energy below which what friction takes may be left unsaid: a part of that of the
// contact, or of what passed through it if that is less.
func (r *Run) small() float64 { return leastShare * min(r.sum.Exchanged, r.sum.Highest) }

// compare takes what friction has taken by the node, of run and twin, into account.
func (r *Run) compare() {
	s := &r.sum
	if r.twin == nil || s.Untold != "" {
		return
	}
	if apart := math.Abs(r.e.Ledger().Dissipated - r.twin.Ledger().Dissipated); apart > s.Apart {
		s.Apart, s.ApartAt = apart, r.t
	}
}

// within are the ends of the parts of a step: amid it, where controls turn, and its end.
func (c *Case) within(before, t float64) []float64 {
	times := []float64{before + (t-before)/2}
	for _, d := range c.controls {
		if d.value != nil {
			times = signal.Turns(times, d.value, before, t, mostTurns)
		}
	}
	slices.Sort(times)
	near := nextToNode * (t - before)
	last := before
	times = slices.DeleteFunc(times, func(at float64) bool {
		if at-last <= near || t-at <= near {
			return true
		}
		last = at
		return false
	})
	return append(times, t)
}

// dissipation judges what friction took by the twin, at the worst node, see judgedBy. Where that is
// small and off by more than the accuracy nothing is judged, which the second fact says.
func (r *Run) dissipation(resolved float64) []table.Fact {
	s, a := &r.sum, r.c.plan.Accuracy
	if s.Untold != "" {
		return []table.Fact{table.No(table.Accurate, twinName+": "+s.Untold, table.Estimated)}
	}
	value := 0.0
	if s.Apart > 0 {
		value = min(unseen*s.Apart/r.judgedBy(resolved), math.MaxFloat64)
	}
	f := r.remedied(table.AtMost(table.Accurate, twinName, value, a, "", table.Estimated), s.ApartAt, 1)
	least := r.small()
	if f.Passed || s.Dissipated >= least {
		return []table.Fact{f}
	}
	u := table.Unsaid(dynamics.UnjudgedDissipation,
		fmt.Sprintf("below %.0f %% of the energy of the contact it is not judged", 100*leastShare))
	u.Place = fmt.Sprintf("%.3g J of %.3g J, off by %.3g J at t=%.6g", s.Dissipated, least/leastShare, unseen*s.Apart, s.ApartAt)
	u.Remedy, u.Steps = fmt.Sprintf("%s; or \"accept\": [%q]", f.Remedy, dynamics.UnjudgedDissipation), f.Steps
	return []table.Fact{table.AtMost(table.Accurate, twinName, 0, a, "", table.Estimated), u}
}

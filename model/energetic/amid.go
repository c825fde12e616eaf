package energetic

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
)

// origin is the node at which the last step began, with the case that made it: bodies may have been linearised
// anew since.
type origin struct {
	c *Case
	energetic.Node
}

// Within implements [run.Inner]: the states at the times within the last step for which the case expects
// something, see [energetic.Amid]. It makes no state where jumps are resolved, since a step goes through them,
// where γ falls, and on walks on which friction turns, whose pieces no step follows; these values are read off
// the line between both nodes.
func (r *Run) Within(observe func(t float64, value func(x *casefile.Expectation) (v float64, known bool))) {
	from, last := r.from, r.last
	defer r.begin()
	if from == nil || !(from.T < last.T) || r.c.resolves() || r.c.Gammas != nil || r.curved() {
		return
	}
	defer func() { r.last = last }()
	for _, t := range r.asked(from.T, last.T) {
		n, err := energetic.Amid(context.Background(), from.c.Psi, from.c.Options, &from.Node, t)
		if err != nil {
			continue // its value is that of the line
		}
		n.K, r.last = last.K, n
		observe(t, func(x *casefile.Expectation) (float64, bool) {
			if x.Time == nil || *x.Time != t || x.OfStep() || x.Counts() {
				return 0, false
			}
			return r.Value(x), true
		})
	}
}

// begin keeps the present node as that at which the next step begins, if something is expected after it.
func (r *Run) begin() {
	if r.from = nil; len(r.asked(r.last.T, r.c.plan.Until)) == 0 {
		return
	}
	r.from = &origin{c: r.c, Node: *r.last}
	r.from.Z, r.from.Slipped = slices.Clone(r.last.Z), slices.Clone(r.last.Slipped)
}

// asked lists the times between two nodes for which the case expects something, in their order.
func (r *Run) asked(from, to float64) (list []float64) {
	for i := range r.c.plan.Expect {
		if x := &r.c.plan.Expect[i]; x.Amid(from, to, r.c.plan.Until) {
			list = append(list, *x.Time)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

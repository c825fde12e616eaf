package energetic

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/model/particleview"
)

const (
	// wayParticles is the largest system of which (N4) is examined on the way, as 2^n index sets
	// are each time …
	wayParticles = 8
	// … and wayNodes the number of nodes: those in which a contact changes, and one in each tenth
	// of the run.
	wayNodes = 32
	wayParts = 10
)

// wayNode is a node at which (N4) is examined when the run has ended.
type wayNode struct {
	T float64
	Z []float64
}

// keepWay keeps a node if a contact changed there, or if it is time.
func (r *Run) keepWay(n *energetic.Node) {
	sys := r.c.Psi.System
	if n.K == 0 {
		r.way = r.way[:0]
	}
	if n.K == 0 || r.c.relinearisation != nil || sys.N() > wayParticles || len(sys.Extras()) > 0 || len(r.way) == wayNodes || n.T >= r.c.plan.Until {
		return
	}
	last := 0.0
	if len(r.way) > 0 {
		last = r.way[len(r.way)-1].T
	}
	part := r.c.plan.Until / wayParts
	due := math.Floor(n.T/part) > math.Floor(last/part)
	// Changes leave room for the parts of the run.
	changed := !slices.Equal(n.States, n.Before) && len(r.way) < wayNodes-wayParts && n.T > last
	if due || changed {
		r.way = append(r.way, wayNode{n.T, slices.Clone(n.Z)})
	}
}

// assumeOnTheWay examines (N4) and the constants at the nodes that were kept: friction, stiffness
// and index sets are not those of the start. It changes no verdict, as that of the start does not.
func (r *Run) assumeOnTheWay(ctx context.Context) error {
	x := r.sum.Existence
	if x == nil || len(r.way) == 0 {
		return nil
	}
	x.Nodes, x.Worst, x.Lipschitz = 0, nil, 0
	constants := true
	for _, n := range r.way {
		a, err := assume.ExamineOn(ctx, r.c.Psi, n.Z, assume.Options{At: n.T, Until: r.c.plan.Until, Names: r.c.IDs})
		if ctx.Err() != nil {
			return nil // what was asked is stopped, and the run has its verdict
		}
		if err != nil {
			return err
		}
		x.Nodes++
		if v := a.N4.Verdict; v != assume.Holds && (x.Worst == nil || v > worstVerdict(x.Worst)) {
			x.Worst = &particleview.ExistenceAt{Time: n.T, Verdict: v.String(), Detail: a.N4.Detail}
		}
		leastOf(x, a)
		if a.Extension == nil {
			constants = false
			continue
		}
		x.Lipschitz = max(x.Lipschitz, float64(a.Extension.CLip))
	}
	if !constants || math.IsInf(x.Lipschitz, 1) {
		x.Lipschitz = 0
	}
	if !constants {
		x.Star = 0
	}
	return nil
}

// worstVerdict is that of a node.
func worstVerdict(x *particleview.ExistenceAt) assume.Verdict {
	if x.Verdict == assume.Fails.String() {
		return assume.Fails
	}
	return assume.Undecided
}

// leastOf takes what (N4) leaves at a state, and for how long, into account.
func leastOf(x *particleview.Existence, a *assume.Assumptions) {
	if s := a.Printed; s != nil && s.Factor.Lo > 0 {
		x.Ratio = max(x.Ratio, min(1/s.Factor.Lo, math.MaxFloat64))
	}
	if e := a.Extension; e != nil && (x.Star == 0 || float64(e.TStar) < x.Star) {
		x.Star = float64(e.TStar)
	}
}

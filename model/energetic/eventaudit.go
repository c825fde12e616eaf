package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/table"
)

// samePlace is what a position of a walk that is repeated may be off by, relative to the
// largest way and to that which forces of their size go: two walks round alike. Files have places,
// whose digits a way has lost that is short beside them.
const samePlace = 1e-12

// repeat walks to the time of a node that was read, in the steps of the run, and compares the
// positions, which are rounded: a walk is cheap, and the energies between nodes of smooth loads are
// those of the walk.
func (w *eventWalk) repeat(ctx context.Context, n *energetic.Node, rounded float64) error {
	for w.at < n.T {
		err := errors.Join(ctx.Err(), w.next())
		if _, lost := errors.AsType[*events.LossError](err); lost && w.c.UntilLoss && float64(w.walker.Time()) == n.T {
			w.place() // the end of the run
			w.at, w.node = n.T, w.z
		} else if err != nil {
			return err
		}
	}
	if w.at != n.T {
		return fmt.Errorf("t=%.17g: the walk from event to event has no node there, but at %.17g", n.T, w.at)
	}
	largest := 0.0
	if n.ForceScale > 0 {
		largest = n.EnergyScale / n.ForceScale
	}
	for i, z := range n.Z {
		largest = max(largest, math.Abs(z), math.Abs(w.node[i]))
	}
	for i, z := range n.Z {
		if off := math.Abs(z - w.node[i]); !(off <= max(samePlace*largest, rounded)) {
			return fmt.Errorf("t=%g: particle %s is %g m from where the walk from event to event has it", n.T, w.c.IDs[i/3], off)
		}
	}
	return nil
}

// follow repeats the walk up to the present node. A trajectory that was made elsewhere need
// not be that of the walk: then the energies are those of the polygon.
func (d *diagnosis) followWalk(ctx context.Context) {
	err := d.walk.repeat(ctx, d.last, d.cert.WayTolerance())
	switch {
	case err == nil:
		d.last = d.walk.energies(d.last)
	case d.dir == "":
		d.walk = nil
	case d.differs == nil:
		d.differs = err
	}
}

// exactness says what the walk makes of the certificates: a theorem where loads are
// piecewise linear. There is no twin in parts of the steps: what a twin shows is what the length of
// steps does, and a walk in parts of them visits the same states, each the linear solve of its
// regime at its time. What it may have missed, an event, (S) for all t of the polygon shows.
func (r *Run) exactness() []table.Fact {
	if !r.c.Walks() || r.last == nil || r.walk == nil {
		return nil
	}
	v := &r.verdict
	residual := table.AtMost(table.Accurate, "events: the residual of (E) of the walk itself, whose states between events no length of steps enters",
		math.Abs(r.last.Balance), v.Tolerance*v.EnergyScale, "J", table.Computed)
	if r.walk.smooth() {
		return append(r.proof(), residual)
	}
	gap := table.AtMost(table.Accurate, "theorem: loads are linear between nodes and no contact changes there, so (S) holds for all t as at the nodes: gap",
		v.MaxGap, v.GapLimit(), "J", table.Proven)
	return append(r.proof(), gap, residual)
}

// smooth reports whether the evolution is not piecewise linear.
func (w *eventWalk) smooth() bool { return w.curved || !math.IsInf(w.spacing, 1) }

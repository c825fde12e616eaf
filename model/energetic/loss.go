package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// endLost ends a run whose step to t has no solution, by an error err that says so: the
// time is located, the last state with an equilibrium is the last node, and the event is
// recorded. It returns nil if the case expects it, and err if it says something else.
func (r *Run) endLost(ctx context.Context, m *run.March, t float64, err error) error {
	lost, ok := errors.AsType[*incremental.LossError](err)
	if !ok {
		return err
	}
	from := r.evolution.Node().T
	loss, err := r.evolution.LocateLoss(ctx, t, lost)
	if err != nil {
		return err
	}
	return r.recordLoss(ctx, m, &lossEnd{loss: loss, node: r.evolution.Node(), seen: loss.From <= from})
}

// lossEnd is the error of an evolution beyond jumps that ends with a loss: its last node is that
// with an equilibrium.
type lossEnd struct {
	loss *energetic.Loss
	node *energetic.Node
	seen bool // the node is the last one of the run already
}

func (e *lossEnd) Error() string { return e.loss.Error() }

// loseViscous locates the loss of the k-th step of a run that resolves its jumps.
func (r *Run) loseViscous(ctx context.Context, k int, lost *incremental.LossError) error {
	from := r.evolution.Node().T
	loss, err := r.evolution.LocateLoss(ctx, r.c.Time(k), lost)
	if err != nil {
		return err
	}
	if loss.From <= from {
		return &lossEnd{loss: loss, node: r.stretches.row(k - 1), seen: true}
	}
	if err := r.stretches.node(ctx, r.evolution.Node()); err != nil {
		return err
	}
	return &lossEnd{loss: loss, node: r.stretches.row(k)}
}

// loseGlobally is loseViscous for steps by global minimisers.
func (r *Run) loseGlobally(ctx context.Context, g *global.Evolution, k int, lost *incremental.LossError) error {
	from := r.stretches.cert.Node().T
	loss, err := g.LocateLoss(ctx, r.c.Time(k), lost)
	if err == nil {
		err = r.stretches.reach(ctx, loss.From, g.State())
	}
	if err != nil {
		return err
	}
	if r.stretches.cert.Node().T == from {
		return &lossEnd{loss: loss, node: r.stretches.row(k - 1), seen: true}
	}
	return &lossEnd{loss: loss, node: r.stretches.row(k)}
}

// recordLoss makes the last node of an evolution that is lost that of the run.
func (r *Run) recordLoss(ctx context.Context, m *run.March, end *lossEnd) error {
	c, loss, n := r.c, end.loss, end.node
	id := c.IDs[loss.Particle]
	l := &particleview.Loss{Time: loss.Time, Particle: id, Force: loss.Force, Expected: c.UntilLoss}
	if r.sum.Loss = l; len(loss.Closing) > 0 {
		l.Closed, l.Depth = loss.Closed, loss.Depth
		for _, contact := range loss.Closing {
			l.Closing = append(l.Closing, strings.TrimPrefix(c.ContactIDs[contact], id+"/"))
		}
	} else {
		l.Direction = c.heading(loss, n)
		for i, v := range l.Direction {
			if math.Abs(v) < 1e-9 { // rounding, of a vector of length 1
				l.Direction[i] = 0
			}
		}
	}
	if end.seen {
		m.Evaluate()
	} else if err := r.observe(m, n); err != nil {
		return err
	}
	r.compareLoss(ctx)
	if err := m.Write(table.EventsFile, n.T, []string{id, particleview.LossWord, n.States[loss.Particle].String()},
		max(n.T-loss.From, loss.To-n.T, 0)); err != nil {
		return err
	}
	c.plan.Steps = n.K
	if c.UntilLoss {
		return nil
	}
	return errors.New(r.sum.Loss.String() + "; if that is what the case shows: \"until_loss\": true")
}

// heading is the global direction, of length 1, in which a particle slides away from a node.
func (c *Case) heading(loss *energetic.Loss, n *energetic.Node) [3]float64 {
	sys, j := c.Psi.System, loss.Particle
	f := sys.Frame(j)
	if f.Chart == nil {
		return f.RotateToGlobal([3]float64(loss.Direction[3*j : 3*j+3]))
	}
	by := 1.0 // flat: any way is as good
	if !f.Chart.Face.Flat() {
		by = 1e-6
	}
	from, to, z := make([]float64, len(n.Z)), make([]float64, len(n.Z)), slices.Clone(n.Z)
	sys.ToGlobalAt(loss.From, from, z)
	floats.AddScaled(z, by, loss.Direction)
	sys.ToGlobalAt(loss.From, to, z)
	floats.Sub(to, from)
	v := [3]float64(to[3*j : 3*j+3])
	return vec3.Scale(v, 1/max(vec3.Norm(v), math.SmallestNonzeroFloat64))
}

// isLost reports whether an error says that a step has no solution.
func (r *Run) isLost(err error) bool {
	_, ok := errors.AsType[*incremental.LossError](err)
	return ok
}

// lostAt returns the time of the loss; NaN if there is none. Of a trajectory that is
// diagnosed it is that of the last node, beyond which it is looked for.
func (r *Run) lostAt() float64 {
	switch {
	case r.sum.Loss != nil:
		return r.sum.Loss.Time
	case r.evolution == nil && r.c.UntilLoss && r.last != nil && r.last.T < r.c.plan.Until:
		return r.last.T
	}
	return math.NaN()
}

// ends judges whether a trajectory that ends before the case does ends as the case says.
func (d *diagnosis) ends(ctx context.Context) error {
	s := &d.summary
	if s.Status != table.Done || d.last == nil || s.Time >= s.Until*(1-1e-12) {
		return nil
	}
	if lost, err := d.lost(ctx); err != nil {
		return err
	} else if lost {
		d.compareLoss(ctx)
		s.Facts = append(s.Facts, table.Fact{Word: table.Solved,
			Name:   fmt.Sprintf("the trajectory ends at t=%.10g, beyond which there is no equilibrium", s.Time),
			Passed: true, Basis: table.Computed})
		return nil
	}
	s.Facts = append(s.Facts, table.No(table.Solved,
		fmt.Sprintf("the trajectory ends at t=%g, the case at t=%g: of what lies between nothing is known", s.Time,
			s.Until), table.Computed))
	return nil
}

// lost reports whether the case expects that no equilibrium is left, and there is none beyond
// the present node.
func (d *diagnosis) lost(ctx context.Context) (bool, error) {
	if until := d.c.plan.Until; d.c.UntilLoss && d.last != nil && d.last.T < until {
		return d.cert.Lost(ctx, until)
	}
	return false, nil
}

// lostSteps is the number of equal steps of a case that names none and is lost before it
// ends, where they are accurate: nodes cannot be chosen beyond.
const lostSteps = 200

package energetic

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// globally makes the steps that are left by global minimisers; note takes the jumps, visit the
// nodes, and between is called before each step.
func (r *Run) globally(ctx context.Context, between func() error, note func(*energetic.Jump) error,
	visit func(*energetic.Node) error) (err error) {
	c := r.c
	if r.minimisers == nil {
		if r.minimisers, err = r.startGlobally(ctx); err != nil {
			return err
		}
		r.globals = &r.minimisers.Stats
		if r.stretches, err = newStretches(ctx, c, r.evolution.Node()); err != nil {
			return err
		}
	}
	g := r.minimisers
	for k := r.stretches.rows + 1; k <= c.plan.Steps; k++ {
		if err := between(); err != nil {
			return err
		}
		t := c.Time(k)
		err := g.Advance(ctx, t, func(j *global.Jump) error {
			if err := note(jumpOf(j)); err != nil {
				return err
			}
			return r.stretches.leap(ctx, &r.sum.Jumps[len(r.sum.Jumps)-1], j)
		})
		if lost, ok := errors.AsType[*incremental.LossError](err); ok {
			return r.loseGlobally(ctx, g, k, lost)
		}
		if err != nil {
			return fmt.Errorf("step %d of %d, to t=%.10g: %w", k, c.plan.Steps, t, err)
		}
		if err := r.stretches.reach(ctx, t, g.State()); err != nil {
			return err
		}
		if err := visit(r.stretches.row(k)); err != nil {
			return err
		}
	}
	return nil
}

// startGlobally begins where the evolution does, (N3) meant globally: from another state, if the
// case lets the start settle.
func (r *Run) startGlobally(ctx context.Context) (*global.Evolution, error) {
	z := r.evolution.Node().Z
	g, err := global.Start(r.c.Psi, 0, z, r.c.Options.Step)
	if err != nil {
		return nil, err
	}
	j, err := g.Judge(ctx)
	if err != nil || j == nil {
		return g, err
	}
	return nil, fmt.Errorf("the start is not stable globally, (N3): a state %.6g m away costs %.6g J less, friction included; start there",
		floats.Distance(j.Before, j.After, 2), j.Residual())
}

// jumpOf is a jump as the list of jumps has it.
func jumpOf(j *global.Jump) *energetic.Jump {
	return &energetic.Jump{From: j.Time, To: j.Time, Released: j.Released,
		Distance: floats.Distance(j.Before, j.After, 2), Before: j.Before, After: j.After}
}

// leap ends a stretch at a jump between global minimisers and begins the next one behind it: of
// what is released friction takes all.
func (s *stretches) leap(ctx context.Context, x *particleview.Jump, j *global.Jump) error {
	if err := s.reach(ctx, j.Time, j.Before); err != nil {
		return err
	}
	s.end()
	s.dissipation += j.Friction
	x.Path = &particleview.JumpPath{Arc: x.Distance, Released: j.Released, Friction: j.Friction, Residual: j.Residual()}
	for k, z := range [][]float64{j.Before, j.After} {
		p := particleview.JumpPoint{Arc: float64(k) * x.Distance, State: make([]float64, len(z))}
		s.c.Psi.System.ToGlobalAt(j.Time, p.State, z)
		x.Path.Points = append(x.Path.Points, p)
	}
	return s.begin(ctx, j.Time, j.After, nil)
}

// reach takes the state at a time that is not before the last one, by more than rounding.
func (s *stretches) reach(ctx context.Context, t float64, z []float64) error {
	const rounding = 1e-14
	if t <= s.cert.Node().T+rounding*s.c.plan.Until {
		return nil
	}
	return s.cert.Observe(ctx, t, z)
}

// row returns the present node as the k-th of a run.
func (s *stretches) row(k int) *energetic.Node {
	n := s.priced(s.cert.Node())
	n.K = k
	return n
}

// globalFacts says what is known of states elsewhere.
func (r *Run) globalFacts() []table.Fact {
	g := r.globals
	if g == nil || g.Nodes == 0 {
		return nil
	}
	r.sum.Globally = &particleview.Globally{Nodes: g.Nodes, Proven: g.Proven, Varies: g.Varies, Boxes: g.Boxes,
		Minimisations: g.Searches, Worst: g.Worst, Margin: g.Margin, Reason: g.Reason}
	f := table.AtMost(table.Accurate, "global: "+r.sum.Globally.Word()+": what another state costs less at a node",
		g.Worst, g.Margin, "J", table.Sampled)
	if r.sum.Globally.All() {
		f.Basis = table.Proven
	}
	return []table.Fact{f}
}

// globally judges node k of a diagnosis as the run did. Between two nodes that lie in different
// wells it finds the jump again.
func (d *diagnosis) globally(ctx context.Context, k int) (err error) {
	n := d.last
	if k == 0 {
		if d.stretches, err = newStretches(ctx, d.c, n); err != nil {
			return err
		}
		if d.following, err = global.Start(d.c.Psi, n.T, n.Z, d.c.Options.Step); err != nil {
			return err
		}
		d.globals = &d.following.Stats
		_, err = d.following.Judge(ctx)
		return err
	}
	err = d.following.Trace(ctx, n.T, n.Z, func(j *global.Jump) error {
		d.sum.Jumps = append(d.sum.Jumps, d.listed(jumpOf(j)))
		return d.stretches.leap(ctx, &d.sum.Jumps[len(d.sum.Jumps)-1], j)
	})
	if err == nil {
		err = d.stretches.reach(ctx, n.T, n.Z)
	}
	lost := false
	if err == nil {
		lost, err = d.lost(ctx)
	}
	if err == nil && !lost { // the run does not judge that node either
		_, err = d.following.Judge(ctx)
	}
	d.last = d.stretches.row(k)
	return err
}

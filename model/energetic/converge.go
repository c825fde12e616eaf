package energetic

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// study is a convergence study with the expectations of its case.
type study struct {
	Name   string                 `json:"name"`
	Rows   []energetic.Refinement `json:"rows"`
	Expect [][]table.Outcome      `json:"expectations"` // of each row
	Steps  []float64              `json:"step"`         // lengths [s]
}

// convergence are the runs of a study in equal steps, γ falling along with them; of a case
// that walks from event to event too.
type convergence struct {
	c             *Case
	steps, levels int
}

// level is what a run of a study leaves.
type level struct {
	Solved *energetic.Refined
	Expect []table.Outcome
}

// Convergence implements [run.Converger].
func (c *Case) Convergence(steps, levels int) (run.Convergence, error) {
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
	}
	return &convergence{c, steps, levels}, nil
}

// Len implements [run.Convergence].
func (s *convergence) Len() int { return s.levels }

// Name implements [run.Convergence].
func (s *convergence) Name(i int) string { return fmt.Sprintf("%d steps", s.steps<<i) }

// Case implements [run.Convergence]: the case in equal steps, γ falling along with them.
func (s *convergence) Case(_ context.Context, i int) (run.Case, error) {
	l := *s.c
	l.plan = s.c.plan.Refined(s.steps << i)
	l.Chosen, l.times, l.Adaptive, l.Gammas, l.Plane, l.Exact = false, nil, nil, nil, nil, false
	l.Options.Step.Rule.Gamma /= float64(int(1) << i)
	return &l, nil
}

// Level implements [run.Convergence].
func (s *convergence) Level(ctx context.Context, i int) ([]byte, error) {
	c := s.c
	r, e := &Run{c: c, global: &globalTest{}}, casefile.NewEvaluator(c.plan.Expect, c.plan.Until)
	visit := func(n *energetic.Node) error {
		r.last = n
		if err := r.Row(n.K, &run.Output{Tables: table.Discard(c.plan.Layout)}); err != nil {
			return err
		}
		run.Evaluate(e, r)
		return ctx.Err()
	}
	var l *energetic.Refined
	until, err := c.plan.Until, error(nil)
	if c.UntilLoss && !c.resolves() {
		if until, err = r.untilLoss(ctx, s.steps, i); err != nil {
			return nil, err
		}
	}
	if c.relinearisation != nil {
		l, err = energetic.RefineBy(0, until, s.steps, i, func(*energetic.Node) error { return nil },
			func(_ float64, times []float64, keep func(*energetic.Node) error) (energetic.Summary, error) {
				return r.relinearising(ctx, times, visit, keep)
			})
	} else if c.resolves() {
		l, err = energetic.RefineBy(0, c.plan.Until, s.steps, i, visit,
			func(_ float64, times []float64, visit func(*energetic.Node) error) (energetic.Summary, error) {
				return r.beyondJumps(ctx, times, visit)
			})
	} else {
		l, err = energetic.Refine(ctx, c.Psi, c.Z0, c.Options, until, s.steps, i, visit)
	}
	if err != nil {
		return nil, err
	}
	return run.EncodeLevel(&level{l, e.Outcomes(true)})
}

// untilLoss locates, in the steps of a level, where the equilibrium ends that the case expects to
// be lost: the end of the runs of its study.
func (r *Run) untilLoss(ctx context.Context, steps, level int) (float64, error) {
	c, n := r.c, steps<<level
	o := c.Options
	o.Step.Rule.Gamma /= float64(int(1) << level)
	e, err := energetic.Start(ctx, c.Psi, c.Z0, o)
	if err != nil {
		return 0, err
	}
	for k := 1; k <= n; k++ {
		t := c.plan.Until * float64(k) / float64(n)
		err := e.Step(ctx, t)
		lost, ok := errors.AsType[*incremental.LossError](err)
		if !ok && err != nil {
			return 0, fmt.Errorf("in %d steps: %w", n, err)
		}
		if !ok {
			continue
		}
		loss, err := e.LocateLoss(ctx, t, lost)
		if err != nil {
			return 0, fmt.Errorf("in %d steps: %w", n, err)
		}
		r.sum.Loss = &particleview.Loss{Time: loss.Time, Particle: c.IDs[loss.Particle]}
		return loss.Time, nil
	}
	return c.plan.Until, nil
}

// Study implements [run.Convergence].
func (s *convergence) Study(coded [][]byte) (run.Study, error) {
	list, err := run.DecodeLevels[level](coded)
	if err != nil {
		return nil, err
	}
	x := &study{Name: s.c.file.Name}
	var solved []*energetic.Refined
	for _, l := range list {
		solved, x.Expect = append(solved, l.Solved), append(x.Expect, l.Expect)
		x.Steps = append(x.Steps, s.c.plan.Until/float64(l.Solved.Steps))
	}
	x.Rows = energetic.Compare(solved)
	return x, nil
}

// beyondJumps makes a run with a solution beyond jumps that leaves no files.
func (r *Run) beyondJumps(ctx context.Context, times []float64, visit func(*energetic.Node) error) (energetic.Summary, error) {
	own := *r.c
	own.times, own.plan.Steps = times, len(times)-1
	r.c, r.stretches, r.minimisers = &own, nil, nil
	var err error
	if r.evolution, err = energetic.Start(ctx, own.Psi, own.Z0, own.Options); err != nil {
		return r.verdict, err
	}
	if err := visit(r.evolution.Node()); err != nil {
		return r.verdict, err
	}
	solve := r.viscous
	if own.Global {
		solve = r.globally
	}
	err = solve(ctx, ctx.Err, func(j *energetic.Jump) error {
		r.sum.Jumps = append(r.sum.Jumps, r.listed(j))
		return nil
	}, visit)
	if err == nil {
		r.verdict = r.evolution.Summary()
		r.stretches.judge(r)
	}
	return r.verdict, err
}

// relinearising makes a run of a study with new linearisations. It keeps places, once for each time: coordinates of
// other linearisations cannot be compared.
func (r *Run) relinearising(ctx context.Context, times []float64,
	visit, keep func(*energetic.Node) error) (energetic.Summary, error) {
	var err error
	if r.evolution, err = energetic.Start(ctx, r.c.Psi, r.c.Z0, r.c.Options); err != nil {
		return energetic.Summary{}, err
	}
	for k := range times {
		if k == 0 {
			err = visit(r.evolution.Node())
		} else {
			_, err = r.step(ctx, [2]float64(times[k-1:]), ctx.Err, visit)
		}
		if err == nil {
			n := *r.evolution.Node()
			n.K, n.Z = k, places(r.c.Psi, n.T, n.Z)
			err = keep(&n)
		}
		if err != nil {
			return energetic.Summary{}, err
		}
	}
	return r.evolution.Summary(), nil
}

// Plots implements [run.Study]: what falls with the step.
func (s *study) Plots() []*report.Plot { return []*report.Plot{report.Orders(s.Steps, s.curves())} }

// curves are what the picture shows.
func (s *study) curves() []report.Curve {
	curves := []report.Curve{{Name: "distance to the finest run"}, {Name: "stability gap (S)"}, {Name: "balance residual (E)"}}
	for _, r := range s.Rows {
		// Below 1e-15 of the energies there is only roundoff.
		gap := r.Summary.MaxGap
		if gap < 1e-15*r.Summary.EnergyScale {
			gap = 0
		}
		for i, v := range []float64{r.Error, gap, r.Summary.MaxBalance} {
			curves[i].Values = append(curves[i].Values, v)
		}
	}
	return curves
}

// Print prints the table of a study.
func (s *study) Print(p *run.Page) {
	p.Line("runs", "%-9s %-10s %-17s %-17s %s", "steps", "γ [N]", "distance [m]", "(S) gap [J]", "(E) residual [J]")
	for _, r := range s.Rows {
		energy := run.Roundoff * r.Summary.EnergyScale
		way := run.Roundoff * max(1, r.Summary.MaxLipschitz)
		p.Line("", "%-9d %-10.3g %-17s %-17s %s", r.Steps, r.Gamma, run.WithOrder(r.Error, r.OrderError, way),
			run.WithOrder(r.Summary.MaxGap, r.OrderGap, energy), run.WithOrder(r.Summary.MaxBalance, r.OrderBalance, energy))
	}
	run.PrintErrors(p, s.Expect)
}

// Refined returns the case in other equal steps, or with half of each step that was
// chosen.
func (c *Case) Refined(steps int) (run.Case, error) {
	if c.Walks() {
		return nil, run.ErrNoSteps
	}
	if c.Adaptive != nil || c.Gammas != nil {
		return nil, errors.New("not of steps that locate events, nor of a continuation γ → 0")
	}
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
	}
	l := *c
	if c.times == nil {
		l.plan = c.plan.Refined(steps)
		return &l, nil
	}
	l.times = []float64{c.times[0]}
	for k := 1; k < len(c.times); k++ {
		l.times = append(l.times, (c.times[k-1]+c.times[k])/2, c.times[k])
	}
	l.plan.Steps, l.Chosen = len(l.times)-1, false
	return &l, nil
}

// Coordinates are the local ones of all particles.
func (r *Run) Coordinates() []float64 { return r.last.Z }

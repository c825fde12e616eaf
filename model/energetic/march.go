package energetic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// March makes the steps: equal ones, adaptive ones, or those of a continuation γ → 0.
func (r *Run) March(ctx context.Context, m *run.March) error {
	switch {
	case r.c.Gammas != nil:
		return r.continuation(ctx, m)
	case r.c.Walks():
		return r.walkEvents(ctx, m)
	}
	e := r.evolution
	var err error
	if !m.Resumed {
		err = r.observe(m, e.Node())
	}
	if err == nil && r.c.Adaptive != nil {
		err = r.adaptive(ctx, m)
	} else if err == nil && r.c.resolves() {
		solve := r.viscous
		if r.c.Global {
			solve = r.globally
		}
		// A step that was begun is ended, with its jump, for a checkpoint is between two.
		err = solve(context.WithoutCancel(ctx), func() error { return m.Checkpoint(ctx) },
			func(j *energetic.Jump) error { return r.jumped(m, j, e.Node()) }, func(n *energetic.Node) error { return r.observe(m, n) })
		if end, lost := errors.AsType[*lossEnd](err); lost {
			err = r.recordLoss(ctx, m, end)
		}
	} else if err == nil {
		err = r.equal(ctx, m)
	}
	r.verdict, r.measures = e.Summary(), e.Measures()
	if r.stretches != nil {
		r.stretches.judge(r)
	}
	if v := &r.verdict; err == nil && v.Solved && !v.Accurate && v.Jumps == 0 && v.Overlap == 0 && r.c.times == nil &&
		r.c.relinearisation == nil && r.c.Adaptive == nil && !r.c.resolves() {
		if r.sum.Loss != nil && !r.c.Chosen {
			r.verdict.Remedy = "without \"steps\" they are chosen, and shrink towards the loss"
		} else {
			r.remedy(ctx)
		}
	}
	return err
}

// choose finds the steps of a case that names none, see [energetic.ChoosePartition].
func (r *Run) choose(ctx context.Context) error {
	c := r.c
	if !c.Chosen {
		return nil
	}
	c.begins("steps are chosen, by runs of the whole case in fewer and in more of them")
	p, err := energetic.ChoosePartition(ctx, c.Psi, c.Z0, c.Options, c.plan.Until)
	if r.isLost(err) {
		c.times, c.plan.Steps = nil, lostSteps
		if !c.UntilLoss {
			return nil
		}
		if p, err = energetic.ChooseUntilLoss(ctx, c.Psi, c.Z0, c.Options, c.plan.Until, lostSteps); p == nil ||
			len(p.Times) == lostSteps+1 {
			return err
		}
	}
	if err != nil {
		return err
	}
	c.times, c.plan.Steps = p.Times, len(p.Times)-1
	r.sum.Chosen = &table.Chosen{Steps: c.plan.Steps, Runs: p.Rounds, Accuracy: c.plan.Accuracy, Accurate: p.Accurate}
	return nil
}

// begins says what is done before the first step.
func (c *Case) begins(stage string) {
	if tell := c.plan.OnProgress; tell != nil {
		tell(run.Progress{Stage: stage})
	}
}

// remedy says how many steps would reach the accuracy.
func (r *Run) remedy(ctx context.Context) {
	c := r.c
	p, err := energetic.Reach(ctx, c.Psi, c.Z0, c.Options, c.plan.Until, c.plan.Steps, r.evolution.Measures())
	if err != nil || p.Steps == 0 && c.Options.Step.Rule.Gamma > 0 {
		return // stopped, a step of the other run was not solved, or γ is in the way
	}
	r.verdict.Remedy = p.Remedy(c.plan.Accuracy)
	if p.Steps > 0 && c.Options.Step.Threshold == incremental.Lagged {
		r.verdict.Remedy += ", or \"threshold\": \"implicit\""
	}
}

// observe takes a node.
func (r *Run) observe(m *run.March, n *energetic.Node) error {
	r.last = n
	r.follow(context.Background(), n) // a step that was begun is ended, for a checkpoint is between two
	if r.tube != nil {
		r.tube.Observe(n.T, n.Z)
	}
	return m.Observe(n.K)
}

// assumedParticles is the largest system whose assumptions every run examines;
// larger ones take seconds, and quasistatic check.
const assumedParticles = 50

// assume notes the verdict of (N4). It does not change that of the run: where it
// fails, the states computed solve their steps all the same, but there may be
// others.
func (r *Run) assume(ctx context.Context) {
	if r.c.Psi.System.N() > assumedParticles {
		return
	}
	a, _, err := r.c.assume(ctx, true) // (N3) is judged by the first node
	if err != nil {
		return // the run itself will say why
	}
	r.sum.Existence = &particleview.Existence{Verdict: a.N4.Verdict.String(), Detail: a.N4.Detail}
	leastOf(r.sum.Existence, a)
}

// equal makes the steps of the uniform partition that are left, and looks for
// jumps in them.
func (r *Run) equal(ctx context.Context, m *run.March) error {
	c, e := r.c, r.evolution
	k := sort.Search(c.plan.Steps+1, func(k int) bool { return c.Time(k) > e.Node().T })
	visit := func(n *energetic.Node) error {
		err := r.observe(m, n)
		m.Ahead(c.plan.Steps - k)
		return err
	}
	for ; k <= c.plan.Steps; k++ {
		if err := m.Checkpoint(ctx); err != nil {
			return err
		}
		// A step that was begun is ended, for a checkpoint is between two.
		jump, err := r.step(context.WithoutCancel(ctx), [2]float64{c.Time(k - 1), c.Time(k)},
			func() error { return m.Checkpoint(ctx) }, visit)
		if err != nil {
			if r.isLost(err) {
				return r.endLost(context.WithoutCancel(ctx), m, c.Time(k), err)
			}
			return fmt.Errorf("step %d of %d, to t=%.10g: %w", k, c.plan.Steps, c.Time(k), err)
		}
		if jump != nil {
			if err := r.jumped(m, jump, e.Node()); err != nil {
				return err
			}
		}
	}
	return nil
}

// viscous makes the equal steps that are left and follows each jump along the path of vanishing
// viscosity. Of the states in which a jump settles the last has a row; note takes the jumps, visit
// the rows, and between is called before each step.
func (r *Run) viscous(ctx context.Context, between func() error, note func(*energetic.Jump) error,
	visit func(*energetic.Node) error) (err error) {
	c, e := r.c, r.evolution
	if r.stretches == nil {
		if r.stretches, err = newStretches(ctx, c, e.Node()); err != nil {
			return err
		}
	}
	for k := r.stretches.rows + 1; k <= c.plan.Steps; k++ {
		if err := between(); err != nil {
			return err
		}
		err := r.stepViscous(ctx, c.Time(k), note)
		if lost, ok := errors.AsType[*incremental.LossError](err); ok {
			return r.loseViscous(ctx, k, lost)
		}
		if err != nil {
			return fmt.Errorf("step %d of %d, to t=%.10g: %w", k, c.plan.Steps, c.Time(k), err)
		}
		if err = r.stretches.node(ctx, e.Node()); err == nil {
			n := r.stretches.priced(e.Node())
			n.K = k
			err = visit(n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step makes a planned step and visits its nodes. With new linearisations it finds no jumps, and calls between before
// each of its parts; see stepRelinearising.
func (r *Run) step(ctx context.Context, step [2]float64, between func() error,
	visit func(*energetic.Node) error) (*energetic.Jump, error) {
	if r.c.relinearisation == nil {
		return r.evolution.StepProbing(ctx, step[1], visit)
	}
	return nil, r.stepRelinearising(ctx, step, between, visit)
}

// mostJumps of one step are followed.
const mostJumps = 16

// stepViscous makes a step, and goes on from the end of the path of each jump in it: what friction
// holds there is not where the local minimiser has it, which knows of no way.
func (r *Run) stepViscous(ctx context.Context, t float64, note func(*energetic.Jump) error) error {
	for range mostJumps {
		jump, err := r.evolution.StepProbing(ctx, t, func(*energetic.Node) error { return nil })
		if err != nil || jump == nil {
			return err
		}
		if err := note(jump); err != nil {
			return err
		}
		j := &r.sum.Jumps[len(r.sum.Jumps)-1]
		end, slipped, err := r.stretches.jump(ctx, j, t)
		if err != nil {
			return err
		}
		if err := r.evolution.Leap(ctx, j.To, end, slipped); err != nil {
			return err
		}
		if j.To >= t {
			return nil
		}
	}
	return fmt.Errorf("%d jumps in one step, want shorter ones", mostJumps)
}

// listed is a jump as summary.json has it.
func (r *Run) listed(jump *energetic.Jump) particleview.Jump {
	particle, furthest := 0, 0.0
	for i, z := range jump.Before {
		if d := (z - jump.After[i]) * (z - jump.After[i]); d > furthest {
			particle, furthest = i/3, d
		}
	}
	position := func(z []float64) []float64 {
		x := make([]float64, len(z))
		r.c.Psi.System.ToGlobalAt(jump.To, x, z)
		return x[3*particle : 3*particle+3]
	}
	return particleview.Jump{From: jump.From, To: jump.To, Released: jump.Released, Distance: jump.Distance,
		Particle: r.c.IDs[particle], Before: position(jump.Before), After: position(jump.After)}
}

// jumped records a jump, and stops there if the case says so.
func (r *Run) jumped(m *run.March, jump *energetic.Jump, n *energetic.Node) error {
	j := r.listed(jump)
	r.sum.Jumps = append(r.sum.Jumps, j)
	particle := slices.Index(r.c.IDs, j.Particle)
	if err := m.Write(table.EventsFile, jump.To, []string{j.Particle, "jump", n.States[particle].String()}, jump.To-jump.From); err != nil {
		return err
	}
	if r.c.StopAtJump {
		return jump
	}
	return nil
}

// adaptive makes steps of varying length.
func (r *Run) adaptive(ctx context.Context, m *run.March) error {
	e := r.evolution
	stats, err := e.Advance(ctx, r.c.plan.Until, *r.c.Adaptive, func(n *energetic.Node) error {
		if err := r.observe(m, n); err != nil || !e.Paced() {
			return err
		}
		return m.Checkpoint(ctx)
	})
	if lost, ok := errors.AsType[*incremental.LossError](err); ok {
		err = r.endLost(ctx, m, lost.Time, err)
	}
	r.sum.Adaptive = &particleview.Adaptive{Accepted: stats.Accepted, Rejected: stats.Rejected,
		Equilibrated: stats.Equilibrated, Coarse: stats.Coarse}
	return err
}

// continuation runs all levels and leaves the files of the last. It makes no
// checkpoints: resumed, it begins anew, and leaves the same files.
func (r *Run) continuation(ctx context.Context, m *run.March) error {
	c := r.c
	times := make([]float64, c.plan.Steps+1)
	for k := range times {
		times[k] = c.Time(k)
	}
	last := len(c.Gammas) - 1
	levels, err := energetic.Continuation(ctx, c.Psi, c.Z0, c.Options, c.Gammas, times, func(level int, n *energetic.Node) error {
		if level < last {
			return ctx.Err()
		}
		return errors.Join(ctx.Err(), r.observe(m, n))
	})
	if err != nil && ctx.Err() != nil && r.last == nil {
		err = run.ErrBeforeFirst
	}
	for _, l := range levels {
		r.verdict, r.measures = l.Summary, l.Measures
		c.plan.Steps = l.Steps
		r.sum.Levels = append(r.sum.Levels, particleview.Level{Gamma: l.Gamma, Steps: l.Steps, Difference: l.Difference, Rate: l.Rate,
			Gap: l.Summary.MaxGap, Balance: l.Summary.MaxBalance, Certified: l.Summary.Certified})
	}
	return err
}

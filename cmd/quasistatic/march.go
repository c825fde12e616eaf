package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// march makes the steps: equal ones, adaptive ones, or those of a continuation
// γ → 0. What stops it early is in the summary; the error is of the file system.
func (j *job) march(ctx context.Context) (*energetic.Node, error) {
	s := &j.summary
	j.assume(ctx)
	if j.m.Chosen {
		p, err := j.m.Choose(ctx)
		if err != nil {
			return j.end(ctx, err)
		}
		s.StepsPlanned = j.m.Steps
		s.Chosen = &table.Chosen{Steps: j.m.Steps, Runs: p.Rounds, Accuracy: j.m.Options.Accuracy, Accurate: p.Accurate}
		if s.Chosen.Accuracy == 0 {
			s.Chosen.Accuracy = energetic.DefaultAccuracy
		}
	}
	if j.m.Gammas != nil {
		return j.end(ctx, j.continuation(ctx))
	}
	e, err := j.evolution(ctx)
	if err != nil {
		return j.end(ctx, err)
	}
	s.Settled = e.Settled
	j.verdict = e.Summary()
	if j.from == nil {
		err = j.observe(e.Node())
	} else {
		j.last = e.Node()
	}
	if err == nil && j.m.Adaptive != nil {
		err = j.adaptive(ctx, e)
	} else if err == nil {
		err = j.equal(ctx, e)
	}
	j.verdict = e.Summary()
	if v := &j.verdict; err == nil && v.Solved && !v.Accurate && v.Jumps == 0 && v.Overlap == 0 && !j.m.Chosen && j.m.Adaptive == nil {
		j.remedy(ctx, e)
	}
	return j.end(ctx, err)
}

// remedy says how many steps would reach the accuracy.
func (j *job) remedy(ctx context.Context, e *energetic.Evolution) {
	n, order, err := energetic.Reach(ctx, j.m.Psi, j.m.Start, j.m.Options, j.m.Until, j.m.Steps, e.Measures())
	switch {
	case err != nil: // stopped, or a step of the other run was not solved
	case n == 0:
		if j.m.Options.Step.Rule.Gamma == 0 {
			j.verdict.Remedy = fmt.Sprintf("no number of steps is known to reach it (observed order %.2g)", order)
		}
	default:
		j.verdict.Remedy = fmt.Sprintf("%d steps would reach it, by the observed order %.2g", n, order)
		if j.m.Options.Step.Threshold == incremental.Lagged {
			j.verdict.Remedy += ", or \"threshold\": \"implicit\""
		}
	}
}

// assumedParticles is the largest system whose assumptions every run examines;
// larger ones take seconds, and quasistatic check.
const assumedParticles = 50

// assume notes the verdict of (N4). It does not change that of the run: where it
// fails, the states computed solve their steps all the same, but there may be
// others.
func (j *job) assume(ctx context.Context) {
	if j.m.Psi.System.N() > assumedParticles {
		return
	}
	a, _, err := assume(ctx, j.m)
	if err != nil {
		return // the run itself will say why
	}
	j.summary.Existence = &table.Existence{Verdict: a.N4.Verdict.String(), Detail: a.N4.Detail}
}

// equal makes the steps of the uniform partition that are left, and looks for
// jumps in them.
func (j *job) equal(ctx context.Context, e *energetic.Evolution) error {
	first := sort.Search(j.m.Steps+1, func(k int) bool { return j.m.Time(k) > e.Node().T })
	for k := first; k <= j.m.Steps; k++ {
		if err := j.checkpoint(ctx, e); err != nil {
			return err
		}
		// A step that was begun is ended, for a checkpoint is between two.
		jump, err := e.StepProbing(context.WithoutCancel(ctx), j.m.Time(k), j.observe)
		if err != nil {
			return fmt.Errorf("step %d of %d, to t=%.10g: %w", k, j.m.Steps, j.m.Time(k), err)
		}
		if jump != nil {
			if err := j.jumped(jump, e.Node()); err != nil {
				return err
			}
		}
	}
	return nil
}

// jumped records a jump, and stops there if the case says so.
func (j *job) jumped(jump *energetic.Jump, n *energetic.Node) error {
	particle, furthest := 0, 0.0
	for i, z := range jump.Before {
		if d := (z - jump.After[i]) * (z - jump.After[i]); d > furthest {
			particle, furthest = i/3, d
		}
	}
	position := func(z []float64) []float64 {
		x := make([]float64, len(z))
		j.m.Psi.System.ToGlobal(x, z)
		return x[3*particle : 3*particle+3]
	}
	j.summary.Jumps = append(j.summary.Jumps, table.Jump{From: jump.From, To: jump.To, Released: jump.Released, Distance: jump.Distance,
		Particle: j.m.IDs[particle], Before: position(jump.Before), After: position(jump.After)})
	if err := j.writer.Jump(jump.To, particle, n.States[particle]); err != nil {
		return fileError{err}
	}
	if j.m.StopAtJump {
		return jump
	}
	return nil
}

func (j *job) adaptive(ctx context.Context, e *energetic.Evolution) error {
	stats, err := e.Advance(ctx, j.m.Until, *j.m.Adaptive, func(n *energetic.Node) error {
		if err := j.observe(n); err != nil || !e.Paced() {
			return err
		}
		return j.checkpoint(ctx, e)
	})
	j.summary.Adaptive = &table.Adaptive{Accepted: stats.Accepted, Rejected: stats.Rejected, Equilibrated: stats.Equilibrated, Coarse: stats.Coarse}
	return err
}

// continuation runs all levels and leaves the files of the last. It makes no
// checkpoints: resumed, it begins anew, and leaves the same files.
func (j *job) continuation(ctx context.Context) error {
	times := make([]float64, j.m.Steps+1)
	for k := range times {
		times[k] = j.m.Time(k)
	}
	last := len(j.m.Gammas) - 1
	levels, err := energetic.Continuation(ctx, j.m.Psi, j.m.Start, j.m.Options, j.m.Gammas, times, func(level int, n *energetic.Node) error {
		if level < last {
			return ctx.Err()
		}
		return errors.Join(ctx.Err(), j.observe(n))
	})
	for _, l := range levels {
		j.verdict = l.Summary
		j.summary.StepsPlanned = l.Steps
		j.summary.Levels = append(j.summary.Levels, table.Level{Gamma: l.Gamma, Steps: l.Steps, Difference: l.Difference, Rate: l.Rate,
			Gap: l.Summary.MaxGap, Balance: l.Summary.MaxBalance, Certified: l.Summary.Certified})
	}
	return err
}

// end turns what stopped the march into the summary. The error is of the file
// system.
func (j *job) end(ctx context.Context, err error) (*energetic.Node, error) {
	j.summary.SetVerdict(&j.verdict, j.last)
	if err != nil && ctx.Err() != nil && j.last == nil {
		err = errBeforeFirst
	}
	return j.last, j.stop(ctx, err, func(err error) string {
		j.fault = err
		return j.explain(err)
	})
}

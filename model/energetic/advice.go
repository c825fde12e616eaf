package energetic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
)

// Explain says what ended the steps, and names the particle of an unstable start.
func (r *Run) Explain(err error) string {
	var unstable *energetic.UnstableError
	if errors.As(err, &unstable) {
		return fmt.Sprintf("the start is not in equilibrium, (N3): particle %q is pushed by %.6g N more than friction and obstacle hold, and a better state has %.6g J less; start elsewhere, or let it settle first by \"equilibrate\": true",
			r.c.IDs[unstable.Worst], unstable.Force, unstable.Gap)
	}
	if step, ok := errors.AsType[*incremental.StepError](err); ok && step.Particle >= 0 {
		return fmt.Sprintf("%v (%q); try smaller steps or a larger gamma, and quasistatic check for (N4)", err, r.c.IDs[step.Particle])
	}
	return err.Error()
}

// Advise says of a step that failed what was tried, where it is worst, and what to change.
func (r *Run) Advise(p *run.Page, err error) {
	step, ok := errors.AsType[*incremental.StepError](err)
	unsettled := errors.Is(err, incremental.ErrUnsettled)
	if r.last == nil || !ok && !unsettled {
		return
	}
	if ok {
		how := fmt.Sprintf("%s of Newton's method", run.Count(step.Newton, "step"))
		if step.Cause != nil {
			how = step.Cause.Error()
		}
		p.Line("tried", "the step from t = %.6g to %.6g s: %s; residual %.3g, wanted %.3g", r.last.T, step.Time, how,
			step.Residual, step.Tolerance)
		if step.Particle >= 0 {
			p.Line("worst", "particle %s, %s at the last node", r.c.IDs[step.Particle], r.last.States[step.Particle])
		}
	}
	if names := r.changing(r.last); names != "" {
		p.Line("changing", "%s: the largest normal forces that changed in the last step", names)
	}
	p.Change(r.advice(step))
}

// changing names the particles that did something new at a node.
func (r *Run) changing(n *energetic.Node) string {
	var list []int
	for i, s := range n.States {
		if s != n.Before[i] {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(math.Abs(particleview.Reaction(n, b)[0]), math.Abs(particleview.Reaction(n, a)[0]))
	})
	var names []string
	for _, i := range list[:min(len(list), 3)] {
		names = append(names, fmt.Sprintf("%s (%s → %s)", r.c.ContactIDs[i], n.Before[i], n.States[i]))
	}
	return strings.Join(names, ", ")
}

// advice lists what may help, the likeliest first.
func (r *Run) advice(step *incremental.StepError) []string {
	var list []string
	if r.c.Adaptive == nil {
		list = append(list, fmt.Sprintf("shorter steps: \"steps\": %d, or \"adaptive\": {\"max_step\": %.3g, \"min_step\": %.3g}",
			4*r.c.plan.Steps, r.c.Time(1), r.c.Time(1)/64))
	} else {
		list = append(list, fmt.Sprintf("a shorter \"min_step\" than %g", r.c.Adaptive.MinStep))
	}
	o := &r.c.Options.Step
	if o.Threshold == incremental.Implicit {
		list = append(list, "\"threshold\": \"lagged\": the implicit ones may have no fixed point, where (N4) fails")
	} else if o.Rule.Gamma == 0 {
		list = append(list, "\"threshold\": \"implicit\", or a \"gamma\" above the change of a normal force in one step")
	} else {
		list = append(list, fmt.Sprintf("a larger \"gamma\" than %g", o.Rule.Gamma))
	}
	if step != nil && step.Residual > step.Tolerance && step.Residual < 100*step.Tolerance {
		list = append(list, fmt.Sprintf("\"solver\": {\"tolerance\": %.0e}: the residual is near the one wanted", 1e3*step.Tolerance))
	}
	return append(list, "see whether (N4) holds: quasistatic check "+r.c.file.File)
}

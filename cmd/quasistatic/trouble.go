package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// trouble reports a step that failed: what was tried, where it is worst, and what
// to change.
func (p *page) trouble(j *job) {
	step, ok := errors.AsType[*incremental.StepError](j.fault)
	unsettled := errors.Is(j.fault, incremental.ErrUnsettled)
	if j.last == nil || !ok && !unsettled {
		return
	}
	if ok {
		how := fmt.Sprintf("%s of Newton's method", count(step.Newton, "step"))
		if step.Cause != nil {
			how = step.Cause.Error()
		}
		p.line("tried", "the step from t = %.6g to %.6g s: %s; residual %.3g, wanted %.3g", j.last.T, step.Time, how, step.Residual, step.Tolerance)
		if step.Particle >= 0 {
			p.line("worst", "particle %s, %s at the last node", j.m.IDs[step.Particle], j.last.States[step.Particle])
		}
	}
	if names := j.changing(j.last); names != "" {
		p.line("changing", "%s: the largest normal forces that changed in the last step", names)
	}
	p.change(j.advice(step))
}

// changing names the particles that did something new at a node.
func (j *job) changing(n *energetic.Node) string {
	var list []int
	for i, s := range n.States {
		if s != n.Before[i] {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(math.Abs(n.Grad[3*b+2]), math.Abs(n.Grad[3*a+2]))
	})
	var names []string
	for _, i := range list[:min(len(list), 3)] {
		names = append(names, fmt.Sprintf("%s (%s → %s)", j.m.IDs[i], n.Before[i], n.States[i]))
	}
	return strings.Join(names, ", ")
}

// advice lists what may help, the likeliest first.
func (j *job) advice(step *incremental.StepError) []string {
	var list []string
	if j.m.Adaptive == nil {
		list = append(list, fmt.Sprintf("shorter steps: \"steps\": %d, or \"adaptive\": {\"max_step\": %.3g, \"min_step\": %.3g}", 4*j.m.Steps, j.m.Time(1), j.m.Time(1)/64))
	} else {
		list = append(list, fmt.Sprintf("a shorter \"min_step\" than %g", j.m.Adaptive.MinStep))
	}
	o := &j.m.Options.Step
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
	return append(list, "see whether (N4) holds: quasistatic check "+j.c.File)
}

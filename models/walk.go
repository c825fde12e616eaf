package models

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
)

// OpenWalk opens a case that is differentiated, by what opens it with changes as [OpenCase] does: if
// its model walks from event to event with "steps": "events", which it then has to take.
func OpenWalk(ctx context.Context, open func(sets ...string) (*casefile.Case, error)) (*casefile.Case, error) {
	c, err := open("steps=events")
	if err != nil {
		if own, err := open(); err == nil && !walks(ctx, own) {
			return own, nil
		}
		return nil, err
	}
	if _, err := Build(ctx, c); err != nil {
		return nil, fmt.Errorf("derivatives are taken along a walk from event to event, and the case cannot be taken with \"steps\": \"events\":\n%w", err)
	}
	return c, nil
}

// walks reports whether the model of a case has walks, or the case is wrong in itself.
func walks(ctx context.Context, c *casefile.Case) bool {
	built, err := Build(ctx, c)
	_, differentiable := built.(run.Differentiable)
	return err != nil || differentiable
}

// Differentiate differentiates what a case of [OpenWalk] looks at by the number at a path: along a
// walk, or by runs beside it. Errors are of [casefile.NumberAt], of [Build], or of type
// *[run.NotDifferentiable] where the input is to blame.
func Differentiate(ctx context.Context, c *casefile.Case, path string) (*run.Sensitivity, error) {
	p, err := casefile.NumberAt(c.Raw, path)
	if err != nil {
		return nil, &run.NotDifferentiable{Reason: err.Error()}
	}
	built, err := Build(ctx, c)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &run.NotDifferentiable{Reason: err.Error()}
	}
	var s *run.Sensitivity
	if d, ok := built.(run.Differentiable); ok {
		s, err = d.Differentiate(ctx, family(ctx, c, path, Build), p)
	} else {
		s, err = run.Differences(ctx, family(ctx, c, path, func(ctx context.Context, c *casefile.Case) (*run.Task, error) {
			return run.New(ctx, c, Find(c), "")
		}), p)
	}
	if err != nil {
		return nil, err
	}
	s.By = path
	return s, nil
}

// family returns what is made of a case as a function of its number at a path.
func family[A any](ctx context.Context, c *casefile.Case, path string, of func(ctx context.Context, c *casefile.Case) (A, error)) func(p float64) (A, error) {
	return func(p float64) (made A, err error) {
		text, err := casefile.Set(c.Raw, path, json.RawMessage(strconv.FormatFloat(p, 'g', -1, 64)))
		if err != nil {
			return made, err
		}
		changed, err := Grammar().Decode(c.File, text)
		if err != nil {
			return made, err
		}
		changed.Observe, changed.ObservedBy, changed.Memory = c.Observe, c.ObservedBy, c.Memory
		return of(ctx, changed)
	}
}

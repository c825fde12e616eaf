package models

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
)

// OpenWalk opens a case that is differentiated, by what opens it with changes as [OpenCase] does: with
// "steps": "events" where it can be taken so, else as it is.
func OpenWalk(ctx context.Context, open func(sets ...string) (*casefile.Case, error)) (*casefile.Case, error) {
	if c, err := open("steps=events"); err == nil {
		if _, err := Build(ctx, c); err == nil {
			return c, nil
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return open()
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
	if d, ok := built.(run.Differentiable); ok && d.Walks() {
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
func family[A any](ctx context.Context, c *casefile.Case, path string,
	of func(ctx context.Context, c *casefile.Case) (A, error)) func(p float64) (A, error) {
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

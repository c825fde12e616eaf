package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// check examines the assumptions of a case.
func (s *Server) check(ctx context.Context, q *request) (any, []Array, error) {
	var args source
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	c, err := args.open(s.Memory)
	if err != nil {
		return nil, nil, err
	}
	built, err := models.Build(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	examiner, ok := built.(run.Checker)
	if !ok {
		return nil, nil, wrong("the model %s has nothing to examine", c.Model)
	}
	x, err := run.Examine(ctx, examiner, built.Plan())
	if err != nil {
		return nil, nil, err
	}
	return map[string]any{"report": x, "objections": x.Objections(), "notes": built.Plan().Notes}, nil, nil
}

// sensitivity differentiates quantities by numbers of a case.
func (s *Server) sensitivity(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		source
		Of []json.RawMessage `json:"of"` // quantities, as in expect, or lines like "position particle=p axis=x time=1"
		By []string          `json:"by"` // paths of numbers
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	args.Set = append(args.Set, "steps=events") // derivatives are taken along a walk
	c, err := args.open(s.Memory)
	if err != nil {
		return nil, nil, err
	}
	for _, of := range args.Of {
		var line string
		if json.Unmarshal(of, &line) == nil {
			if of, err = casefile.QuantityLine(line); err != nil {
				return nil, nil, wrong("of: %v", err)
			}
		}
		c.Observe = append(c.Observe, of)
	}
	var list []*run.Sensitivity
	for _, path := range args.By {
		d, err := differentiate(ctx, c, path)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, d)
	}
	return list, nil, nil
}

func differentiate(ctx context.Context, c *casefile.Case, path string) (*run.Sensitivity, error) {
	p, err := casefile.NumberAt(c.Raw, path)
	if err != nil {
		return nil, wrong("by: %v", err)
	}
	built, err := models.Build(ctx, c)
	if err != nil {
		return nil, err
	}
	d, ok := built.(run.Differentiable)
	if !ok {
		return nil, wrong("the model %s has no derivatives", c.Model)
	}
	s, err := d.Differentiate(ctx, models.Family(ctx, c, path), p)
	if refused, ok := errors.AsType[*run.NotDifferentiable](err); ok {
		return nil, wrong("%v", refused)
	}
	if err != nil {
		return nil, err
	}
	s.By = path
	return s, nil
}

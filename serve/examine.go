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

// diagnose certifies the files of a run; the run is made again, unless the files alone are asked for.
func (s *Server) diagnose(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		Dir       string `json:"dir"`
		FilesOnly bool   `json:"files_only"`
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	f, err := models.Open(ctx, args.Dir, s.Memory)
	if err != nil {
		return nil, nil, inputOf(err)
	}
	d, err := run.Diagnose(ctx, f.Case, f.Built, run.Source{Dir: f.Dir, Summary: f.Summary, FilesOnly: args.FilesOnly})
	if err != nil {
		return nil, nil, inputOf(err)
	}
	text, err := d.Result().JSON()
	return json.RawMessage(text), nil, err
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
	c, err := models.OpenWalk(ctx, func(sets ...string) (*casefile.Case, error) {
		with := args.source
		with.Set = append(with.Set[:len(with.Set):len(with.Set)], sets...)
		return with.open(s.Memory)
	})
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
		d, err := models.Differentiate(ctx, c, path)
		if refused, ok := errors.AsType[*run.NotDifferentiable](err); ok {
			return nil, nil, wrong("by %s: %v", path, refused)
		}
		if err != nil {
			return nil, nil, err
		}
		list = append(list, d)
	}
	return list, nil, nil
}

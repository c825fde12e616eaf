package models

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
)

// OpenWalk is [OpenCase] for a case that is differentiated: with "steps": "events", which it has to
// take.
func OpenWalk(ctx context.Context, file string, sets []string) (*casefile.Case, error) {
	c, err := OpenCase(file, append(sets[:len(sets):len(sets)], "steps=events"), 0)
	if err != nil {
		if own, err := OpenCase(file, sets, 0); err == nil && !walks(ctx, own) {
			return nil, fmt.Errorf("%s: derivatives are taken along a walk from event to event, which cases of the model %s do not have", own.Name, own.Model)
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

// Family returns a case as a function of its number at a path.
func Family(ctx context.Context, c *casefile.Case, path string) func(p float64) (run.Case, error) {
	return func(p float64) (run.Case, error) {
		text, err := casefile.Set(c.Raw, path, json.RawMessage(strconv.FormatFloat(p, 'g', -1, 64)))
		if err != nil {
			return nil, err
		}
		changed, err := Grammar().Decode(c.File, text)
		if err != nil {
			return nil, err
		}
		return Build(ctx, changed)
	}
}

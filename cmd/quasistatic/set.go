package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
)

// setFlag is --set of the commands that take a case.
func setFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "set", Usage: "change the case: `PATH=VALUE`, for instance friction.dry.mu=0.3; may be repeated"}
}

// openSet reads a case that may take so much memory [byte], and changes it.
func openSet(file string, sets []string, limit int64) (*casefile.Case, error) {
	c, err := openWithin(file, limit)
	if err != nil || len(sets) == 0 {
		return c, err
	}
	text, err := setAll(c.Raw, sets)
	if err != nil {
		return nil, err
	}
	changed, err := models.Grammar().Decode(c.File, text)
	if err == nil {
		changed.Memory = limit
	}
	return changed, err
}

// setAll changes the text of a case as --set PATH=VALUE says. A value is JSON, or else a
// word.
func setAll(text []byte, sets []string) ([]byte, error) {
	for _, s := range sets {
		path, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: no =, want PATH=VALUE, for instance friction.dry.mu=0.3", report.Plain(s))
		}
		raw := json.RawMessage(value)
		if !json.Valid(raw) {
			var err error
			if raw, err = json.Marshal(value); err != nil {
				return nil, err
			}
		}
		var err error
		if text, err = casefile.Set(text, path, raw); err != nil {
			return nil, fmt.Errorf("--set %s: %w", report.Plain(s), err)
		}
	}
	return text, nil
}

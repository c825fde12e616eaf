package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	stillborn fate = iota // does not compile
	killed                // a test failed, or ran out of time
	survived
	equivalent // survived, and somebody has shown that no test can tell it
)

// runner runs the tests of packages with one file exchanged.
type runner struct {
	packages []string // own one first
	limit    time.Duration
	scratch  string        // folder
	own      time.Duration // what the tests of the package may take
}

// dependents returns the package of a folder and those of the module that import it,
// directly or not, the nearest first; commands are left out unless asked for.
func dependents(ctx context.Context, dir string, commands bool) ([]string, error) {
	own, err := list(ctx, "{{.ImportPath}}", dir)
	if err != nil || len(own) != 1 {
		return nil, fmt.Errorf("go list %s: %d packages: %w", dir, len(own), err)
	}
	rows, err := list(ctx, `{{.ImportPath}} {{len .Deps}} {{.Name}} {{join .Deps ","}}`, "./...")
	if err != nil {
		return nil, err
	}
	type found struct {
		path string
		deps int
	}
	var above []found
	for _, row := range rows {
		fields := strings.Fields(row)
		if len(fields) < 4 || fields[2] == "main" && !commands || !slices.Contains(strings.Split(fields[3], ","), own[0]) {
			continue
		}
		above = append(above, found{fields[0], len(strings.Split(fields[3], ","))})
	}
	slices.SortFunc(above, func(a, b found) int { return a.deps - b.deps })
	for _, f := range above {
		own = append(own, f.path)
	}
	return own, nil
}

func list(ctx context.Context, format, pattern string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", format, pattern).Output()
	return strings.FieldsFunc(strings.TrimSpace(string(out)), func(r rune) bool { return r == '\n' }), err
}

// try compiles a mutant and runs the tests, package by package until one fails.
func (r *runner) try(ctx context.Context, s *site) (fate, error) {
	text, err := os.ReadFile(s.file)
	if err != nil {
		return survived, err
	}
	overlay, err := r.overlay(s, s.apply(text))
	if err != nil {
		return survived, err
	}
	if exec.CommandContext(ctx, "go", "build", "-overlay", overlay, r.packages[0]).Run() != nil {
		return stillborn, ctx.Err()
	}
	for _, p := range r.packages {
		if !r.passes(ctx, overlay, p) {
			return killed, ctx.Err()
		}
	}
	return survived, ctx.Err()
}

// passes runs the tests of one package. A mutant that never ends fails.
func (r *runner) passes(ctx context.Context, overlay, path string) bool {
	limit := r.limit
	if path == r.packages[0] && r.own > 0 {
		limit = r.own
	}
	ctx, cancel := context.WithTimeout(ctx, limit+r.limit) // of go test itself, building included
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-timeout", limit.String(), "-overlay", overlay, path)
	return c.Run() == nil
}

// measure runs the tests of the package without a mutant; its mutants get ten times as
// long, since many of those that are killed by time alone never end.
func (r *runner) measure(ctx context.Context) error {
	overlay, err := r.unchanged()
	if err != nil {
		return err
	}
	start := time.Now()
	if !r.passes(ctx, overlay, r.packages[0]) {
		return fmt.Errorf("the tests fail, or take longer than %v, without a mutant", r.limit)
	}
	r.own = min(r.limit, 10*time.Since(start)+10*time.Second)
	return nil
}

// overlay writes the changed file and the map that go build takes.
func (r *runner) overlay(s *site, text []byte) (string, error) {
	from, err := filepath.Abs(s.file)
	if err != nil {
		return "", err
	}
	to, m := filepath.Join(r.scratch, "mutant.go"), filepath.Join(r.scratch, "overlay.json")
	table, err := json.Marshal(map[string]map[string]string{"Replace": {from: to}})
	return m, errors.Join(err, os.WriteFile(to, text, 0o666), os.WriteFile(m, table, 0o666))
}

// unchanged writes a map that exchanges nothing.
func (r *runner) unchanged() (string, error) {
	m := filepath.Join(r.scratch, "overlay.json")
	return m, os.WriteFile(m, []byte("{}"), 0o666)
}

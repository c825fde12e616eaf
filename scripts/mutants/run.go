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

// suite is the tests of one package, built with mutants of another or its own.
type suite struct {
	path, dir, binary string
	flags             []string // further ones of its tests
	tests             []test   // the quickest first
}

// test is one test, what it costs and which mutants it could tell.
type test struct {
	name  string
	cpu   time.Duration
	notes []byte
}

// program builds the tests of a package with exchanged files.
func (r *runner) program(ctx context.Context, path string, texts map[string][]byte) (*suite, error) {
	overlay, err := r.overlay(texts)
	if err != nil {
		return nil, err
	}
	dir, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return nil, err
	}
	s := &suite{path: path, dir: strings.TrimSpace(string(dir)), binary: filepath.Join(r.scratch, filepath.Base(path)+".test")}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", s.binary, path)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", path, err, out)
	}
	if _, err := os.Stat(s.binary); err != nil {
		return s, nil // no tests
	}
	const silent = "-rapid.nofailfile" // else package rapid leaves a file of each mutant that it kills
	if exec.CommandContext(ctx, s.binary, silent, "-test.list", "^$").Run() == nil {
		s.flags = []string{silent}
	}
	return s, nil
}

// overlay writes changed files and the map that go build takes.
func (r *runner) overlay(texts map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, text := range texts {
		from, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		to := filepath.Join(r.scratch, "changed_"+filepath.Base(name))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return "", err
		}
		replace[from] = to
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	name := filepath.Join(r.scratch, "overlay.json")
	return name, errors.Join(err, os.WriteFile(name, table, 0o666))
}

// measure runs the tests of a suite one by one without a mutant alive, and notes what each
// takes and which of n mutants it could tell. Tests that fail so are left out.
func (r *runner) measure(ctx context.Context, s *suite, n int) error {
	if s.binary == "" {
		return nil
	}
	list := exec.CommandContext(ctx, s.binary, "-test.list", ".")
	list.Dir = s.dir
	text, err := list.Output()
	if err != nil {
		return nil // no tests
	}
	notes := filepath.Join(r.scratch, "notes")
	for _, name := range strings.Fields(string(text)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		if err := os.WriteFile(notes, make([]byte, max(1, n)), 0o666); err != nil {
			return err
		}
		t := test{name: name}
		passed, cpu := r.run(ctx, s, []string{name}, r.limit, notesVariable+"="+notes)
		if !passed {
			fmt.Fprintf(os.Stderr, "mutants: %s: %s fails without a mutant, or takes longer than %v: left out\n", s.path, name, r.limit)
			continue
		}
		if t.cpu = cpu; n > 0 {
			if t.notes, err = os.ReadFile(notes); err != nil {
				return err
			}
		}
		s.tests = append(s.tests, t)
	}
	slices.SortStableFunc(s.tests, func(a, b test) int { return int(a.cpu - b.cpu) })
	return ctx.Err()
}

// run runs tests of a suite within a limit of processor time, and says what they took. The
// clock ends those that wait for ever only.
func (r *runner) run(ctx context.Context, s *suite, names []string, limit time.Duration,
	environment ...string) (passed bool, cpu time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, 30*limit)
	defer cancel()
	arguments := append([]string{"-c", `ulimit -t "$0"; exec "$@"`, fmt.Sprint(int(limit.Seconds()) + 1), s.binary},
		append(s.flags, "-test.short", "-test.failfast", "-test.timeout", (30*limit).String(), "-test.run",
			"^("+strings.Join(names, "|")+")$")...)
	c := exec.CommandContext(ctx, "sh", arguments...)
	c.Dir, c.Env = s.dir, append(os.Environ(), environment...)
	err := c.Run()
	if c.ProcessState != nil {
		cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	return err == nil, cpu
}

// Tests are run in groups, so that most mutants die in the first.
var groups = []time.Duration{200 * time.Millisecond, 2 * time.Second, 20 * time.Second, time.Hour}

// kills runs the tests that could tell mutant k until one fails. Without notes all could.
func (r *runner) kills(ctx context.Context, s *suite, k int) bool {
	var names []string
	sum, group := time.Duration(0), 0
	flush := func() bool {
		if len(names) == 0 {
			return false
		}
		passed, _ := r.run(ctx, s, names, 3*sum+2*time.Second, fmt.Sprintf("%s=%d", aliveVariable, k))
		names, sum = nil, 0
		return !passed
	}
	for _, t := range s.tests {
		if t.notes != nil && t.notes[k] == 0 {
			continue
		}
		if sum+t.cpu > groups[group] {
			if flush() {
				return true
			}
			for group < len(groups)-1 && t.cpu > groups[group] {
				group++
			}
		}
		names, sum = append(names, t.name), sum+t.cpu
	}
	return flush()
}

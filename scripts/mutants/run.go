package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	dir      string   // of the own one
	limit    time.Duration
	scratch  string        // folder
	own      time.Duration // what the tests of the package may take
	reach    *coverage
	flags    []string // further ones of the tests of the package
	cache    *cache
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
	key := r.cache.key(s, text)
	if f, ok := r.cache.fates[key]; ok {
		return f, nil
	}
	overlay, err := r.overlay(s, s.apply(text))
	if err != nil {
		return survived, err
	}
	if exec.CommandContext(ctx, "go", "build", "-overlay", overlay, r.packages[0]).Run() != nil {
		return r.cache.keep(ctx, key, stillborn)
	}
	if pattern := r.reach.of(s); pattern != "" && !r.passesOwn(ctx, overlay, pattern) {
		return r.cache.keep(ctx, key, killed)
	}
	for _, p := range r.packages[1:] {
		if !r.passes(ctx, overlay, p) {
			return r.cache.keep(ctx, key, killed)
		}
	}
	return survived, ctx.Err()
}

// passesOwn runs the tests of the package itself that a pattern names. A mutant that never
// ends fails.
func (r *runner) passesOwn(ctx context.Context, overlay, pattern string) bool {
	binary := filepath.Join(r.scratch, "own.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, r.packages[0])
	if build.Run() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*r.own)
	defer cancel()
	test := exec.CommandContext(ctx, binary, append(r.flags, "-test.short", "-test.failfast", "-test.run", pattern, "-test.timeout", r.own.String())...)
	test.Dir = r.dir
	return test.Run() == nil
}

// passes runs the tests of another package.
func (r *runner) passes(ctx context.Context, overlay, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*r.limit) // of go test itself, building included
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-timeout", r.limit.String(), "-overlay", overlay, path)
	return c.Run() == nil
}

// measure runs the tests of the package without a mutant; its mutants get ten times as
// long, since many of those that are killed by time alone never end.
func (r *runner) measure(ctx context.Context) error {
	overlay := filepath.Join(r.scratch, "overlay.json")
	if err := os.WriteFile(overlay, []byte("{}"), 0o666); err != nil {
		return err
	}
	r.own = r.limit
	start := time.Now()
	if !r.passesOwn(ctx, overlay, ".") {
		return fmt.Errorf("the tests fail, or take longer than %v, without a mutant", r.limit)
	}
	r.own = min(r.limit, 10*time.Since(start)+10*time.Second)
	const silent = "-rapid.nofailfile" // else package rapid leaves a file of each mutant that it kills
	if exec.CommandContext(ctx, filepath.Join(r.scratch, "own.test"), silent, "-test.list", "^$").Run() == nil {
		r.flags = []string{silent}
	}
	var err error
	r.reach, err = r.measureCoverage(ctx)
	return err
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

// cache remembers which mutants of a file died, over many runs: tests that are added later
// do not bring them back. Survivors are tried again.
type cache struct {
	file  string // "": nothing is kept
	fates map[string]fate
}

func openCache(file string) (*cache, error) {
	c := &cache{file: file, fates: map[string]fate{}}
	if file == "" {
		return c, nil
	}
	text, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer text.Close() // read only
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		key, word, _ := strings.Cut(lines.Text(), " ")
		c.fates[key] = map[string]fate{"killed": killed, "stillborn": stillborn}[word]
	}
	return c, lines.Err()
}

// key names a mutant: the file as it is, and where and how it is changed.
func (c *cache) key(s *site, text []byte) string {
	sum := sha256.Sum256(append(fmt.Appendf(nil, "%s %d %d %s ", s.file, s.start, s.end, s.new), text...))
	return hex.EncodeToString(sum[:16])
}

// keep notes a fate, unless it is one of a run that was stopped.
func (c *cache) keep(ctx context.Context, key string, f fate) (fate, error) {
	if ctx.Err() != nil || c.file == "" {
		return f, ctx.Err()
	}
	c.fates[key] = f
	out, err := os.OpenFile(c.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return f, err
	}
	_, err = fmt.Fprintf(out, "%s %s\n", key, map[fate]string{killed: "killed", stillborn: "stillborn"}[f])
	return f, errors.Join(err, out.Close())
}

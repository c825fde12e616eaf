package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// coverage says which tests of a package reach a line: for a mutant there only those are run.
type coverage struct {
	tests  []string
	reach  map[string][]span // base name of a file: what the tests reach
	always []string          // tests whose reach is not known
}

// span is a range of lines that a test reaches.
type span struct{ test, from, to int }

// measureCoverage runs the tests of a package one by one.
func (r *runner) measureCoverage(ctx context.Context) (*coverage, error) {
	binary := filepath.Join(r.scratch, "cover.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-cover", "-vet=off", "-o", binary, r.packages[0])
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	list := exec.CommandContext(ctx, binary, "-test.list", ".")
	list.Dir = r.dir
	text, err := list.Output()
	if err != nil {
		return nil, err
	}
	c := &coverage{reach: map[string][]span{}}
	profile := filepath.Join(r.scratch, "cover.out")
	for _, name := range strings.Fields(string(text)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		run := exec.CommandContext(ctx, binary, "-test.run", "^"+name+"$", "-test.short", "-test.coverprofile", profile)
		run.Dir = r.dir
		if run.Run() != nil {
			c.always = append(c.always, name)
			continue
		}
		if err := c.add(name, profile); err != nil {
			return nil, err
		}
	}
	return c, ctx.Err()
}

// add takes in what a test reached: lines file:line.column,line.column statements count.
func (c *coverage) add(test, profile string) error {
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	c.tests = append(c.tests, test)
	for line := range strings.Lines(string(text)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ".go:")
		fields := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(".,  ", r) })
		if !ok || len(fields) != 6 || fields[5] == "0" {
			continue
		}
		from, errFrom := strconv.Atoi(fields[0])
		to, errTo := strconv.Atoi(fields[2])
		if errFrom == nil && errTo == nil {
			file := filepath.Base(name) + ".go"
			c.reach[file] = append(c.reach[file], span{len(c.tests) - 1, from, to})
		}
	}
	return nil
}

// of returns the pattern of the tests that reach a site; "": none does.
func (c *coverage) of(s *site) string {
	names := slices.Clone(c.always)
	for _, x := range c.reach[filepath.Base(s.file)] {
		if name := c.tests[x.test]; x.from <= s.line && s.line <= x.to && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

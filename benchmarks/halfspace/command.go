package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// commands are problems as case files, run by the command quasistatic with all that it writes.
var commands = []struct {
	problem string // of [problems], whose input is the peer's
	text    string
}{
	{"cattaneo", `{"model": "halfspace", "until": 1, "steps": 1, "mesh": "given", "window": {"elements": [19, 19], "size": [2.53327, 2.53327]},
  "body": {"shear": 200, "poisson": 0.42}, "on": "similar", "profile": {"sphere": 50}, "friction": {"mu": 0.4},
  "control": {"normal": {"load": 9.1954}, "x": {"load": 3.21839}, "y": {"load": 0}}}`},
	{"carter2d", `{"model": "halfspace", "until": 1, "steps": 1, "mesh": "given", "window": {"elements": [55, 1], "size": [2.2, 200], "centre": [0.03, 0]},
  "body": {"shear": 82000, "poisson": 0.28}, "on": "similar", "profile": {"cylinder": 500}, "friction": {"mu": 0.3},
  "steady": [0.0401, 0], "control": {"normal": {"load": 35780}, "x": {"creepage": -0.00024}}}`},
	{"spence45", spenceCase()},
}

// spenceCase is the case of Spence's compression, whose load of stage k is (k/45)³.
func spenceCase() string {
	var loads strings.Builder
	for k := range 36 {
		if k > 0 {
			loads.WriteString(", ")
		}
		fmt.Fprintf(&loads, "[%d, %.9g]", k, math.Pow(float64(k)/45, 3))
	}
	return fmt.Sprintf(`{"model": "halfspace", "until": 35, "steps": 35, "accuracy": 0.05, "mesh": "given", "window": {"elements": [45, 45], "size": [9, 9]},
  "body": {"shear": 0.5, "poisson": 0}, "profile": {"quadratic": [0.004116, 0, 0.004116, 0, 0, 0]}, "friction": {"mu": 0.2986},
  "control": {"normal": {"load": {"table": [%s]}}, "x": {"load": 0}, "y": {"load": 0}}}`, &loads)
}

// compareCommands builds the command and runs it beside the peer, with the overview and without.
func compareCommands(ctx context.Context, dir, program string, repeat int) error {
	name := filepath.Join(dir, "quasistatic")
	build := exec.CommandContext(ctx, "go", "build", "-o", name, "github.com/quasistatic/quasistatic/cmd/quasistatic")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for _, c := range commands {
		if err := os.WriteFile(filepath.Join(dir, c.problem+".json"), []byte(c.text), 0o666); err != nil {
			return err
		}
		i := slices.IndexFunc(problems, func(p problem) bool { return p.name == c.problem })
		p, run := &problems[i], []string{"run", c.problem + ".json", "--quiet"}
		if err := p.compare("the command, "+p.title+", `--no-picture`", dir, program, repeat, name,
			append(run, "--no-picture")...); err != nil {
			return err
		}
		if err := p.compare("with the overview", dir, program, repeat, name, run...); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// motionless are runs in which next to nothing is: no energy, no motion, one step, one body,
// forces or lengths at the ends of what a number holds.
var motionless = map[string]string{
	"energetic, load at rest": `"model": "energetic", "friction": {"f": {"mu": 0.5}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}], "energies": [{"type": "load", "particle": "p", "force": [1, 0, -10]}]`,
	"energetic, no friction":  `"model": "energetic", "particles": [{"id": "p", "at": [0, 0, 0]}], "energies": [{"type": "load", "particle": "p", "force": [0, 0, -10]}]`,
	"energetic, two":          `"model": "energetic", "friction": {"f": {"mu": 0.5}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}, {"id": "q", "at": [0, 0, 0], "friction": "f"}], "energies": [{"type": "bond", "between": ["p", "q"], "stiffness": [1, 1, 1]}]`,
	"energetic, far":          `"model": "energetic", "friction": {"f": {"mu": 0.5}}, "particles": [{"id": "p", "at": [1e30, 0, 0], "friction": "f"}], "energies": [{"type": "load", "particle": "p", "force": [0, 0, -1e-30]}]`,
	"energetic, γ":            `"model": "energetic", "gamma": 1, "friction": {"f": {"mu": 0.5}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}], "energies": [{"type": "load", "particle": "p", "force": [1, 0, -10]}]`,
	"theta, a point":          `"model": "theta", "theta": 0.5, "bodies": [{"id": "m", "mass": 1, "position": [0, 0, 0]}]`,
	"theta, on a pad": `"model": "theta", "theta": 0.5, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"f": {"mu": 0.3}}, "patches": {"pad": {"stiffness": [2000, 1000, 1000], "damping": [40, 20, 20]}},
		"bodies": [{"id": "m", "mass": 1, "position": [0, 0, 0]}], "contacts": [{"body": "m", "obstacle": "floor", "friction": "f", "patch": "pad"}]`,
	"compliant, in the plane": `"model": "compliant", "dimension": 2, "bodies": [{"id": "d", "shape": {"type": "disc", "radius": 1}, "mass": 1, "inertia": 1, "position": [0, 0]}]`,
	"rigid, a disc":           `"model": "rigid", "dimension": 2, "bodies": [{"id": "d", "shape": {"type": "disc", "radius": 1}, "mass": 1, "inertia": 1, "position": [0, 0]}]`,
	"rigid, a point":          `"model": "rigid", "bodies": [{"id": "d", "mass": 1, "position": [0, 0, 0]}]`,
	"rigid, a large one":      `"model": "rigid", "dimension": 2, "bodies": [{"id": "d", "shape": {"type": "disc", "radius": 1e12}, "mass": 1e-30, "inertia": 1, "position": [1e14, 0]}]`,
	"elastodynamic, a bar":    `"model": "elastodynamic", "mesh": {"block": {"size": [1], "cells": [1]}}, "young": 1, "density": 1, "obstacles": {"wall": {"point": [-5], "normal": [1]}}, "contact": [{"group": "left", "obstacle": "wall"}]`,
	"elastodynamic, a block":  `"model": "elastodynamic", "mesh": {"block": {"size": [1, 1], "cells": [1, 1]}}, "young": 1, "poisson": 0.3, "density": 1, "friction": {"f": {"mu": 0.3}}, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "f"}]`,
}

// TestNothingMoves: every picture, page and film of runs without motion, energy or more
// than one step is drawn, and the summary is there whatever could not be.
func TestNothingMoves(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	lengths := []int{1}
	if thorough.Asked() {
		lengths = []int{1, 3}
	}
	for name, body := range motionless {
		for _, steps := range lengths {
			dir := t.TempDir()
			file := write(t, fmt.Sprintf(`{"name": "still", %s, "until": 1, "steps": %d}`, body, steps), dir, "still.json")
			out := filepath.Join(dir, "run")
			code, _, stderr := qs("run", file, "--out", out, "--quiet", "--report")
			s, err := table.ReadSummary(out)
			if err != nil {
				t.Errorf("%s, %d steps: exit %d\n%s", name, steps, code, stderr)
				continue
			}
			if s.Status != table.Done || s.Warnings != nil {
				t.Errorf("%s, %d steps: exit %d, %s: %s; warnings %q\n%s", name, steps, code, s.Status, s.Message, s.Warnings, stderr)
			}
			for _, picture := range []string{"overview.svg", "overview.png", table.ReportFile} {
				if info, err := os.Stat(filepath.Join(out, picture)); err != nil || info.Size() < 1000 {
					t.Errorf("%s, %d steps: %v, %v", name, steps, info, err)
				}
			}
			mustRun(t, "film", out, "--frames", "2", "--quiet")
			seen, err := models.Show(t.Context(), out)
			if err != nil {
				t.Fatal(err)
			}
			p, err := seen.Page(t.Context())
			if err != nil || p.Warnings != nil || len(p.Figures) == 0 {
				t.Errorf("%s, %d steps: %d figures, warnings %q, %v", name, steps, len(p.Figures), p.Warnings, err)
			}
			seen.Close()
		}
	}
}

// TestPictureIsNoResult: what cannot be drawn is a warning.
func TestPictureIsNoResult(t *testing.T) {
	warnings, err := report.DrawPicture(t.TempDir(), "x", "title", &report.Plot{Title: "empty"})
	if err != nil || len(warnings) != 1 {
		t.Errorf("%q, %v", warnings, err)
	}
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/peer"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestPicturesPeers lets NumPy and VTK read what real runs are exported to: the bits of
// the tables, and the arrays of the pictures.
func TestPicturesPeers(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no Python")
	}
	script, err := filepath.Abs("../../scripts/peers/tables.py")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"elastic"} // VTK takes half a second to load; .ci/run has both
	if thorough.Asked() {
		names = append(names, "rigid")
	}
	for _, name := range names {
		dir := t.TempDir()
		out := filepath.Join(dir, "run")
		mustRun(t, "run", shortCase(t, name, "csv"), "--out", out, "--quiet", "--no-picture")
		for _, format := range []string{"npz", "vtu"} {
			mustRun(t, "export", out, "--format", format, "--out", filepath.Join(dir, format))
		}
		text, err := exec.Command(python, script, out, filepath.Join(dir, "npz"), filepath.Join(dir, "vtu")).CombinedOutput()
		if strings.Contains(string(text), "ModuleNotFoundError") {
			t.Skip("numpy or vtk is not installed; .ci/run installs them")
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// TestBodiesPeers lets VTK read what elastic bodies leave: of quadratic elements in the plane and in space, and of quadrilaterals
// in motion.
func TestBodiesPeers(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	dir := t.TempDir()
	args := []string{"/usr/bin/python3", "1000", "0.3"}
	rests := func(corner, size, cells, up, more string) string {
		return fmt.Sprintf(`"model": "energetic", "until": 1, "steps": 4, "friction": {"dry": {"mu": 0.3}},
			"obstacles": {"floor": {"normal": [0, 0, 1], "point": [0, 0, 0]}}, "energies": [
			{"type": "body", "id": "b", "mesh": {"block": {"corner": [%s], "size": [%s], "cells": [%s], "element": "P2"}},
			"young": 1000, "poisson": 0.3, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
			"prescribed": [%s{"group": "top", "axis": %q, "motion": {"table": [[0, 0], [0.25, -0.005], [1, -0.005]]}},
			{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.25, 0], [1, 0.006]]}}]}]`, corner, size, cells, more, up)
	}
	for k, keys := range []string{
		rests("0, 0", "1, 0.25", "6, 2", "y", ""),
		rests("0, 0, 0", "1, 0.5, 0.25", "2, 2, 2", "z", `{"group": "top", "axis": "y", "motion": 0}, `),
		`"model": "elastodynamic", "until": 0.1, "steps": 10, "friction": {"dry": {"mu": 0.3}}, "velocity": [1, 0],
			"obstacles": {"floor": {"normal": [0, 1], "point": [0, 0]}}, "body_force": [0, -10],
			"mesh": {"block": {"corner": [0, 0], "size": [1, 0.5], "cells": [4, 2], "element": "Q1"}, "accuracy": "given"}, "young": 1000,
			"poisson": 0.3, "density": 1, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}]`,
	} {
		out := filepath.Join(dir, fmt.Sprint("run", k))
		file := write(t, fmt.Sprintf(`{"name": "run%d", "accuracy": 1, %s}`, k, keys), out+".json")
		mustRun(t, "run", file, "--out", out, "--quiet", "--no-picture")
		mustRun(t, "export", out, "--format", "vtu", "--out", out+"-vtu")
		args = append(args, out, out+"-vtu")
	}
	peer.Run(t, "../..", "vtk", "bodies.py", dir, args...)
}

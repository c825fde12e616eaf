package energetic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestShiftedWall: a wall that moves along its normal presses a block of half a pair, whose corner on the plane of
// symmetry it meets; that the corner is prescribed along the wall is no contradiction, and the force is
// Eδ/(1 − ν²) over the unit of length. Where the wall moves along what is prescribed and rubs, or turns, it is one.
func TestShiftedWall(t *testing.T) {
	const young, nu, depth = 1000, .3, .01
	text := func(motion string, mu float64) string {
		return fmt.Sprintf(`{"name": "wall", "model": "energetic", "until": 1, "steps": 4, "friction": {"dry": {"mu": %g}},
		"obstacles": {"wall": {"point": [0, 0, 1], "normal": [0, 0, -1], "motion": {%s}}},
		"energies": [{"type": "body", "id": "b", "mesh": {"block": {"corner": [0, 0], "size": [1, 1], "cells": [3, 2], "element": "Q1"}}, "young": %d, "poisson": %g, "contact": [{"group": "top", "obstacle": "wall", "friction": "dry"}],
		 "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]}]}`,
			mu, motion, young, nu)
	}
	down := fmt.Sprintf(`"translation": {"table": [[0, [0, 0, 0]], [1, [0, 0, -%g]]]}`, depth)
	c, n := stepped(t, t.TempDir(), text(down, 0), 4)
	force := 0.0
	for j := range c.Psi.System.N() {
		if c.Psi.System.Constrained(j) {
			force += n.Grad[3*j+2]
		}
	}
	if want := young * depth / (1 - nu*nu); math.Abs(force-want) > 1e-9*want {
		t.Errorf("force %.12g, want %.12g", force, want)
	}
	for motion, want := range map[string]string{
		`"translation": {"table": [[0, [0, 0, 0]], [1, [0.1, 0, 0]]]}`:            "prescribed along x, along which the obstacle moves, with friction",
		`"rotation": {"axis": [0, 1, 0], "angle": {"table": [[0, 0], [1, 0.1]]}}`: "prescribed along x, and the tangents of the obstacle change",
	} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text(motion, .3)))
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", motion, err, want)
		}
	}
}

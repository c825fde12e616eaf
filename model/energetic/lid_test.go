package energetic

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestLidInSpace: a block under a lid with a moment bends as a beam of Bernoulli does where ν = 0, whatever the place at which
// the force acts says: a force beside the centre makes the moment. Nodes that something else holds are faults at their places.
func TestLidInSpace(t *testing.T) {
	const doc = `{"name": "lid", "model": "energetic", "until": 1, "steps": 1, "energies": [{"type": "body", "id": "b", "young": 1e7,
  "mesh": {"block": {"size": [1, 1, 2], "cells": [1, 1, 2], "element": "P2"}, "accuracy": "given"}, "lids": [{"group": "top", LOAD}],
  "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}, {"group": "HELD", "axis": "z", "motion": 0}]}],
  "expect": [{"quantity": "mean_displacement", "body": "b", "group": "right", "axis": "z", "value": 0.0009, "tolerance": 1e-9},
    {"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "x", "value": -0.0048, "tolerance": 1e-9},
    {"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "y", "value": 0, "tolerance": 1e-9},
    {"quantity": "reaction", "body": "b", "group": "bottom", "axis": "z", "value": 3000, "tolerance": 1e-6}]}`
	with := func(load, held string) string { return strings.NewReplacer("LOAD", load, "HELD", held).Replace(doc) }
	const force = `"force": [0, 0, {"table": [[0, 0], [1, -3000]]}]`
	for _, load := range []string{force + `, "moment": [0, {"table": [[0, 0], [1, -2000]]}, 0]`,
		force + `, "about": [-0.16666666666666666, 0.5, 2]`} {
		x := trial.Run(t, with(load, "bottom"), &Model)
		x.Passed(t)
		if s := x.Diagnose(t); !s.Certified {
			t.Error(s.Message)
		}
	}
	for text, want := range map[string]string{with(force, "top"): "lids[0].group: node", with(`"moment": [1, 2]`, "bottom"): "lids[0].moment: found 2",
		with(force+`, "about": [0, 1]`, "bottom"):                                       "lids[0].about: found 2 numbers, want 3",
		strings.Replace(with(force, "bottom"), `"top", "f`, `"tp", "f`, 1):              `lids[0].group: unknown group "tp", the nearest one is "top"`,
		strings.Replace(with(force, "bottom"), `"id"`, `"law": "neo-hookean", "id"`, 1): "lids[0]: a lid has small turns"} {
		if err := faulty(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

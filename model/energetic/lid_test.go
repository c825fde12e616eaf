package energetic

import (
	"fmt"
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

// TestLidThatIsMoved: of the motions of a lid those that are given, and those that force and moment make, make the same state: of the
// block of lidded-block, 2 high, that bends by a moment, in all ways to say so. With large turns, a body whose two lids turn alike by a quarter is where it was turned to.
func TestLidThatIsMoved(t *testing.T) {
	grows := func(v float64) string { return fmt.Sprintf(`{"table": [[0, 0], [1, %g]]}`, v) }
	const doc = `{"name": "lid", "model": "energetic", "until": 1, "steps": 1, "energies": [{"type": "body", "id": "b", "young": 1e7, "kinematics": "plane stress",
	  "mesh": {"block": {"size": [1, 2], "cells": [1, 2], "element": "P2"}, "accuracy": "given"}, "lids": [{"group": "top", %s}],
	  "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]}],
	  "expect": [{"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "x", "value": -0.0048, "tolerance": 1e-12},
	    {"quantity": "mean_displacement", "body": "b", "group": "right", "axis": "y", "value": 0.0009, "tolerance": 1e-12},
	    {"quantity": "reaction", "body": "b", "group": "bottom", "axis": "y", "value": 3000, "tolerance": 1e-6}]}`
	x, y, turn := `"x": `+grows(-0.0048), `"y": `+grows(-0.0006), `"turn": {"z": `+grows(0.0048)+`}`
	force, moment := `"force": [0, `+grows(-3000)+`]`, `"moment": [`+grows(2000)+`]`
	for _, lid := range []string{`"motion": {` + x + `, ` + y + `}, ` + turn, force + `, ` + turn, `"motion": {` + y + `}, ` + moment,
		`"motion": {` + x + `}, ` + force + `, ` + moment, `"about": [0, 2], "motion": {` + x + `, "y": ` + grows(-0.003) + `}, ` + turn} {
		run := trial.Run(t, fmt.Sprintf(doc, lid), &Model)
		if run.Passed(t); strings.HasPrefix(lid, force) {
			if s := run.Diagnose(t); !s.Certified {
				t.Error(s.Message)
			}
		}
	}
	const quarter = `"motion": {"x": 0, "y": 0}, "turn": {"z": {"table": [[0, 0], [1, 1.5707963267948966]]}}`
	run := trial.Run(t, fmt.Sprintf(`{"name": "turned", "model": "energetic", "until": 1, "steps": 1, "stability": "convex", "energies": [{"type": "body", "id": "b", "law": "neo-hookean",
	  "young": 1e6, "mesh": {"block": {"corner": [-1, 0], "size": [2, 1], "cells": [1, 1], "element": "Q1"}, "accuracy": "given"},
	  "lids": [{"group": "left", "about": [0, 0], %s}, {"group": "right", "about": [0, 0], %[1]s}]}],
	  "expect": [{"quantity": "displacement", "particle": "b.1", "axis": "z", "value": 1, "tolerance": 1e-12}, {"quantity": "displacement", "particle": "b.3", "axis": "x", "value": -2, "tolerance": 1e-12},
	    {"quantity": "energy", "value": 0, "tolerance": 1e-9}]}`, quarter), &Model)
	for _, e := range run.Summary.Expectations {
		if e.Value == nil || !e.Met {
			t.Errorf("%s is not met: %v", e.Label, e.Value)
		}
	}
	rubber := strings.Replace(doc, `"id"`, `"law": "neo-hookean", "id"`, 1)
	for _, f := range []struct{ doc, lid, want string }{
		{doc, `"motion": {"z": 1}`, "lids[0].motion.z: nothing moves the lid that way"},
		{doc, `"turn": {"x": 1}`, "lids[0].turn.x: nothing moves the lid that way"},
		{doc, `"motion": {` + y + `}, ` + force, "force[1]: the lid does not move that way, or by a motion that is given"},
		{rubber, force + `, ` + turn, "or all of \"motion\" and \"turn\""},
		{strings.Replace(doc, `"top"`, `"tip"`, 1), turn, "unknown group"},
	} {
		if err := faulty(t, fmt.Sprintf(f.doc, f.lid)); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v, want %q", f.lid, err, f.want)
		}
	}
}

package energetic

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestPeriodic: one period of an endless plate, P2 in the plane and Q1 in space, is as all of it. Pressed by p it goes down by
// p(1+ν)(1−2ν)/((1−ν)E), sheared by τ it goes aside by 2(1+ν)τ/E, and where friction alone holds it against a traction of two components
// it slides when their norm is μp, by whatever way its corner goes to its image. Jumps are mean strains. Which faults there are.
func TestPeriodic(t *testing.T) {
	const space = `{"name": "cell", "model": "energetic", "until": 1, "steps": 2, "until_loss": true, "equilibrate": true, "friction": {"dry": {"mu": 0.3}},
	  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "energies": [{"type": "body", "id": "b", "young": 1e7, "poisson": 0.3,
	    "mesh": {"block": {"size": [1, 2, 1], "cells": [2, 2, 1], "element": "Q1"}, "accuracy": "given", "groups": {"part": {"of": "bottom", "min": [0.4, null, null]}}},
	    "periodic": [{"group": "right", "side": "left"}, {"group": "back", "side": "front"}],
	    "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
	    "tractions": [{"group": "top", "pressure": 1000}, {"group": "top", "force": [{"table": [[0, 0], [1, 300]]}, {"table": [[0, 0], [1, -400]]}, 0]}]}],
	  "expect": [{"quantity": "loss_time", "value": 0.6, "tolerance": 1e-9}, {"quantity": "normal_force", "value": 2000, "tolerance": 1e-6},
	    {"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "z", "time": 0, "value": -7.428571428571429e-05, "tolerance": 1e-14},
	    {"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "x", "time": 0.5, "value": 3.9e-05, "tolerance": 1e-14}]}`
	const plane = `{"name": "cell", "model": "energetic", "until": 1, "steps": 1, "energies": [{"type": "body", "id": "b", "young": 1e7, "poisson": 0.3,
	    "mesh": {"block": {"size": [1, 1], "cells": [3, 4], "element": "P2"}, "groups": {"pin": {"of": "bottom", "max": [0, null]}, "ends": {"of": "right", "max": [null, 0]}}},
	    "periodic": [{"group": "top", "side": "bottom", "jump": [{"table": [[0, 0], [1, 0.001]]}, 0]}, {"group": "right", "side": "left"}],
	    "prescribed": [{"group": "pin", "axis": "x", "motion": 0}, {"group": "pin", "axis": "y", "motion": 0}]}],
	  "expect": [{"quantity": "mean_displacement", "body": "b", "group": "left", "axis": "x", "value": 0.0005, "tolerance": 1e-15},
	    {"quantity": "mean_displacement", "body": "b", "group": "right", "axis": "y", "value": 0, "tolerance": 1e-15},
	    {"quantity": "reaction", "body": "b", "group": "pin", "axis": "x", "value": 0, "tolerance": 1e-9}]}`
	for _, doc := range []string{space, plane} {
		x := trial.Run(t, doc, &Model)
		x.Passed(t)
		if s := x.Diagnose(t); !s.Certified {
			t.Error(s.Message)
		}
	}
	for _, f := range []struct{ doc, old, now, want string }{
		{plane, `"side": "left"`, `"side": "top"`, "periodic[1]: fem: node"},
		{plane, `"side": "left"`, `"side": "right"`, "begin at the same place"},
		{plane, `"group": "right", "side": "left"`, `"group": "bottom", "side": "top"`, "moves as others that move as it"},
		{plane, `"cells": [3, 4]`, `"cells": [3, 4], "lean": 0.1`, "the nearest node, 56 at [0 1], is 0.1 m from there"},
		{plane, `"young"`, `"kinematics": "axisymmetric", "young"`, "are 1 m apart along the radius"},
		{plane, `"group": "pin", "axis": "x"`, `"group": "ends", "axis": "x"`, `prescribe both along x alike`},
		{plane, `"prescribed"`, `"lids": [{"group": "top"}], "prescribed"`, "is of a periodic side too"},
		{space, `{"group": "bottom", "obs`, `{"group": "right", "obs`, `or move as others by "periodic"`},
		{space, `{"group": "bottom", "obs`, `{"group": "part", "obs`, "which is not in contact with"},
		{space, `"normal": [0, 0, 1]`, `"normal": [1, 0, 0]`, `"floor" is not the same at both`},
		{space, `"group": "back", "side": "front"`, `"group": "back", "side": "front", "jump": [0, 0, {"table": [[0, 0], [1, 0.1]]}]`, "want a period and a jump along a plane"},
		{space, `"normal": [0, 0, 1]`, `"normal": [0, 0, 1], "motion": {"translation": [0, 0, {"table": [[0, 0], [1, 0.1]]}]}`, "whose obstacle is curved or moves"},
	} {
		if err := faulty(t, strings.Replace(f.doc, f.old, f.now, 1)); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v, want %q", f.now, err, f.want)
		}
	}
}

package models_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlateOnGround is the benchmark of the GRECO, SSNV128 of Code_Aster (manual V6.04.128): a square plate of
// 40 mm with a plane of symmetry at its right, E = 130 GPa, ν = .2, plane strain, on rigid ground with μ = 1,
// pressed from above by 50 MPa and from the left by 150 MPa. What its lower side slips by, at 0, 1.25, 5, 7.5
// and 11.25 mm from its end, is the mean of several programs, to three digits, quoted from memory: the table of the manual
// could not be read here. The ground alone holds it along the vertical: it is solved on its contacts.
func TestPlateOnGround(t *testing.T) {
	var expect []string
	for node, slip := range map[int]string{0: "2.86e-5", 1: "2.72e-5", 4: "2.28e-5", 6: "1.98e-5", 9: "1.54e-5"} {
		expect = append(expect, fmt.Sprintf(
			`{"quantity": "displacement", "particle": "plate.%d", "axis": "x",
      "value": %s, "tolerance": 3e-7}`, node, slip))
	}
	s := meshRun(t, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 10,
  "obstacles": {"ground": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": 1}},
  "energies": [{"type": "body", "id": "plate",
    "mesh": {"block": {"size": [0.04, 0.04], "cells": [32, 32], "element": "Q1"},
    "accuracy": "given"}, "young": 1.3e11, "poisson": 0.2,
    "contact": [{"group": "bottom", "obstacle": "ground", "friction": "dry"}],
    "prescribed": [{"group": "right", "axis": "x", "motion": 0}],
    "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1, -5e7]]}]},
      {"group": "left", "force": [{"table": [[0, 0], [1, 15e7]]}, 0]}]}],
  "expect": [%s]}`, strings.Join(expect, ", ")), "")
	if !s.Certified || s.Message != "" {
		t.Errorf("certified %t: %s", s.Certified, s.Message)
	}
	for _, o := range s.Expectations {
		if !o.Met {
			t.Errorf("%s: %g, want %g", o.Label, *o.Value, *o.Want)
		}
	}
}

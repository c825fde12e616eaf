package elastic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/run"
)

// TestSpin: a free body goes on with v + ω × (x − c), without strain, and has the energy (mv² + Iω²)/2 of a rigid one, I = m(a² + b²)/12; so does
// one with a lid that turns as fast as it. One that turns by more than a radian is not certified: linear elasticity takes turns to be small.
func TestSpin(t *testing.T) {
	const plane = `{"name": "spin", "model": "elastodynamic", "until": %s, "steps": 20, "young": 1e6, "density": 3, "velocity": [0.3, 0.4], "spin": [2],
	  "mesh": {"block": {"corner": [5, 7], "size": [2, 1], "cells": [3, 2]}, "accuracy": "given"}%s,
	  "expect": [{"quantity": "kinetic_energy", "value": 5.75, "tolerance": 1e-10}, {"quantity": "elastic_energy", "value": 0, "tolerance": 1e-10},
	    {"quantity": "displacement", "node": 11, "axis": "x", "value": -0.07, "tolerance": %s}, {"quantity": "displacement", "node": 11, "axis": "y", "value": 0.24, "tolerance": %[3]s}]}`
	const space = `{"name": "spin", "model": "elastodynamic", "until": 0.1, "steps": 20, "young": 1e6,
	  "density": 3, "mesh": {"block": {"size": [2, 1, 1], "cells": [2, 1, 1], "element": "Q1"}, "accuracy": "given"}, "spin": [0, 2, 0],
	  "expect": [{"quantity": "kinetic_energy", "value": 5, "tolerance": 1e-10}, {"quantity": "displacement", "node": 0, "axis": "z", "value": 0.2, "tolerance": 1e-12}]}`
	short := fmt.Sprintf(plane, "0.1", "", "1e-12")
	lid := `{"z": {"table": [[0, 0], [1, 2]]}}`
	for _, doc := range []string{short, fmt.Sprintf(plane, "0.1", `, "lids": [{"group": "top", "turn": `+lid+`}]`, "1e-12"), space} {
		x := trial.Run(t, doc, &elastic.Model)
		x.Passed(t)
		if s := x.Diagnose(t); !s.Certified {
			t.Error(s.Message)
		}
	}
	if s := trial.Run(t, fmt.Sprintf(plane, "1", "", "9"), &elastic.Model).Summary; s.Certified || !strings.Contains(s.Message, "strains and turns") {
		t.Errorf("after 2 rad: certified %t, %s", s.Certified, s.Message)
	}
	for _, f := range []struct{ text, want string }{
		{strings.Replace(short, `[2]`, `[0, 0, 2]`, 1), "spin: found 3 numbers, want one"},
		{strings.Replace(space, `[0, 2, 0]`, `[2]`, 1), "spin: found 1 numbers, want one of a body in the plane, three of one in space"},
		{strings.Replace(short, `"young"`, `"kinematics": "axisymmetric", "young"`, 1), "none of a bar or a ring"},
	} {
		k, err := run.Grammar([]*run.Model{&elastic.Model}).Decode("case.json", []byte(f.text))
		if err == nil {
			_, err = elastic.Model.Build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%v, want %q", err, f.want)
		}
	}
}

package elastic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/run"
)

// TestLids: a column with ν = 0 under a lid moves as under what does the same without one: a force as its traction, a motion as it is
// prescribed. A lid that all motions are given of turns its nodes as the small turn says. Which faults there are.
func TestLids(t *testing.T) {
	const doc = `{"name": "lid", "model": "elastodynamic", "until": 0.02, "steps": 40, "accuracy": 0.1, "density": 1000, "young": 1e7, "kinematics": "plane stress",
	  "mesh": {"block": {"size": [0.5, 1], "cells": [2, 3], "element": "Q1"}, "accuracy": "given"}, %s, "obstacles": {"floor": {"point": [0, -0.001], "normal": [0, 1]}},
	  "contact": [{"group": "bottom", "obstacle": "floor"}], "expect": [{"quantity": "displacement", "node": 9, "axis": "y", "value": 0, "tolerance": 1},
	  {"quantity": "displacement", "node": 11, "axis": "y", "value": 0, "tolerance": 1}, {"quantity": "work", "max": 1000}]}`
	lid := func(keys string) string { return fmt.Sprintf(doc, `"lids": [{"group": "top", `+keys+`}]`) }
	pull := `{"sine": {"amplitude": -0.001, "frequency": 20}}`
	values := func(text string) (list []float64) {
		x := trial.Run(t, text, &elastic.Model)
		if x.Passed(t); strings.Contains(text, "lids") {
			if s := x.Diagnose(t); !s.Certified {
				t.Error(s.Message)
			}
		}
		for _, e := range x.Summary.Expectations {
			list = append(list, *e.Value)
		}
		return list
	}
	for with, without := range map[string]string{
		lid(`"force": [0, -2000]`):                             fmt.Sprintf(doc, `"tractions": [{"group": "top", "pressure": 4000}]`),
		lid(`"motion": {"y": ` + pull + `}, "turn": {"z": 0}`): fmt.Sprintf(doc, `"prescribed": [{"group": "top", "axis": "y", "motion": `+pull+`}]`),
	} {
		own, other := values(with), values(without)
		for k, v := range own {
			if math.Abs(v-other[k]) > 1e-9*math.Abs(other[k]) {
				t.Errorf("%v with a lid, %v without", own, other)
			}
		}
	}
	turned := values(lid(`"motion": {"x": 0, "y": 0}, "turn": {"z": ` + pull + `}`))
	if want := 0.001 * math.Sin(2*math.Pi*20*0.02) * 0.25; math.Abs(turned[0]-want) > 1e-15 || math.Abs(turned[1]+want) > 1e-15 {
		t.Errorf("%v at the ends of what turns, want ±%g", turned[:2], want)
	}
	for _, f := range []struct{ text, want string }{
		{strings.Replace(lid(`"turn": {"z": 0}`), `"group": "bottom"`, `"group": "left"`, 1), `goes with others by "lids"`},
		{strings.Replace(lid(`"turn": {"z": 0}`), `"obstacles"`, `"prescribed": [{"group": "top", "axis": "x", "motion": 0}], "obstacles"`, 1), "prescribed along x too"},
		{lid(`"force": [0, 0, 1]`), "lids[0].force"},
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

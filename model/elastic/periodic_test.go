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

// TestPeriodic: a cell whose four sides go with each other, sheared slowly by their jump γ, stores Gγ²/2 and moves with y; in space a plate
// that hits a floor loses μρc_p w t of its momentum along it, by friction, on any number of columns of elements. Which faults there are.
func TestPeriodic(t *testing.T) {
	const cell = `{"name": "cell", "model": "elastodynamic", "until": 1, "steps": 50, "density": 1000, "young": 1e7, "poisson": 0.3,
	  "mesh": {"block": {"size": [1, 1], "cells": [3, 2]}, "accuracy": "given", "groups": {"pin": {"of": "bottom", "max": [0, null]}}},
	  "periodic": [{"group": "right", "side": "left"},
	    {"group": "top", "side": "bottom", "jump": [{"sine": {"offset": 0.0005, "amplitude": -0.0005, "frequency": 0.5, "phase": 1.5707963267948966}}, 0]}],
	  "prescribed": [{"group": "pin", "axis": "x", "motion": 0}, {"group": "pin", "axis": "y", "motion": 0}],
	  "expect": [{"quantity": "elastic_energy", "value": 1.923077, "tolerance": 1e-5}, {"quantity": "work", "value": 1.923077, "tolerance": 1e-5},
	    {"quantity": "displacement", "node": 7, "axis": "x", "value": 0.0005, "tolerance": 1e-6}]}`
	const plate = `{"name": "plate", "model": "elastodynamic", "until": 0.002, "steps": 25, "accuracy": 0.1, "density": 1000, "young": 1e8, "poisson": 0.25,
	  "mesh": {"block": {"size": [1, 2, 1], "cells": [%s, 4], "element": "Q1"}, "accuracy": "given"}, "velocity": [0.2, 0, -0.1],
	  "periodic": [{"group": "right", "side": "left"}, {"group": "back", "side": "front"}], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
	  "friction": {"dry": {"mu": 0.2}}, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
	  "expect": [{"quantity": "mean_velocity", "axis": "x", "value": 0.18614, "tolerance": 0.004}, {"quantity": "displacement", "node": %d, "axis": "y", "value": 0, "tolerance": 1e-14}]}`
	one := fmt.Sprintf(plate, "1, 1", 11)
	var speed []float64
	for _, doc := range []string{cell, one, fmt.Sprintf(plate, "2, 3", 35)} {
		x := trial.Run(t, doc, &elastic.Model)
		x.Passed(t)
		speed = append(speed, *x.Summary.Expectations[0].Value)
		if s := x.Diagnose(t); !s.Certified {
			t.Error(s.Message)
		}
	}
	if math.Abs(speed[2]-speed[1]) > 1e-12 {
		t.Errorf("on 2·3 columns the plate has the speed %.15g, on one %.15g", speed[2], speed[1])
	}
	for _, f := range []struct{ doc, old, now, want string }{
		{cell, `"poisson"`, `"scheme": "central difference", "mass": "lumped", "poisson"`, "periodic sides, have a mass that is no diagonal"},
		{one, `"poisson"`, `"inertia": "redistributed", "poisson"`, "has mass at these that is not given to other nodes"},
		{cell, `"side": "left"`, `"side": "pin"`, "periodic[0]: fem: node"},
		{one, `"normal": [0, 0, 1]`, `"normal": [1, 0, 0]`, `"floor" is not the same at both`},
		{one, `"normal": [0, 0, 1]`, `"normal": [0, 0, 1], "motion": {"rotation": {"axis": [0, 0, 1], "angle": {"table": [[0, 0], [1, 1]]}}}`, "want one that shifts"},
	} {
		k, err := run.Grammar([]*run.Model{&elastic.Model}).Decode("case.json", []byte(strings.Replace(f.doc, f.old, f.now, 1)))
		if err == nil {
			_, err = elastic.Model.Build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v, want %q", f.now, err, f.want)
		}
	}
}

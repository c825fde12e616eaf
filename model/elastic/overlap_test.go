package elastic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestOverlap: two unit squares 1 m apart, the first of which goes to the right: past the
// other's edge by .25 m it lies in it by .25/√2 across the diagonals of the elements at most.
func TestOverlap(t *testing.T) {
	mesh := &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 3, 0, 3, 1, 2, 1}, Elem: []int{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}}
	c := &Case{Model: &elastic.Model{Mesh: mesh}}
	var o overlap
	o.open(c)
	for _, move := range []float64{0, .5, 1, 1.25, .5} {
		u := make([]float64, 16)
		for k := range 4 {
			u[2*k] = move
		}
		o.observe(c, move, u)
		if deep := move > 1; deep == o.fact().Passed && move != .5 {
			t.Errorf("moved by %g m: %+v", move, o.fact())
		}
	}
	if f := o.fact(); f.Passed || o.Time != 1.25 || !(f.Value > .1 && f.Value < .25+1e-12) || math.IsNaN(f.Value) {
		t.Errorf("%+v", f)
	}
}

// TestThroughItself: the ends of a ring with a cut, of .0032 m inside, of which one is moved slowly: by .003 m they are
// apart, by .005 m in each other.
func TestThroughItself(t *testing.T) {
	for move, apart := range map[float64]bool{-0.003: true, -0.005: false} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "elastodynamic", "until": 20, "steps": 100, "accuracy": 0.5, "young": 1e6, "poisson": 0, "density": 1,
		  "mesh": {"block": {"form": "ring", "corner": [0.8, 0.002], "size": [0.4, 6.279185307179586], "cells": [2, 24]}, "accuracy": "given",
		    "groups": {"middle": {"of": "body", "min": [-1.3, -0.01], "max": [-0.7, 0.01]}}},
		  "prescribed": [{"group": "middle", "axis": "y", "motion": 0}, {"group": "middle", "axis": "x", "motion": 0},
		    {"group": "start", "axis": "y", "motion": {"table": [[0, 0], [20, %g]]}}]}`, move), &Model)
		d := x.Diagnose(t)
		if f := run.Failure(x.Summary); strings.Contains(f, "two sides of one") == apart || strings.Contains(run.Failure(d), "two sides of one") == apart {
			t.Errorf("by %g m: run: %s; diagnose: %s", move, f, run.Failure(d))
		}
	}
}

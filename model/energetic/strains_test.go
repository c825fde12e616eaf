package energetic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// TestLargeStrains: a bar that 7 kPa pull, with a modulus of 70 (meant: GPa), is stretched to a hundred times its length, which
// was certified: linear elasticity takes strains to be small. Models of elastic bodies say so; with 70 GPa it is right.
func TestLargeStrains(t *testing.T) {
	const bar = `"mesh": {"block": {"size": [1, 0.1], "cells": [4, 1], "element": "Q1"}, "accuracy": "given"}, "young": %g, "poisson": 0,
		"tractions": [{"group": "right", "force": [7000, 0]}], "prescribed": [{"group": "left", "axis": "x", "motion": 0},
		{"group": "bottom", "axis": "y", "motion": 0}]`
	still := `{"name": "bar", "model": "energetic", "until": 1, "steps": 1, "equilibrate": true, "energies": [{"type": "body", "id": "b", ` + bar + `}]}`
	moving := `{"name": "bar", "model": "elastodynamic", "until": 1e-3, "steps": 20, "accuracy": 0.5, "density": 1e-6, ` + bar + `}`
	for _, c := range []struct {
		model     *run.Model
		text      string
		young     float64
		certified bool
	}{{&energetic.Model, still, 70, false}, {&elastic.Model, moving, 70, false}, {&energetic.Model, still, 70e9, true}} {
		s := trial.Run(t, fmt.Sprintf(c.text, c.young), c.model).Summary
		if s.Certified != c.certified || !c.certified && !strings.Contains(s.Message, "strains and turns") {
			t.Errorf("%g Pa: certified %t, %s", c.young, s.Certified, s.Message)
		}
	}
}

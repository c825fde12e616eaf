package energetic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// orthotropicBody is a body with some keys on a floor with friction, which bears the pressure to 1e-9.
const orthotropicBody = `{"model": "energetic", "until": 1, "steps": 4, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
	"friction": {"dry": {"mu": 0.2}},
	"energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [0.2, 0.1], "cells": [4, 2], "element": "Q1"}, "accuracy": "given"},
		%s, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
		"tractions": [{"group": "top", "pressure": {"table": [[0, 0], [1, 1e6]]}}]}],
	"expect": [{"quantity": "normal_force", "value": 2e5, "tolerance": 2e-4}]}`

// TestOrthotropicAngle: a block with friction whose fibres are turned by half a turn is the same one, by a quarter of a
// turn the one with its axes exchanged, where ν_21 = ν_12 E_2/E_1.
func TestOrthotropicAngle(t *testing.T) {
	at := func(young string, nu, angle float64) []float64 {
		x := trial.Run(t, fmt.Sprintf(orthotropicBody, fmt.Sprintf(`"kinematics": "plane stress",
			"orthotropic": {"young": %s, "poisson": [%.17g], "shear": [4e9], "angle": %.17g}`, young, nu, angle)), &Model)
		x.Passed(t)
		return x.Last(t, "trajectory.csv")
	}
	const angle = .4
	want := at("[4e10, 1e10]", .3, angle)
	for name, got := range map[string][]float64{
		"half a turn":    at("[4e10, 1e10]", .3, angle+math.Pi),
		"a quarter turn": at("[1e10, 4e10]", .3/4, angle-math.Pi/2),
	} {
		for i, x := range got {
			if !(math.Abs(x-want[i]) <= 1e-9*1e-5) { // of displacements
				t.Errorf("%s: column %d is %g, want %g", name, i, x, want[i])
			}
		}
	}
}

// TestOrthotropicFaults: what is of isotropic bodies, and moduli in two ways or in none, are refused by name.
func TestOrthotropicFaults(t *testing.T) {
	const wood = `"orthotropic": {"young": [4e10, 1e10, 1e10], "poisson": [0.3, 0.3, 0.3], "shear": [4e9]}`
	for keys, want := range map[string]string{
		wood:                                    "",
		wood + `, "law": "neo-hookean"`:         "$.energies[0].orthotropic: an orthotropic body is linear",
		wood + `, "plasticity": {"yield": 1}`:   "$.energies[0].orthotropic: an orthotropic body is linear",
		wood + `, "poisson": 0.3`:               "moduli of its own",
		wood + `, "young": 1`:                   `want either "young" or "orthotropic"`,
		wood + `, "kinematics": "plane stress"`: "want 2, 1 and 1",
		strings.Replace(wood, "0.3]", "1]", 1):  "ν_23 is 1, want less than √(E_2/E_3) = 1",
		`"poisson": 0.3`:                        `want either "young" or "orthotropic"`,
	} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(fmt.Sprintf(orthotropicBody, keys)))
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", keys, err, want)
		}
	}
}

package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// pressedOn is a block that is pressed on a floor; both move.
func pressedOn(element, cells, floor, top, mu, more string) string {
	rubs, friction := "", ""
	if mu != "0" {
		rubs, friction = `"rough": {"mu": `+mu+`}`, `, "friction": "rough"`
	}
	return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "accuracy": 0.2, "accept": ["dissipation"],
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]%s}}, "friction": {%s},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.5], "cells": %s, "element": %q}}, "young": 1e5, "poisson": 0.3, 
    "contact": [{"group": "bottom", "obstacle": "floor"%s}],
    "prescribed": [%s]}],
  "expect": [{"quantity": "energy", "max": 1e9}, {"quantity": "normal_force", "value": 0, "tolerance": 1e9}%s]}`,
		floor, rubs, cells, element, friction, top, more)
}

// provenMesh are the facts of the mesh that are proven, by their names.
func provenMesh(s *table.Summary) map[string]table.Fact {
	list := map[string]table.Fact{}
	for _, f := range meshFacts(s) {
		if f.Basis == table.Proven {
			list[f.Name] = f
		}
	}
	return list
}

const moves = `{"table": [[0, 0], [1, %g]]}`

func prescribed(group string, x, y float64) string {
	return fmt.Sprintf(`{"group": %q, "axis": "x", "motion": `+moves+`}, {"group": %q, "axis": "y", "motion": `+moves+`}`,
		group, x, group, y)
}

// TestMovingObstacleIsBounded: a floor that comes up to a block at rest, and goes along it, is one at rest to which the
// block comes: both have the same bounds, with friction and without. A floor that turns has a bound too, and the energy
// of a finer mesh is within it.
func TestMovingObstacleIsBounded(t *testing.T) {
	translated := func(x, z float64) string {
		return fmt.Sprintf(`, "motion": {"translation": [`+moves+`, 0, `+moves+`]}`, x, z)
	}
	for _, mu := range []string{"0", "0.3"} {
		rest := trial.Run(t, pressedOn("P1", "[16, 2]", "", prescribed("top", 0.004, -0.01), mu, ""), &energetic.Model)
		moved := trial.Run(t, pressedOn("P1", "[16, 2]", translated(-0.004, 0.01), prescribed("top", 0, 0), mu, ""), &energetic.Model)
		want, got := provenMesh(rest.Summary), provenMesh(moved.Summary)
		if len(want) == 0 || len(got) != len(want) {
			t.Fatalf("mu %s: %d bounds at rest, and %d: %v", mu, len(want), len(got), meshFacts(moved.Summary))
		}
		for name, f := range want {
			if off := math.Abs(got[name].Value - f.Value); !(off <= 1e-6*f.Value) {
				t.Errorf("mu %s: %s is %g, and %g at rest", mu, name, got[name].Value, f.Value)
			}
		}
	}
	turns := `, "motion": {"rotation": {"axis": [0, 1, 0], "through": [0, 0, 0], "angle": {"table": [[0, 0], [1, -0.02]]}}}`
	var energy [2]float64
	var bound table.Fact
	for k, cells := range []string{"[16, 2]", "[32, 4]"} {
		x := trial.Run(t, pressedOn("P1", cells, turns, prescribed("top", 0, 0), "0", ""), &energetic.Model)
		energy[k] = *x.Summary.Expectations[0].Value
		for name, f := range provenMesh(x.Summary) {
			if k == 0 && strings.HasPrefix(name, "mesh: energy") {
				bound = f
			}
		}
	}
	if off := (energy[0] - energy[1]) / energy[0]; !(off > 0 && off <= bound.Value) {
		t.Errorf("a floor that turns: energy %g and %g on a finer mesh, bound %g", energy[0], energy[1], bound.Value)
	}
}

// TestQuantitiesAreBounded: forces and mean displacements that a case expects have bounds on its mesh, within which a
// finer mesh is; diagnose and a run that was stopped say the same. One that is 0 has no relative error.
// With friction the lines of the estimates say why there are none.
func TestQuantitiesAreBounded(t *testing.T) {
	thorough.Seconds(t)
	const more = `, {"quantity": "reaction", "body": "b", "group": "left", "axis": "x", "value": 0, "tolerance": 1e9},
		{"quantity": "mean_displacement", "body": "b", "group": "right", "axis": "x", "time": 1, "value": 0, "tolerance": 1e9},
		{"quantity": "mean_displacement", "body": "b", "group": "top", "axis": "x", "time": 1, "value": 0, "tolerance": 1e9}`
	held := `{"group": "left", "axis": "x", "motion": ` + fmt.Sprintf(moves, 0.) + `}, ` + prescribed("top", 0, -0.01)
	coarse := trial.Run(t, pressedOn("P2", "[4, 2]", "", held, "0", more), &energetic.Model)
	fine := trial.Run(t, pressedOn("P2", "[16, 8]", "", held, "0", more), &energetic.Model)
	again := []*table.Summary{coarse.Diagnose(t), &stoppedAt(t, coarse.Case, &energetic.Model, 0.3, 0.6).Summary}
	for k, label := range []string{"normal force in all", "reaction x of b/left", "mean displacement x of b/right"} {
		name := "mesh: " + label + ", by equilibrated stresses"
		f, ok := provenMesh(coarse.Summary)[name]
		if !ok {
			t.Errorf("no bound of %s: %v", label, meshFacts(coarse.Summary))
			continue
		}
		a, b := *coarse.Summary.Expectations[k+1].Value, *fine.Summary.Expectations[k+1].Value
		if !(math.Abs(a-b) <= f.Value*math.Abs(a)) {
			t.Errorf("%s: %g, %g on a finer mesh, bound %g", label, a, b, f.Value)
		}
		for _, s := range again {
			if got := provenMesh(s)[name]; !(math.Abs(got.Value-f.Value) <= 1e-6*f.Value) {
				t.Errorf("%s: %g, and %g of the run", label, got.Value, f.Value)
			}
		}
	}
	rubs := trial.Run(t, pressedOn("P2", "[4, 2]", "", held, "0.3", more), &energetic.Model)
	for text, s := range map[string]*table.Summary{"no bound is proven of reaction x of b/left: there is friction": rubs.Summary,
		"mean displacement x of b/top is 0, by equilibrated stresses to ": coarse.Summary} {
		if !slices.ContainsFunc(meshFacts(s), func(f table.Fact) bool { return strings.Contains(f.Place, text) }) {
			t.Errorf("%v, want %q", meshFacts(s), text)
		}
	}
}

// TestBodiesThatMeetAreBounded: two blocks whose meshes do not match, one on a part of the other, are pressed and moved
// along each other, with an overlap: the energy on much finer meshes is within the bound.
func TestBodiesThatMeetAreBounded(t *testing.T) {
	problems, times := 4, 4
	if thorough.Asked() {
		problems, times = 40, 12
	}
	r := rand.New(rand.NewPCG(17, 4))
	var ratios []float64
	for range problems {
		kinds, cells := [2]string{}, [4]int{}
		for k := range kinds {
			kinds[k] = []string{"P1", "P2", "Q1"}[r.IntN(3)]
		}
		for k := range cells {
			cells[k] = 2 + r.IntN(3)
		}
		from, long, poisson := 0.4*r.Float64(), 0.3+0.3*r.Float64(), 0.4*r.Float64()
		stiff, along, overlap := math.Exp(2*r.NormFloat64()), 0.02*r.NormFloat64(), 0.005*r.Float64()
		cells[0] = int(float64(cells[2])/long) + 1 + r.IntN(3) // the side that is measured is the coarser one
		scene := func(times int, accuracy string) string {
			low := fmt.Sprintf(`{"corner": [0, 0], "size": [1, 0.5], "cells": [%d, %d], "element": %q}`,
				times*cells[0], times*cells[1], kinds[0])
			high := fmt.Sprintf(`{"corner": [%g, 0.5], "size": [%g, 0.4], "cells": [%d, %d], "element": %q}`,
				from, long, times*cells[2], times*cells[3], kinds[1])
			return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "accuracy": 1, "energies": [
  {"type": "body", "id": "low", "mesh": {"block": %s%s}, "young": 1e5, "poisson": %g, "prescribed": [%s]},
  {"type": "body", "id": "high", "mesh": {"block": %s%s}, "young": %g, "poisson": 0.3, "prescribed": [%s],
    "contact": [{"group": "bottom", "body": "low", "side": "top", "overlap": `+moves+`}]}],
  "expect": [{"quantity": "energy", "value": 0, "tolerance": 1e9}]}`, low, accuracy, poisson, prescribed("bottom", 0, 0),
				high, accuracy, 1e5*stiff, prescribed("top", along, -0.01), overlap)
		}
		coarse := trial.Run(t, scene(1, ""), &energetic.Model).Summary
		fine := trial.Run(t, scene(times, `, "accuracy": "given"`), &energetic.Model).Summary
		f, known := provenMesh(coarse)["mesh: energy, by an equilibrated stress"]
		if !known {
			t.Log(meshFacts(coarse)) // places of both sides are so near to each other that an element there is too thin
			continue
		}
		a, b := *coarse.Expectations[0].Value, *fine.Expectations[0].Value
		if off := math.Abs(a - b); !(off <= f.Value*a) {
			t.Errorf("%s: energy %g, %g on a finer mesh, bound %g", scene(1, ""), a, b, f.Value*a)
		} else {
			ratios = append(ratios, f.Value*a/off)
		}
	}
	slices.Sort(ratios)
	if len(ratios) < problems-problems/4 {
		t.Fatalf("%d bounds of %d problems", len(ratios), problems)
	}
	t.Logf("bound over error of the energy: median %.3g, at least %.3g", ratios[len(ratios)/2], ratios[0])
	if !(ratios[len(ratios)/2] <= 5) {
		t.Errorf("median %g", ratios[len(ratios)/2])
	}
}

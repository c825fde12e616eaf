package models_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// quarter is a block of elements pressed on a floor with friction, held in planes of symmetry at the left,
// and in space in front, whose edges on the floor are in contact too.
func quarter(element, size, cells, side string) string {
	return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "accuracy": 0.4, "accept": ["dissipation"], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": 0.05}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": %s, "cells": %s, "element": %q}}, "young": 1000, "poisson": 0.45, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
    "prescribed": [{"group": "left", "axis": "x", "motion": 0}%s, {"group": "top", "axis": %q, "motion": {"table": [[0, 0], [1, -0.01]]}}]}]}`,
		size, cells, element,
		map[bool]string{true: `, {"group": "front", "axis": "y", "motion": 0}`}[side == "z"], side)
}

// TestElementsEverywhere: runs of every kind of element are judged with a finer mesh, stopped and
// resumed to the same verdict, and audited from their files; elements of higher order agree.
func TestElementsEverywhere(t *testing.T) {
	thorough.Seconds(t)
	for _, c := range []struct{ size, cells, side string }{{`[1, 0.5]`, `[6, 4]`, "y"}, {`[1, 1, 0.5]`, `[2, 2, 2]`, "z"}} {
		for _, element := range []string{"P2", "Q1"} {
			t.Run(element+" "+c.side, func(t *testing.T) {
				t.Parallel()
				x := trial.Run(t, quarter(element, c.size, c.cells, c.side), &energetic.Model)
				facts := meshFacts(x.Summary)
				if len(facts) == 0 || facts[0].Basis != table.Estimated || !x.Summary.Certified {
					t.Errorf("certified: %t, %v: %s", x.Summary.Certified, facts, x.Summary.Message)
				}
				if s := x.Diagnose(t); s.Certified != x.Summary.Certified {
					t.Errorf("audited: %t: %s", s.Certified, s.Message)
				}
				last := stoppedAt(t, x.Case, &energetic.Model, 0.5, 2)
				if got := meshFacts(&last.Summary); fmt.Sprint(got) != fmt.Sprint(facts) {
					t.Errorf("resumed %v, want %v", got, facts)
				}
			})
		}
	}
}

// TestSymmetryWithoutFriction: a block between planes of symmetry on a smooth floor has the uniform strain
// of plane strain at ν = .4999 with one element: F = E ε w/(1 − ν²).
func TestSymmetryWithoutFriction(t *testing.T) {
	for _, element := range []string{"P2", "Q1"} {
		want := 1000 * 0.02 / (1 - 0.4999*0.4999)
		text := strings.NewReplacer(`"friction": {"dry": {"mu": 0.05}},`, "", `, "friction": "dry"`, "", "0.45",
			"0.4999", `"energies"`, fmt.Sprintf(`"expect": [{"quantity": "normal_force", "value": %.17g, "tolerance": 1e-9}], "energies"`,
				want)).
			Replace(quarter(element, `[1, 0.5]`, `[1, 1]`, "y"))
		x := trial.Run(t, text, &energetic.Model)
		if !x.Summary.Certified || math.Abs(*x.Summary.Expectations[0].Value-want) > 1e-9 {
			t.Errorf("%s: %g, want %g: %s", element, *x.Summary.Expectations[0].Value, want, x.Summary.Message)
		}
	}
}

// TestNoMotionOfQuadratics: elements without a mass for contact are refused with what to take.
func TestNoMotionOfQuadratics(t *testing.T) {
	m := dome(t, fem.P2, 2)
	dir := t.TempDir()
	for name, content := range map[string]string{"mesh.msh": fileGmsh(m, "bottom"),
		"case.json": `{"model": "elastodynamic", "until": 0.3, "steps": 150, "mesh": {"file": "mesh.msh"}, "young": 1, "density": 0.01,
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "contact": [{"group": "bottom", "obstacle": "floor"}]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := models.Grammar().Load(filepath.Join(dir, "case.json"))
	if err == nil {
		_, err = run.New(t.Context(), c, models.Find(c), filepath.Join(dir, "out"))
	}
	if err == nil || !strings.Contains(err.Error(), `$.mesh: fem: quadratic elements have no masses for contact: take "element": "Q1"`) {
		t.Error(err)
	}
}

// TestFollowersBearNothing: a load on a node that follows the ends of its edge is refused.
func TestFollowersBearNothing(t *testing.T) {
	text := quarter("P2", `[1, 0.5]`, `[2, 1]`, "y")
	for node, refused := range map[int]bool{1: true, 2: false} {
		c, err := models.Grammar().Decode("case.json",
			[]byte(strings.Replace(text, `"energies": [`,
				fmt.Sprintf(`"energies": [{"type": "load", "particle": "b.%d", "force": [1, 0, 0]}, `, node), 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := energetic.Model.Build(t.Context(), c); (err != nil && strings.Contains(err.Error(), "follows the ends")) != refused {
			t.Errorf("node %d: %v", node, err)
		}
	}
}

// TestMotionOfHexahedra: a block of Q1 that hits a wall keeps its energy, and is audited.
func TestMotionOfHexahedra(t *testing.T) {
	text := `{"model": "elastodynamic", "until": 0.3, "steps": 150, "mesh": {"block": {"size": [1, 0.2, 0.2], "cells": [6, 2, 2], "element": "Q1"}, "accuracy": "given"}, "young": 1, "poisson": 0.45, "density": 0.01, "velocity": [-1, 0, 0],
  "accuracy": 0.1, "obstacles": {"wall": {"point": [-0.1, 0, 0], "normal": [1, 0, 0]}}, "contact": [{"group": "left", "obstacle": "wall"}]}`
	x := trial.Run(t, text, &elastic.Model)
	if s := x.Diagnose(t); !x.Summary.Certified || !s.Certified {
		t.Errorf("%s; audited %s", x.Summary.Message, s.Message)
	}
}

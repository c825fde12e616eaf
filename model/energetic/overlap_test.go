package energetic

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/table"
)

// grown is a block that is held above a floor; how the floor moves and what its contact says are left open.
const grown = `{"name": "grown", "model": "energetic", "until": 1, "steps": 4, "accept": ["dissipation"],
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0.3, 0, 1], "motion": {"translation": MOTION}}}, "friction": {"dry": {"mu": 0.3}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"corner": [0, 0.001], "size": [1, 0.5], "cells": [6, 3], "element": "Q1"}, "accuracy": "given"},
    "young": 1e6, "poisson": 0.3, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"OVERLAP}],
    "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": 0}]}]}`

// TestObstacleGrows: a plane that grows is one that moves along its normal, also beside another motion.
func TestObstacleGrows(t *testing.T) {
	with := func(motion, overlap string) *trial.Trial {
		return trial.Run(t, strings.NewReplacer("MOTION", motion, "OVERLAP", overlap).Replace(grown), &Model)
	}
	const n = 0.01 / 1.0440306508910550 // over the length of the normal
	x := with(`{"table": [[0, [0, 0, 0]], [1, [0.01, 0, 0]]]}`, `, "overlap": {"table": [[0, 0], [0.5, 0.01]]}`)
	y := with(strings.NewReplacer("A", fmt.Sprint(0.005+0.3*n), "N", fmt.Sprint(n), "B", fmt.Sprint(0.01+0.3*n)).
		Replace(`{"table": [[0, [0, 0, 0]], [0.5, [A, 0, N]], [1, [B, 0, N]]]}`), "")
	for _, file := range []string{table.ForcesFile, table.TrajectoryFile} {
		a, b := x.Last(t, file), y.Last(t, file)
		for i := range a {
			if !(math.Abs(a[i]-b[i]) <= 1e-8*slices.Max(a)) {
				t.Fatalf("%s: column %d is %g, of the floor that moves %g", file, i, a[i], b[i])
			}
		}
	}
}

// TestDiscGrows: a ring on a disc that grows in it has the pressure of Lamé in plane strain, whether the overlap grows or is
// closed at once.
func TestDiscGrows(t *testing.T) {
	const young, nu, a, b, grows = 7e10, 0.33, 0.02, 0.04, 2e-5
	plane, across := young/(1-nu*nu), nu/(1-nu)
	want := plane * grows / a / ((b*b+a*a)/(b*b-a*a) + across) * a * math.Pi / 2
	for _, overlap := range []string{`{"table": [[0, 0], [1, 2e-5]]}`, `2e-5`} {
		doc := `{"name": "disc", "model": "energetic", "until": 1, "steps": 1, "stability": "convex",
  "obstacles": {"disc": {"type": "cylinder", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.02}},
  "energies": [{"type": "body", "id": "hub", "mesh": {"block": {"form": "ring", "corner": [0.02, 0], "size": [0.02, 1.5707963267948966],
      "cells": [4, 6], "element": "P2"}, "accuracy": "given"}, "young": 7e10, "poisson": 0.33,
    "contact": [{"group": "inner", "obstacle": "disc", "overlap": OVERLAP}], "prescribed": [EDGES]}],
  "expect": [{"quantity": "normal_force", "value": WANT, "tolerance": TOLERANCE}]}`
		if overlap == "2e-5" {
			doc = strings.Replace(doc, `"stability"`, `"equilibrate": true, "stability"`, 1)
		}
		x := trial.Run(t, strings.NewReplacer("OVERLAP", overlap, "WANT", fmt.Sprint(want), "TOLERANCE", fmt.Sprint(0.02*want), // of chords of 15°
			"EDGES", `{"group": "start", "axis": "y", "motion": 0}, {"group": "end", "axis": "x", "motion": 0}`).Replace(doc), &Model)
		x.Passed(t)
	}
}

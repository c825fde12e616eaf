package energetic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/table"
)

// TestSlidOnCantilever: a block that slides by less than a segment along a cantilever bends it farther than one that
// stays, which the operator of the start does not see. The run says by how much, within a fifth: a block that begins
// where the other one ends shows it.
func TestSlidOnCantilever(t *testing.T) {
	beam := func(measured string, from, way float64) (tip, estimate float64, accurate bool) {
		meets := map[string]string{"beam": `"contact": [{"group": "top", "body": "block", "side": "bottom"}],`,
			"block": `"contact": [{"group": "bottom", "body": "beam", "side": "top"}],`}
		cells := map[string]int{"beam": 3, "block": 2}[measured] // the coarser side is measured
		onBeam, onBlock := meets["beam"], ""
		if measured == "block" {
			onBeam, onBlock = "", meets["block"]
		}
		r := trial.Run(t, fmt.Sprintf(`{"name": "slid", "model": "energetic", "until": 1, "steps": 4, "energies": [
			{"type": "body", "id": "beam", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [20, 3], "element": "Q1"},
			 "accuracy": "given"}, "young": 1e9, "poisson": 0.3, %s
			 "prescribed": [{"group": "left", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "block", "mesh": {"block": {"corner": [%.17g, 0.2], "size": [0.24, 0.1], "cells": [%d, 2],
			 "element": "Q1"}, "accuracy": "given"}, "young": 1e9, "poisson": 0.3, %s
			 "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [0.25, -1e3]]}]}],
			 "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.25, 0], [1, %.17g]]}}]}],
			"expect": [{"quantity": "displacement", "particle": "beam.20", "axis": "z", "value": 0, "tolerance": 1}]}`,
			onBeam, from, cells, onBlock, way), &Model)
		if r.Summary.Status != table.Done {
			t.Fatal(r.Summary.Message)
		}
		for _, f := range r.Summary.Facts {
			if strings.HasPrefix(f.Name, "bodies that meet: displacements") {
				estimate = f.Value
			}
		}
		return *r.Summary.Expectations[0].Value, estimate, r.Summary.Certified
	}
	for k, way := range []float64{0.002, 0.09, 0.06} {
		measured := []string{"block", "block", "beam"}[k]
		slid, estimate, certified := beam(measured, 1.003, way)
		stays, _, _ := beam(measured, 1.003+way, 0)
		err := math.Abs(slid/stays - 1)
		if certified != (err < 0.01) || estimate < err/1.25 || estimate > 2*err {
			t.Errorf("%s, way %g: off by %.4g, estimate %.4g, certified %t", measured, way, err, estimate, certified)
		}
	}
}

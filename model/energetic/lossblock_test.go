package energetic

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/model/particleview"
)

// TestLossOfBlock: a block held by friction, μ = ½, under a weight of 10 and a pull of 10 t along the floor is lost at t = ½, in a run of few
// steps too, where none of them ends there; nothing is solved for a step that is lost. In space one of linear material did not end, in
// the plane one of neo-Hookean was not solved, and its loss not named.
func TestLossOfBlock(t *testing.T) {
	ramp := object{"table": []any{[]any{0.0, 0.0}, []any{1.0, 10.0}}}
	for _, c := range []struct {
		name        string
		size, cells []any
		force       []any
		law         string
	}{
		{"in space", []any{1.0, 0.5, 0.25}, []any{2.0, 1.0, 1.0}, []any{ramp, 0.0, -10.0}, "linear"},
		{"in the plane", []any{1.0, 0.25}, []any{2.0, 1.0}, []any{ramp, -10.0}, "neo-hookean"},
	} {
		body := object{"type": "body", "id": "b", "mesh": object{"block": object{"size": c.size, "cells": c.cells}}, "young": 1000.0, "poisson": 0.3, "body_force": c.force,
			"contact": []any{object{"group": "bottom", "obstacle": "floor", "friction": "dry"}}}
		doc := object{"name": "b", "model": "energetic", "until": 1.0, "steps": 5.0, "until_loss": true, "equilibrate": true, "stability": "convex",
			"obstacles": object{"floor": object{"point": []any{0.0, 0.0, 0.0}, "normal": []any{0.0, 0.0, 1.0}}},
			"friction":  object{"dry": object{"mu": 0.5}}, "energies": []any{body}}
		if c.law != "linear" {
			body["law"] = c.law
		} else {
			delete(doc, "stability")
		}
		x := tried(t, doc)
		l := x.Summary.Section.(*particleview.Section).Loss
		if l == nil || math.Abs(l.Time-0.5) > 1e-9 {
			t.Errorf("%s: %+v, %s", c.name, l, x.Summary.Message)
		}
	}
}

package energetic

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestReactions: what supports, obstacles, loads and springs do to bodies that rest adds up to nothing along each axis:
// of blocks that meet on a joint that leans and ends on rollers of both, whichever is measured, tied, with friction and
// without; of one on a floor with friction, whose corner is on a roller; and where a spring acts on a held node.
func TestReactions(t *testing.T) {
	sensor := func(body, group, axis string) string {
		return fmt.Sprintf(`{"quantity": "reaction", "body": %q, "group": %q, "axis": %q}`, body, group, axis)
	}
	const ramp = `{"table": [[0, 0], [1, %g]]}`
	check := func(name, dir, text string, scale float64, parts map[string]float64) {
		t.Helper()
		c, n := stepped(t, dir, text, 1)
		r := &Run{c: c, last: n}
		for axis, given := range parts { // along an axis of global coordinates
			sum, largest := given, math.Abs(given)
			for i := range c.sensors {
				if x := &c.sensors[i]; strings.HasSuffix(x.ID, "."+axis) {
					f := r.Value(x)
					sum, largest = sum+f, max(largest, math.Abs(f))
				}
			}
			if !(math.Abs(sum) <= 1e-9*scale && largest > 1e-3*scale) {
				t.Errorf("%s: forces along %s add up to %g N, the largest is %g N", name, axis, sum, largest)
			}
		}
	}
	for _, joint := range []string{`"tied": true`, `"touching": 1e-9`, `"friction": "rough", "touching": 1e-9`} {
		for _, low := range []bool{true, false} {
			dir, friction := t.TempDir(), ""
			if strings.Contains(joint, "rough") {
				friction = `"rough": {"mu": 0.2}`
			}
			slope := func(x float64) float64 { return 1 + 0.3*x }
			halfBody(t, dir, "low.msh", 5, 3, 0, slope)
			halfBody(t, dir, "high.msh", 7, 2, 2, slope)
			contact := [2]string{"", fmt.Sprintf(`, "contact": [{"group": "near", "body": "low", "side": "near", %s}]`, joint)}
			if low {
				contact = [2]string{fmt.Sprintf(`, "contact": [{"group": "near", "body": "high", "side": "near", %s}]`, joint), ""}
			}
			bodies := fmt.Sprintf(`{"type": "body", "id": "low", "mesh": {"file": "low.msh"}, "young": 1000, "poisson": 0.3,
				"prescribed": [{"group": "far", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]%s},
				{"type": "body", "id": "high", "mesh": {"file": "high.msh"}, "young": 500, "poisson": 0.2,
				"prescribed": [{"group": "far", "axis": "y", "motion": `+ramp+`}, {"group": "left", "axis": "x", "motion": 0}]%s}`,
				contact[0], -0.02, contact[1])
			sensors := strings.Join([]string{sensor("low", "far", "y"), sensor("high", "far", "y"),
				sensor("low", "left", "x"), sensor("high", "left", "x")}, ", ")
			check(joint, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "friction": {%s}, "sensors": [%s], "energies": [%s]}`,
				friction, sensors, bodies), 10, map[string]float64{"x": 0, "y": 0})
		}
	}
	floor := strings.Join([]string{sensor("b", "left", "x"), sensor("b", "top", "y"),
		`{"name": "friction.x", "quantity": "friction_force", "axis": "x"}`, `{"name": "floor.y", "quantity": "normal_force"}`}, ", ")
	check("on a floor", "", fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
		"friction": {"rough": {"mu": 0.3}}, "sensors": [%s], "energies": [{"type": "body", "id": "b",
		"mesh": {"block": {"size": [1, 1], "cells": [4, 4]}}, "young": 1000, "poisson": 0.3,
		"prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": `+ramp+`}],
		"tractions": [{"group": "right", "force": [`+ramp+`, 0]}],
		"contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}]}]}`, floor, -0.02, 5.), 10,
		map[string]float64{"x": 5, "y": 0})
	spring := strings.Join([]string{sensor("b", "bottom", "x"), sensor("b", "bottom", "y"),
		`{"name": "spring.x", "quantity": "spring_tension", "particle": "b.1", "other": "a", "axis": "x"}`}, ", ")
	check("a spring", "", `{"model": "energetic", "until": 1, "steps": 1, "sensors": [`+spring+`], "energies": [{"type": "body", "id": "b",
		"mesh": {"block": {"size": [1, 1], "cells": [2, 2]}}, "young": 1000, "poisson": 0.3,
		"prescribed": [{"group": "bottom", "axis": "x", "motion": {"table": [[0, 0], [1, 0.2]]}}, {"group": "bottom", "axis": "y", "motion": 0}]},
		{"type": "load", "particle": "b.8", "force": [{"table": [[0, 0], [1, 5]]}, 0, {"table": [[0, 0], [1, 3]]}]},
		{"type": "tether", "particle": "b.1", "anchor": "a", "stiffness": 500}], "anchors": [{"id": "a", "at": [2, 0, 0]}]}`, 3,
		map[string]float64{"x": 5, "y": 3})
}

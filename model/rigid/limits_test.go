package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestLimits: what comes to the end of a joint's range is stopped there, or thrown back, by a force along
// the joint that both bodies feel; certified by default, and from the files.
func TestLimits(t *testing.T) {
	thorough.Seconds(t)
	const disc = `"mass": 2, "shape": {"type": "disc", "radius": 0.5}` // I = ¼
	is := func(quantity, rest string, want float64) string {
		tolerance := 2e-3
		if quantity == "collision_time" { // which is met where all that it may be is
			tolerance = .05
		}
		return fmt.Sprintf(`{"quantity": %q, %s "value": %.12g, "tolerance": %g}`, quantity, rest, want, tolerance)
	}
	turn := func(more string) string {
		return `"dimension": 3, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "spin": [0, 2.5, 0]}], "joints": [{"type": "revolute", "body": "a", "axis": [0, 3, 0], "limits": ` +
			more + `}]`
	}
	slide := func(grid string) string {
		return grid + `"dimension": 3, "gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 3}], "joints": [{"type": "prismatic", "body": "a", "axis": [0, 0, 2], "limits": {"min": -0.2}}]`
	}
	for name, c := range map[string][2]string{
		// Falls .2 m, loses mgh there, and lies.
		"lies": {slide(""), is("collision_time", "", .2) + "," + is("dissipation", "", 6) + "," +
			is("position", `"body": "a", "axis": "z",`, -.2)},
		"gaps": {slide(`"grid": "gaps", "steps": 2000, `),
			is("dissipation", "", 6) + "," + is("position", `"body": "a", "axis": "z",`, -.2)},
		// A turn of more than half a revolution in space: 4 rad at 1.6 s, back with half of the speed.
		"turns back": {turn(`{"min": 0, "max": 4, "restitution": 0.5}`),
			is("collision_time", "", 1.6) + "," + is("spin", `"body": "a", "axis": "y",`, -1.25)},
		"not reached": {turn(`{"min": -1, "max": 5}`), is("collisions", "", 0) + "," + is("spin", `"body": "a", "axis": "y",`, 2.5)},
		// In the plane a turn goes on over revolutions.
		"after two revolutions": {`"dimension": 2, "bodies": [{"id": "a", "spin": 10, ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "limits": {"max": 14}}]`,
			is("collision_time", "", 1.4) + "," + is("angle", `"body": "a",`, 14)},
		// Two wheels in one bearing: what stops one beside the other keeps the moment of momentum.
		"between": {`"dimension": 2, "bodies": [{"id": "a", "spin": 4, ` + disc + `}, {"id": "b", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "limits": {"max": 9}}, {"type": "revolute", "body": "a", "to": "b", "limits": {"max": 2}}]`,
			is("collision_time", "", .5) + "," + is("spin", `"body": "b",`, 2) + "," + is("spin", `"body": "a",`, 2)},
		// A cylindrical joint has a range of each.
		"both": {`"dimension": 3, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "velocity": [0, 1, 0], "spin": [0, 2, 0]}], "joints": [{"type": "cylindrical", "body": "a", "axis": [0, 1, 0], "limits": {"max": 0.5}, "turn_limits": {"max": 2, "min": -2, "restitution": 1}}]`,
			is("position", `"body": "a", "axis": "y",`, .5) + "," + is("spin", `"body": "a", "axis": "y",`, -2)},
		// A screw of 2π m a turn: ½(m + I)v² = mgz.
		"screw": {fmt.Sprintf(`"dimension": 3, "gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 1, "inertia": [1, 1, 1]}], "joints": [{"type": "screw", "body": "a", "axis": [0, 0, 1], "pitch": %.15g, "limits": {"min": -1.6}}]`,
			2*math.Pi), is("collision_time", "", .8) + "," + is("dissipation", "", 16)},
		// A step that goes beyond a limit and comes back in it: v = .9 − .6t is at .5 after .7362 s.
		"within a step": {`"dimension": 2, "steps": 2, "alpha": 0.5, "accuracy": 0.5, "bodies": [{"id": "a", "mass": 1, "velocity": [1.8, 0], "load": [-2.4, 0]}], "joints": [{"type": "prismatic", "body": "a", "axis": [1, 0], "limits": {"max": 0.5}}]`,
			is("collision_time", "", (1.8-math.Sqrt(3.24-2.4))/2.4)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "limited", "model": "rigid", "until": 2, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// TestLimitFaults: limits that a joint cannot have are refused with their place.
func TestLimitFaults(t *testing.T) {
	bearing := func(dim int, joint string) string {
		return fmt.Sprintf(`{"name": "x", "model": "rigid", "until": 1, "dimension": %d, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "%s", "radius": 1}}], "joints": [{"body": "a", %s}]}`,
			dim, []string{"disc", "sphere"}[dim-2], joint)
	}
	for _, c := range [][2]string{
		{bearing(2, `"type": "revolute", "limits": {}`), `$.joints[0].limits: want "min", "max" or both`},
		{bearing(3, `"type": "revolute", "axis": [1, 0, 0], "limits": {"max": 1}`), "want less than a revolution"},
		{bearing(2, `"type": "revolute", "turn_limits": {"max": 1}`), `$.joints[0].turn_limits`},
		{bearing(3, `"type": "spherical", "limits": {"max": 1}`), "which are of a way along an axis or of a turn about one"},
		{bearing(2, `"type": "revolute", "limits": {"min": 1}`), "min"},
	} {
		refused(t, c[0], c[1])
	}
}

// TestLimitsInDegrees: limits of many revolutions are said in revolutions.
func TestLimitsInDegrees(t *testing.T) {
	for limits, want := range map[string]int{`"min": -60, "max": 60`: 1, `"min": -1.05, "max": 1.05`: 0, `"max": 60`: 0} {
		x := trial.Run(t, `{"name": "x", "model": "rigid", "until": 0.1, "steps": 8, "dimension": 2, "bodies": [{"id": "a", "mass": 1, "inertia": 1, "spin": 1}], "joints": [{"type": "revolute", "body": "a", "limits": {`+
			limits+`}}]}`, &rigid.Model)
		if n := len(x.Summary.Notes); n != want {
			t.Errorf("%s: notes %q", limits, x.Summary.Notes)
		}
	}
}

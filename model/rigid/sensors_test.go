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

// TestSensors: what joints, springs and contacts bear, by statics and closed forms.
func TestSensors(t *testing.T) {
	thorough.Seconds(t)
	is := func(quantity, rest string, want, tolerance float64) string {
		return fmt.Sprintf(`{"quantity": %q, %s, "value": %.12g, "tolerance": %g}`, quantity, rest, want, tolerance)
	}
	const beam = `"dimension": 2, "gravity": [0, -10], "bodies": [{"id": "beam", "mass": 2, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [0.5, 0]}], "joints": [{"id": "wall", "body": "beam", "at": [0, 0], `
	const box = `"mass": 3, "shape": {"type": "box", "size": [1, 1, 1]}`
	for name, c := range map[string][2]string{
		"clamped": {beam + `"type": "fixed"}]`, is("joint_force", `"joint": "wall", "axis": "y"`, 20, 1e-9) + "," +
			is("joint_torque", `"joint": "wall"`, 10, 1e-9)},
		"stopped": {beam + `"type": "revolute", "limits": {"min": 0}}]`,
			is("limit_force", `"joint": "wall"`, 10, 1e-9) + "," +
				is("joint_force", `"joint": "wall", "axis": "y"`, 20, 1e-9) + "," + is("joint_position", `"joint": "wall"`, 0, 1e-9)},
		"rubs":  {beam + `"type": "revolute", "friction": 20}]`, is("joint_friction", `"joint": "wall"`, 10, 1e-9)},
		"motor": {beam + `"type": "revolute", "motor": {"velocity": 0, "limit": 20}}]`, is("motor_force", `"joint": "wall"`, 10, 1e-9)},
		"servo": {beam + `"type": "revolute", "motor": {"position": 0, "stiffness": 1e6, "gain": 2e5}}]`,
			is("motor_force", `"joint": "wall"`, 10, 1e-2)},
		"turns": {`"dimension": 3, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "spin": [0, 1.5, 0]}], "joints": [{"id": "j", "type": "revolute", "body": "a", "axis": [0, 1, 0], "limits": {"min": 0, "max": 4}}]`,
			is("joint_position", `"joint": "j"`, 3, 1e-3) + "," + is("joint_rate", `"joint": "j"`, 1.5, 1e-9)},
		"spring": {`"dimension": 2, "accuracy": 1e-3, "bodies": [{"id": "a", "mass": 1, "position": [0, -1]}], "joints": [{"type": "prismatic", "body": "a", "at": [0, -1], "axis": [0, 1]}], "springs": [{"id": "s", "type": "spring", "body": "a", "stiffness": 4, "rest": 0.8}]`,
			is("spring_tension", `"spring": "s"`, .8*math.Cos(4), 5e-3)},
		// Two boxes on the floor, pushed against each other by 6 N.
		"boxes": {`"gravity": [0, 0, -10], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "wall": {"point": [4, 0, 0], "normal": [-1, 0, 0]}}, "friction": {"dry": {"mu": 0}}, "material": "dry", "bodies": [{"id": "a", ` +
			box + `, "position": [2.5, 0, 0.5], "load": [6, 0, 0]}, {"id": "b", ` + box +
			`, "position": [3.5, 0, 0.5]}, {"id": "far", ` + box + `, "position": [0, 0, 0.5]}]`,
			is("contact_force", `"body": "a", "other": "b", "axis": "x"`, -6, 1e-6) + "," +
				is("contact_force", `"body": "b", "other": "a", "axis": "x"`, 6, 1e-6) + "," +
				is("contact_force", `"body": "b", "other": "floor", "axis": "z"`, 30, 1e-6) +
				`,{"quantity": "contact_force", "body": "b", "other": "floor", "axis": "z", "min": 29.999999}` + // from the first step on
				"," + is("distance", `"body": "far", "other": "a"`, 1.5, 1e-9) + "," +
				is("distance", `"body": "far", "other": "wall"`, 3.5, 1e-9) + "," +
				is("contact_torque", `"body": "far", "other": "floor", "axis": "y"`, 0, 1e-6)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "sensed", "model": "rigid", "until": 2, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// TestWrongSensors: what a line of expect cannot look at is a fault, with the place.
func TestWrongSensors(t *testing.T) {
	for line, want := range map[string]string{
		`{"quantity": "joint_force", "axis": "x", "value": 0, "tolerance": 1}`:                                   `"joint" is missing`,
		`{"quantity": "joint_force", "joint": "hing", "axis": "x", "value": 0, "tolerance": 1}`:                  "hinge",
		`{"quantity": "motor_force", "joint": "hinge", "value": 0, "tolerance": 1}`:                              `has no "motor"`,
		`{"quantity": "distance", "body": "b", "other": "b", "value": 0, "tolerance": 1}`:                        "twice",
		`{"quantity": "distance", "body": "b", "other": "c", "value": 0, "tolerance": 1}`:                        "never meet",
		`{"quantity": "spring_tension", "spring": "s", "value": 0, "tolerance": 1}`:                              "$.expect[0].spring",
		`{"quantity": "velocity", "body": "b", "axis": "x", "joint": "hinge", "value": 0, "tolerance": 1}`:       "no effect on velocity",
		`{"quantity": "contact_force", "body": "b", "other": "nobody", "axis": "x", "value": 0, "tolerance": 1}`: "nobody",
	} {
		refused(t, `{"name": "x", "model": "rigid", "until": 1, "dimension": 2, "gravity": [0, -1], "bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.5}}, {"id": "c", "mass": 1, "shape": {"type": "disc", "radius": 0.5}}], "joints": [{"id": "hinge", "type": "revolute", "body": "b", "to": "c"}], "expect": [`+
			line+`]}`, want)
	}
}

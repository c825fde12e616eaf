package rigid_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestBrakes: dry friction in a joint, and a motor without a gain, have the force that holds the wanted
// velocity, up to their bound: certified by default, and from the files.
func TestBrakes(t *testing.T) {
	thorough.Seconds(t)
	const disc = `"mass": 2, "shape": {"type": "disc", "radius": 0.5}` // I = ¼
	is := func(quantity, rest string, want, tolerance float64) string {
		return fmt.Sprintf(`{"quantity": %q, %s "value": %.12g, "tolerance": %g}`, quantity, rest, want, tolerance)
	}
	slide := func(friction float64, more string) string {
		return more + fmt.Sprintf(`"dimension": 3, "gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 3}], "joints": [{"type": "prismatic", "body": "a", "axis": [0, 0, 2], "friction": %g}]`,
			friction)
	}
	const ramp = `{"table": [[0, 0], [0.3, 3], [0.7, 3], [1.6, -6]]}` // 10, 0 and −10 rad/s²
	z := `"body": "a", "axis": "z",`
	for name, c := range map[string][2]string{
		"holds":    {slide(30.001, ""), is("displacement", z, 0, 1e-12) + "," + is("dissipation", "", 0, 1e-12)},
		"slides":   {slide(15, ""), is("displacement", z, -10, 1e-9) + "," + is("dissipation", "", 150, 1e-7)},
		"gap grid": {slide(15, `"grid": "gaps", "steps": 4000, `), is("displacement", z, -10, 5e-3) + "," + is("dissipation", "", 150, .1)},
		"α = 1":    {slide(30.001, `"alpha": 1, `), is("displacement", z, 0, 1e-12)},
		// Thrown up at 4 m/s it rises by v²/2(g + F/m) in v/(g + F/m), and falls with g − F/m.
		"comes back": {`"accuracy": 1e-3, "dimension": 3, "gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 3, "velocity": [0, 0, 4]}], "joints": [{"type": "prismatic", "body": "a", "axis": [0, 0, 1], "friction": 15}]`,
			is("displacement", z, 16/30.-.5*5*(2-4/15.)*(2-4/15.), 1e-3)},
		// A screw of 2π m a turn carries its weight: m + I = 2 kg, 20 − 14 N are left.
		"screw": {`"dimension": 3, "gravity": [0, 0, -20], "bodies": [{"id": "a", "mass": 1, "inertia": [1, 1, 1]}], "joints": [{"type": "screw", "body": "a", "axis": [0, 0, 1], "pitch": 6.283185307179586, "friction": 14}]`,
			is("displacement", z, -6, 1e-2)},
		// A wheel drags another one along, by 0.5 N m, until they are as fast.
		"between": {`"dimension": 2, "bodies": [{"id": "a", "spin": 6, ` + disc + `}, {"id": "b", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a"}, {"type": "revolute", "body": "a", "to": "b", "friction": 0.5}]`,
			is("spin", `"body": "b",`, 3, 1e-4) + "," + is("spin", `"body": "b", "time": 1,`, 2, 1e-9) + "," +
				is("dissipation", "", 2.25, 1e-4)},
		// A motor that is strong enough has its velocity, over kinks; the friction beside it takes 1 N m.
		"ramp": {`"dimension": 2, "bodies": [{"id": "a", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "friction": 1, "motor": {"velocity": ` + ramp + `, "limit": 4}}]`,
			is("spin", `"body": "a", "time": 0.3,`, 3, 1e-9) + "," + is("spin", `"body": "a", "time": 1,`, 0, 1e-9) +
				"," + is("spin", `"body": "a", "time": 1.6,`, -6, 1e-9) + "," + is("spin", `"body": "a",`, -6, 1e-9) +
				"," + is("work", "", 4.5+1*(.45+1.2+.45+1.8+2.4), 1e-2)},
		// Of one that has 2 N m, less 1 of friction, 4 rad/s² are left, to −8 rad/s.
		"in space": {`"dimension": 3, "bodies": [{"id": "a", "mass": 1, "inertia": [0.5, 0.25, 0.5]}], "joints": [{"type": "revolute", "body": "a", "axis": [0, -3, 0], "friction": 1, "motor": {"velocity": 20, "limit": 2}}]`,
			is("spin", `"body": "a", "axis": "y",`, -8, 1e-9)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "braked", "model": "rigid", "until": 2, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

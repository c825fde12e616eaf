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

// TestPositionMotors: a motor with a limit and a position has its place as long as its force
// suffices, at any number of steps, and comes back to it as it says where it does not.
func TestPositionMotors(t *testing.T) {
	thorough.Seconds(t)
	is := func(quantity, rest string, want, tolerance float64) string {
		return fmt.Sprintf(`{"quantity": %q, "joint": "j", %s "value": %.12g, "tolerance": %g}`, quantity, rest, want, tolerance)
	}
	slide := func(more, motor string) string {
		return more + `"dimension": 2, "gravity": [0, -10], "bodies": [{"id": "a", "mass": 1}], "joints": [{"id": "j", "type": "prismatic", "body": "a", "axis": [1, 0], "motor": {` +
			motor + `}}]`
	}
	turn := func(more, motor string) string {
		return more + `"dimension": 3, "bodies": [{"id": "a", "mass": 1, "inertia": [0.5, 0.25, 0.5]}], "joints": [{"id": "j", "type": "revolute", "body": "a", "axis": [0, -3, 0], ` +
			motor + `}]`
	}
	const sway = `{"sine": {"amplitude": 0.5, "frequency": 0.5, "phase": -1.5707963267948966, "offset": 0.5}}` // at 2 s at 0 again, at 0.5 s at 0.5
	// Of 1 m that is missing, with 2 m/s² and τ = ½ s: 2t = 2(1 − t²) at t = φ, the golden ratio; then
	// the rate e/τ would fall faster than the motor can brake, which goes on at −2 m/s² for φ³ s, and
	// is left φ² m.
	phi := (math.Sqrt(5) - 1) / 2
	for name, c := range map[string][2]string{
		"few steps": {slide(`"steps": 20, "alpha": 0.5, "accuracy": 1, `,
			`"position": `+sway+`, "limit": 20, "recovery": 0.05`),
			is("joint_position", `"time": 0.5,`, .5, 1e-4) + "," + is("joint_position", "", 0, 1e-9)},
		"first order": {slide(`"steps": 200, "alpha": 1, "accuracy": 1, "accept": ["dissipation"], `,
			`"position": `+sway+`, "limit": 20, "recovery": 0.05`), is("joint_position", "", 0, 1e-9)},
		"chosen": {slide("", `"position": `+sway+`, "limit": 20, "recovery": 0.05`),
			is("joint_position", `"time": 0.5,`, .5, 1e-4)},
		"force": {slide(`"steps": 400, "alpha": 0.5, `, `"position": `+sway+`, "limit": 20, "recovery": 0.05`),
			is("motor_force", `"time": 1,`, -.5*math.Pi*math.Pi, 3e-2)},
		"too weak": {slide(`"accuracy": 1e-3, `, `"position": 1, "limit": 2, "recovery": 0.5`),
			is("joint_position", `"time": 0.6,`, .36, 3e-4) + "," +
				is("joint_position", "", 1-phi*phi*math.Exp(-2*(2-phi-phi*phi*phi)), 1e-4)},
		// Over a revolution and a half in space.
		"turns": {turn("", `"motor": {"position": {"table": [[0, 0], [2, 10]]}, "limit": 50, "recovery": 0.1}`),
			is("joint_position", "", 10, 1e-9) + "," + is("joint_rate", "", 5, 5e-2)},
		"in limits": {turn("", `"limits": {"min": -1, "max": 4}, "motor": {"position": {"table": [[0, 0], [1, 3.5]]}, "limit": 50, "recovery": 0.1}`),
			is("joint_position", "", 3.5, 1e-4) + "," + is("limit_force", "", 0, 1e-9)},
		// A damper takes the spin of ¼ kg m² by 1/e in ½ s, and the rest of its 2 rad by then.
		"damper": {`"accuracy": 1e-3, "dimension": 3, "bodies": [{"id": "a", "mass": 1, "inertia": [0.5, 0.25, 0.5], "spin": [0, -4, 0]}], "joints": [{"id": "j", "type": "revolute", "body": "a", "axis": [0, -3, 0], "damping": 0.5}]`,
			is("joint_position", "", 2-2*math.Exp(-4), 1e-3) + "," + is("joint_rate", `"time": 0.5,`, 4*math.Exp(-1), 2e-3)},
		"servo": {turn("", `"limits": {"min": -1, "max": 4}, "motor": {"position": 3.5, "stiffness": 25, "gain": 5}`),
			is("joint_position", "", 3.5, 1e-3)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "placed", "model": "rigid", "until": 2, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestWithin: a ball of radius .05 m that is let go at .5 m and bounces with e = .8. What is expected
// is compared with the state at the impact, which lies between two rows, too: the least height is its
// radius, the largest energy mg·.45, and beside the impact the velocity is no mean over it.
func TestWithin(t *testing.T) {
	const g, drop, e = 9.81, .45, .8
	hit, u := math.Sqrt(2*drop/g), math.Sqrt(2*drop*g)
	at := func(t float64) float64 { return .05 + e*u*(t-hit) - g*(t-hit)*(t-hit)/2 }
	for text, met := range map[string]bool{
		`{"quantity": "distance", "body": "b", "other": "f", "min": 0.001}`:          false,
		`{"quantity": "dissipation", "time": 0.302, "value": 0, "tolerance": 1e-12}`: true,
		fmt.Sprintf(`{"quantity": "dissipation", "time": 0.304, "value": %.9g, "tolerance": 1e-8}`,
			g*drop*(1-e*e)): true,
		`{"quantity": "kinetic_energy", "max": 4.3}`: false,
		fmt.Sprintf(`{"quantity": "kinetic_energy", "max": %.9g}`,
			g*drop+1e-6): true,
		`{"quantity": "position", "body": "b", "axis": "y", "min": 0.06}`:                                       false,
		`{"quantity": "position", "body": "b", "axis": "y", "min": 0.0499999}`:                                  true,
		`{"quantity": "largest_displacement", "max": 0.445}`:                                                    false,
		`{"quantity": "largest_displacement", "max": 0.450001}`:                                                 true,
		`{"quantity": "velocity", "body": "b", "axis": "y", "time": 0.302, "value": -1.208, "tolerance": 0.01}`: false,
		fmt.Sprintf(`{"quantity": "velocity", "body": "b", "axis": "y", "time": 0.302, "value": %.9g, "tolerance": 1e-9}`,
			-g*.302): true,
		fmt.Sprintf(`{"quantity": "velocity", "body": "b", "axis": "y", "time": 0.304, "value": %.9g, "tolerance": 1e-8}`,
			e*u-g*(.304-hit)): true,
		fmt.Sprintf(`{"quantity": "position", "body": "b", "axis": "y", "time": 0.304, "value": %.9g, "tolerance": 3e-4}`,
			at(.304)): true, // g h²/8 of h = 1/64
		fmt.Sprintf(`{"quantity": "position", "body": "b", "axis": "y", "time": %.9g, "value": %.9g, "tolerance": 3e-4}`,
			hit+1e-3, at(hit+1e-3)): true,
	} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "ball", "model": "rigid", "until": 1, "dimension": 2, "gravity": [0, -%g],
			"obstacles": {"f": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"d": {"mu": 0, "restitution": %g}}, "material": "d",
			"bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.05}, "position": [0, 0.5]}], "expect": [%s]}`,
			g, e, text), &rigid.Model)
		if got := x.Summary.Expectations[0].Met; got != met {
			t.Errorf("%s: met %t, want %t", text, got, met)
		}
	}
}

// TestHeldBrake: a brake holds a rotor under a torque that grows: the work of each step is the
// rounding of a torque of 1 N m times no way, of which the files differ from what is played again.
func TestHeldBrake(t *testing.T) {
	x := trial.Run(t, `{"name": "brake", "model": "rigid", "until": 1, "dimension": 2, "bodies": [{"id": "p", "mass": 1, "shape": {"type": "disc", "radius": 0.2}}],
		"joints": [{"id": "j", "type": "revolute", "body": "p", "at": [0, 0], "friction": 1}], "loads": [{"body": "p", "torque": {"table": [[0, 0], [1, 3]]}}]}`,
		&rigid.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}

package rigid

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestEquilibrium: what is in equilibrium to the last digit stays, and is certified to: an arm that
// its motor holds against gravity, in the plane and in space, wherever its joint is; a drawer that
// jams between its guides, as its friction angle has it, however far out it is pulled. What moves
// there is rounding, and no share of it is asked.
func TestEquilibrium(t *testing.T) {
	thorough.Seconds(t)
	for k, at := range []float64{1, 0.1, -3, 1 / 3., 20} {
		for _, mass := range []float64{0.3, 2} {
			length := 0.1 * float64(k+2)
			torque := mass * 9.81 * length / 2
			trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 1, "gravity": [0, -9.81], "bodies": [{"id": "a", "mass": %g, "shape": {"type": "rod", "length": %g, "radius": 0.03}, "position": [%g, %g]}],
				"joints": [{"id": "j", "type": "revolute", "body": "a", "at": [%g, %g], "motor": {"force": %.17g}}],
				"expect": [{"quantity": "angle", "body": "a", "value": 0, "tolerance": 1e-9}]}`, mass, length,
				at+length/2, at, at, at, torque), &Model).Passed(t)
			trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 1, "gravity": [0, 0, -9.81], "bodies": [{"id": "a", "mass": %g, "shape": {"type": "box", "size": [%g, 0.05, 0.05]}, "position": [%g, 0.7, %g]}],
				"joints": [{"id": "j", "type": "revolute", "body": "a", "at": [%g, 0.7, %g], "axis": [0, -1, 0], "motor": {"force": %.17g}}],
				"expect": [{"quantity": "joint_position", "joint": "j", "value": 0, "tolerance": 1e-9}]}`, mass, length,
				at+length/2, at, at, at, torque), &Model).Passed(t)
		}
	}
	guide := `"mass": 1, "shape": {"type": "polygon", "vertices": [[-0.02, -1], [0.02, -1], [0.02, 1], [-0.02, 1]]}`
	for _, lever := range []float64{0.35} { // jams beyond L/(2μ) = .3 m
		trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 0.3, "friction": {"d": {"mu": 0.5}}, "material": "d", "bodies": [
			{"id": "drawer", "mass": 2, "shape": {"type": "polygon", "vertices": [[-0.2, -0.15], [0.2, -0.15], [0.2, 0.15], [-0.2, 0.15]]}},
			{"id": "left", %[1]s, "position": [-0.22, 0]}, {"id": "right", %[1]s, "position": [0.22, 0]}],
			"joints": [{"type": "fixed", "body": "left", "at": [-0.22, 0]}, {"type": "fixed", "body": "right", "at": [0.22, 0]}],
			"loads": [{"body": "drawer", "at": [%[2]g, 0.15], "force": [0, 10]}],
			"expect": [{"quantity": "position", "body": "drawer", "axis": "y", "value": 0, "tolerance": 1e-6}]}`, guide,
			lever), &Model).Passed(t)
	}
}

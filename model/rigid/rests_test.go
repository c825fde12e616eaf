package rigid

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestBounceRests: what bounces lower and lower comes to rest, and stays so: the last rebound of a series
// falls back within a step, and α = ½ would turn it round in each one that follows.
func TestBounceRests(t *testing.T) {
	for _, c := range []struct {
		e     float64
		steps string
	}{{0.2, ""}, {0.5, ""}, {0.5, `, "steps": 400, "alpha": 0.5`}, {0.8, `, "steps": 3000, "alpha": 0.5`}} {
		trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 6%s, "gravity": [0, -9.81], "friction": {"f": {"mu": 0.3, "restitution": %g}}, "material": "f",
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "bodies": [{"id": "b", "mass": 1, "position": [0, 0.6], "velocity": [0.3, 0], "shape": {"type": "disc", "radius": 0.1}}],
			"expect": [{"quantity": "velocity", "body": "b", "axis": "y", "value": 0, "tolerance": 1e-9}]}`, c.steps,
			c.e), &Model).Passed(t)
	}
}

// TestHangs: a mass that hangs on a spring, at rest but for the rounding of the forces that cancel, in the
// plane, in space, for long; what it does there is no motion that its errors are a share of.
func TestHangs(t *testing.T) {
	for _, c := range []struct {
		dimension, gravity, at, origin, other string
		until                                 float64
	}{
		{"2", "[0, -9.81]", "[1, -1]", "[0, 0]", "[1, 0]", 0.5},
		{"3", "[0, -9.81, 0]", "[1, -1, 0]", "[0, 0, 0]", "[1, 0, 0]", 0.5},
		{"2", "[0, -9.81]", "[1, -1]", "[0, 0]", "[1, 0]", 100},
	} {
		trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": %s, "until": %g, "gravity": %s, "bodies": [{"id": "c", "mass": 2, "position": %s}],
			"springs": [{"id": "s", "type": "spring", "body": "c", "at": %s, "other": %s, "stiffness": 1000, "rest": 0.98038}],
			"expect": [{"quantity": "spring_tension", "spring": "s", "value": 19.62, "tolerance": 1e-9}]}`,
			c.dimension, c.until, c.gravity, c.at, c.origin, c.other), &Model).Passed(t)
	}
}

package models_test

import (
	"math"
	"testing"
)

// TestWholeTurns: a disc turns a whole number of times in each step, 12,000 times a minute, and a
// point slides on it. Neither the steps nor twins of them saw it turn: the point stopped after .68
// s, certified in all models, though friction never lets it rest, and takes 4,344 J in 1 s, by the
// method of Runge and Kutta in 70,000 and 200,000 steps.
func TestWholeTurns(t *testing.T) {
	t.Parallel()
	for _, model := range sliding {
		for _, steps := range []int{50, 200} {
			angle := object{"table": list{list{0, 0}, list{1, 2 * math.Pi * 200}}}
			doc := object{"model": model, "name": "grinder", "until": 1, "steps": steps, "accuracy": .05, "gravity": list{0, 0, -9.81},
				"obstacles": object{"disc": object{"point": list{0, 0, 0}, "normal": list{0, 0, 1}, "motion": object{"rotation": object{"axis": list{0, 0, 1}, "through": list{0, 0, 0}, "angle": angle}}}},
				"friction":  object{"m": object{"mu": .3}},
				"bodies":    list{object{"id": "p", "mass": 1, "position": list{.1, 0, 0}, "velocity": list{0, 2, 0}}}}
			if model == "rigid" {
				doc["material"] = "m"
			} else {
				doc["contacts"] = list{object{"body": "p", "obstacle": "disc", "friction": "m", "patch": "rigid"}}
			}
			const taken = 4344
			if o := outcomeOf(t, doc); o.certified && math.Abs(o.d-taken) > .05*taken || o.d < taken/2 {
				t.Errorf("%s in %d steps: certified %t, %g J taken of %d", model, steps, o.certified, o.d, taken)
			}
		}
	}
}

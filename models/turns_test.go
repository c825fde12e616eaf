package models_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
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
				"obstacles": object{"disc": object{"point": list{0, 0, 0}, "normal": list{0, 0, 1},
					"motion": object{"rotation": object{"axis": list{0, 0, 1}, "through": list{0, 0, 0}, "angle": angle}}}},
				"friction": object{"m": object{"mu": .3}},
				"bodies":   list{object{"id": "p", "mass": 1, "position": list{.1, 0, 0}, "velocity": list{0, 2, 0}}}}
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

// TestRoller: a disc on a bearing rests on a roller that turns, and is turned by a constant torque
// μNR while it slides. The way of a point of the roller has a part towards its axis, ω²h/2·arm, so
// that the roller seemed to fall away from the disc each step: what chose its steps found none.
func TestRoller(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for _, c := range []struct {
		alpha float64
		steps int
	}{{}, {.5, 400}, {1, 2000}} {
		doc := object{"model": "rigid", "name": "roller", "dimension": 2, "until": 2, "gravity": list{0, -10},
			"obstacles": object{"roller": object{"type": "sphere", "center": list{0, -.2}, "radius": .2,
				"motion": object{"rotation": object{"through": list{0, -.2}, "angle": object{"table": list{list{0, 0}, list{2, 120}}}}}}},
			"friction": object{"m": object{"mu": .1}}, "material": "m",
			"bodies": list{object{"id": "p", "mass": 1, "shape": object{"type": "disc", "radius": .1}, "inertia": .5,
				"position": list{0, .1}, "spin": -5}},
			"joints": list{object{"type": "slider", "body": "p", "at": list{0, .1}, "axis": list{0, 1}}}}
		if c.steps > 0 {
			doc["steps"], doc["alpha"] = c.steps, c.alpha
		}
		r, err := drive(built(t, doc), func(run.Run, int) {})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		const want = -5*2 - .1*10*.1/.5*2*2/2 // [rad]
		turn := r.Value(&casefile.Expectation{Quantity: "angle", Subject: 0})
		if bad := slices.ContainsFunc(r.Verdict(), func(f table.Fact) bool { return !f.Passed }); bad || math.Abs(turn-want) > 1e-3 {
			t.Errorf("%+v: certified %t, %.6g rad, want %g", c, !bad, turn, want)
		}
	}
}

package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestAlternatingForces: of a top whose centre of mass is off that of its sphere the force alternates for α = ½
// about that for α = 1, which the run says.
func TestAlternatingForces(t *testing.T) {
	for alpha, told := range map[float64]bool{.5: true, 1: false} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.01, "steps": 120, "alpha": %g, "accuracy": 0.02, "gravity": [0, 0, -9.81],
			"obstacles": {"table": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"felt": {"mu": 0.3, "drilling": 0.001}}, "material": "felt",
			"bodies": [{"id": "top", "mass": 0.02, "shape": {"type": "sphere", "radius": 0.02}, "centre": [0, 0, -0.004], "inertia": [3.2e-6, 3.2e-6, 3.2e-6],
			"position": [0, 0, 0.02], "orientation": [0.9987502603949663, 0.04997916927067833, 0, 0], "spin": [0, 0, 100]}]}`,
			alpha), &Model)
		if strings.Contains(readFile(t, x.Dir, "summary.json"), `"alternating_force": "top/table"`) != told {
			t.Errorf("α = %g: told %v", alpha, !told)
		}
	}
	x, share := pulse{}, 0.0
	for k := range 20 { // what rises and falls slowly does not alternate
		if x, share = x.next(1+.3*float64(k%10), .01, 1); share > 0 {
			t.Errorf("%d: %g", k, share)
		}
	}
}

// TestFollowerOnCam: a flat follower on an eccentric disc that turns at w is pressed on by the spring and its
// weight up to w² = g/e + (F₀ + 2ke)/me. At .995 of that chosen steps of a millisecond, of whose forces α = ½
// makes every second one less, lift it: that is not accurate. In 3000 steps it stays.
func TestFollowerOnCam(t *testing.T) {
	const e, m, k, f0, g = .01, .5, 800., 20., 9.81
	w := .995 * math.Sqrt(g/e+(f0+2*k*e)/(m*e))
	run := func(steps string) *trial.Trial {
		return trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 0.3, "gravity": [0, -9.81], %s
			"obstacles": {"cam": {"type": "sphere", "center": [0, -0.01], "radius": 0.03, "motion": {"rotation": {"through": [0, 0], "angle": {"table": [[0, 0], [1, %.17g]]}}}}},
			"bodies": [{"id": "f", "mass": 0.5, "shape": {"type": "polygon", "vertices": [[-0.05, -0.01], [0.05, -0.01], [0.05, 0.01], [-0.05, 0.01]]}, "position": [0, 0.03]}],
			"joints": [{"type": "prismatic", "body": "f", "at": [0, 0.03], "axis": [0, 1]}],
			"springs": [{"type": "spring", "body": "f", "other": [0, 1], "stiffness": 800, "rest": 0.995}],
			"expect": [{"quantity": "distance", "body": "f", "other": "cam", "max": 1e-12}]}`, steps, w), &Model)
	}
	if x := run(""); x.Summary.Certified || !strings.Contains(x.Summary.Message, "alternates from step to step, and so opens its contact") {
		t.Errorf("chosen steps: certified %v: %s", x.Summary.Certified, x.Summary.Message)
	}
	run(`"alpha": 0.5, "steps": 3000,`).Passed(t)
}

// TestForceOfFollower: the force on a follower of chosen steps is least at m(g + F₀/m + 2ke/m − eω²), whatever it
// alternates by from step to step; where that opens the contact, what is expected of the force is not decided.
func TestForceOfFollower(t *testing.T) {
	run := func(w float64) *trial.Trial {
		return trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 0.25, "gravity": [0, -9.81],
			"obstacles": {"cam": {"type": "sphere", "center": [0, -0.01], "radius": 0.03, "motion": {"rotation": {"through": [0, 0], "angle": {"table": [[0, 0], [1, %.17g]]}}}}},
			"bodies": [{"id": "f", "mass": 0.5, "shape": {"type": "polygon", "vertices": [[-0.05, -0.01], [0.05, -0.01], [0.05, 0.01], [-0.05, 0.01]]}, "position": [0, 0.03]}],
			"joints": [{"type": "prismatic", "body": "f", "at": [0, 0.03], "axis": [0, 1]}],
			"springs": [{"type": "spring", "body": "f", "other": [0, 1], "stiffness": 800, "rest": 0.995}],
			"expect": [{"quantity": "contact_force", "body": "f", "other": "cam", "axis": "y", "min": 0.05}]}`, w), &Model)
	}
	least := func(w float64) float64 { return .5*9.81 + 20 + 2*800*.01 - .5*.01*w*w }
	x := run(89.2)
	x.Passed(t)
	if o := x.Summary.Expectations[0]; !(math.Abs(*o.Value-least(89.2)) < .1+o.Within && o.Within < .5) { // it alternates by 1 N
		t.Errorf("the least force is %v ± %g, want %g", *o.Value, o.Within, least(89.2))
	}
	if o := run(90.3).Summary.Expectations[0]; !o.Undecided() || !(math.Abs(*o.Value-least(90.3)) <= o.Within) {
		t.Errorf("at the limit: %v ± %g, met %v, want undecided about %g", *o.Value, o.Within, o.Met, least(90.3))
	}
}

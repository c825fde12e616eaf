package rigid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
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

// follower is a flat follower of .5 kg on an eccentric disc that turns at w, e = .01 m, for a time, pressed on by its weight
// and a spring of 800 N/m that has a force at the lowest place.
func follower(w, until, force float64, more, expect string) string {
	return fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": %g, "gravity": [0, -9.81], %s
		"obstacles": {"cam": {"type": "sphere", "center": [0, -0.01], "radius": 0.03, "motion": {"rotation": {"through": [0, 0], "angle": {"table": [[0, 0], [1, %.17g]]}}}}},
		"bodies": [{"id": "f", "mass": 0.5, "shape": {"type": "polygon", "vertices": [[-0.05, -0.01], [0.05, -0.01], [0.05, 0.01], [-0.05, 0.01]]}, "position": [0, 0.03]}],
		"joints": [{"type": "prismatic", "body": "f", "at": [0, 0.03], "axis": [0, 1]}],
		"springs": [{"type": "spring", "body": "f", "other": [0, 1], "stiffness": 800, "rest": %.17g}],
		"expect": [%s]}`, until, more, w, .97+force/800, expect)
}

// push is the force of the cam: m(g + e w² cos wt) and that of the spring, which is pressed by e(1 − cos wt) more.
func push(w, force, t float64) float64 {
	c := math.Cos(w * t)
	return .5*(9.81+.01*w*w*c) + force + 800*.01*(1-c)
}

// TestFollowerOnCam: a flat follower on an eccentric disc is pressed on up to w² = g/e + (F₀ + 2ke)/me. At .995 of that
// α = ½ makes the forces of steps of a millisecond alternate by more than they are at their least: velocities that are
// put back keep the follower on its cam. Where they are not, as of many contacts at once, a contact that such a force
// opens is told.
func TestFollowerOnCam(t *testing.T) {
	thorough.Seconds(t)
	w := .995 * math.Sqrt(9.81/.01+(20+2*800*.01)/(.5*.01))
	stays := `{"quantity": "distance", "body": "f", "other": "cam", "max": 1e-12}`
	trial.Run(t, follower(w, .3, 20, "", stays), &Model).Passed(t)
	trial.Run(t, follower(w, .3, 20, `"alpha": 0.5, "steps": 3000,`, stays), &Model).Passed(t)
	var pulse, opened = pulse{}, 0.0
	for k := range 20 {
		pulse, _ = pulse.next(1+1.01*float64(k%2*2-1)*float64(20-k)/20, .01, 1)
		opened = max(opened, pulse.early())
	}
	if opened < .3 {
		t.Errorf("a force that alternates by all that it is opens its contact by %g of it", opened)
	}
}

// TestForceOfFollower: the force on a follower in chosen steps is least at m(g + F₀/m + 2ke/m − ew²), to within what is
// told of it, up to where the follower would lift off, at 90.393 rad/s; and beyond that it does.
func TestForceOfFollower(t *testing.T) {
	thorough.Seconds(t)
	for _, w := range []float64{89.2, 90.3, 90.38} {
		x := trial.Run(t, follower(w, .25, 20, "",
			`{"quantity": "contact_force", "body": "f", "other": "cam", "axis": "y", "min": 0.01}`), &Model)
		o := x.Summary.Expectations[0]
		want := push(w, 20, math.Pi/w)
		varies := push(w, 20, 0) - want
		if !x.Summary.Certified || !(math.Abs(*o.Value-want) <= o.Within && o.Within < .04*varies) {
			t.Errorf("%g rad/s: the least force is %v ± %g, want %g", w, *o.Value, o.Within, want)
		}
	}
	x := trial.Run(t, follower(90.6, .25, 20, "",
		`{"quantity": "distance", "body": "f", "other": "cam", "max": 1e-12}`), &Model)
	if o := x.Summary.Expectations[0]; o.Met {
		t.Error("beyond the limit it stays on the cam")
	}
}

// TestForceAtATime: the force of a cam at times on rows, between them and at the end, α = ½: within what is told of it,
// and of second order in the step.
func TestForceAtATime(t *testing.T) {
	thorough.Seconds(t)
	for _, hertz := range []float64{1.3, 3.2, 9} {
		w, last := 2*math.Pi*hertz, [3]float64{}
		for k, steps := range []string{`"steps": 200,`, `"steps": 400,`, ""} {
			var lines []string
			times := [3]float64{.1, .1309, .25}
			for _, at := range times {
				lines = append(lines, fmt.Sprintf(`{"quantity": "contact_force", "body": "f", "other": "cam", "axis": "y",
					"time": %g, "value": %.17g, "tolerance": 9}`, at, push(w, 8, at)))
			}
			text := follower(w, .25, 8, `"alpha": 0.5, "accuracy": 0.5, `+steps, strings.Join(lines, ","))
			x := trial.Run(t, text, &Model)
			x.Passed(t)
			for i, at := range times {
				o := x.Summary.Expectations[i]
				off := math.Abs(*o.Value - *o.Want)
				if off > o.Within {
					t.Errorf("%g Hz, %s at %g s: off by %g N, said to be within %g", hertz, steps, at, off, o.Within)
				}
				if order := math.Log2(last[i] / off); k == 1 && i != 1 && order < 1.6 {
					t.Errorf("%g Hz at %g s: order %.2f", hertz, at, order)
				}
				last[i] = off
			}
		}
	}
}

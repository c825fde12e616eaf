package patch_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
)

// TestForcesOfRamps: a block of 1 kg is pressed on by a force that rises from 0 to 40 N in 1 s and drawn by one to 4 N, which
// µ = .5 holds. On a rigid contact the forces of all times are 10 + 40t and −4t; on springs that swing at 40 rad/s and are
// damped by ζ = 1 they differ by what follows from m ÿ + c ẏ + ky = −f, y = 0 at first. What is told of a time and of the largest
// is right to what it may be off by, which is a thousandth of the largest force in 20 given steps of 1/20 s on a rigid
// contact, and in chosen ones on both.
func TestForcesOfRamps(t *testing.T) {
	thorough.Seconds(t)
	const w, zeta = 40., 1.
	settling := func(from, slope, at float64) float64 { // what springs and dampers give back of from + slope·t, ζ = 1
		e := math.Exp(-w * at)
		// y″ + 2wy′ + w²y = f: y = (from − 2 slope/w)(1 − e(1 + wt))/w² + slope (t − te)/w², by y = y′ = 0 at first.
		a, b := (from-2*slope/w)/(w*w), slope/(w*w)
		y, v := a*(1-e*(1+w*at))+b*at*(1-e), a*e*w*w*at+b*(1-e+w*at*e)
		return w*w*y + 2*zeta*w*v
	}
	for _, model := range []*run.Model{&patch.Theta, &patch.Compliant} {
		for _, springs := range []bool{false, true} {
			for _, steps := range []string{"", `"steps": 20, `, `"steps": 4000, `} {
				pad, law := "rigid", ""
				normal := func(at float64) float64 { return 10 + 40*at }
				if springs {
					pad = "pad"
					law = fmt.Sprintf(`"patches": {"pad": {"stiffness": [%g, %g], "damping": [%g, %g]}}, `, w*w, w*w, 2*zeta*w, 2*zeta*w)
					normal = func(at float64) float64 { return settling(10, 40, at) }
				}
				var list string
				times := []float64{0.01, 0.05, 0.21, 0.5, 0.77, 0.9875, 1}
				for _, at := range times {
					list += fmt.Sprintf(`{"quantity": "normal_force", "body": "b", "time": %g, "value": 0, "tolerance": 1e9}, `, at)
				}
				x := trial.Run(t, fmt.Sprintf(`{"name": "ramps", "model": %q, "dimension": 2, "until": 1, %s%s"gravity": [0, -10],
					"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"mu": 0.5}},
					"contacts": [{"body": "b", "obstacle": "floor", "friction": "f", "patch": %q}], "bodies": [{"id": "b", "mass": 1,
					"position": [0, 0], "load": [{"table": [[0, 0], [1, 4]]}, {"table": [[0, 0], [1, -40]]}]}],
					"expect": [%s{"quantity": "normal_force", "body": "b", "max": 1e9}]}`, model.Name, steps, law, pad, list),
					&patch.Theta, &patch.Compliant)
				for i, o := range x.Summary.Expectations {
					want := normal(1)
					if i < len(times) {
						want = normal(times[i])
					}
					if off := math.Abs(*o.Value - want); off > o.Within+1e-9 {
						t.Errorf("%s, springs %t, %s%s: %g ± %.3g, want %g", model.Name, springs, steps, o.Label, *o.Value, o.Within, want)
					}
					if !springs && o.Within > 0.05 {
						t.Errorf("%s, %s%s: within %g", model.Name, steps, o.Label, o.Within)
					}
				}
			}
		}
	}
}

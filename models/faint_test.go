package models_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestNothingDissipated: a slab that topples on a corner, where friction takes nothing, is certified
// in any steps that are right, and what is said of the dissipation bounds it. Before, 5e-11 J that
// were off by more were not judged, and the runs refused.
func TestNothingDissipated(t *testing.T) {
	t.Parallel()
	const a, b, until, tilt = .1, .5, .6, .03 // half width and height, the diagonal from the vertical
	r := math.Hypot(a, b)
	phi := math.Atan2(a, b)
	// (1/3 + 1)r² θ̈ = g r sin θ about the corner, by the method of Runge and Kutta.
	angle, spin := tilt, 0.0
	f := func(x float64) float64 { return .75 * 9.81 / r * math.Sin(x) }
	const n = 10000
	for h, k := until/n, 0; k < n; k++ {
		k1, l1 := spin, f(angle)
		k2, l2 := spin+h/2*l1, f(angle+h/2*k1)
		k3, l3 := spin+h/2*l2, f(angle+h/2*k2)
		k4, l4 := spin+h*l3, f(angle+h*k3)
		angle, spin = angle+h/6*(k1+2*k2+2*k3+k4), spin+h/6*(l1+2*l2+2*l3+l4)
	}
	want := r * (math.Sin(angle) - math.Sin(tilt))
	for _, steps := range []int{20, 100, 0} {
		doc := object{"name": "slab", "model": "rigid", "dimension": 2, "until": until, "alpha": .5, "gravity": list{0, -9.81},
			"obstacles": object{"floor": object{"point": list{0, 0}, "normal": list{0, 1}}},
			"friction":  object{"dry": object{"mu": 50}}, "material": "dry",
			"bodies": list{object{"id": "b", "shape": object{"type": "polygon",
				"vertices": list{list{-a, -b}, list{a, -b}, list{a, b}, list{-a, b}}}, "mass": 1,
				"position": list{r * math.Sin(tilt), r * math.Cos(tilt)}, "angle": -phi - tilt}}}
		if steps > 0 {
			doc["steps"] = steps
		}
		x, err := drive(built(t, doc), func(run.Run, int) {})
		if err != nil {
			t.Fatal(err)
		}
		facts := x.Verdict()
		for _, f := range facts {
			if !f.Passed {
				t.Errorf("%d steps: %s", steps, &f)
			}
		}
		got := x.Value(&casefile.Expectation{Quantity: "displacement", Subject: 0})
		if !(math.Abs(got-want) <= .01*want) {
			t.Errorf("%d steps: the way is %g m, want %g", steps, got, want)
		}
		if steps == 20 && !slices.ContainsFunc(facts,
			func(f table.Fact) bool { return strings.Contains(f.Name, "below what can be told") }) {
			t.Error("nothing is said of the dissipation")
		}
	}
}

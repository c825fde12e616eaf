package models_test

import (
	"math"
	"testing"
)

// TestStops: what a contact of a rigid patch stops stays, whatever θ is: a piston takes a block
// along, and a table that shakes up and down, less than the weight, carries one that a load pulls,
// a = F/m − μ(g + z̈) where it slides. By v^θ = 0 the block flew off with θ/(1−θ) of the speed of
// the piston (x 1.443 m for θ = ½), and went to and fro where it stuck, certified.
func TestStops(t *testing.T) {
	t.Parallel()
	piston := func(theta float64, n int) object {
		doc := onFloor("theta", 1, n, nil, nil)
		doc["theta"] = theta
		doc["obstacles"].(object)["p"] = object{"point": list{0, 0}, "normal": list{1, 0},
			"motion": object{"translation": path{{0, 0}, {.2, 0}, {1, .8}}.table()}}
		doc["contacts"] = append(doc["contacts"].(list), object{"body": "b", "obstacle": "p", "friction": "dry", "patch": "rigid"})
		return doc
	}
	for _, theta := range []float64{0, .25, .4, .5} {
		for _, n := range []int{0, 100, 333} {
			if o := outcomeOf(t, piston(theta, n)); !o.certified || math.Abs(o.x-.8) > 1e-9 {
				t.Errorf("piston, θ = %g, %d steps: x is %.9g m, want .8, certified %t: %v", theta, n, o.x, o.certified, o.facts)
			}
		}
	}
	for _, theta := range []float64{0, .5} {
		doc := object{"name": "shaken", "model": "theta", "dimension": 2, "until": 3, "steps": 6000, "theta": theta,
			"gravity": list{0, -9.81}, "friction": object{"f": object{"mu": .1}},
			"obstacles": object{"o": object{"point": list{0, 0}, "normal": list{0, 1},
				"motion": object{"translation": list{0, object{"sine": object{"amplitude": .00384, "frequency": 5}}}}}},
			"bodies":   list{object{"id": "b", "mass": .2, "position": list{0, 0}, "load": list{.23, 0}}},
			"contacts": list{object{"body": "b", "obstacle": "o", "friction": "f", "patch": "rigid"}}}
		if o := outcomeOf(t, doc); o.certified && math.Abs(o.x/.79669-1) > .01 { // by steps of 1 µs
			t.Errorf("shaken, θ = %g: x is %g m, want .79669", theta, o.x)
		}
	}
}

// TestStiffPads: a disc of 1 kg meets a pad of k = 1e10 N/m with a damper, which would leave .45 of
// its speed, at a node of all steps and twins. In steps that hold a hundred swings of it, θ = ½ turns
// v to −v, as if there were no damper: that was certified, with the height of an elastic bounce.
func TestStiffPads(t *testing.T) {
	t.Parallel()
	for _, damping := range []float64{0, 2e4, 6e4} {
		doc := onFloor("theta", .5, 500, nil, nil)
		doc["patches"] = object{"pad": object{"stiffness": list{1e10, 1e10}, "damping": list{damping, damping}}}
		doc["bodies"].(list)[0].(object)["position"] = list{0, .45}
		doc["contacts"].(list)[0].(object)["patch"] = "pad"
		if o := outcomeOf(t, doc); o.certified {
			t.Errorf("damping %g: certified, %g J taken", damping, o.d)
		}
	}
}

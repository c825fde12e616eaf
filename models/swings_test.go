package models_test

import (
	"math"
	"testing"
)

// TestSwings: what is shaken in place on a belt, or hangs on a spring there, swings by centimetres,
// and that is what its errors are of: not v₀T, where it would be without forces, nor VT, what the
// belt goes. By these a box that came to rest instead was certified, off by all of its swing. Seen
// by someone who goes with it at 30 m/s it is the same.
func TestSwings(t *testing.T) {
	t.Parallel()
	const until, f, force = 1.0, 2.0, 4.0
	w := 2 * math.Pi * f
	shaken := func(model string, steps int, boost float64) object {
		doc := onFloor(model, until, steps, object{"sine": object{"amplitude": list{force, 0}, "frequency": f, "offset": list{-3, 0}}}, path{{0, 0}, {until, until * (20 + boost)}}.table())
		doc["bodies"].(list)[0].(object)["velocity"] = list{boost - force/w, 0}
		doc["accuracy"] = .03
		return doc
	}
	hung := func(steps int) object {
		doc := onFloor("rigid", until, steps, nil, path{{0, 0}, {until, 3 * until}}.table())
		doc["bodies"].(list)[0].(object)["velocity"], doc["alpha"] = list{.5, 0}, .5
		doc["springs"] = list{object{"type": "spring", "body": "b", "at": list{0, 0}, "other": list{-1, 0}, "stiffness": 100, "rest": 1}}
		return doc
	}
	type row struct {
		name        string
		doc         object
		want, swing float64
		certified   bool
	}
	rows := []row{
		{"hung, 50 steps", hung(50), .03 * (1 - math.Cos(10)) + .05*math.Sin(10), .0583, false},
		{"hung, chosen steps", hung(0), .03 * (1 - math.Cos(10)) + .05*math.Sin(10), .0583, true},
	}
	for _, model := range sliding {
		for _, boost := range []float64{0, 30} {
			rows = append(rows, row{model + ", 40 steps", shaken(model, 40, boost), until * boost, force / w / w, false},
				row{model + ", chosen steps", shaken(model, 0, boost), until * boost, force / w / w, true})
		}
	}
	for _, c := range rows {
		if o := outcomeOf(t, c.doc); o.certified != c.certified || c.certified && math.Abs(o.x-c.want) > .03*c.swing {
			t.Errorf("%s: x is %.6g m, want %.6g to .03 of %.3g, certified %t: %v", c.name, o.x, c.want, c.swing, o.certified, o.facts)
		}
	}
}

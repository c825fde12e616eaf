package models_test

import (
	"math"
	"testing"
)

// TestSlats: a belt of 10 m/s takes a block along, and slats pass under it each 50 mm, one to a step.
// Friction was that of one place a step, in all twins, and the mean of all was missed by a third,
// certified.
func TestSlats(t *testing.T) {
	t.Parallel()
	const pitch, belt, until = .05, 10.0, .2
	var x, row list
	for k := range 700 { // μ .1, on two tenths of each slat .5
		mu := .1
		if k%10 < 2 {
			mu = .5
		}
		x, row = append(x, pitch*float64(k-600)/10), append(row, mu)
	}
	const mean = .1 + .4*.2 // of cubics between equal distances that of the points
	for _, model := range sliding {
		doc := onFloor(model, until, 40, nil, path{{0, 0}, {until, until * belt}}.table())
		doc["friction"] = object{"dry": object{"map": object{"x": x, "y": list{-1, 1}, "mu": list{row, row}}}}
		o := outcomeOf(t, doc)
		if want := mean * 10 * until * until / 2; o.certified && math.Abs(o.x-want) > .01*want || math.Abs(o.x-want) > .05*want {
			t.Errorf("%s: certified %t, %.5g m, want %.5g", model, o.certified, o.x, want)
		}
	}
}

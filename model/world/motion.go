package world

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/run"
)

// Motion returns the quantity of an expectation that is one of the motion of a body: position,
// displacement, velocity, spin, and the angle in the plane; from coordinates, those of the start, and
// velocities.
// It reports whether it is one.
func Motion(w *bodies.World, x *casefile.Expectation, q, start, v []float64) (value float64, is bool) {
	if x.Subject < 0 {
		return 0, false
	}
	at, speed := w.Coordinates(x.Subject)
	switch x.Quantity {
	case "position":
		return q[at+x.Axis], true
	case "displacement":
		return q[at+x.Axis] - start[at+x.Axis], true
	case "velocity":
		return v[speed+x.Axis], true
	case "angle":
		return q[at+2], true
	case "spin":
		return v[speed+w.Dim()+max(x.Axis, 0)], true
	}
	return 0, false
}

// RateOf is how fast the quantity of an expectation changes, if that is another one of the motion of a body; else nil.
func RateOf(w *bodies.World, x *casefile.Expectation) *casefile.Expectation {
	y := *x
	switch {
	case x.Quantity == "position" || x.Quantity == "displacement":
		y.Quantity = "velocity"
	case x.Quantity == "angle" && w.Dim() == 2:
		y.Quantity = "spin"
	default:
		return nil
	}
	return &y
}

// Extent is the largest coordinate of the centre of a body at q [m], and the mass of all [kg].
func Extent(w *bodies.World, q []float64) (far, mass float64) {
	for b := range w.Bodies() {
		at, _ := w.Coordinates(b)
		for _, x := range q[at : at+w.Dim()] {
			far = max(far, math.Abs(x))
		}
		m, _ := w.Inertia(b)
		mass += m
	}
	return far, mass
}

// ForceRounding is what the rounding of places leaves of a force that is a mean over a time, of parts the shortest of which
// is as long as said: gaps and joints are closed to a few roundings of coordinates, 4ε|x|, by an impulse 4ε|x|m/h [N].
func ForceRounding(far, mass, span, shortest float64) float64 {
	return 4 * 0x1p-52 * far * mass / (shortest * span)
}

// Parts are the places and the turns of the bodies, for [run.Divided].
func Parts(w *bodies.World, ids []string) (list []run.Part) {
	for b, id := range ids {
		at, _ := w.Coordinates(b)
		turn := at + w.Dim()
		list = append(list, run.Part{Name: id, From: at, To: turn})
		if w.Spins(b) {
			list = append(list, run.Part{Name: "turn of " + id, From: turn, To: turn + map[int]int{2: 1, 3: 4}[w.Dim()], Turn: true})
		}
	}
	return list
}

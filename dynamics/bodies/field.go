package bodies

import "errors"

// Field is a coefficient of friction over the surface of an obstacle, such as a
// dissipation.Map.
type Field interface {
	// At returns μ >= 0 at (x, y) and its derivatives [-, 1/m].
	At(x, y float64) (mu, dx, dy float64)
}

// Carries returns why an obstacle has no [Field], nil where it may have one: it is a half-space.
func (w *World) Carries(obstacle int) error {
	if _, flat := w.floors[obstacle].Surface.(HalfSpace); !flat {
		return errors.New("a map of friction in x and y is one of a half-space, not of a curved obstacle")
	}
	return nil
}

// Coefficient is μ of a field on an obstacle at a time, at a point x of space, or so far from there
// in x and y. The obstacle takes the field with it: these are the coordinates of the point on the
// obstacle at rest, as it was described.
func (w *World) Coefficient(f Field, obstacle int, t float64, x [3]float64, by [2]float64) float64 {
	if o := &w.floors[obstacle]; o.Motion.Moves() {
		p := o.pose(t)
		x = p.local(x)
	}
	mu, _, _ := f.At(x[0]+by[0], x[1]+by[1])
	return max(0, mu) // below zero by rounding
}

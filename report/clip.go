package report

import "math"

// clip returns a line or a ring without what is further than three sizes of a picture from it, by
// the half-planes of its sides in turn (Sutherland and Hodgman, 1974): a filler goes through all rows
// of what it is given, and a scene may be 1e9 times as large as what it shows. What it adds runs
// along there, where nobody sees it; points without far ones are returned as they are.
func clip(points [][2]float64, closed bool, size [2]float64) [][2]float64 {
	for axis, length := range size {
		for _, side := range [2]float64{-1, 1} {
			limit := 3 * length
			if side > 0 {
				limit += length
			}
			points = clipSide(points, closed, axis, side, limit)
		}
	}
	return points
}

// clipSide returns what is on this side of the line side x[axis] = limit.
func clipSide(points [][2]float64, closed bool, axis int, side, limit float64) (list [][2]float64) {
	beyond := func(x [2]float64) float64 { return side*x[axis] - limit }
	inside := true
	for _, x := range points {
		inside = inside && beyond(x) <= 0
	}
	if inside {
		return points
	}
	for i, b := range points {
		if i > 0 || closed {
			a := points[(i+len(points)-1)%len(points)]
			if p, q := beyond(a), beyond(b); p*q < 0 || math.IsInf(p*q, -1) {
				s := p / (p - q)
				cut := [2]float64{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}
				cut[axis] = side * limit
				list = append(list, cut)
			}
		}
		if beyond(b) <= 0 {
			list = append(list, b)
		}
	}
	return list
}

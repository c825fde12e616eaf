package dynamics

import "math"

// corners is how many places an [outline] keeps. Of a parabola so many show all but 1/corners² of
// its height, and of what swings its farthest places.
const corners = 24

// outlineSize is how many numbers an outline is: how many places it has, and of each of these its
// time and coordinates.
const outlineSize = 1 + 4*corners

// outline is what is kept of a path x(t) that begins at (0, 0), t growing, so that its distance
// from uniform motions can be found when these are known. Where there are too many places the one
// is forgotten that is nearest to the uniform motion between its neighbours; which of them that is
// is the same in all inertial frames, and however the axes are turned.
type outline []float64

// count is checked, since it may come from a file.
func (o outline) count() int {
	if !(o[0] > 0) {
		return 0
	}
	return int(min(corners, o[0]))
}

// at is a place; number 0 is the origin, which is not kept.
func (o outline) at(i int) (t float64, x [3]float64) {
	if i == 0 {
		return t, x
	}
	at := o[4*i-3:]
	return at[0], [3]float64(at[1:4])
}

// add takes the next place.
func (o outline) add(t float64, x [3]float64) {
	n := o.count()
	if n == corners {
		n = o.forget(t, x)
	}
	at := o[4*n+1:]
	o[0], at[0], at[1], at[2], at[3] = float64(n+1), t, x[0], x[1], x[2]
}

// forget drops a place, where (t, x) is the next one, and returns how many are left.
func (o outline) forget(t float64, x [3]float64) int {
	worst, least := 0, math.Inf(1)
	for j := 1; j <= corners; j++ {
		tn, xn := t, x
		if j < corners {
			tn, xn = o.at(j + 1)
		}
		if y := o.off(j-1, j, tn, xn); y < least {
			worst, least = j, y
		}
	}
	copy(o[4*worst-3:], o[4*worst+1:])
	return corners - 1
}

// off is how far place j is from the uniform motion from place i to (t, x).
func (o outline) off(i, j int, t float64, x [3]float64) float64 {
	ti, xi := o.at(i)
	tj, xj := o.at(j)
	if t <= ti {
		return 0
	}
	sum, part := 0.0, (tj-ti)/(t-ti)
	for k := range x {
		d := (xj[k] - xi[k]) - (x[k]-xi[k])*part
		sum += d * d
	}
	return math.Sqrt(sum)
}

// swing is how far the path is at most from the uniform motion from its begin to its end, and how
// often it comes back to it: its length, as seen by who goes that way, over twice the swing; one of a
// fall, or of what is at rest and then goes on evenly, two of a whole period.
func (o outline) swing() (most, returns float64) {
	n := o.count()
	t, x := o.at(n)
	length, at := 0.0, [3]float64{}
	for j := 1; j <= n; j++ {
		d, step, tj, xj := 0.0, 0.0, 0.0, [3]float64{}
		tj, xj = o.at(j)
		for k := range x {
			y := xj[k] - x[k]*(tj/t)
			d += y * y
			step += (y - at[k]) * (y - at[k])
			at[k] = y
		}
		most, length = max(most, math.Sqrt(d)), length+math.Sqrt(step)
	}
	if most > 0 {
		returns = length / (2 * most)
	}
	return most, returns
}

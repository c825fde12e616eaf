package particles

import "math"

// Directions is an orthonormal basis of directions in which a displacement is given. The
// zero value has none.
type Directions struct {
	q [3]vec
	b [3]float64 // the displacement along each
	n int
}

// parallel: a unit vector whose part outside of others is below this is one of them.
const parallel = 1e-6

// Add gives the displacement b along a unit vector; false if earlier ones determine it.
func (f *Directions) Add(a [3]float64, b float64) bool {
	v := vec{a[0], a[1], a[2]}
	for i := range f.n {
		along := v.dot(f.q[i])
		v = v.plus(-along, f.q[i])
		b -= along * f.b[i]
	}
	l := math.Sqrt(v.dot(v))
	if f.n == 3 || l < parallel {
		return false
	}
	f.q[f.n], f.b[f.n] = v.scale(1/l), b/l
	f.n++
	return true
}

// Project moves v to the nearest displacement with the given parts.
func (f *Directions) Project(v *[3]float64) {
	if f.n == 3 {
		*v = [3]float64{}
	}
	start := vec{v[0], v[1], v[2]}
	sum := start
	for i := range f.n {
		sum = sum.plus(f.b[i]-f.q[i].dot(start), f.q[i])
	}
	*v = sum.array()
}

// Outside returns the part of a that is along none of the directions.
func (f *Directions) Outside(a [3]float64) [3]float64 {
	v := vec{a[0], a[1], a[2]}
	for i := range f.n {
		v = v.plus(-v.dot(f.q[i]), f.q[i])
	}
	return v.array()
}

// Complete returns three axes: first those across the directions, then these.
func (f *Directions) Complete() (axes [3][3]float64, across int) {
	all := *f
	for _, e := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		all.addWell(e)
	}
	for _, e := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		all.Add(e, 0)
	}
	across = 3 - f.n
	for i := range 3 {
		axes[i] = all.q[(f.n+i)%3].array()
	}
	return axes, across
}

// addWell adds a direction if a good part of it is new.
func (f *Directions) addWell(a [3]float64) {
	if out := f.Outside(a); out[0]*out[0]+out[1]*out[1]+out[2]*out[2] > 0.3 {
		f.Add(a, 0)
	}
}

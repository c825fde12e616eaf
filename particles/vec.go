package particles

import "math"

// vec is a vector of the space. The compiler keeps a struct of three numbers in
// registers, an array it does not.
type vec struct{ x, y, z float64 }

func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vec) dot(b vec) float64 { return a.x*b.x + a.y*b.y + a.z*b.z }

func (a vec) scale(s float64) vec { return vec{s * a.x, s * a.y, s * a.z} }

// plus returns a + s·b.
func (a vec) plus(s float64, b vec) vec { return vec{a.x + s*b.x, a.y + s*b.y, a.z + s*b.z} }

// size returns |a|.
func (a vec) size() float64 { return math.Sqrt(a.dot(a)) }

// abs returns the sizes of the components.
func (a vec) abs() vec { return vec{math.Abs(a.x), math.Abs(a.y), math.Abs(a.z)} }

func (a vec) array() [3]float64 { return [3]float64{a.x, a.y, a.z} }

// at returns the triple of particle j.
func at(x []float64, j int) vec {
	x = x[3*j : 3*j+3]
	return vec{x[0], x[1], x[2]}
}

// put sets the triple of particle j.
func put(x []float64, j int, v vec) {
	x = x[3*j : 3*j+3]
	x[0], x[1], x[2] = v.x, v.y, v.z
}

// addTo adds v to the triple of particle j.
func addTo(x []float64, j int, v vec) {
	x = x[3*j : 3*j+3]
	x[0] += v.x
	x[1] += v.y
	x[2] += v.z
}

// subFrom subtracts v from the triple of particle j.
func subFrom(x []float64, j int, v vec) {
	x = x[3*j : 3*j+3]
	x[0] -= v.x
	x[1] -= v.y
	x[2] -= v.z
}

// absolute returns the sizes of the components.
func absolute(v [3]float64) vec { return vec{v[0], v[1], v[2]}.abs() }

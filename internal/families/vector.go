package families

import "math"

type vec3 [3]float64

func (a vec3) plus(b vec3) vec3        { return vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec3) minus(b vec3) vec3       { return vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec3) scale(s float64) vec3    { return vec3{s * a[0], s * a[1], s * a[2]} }
func (a vec3) dot(b vec3) float64      { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec3) norm() float64           { return math.Sqrt(a.dot(a)) }
func (a vec3) distance(b vec3) float64 { return a.minus(b).norm() }
func (a vec3) cross(b vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// frame completes a unit normal to a right-handed frame n, t, o.
func frame(n vec3) (t, o vec3) {
	least := 0
	for k := range n {
		if math.Abs(n[k]) < math.Abs(n[least]) {
			least = k
		}
	}
	var e vec3
	e[least] = 1
	o = n.cross(e)
	o = o.scale(1 / o.norm())
	return o.cross(n), o
}

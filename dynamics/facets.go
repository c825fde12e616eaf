package dynamics

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// polygon is a friction law as the section {x : d_k·x ≤ μ λ_n} with facet
// normals d_k: the pyramid of any number of facets, and in the plane, where
// d = ±1, every Coulomb law of an isotropic shape.
type polygon struct {
	mu float64
	d  [][2]float64
}

// newPolygon returns the section of a law; ok is false if it has none.
func newPolygon(law contact.Law, dim int) (p polygon, ok bool) {
	switch l := law.(type) {
	case contact.Frictionless:
		if dim == 2 {
			return polygon{d: segment}, true
		}
		return polygon{d: box}, true
	case contact.Coulomb:
		s := l.Shape.Matrix()
		return polygon{mu: l.Mu * math.Abs(s[0]), d: segment}, dim == 2 && s[1] == 0 && s[2] == 0
	case contact.Pyramid:
		if dim == 2 {
			return polygon{mu: l.Mu, d: segment}, true
		}
		m := l.Facets
		if m == 0 {
			m = 4
		}
		p = polygon{mu: l.Mu, d: make([][2]float64, m)}
		for k := range m {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(m))
			p.d[k] = [2]float64{cos, sin}
		}
		if m == 4 { // exact zeros
			p.d = box
		}
		return p, true
	}
	return polygon{}, false
}

var (
	segment = [][2]float64{{-1}, {1}}
	box     = [][2]float64{{-1}, {1}, {0, -1}, {0, 1}}
)

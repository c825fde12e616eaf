package bodies

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Signed distances of points from ellipsoids by hand: outside and inside on an
// axis, the centre, the segment between the focal points of the evolute where
// two points of the surface are nearest, a disc, a plane ellipse.
func TestFromEllipsoid(t *testing.T) {
	for name, c := range map[string]struct {
		a, y vec
		gap  float64
		n    vec
	}{
		"outside":       {vec{3, 2, 1}, vec{0, 5, 0}, 3, vec{0, 1, 0}},
		"inside, above": {vec{3, 2, 1}, vec{0, 0, .75}, -.25, vec{0, 0, 1}},
		"centre":        {vec{3, 2, 1}, vec{}, -1, vec{0, 0, 1}},
		// x₁ = a²y/(a² − b²) = 4/3, height b√(1 − (x₁/2)²) = √5/3
		"medial": {vec{2, 1}, vec{1, 0}, -math.Sqrt(1./9 + 5./9), vec{1. / 3 / math.Sqrt(2./3), math.Sqrt(5) / 3 / math.Sqrt(2./3)}},
		"sphere": {vec{2, 2, 2}, vec{1, 2, 2}, 1, vec{1. / 3, 2. / 3, 2. / 3}},
		"disc":   {vec{2, 2}, vec{-.6, .8}, -1, vec{-.6, .8}},
		"tip":    {vec{2, 1}, vec{1.9, 0}, -.1, vec{1}}, // beyond (a² − b²)/a = 1.5
	} {
		gap, n := fromEllipsoid(c.a, c.y)
		if math.Abs(gap-c.gap) > 1e-15*4 || vec3.Norm(vec3.Add(n, -1, c.n)) > 1e-15*8 {
			t.Errorf("%s: gap %.17g along %v, want %.17g along %v", name, gap, n, c.gap, c.n)
		}
	}
}

// y = x + gap·n for a point x of the surface with the normal n ∥ A⁻²x, up to
// axes of 1 : 10⁴ and y of any size; and no sampled point is nearer.
func TestFromEllipsoidAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	for range 3000 {
		var a, y vec
		for i := range a {
			a[i] = math.Pow(10, 4*rng.Float64()-2)
			y[i] = a[i] * rng.NormFloat64() * math.Pow(10, 3*rng.Float64()-2)
		}
		gap, n := fromEllipsoid(a, y)
		x := vec3.Add(y, -gap, n)
		size := vec3.Norm(y) + vec3.Norm(a)
		on, away := -1.0, vec{}
		for i := range x {
			on += x[i] / a[i] * x[i] / a[i]
			away[i] = x[i] / (a[i] * a[i])
		}
		on /= 2 * vec3.Norm(away) // distance from the surface
		if math.Abs(on) > 1e-13*size {
			t.Fatalf("axes %v, point %v: gap %g ends %g off the surface", a, y, gap, on)
		}
		for range 20 {
			p := vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			l := vec3.Norm(p)
			for i := range p {
				p[i] *= a[i] / l
			}
			if d := vec3.Norm(vec3.Add(p, -1, y)); d < math.Abs(gap)-1e-12*size {
				t.Fatalf("axes %v, point %v: gap %g, a sample is at %g", a, y, gap, d)
			}
		}
	}
}

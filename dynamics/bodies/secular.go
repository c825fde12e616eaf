package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// fromEllipsoid returns the signed distance of y from the ellipsoid with the
// semi-axes a around the origin, and the outward normal where it is measured.
// An axis 0 leaves its coordinate out: ellipses are ellipsoids of two axes.
// With x = A²(A² + t)⁻¹y on the surface, n is along A⁻²x and
//
//	g(t) = Σ (aᵢyᵢ/(aᵢ² + t))² − 1 = 0,  t > −min aᵢ²,  gap = t ‖A⁻²x‖,
//
// which outside is the distance, and inside minus the least depth. The root is
// sought in u = 1 + t/min aᵢ², that has no cancellation at the pole. Cost: some
// ten evaluations of g.
func fromEllipsoid(a, y vec) (gap float64, n vec) {
	least, thin := math.Inf(1), 0
	for i, x := range a {
		if x > 0 && x < least {
			least, thin = x, i
		}
	}
	e := secular{}
	bottom, top := 0.0, 0.0
	for i, x := range a {
		if x == 0 {
			continue
		}
		rho := x / least
		e.r[i], e.c[i] = rho*y[i]/least, (rho-1)*(rho+1)
		top += e.r[i] * e.r[i]
		if rho == 1 {
			bottom = max(bottom, math.Abs(e.r[i]))
		}
	}
	u := 0.0
	if bottom > 0 || e.value(0) > 0 {
		u = e.root(bottom, math.Sqrt(top))
	}
	rest := 1.0 // of Σ (xᵢ/aᵢ)²
	for i, x := range a {
		if x == 0 || u == 0 && e.c[i] == 0 {
			continue
		}
		n[i] = y[i] / (least*least*e.c[i] + least*least*u)
		rest -= x * n[i] * x * n[i]
	}
	if u == 0 { // on the medial set: the surface is as near on either side
		n[thin] = math.Sqrt(max(rest, 0)) / least
	}
	l := vec3.Norm(n)
	return (u - 1) * least * least * l, vec3.Scale(n, 1/l)
}

// secular is g in scaled numbers, Σ (rᵢ/(cᵢ + u))² − 1.
type secular struct{ r, c vec }

func (e *secular) value(u float64) float64 {
	sum := -1.0
	for i, r := range e.r {
		if r != 0 {
			x := r / (e.c[i] + u)
			sum += x * x
		}
	}
	return sum
}

// root returns the zero of g from lo, where g ≥ 0, by Newton's method on
// 1/√(g + 1) − 1. That is increasing, concave and almost linear, so that the
// iterates climb to the zero; hi bounds it.
func (e *secular) root(lo, hi float64) float64 {
	u := lo
	for range 60 { // six as a rule
		sum, slope := 0.0, 0.0
		for i, r := range e.r {
			if r != 0 {
				d := 1 / (e.c[i] + u)
				x := r * d
				sum += x * x
				slope += x * x * d
			}
		}
		next := min(u+sum*(math.Sqrt(sum)-1)/slope, hi)
		if !(next > u*(1+2e-16)) { // rounding ends the climb
			return u
		}
		u = next
	}
	return u
}

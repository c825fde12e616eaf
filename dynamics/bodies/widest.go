package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// widest returns the normal, from b into a, of the largest separation of two
// quadrics. A stationary normal that separates them is the one; where none is
// found, the bodies overlap, and the search starts from their axes, too.
func widest(a, b *form, pa, pb *pose) vec {
	g := separating{a: a, b: b, pa: pa, pb: pb, d: vec3.Add(pa.c, -1, pb.c), plane: a.axes[2] == 0}
	n := vec{0, 1}
	if l := vec3.Norm(g.d); l > 0 {
		n = vec3.Scale(g.d, 1/l)
	}
	n, best := g.climb(n)
	if best > -1e-9*(a.reach+b.reach) { // disjoint, or touching to rounding
		return n
	}
	for _, p := range []*pose{pa, pb} {
		for k := range 3 {
			axis := column(p, k)
			if g.plane && k == 2 {
				continue
			}
			for _, s := range []float64{1, -1} {
				if m, v := g.climb(vec3.Scale(axis, s)); v > best {
					n, best = m, v
				}
			}
		}
	}
	return n
}

// separating is s(n) = n·d − ‖A_a R_aᵀn‖ − ‖A_b R_bᵀn‖.
type separating struct {
	a, b   *form
	pa, pb *pose
	d      vec
	plane  bool
}

// climb is Newton's method on the sphere, with the Hessian made definite and
// steps halved until they help. Values cannot tell directions that differ by
// less than the root of rounding: the last steps are taken as they are.
func (g *separating) climb(n vec) (vec, float64) {
	value := g.value(n)
	for range 100 { // five to ten as a rule
		step := g.newton(n, value)
		if vec3.Dot(step, step) < 1e-12 {
			break
		}
		better := false
		for f := 1.0; f > 1e-6 && !better; f /= 2 {
			m := along(n, f, step)
			if v := g.value(m); v > value {
				n, value, better = m, v, true
			}
		}
		if !better {
			break
		}
	}
	for last := 1e-5; ; { // the rest converges quadratically
		step := g.newton(n, value)
		l := vec3.Norm(step)
		if !(l < last/2) {
			return n, g.value(n)
		}
		n, last = along(n, 1, step), l
	}
}

func along(n vec, f float64, step vec) vec {
	m := vec3.Add(n, f, step)
	return vec3.Scale(m, 1/vec3.Norm(m))
}

func (g *separating) value(n vec) float64 {
	return vec3.Dot(n, g.d) - support(g.a, g.pa, n) - support(g.b, g.pb, n)
}

func support(f *form, p *pose, n vec) float64 {
	m := p.back(n)
	return vec3.Norm(vec{f.axes[0] * m[0], f.axes[1] * m[1], f.axes[2] * m[2]})
}

// newton solves (T(H_a + H_b)T + s I) δ = T∇s for the tangential step, H the
// Hessians of the support functions; with |s| where s < 0 makes it indefinite.
// A step has a radian at most.
func (g *separating) newton(n vec, value float64) vec {
	t, o := tangents(n, 3)
	if g.plane {
		t, o = vec{-n[1], n[0]}, vec{}
	}
	var h [3]float64 // tt, to, oo
	grad := g.d
	for _, x := range []struct {
		f *form
		p *pose
	}{{g.a, g.pa}, {g.b, g.pb}} {
		m, mt, mo := x.p.back(n), x.p.back(t), x.p.back(o)
		for i, a := range x.f.axes {
			m[i], mt[i], mo[i] = a*m[i], a*mt[i], a*mo[i]
		}
		l := vec3.Norm(m)
		kt, ko := vec3.Dot(m, mt)/l, vec3.Dot(m, mo)/l
		h[0] += (vec3.Dot(mt, mt) - kt*kt) / l
		h[1] += (vec3.Dot(mt, mo) - kt*ko) / l
		h[2] += (vec3.Dot(mo, mo) - ko*ko) / l
		for i, a := range x.f.axes {
			m[i] *= a / l
		}
		grad = vec3.Add(grad, -1, x.p.turn(m))
	}
	gt, gn := vec3.Dot(grad, t), vec3.Dot(grad, o)
	if g.plane {
		h[2] = h[0]
	}
	shift := value
	if tt, oo := h[0]+shift, h[2]+shift; !(tt > 0 && oo > 0 && tt*oo > h[1]*h[1]) {
		shift = math.Abs(value)
	}
	tt, oo := h[0]+shift, h[2]+shift
	det := tt*oo - h[1]*h[1]
	step := vec3.Add(vec3.Scale(t, (gt*oo-gn*h[1])/det), (tt*gn-h[1]*gt)/det, o)
	if l := vec3.Norm(step); l > 1 {
		step = vec3.Scale(step, 1/l)
	}
	return step
}

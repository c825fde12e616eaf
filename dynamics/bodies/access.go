package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Pose is the place of a body: x = Centre + Rotation·y, row by row.
type Pose struct {
	Centre   [3]float64
	Rotation [9]float64
}

// Poses overwrites dst with the places of all bodies at q and returns it; a
// short dst is replaced.
func (w *World) Poses(dst []Pose, q []float64) []Pose {
	if cap(dst) < len(w.bodies) {
		dst = make([]Pose, len(w.bodies))
	}
	dst = dst[:len(w.bodies)]
	for i := range w.bodies {
		p := w.pose(i, q)
		dst[i] = Pose{p.c, p.r}
	}
	return dst
}

// Inertia returns the mass [kg] and the principal moments [kg m²] of a body.
func (w *World) Inertia(body int) (mass float64, inertia [3]float64) {
	return w.bodies[body].Mass, w.bodies[body].Inertia
}

// Drag returns the coefficients of −d v and −d ω of a body.
func (w *World) Drag(body int) (drag, spin float64) {
	return w.bodies[body].Drag, w.bodies[body].SpinDrag
}

// Reach is the radius of the ball around the centre that holds the body [m].
func (w *World) Reach(body int) float64 { return w.bodies[body].form.reach }

// Width is the least extent of a body [m]; 0 of a point.
func (w *World) Width(body int) float64 { return w.bodies[body].form.width }

// Lever bounds how fast the extent of a body in any direction changes when it
// turns by an angle [m]: 0 for balls.
func (w *World) Lever(body int) float64 {
	f := &w.bodies[body].form
	return f.lever()
}

// Support returns the largest n·x of the points x of a body at q [m].
func (w *World) Support(body int, q []float64, n [3]float64) float64 {
	f, p := &w.bodies[body].form, w.pose(body, q)
	most := math.Inf(-1)
	for i := range f.count() {
		x, at := f.part(i, &p)
		most = max(most, x.supportAt(&at, n))
	}
	return most
}

// supportAt is the largest n·x of a form of one part.
func (f *form) supportAt(p *pose, n vec) float64 {
	if isQuadric(f) {
		return vec3.Dot(n, p.c) + support(f, p, n)
	}
	most, list := math.Inf(-1), f.core
	if f.solid != nil {
		list, _ = f.solid.corners(nil, p.back(n))
	}
	for _, y := range list {
		most = max(most, vec3.Dot(n, p.place(y)))
	}
	return most + f.radius*vec3.Norm(n)
}

// Tangents returns t and o that make (n, t, o) orthonormal; in the plane
// t = (n_y, −n_x) and o is zero.
func (w *World) Tangents(n [3]float64) (t, o [3]float64) { return tangents(n, w.dim) }

// External overwrites f with the loads at the centres, by their mean from t to t + h, and drag, without
// the gravity that never changes, [Push] and the gyroscopic moments −ω × Iω. A mean over h = 0 is the
// load at t.
func (w *World) External(f []float64, t, h float64, v []float64) {
	surge := w.mean(w.surge, t, h)
	for i := range w.bodies {
		b := &w.bodies[i]
		load := w.mean(b.Load, t, h)
		for k := range w.dim {
			f[b.v+k] = load[k] + b.Mass*surge[k] - b.Drag*v[b.v+k]
		}
		for k := w.dim; k < b.spread; k++ {
			f[b.v+k] = -b.SpinDrag * v[b.v+k]
		}
	}
}

// Move overwrites dst with q moved by the constant velocities v during h:
// orientations in space turn by the exact rotation about ω. dst may be q.
func (w *World) Move(dst, q, v []float64, h float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		n := w.dim
		if w.dim == 2 {
			n = b.spread
		}
		for k := range n {
			dst[b.q+k] = q[b.q+k] + h*v[b.v+k]
		}
		if w.dim == 3 && b.form.spins {
			turn(dst[b.q+3:b.q+7], q[b.q+3:b.q+7], v[b.v+3:b.v+6], h)
		}
	}
}

// MoveSecant is [World.Move] but for the bodies with chorded[i], which turn by
// Cayley's transform of hω, the angle 2 atan(h‖ω‖/2) about ω: then
// R(dst) − R(q) = h/2 (R(q) + R(dst)) ω̂, so that points of these bodies move
// by the mean of their levers at both ends.
func (w *World) MoveSecant(dst, q, v []float64, h float64, chorded []bool) {
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := range w.dim {
			dst[b.q+k] = q[b.q+k] + h*v[b.v+k]
		}
		switch {
		case !b.form.spins:
		case w.dim == 2 && chorded[i]:
			dst[b.q+2] = q[b.q+2] + 2*math.Atan(0.5*h*v[b.v+2])
		case w.dim == 2:
			dst[b.q+2] = q[b.q+2] + h*v[b.v+2]
		case chorded[i]:
			secant(dst[b.q+3:b.q+7], q[b.q+3:b.q+7], v[b.v+3:b.v+6], h)
		default:
			turn(dst[b.q+3:b.q+7], q[b.q+3:b.q+7], v[b.v+3:b.v+6], h)
		}
	}
}

// turn sets d to e∘exp(hω/2), normalised.
func turn(d, e, omega []float64, h float64) {
	l := math.Sqrt(omega[0]*omega[0] + omega[1]*omega[1] + omega[2]*omega[2])
	half := 0.5 * h * l
	s, c := math.Sincos(half)
	if l > 0 {
		s /= l
	}
	compose(d, e, c, s*omega[0], s*omega[1], s*omega[2])
}

// secant sets d to e∘(1, hω/2), normalised: Cayley's transform.
func secant(d, e, omega []float64, h float64) {
	compose(d, e, 1, 0.5*h*omega[0], 0.5*h*omega[1], 0.5*h*omega[2])
}

// compose sets d to e∘(c, x, y, z), normalised.
func compose(d, e []float64, c, x, y, z float64) {
	a, b, g, k := e[0], e[1], e[2], e[3]
	d[0] = a*c - b*x - g*y - k*z
	d[1] = a*x + b*c + g*z - k*y
	d[2] = a*y + g*c + k*x - b*z
	d[3] = a*z + k*c + b*y - g*x
	f := 1 / math.Sqrt(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]+d[3]*d[3])
	for i := range d {
		d[i] *= f
	}
}

var _ dynamics.PatchFinder = (*World)(nil)

// EveryPair reports whether [World.AllPairs] lets every two bodies meet.
func (w *World) EveryPair() bool { return w.broad.patch != nil }

// PairKey is the key of the patch of two bodies a < b that [World.AllPairs] lets meet.
func (w *World) PairKey(a, b int) int { return w.broadKey() + a*len(w.bodies) + b }

// PatchOf returns the patch of a key, whether its bodies are near or not; nil if there
// is none.
func (w *World) PatchOf(key int) *dynamics.Patch {
	if w.broad.patch != nil && key >= w.broadKey() {
		return w.broad.patch
	}
	if len(w.pairs) == 0 {
		return nil
	}
	return w.pairs[w.pairOf(key)].patch
}

// Shift adds s·by to the centres of the bodies in coordinates q [m].
func (w *World) Shift(q []float64, s float64, by [3]float64) {
	if by == (vec{}) {
		return
	}
	for i := range w.bodies {
		at := w.bodies[i].q
		for k := range w.dim {
			q[at+k] += s * by[k]
		}
	}
}

package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// mirrorRounding is what places, directions and velocities of a mirror image may be off by, of sizes [-]:
// numbers that are typed with all their digits, and turned by quaternions, are known to a few 1e-16.
const mirrorRounding = 1e-12

// Mirror returns the normal of a plane in which the world is its own mirror image: each body and
// solid obstacle by itself, with its place, velocity and moments, all half-spaces, gravity and
// loads. Then a motion of the bodies exists that keeps to the plane. Looked for are planes across
// the axes of the first body that is no ball; ok is false where there is none, in the plane, and
// where all bodies are balls.
func (w *World) Mirror() (n [3]float64, ok bool) {
	if w.dim == 2 {
		return n, false
	}
	q, v := w.Start()
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.form.spins || w.Ball(i) {
			continue
		}
		p := spacePose(vec(q[b.q:b.q+3]), q[b.q+3:])
		for k := range 3 {
			n = vec{p.r[k], p.r[3+k], p.r[6+k]}
			if w.mirrored(n, vec3.Dot(n, p.c), q, v) {
				return n, true
			}
		}
		return n, false
	}
	return n, false
}

// mirrored reports whether the plane x·n = d maps all of the world onto itself.
func (w *World) mirrored(n vec, d float64, q, v []float64) bool {
	if !within(w.gravity, n) || !silent(w.surge, n) || w.pushes != nil {
		return false
	}
	for i := range w.floors {
		f := &w.floors[i]
		s, solid := f.Surface.(Solid)
		_, plane := f.Surface.(HalfSpace)
		switch {
		case f.Motion.Moves() || !plane && !solid:
			return false
		case plane && !within(f.normal, n), solid && !s.own.mirrored(&s.at, n, d):
			return false
		}
	}
	for i := range w.bodies {
		b := &w.bodies[i]
		p, move := pose{c: vec(q[b.q : b.q+3]), r: [9]float64{0: 1, 4: 1, 8: 1}}, vec(v[b.v:b.v+3])
		if b.form.spins {
			p = spacePose(p.c, q[b.q+3:])
			m := p.back(n) // on the axes of the body, that of its spin and one of inertia
			if spin := vec(v[b.v+3 : b.v+6]); !normal(spin, m) ||
				!normal(vec{b.Inertia[0] * m[0], b.Inertia[1] * m[1], b.Inertia[2] * m[2]}, m) {
				return false
			}
		}
		if !within(move, n) || !silent(b.Load, n) || !b.form.mirrored(&p, n, d) {
			return false
		}
	}
	return true
}

// within reports whether a vector lies in a plane of unit normal n, and normal whether it is a normal of it.
func within(x, n vec) bool { return math.Abs(vec3.Dot(x, n)) <= mirrorRounding*vec3.Norm(x) }

func normal(x, n vec) bool { return vec3.Norm(vec3.Cross(x, n)) <= mirrorRounding*vec3.Norm(x) }

// silent reports whether a vector over time lies in a plane of unit normal n: its components are
// zeros wherever n is not.
func silent(x signal.Vector, n vec) bool {
	for k := range x {
		if c, constant := x[k].(signal.Constant); x[k] != nil && math.Abs(n[k]) > mirrorRounding && !(constant && c == 0) {
			return false
		}
	}
	return true
}

// mirrored reports whether the plane x·n = d maps a form at a place onto itself, each part onto one of
// its parts.
func (f *form) mirrored(p *pose, n vec, d float64) bool {
	for i := range f.count() {
		x, at := f.part(i, p)
		found := false
		for k := 0; k < f.count() && !found; k++ {
			y, other := f.part(k, p)
			found = images(x, y, &at, &other, n, d, mirrorRounding*f.reach)
		}
		if !found {
			return false
		}
	}
	return true
}

// images reports whether y is the mirror image of x, to a length: points as sets; what is round by
// itself, where its axis lies in the plane or across it.
func images(x, y *form, at, other *pose, n vec, d, off float64) bool {
	image := func(point vec) vec { return vec3.Add(point, -2*(vec3.Dot(point, n)-d), n) }
	near := func(a, b vec) bool { return vec3.Norm(vec3.Add(a, -1, b)) <= off+mirrorRounding*math.Abs(d) }
	switch {
	case x.solid != nil:
		s, round := x.solid.(Shape)
		return x == y && round && near(image(at.c), at.c) && upright(s.round(), at.back(n))
	case isQuadric(x):
		m := at.back(n)
		return x == y && near(image(at.c), at.c) && normal(vec{x.axes[0] * m[0], x.axes[1] * m[1], x.axes[2] * m[2]}, m)
	}
	if len(x.core) != len(y.core) || x.radius != y.radius {
		return false
	}
	for _, c := range x.core {
		found := false
		for k := 0; k < len(y.core) && !found; k++ {
			found = near(image(at.place(c)), other.place(y.core[k]))
		}
		if !found {
			return false
		}
	}
	return true
}

// upright reports whether a plane of normal m, on the axes of a body, holds an axis about which it is round.
func upright(round [3]bool, m vec) bool {
	for k := range 3 {
		if round[k] && math.Abs(m[k]) <= mirrorRounding {
			return true
		}
	}
	return false
}

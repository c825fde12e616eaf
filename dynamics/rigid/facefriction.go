package rigid

import (
	"math"
	"math/cmplx"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Friction of faces. Under [UniformPressure] a face rubs in some points. The face itself, with the
// friction T of all of it and the pressure p of ∫p dA = 1 that is affine over the face and has the centre
// x_p of that of the points, has of its unit slip û
//
//	F = −T ∫ p û dA,  M = −T ∫ p (x − c) × û dA.
//
// About the centre c of its turn û is the same along a ray, so that with x = c + s(y − c) and dA =
// s (y − c) × dy ds both are integrals along the edge, of y,
//
//	F = −T ∮ û (p(c)/2 + ∇p·(y − c)/3) (y − c) × dy,  M = −T ∮ ‖y − c‖ (p(c)/3 + ∇p·(y − c)/4) (y − c) × dy.
//
// What the points miss of F, and of M about the centre of mass, is summed over the steps: as a face turns
// its points miss now more, now less. The largest of these sums is what velocities are off by, but for
// what that does to friction in turn. It is judged against what friction did or, if that is more, what it did
// that to: the momentum at the start and what all others gave, Σ‖P_n − P_{n−1} − F_n h‖ with P_0 = 0 of the slip P/m
// of the centre of mass; of forces and of moments each, for a slide beside a fast spin is a motion of its own.

// FaceFriction sums up the friction under the faces of a body.
type FaceFriction struct{ Push, Turn Rub }

// Rub sums up its impulses, or their moments about the normal and the centre of mass.
type Rub struct {
	Did    float64    // Σ|F|h [N s, N m s]
	Given  float64    // to what slips, see above
	Last   [3]float64 // P
	Off    [3]float64 // what points miss of ΣFh …
	Missed float64    // … and the largest that it was
	Most   float64    // ΣTh, or that times the radius of the face
}

// add takes a step in which friction did something, but for what is missed, to a momentum.
func (r *Rub) add(did, missed, momentum vec, most float64) {
	r.Did, r.Given = r.Did+vec3.Norm(did), r.Given+vec3.Norm(vec3.Add(vec3.Add(momentum, -1, r.Last), -1, did))
	r.Last, r.Off, r.Most = momentum, vec3.Add(r.Off, 1, missed), r.Most+most
	r.Missed = max(r.Missed, vec3.Norm(r.Off))
}

// missed is the part that points miss. Less than 1e-5 of what friction could do is what solvers, to 1e-8, leave
// of a body that spins in place or slides straight.
func (r *Rub) missed() float64 {
	scale := max(r.Did, r.Given, 1e-5*r.Most)
	switch x := r.Missed / scale; {
	case scale == 0:
		return 0
	case x <= math.MaxFloat64:
		return x
	}
	return math.MaxFloat64 // not known
}

// facesMissed judges what points miss of the friction of faces, of the worst body.
func (s *accounts) facesMissed(accuracy float64) dynamics.Measure {
	m := dynamics.Measure{Name: "friction that points of evenly pressed faces miss, of what it did", Limit: accuracy,
		Unit: "-", Basis: dynamics.Estimated, Given: true}
	for i := range s.worth.Faces {
		f := &s.worth.Faces[i]
		if x := max(f.Push.missed(), f.Turn.missed()); x > m.Value {
			m.Value, m.Place = x, "under "+s.model.BodyName(i)
		}
	}
	if !m.Passed() {
		m.Remedy = "an accuracy above it, if that is enough: the points of a face are the same in any steps of any scheme"
	}
	return m
}

// rubbingFace is a face that slips, in the plane that it lies on, from the centre of what its points bear.
type rubbingFace struct {
	along, across vec // of the plane
	points        []rubbingPoint
	outline       []complex128 // of the face, or of what bears of it
	corners       [][3]float64 // scratch of outline
	arm           complex128   // of the first point, from the centre of mass
	press         float64      // N h of the points
	rub           float64      // T h
	slip          complex128   // at the centre of the pressure
	turn          float64      // ω
	size          float64      // how far points are from there
	p0            float64      // p there, of ∫p dA = 1 …
	grad          complex128   // … and how it grows
}

type rubbingPoint struct {
	at, slip, rub complex128 // [m, m/s, N s]
	press         float64    // [N s]
}

func wedge(a, b complex128) float64 { return imag(cmplx.Conj(a) * b) }
func inner(a, b complex128) float64 { return real(cmplx.Conj(a) * b) }

// faceFriction takes the faces that bear in a part of a step, with the speeds u.
func (s *accounts) faceFriction(u []float64) {
	list := s.p.list
	for from := 0; from < len(list); {
		to, meeting := from+1, bodies.MeetingOf(s.touches[list[from]].Key)
		for to < len(list) && bodies.MeetingOf(s.touches[list[to]].Key) == meeting {
			to++
		}
		if s.openFace(from, to, u) {
			s.rubFace(&s.touches[list[from]])
		}
		from = to
	}
}

// openFace takes the contacts of the problem from one up to another, of one pair, and reports whether they
// are those of a face that bears evenly: in three of its points at least.
func (s *accounts) openFace(from, to int, u []float64) bool {
	f, first, face, inside := &s.face, &s.touches[s.p.list[from]], -1, 0
	axis := s.marks[s.p.list[from]].frame[1]
	f.along = vec3.Scale(axis, 1/vec3.Norm(axis))
	f.across = vec3.Cross(first.N, f.along)
	flat := func(x vec) complex128 { return complex(vec3.Dot(x, f.along), vec3.Dot(x, f.across)) }
	f.points, f.outline = f.points[:0], f.outline[:0]
	f.arm = flat(vec3.Add(first.At, -1, s.poses[first.A].Centre))
	for k := from; k < to; k++ {
		i := s.p.list[k]
		t, m := &s.touches[i], &s.marks[i]
		if s.model.StopOf(t) != nil || !(m.r[0] > 0) || s.model.World.Share(t) == 0 {
			continue
		}
		x := rubbingPoint{at: flat(vec3.Add(t.At, -1, first.At)), press: m.r[0]}
		for d := 1; d < 3; d++ { // frames of a grain are no unit vectors
			axis := flat(m.frame[d])
			x.rub += complex(m.r[d], 0) * axis
			x.slip += complex(u[k*s.p.dim+d]/inner(axis, axis), 0) * axis
		}
		f.points = append(f.points, x)
		corners, number := s.model.World.Outline(f.corners, t, s.q)
		if f.corners = corners; number < 0 {
			continue
		}
		if inside++; face < 0 {
			face = number
			for _, c := range corners {
				f.outline = append(f.outline, x.at+flat(c))
			}
		}
	}
	return inside >= 3
}

// twist finds the centre of the pressure, moves there, and takes the slip, of a rigid body.
func (f *rubbingFace) twist() (centre complex128) {
	f.press, f.rub, f.slip, f.turn, f.size = 0, 0, 0, 0, 0
	for _, x := range f.points {
		centre, f.slip = centre+complex(x.press, 0)*x.at, f.slip+complex(x.press, 0)*x.slip
		f.press, f.rub = f.press+x.press, f.rub+cmplx.Abs(x.rub)
	}
	centre, f.slip = centre/complex(f.press, 0), f.slip/complex(f.press, 0)
	spread := 0.0
	for i := range f.points {
		x := &f.points[i]
		x.at -= centre
		f.turn, spread = f.turn+x.press*wedge(x.at, x.slip), spread+x.press*inner(x.at, x.at)
		f.size = max(f.size, cmplx.Abs(x.at))
	}
	for i := range f.outline {
		f.outline[i] -= centre
	}
	f.turn /= spread
	return centre
}

// area returns ∫dA, ∫x dA and ∫xxᵀ dA over the outline, the last as xx, xy and yy.
func (f *rubbingFace) area() (area float64, first complex128, second [3]float64) {
	for i, a := range f.outline {
		b := f.outline[(i+1)%len(f.outline)]
		part := wedge(a, b) / 2 // of the triangle with the origin
		area, first = area+part, first+complex(part/3, 0)*(a+b)
		for _, x := range []complex128{a, b, a + b} {
			second[0] += part / 12 * real(x) * real(x)
			second[1] += part / 12 * real(x) * imag(x)
			second[2] += part / 12 * imag(x) * imag(x)
		}
	}
	return area, first, second
}

// pressure finds p, of which ∫p x dA is zero. Where it is below zero the face has lifted: it is cut off, and p is
// that of the rest, which is less than before, and more than bears. It reports whether there is a face, not a line.
func (f *rubbingFace) pressure() bool {
	for range 50 { // each cut leaves about a third of what is too much
		sign := f.affine()
		if !f.cut(sign) {
			return len(f.outline) >= 3
		}
	}
	return len(f.outline) >= 3
}

// affine sets p to 1/A + g·(x − C)/A of the area A and the centre C of the outline, with Σg = −C of the second moments
// of a unit of area about it, and returns the sign of A.
func (f *rubbingFace) affine() float64 {
	area, first, second := f.area()
	c := first / complex(area, 0)
	xx, xy, yy := second[0]/area-real(c)*real(c), second[1]/area-real(c)*imag(c), second[2]/area-imag(c)*imag(c)
	g := complex(xy*imag(c)-yy*real(c), xy*real(c)-xx*imag(c)) / complex(xx*yy-xy*xy, 0)
	f.p0, f.grad = (1-inner(g, c))/area, g/complex(area, 0)
	return math.Copysign(1, area)
}

// cut leaves the part of the outline where sign p is not below zero, but for rounding, and reports whether
// there is another one.
func (f *rubbingFace) cut(sign float64) bool {
	at := func(x complex128) float64 { return sign * (f.p0 + inner(f.grad, x)) }
	n, lifted := len(f.outline), false
	for _, x := range f.outline {
		lifted = lifted || !(at(x) >= -1e-9*sign*f.p0)
	}
	if !lifted {
		return false
	}
	for i := range n {
		a, b := f.outline[i], f.outline[(i+1)%n]
		if at(a) >= 0 {
			f.outline = append(f.outline, a)
		}
		if at(a)*at(b) < 0 {
			f.outline = append(f.outline, a+complex(at(a)/(at(a)-at(b)), 0)*(b-a))
		}
	}
	f.outline = f.outline[:copy(f.outline, f.outline[n:])]
	return len(f.outline) >= 3
}

// edge returns F h and M h about the centre of the pressure, of the face that turns about c, by Gauss's rule
// with two points on some parts of its edge, in all about 48.
func (f *rubbingFace) edge(c complex128) (force complex128, moment float64) {
	parts := max(1, 48/len(f.outline))
	pc, sense := f.p0+inner(f.grad, c), math.Copysign(f.rub, f.turn)
	for i, a := range f.outline {
		step := (f.outline[(i+1)%len(f.outline)] - a) / complex(float64(parts), 0)
		for k := range 2 * parts {
			on := float64(k/2) + 0.5 + (float64(k%2)-0.5)/math.Sqrt(3)
			y := a + complex(on, 0)*step - c
			r := cmplx.Abs(y)
			if r == 0 {
				continue
			}
			da, grown := sense*wedge(y, step)/2, inner(f.grad, y)
			force -= complex(da*(pc/2+grown/3)/r, 0) * 1i * y
			moment -= da * (pc/3 + grown/4) * r
		}
	}
	return force, moment + wedge(c, force)
}

// sum returns the same of the points; one that is at rest bears what it does.
func (f *rubbingFace) sum(still float64) (force complex128, moment float64) {
	for _, x := range f.points {
		push := x.rub
		if slip := f.slip + complex(0, f.turn)*x.at; cmplx.Abs(slip) > still {
			push = complex(-f.rub*x.press/f.press/cmplx.Abs(slip), 0) * slip
		}
		force, moment = force+push, moment+wedge(x.at, push)
	}
	return force, moment
}

// rubFace takes a face, of the body of a touch at its first point, if it slips.
func (s *accounts) rubFace(t *bodies.Touch) {
	f, body, still := &s.face, &s.model.Bodies[t.A], s.pace*slides
	centre := f.arm + f.twist()
	if !(max(cmplx.Abs(f.slip), math.Abs(f.turn)*f.size) > still) || f.rub == 0 {
		return
	}
	force, moment := f.sum(still)
	missed, turned := complex128(0), 0.0
	// The points have the second moments of the face: of a turn about what is far away they miss (size/c)².
	if cmplx.Abs(f.slip) < 100*math.Abs(f.turn)*f.size && f.pressure() {
		own, by := f.edge(1i * f.slip / complex(f.turn, 0))
		missed, turned = force-own, moment-by
		force, moment = own, by
	}
	inertia, axis := 0.0, multibody.ToBody(&s.poses[t.A], t.N)
	for k := range 3 {
		inertia += s.model.Inertia(body, 3+k) * axis[k] * axis[k]
	}
	space := func(x complex128) vec { return vec3.Add(vec3.Scale(f.along, real(x)), imag(x), f.across) }
	turn := func(x float64) vec { return vec3.Scale(t.N, x) }
	slip, x := f.slip-complex(0, f.turn)*centre, &s.worth.Faces[t.A]
	x.Push.add(space(force), space(missed), vec3.Scale(space(slip), body.Mass), f.rub)
	x.Turn.add(turn(moment+wedge(centre, force)), turn(turned+wedge(centre, missed)), turn(inertia*f.turn), f.rub*f.size)
}

package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Kind of a joint.
type Kind int

// The joints and the motions they leave.
const (
	Revolute  Kind = iota // rotation about Axis through At; in the plane about At
	Spherical             // all rotations about At (in the plane the same as Revolute)
	Prismatic             // translation along Axis
	Slider                // At of body A on the line along Axis through At, fixed to B
	Distance              // the distance of At on A and Other on B stays
	Fixed                 // no relative motion
)

var kinds = [...]string{"revolute", "spherical", "prismatic", "slider", "distance", "fixed"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kinds[k]
}

// Joint ties body A to body B, or to the ground where B is −1. Places and
// directions are those of the start, in space coordinates.
type Joint struct {
	Name  string // for messages; empty means its number
	Kind  Kind
	A, B  int
	At    [3]float64 // [m]
	Other [3]float64 // the other end of a Distance [m]
	Axis  [3]float64 // need not have unit length
}

// A row is one equation Θ = 0:
//
//	along     d·(p_A − p_B), d fixed to B; pinned: d an axis of space
//	angle     a·b with a fixed to A and b to B, orthogonal at the start
//	heading   θ_A − θ_B − c, in the plane
//	distance  (‖p_A − p_B‖² − c²)/2c
type row struct {
	kind   rowKind
	joint  int
	a, b   int
	pa, pb vec // points of A and B, body frames
	da, db vec // directions of A and B, body frames
	axis   int // of space, of a pinned one
	c      float64
}

type rowKind int

const (
	rowAlong rowKind = iota
	rowPinned
	rowAngle
	rowHeading
	rowDistance
)

var ground = bodies.Pose{Rotation: [9]float64{0: 1, 4: 1, 8: 1}}

func poseOf(poses []bodies.Pose, i int) *bodies.Pose {
	if i < 0 {
		return &ground
	}
	return &poses[i]
}

// label names a joint in messages.
func (m *Model) label(i int) string {
	j := &m.setup.Joints[i]
	if j.Name != "" {
		return fmt.Sprintf("joint %q (%v)", j.Name, j.Kind)
	}
	return fmt.Sprintf("joint %d (%v)", i, j.Kind)
}

// assemble makes the rows of a joint at the start.
func (m *Model) assemble(i int, j *Joint, poses []bodies.Pose) ([]row, error) {
	n := len(m.body)
	switch {
	case j.A < 0 || j.A >= n || j.B < -1 || j.B >= n || j.A == j.B:
		return nil, fmt.Errorf("rigid: %s ties the bodies %d and %d, there are %d", m.label(i), j.A, j.B, n)
	case j.Kind < 0 || int(j.Kind) >= len(kinds):
		return nil, fmt.Errorf("rigid: joint %d has the unknown kind %d", i, int(j.Kind))
	}
	l := vec3.Norm(j.Axis)
	if m.needsAxis(j.Kind) && (!(l > 0) || math.IsInf(l, 1)) {
		return nil, fmt.Errorf("rigid: %s has the axis %v, want a direction", m.label(i), j.Axis)
	}
	if m.dim == 2 && (j.At[2] != 0 || j.Other[2] != 0 || m.needsAxis(j.Kind) && j.Axis[2] != 0) {
		return nil, fmt.Errorf("rigid: %s leaves the plane", m.label(i))
	}
	b := builder{m: m, poses: poses, base: row{joint: i, a: j.A, b: j.B}}
	b.pa, b.pb = poseOf(poses, j.A), poseOf(poses, j.B)
	b.base.pa, b.base.pb = back(b.pa, vec3.Add(j.At, -1, b.pa.Centre)), back(b.pb, vec3.Add(j.At, -1, b.pb.Centre))
	if j.Kind == Distance {
		c := vec3.Norm(vec3.Add(j.At, -1, j.Other))
		if !(c > 0) || math.IsInf(c, 1) {
			return nil, fmt.Errorf("rigid: %s has the length %g, want a positive number", m.label(i), c)
		}
		b.base.c, b.base.pb = c, back(b.pb, vec3.Add(j.Other, -1, b.pb.Centre))
		b.emit(rowDistance)
		return b.rows, nil
	}
	b.build(j, vec3.Scale(j.Axis, 1/max(l, math.SmallestNonzeroFloat64)))
	return b.rows, nil
}

func (m *Model) needsAxis(k Kind) bool {
	return k == Prismatic || k == Slider || k == Revolute && m.dim == 3
}

// builder collects the rows of one joint.
type builder struct {
	m      *Model
	poses  []bodies.Pose
	pa, pb *bodies.Pose
	base   row
	rows   []row
}

func (b *builder) emit(k rowKind) {
	r := b.base
	r.kind = k
	b.rows = append(b.rows, r)
}

func (b *builder) build(j *Joint, axis vec) {
	u, w := b.m.World.Tangents(axis)
	switch j.Kind {
	case Revolute:
		b.pin()
		if b.m.dim == 3 {
			b.angle(axis, u)
			b.angle(axis, w)
		}
	case Spherical:
		b.pin()
	case Prismatic:
		b.line(u, w)
		b.lock()
	case Slider:
		b.line(u, w)
	case Fixed:
		b.pin()
		b.lock()
	}
}

// pin: the points coincide, along the axes of space.
func (b *builder) pin() {
	for k := range b.m.dim {
		b.base.axis = k
		b.emit(rowPinned)
	}
}

// line: the point of A on the line across u (and w), which is fixed to B.
func (b *builder) line(u, w vec) {
	b.base.db = back(b.pb, u)
	b.emit(rowAlong)
	if b.m.dim == 3 {
		b.base.db = back(b.pb, w)
		b.emit(rowAlong)
	}
}

// lock: no relative rotation.
func (b *builder) lock() {
	spins := b.m.body[b.base.a].spins && (b.base.b < 0 || b.m.body[b.base.b].spins)
	switch {
	case !spins:
	case b.m.dim == 2:
		b.base.c = b.heading(b.base.a) - b.heading(b.base.b)
		b.emit(rowHeading)
	default:
		e := [3]vec{{1}, {0, 1}, {0, 0, 1}}
		for k := range 3 {
			b.angle(e[k], e[(k+1)%3])
		}
	}
}

func (b *builder) heading(body int) float64 {
	if body < 0 {
		return 0
	}
	q, _ := b.m.World.Start()
	at, _ := b.m.World.Coordinates(body)
	return q[at+2]
}

// angle keeps a of A orthogonal to c of B; points have no orientation.
func (b *builder) angle(a, c vec) {
	if !b.m.body[b.base.a].spins || b.base.b >= 0 && !b.m.body[b.base.b].spins {
		return
	}
	b.base.da, b.base.db = back(b.pa, a), back(b.pb, c)
	b.emit(rowAngle)
}

// lever is a force row: linear part and moment about the centre, for A; that
// of B is the opposite force with its own moment.
type lever struct {
	lin      vec
	angA, vB vec // moment on A, moment on B (with its sign)
}

// value returns Θ, to the bit that of gradient.
func (r *row) value(m *Model, poses []bodies.Pose, q []float64) float64 {
	pa, pb := poseOf(poses, r.a), poseOf(poses, r.b)
	switch r.kind {
	case rowPinned:
		return along(pa, &r.pa, r.axis) - along(pb, &r.pb, r.axis)
	case rowHeading:
		return m.heading(q, r.a) - m.heading(q, r.b) - r.c
	case rowAngle:
		return vec3.Dot(turn(pa, r.da), turn(pb, r.db))
	}
	d := vec3.Add(vec3.Add(pa.Centre, 1, turn(pa, r.pa)), -1, vec3.Add(pb.Centre, 1, turn(pb, r.pb)))
	if r.kind == rowDistance {
		return (vec3.Dot(d, d) - r.c*r.c) / (2 * r.c)
	}
	return vec3.Dot(turn(pb, r.db), d)
}

// along is the coordinate k in space of the point y of a body.
func along(p *bodies.Pose, y *vec, k int) float64 {
	r := p.Rotation[3*k : 3*k+3]
	return p.Centre[k] + (r[0]*y[0] + r[1]*y[1] + r[2]*y[2])
}

// gradient returns Θ and what the velocities of A and B add to its rate.
func (r *row) gradient(m *Model, poses []bodies.Pose, q []float64) (theta float64, g lever) {
	pa, pb := poseOf(poses, r.a), poseOf(poses, r.b)
	switch r.kind {
	case rowPinned: // the most frequent one
		ra, rb, k := turn(pa, r.pa), turn(pb, r.pb), r.axis
		g.lin[k] = 1
		i, j := (k+1)%3, (k+2)%3 // r × e_k
		g.angA[i], g.angA[j] = ra[j], -ra[i]
		g.vB[i], g.vB[j] = -rb[j], rb[i]
		return pa.Centre[k] + ra[k] - (pb.Centre[k] + rb[k]), g
	case rowHeading:
		return m.heading(q, r.a) - m.heading(q, r.b) - r.c, lever{angA: vec{0, 0, 1}, vB: vec{0, 0, -1}}
	case rowAngle:
		a, b := turn(pa, r.da), turn(pb, r.db)
		c := vec3.Cross(a, b)
		return vec3.Dot(a, b), lever{angA: c, vB: vec3.Scale(c, -1)}
	}
	ra, rb := turn(pa, r.pa), turn(pb, r.pb)
	d := vec3.Add(vec3.Add(pa.Centre, 1, ra), -1, vec3.Add(pb.Centre, 1, rb))
	var n vec
	switch r.kind {
	case rowDistance:
		n = vec3.Scale(d, 1/r.c)
		theta = (vec3.Dot(d, d) - r.c*r.c) / (2 * r.c)
	case rowAlong:
		n = turn(pb, r.db)
		rb = vec3.Add(rb, 1, d) // the point of B under A's
		theta = vec3.Dot(n, d)
	}
	return theta, lever{lin: n, angA: vec3.Cross(ra, n), vB: vec3.Scale(vec3.Cross(rb, n), -1)}
}

func (m *Model) heading(q []float64, body int) float64 {
	if body < 0 {
		return 0
	}
	at, _ := m.World.Coordinates(body)
	return q[at+2]
}

package multibody

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

// Joint ties body A to body B, or to the ground where B is −1. Places and directions are those of
// the start, in space coordinates.
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
type Row struct {
	Kind   rowKind
	Joint  int
	A, B   int
	Pa, Pb vec // points of A and B, body frames
	Da, Db vec // directions of A and B, body frames
	Axis   int // of space, of a pinned one
	C      float64
}

type rowKind int

const (
	rowAlong rowKind = iota
	RowPinned
	RowAngle
	RowHeading
	RowDistance
)

var ground = bodies.Pose{Rotation: [9]float64{0: 1, 4: 1, 8: 1}}

func PoseOf(poses []bodies.Pose, i int) *bodies.Pose {
	if i < 0 {
		return &ground
	}
	return &poses[i]
}

// JointName names a joint in messages.
func (m *Model) JointName(i int) string {
	j := &m.Setup.Joints[i]
	if j.Name != "" {
		return fmt.Sprintf("joint %q (%v)", j.Name, j.Kind)
	}
	return fmt.Sprintf("joint %d (%v)", i, j.Kind)
}

// assemble makes the rows of a joint at the start.
func (m *Model) assemble(i int, j *Joint, poses []bodies.Pose) ([]Row, error) {
	n := len(m.Bodies)
	switch {
	case j.A < 0 || j.A >= n || j.B < -1 || j.B >= n || j.A == j.B:
		return nil, fmt.Errorf("rigid: %s ties the bodies %d and %d, there are %d", m.JointName(i), j.A, j.B, n)
	case j.Kind < 0 || int(j.Kind) >= len(kinds):
		return nil, fmt.Errorf("rigid: joint %d has the unknown kind %d", i, int(j.Kind))
	}
	l := vec3.Norm(j.Axis)
	if m.needsAxis(j.Kind) && (!(l > 0) || math.IsInf(l, 1)) {
		return nil, fmt.Errorf("rigid: %s has the axis %v, want a direction", m.JointName(i), j.Axis)
	}
	if m.Dim == 2 && (j.At[2] != 0 || j.Other[2] != 0 || m.needsAxis(j.Kind) && j.Axis[2] != 0) {
		return nil, fmt.Errorf("rigid: %s leaves the plane", m.JointName(i))
	}
	b := builder{m: m, poses: poses, base: Row{Joint: i, A: j.A, B: j.B}}
	b.pa, b.pb = PoseOf(poses, j.A), PoseOf(poses, j.B)
	b.base.Pa, b.base.Pb = ToBody(b.pa, vec3.Add(j.At, -1, b.pa.Centre)), ToBody(b.pb, vec3.Add(j.At, -1, b.pb.Centre))
	if j.Kind == Distance {
		c := vec3.Norm(vec3.Add(j.At, -1, j.Other))
		if !(c > 0) || math.IsInf(c, 1) {
			return nil, fmt.Errorf("rigid: %s has the length %g, want a positive number", m.JointName(i), c)
		}
		b.base.C, b.base.Pb = c, ToBody(b.pb, vec3.Add(j.Other, -1, b.pb.Centre))
		b.emit(RowDistance)
		return b.rows, nil
	}
	b.build(j, vec3.Scale(j.Axis, 1/max(l, math.SmallestNonzeroFloat64)))
	return b.rows, nil
}

func (m *Model) needsAxis(k Kind) bool {
	return k == Prismatic || k == Slider || k == Revolute && m.Dim == 3
}

// builder collects the rows of one joint.
type builder struct {
	m      *Model
	poses  []bodies.Pose
	pa, pb *bodies.Pose
	base   Row
	rows   []Row
}

func (b *builder) emit(k rowKind) {
	r := b.base
	r.Kind = k
	b.rows = append(b.rows, r)
}

func (b *builder) build(j *Joint, axis vec) {
	u, w := b.m.World.Tangents(axis)
	switch j.Kind {
	case Revolute:
		b.pin()
		if b.m.Dim == 3 {
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
	for k := range b.m.Dim {
		b.base.Axis = k
		b.emit(RowPinned)
	}
}

// line: the point of A on the line across u (and w), which is fixed to B.
func (b *builder) line(u, w vec) {
	b.base.Db = ToBody(b.pb, u)
	b.emit(rowAlong)
	if b.m.Dim == 3 {
		b.base.Db = ToBody(b.pb, w)
		b.emit(rowAlong)
	}
}

// lock: no relative rotation.
func (b *builder) lock() {
	spins := b.m.Bodies[b.base.A].Spins && (b.base.B < 0 || b.m.Bodies[b.base.B].Spins)
	switch {
	case !spins:
	case b.m.Dim == 2:
		b.base.C = b.heading(b.base.A) - b.heading(b.base.B)
		b.emit(RowHeading)
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
	if !b.m.Bodies[b.base.A].Spins || b.base.B >= 0 && !b.m.Bodies[b.base.B].Spins {
		return
	}
	b.base.Da, b.base.Db = ToBody(b.pa, a), ToBody(b.pb, c)
	b.emit(RowAngle)
}

// Lever is a force row: linear part and moment about the centre, for A; that of B is the opposite
// force with its own moment.
type Lever struct {
	Lin      vec
	AngA, VB vec // moment on A, moment on B (with its sign)
}

// Value returns Θ, to the bit that of gradient.
func (r *Row) Value(m *Model, poses []bodies.Pose, q []float64) float64 {
	pa, pb := PoseOf(poses, r.A), PoseOf(poses, r.B)
	switch r.Kind {
	case RowPinned:
		return Along(pa, &r.Pa, r.Axis) - Along(pb, &r.Pb, r.Axis)
	case RowHeading:
		return m.heading(q, r.A) - m.heading(q, r.B) - r.C
	case RowAngle:
		return vec3.Dot(ToSpace(pa, r.Da), ToSpace(pb, r.Db))
	}
	d := vec3.Add(vec3.Add(pa.Centre, 1, ToSpace(pa, r.Pa)), -1, vec3.Add(pb.Centre, 1, ToSpace(pb, r.Pb)))
	if r.Kind == RowDistance {
		return (vec3.Dot(d, d) - r.C*r.C) / (2 * r.C)
	}
	return vec3.Dot(ToSpace(pb, r.Db), d)
}

// Along is the coordinate k in space of the point y of a body.
func Along(p *bodies.Pose, y *vec, k int) float64 {
	r := p.Rotation[3*k : 3*k+3]
	return p.Centre[k] + (r[0]*y[0] + r[1]*y[1] + r[2]*y[2])
}

// Gradient returns Θ and what the velocities of A and B add to its rate.
func (r *Row) Gradient(m *Model, poses []bodies.Pose, q []float64) (theta float64, g Lever) {
	pa, pb := PoseOf(poses, r.A), PoseOf(poses, r.B)
	switch r.Kind {
	case RowPinned: // the most frequent one
		ra, rb, k := ToSpace(pa, r.Pa), ToSpace(pb, r.Pb), r.Axis
		g.Lin[k] = 1
		i, j := (k+1)%3, (k+2)%3 // r × e_k
		g.AngA[i], g.AngA[j] = ra[j], -ra[i]
		g.VB[i], g.VB[j] = -rb[j], rb[i]
		return pa.Centre[k] + ra[k] - (pb.Centre[k] + rb[k]), g
	case RowHeading:
		return m.heading(q, r.A) - m.heading(q, r.B) - r.C, Lever{AngA: vec{0, 0, 1}, VB: vec{0, 0, -1}}
	case RowAngle:
		a, b := ToSpace(pa, r.Da), ToSpace(pb, r.Db)
		c := vec3.Cross(a, b)
		return vec3.Dot(a, b), Lever{AngA: c, VB: vec3.Scale(c, -1)}
	}
	ra, rb := ToSpace(pa, r.Pa), ToSpace(pb, r.Pb)
	d := vec3.Add(vec3.Add(pa.Centre, 1, ra), -1, vec3.Add(pb.Centre, 1, rb))
	var n vec
	switch r.Kind {
	case RowDistance:
		n = vec3.Scale(d, 1/r.C)
		theta = (vec3.Dot(d, d) - r.C*r.C) / (2 * r.C)
	case rowAlong:
		n = ToSpace(pb, r.Db)
		rb = vec3.Add(rb, 1, d) // the point of B under A's
		theta = vec3.Dot(n, d)
	}
	return theta, Lever{Lin: n, AngA: vec3.Cross(ra, n), VB: vec3.Scale(vec3.Cross(rb, n), -1)}
}

func (m *Model) heading(q []float64, body int) float64 {
	if body < 0 {
		return 0
	}
	at, _ := m.World.Coordinates(body)
	return q[at+2]
}

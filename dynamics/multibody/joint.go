package multibody

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Kind of a joint, by the word that cases have for it.
type Kind string

// The joints and the motions they leave.
const (
	Revolute  Kind = "revolute"  // rotation about Axis through At; in the plane about At
	Spherical Kind = "spherical" // all rotations about At (in the plane the same as Revolute)
	Prismatic Kind = "prismatic" // translation along Axis
	Slider    Kind = "slider"    // At of body A on the line along Axis through At, fixed to B
	Distance  Kind = "distance"  // the distance of At on A and Other on B stays
	Fixed     Kind = "fixed"     // no relative motion
	// Screw, Rack, Gear, Universal, Cylindrical, Planar: files of their own
)

// jointKind is what there is to know of a kind of joint.
type jointKind struct {
	kind    Kind
	text    string // of the case format: the motion that it leaves
	axis    int    // it has one from so many dimensions on; 0: never
	space   bool   // it is one of space, not of the plane
	plane   bool   // it is one of the plane, not of space
	other   bool   // it has two ends, At and Other
	slides  bool   // At moves along Axis, which pictures show
	glides  bool   // At moves across Axis
	turns   bool   // A turns beside B about At
	rod     bool   // At and Other are the ends of a rod, which pictures show
	numbers map[string]string
	rows    func(b *builder, j *Joint, axis vec) error // emits its equations
}

// Joint ties body A to body B, or to the ground where B is −1. Places and directions are those of
// the start, in space coordinates.
type Joint struct {
	Name  string // for messages; empty means its number
	Kind  Kind
	A, B  int
	At    [3]float64 // [m]
	Other [3]float64 // the other end of a Distance, where a Rack meets its pinion; see Gear and Universal [m]
	Axis  [3]float64 // need not have unit length
	// Numbers of its kind, by their keys in cases: "pitch" of a Screw.
	Numbers map[string]float64
	Ranges  []Range // of the motion that it leaves; none: it has no limits
	Brakes  []Brake // on that motion
}

// JointName names a joint in messages.
func (m *Model) JointName(i int) string {
	j := &m.Setup.Joints[i]
	if j.Name != "" {
		return fmt.Sprintf("joint %q (%s)", j.Name, j.Kind)
	}
	return fmt.Sprintf("joint %d (%s)", i, j.Kind)
}

// JointError is a joint that a model cannot have.
type JointError struct {
	Joint int // in [Setup]
	Err   error
}

func (e *JointError) Error() string { return e.Err.Error() }

func (e *JointError) Unwrap() error { return e.Err }

// builder collects the rows of one joint.
type builder struct {
	m      *Model
	joint  int
	a, b   int
	pa, pb *bodies.Pose
	rows   []Row
}

func (b *builder) emit(e Equation) { b.rows = append(b.rows, Row{e, b.joint, b.a, b.b}) }

func (b *builder) revolute(j *Joint, axis vec) error {
	b.pin(j.At)
	if b.m.Dim == 3 {
		b.align(axis)
	}
	return nil
}

func (b *builder) spherical(j *Joint, _ vec) error {
	b.pin(j.At)
	return nil
}

func (b *builder) prismatic(j *Joint, axis vec) error {
	b.line(j.At, axis)
	b.lock()
	return nil
}

func (b *builder) slider(j *Joint, axis vec) error {
	b.line(j.At, axis)
	return nil
}

func (b *builder) fixed(j *Joint, _ vec) error {
	b.pin(j.At)
	b.lock()
	return nil
}

func (b *builder) distance(j *Joint, _ vec) error {
	l := vec3.Norm(vec3.Add(j.At, -1, j.Other))
	if !(l > 0) || math.IsInf(l, 1) {
		return fmt.Errorf("has the length %g, want a positive number", l)
	}
	b.emit(&distance{PointOf(b.pa, j.At), PointOf(b.pb, j.Other), l})
	return nil
}

// pin: the points coincide, along the axes of space.
func (b *builder) pin(at vec) {
	for k := range b.m.Dim {
		b.emit(&Pin{PointOf(b.pa, at), PointOf(b.pb, at), k})
	}
}

// line: the point of A on the line along the axis, which is fixed to B.
func (b *builder) line(at, axis vec) {
	u, w := b.m.World.Tangents(axis)
	for _, across := range []vec{u, w}[:b.m.Dim-1] {
		b.emit(&along{PointOf(b.pa, at), PointOf(b.pb, at), ToBody(b.pb, across)})
	}
}

// align: the axis of A stays along that of B.
func (b *builder) align(axis vec) {
	u, w := b.m.World.Tangents(axis)
	b.angle(axis, u)
	b.angle(axis, w)
}

// lock: no relative rotation.
func (b *builder) lock() {
	switch {
	case !b.turns():
	case b.m.Dim == 2:
		b.emit(&heading{headingOf(b.pa) - headingOf(b.pb)})
	default:
		e := [3]vec{{1}, {0, 1}, {0, 0, 1}}
		for k := range 3 {
			b.angle(e[k], e[(k+1)%3])
		}
	}
}

// turns reports whether both bodies have an orientation: points have none.
func (b *builder) turns() bool {
	return b.m.Bodies[b.a].Spins && (b.b < 0 || b.m.Bodies[b.b].Spins)
}

// angle keeps u of A orthogonal to w of B.
func (b *builder) angle(u, w vec) {
	if b.turns() {
		b.emit(&angle{ToBody(b.pa, u), ToBody(b.pb, w)})
	}
}

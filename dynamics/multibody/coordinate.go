package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Coordinate is a number s for the motion that a joint leaves, a way of A along the axis of B or a
// turn about it: a scalar gap of the joint. Its rate is ṡ = Gv.
type Coordinate struct {
	A, B     int // B −1 is the ground
	Slides   bool
	Lead     float64       // λ of a way that a turn makes by ṡ = λφ̇: G is of the turn, and a force F along s a moment λF; 0: of others [m]
	AtA, AtB [3]float64    // a point of the axis on the axes of both bodies; of the ground in space [m]
	Axis     [3]float64    // unit vector on those of B; in the plane a turn needs none
	Hands    [2][3]float64 // across the axis, on those of A and of B: they show a turn in space
	Zero     float64       // the turn in the plane at the start [rad]
	Bounded  bool          // a turn in space that has a range, less than a revolution …
	Middle   float64       // … whose middle this is [rad]
}

// NewCoordinate is the way along a joint, or its turn, which is 0 at the start.
func NewCoordinate(w *bodies.World, j *Joint, slides bool) Coordinate {
	q, _ := w.Start()
	poses := w.Poses(nil, q)
	pa, pb := PoseOf(poses, j.A), PoseOf(poses, j.B)
	c := Coordinate{A: j.A, B: j.B, Slides: slides, AtA: PointOf(pa, j.At), AtB: PointOf(pb, j.At)}
	if slides || w.Dim() == 3 {
		axis := vec3.Scale(j.Axis, 1/vec3.Norm(j.Axis))
		hand, _ := w.Tangents(axis)
		c.Axis, c.Hands = ToBody(pb, axis), [2][3]float64{ToBody(pa, hand), ToBody(pb, hand)}
	}
	for i := range j.Ranges {
		if r := &j.Ranges[i]; !slides && w.Dim() == 3 && r.Turns {
			c.Bounded, c.Middle = true, 0.5*(r.Min+r.Max)
		}
	}
	if !slides && w.Dim() == 2 {
		c.Zero = headingAt(w, q, j.A) - headingAt(w, q, j.B)
	}
	return c
}

// Value is s; that of a turn in space, which has no number beyond half a revolution, is the one next to
// the middle of its range, or without one to another value.
func (c *Coordinate) Value(s *Snapshot, next float64) float64 {
	pa, pb := PoseOf(s.Poses, c.A), PoseOf(s.Poses, c.B)
	switch {
	case c.Slides:
		return (&along{c.AtA, c.AtB, c.Axis}).Value(pa, pb)
	case s.M.Dim == 2:
		return s.turn([2]int{c.A, c.B}) - c.Zero
	}
	u, w := ToSpace(pa, c.Hands[0]), ToSpace(pb, c.Hands[1])
	if c.Bounded {
		next = c.Middle
	}
	turn := math.Atan2(vec3.Dot(ToSpace(pb, c.Axis), vec3.Cross(w, u)), vec3.Dot(u, w))
	return next + math.Remainder(turn-next, 2*math.Pi)
}

// row is G; B's part begins at its at-th entry.
func (c *Coordinate) row(m *Model, poses []bodies.Pose) (row [12]float64, at int) {
	pa, pb := PoseOf(poses, c.A), PoseOf(poses, c.B)
	var g Lever
	switch axis := ToSpace(pb, c.Axis); {
	case c.Lead != 0:
		axis = vec3.Scale(axis, c.Lead*turnGradient(pa, pb, c.Hands[0], c.Hands[1]))
		g = Lever{AngA: axis, VB: vec3.Scale(axis, -1)}
	case c.Slides:
		_, g = (&along{c.AtA, c.AtB, c.Axis}).Gradient(pa, pb)
	case m.Dim == 2:
		g = Lever{AngA: vec{0, 0, 1}, VB: vec{0, 0, -1}}
	default:
		g = Lever{AngA: axis, VB: vec3.Scale(axis, -1)}
	}
	at = m.Bodies[c.A].N
	m.Put(row[:], 1, c.A, pa, 1, &g.Lin, &g.AngA)
	if c.B >= 0 {
		back := vec3.Scale(g.Lin, -1)
		m.Put(row[at:], 1, c.B, pb, 1, &back, &g.VB)
	}
	return row, at
}

// Row returns the part of G of A, or of B.
func (c *Coordinate) Row(m *Model, poses []bodies.Pose, ofB bool) []float64 {
	row, at := c.row(m, poses)
	if ofB {
		return row[at : at+m.Bodies[c.B].N]
	}
	return row[:at]
}

// Rate is ṡ by velocities v.
func (c *Coordinate) Rate(m *Model, poses []bodies.Pose, v []float64) float64 {
	row, at := c.row(m, poses)
	return c.rate(&row, at, m, v)
}

func (c *Coordinate) rate(row *[12]float64, at int, m *Model, v []float64) (rate float64) {
	for k, x := range row[:at] {
		rate += x * v[m.Bodies[c.A].V+k]
	}
	if c.B < 0 {
		return rate
	}
	for k := range m.Bodies[c.B].N {
		rate += row[at+k] * v[m.Bodies[c.B].V+k]
	}
	return rate
}

// headingAt is the angle of a body in the plane; the ground and points have none.
func headingAt(w *bodies.World, q []float64, body int) float64 {
	if body < 0 || !w.Spins(body) {
		return 0
	}
	at, _ := w.Coordinates(body)
	return q[at+2]
}

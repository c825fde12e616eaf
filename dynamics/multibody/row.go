package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Row is one equation of a joint, Θ = 0, between bodies A and B.
type Row struct {
	Equation
	Joint int
	A, B  int // B is −1 for the ground
}

// An Equation is Θ = 0 between a body at the pose a and one at the pose b. The secant scheme calls
// Gradient in the middle between the ends of a step, where rotations are means of two and therefore
// none; there h Ḡw is to be Θ(q') − Θ(q), which a Θ that is quadratic in centres and rotations has.
type Equation interface {
	// Value returns Θ [m, rad], to the bit that of Gradient.
	Value(a, b *bodies.Pose) float64
	// Gradient returns Θ and what the velocities of A and B add to its rate.
	Gradient(a, b *bodies.Pose) (theta float64, g Lever)
	// Turning says how the lever changes as the bodies move.
	Turning(a, b *bodies.Pose) Turning
}

// Lever is a force row: linear part and moment about the centre, for A; that of B is the opposite
// force with its own moment.
type Lever struct {
	Lin      vec
	AngA, VB vec  // moment on A, moment on B (with its sign)
	Steady   bool // the same at all poses
}

// Turning is the derivative of a lever: the moments are OnA[0] × OnA[1] and OnB[0] × OnB[1], where
// the first vector turns with the body and the second one stays; Lin grows by Pull [1/m] times the
// way of A.
type Turning struct {
	OnA, OnB [2]vec
	Pull     float64
	Whole    bool // nothing of the derivative is left out
}

// Value returns Θ of a row.
func (r *Row) Value(poses []bodies.Pose) float64 {
	return r.Equation.Value(PoseOf(poses, r.A), PoseOf(poses, r.B))
}

// Gradient returns Θ of a row and what the velocities of its bodies add to its rate.
func (r *Row) Gradient(poses []bodies.Pose) (theta float64, g Lever) {
	return r.Equation.Gradient(PoseOf(poses, r.A), PoseOf(poses, r.B))
}

// Pin is the coordinate in space of p_A − p_B along an axis.
type Pin struct {
	A, B vec // the points, on the axes of the bodies
	Axis int
}

func (r *Pin) Value(a, b *bodies.Pose) float64 {
	return coordinate(a, &r.A, r.Axis) - coordinate(b, &r.B, r.Axis)
}

// coordinate is that along axis k of space of the point y of a body.
func coordinate(p *bodies.Pose, y *vec, k int) float64 {
	r := p.Rotation[3*k : 3*k+3]
	return p.Centre[k] + (r[0]*y[0] + r[1]*y[1] + r[2]*y[2])
}

func (r *Pin) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	ra, rb, k := ToSpace(a, r.A), ToSpace(b, r.B), r.Axis
	g.Lin[k] = 1
	i, j := (k+1)%3, (k+2)%3 // r × e_k
	g.AngA[i], g.AngA[j] = ra[j], -ra[i]
	g.VB[i], g.VB[j] = -rb[j], rb[i]
	return a.Centre[k] + ra[k] - (b.Centre[k] + rb[k]), g
}

func (r *Pin) Turning(a, b *bodies.Pose) Turning {
	var e vec
	e[r.Axis] = 1
	return Turning{OnA: [2]vec{ToSpace(a, r.A), e}, OnB: [2]vec{ToSpace(b, r.B), vec3.Scale(e, -1)}, Whole: true}
}

// along is d·(p_A − p_B), d fixed to B.
type along struct{ a, b, d vec }

// way is p_A − p_B, with the levers of both.
func way(a, b *bodies.Pose, x, y vec) (d, ra, rb vec) {
	ra, rb = ToSpace(a, x), ToSpace(b, y)
	return vec3.Add(vec3.Add(a.Centre, 1, ra), -1, vec3.Add(b.Centre, 1, rb)), ra, rb
}

func (r *along) Value(a, b *bodies.Pose) float64 {
	d, _, _ := way(a, b, r.a, r.b)
	return vec3.Dot(ToSpace(b, r.d), d)
}

func (r *along) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	d, ra, rb := way(a, b, r.a, r.b)
	n := ToSpace(b, r.d)
	under := vec3.Add(rb, 1, d) // the point of B under A's
	return vec3.Dot(n, d), Lever{Lin: n, AngA: vec3.Cross(ra, n), VB: vec3.Scale(vec3.Cross(under, n), -1)}
}

func (r *along) Turning(a, b *bodies.Pose) Turning {
	n := ToSpace(b, r.d)
	return Turning{OnA: [2]vec{ToSpace(a, r.a), n}, OnB: [2]vec{ToSpace(b, r.b), vec3.Scale(n, -1)}}
}

// distance is (‖p_A − p_B‖² − l²)/2l.
type distance struct {
	a, b vec
	l    float64
}

func (r *distance) Value(a, b *bodies.Pose) float64 {
	d, _, _ := way(a, b, r.a, r.b)
	return r.theta(&d)
}

func (r *distance) theta(d *vec) float64 { return (vec3.Dot(*d, *d) - r.l*r.l) / (2 * r.l) }

func (r *distance) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	d, ra, rb := way(a, b, r.a, r.b)
	n := vec3.Scale(d, 1/r.l)
	return r.theta(&d), Lever{Lin: n, AngA: vec3.Cross(ra, n), VB: vec3.Scale(vec3.Cross(rb, n), -1)}
}

func (r *distance) Turning(a, b *bodies.Pose) Turning {
	d, ra, rb := way(a, b, r.a, r.b)
	n := vec3.Scale(d, 1/r.l)
	return Turning{OnA: [2]vec{ra, n}, OnB: [2]vec{rb, vec3.Scale(n, -1)}, Pull: 1 / r.l}
}

// angle is u·w with u fixed to A and w to B, orthogonal at the start.
type angle struct{ u, w vec }

func (r *angle) Value(a, b *bodies.Pose) float64 {
	return vec3.Dot(ToSpace(a, r.u), ToSpace(b, r.w))
}

func (r *angle) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	u, w := ToSpace(a, r.u), ToSpace(b, r.w)
	c := vec3.Cross(u, w)
	return vec3.Dot(u, w), Lever{AngA: c, VB: vec3.Scale(c, -1)}
}

func (r *angle) Turning(a, b *bodies.Pose) Turning {
	u, w := ToSpace(a, r.u), ToSpace(b, r.w)
	return Turning{OnA: [2]vec{u, w}, OnB: [2]vec{w, u}}
}

// heading is θ_A − θ_B − c, in the plane.
type heading struct{ c float64 }

func headingOf(p *bodies.Pose) float64 { return math.Atan2(p.Rotation[3], p.Rotation[0]) }

func (r *heading) Value(a, b *bodies.Pose) float64 {
	return math.Remainder(headingOf(a)-headingOf(b)-r.c, 2*math.Pi)
}

func (r *heading) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	return r.Value(a, b), Lever{AngA: vec{0, 0, 1}, VB: vec{0, 0, -1}, Steady: true}
}

func (r *heading) Turning(*bodies.Pose, *bodies.Pose) Turning { return Turning{Whole: true} }

package bodies

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Obstacle is a rigid thing that bodies cannot enter, at rest or moving: its work is that of
// the contact forces on it.
type Obstacle struct {
	Surface Surface
	Motion  signal.Motion // the zero Motion: at rest
}

// Surface is the shape of an obstacle at rest. The shapes are those of this package: [HalfSpace],
// [Ball], [Cylinder], [Oval], [Torus], [Graph], [Solid] and [Mesh].
//
//	shape           from outside, meets           from inside, meets
//	HalfSpace       all                           -
//	Solid, Mesh     all                           -
//	Ball, Oval      all                           all but quadrics, by their vertices or ends
//	Cylinder        all; of space alone           the same
//	Torus           points and spheres            points and spheres
//	Graph           points, discs and spheres     points, discs and spheres
//
// From inside a ball must fit: its radius is less than the least radius of curvature. A ball and
// an Oval are a disc and an ellipse in the plane.
type Surface interface {
	validate(dim int) error
	// accepts refuses bodies whose gap is not known.
	accepts(f *form) error
	// features is the number of points where a body may meet it, as far as patches go.
	features(f *form) int
	// meeting is the k-th of them, in the frame of the obstacle.
	meeting(f *form, p *pose, k int) meeting
	// collect adds all touches.
	collect(c *clipper, f *form, p *pose)
	// far is a distance that the body keeps at least.
	far(f *form, p *pose) float64
}

// HalfSpace is {x : n·(x − p) < 0}.
type HalfSpace struct {
	Point, Normal [3]float64 // Normal of any length
}

// Ball is a ball, or what is around one if the bodies are inside.
type Ball struct {
	Center [3]float64
	R      float64
	Inside bool
}

// Cylinder is an endless cylinder, or what is around one; in space.
type Cylinder struct {
	Point, Axis [3]float64 // Axis of any length
	R           float64
	Inside      bool
}

// Oval is an ellipsoid with semi-axes along x, y, z, or what is around one; an ellipse in the
// plane, with Axes[2] = 0.
type Oval struct {
	Center, Axes [3]float64
	Inside       bool
}

// Torus is the points within Tube of a circle of the given Radius around an axis, or what is
// around them; in space.
type Torus struct {
	Center, Axis [3]float64 // Axis of any length
	Radius, Tube float64
	Inside       bool
}

// Graph is what is below the graph of a function, z < f(x, y), or above it if the bodies are
// below; in the plane y < f(x).
type Graph struct {
	Relief Relief
	Below  bool // the bodies are below

	plane bool
	fits  float64 // least radius of curvature of its hollows
}

// Relief is a function z = f(x, y), twice differentiable.
type Relief interface {
	// Height returns f and its derivatives.
	Height(x, y float64) (f, fx, fy, fxx, fxy, fyy float64)
	// Grid returns coordinates between which f is smooth; it is straight beyond them.
	Grid() (x, y []float64)
}

var _ = []Surface{HalfSpace{}, Ball{}, Cylinder{}, Oval{}, Torus{}, Graph{}, Solid{}, Mesh{}}

// floor is an obstacle of a world.
type floor struct {
	Obstacle
	plane         bool // a half-space at rest …
	point, normal vec  // … or at t = 0
}

// AddHalfSpace adds the obstacle {x : n·(x − p) < 0} at rest and returns its number.
func (w *World) AddHalfSpace(point, normal [3]float64) (int, error) {
	return w.AddObstacle(Obstacle{Surface: HalfSpace{point, normal}})
}

// AddObstacle adds an obstacle and returns its number. In the plane its third components are
// zero, and its motion turns about e_z.
func (w *World) AddObstacle(o Obstacle) (int, error) {
	if o.Surface == nil {
		return 0, errors.New("bodies: an obstacle has no surface")
	}
	if err := o.Surface.validate(w.dim); err != nil {
		return 0, err
	}
	turns := o.Motion.Angle != nil // by zero too
	if err := o.Motion.Normalise(); err != nil {
		return 0, fmt.Errorf("bodies: %w", err)
	}
	if turns && w.dim == 2 && o.Motion.Axis != [3]float64{0, 0, 1} {
		return 0, fmt.Errorf("bodies: an obstacle in the plane turns about %v, want (0, 0, 1)", o.Motion.Axis)
	}
	f := floor{Obstacle: o}
	switch s := o.Surface.(type) {
	case HalfSpace:
		s.Normal = direction(s.Normal)
		f.Surface, f.plane, f.point, f.normal = s, !o.Motion.Moves(), s.Point, s.Normal
	case Cylinder:
		s.Axis = direction(s.Axis)
		f.Surface = s
	case Torus:
		s.Axis = direction(s.Axis)
		f.Surface = s
	case Graph:
		s.plane, s.fits = w.dim == 2, s.hollow()
		f.Surface = s
	case Solid:
		s.own, s.at = s.Shape.form(), (&Part{Position: s.Position, Angle: s.Angle, Orientation: s.Orientation}).pose(w.dim)
		f.Surface = s
	}
	w.floors = append(w.floors, f)
	return len(w.floors) - 1, nil
}

// Obstacle returns an obstacle; directions have the length 1.
func (w *World) Obstacle(i int) Obstacle { return w.floors[i].Obstacle }

// Obstacles returns their number.
func (w *World) Obstacles() int { return len(w.floors) }

// Bend is the least radius of curvature of an obstacle [m]; 0 of a plane and of a graph.
func (w *World) Bend(obstacle int) float64 {
	switch s := w.floors[obstacle].Surface.(type) {
	case Ball:
		return s.R
	case Cylinder:
		return s.R
	case Oval:
		return s.curvature()
	case Torus:
		return min(s.Tube, s.Radius-s.Tube)
	}
	return 0
}

// Moving reports whether an obstacle moves.
func (w *World) Moving(obstacle int) bool { return w.floors[obstacle].Motion.Moves() }

// Meets returns why a body and an obstacle have no gap that is known, nil where they have one.
func (w *World) Meets(body, obstacle int) error {
	b := &w.bodies[body]
	for i := range b.form.count() {
		x, _ := b.form.part(i, &pose{})
		if err := w.floors[obstacle].Surface.accepts(x); err != nil {
			return fmt.Errorf("bodies: %s: %w", name(b.Shape), err)
		}
	}
	return nil
}

// pose is the place of the obstacle at t.
func (f *floor) pose(t float64) pose {
	r, c := f.Motion.At(t)
	return pose{c, r}
}

// in returns a pose in the frame of another one.
func (p *pose) in(o *pose) pose {
	q := pose{c: o.local(p.c)}
	for k := range 3 {
		x := o.back(vec{p.r[k], p.r[3+k], p.r[6+k]})
		q.r[k], q.r[3+k], q.r[6+k] = x[0], x[1], x[2]
	}
	return q
}

// meeting is the k-th point where a body may meet the obstacle at t.
func (f *floor) meeting(b *form, p *pose, k int, t float64) meeting {
	if !f.Motion.Moves() {
		return f.Surface.meeting(b, p, k)
	}
	o := f.pose(t)
	own := p.in(&o)
	m := f.Surface.meeting(b, &own, k)
	return meeting{o.turn(m.r), o.turn(m.n), m.gap}
}

// collect adds all touches of a body with the obstacle, which is at o if it moves, that are nearer
// than the margin.
func (f *floor) collect(c *clipper, b *form, p, o *pose) {
	if !f.Motion.Moves() {
		f.parts(c, b, p)
		return
	}
	own := p.in(o)
	n := len(c.out)
	f.parts(c, b, &own)
	for i := range c.out[n:] {
		x := &c.out[n+i]
		x.at, x.n = o.place(x.at), o.turn(x.n)
	}
}

// parts adds the touches of all parts of a body with the obstacle at rest.
func (f *floor) parts(c *clipper, b *form, p *pose) {
	if f.Surface.far(b, p) > c.margin {
		return
	}
	if _, solid := f.Surface.(Solid); solid || b.parts == nil {
		f.Surface.collect(c, b, p)
		return
	}
	for i := range b.parts {
		x, at := b.part(i, p)
		if c.skips(i) || c.only == 0 && f.Surface.far(x, &at) > c.margin {
			continue
		}
		first := len(c.out)
		f.Surface.collect(c, x, &at)
		c.name(first, i)
	}
}

func direction(x vec) vec {
	l := vec3.Norm(x)
	if math.IsInf(l, 1) || l < 1e-150 { // squares that leave the range
		size := max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]))
		x = vec3.Scale(x, 1/size)
		l = vec3.Norm(x)
	}
	return vec3.Scale(x, 1/l)
}

// directed checks a direction and the components of the plane.
func directed(what string, point, x vec, dim int) error {
	size := max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]))
	switch {
	case !finite(point[:]...) || !finite(x[:]...) || size == 0:
		return fmt.Errorf("bodies: %s has the direction %v at %v, want a direction with a length > 0", what, x, point)
	case dim == 2 && (x[2] != 0 || point[2] != 0):
		return fmt.Errorf("bodies: %s in the plane has two components", what)
	}
	return nil
}

// spatial refuses what the plane does not have.
func spatial(what, instead string, dim int) error {
	if dim == 2 {
		return fmt.Errorf("bodies: %s is of space, want %s in the plane", what, instead)
	}
	return nil
}

func centred(what string, x vec, dim int) error {
	if !finite(x[:]...) || dim == 2 && x[2] != 0 {
		return fmt.Errorf("bodies: the centre of %s is at %v, want %d finite numbers", what, x, dim)
	}
	return nil
}

func (s HalfSpace) validate(dim int) error { return directed("a half-space", s.Point, s.Normal, dim) }

func (HalfSpace) accepts(*form) error { return nil }

func (HalfSpace) features(f *form) int { return f.features() }

func (s HalfSpace) meeting(f *form, p *pose, k int) meeting {
	return f.onPlane(p, k, s.Point, s.Normal)
}

func (s HalfSpace) far(f *form, p *pose) float64 {
	return vec3.Dot(s.Normal, vec3.Add(p.c, -1, s.Point)) - f.reach
}

func (s HalfSpace) collect(c *clipper, f *form, p *pose) { c.onPlane(f, p, s.Point, s.Normal) }

// features adds the touches of a surface that a body meets by its vertices and ends.
func (c *clipper) features(s Surface, f *form, p *pose) {
	for k := range s.features(f) {
		m := s.meeting(f, p, k)
		c.add(spotOf(m, p), k)
	}
}

// errInside says which bodies may be inside of a hollow.
func errInside(f *form, fits float64) error {
	if len(f.core) == 0 {
		return errors.New("its gap to a hollow is not known: discs, spheres, rods, capsules, polygons and boxes may be inside")
	}
	if !(f.radius < fits) {
		return fmt.Errorf("its radius of %g m does not fit into the hollow, want less than %g m, the least radius of curvature there",
			f.radius, fits)
	}
	return nil
}

func (s Ball) validate(dim int) error {
	if err := positive("the radius of a ball", s.R); err != nil {
		return err
	}
	return centred("a ball", s.Center, dim)
}

func (s Ball) accepts(f *form) error {
	if s.Inside {
		return errInside(f, s.R)
	}
	return nil
}

func (s Ball) features(f *form) int { return hollowFeatures(f, s.Inside) }

func hollowFeatures(f *form, inside bool) int {
	if inside {
		return f.features()
	}
	return 1
}

func (s Ball) far(f *form, p *pose) float64 {
	d := vec3.Norm(vec3.Add(p.c, -1, s.Center))
	if s.Inside {
		return s.R - d - f.reach
	}
	return d - s.R - f.reach
}

func (s Ball) meeting(f *form, p *pose, k int) meeting {
	if s.Inside {
		return inHollow(f, p, k, s.R, func(x vec) vec { return vec3.Add(x, -1, s.Center) }, vec{0, 1, 0})
	}
	return nearest(f, p, ball(s.R), pose{s.Center, identity})
}

func (s Ball) collect(c *clipper, f *form, p *pose) {
	if s.Inside {
		c.features(s, f, p)
		return
	}
	c.against(f, p, ball(s.R), pose{s.Center, identity})
}

var identity = [9]float64{0: 1, 4: 1, 8: 1}

// inHollow is the gap of the k-th point of a core in a round hollow of radius r; from returns
// its distance from centre or axis as a vector. At the centre, and on the axis, the normal is
// start.
func inHollow(f *form, p *pose, k int, r float64, from func(x vec) vec, start vec) meeting {
	arm := p.turn(f.core[k])
	d := from(vec3.Add(p.c, 1, arm))
	l := vec3.Norm(d)
	n := start
	if l > 0 {
		n = vec3.Scale(d, -1/l)
	}
	return meeting{vec3.Add(arm, -f.radius, n), n, r - l - f.radius}
}

// nearest is the meeting of a body with an obstacle that has the form of one.
func nearest(f *form, p *pose, other form, at pose) meeting {
	if hasGap(f, &other) {
		return between(f, &other, p, &at)
	}
	c := clipper{plane: f.axes[2] == 0 && other.axes[2] == 0, margin: math.MaxFloat64} // however far it is
	c.pair(f, &other, p, &at)
	x := &c.out[0]
	return meeting{vec3.Add(x.at, -1, p.c), x.n, x.gap}
}

// against adds the touches of a body with an obstacle that has the form of one.
func (c *clipper) against(f *form, p *pose, other form, at pose) { c.pair(f, &other, p, &at) }

func (s Cylinder) validate(dim int) error {
	if err := spatial("a cylinder", "a sphere, which is a disc", dim); err != nil {
		return err
	}
	if err := positive("the radius of a cylinder", s.R); err != nil {
		return err
	}
	return directed("the axis of a cylinder", s.Point, s.Axis, dim)
}

func (s Cylinder) accepts(f *form) error {
	if s.Inside {
		return errInside(f, s.R)
	}
	return nil
}

func (s Cylinder) features(f *form) int { return hollowFeatures(f, s.Inside) }

// across returns x less its component along the axis, from it.
func (s Cylinder) across(x vec) vec {
	d := vec3.Add(x, -1, s.Point)
	return vec3.Add(d, -vec3.Dot(d, s.Axis), s.Axis)
}

func (s Cylinder) far(f *form, p *pose) float64 {
	d := vec3.Norm(s.across(p.c))
	if s.Inside {
		return s.R - d - f.reach
	}
	return d - s.R - f.reach
}

func (s Cylinder) meeting(f *form, p *pose, k int) meeting {
	if s.Inside {
		t, _ := tangents(s.Axis, 3)
		return inHollow(f, p, k, s.R, s.across, t)
	}
	other, at := s.beside(f, p)
	return nearest(f, p, other, at)
}

func (s Cylinder) collect(c *clipper, f *form, p *pose) {
	if s.Inside {
		c.features(s, f, p)
		return
	}
	other, at := s.beside(f, p)
	c.against(f, p, other, at)
}

// beside is the part of the cylinder beside a body as a capsule, its ends out of reach.
func (s Cylinder) beside(f *form, p *pose) (form, pose) {
	centre := vec3.Add(p.c, -1, s.across(p.c))
	t, o := tangents(s.Axis, 3)
	return segment(8*(f.reach+s.R), s.R), pose{centre, [9]float64{
		s.Axis[0], t[0], o[0],
		s.Axis[1], t[1], o[1],
		s.Axis[2], t[2], o[2],
	}}
}

func (s Oval) validate(dim int) error {
	if err := positive("the semi-axes of an obstacle", s.Axes[:dim]...); err != nil {
		return err
	}
	if dim == 2 && s.Axes[2] != 0 {
		return errors.New("bodies: an ellipse in the plane has two semi-axes")
	}
	return centred("an ellipsoid", s.Center, dim)
}

// curvature returns the least radius of curvature, a_min²/a_max.
func (s Oval) curvature() float64 {
	least, most := math.Inf(1), 0.0
	for _, a := range s.Axes {
		if a > 0 {
			least, most = min(least, a), max(most, a)
		}
	}
	return least * (least / most)
}

func (s Oval) accepts(f *form) error {
	if s.Inside {
		return errInside(f, s.curvature())
	}
	return nil
}

func (s Oval) features(f *form) int { return hollowFeatures(f, s.Inside) }

func (s Oval) form() form { return Ellipsoid{s.Axes}.form() }

func (s Oval) far(f *form, p *pose) float64 {
	d := vec3.Norm(vec3.Add(p.c, -1, s.Center))
	if s.Inside {
		return math.Inf(-1)
	}
	return d - max(s.Axes[0], s.Axes[1], s.Axes[2]) - f.reach
}

func (s Oval) meeting(f *form, p *pose, k int) meeting {
	if !s.Inside {
		return nearest(f, p, s.form(), pose{s.Center, identity})
	}
	arm := p.turn(f.core[k])
	gap, n := fromEllipsoid(s.Axes, vec3.Add(vec3.Add(p.c, 1, arm), -1, s.Center))
	n = vec3.Scale(n, -1)
	return meeting{vec3.Add(arm, -f.radius, n), n, -gap - f.radius}
}

func (s Oval) collect(c *clipper, f *form, p *pose) {
	if s.Inside {
		c.features(s, f, p)
		return
	}
	c.against(f, p, s.form(), pose{s.Center, identity})
}

func (s Torus) validate(dim int) error {
	if err := spatial("a torus", "two spheres, which are discs,", dim); err != nil {
		return err
	}
	if err := positive("the radii of a torus", s.Radius, s.Tube); err != nil {
		return err
	}
	if !(s.Tube < s.Radius) {
		return fmt.Errorf("bodies: the tube of a torus has the radius %g m, want less than its radius %g m", s.Tube, s.Radius)
	}
	return directed("the axis of a torus", s.Center, s.Axis, dim)
}

// errRound refuses all but points and balls that fit.
func errRound(f *form, what string, fits float64) error {
	if !isRound(f) {
		return fmt.Errorf("its gap to %s is not known: points, discs and spheres may meet it", what)
	}
	if !(f.radius < fits) {
		return fmt.Errorf("its radius of %g m does not fit %s, want less than %g m, the least radius of curvature of its hollows",
			f.radius, what, fits)
	}
	return nil
}

func (s Torus) accepts(f *form) error {
	if s.Inside {
		return errRound(f, "a torus from inside", s.Tube)
	}
	return errRound(f, "a torus", s.Radius-s.Tube)
}

func (Torus) features(*form) int { return 1 }

func (s Torus) far(f *form, p *pose) float64 { return s.meeting(f, p, 0).gap }

// meeting measures from the circle: outside, the normal leads away from it. On the axis and on
// the circle itself it is any of the nearest.
func (s Torus) meeting(f *form, p *pose, _ int) meeting {
	d := vec3.Add(p.c, -1, s.Center)
	flat := vec3.Add(d, -vec3.Dot(d, s.Axis), s.Axis)
	out := flat
	if l := vec3.Norm(flat); l > 0 {
		out = vec3.Scale(flat, 1/l)
	} else {
		out, _ = tangents(s.Axis, 3)
	}
	away := vec3.Add(d, -s.Radius, out) // from the circle
	l := vec3.Norm(away)
	n := s.Axis
	if l > 0 {
		n = vec3.Scale(away, 1/l)
	}
	gap := l - s.Tube - f.radius
	if s.Inside {
		n, gap = vec3.Scale(n, -1), s.Tube-l-f.radius
	}
	return meeting{vec3.Scale(n, -f.radius), n, gap}
}

func (s Torus) collect(c *clipper, f *form, p *pose) { c.features(s, f, p) }

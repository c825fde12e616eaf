package bodies

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/signal"
)

// Body is one rigid body. SI units; angles in radians.
type Body struct {
	Shape Shape
	Mass  float64 // m > 0 [kg]
	// Inertia about the centre of mass, along the axes of the shape [kg m²]; in the plane the third
	// entry counts. Zero means a uniform body. A [Point] with inertia turns.
	Inertia [3]float64
	// Products are the entries yz, zx and xy of the tensor, for axes that are not principal [kg m²].
	Products    [3]float64
	Centre      *[3]float64 // of mass, on the axes of the shape [m]; nil: that of a uniform body
	Position    [3]float64  // of the origin of the shape [m]; two entries in the plane
	Angle       float64     // in the plane [rad]
	Orientation [4]float64  // quaternion (w, x, y, z) in space; zero means none, else normalised
	Velocity    [3]float64  // of the origin of the shape [m/s]
	Spin        [3]float64  // [rad/s], body axes; in the plane the third entry counts
	// Load is a force at the centre of mass, in space or plane coordinates [N].
	Load signal.Vector
	// Drag and SpinDrag are the coefficients of −d v [N s/m] and −d ω [N m s].
	Drag, SpinDrag float64
}

// World is a system of rigid bodies: a [dynamics.System] with half-spaces and
// contacts. In the plane q = (x, y, θ) and v = (ẋ, ẏ, θ̇) for each body; in
// space q = (x, y, z, quaternion) and v = (ẋ, ẏ, ż, ω) with ω in body axes;
// points have no orientation.
type World struct {
	dim     int
	gravity vec           // of the components that never change [m/s²]
	surge   signal.Vector // acceleration of those that do; nil: all are constant [m/s²]
	bodies  []member
	floors  []floor
	pairs   []pair
	pushes  []Push
	broad   broadPhase
	nq, nv  int
	poses   []pose
	worn    bool // a pair has a field of friction
	passing passing

	names, obstacleNames []string // for messages
}

type member struct {
	Body
	form   form
	frame  *frame // nil: the axes of the shape are those of the world
	q, v   int    // first coordinate and velocity
	spread int    // velocities
}

// pair is a declared contact: of body a with obstacle floor, or with body b.
type pair struct {
	a, b, floor int // −1 where it does not apply
	key         int // of its first feature
	features    int
	patch       *dynamics.Patch
	field       Field // of friction; nil: that of the patch
}

var (
	_ dynamics.System     = (*World)(nil)
	_ dynamics.Kinematics = (*World)(nil)
	_ dynamics.Projector  = (*World)(nil)
	_ dynamics.Potential  = (*World)(nil)
	_ dynamics.Loaded     = (*World)(nil)
)

// NewWorld returns an empty world of dimension 2 or 3.
func NewWorld(dim int, gravity [3]float64) (*World, error) {
	switch {
	case dim != 2 && dim != 3:
		return nil, fmt.Errorf("bodies: the dimension is %d, want 2 or 3", dim)
	case !finite(gravity[:]...):
		return nil, errors.New("bodies: gravity is not finite")
	case dim == 2 && gravity[2] != 0:
		return nil, errors.New("bodies: gravity in the plane has two components")
	}
	return &World{dim: dim, gravity: gravity}, nil
}

func finite(x ...float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Add adds a body and returns its number.
func (w *World) Add(b Body) (int, error) {
	if err := w.check(&b); err != nil {
		return 0, err
	}
	m := member{Body: b, form: b.Shape.form(), q: w.nq, v: w.nv}
	if m.form.solid == nil && len(m.form.core) == 0 && !isQuadric(&m.form) && m.form.parts == nil {
		return 0, fmt.Errorf("bodies: %s has no points that gaps are made of: its form wants a core, semi-axes or a solid", name(b.Shape))
	}
	axes, err := m.moments(w.dim)
	if err != nil {
		return 0, err
	}
	if _, point := b.Shape.(Point); point && m.Inertia != (vec{}) {
		m.form.spins = true // a body without a shape, as a top on its tip
	}
	nq := w.dim
	m.spread = w.dim
	if m.form.spins {
		nq, m.spread = 3, 3
		if w.dim == 3 {
			nq, m.spread = 7, 6
		}
		for i := 2 * (3 - w.dim); i < 3; i++ { // the third axis alone in the plane
			if !(m.Inertia[i] > 0) || math.IsInf(m.Inertia[i], 1) {
				return 0, fmt.Errorf("bodies: the inertia of a body must be positive, found %g about axis %d", m.Inertia[i], i)
			}
		}
	}
	m.settle(axes)
	if m.Orientation == ([4]float64{}) {
		m.Orientation[0] = 1
	}
	w.nq, w.nv = w.nq+nq, w.nv+m.spread
	w.bodies = append(w.bodies, m)
	w.poses = append(w.poses, pose{})
	return len(w.bodies) - 1, nil
}

func (w *World) check(b *Body) error {
	if b.Shape == nil {
		return errors.New("bodies: a body has no shape")
	}
	if err := b.Shape.validate(); err != nil {
		return err
	}
	o := b.Orientation
	length := math.Sqrt(o[0]*o[0] + o[1]*o[1] + o[2]*o[2] + o[3]*o[3])
	switch d := b.Shape.Dim(); {
	case d != 0 && d != w.dim:
		return misfit(b.Shape, w.dim)
	case !(b.Mass > 0) || math.IsInf(b.Mass, 1):
		return fmt.Errorf("bodies: the mass of a body is %g, want a positive number", b.Mass)
	case !finite(b.Position[:]...) || !finite(b.Velocity[:]...) || !finite(b.Spin[:]...) || !finite(b.Angle, length):
		return errors.New("bodies: position, orientation or velocity of a body is not finite")
	case length != 0 && !(math.Abs(length-1) < 1e-3): // typed digits, not a mistake
		return fmt.Errorf("bodies: an orientation has the length %g, want a unit quaternion", length)
	case b.Centre != nil && (!finite(b.Centre[:]...) || b.Shape.Dim() == 0 && b.Inertia == vec{} || w.dim == 2 && b.Centre[2] != 0):
		return fmt.Errorf("bodies: the centre of mass of %s is at %v, want finite numbers, of a body that turns", name(b.Shape), *b.Centre)
	case b.Products != vec{} && (w.dim == 2 || b.Inertia == vec{} || !finite(b.Products[:]...)):
		return fmt.Errorf("bodies: products of inertia %v, want three finite numbers beside moments, in space", b.Products)
	case b.Load != nil && len(b.Load) != w.dim:
		return fmt.Errorf("bodies: a load has %d components, want %d", len(b.Load), w.dim)
	case !(b.Drag >= 0) || !(b.SpinDrag >= 0) || !finite(b.Drag, b.SpinDrag):
		return fmt.Errorf("bodies: drag %g and spin drag %g of a body, want numbers >= 0", b.Drag, b.SpinDrag)
	}
	return nil
}

// OnObstacle lets a body meet an obstacle, with one patch at each vertex or end of its shape
// where it meets it by these, see [World.Patches]. It returns the key of the first patch.
func (w *World) OnObstacle(body, obstacle int, p *dynamics.Patch) (key int, err error) {
	if body < 0 || body >= len(w.bodies) {
		return 0, fmt.Errorf("bodies: there is no body %d", body)
	}
	if obstacle < 0 || obstacle >= len(w.floors) {
		return 0, fmt.Errorf("bodies: there is no obstacle %d", obstacle)
	}
	if err := w.fits(p, body); err != nil {
		return 0, err
	}
	if err := w.meetsByPatch(body, obstacle); err != nil {
		return 0, err
	}
	f := &w.bodies[body].form
	return w.declare(pair{a: body, b: -1, floor: obstacle, features: w.floors[obstacle].Surface.features(f), patch: p}), nil
}

// meetsByPatch is [World.Meets] for patches, each at one point: lines and faces of contact need
// more.
func (w *World) meetsByPatch(body, obstacle int) error {
	if err := w.Meets(body, obstacle); err != nil {
		return err
	}
	f := &w.bodies[body].form
	if m, mesh := w.floors[obstacle].Surface.(Mesh); mesh {
		if err := m.byPatch(f); err != nil {
			return fmt.Errorf("bodies: %s: %w", name(w.bodies[body].Shape), err)
		}
	}
	if f.solid != nil || f.parts != nil {
		return fmt.Errorf("bodies: %s has no points of its own where it meets an obstacle: a patch needs them; the rigid model does not",
			name(w.bodies[body].Shape))
	}
	if s := w.floors[obstacle].Surface; s.features(f) == 1 && len(f.core) > 2 {
		if _, round := s.(Ball); !round {
			return fmt.Errorf("bodies: %s has no single point where it meets a curved obstacle from outside: a patch needs one",
				name(w.bodies[body].Shape))
		}
	}
	return nil
}

// Between lets two bodies meet. It returns the key of the patch.
func (w *World) Between(a, b int, p *dynamics.Patch) (key int, err error) {
	for _, i := range []int{a, b} {
		if i < 0 || i >= len(w.bodies) {
			return 0, fmt.Errorf("bodies: there is no body %d", i)
		}
		if err := w.fits(p, i); err != nil {
			return 0, err
		}
	}
	if a == b {
		return 0, fmt.Errorf("bodies: body %d cannot meet itself", a)
	}
	if !hasGap(&w.bodies[a].form, &w.bodies[b].form) {
		return 0, errGap(w.bodies[a].Shape, w.bodies[b].Shape)
	}
	return w.declare(pair{a: a, b: b, floor: -1, features: 1, patch: p}), nil
}

func (w *World) declare(p pair) int {
	if n := len(w.pairs); n > 0 {
		last := &w.pairs[n-1]
		p.key = last.key + last.features
	}
	w.pairs = append(w.pairs, p)
	return p.key
}

// fits refuses patches that do not fit the dimension or the size of a body.
func (w *World) fits(p *dynamics.Patch, body int) error {
	f := &w.bodies[body].form
	switch {
	case p == nil:
		return errors.New("bodies: a contact has no patch")
	case p.Dim() != w.dim:
		return fmt.Errorf("bodies: a patch of dimension %d in a world of dimension %d", p.Dim(), w.dim)
	case p.Size() > f.width:
		return fmt.Errorf("bodies: the patch is larger than the body: %g m across, %s of %g m", p.Size(),
			name(w.bodies[body].Shape), f.width)
	}
	return nil
}

// Start returns the coordinates and velocities of all bodies.
func (w *World) Start() (q, v []float64) {
	q, v = make([]float64, w.nq), make([]float64, w.nv)
	for i := range w.bodies {
		b := &w.bodies[i]
		copy(q[b.q:b.q+w.dim], b.Position[:])
		copy(v[b.v:b.v+w.dim], b.Velocity[:])
		switch {
		case !b.form.spins:
		case w.dim == 2:
			q[b.q+2], v[b.v+2] = b.Angle, b.Spin[2]
		default:
			copy(q[b.q+3:], b.Orientation[:])
			copy(v[b.v+3:b.v+6], b.Spin[:])
		}
	}
	w.Project(q)
	w.Inner(q, v)
	return q, v
}

// Coordinates returns the first coordinate and the first velocity of a body.
func (w *World) Coordinates(body int) (q, v int) { return w.bodies[body].q, w.bodies[body].v }

// Spins reports whether a body has an orientation.
func (w *World) Spins(body int) bool { return w.bodies[body].form.spins }

// Oval reports whether a body is an ellipse, ellipsoid or another that is round in part, which
// touches others in a point that moves over it as it turns.
func (w *World) Oval(body int) bool {
	f := &w.bodies[body].form
	return f.oval()
}

// Features returns the number of vertices or ends of a body, by which it meets half-spaces and
// hollows.
func (w *World) Features(body int) int { return w.bodies[body].form.features() }

// Patches returns the number of patches of the declared contact that a key belongs to: on a
// half-space or in a hollow one for each vertex or end of the body.
func (w *World) Patches(key int) int { return w.pairs[w.pairOf(key)].features }

// Outlines returns points of the boundaries of the parts of a body in the plane at q, for pictures:
// closed polygons.
func (w *World) Outlines(body int, q []float64) (rings [][][2]float64) {
	p := w.pose(body, q)
	for i := range w.bodies[body].form.count() {
		f, at := w.bodies[body].form.part(i, &p)
		var points [][2]float64
		for _, y := range f.outline() {
			x := at.place(y)
			points = append(points, [2]float64{x[0], x[1]})
		}
		rings = append(rings, points)
	}
	return rings
}

// Dim returns 2 or 3.
func (w *World) Dim() int { return w.dim }

// Bodies returns the number of bodies.
func (w *World) Bodies() int { return len(w.bodies) }

// Place returns the centre and the rotation (row by row) of a body at q.
func (w *World) Place(body int, q []float64) (centre [3]float64, rotation [9]float64) {
	p := w.pose(body, q)
	return p.c, p.r
}

func (w *World) pose(i int, q []float64) pose { return w.poseOf(&w.bodies[i], q) }

func (w *World) poseOf(b *member, q []float64) pose {
	x := q[b.q:]
	switch {
	case w.dim == 2 && b.form.spins:
		return planePose(x[0], x[1], x[2])
	case w.dim == 2:
		return planePose(x[0], x[1], 0)
	case b.form.spins:
		return spacePose(vec{x[0], x[1], x[2]}, x[3:7])
	}
	return pose{c: vec{x[0], x[1], x[2]}, r: [9]float64{0: 1, 4: 1, 8: 1}}
}

// KeyOf returns what a patch belongs to: its body and the other body, or −1
// for a half-space.
func (w *World) KeyOf(key int) (a, b int) {
	if k := key - w.broadKey(); k >= 0 && w.broad.patch != nil {
		return k / len(w.bodies), k % len(w.bodies)
	}
	p := &w.pairs[w.pairOf(key)]
	return p.a, p.b
}

// pairOf returns the declared pair to which a key belongs.
func (w *World) pairOf(key int) int {
	i, _ := slices.BinarySearchFunc(w.pairs, key, func(p pair, key int) int { return p.key - key })
	if i == len(w.pairs) || w.pairs[i].key > key {
		i--
	}
	return i
}

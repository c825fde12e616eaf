package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

type vec = vec3.Vec

// Material is what two surfaces do where they meet.
type Material struct {
	Mu          float64       // μ ≥ 0 [-]
	Over        signal.Scalar // μ over time, ≥ 0, in place of Mu; nil: Mu
	Field       bodies.Field  // μ on a half-space, in place of both, see [bodies.World.Coefficient]; nil: the same everywhere
	Restitution float64       // Newton's e in [0, 1] [-]; 0 is inelastic
}

// Setup adds to a world what the α-γ scheme knows beyond it.
type Setup struct {
	Joints []Joint
	Forces []Force
	// Material of all pairs that are not in Pairs.
	Material Material
	// Pairs of bodies (a, b), a < b, or of body a and half-space f as (a, −1−f).
	Pairs map[[2]int]Material
	// Apart lists pairs that never meet. Two bodies of one joint are apart.
	Apart map[[2]int]bool
	// Names of the bodies and of the half-spaces, for messages; where there are
	// none, numbers.
	Names, HalfSpaces []string
	// Origin of the coordinates of the world, in those of messages. Places at the start are known
	// to its rounding [m].
	Origin [3]float64
}

// Model is a system of rigid bodies with joints, forces and materials, fixed
// for a run.
type Model struct {
	World *bodies.World
	setup Setup
	dim   int
	body  []place
	rows  []row // of all joints
	comps []component
	home  []int  // component of each body
	meets []bool // bodies that others may meet
	tied  []bool // bodies with joints
	// pinned: all joints are pins and nothing else makes a step nonlinear than turns, of
	// which Newton's method has the derivatives.
	pinned bool
	gyro   bool // a body has different moments
	// spinning lists the bodies that turn, directed those in space whose direction is to be
	// told from their turn: not balls, which look the same from everywhere.
	spinning, directed []int
	led                bool   // a force acts on a body that turns in space
	planes             []bool // obstacles
}

// place is where a body keeps its velocities.
type place struct {
	v, n   int // first velocity, number
	local  int // first velocity within its component
	spins  bool
	mass   float64
	j      vec     // principal moments
	gyro   bool    // in space, of different moments
	round  bool    // in space, of equal moments
	tied   bool    // has joints
	led    bool    // in space, feels forces that turn with it
	curved bool    // an ellipse or ellipsoid
	ball   bool    // or a disc or a point: it meets planes at a fixed distance from its centre
	idle   [6]bool // velocities that turn the body about an axis about which it looks the same, see rub
	body   int
	slot   int     // in its component
	reach  float64 // [m]
	arm    float64 // by which turns are measured: reach, or what the moments say where it is smaller [m]
	drag   [2]float64
}

// NewModel checks the setup at the start of the world, where the joints are
// assembled.
func NewModel(w *bodies.World, s Setup) (*Model, error) {
	if w == nil {
		return nil, errors.New("rigid: a world is required")
	}
	m := &Model{World: w, setup: s, dim: w.Dim()}
	if w.Bodies() == 0 {
		return nil, fmt.Errorf("rigid: the world has no bodies")
	}
	m.places()
	if err := m.materials(); err != nil {
		return nil, err
	}
	if err := m.mechanism(); err != nil {
		return nil, err
	}
	if err := m.lead(); err != nil {
		return nil, err
	}
	m.pinned = !m.led
	for i := range m.rows {
		k := m.rows[i].kind
		m.pinned = m.pinned && (k == rowPinned || k == rowHeading)
	}
	m.split()
	m.idle()
	return m, nil
}

// places takes what the steps need of the bodies and obstacles of the world.
func (m *Model) places() {
	w := m.World
	for i := range w.Bodies() {
		mass, j := w.Inertia(i)
		_, v := w.Coordinates(i)
		p := place{v: v, n: m.dim, spins: w.Spins(i), mass: mass, j: j, body: i, reach: w.Reach(i), arm: w.Arm(i)}
		p.drag[0], p.drag[1] = w.Drag(i)
		if p.spins {
			p.n = 3
			if m.dim == 3 {
				p.n = 6
				p.gyro = j[0] != j[1] || j[1] != j[2]
				p.round = !p.gyro
				m.gyro = m.gyro || p.gyro
			}
			m.spinning = append(m.spinning, i)
		}
		if w.Directed(i) {
			m.directed = append(m.directed, i)
		}
		p.curved = w.Oval(i)
		p.ball = !p.curved && w.Features(i) == 1
		m.body = append(m.body, p)
	}
	for f := range w.Obstacles() {
		_, plane := w.Obstacle(f).Surface.(bodies.HalfSpace)
		m.planes = append(m.planes, plane)
	}
}

// idle notes which spins move nothing but the body itself: about axes of symmetry, of bodies that no joint or force holds.
func (m *Model) idle() {
	for i := range m.body {
		p := &m.body[i]
		if c := &m.comps[m.home[i]]; p.tied || !p.spins || len(c.bodies) > 1 || len(c.forces) > 0 {
			continue
		}
		axes := m.World.Round(i)
		copy(p.idle[m.dim:p.n], axes[6-2*m.dim:])
	}
}

// mechanism makes the rows of the joints at the start, and notes which bodies have one.
func (m *Model) mechanism() error {
	q, _ := m.World.Start()
	poses := m.World.Poses(nil, q)
	for i := range m.setup.Joints {
		rows, err := m.assemble(i, &m.setup.Joints[i], poses)
		if err != nil {
			return err
		}
		m.rows = append(m.rows, rows...)
	}
	m.tied = make([]bool, len(m.body))
	for i := range m.rows {
		m.tied[m.rows[i].a] = true
		if b := m.rows[i].b; b >= 0 {
			m.tied[b] = true
		}
	}
	for i := range m.body {
		m.body[i].tied = m.tied[i]
	}
	return nil
}

// lead notes which bodies forces turn in space.
func (m *Model) lead() error {
	for i, f := range m.setup.Forces {
		for _, b := range f.Bodies() {
			if b < -1 || b >= len(m.body) {
				return fmt.Errorf("rigid: force %d: there is no body %d", i, b)
			}
			if b >= 0 && m.dim == 3 && m.body[b].spins {
				m.body[b].led, m.led = true, true
			}
		}
	}
	return nil
}

func (m *Model) materials() error {
	check := func(what string, x Material) error {
		if !(x.Mu >= 0) || math.IsInf(x.Mu, 1) {
			return fmt.Errorf("rigid: the friction coefficient of %s is %g, want a number >= 0", what, x.Mu)
		}
		if !(x.Restitution >= 0 && x.Restitution <= 1) {
			return fmt.Errorf("rigid: the restitution of %s is %g, want a number from 0 to 1", what, x.Restitution)
		}
		return nil
	}
	for p, x := range m.setup.Pairs {
		if err := check(fmt.Sprintf("the pair %v", p), x); err != nil {
			return err
		}
		if err := m.carries(p); x.Field != nil && err != nil {
			return err
		}
	}
	if err := check("the default material", m.setup.Material); err != nil || m.setup.Material.Field == nil {
		return err
	}
	return m.everywhere()
}

// FieldError is a pair that has no [bodies.Field] where its material has one.
type FieldError struct {
	Pair  [2]int // as in [Setup]
	Names string
	Err   error
}

func (e *FieldError) Error() string { return fmt.Sprintf("%s: %v", e.Names, e.Err) }

func (e *FieldError) Unwrap() error { return e.Err }

// carries returns why a pair, as in [Setup], has no field of friction, nil where it may have one.
func (m *Model) carries(pair [2]int) error {
	t := bodies.Touch{A: pair[0], B: pair[1], Floor: -1 - pair[1]}
	var err error
	switch {
	case pair[1] >= 0:
		err = errors.New("a map of friction in x and y is one of an obstacle, not of two bodies")
	case t.Floor < m.World.Obstacles():
		err = m.World.Carries(t.Floor)
	}
	if err == nil {
		return nil
	}
	return &FieldError{pair, m.name(&t), err}
}

// everywhere returns a pair without a material of its own that has no field of friction, where that
// of all pairs has one.
func (m *Model) everywhere() error {
	for a := range m.World.Bodies() {
		for b := -m.World.Obstacles(); b < m.World.Bodies(); b++ {
			pair := [2]int{a, b}
			if _, own := m.setup.Pairs[pair]; own || b >= 0 && b <= a || m.apart(a, b) {
				continue
			}
			if err := m.carries(pair); err != nil {
				return err
			}
		}
	}
	return nil
}

// material of a touch.
func (m *Model) material(t *bodies.Touch) Material {
	if len(m.setup.Pairs) > 0 {
		b := t.B
		if b < 0 {
			b = -1 - t.Floor
		}
		if x, ok := m.setup.Pairs[[2]int{t.A, b}]; ok {
			return x
		}
	}
	return m.setup.Material
}

// varies reports whether μ is not one number.
func (x *Material) varies() bool { return x.Over != nil || x.Field != nil }

// mu is μ at a time.
func (x *Material) mu(t float64) float64 {
	if x.Over == nil {
		return x.Mu
	}
	return max(0, x.Over.At(t)) // below zero by rounding
}

// muAt is μ of a touch that is at x at a time, or, where that is a field, so far from there on the obstacle.
func (m *Model) muAt(t *bodies.Touch, time float64, x vec, by [2]float64) float64 {
	material := m.material(t)
	if material.Field == nil {
		return material.mu(time)
	}
	return m.World.Coefficient(material.Field, t.Floor, time, x, by)
}

// restitution is the largest of all materials.
func (m *Model) restitution() float64 {
	e := m.setup.Material.Restitution
	for _, x := range m.setup.Pairs {
		e = max(e, x.Restitution)
	}
	return e
}

// findPartners lists the bodies that others may meet.
func (m *Model) findPartners() {
	if m.meets != nil {
		return
	}
	m.meets = make([]bool, len(m.body))
	for i := range m.meets {
		for j := 0; j < len(m.meets) && !m.meets[i]; j++ {
			m.meets[i] = i != j && !m.apart(min(i, j), max(i, j))
		}
	}
}

// apart says whether two bodies never meet.
func (m *Model) apart(a, b int) bool {
	if m.setup.Apart[[2]int{a, b}] {
		return true
	}
	for i := range m.setup.Joints {
		j := &m.setup.Joints[i]
		if min(j.A, j.B) == a && max(j.A, j.B) == b && b >= 0 {
			return true
		}
	}
	return false
}

// put adds s times a generalised force row: the linear part lin and the moment
// ang of a body, in space coordinates, at dst, which starts at the body's
// first velocity and has the given stride.
func (m *Model) put(dst []float64, stride, body int, p *bodies.Pose, s float64, lin, ang *vec) {
	b := &m.body[body]
	for k := range m.dim {
		dst[k*stride] += s * lin[k]
	}
	switch {
	case !b.spins:
	case m.dim == 2:
		dst[2*stride] += s * ang[2]
	default:
		r := &p.Rotation
		for k := range 3 {
			dst[(3+k)*stride] += s * (r[k]*ang[0] + r[3+k]*ang[1] + r[6+k]*ang[2])
		}
	}
}

func turn(p *bodies.Pose, y vec) vec {
	r := &p.Rotation
	return vec{r[0]*y[0] + r[1]*y[1] + r[2]*y[2], r[3]*y[0] + r[4]*y[1] + r[5]*y[2], r[6]*y[0] + r[7]*y[1] + r[8]*y[2]}
}

func back(p *bodies.Pose, x vec) vec {
	r := &p.Rotation
	return vec{r[0]*x[0] + r[3]*x[1] + r[6]*x[2], r[1]*x[0] + r[4]*x[1] + r[7]*x[2], r[2]*x[0] + r[5]*x[1] + r[8]*x[2]}
}

func grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}

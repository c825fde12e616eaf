package multibody

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
	// Names of the bodies and of the half-spaces, for messages; where there are none, numbers.
	Names, HalfSpaces []string
	// Origin of the coordinates of the world, in those of messages. Places at the start are known
	// to its rounding [m].
	Origin [3]float64
}

// Model is a system of rigid bodies with joints, forces and materials, fixed for a run.
type Model struct {
	World      *bodies.World
	Setup      Setup
	Dim        int
	Bodies     []Place
	Rows       []Row // of all joints
	Components []Component
	Home       []int  // component of each body
	Meets      []bool // bodies that others may meet
	Tied       []bool // bodies with joints
	// Pinned: Newton's method has all derivatives of the joints, of pins, and nothing else makes a
	// step nonlinear.
	Pinned bool
	Gyro   bool // a body has different moments
	// spinning lists the bodies that turn, directed those in space whose direction is to be told
	// from their turn: not balls, which look the same from everywhere.
	Spinning, Directed []int
	Led                bool   // a force acts on a body that turns in space
	Planes             []bool // obstacles
}

// Place is where a body keeps its velocities.
type Place struct {
	V, N    int // first velocity, number
	Local   int // first velocity within its component
	Spins   bool
	Mass    float64
	Moments vec     // principal moments
	Gyro    bool    // in space, of different moments
	Round   bool    // in space, of equal moments
	Tied    bool    // has joints
	Led     bool    // in space, feels forces that turn with it
	Curved  bool    // an ellipse or ellipsoid
	Ball    bool    // or a disc or a point: it meets planes at a fixed distance from its centre
	Idle    [6]bool // velocities that turn the body about an axis about which it looks the same, see rub
	Body    int
	Slot    int     // in its component
	Reach   float64 // [m]
	Arm     float64 // by which turns are measured: reach, or what the moments say where it is smaller [m]
	Drag    [2]float64
}

// NewModel checks the setup at the start of the world, where the joints are assembled.
func NewModel(w *bodies.World, s Setup) (*Model, error) {
	if w == nil {
		return nil, errors.New("rigid: a world is required")
	}
	m := &Model{World: w, Setup: s, Dim: w.Dim()}
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
		p := Place{V: v, N: m.Dim, Spins: w.Spins(i), Mass: mass, Moments: j, Body: i, Reach: w.Reach(i), Arm: w.Arm(i)}
		p.Drag[0], p.Drag[1] = w.Drag(i)
		if p.Spins {
			p.N = 3
			if m.Dim == 3 {
				p.N = 6
				p.Gyro = j[0] != j[1] || j[1] != j[2]
				p.Round = !p.Gyro
				m.Gyro = m.Gyro || p.Gyro
			}
			m.Spinning = append(m.Spinning, i)
		}
		if w.Directed(i) {
			m.Directed = append(m.Directed, i)
		}
		p.Curved = w.Oval(i)
		p.Ball = !p.Curved && w.Features(i) == 1
		m.Bodies = append(m.Bodies, p)
	}
	for f := range w.Obstacles() {
		_, plane := w.Obstacle(f).Surface.(bodies.HalfSpace)
		m.Planes = append(m.Planes, plane)
	}
}

// idle notes which spins move nothing but the body itself: about axes of symmetry, of bodies that
// no joint or force holds.
func (m *Model) idle() {
	for i := range m.Bodies {
		p := &m.Bodies[i]
		if c := &m.Components[m.Home[i]]; p.Tied || !p.Spins || len(c.Bodies) > 1 || len(c.Forces) > 0 {
			continue
		}
		axes := m.World.Round(i)
		copy(p.Idle[m.Dim:p.N], axes[6-2*m.Dim:])
	}
}

// mechanism makes the rows of the joints at the start, and notes which bodies have one.
func (m *Model) mechanism() error {
	q, _ := m.World.Start()
	poses := m.World.Poses(nil, q)
	for i := range m.Setup.Joints {
		rows, err := m.assemble(i, &m.Setup.Joints[i], poses)
		if err != nil {
			return &JointError{i, err}
		}
		m.Rows = append(m.Rows, rows...)
	}
	m.Tied, m.Pinned = make([]bool, len(m.Bodies)), true
	for i := range m.Rows {
		r := &m.Rows[i]
		m.Tied[r.A] = true
		if r.B >= 0 {
			m.Tied[r.B] = true
		}
		m.Pinned = m.Pinned && r.Turning(PoseOf(poses, r.A), PoseOf(poses, r.B)).Whole
	}
	for i := range m.Bodies {
		m.Bodies[i].Tied = m.Tied[i]
	}
	return nil
}

// lead notes which bodies forces turn in space.
func (m *Model) lead() error {
	for i, f := range m.Setup.Forces {
		for _, b := range f.Bodies() {
			if b < -1 || b >= len(m.Bodies) {
				return fmt.Errorf("rigid: force %d: there is no body %d", i, b)
			}
			if b >= 0 && m.Dim == 3 && m.Bodies[b].Spins {
				m.Bodies[b].Led, m.Led, m.Pinned = true, true, false
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
	for p, x := range m.Setup.Pairs {
		if err := check(fmt.Sprintf("the pair %v", p), x); err != nil {
			return err
		}
		if err := m.carries(p); x.Field != nil && err != nil {
			return err
		}
	}
	if err := check("the default material", m.Setup.Material); err != nil || m.Setup.Material.Field == nil {
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
	return &FieldError{pair, m.TouchName(&t), err}
}

// everywhere returns a pair without a material of its own that has no field of friction, where that
// of all pairs has one.
func (m *Model) everywhere() error {
	for a := range m.World.Bodies() {
		for b := -m.World.Obstacles(); b < m.World.Bodies(); b++ {
			pair := [2]int{a, b}
			if _, own := m.Setup.Pairs[pair]; own || b >= 0 && b <= a || m.Apart(a, b) {
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
func (m *Model) MaterialOf(t *bodies.Touch) Material {
	if len(m.Setup.Pairs) > 0 {
		b := t.B
		if b < 0 {
			b = -1 - t.Floor
		}
		if x, ok := m.Setup.Pairs[[2]int{t.A, b}]; ok {
			return x
		}
	}
	return m.Setup.Material
}

// Varies reports whether μ is not one number.
func (x *Material) Varies() bool { return x.Over != nil || x.Field != nil }

// mu is μ at a time.
func (x *Material) mu(t float64) float64 {
	if x.Over == nil {
		return x.Mu
	}
	return max(0, x.Over.At(t)) // below zero by rounding
}

// muAt is μ of a touch that is at x at a time, or, where that is a field, so far from there on the
// obstacle.
func (m *Model) FrictionAt(t *bodies.Touch, time float64, x vec, by [2]float64) float64 {
	material := m.MaterialOf(t)
	if material.Field == nil {
		return material.mu(time)
	}
	return m.World.Coefficient(material.Field, t.Floor, time, x, by)
}

// Restitution is the largest of all materials.
func (m *Model) Restitution() float64 {
	e := m.Setup.Material.Restitution
	for _, x := range m.Setup.Pairs {
		e = max(e, x.Restitution)
	}
	return e
}

// FindPartners lists the bodies that others may meet.
func (m *Model) FindPartners() {
	if m.Meets != nil {
		return
	}
	m.Meets = make([]bool, len(m.Bodies))
	for i := range m.Meets {
		for j := 0; j < len(m.Meets) && !m.Meets[i]; j++ {
			m.Meets[i] = i != j && !m.Apart(min(i, j), max(i, j))
		}
	}
}

// Apart says whether two bodies never meet.
func (m *Model) Apart(a, b int) bool {
	if m.Setup.Apart[[2]int{a, b}] {
		return true
	}
	for i := range m.Setup.Joints {
		j := &m.Setup.Joints[i]
		if min(j.A, j.B) == a && max(j.A, j.B) == b && b >= 0 {
			return true
		}
	}
	return false
}

// Put adds s times a generalised force row: the linear part lin and the moment ang of a body, in
// space coordinates, at dst, which starts at the body's first velocity and has the given stride.
func (m *Model) Put(dst []float64, stride, body int, p *bodies.Pose, s float64, lin, ang *vec) {
	b := &m.Bodies[body]
	for k := range m.Dim {
		dst[k*stride] += s * lin[k]
	}
	switch {
	case !b.Spins:
	case m.Dim == 2:
		dst[2*stride] += s * ang[2]
	default:
		r := &p.Rotation
		for k := range 3 {
			dst[(3+k)*stride] += s * (r[k]*ang[0] + r[3+k]*ang[1] + r[6+k]*ang[2])
		}
	}
}

func ToSpace(p *bodies.Pose, y vec) vec {
	r := &p.Rotation
	return vec{r[0]*y[0] + r[1]*y[1] + r[2]*y[2], r[3]*y[0] + r[4]*y[1] + r[5]*y[2], r[6]*y[0] + r[7]*y[1] + r[8]*y[2]}
}

func ToBody(p *bodies.Pose, x vec) vec {
	r := &p.Rotation
	return vec{r[0]*x[0] + r[3]*x[1] + r[6]*x[2], r[1]*x[0] + r[4]*x[1] + r[7]*x[2], r[2]*x[0] + r[5]*x[1] + r[8]*x[2]}
}

// Inertia is the entry of M for velocity k of a body.
func (m *Model) Inertia(p *Place, k int) float64 {
	if k < m.Dim {
		return p.Mass
	}
	return m.Moment(p, k)
}

func (m *Model) Moment(p *Place, k int) float64 {
	if m.Dim == 2 {
		return p.Moments[2]
	}
	return p.Moments[k-3]
}

// Lever turns a spin into a speed.
func (p *Place) Lever(k, dim int) float64 {
	if k < dim {
		return 1
	}
	return p.Arm
}

package multibody

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/signal"
)

// Material is what two surfaces do where they meet.
type Material struct {
	Mu          float64       // μ ≥ 0 [-]
	Over        signal.Scalar // μ over time, ≥ 0, in place of Mu; nil: Mu
	Field       bodies.Field  // μ on a half-space, in place of both, see [bodies.World.Coefficient]; nil: the same everywhere
	Slip        friction.Law  // μ over the speed of slip, in place of all; nil: at any speed the same
	Grain       *Grain        // axes of anisotropic friction, of which Mu is the larger coefficient; nil: there are none
	Restitution float64       // Newton's e in [0, 1] [-]; 0 is inelastic
	Resistance  *Resistance   // to rolling, spinning and lift-off; nil: none
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
	// Aslant lets motions leave a plane of symmetry of the world, to which they are kept otherwise.
	Aslant bool
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
	Grained    bool // some material has a grain
	Dim        int
	Bodies     []Place
	Rows       []Row // of all joints
	Components []Component
	Home       []int  // component of each body
	Meets      []bool // bodies that others may meet
	// Chorded: bodies whose turn joints feel, by chords: not a wheel in the plane that has its bearing
	// at its centre, which turns by hω, however far that is.
	Chorded []bool
	// Pinned: Newton's method has all derivatives of the joints, of pins, and nothing else makes a
	// step nonlinear.
	Pinned bool
	Gyro   bool // a body has different moments
	// spinning lists the bodies that turn, directed those in space whose direction is to be told
	// from their turn: not balls, which look the same from everywhere.
	Spinning, Directed []int
	Led                bool   // a force acts on a body that turns in space
	Planes             []bool // obstacles
	Stops              []Stop // of joints
	Mirror             *vec   // normal of the plane of symmetry that motions keep to, see reflect; nil: none
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
	Led     bool    // in space, feels forces that turn with it …
	Sprung  bool    // … among them springs
	Curved  bool    // an ellipse or ellipsoid
	Ball    bool    // or a disc or a point: it meets planes at a fixed distance from its centre
	Idle    [6]bool // velocities that turn the body about an axis about which it looks the same, see rub
	Body    int
	Slot    int     // in its component
	Reach   float64 // [m]
	Arm     float64 // by which turns are measured: reach, or what the moments say where it is smaller [m]
	Drag    [2]float64
}

// material of a touch.
func (m *Model) MaterialOf(t *bodies.Touch) Material {
	if x := m.StopOf(t); x != nil {
		return Material{Restitution: x.Restitution}
	}
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
func (x *Material) Varies() bool { return x.Over != nil || x.Field != nil || x.Slip != nil }

// Slips reports whether some material has a μ that depends on the speed of slip.
func (m *Model) Slips() bool {
	for _, x := range m.Setup.Pairs {
		if x.Slip != nil {
			return true
		}
	}
	return m.Setup.Material.Slip != nil
}

// Ages reports whether the friction of some material has a state.
func (m *Model) Ages() bool {
	for _, x := range m.Setup.Pairs {
		if _, ages := x.Slip.(friction.Stateful); ages {
			return true
		}
	}
	_, ages := m.Setup.Material.Slip.(friction.Stateful)
	return ages
}

// mu is μ at a time, at rest where it depends on the speed of slip.
func (x *Material) mu(t float64) float64 {
	if x.Slip != nil {
		return x.Slip.Mu(0)
	}
	if x.Over == nil {
		return x.Mu
	}
	return max(0, x.Over.At(t)) // below zero by rounding
}

// Rest is μ of a touch that rests where it depends on the speed of slip, else 0.
func (m *Model) Rest(t *bodies.Touch) float64 {
	if x := m.MaterialOf(t); x.Slip != nil {
		return x.Slip.Mu(0)
	}
	return 0
}

// Restitution is the largest of all materials.
func (m *Model) Restitution() float64 {
	e := m.Setup.Material.Restitution
	for _, x := range m.Setup.Pairs {
		e = max(e, x.Restitution)
	}
	for i := range m.Stops {
		e = max(e, m.Stops[i].Restitution)
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
	if m.Mirror != nil {
		force, moment := m.flat(lin, ang)
		lin, ang = &force, &moment
	}
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

// Component is a set of bodies tied by joints and forces; M̃ and the joints do not couple it to
// others.
type Component struct {
	Bodies []int
	Index  []int // velocities of the world, in the order of the component
	Rows   []int // joint rows
	Forces []int
}

// Force is a part of k₁(t, q, v) that couples bodies. Blocks of velocities follow each other in the
// order of Bodies, without the ground (−1).
type Force interface {
	Bodies() []int
	// Force adds k₁ to f, n entries.
	Force(f []float64, t float64, s *Snapshot)
	// Jacobian adds ∂k₁/∂q (in directions of velocities) to kq and ∂k₁/∂v to kv, n×n row by row.
	Jacobian(kq, kv []float64, t float64, s *Snapshot)
	// Energy returns a potential of the part that has one, else 0 [J].
	Energy(s *Snapshot) float64
}

// Snapshot is a state as forces see it.
type Snapshot struct {
	M     *Model
	Poses []bodies.Pose
	Q, V  []float64
	// Limits says at which of their limits motors are in the mean of a step, see [Motor.Side]; nil: V says it.
	Limits map[*Motor]int
}

// Dissipative is a [Force] all of whose work its Energy and its dampers account for: what it does
// beyond that, the scheme makes. The work of other forces is that of a load.
type Dissipative interface {
	Force
	// Power returns what the dampers take [W].
	Power(s *Snapshot) float64
}

// first is a body of a force that is not the ground.
func (m *Model) FirstBody(f Force) int {
	for _, b := range f.Bodies() {
		if b >= 0 {
			return b
		}
	}
	return 0
}

// heading is the angle of a body in the plane; the ground and points have none.
func (m *Model) heading(q []float64, body int) float64 { return headingAt(m.World, q, body) }

// Friction returns μ of the two sides of a touch at a time; where that is a field, so far from the
// place of the touch on the obstacle [m].
func (m *Model) Friction(t *bodies.Touch, time float64, by [2]float64) float64 {
	material := m.MaterialOf(t)
	if material.Field == nil {
		return material.mu(time)
	}
	return m.World.Coefficient(material.Field, t.Floor, time, t.At, by)
}

// Mapped reports whether μ of a touch depends on its place.
func (m *Model) Mapped(t *bodies.Touch) bool {
	x := m.MaterialOf(t)
	return x.Field != nil
}

// Joints returns the joints of the model; they belong to it.
func (m *Model) Joints() []Joint { return m.Setup.Joints }

// Forces returns the forces of the model; they belong to it.
func (m *Model) Forces() []Force { return m.Setup.Forces }

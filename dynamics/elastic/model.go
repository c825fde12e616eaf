package elastic

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// Inertia is what becomes of the mass of the contact-normal components.
type Inertia int

const (
	Modified      Inertia = iota // removed, (11)
	Redistributed                // removed and given to the other nodes, see [fem.Redistribute]
	Standard                     // kept
)

// Scheme is the time integration.
type Scheme int

const (
	Trapezoidal       Scheme = iota // (36)-(39), implicit, conserves energy
	CentralDifference               // semi-explicit, lumped modified mass, stable up to CFL 1 in one dimension
)

// Model is the data of a run.
type Model struct {
	Mesh     *fem.Mesh
	Material fem.Elastic // of the first body
	Mass     fem.MassKind
	Inertia  Inertia

	Contacts []fem.ContactNode
	Friction []float64 // μ of each contact [-]; nil: frictionless
	// Slip are the laws of contacts whose μ depends on the speed of slip, of which Friction has the
	// largest μ, nil for others; nil: there are none. See slipfriction.go.
	Slip []friction.Law
	// Motions of the obstacles by contact, nil entries at rest; nil: all are. They shift, and turn
	// about their normals only.
	Motions []*signal.Motion

	// Bodies are those of a mesh of several, one after the other, with their materials and loads; nil: there is one, of
	// Material, BodyForce and Tractions. Meetings are sides that meet others.
	Bodies   []Body
	Meetings []Meeting
	// Ties are displacements that follow others, which are not tied themselves.
	Ties []Tie

	BodyForce  signal.Vector // [N/m^dim], or nil
	Tractions  []Traction
	Nodal      []Nodal
	Prescribed []Prescribed

	U0, V0 []float64 // dim·nodes, global components; nil: zero. Normal parts at contacts follow from (37)
}

// Traction is a surface load on a group of facets.
type Traction struct {
	Group fem.Group
	Force signal.Vector // [Pa], dim components
}

// Nodal are forces on nodes, by mesh dofs of the body, times a function of time [N].
type Nodal struct {
	Forces []float64
	Factor signal.Scalar
}

// Prescribed is a displacement component that is a function of time.
type Prescribed struct {
	Nodes  []int
	Axis   int
	Motion signal.Scalar // [m]
}

// Validate names the first part of the model that is wrong.
func (m *Model) Validate() error {
	if m == nil || m.Mesh == nil {
		return fmt.Errorf("elastic: a mesh is required")
	}
	if err := m.Mesh.Validate(); err != nil {
		return err
	}
	dim := m.Mesh.Dim
	if err := m.Material.Validate(dim); err != nil {
		return err
	}
	for _, b := range m.bodies() {
		if b.Material.Orthotropic != nil {
			return errors.New("elastic: a body is orthotropic: the speeds of waves that steps are judged by are those of isotropic ones")
		}
	}
	if !(m.Material.Density > 0) {
		return fmt.Errorf("elastic: density is %g, want > 0", m.Material.Density)
	}
	if m.Inertia < Modified || m.Inertia > Standard {
		return fmt.Errorf("elastic: Inertia is %d", int(m.Inertia))
	}
	for name, x := range map[string][]float64{"U0": m.U0, "V0": m.V0} {
		if x != nil && len(x) != len(m.Mesh.X) {
			return fmt.Errorf("elastic: %s has %d entries, want %d", name, len(x), len(m.Mesh.X))
		}
		if i := slices.IndexFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 {
			return fmt.Errorf("elastic: %s of node %d is %g", name, i/dim, x[i])
		}
	}
	if err := m.validateLoads(); err != nil {
		return err
	}
	return m.validateContacts()
}

func (m *Model) validateLoads() error {
	dim := m.Mesh.Dim
	for _, b := range m.bodies() {
		if b.BodyForce != nil {
			if err := b.BodyForce.Validate(dim); err != nil {
				return fmt.Errorf("elastic: body force: %w", err)
			}
		}
		for k, t := range b.Tractions {
			if err := t.Force.Validate(dim); err != nil {
				return fmt.Errorf("elastic: traction %d: %w", k, err)
			}
		}
	}
	first := map[int]int{} // entry that prescribes a dof
	for k, p := range m.Prescribed {
		if p.Axis < 0 || p.Axis >= dim || p.Motion == nil {
			return fmt.Errorf("elastic: prescribed displacement %d: axis %d of %d, or no motion", k, p.Axis, dim)
		}
		for _, i := range p.Nodes {
			if i < 0 || i >= m.Mesh.NumNodes() {
				return fmt.Errorf("elastic: prescribed displacement %d: node %d of %d", k, i, m.Mesh.NumNodes())
			}
			if before, taken := first[dim*i+p.Axis]; taken {
				return fmt.Errorf("elastic: prescribed displacement %d: node %d is prescribed along axis %d by %d already",
					k, i, p.Axis, before)
			}
			first[dim*i+p.Axis] = k
		}
	}
	return nil
}

func (m *Model) validateContacts() error {
	if m.Friction != nil && len(m.Friction) != len(m.Contacts) {
		return fmt.Errorf("elastic: %d friction coefficients for %d contacts", len(m.Friction), len(m.Contacts))
	}
	for k, mu := range m.Friction {
		if !(mu >= 0) || math.IsInf(mu, 1) {
			return fmt.Errorf("elastic: friction coefficient of contact %d is %g, want a finite number >= 0", k, mu)
		}
	}
	if err := m.validateSlip(); err != nil {
		return err
	}
	if err := m.validateMotions(); err != nil {
		return err
	}
	at := make(map[int]bool)
	for k, c := range m.Contacts {
		if c.Node < 0 || c.Node >= m.Mesh.NumNodes() || at[c.Node] {
			return fmt.Errorf("elastic: contact %d: node %d does not exist or is in contact twice", k, c.Node)
		}
		at[c.Node] = true
	}
	for _, p := range m.Prescribed {
		for _, i := range p.Nodes {
			if at[i] {
				return fmt.Errorf("elastic: node %s at %v is in contact and prescribed", m.NodeName(i), m.Mesh.Node(i))
			}
		}
	}
	return m.validateMeetings()
}

// upright: an axis of length 1 this near to a normal is one.
const upright = 1e-9

func (m *Model) validateMotions() error {
	if m.Motions != nil && len(m.Motions) != len(m.Contacts) {
		return fmt.Errorf("elastic: %d motions of obstacles for %d contacts", len(m.Motions), len(m.Contacts))
	}
	for k, motion := range m.Motions {
		if motion == nil {
			continue
		}
		n := *motion
		if err := n.Normalise(); err != nil {
			return fmt.Errorf("elastic: the obstacle of contact %d: %w", k, err)
		}
		if n.Angle == nil {
			continue
		}
		along := 0.0
		for c, x := range m.Contacts[k].Frame[m.Mesh.Dim-1][:m.Mesh.Dim] {
			along += x * n.Axis[c]
		}
		if m.Mesh.Dim < 3 || !(math.Abs(along) >= 1-upright) {
			return fmt.Errorf("elastic: the obstacle of contact %d turns about an axis that is not its normal, out of its plane; contacts keep their planes",
				k)
		}
	}
	return nil
}

// mu returns the friction coefficient of contact k, the largest one where it depends on slip.
func (m *Model) mu(k int) float64 {
	if m.Friction == nil {
		return 0
	}
	return m.Friction[k]
}

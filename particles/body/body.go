package body

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// Options are the data of a body.
type Options struct {
	Mesh     *fem.Mesh
	Material fem.Elastic
	// Law is that of a hyperelastic body, whose moduli for small strains Material has; nil: it is linear.
	Law fem.Law
	// Plasticity is that of a linear body whose deviator yields; nil: none does.
	Plasticity *fem.Plasticity
	First      int  // number of the particle that is node 0
	Held       bool // other energies, or friction, prevent rigid motions
	BodyForce  signal.Vector
	Tractions  []Traction
	Beds       []fem.Bed // of a body that is not Hyperelastic
	Prescribed []Prescribed
	Nodal      []Nodal
	Tied       []fem.Normal // of nodes that move as others do, by which the body is held too
}

// Nodal are forces on nodes, by mesh dofs, times a function of time [N].
type Nodal struct {
	Forces []float64
	Factor signal.Scalar
}

// Traction is a surface load on a group of facets, dead (per reference area).
type Traction struct {
	Group fem.Group
	Force signal.Vector // [Pa], dim components
}

// Held are the nodes of which a component is prescribed, one may occur twice.
func (b *Body) Held() (nodes []int) {
	for _, p := range b.o.Prescribed {
		nodes = append(nodes, p.Nodes...)
	}
	return nodes
}

// Prescribed is a displacement component of nodes as a function of time.
type Prescribed struct {
	Nodes  []int
	Axis   int // of the mesh
	Motion signal.Scalar
}

// Body is the energy of an elastic body.
type Body struct {
	o      Options
	dim    int
	dof    []int // particle dof of each mesh dof
	start  []float64
	motion []signal.Scalar // of each mesh dof; nil: free
	fixed  []int           // mesh dofs with a motion, ascending
	spare  []int           // particle dofs without a mesh dof
	normal []fem.Normal    // those of obstacles, of the nodes in contact
	// simplices are those that the elements are cut into, surface those of elements at the surface.
	simplices, surface []int
	follow             float64 // stiffness of followers [N/m]

	linear  *sparse.Sym // A, with the beds
	beds    *sparse.Sym // B of these; nil: none
	hyper   *fem.Hyperelastic
	plastic *fem.VonMises
	memory  []float64   // variables of plastic that are remembered
	blocks  *sparse.Sym // pattern of D²E
	loads   []load
	pool    *sync.Pool
}

var errNotLinear = errors.New("body: bounds are those of linear elasticity")

// load is a constant vector times a function of time.
type load struct {
	vector []float64
	factor signal.Scalar
}

var (
	_ particles.Energy          = (*Body)(nil)
	_ particles.ConstantHessian = (*Body)(nil)
	_ particles.Breaker         = (*Body)(nil)
	_ particles.Validator       = (*Body)(nil)
	_ particles.Domain          = (*Body)(nil)
)

// axes are the particle coordinates of the mesh's axes, by dimension.
var axes = [4][]int{1: {0}, 2: {0, 2}, 3: {0, 1, 2}}

// New assembles the body. It fails for invalid meshes and materials, and for
// bodies that can move without strain, naming the motions.
func New(o Options) (*Body, error) {
	if o.Mesh == nil {
		return nil, fmt.Errorf("body: a mesh is required")
	}
	if err := o.Mesh.Validate(); err != nil {
		return nil, err
	}
	b := &Body{o: o, dim: o.Mesh.Dim}
	b.simplices, _ = o.Mesh.Simplices()
	b.surface = b.simplices
	if _, parts := o.Mesh.Parts(); parts == 1 && b.dim > 1 {
		b.surface = o.Mesh.SurfaceSimplices()
	}
	if err := b.number(); err != nil {
		return nil, err
	}
	if !o.Held {
		if err := b.CheckSupport(); err != nil {
			return nil, err
		}
	}
	if err := b.assemble(); err != nil {
		return nil, err
	}
	if err := b.setLoads(); err != nil {
		return nil, err
	}
	n := len(b.dof)
	b.pool = &sync.Pool{New: func() any { return &scratch{d: make([]float64, n), f: make([]float64, n)} }}
	return b, nil
}

// number lays out dofs and prescribed motions.
func (b *Body) number() error {
	m := b.o.Mesh
	b.dof, b.motion = make([]int, len(m.X)), make([]signal.Scalar, len(m.X))
	b.start = make([]float64, 3*m.NumNodes())
	for i := range m.NumNodes() {
		var used [3]bool
		for c, axis := range axes[b.dim] {
			b.dof[b.dim*i+c] = 3*(b.o.First+i) + axis
			b.start[3*i+axis] = m.Node(i)[c]
			used[axis] = true
		}
		for axis, u := range used {
			if !u {
				b.spare = append(b.spare, 3*(b.o.First+i)+axis)
			}
		}
	}
	for k, p := range b.o.Prescribed {
		if p.Axis < 0 || p.Axis >= b.dim || p.Motion == nil {
			return fmt.Errorf("body: prescribed displacement %d: axis %d of %d, or no motion", k, p.Axis, b.dim)
		}
		for _, i := range p.Nodes {
			if i < 0 || i >= m.NumNodes() {
				return fmt.Errorf("body: prescribed displacement %d: node %d of %d", k, i, m.NumNodes())
			}
			at := b.dim*i + p.Axis
			if b.motion[at] != nil {
				return fmt.Errorf("body: node %d is prescribed twice along %s", i, "xyz"[p.Axis:p.Axis+1])
			}
			b.motion[at] = p.Motion
			b.fixed = append(b.fixed, at)
		}
	}
	slices.Sort(b.fixed)
	return nil
}

func (b *Body) assemble() (err error) {
	if b.linear, err = fem.Stiffness(b.o.Mesh, b.o.Material); err != nil {
		return err
	}
	for c := range b.linear.N {
		b.follow += b.linear.Val[b.linear.Ptr[c]] / float64(b.linear.N)
	}
	b.blocks = b.linear
	if len(b.o.Beds) > 0 {
		if b.o.Law != nil {
			return errors.New("body: a bed is under a body with small displacements, and a hyperelastic body has large ones")
		}
		if b.beds, err = fem.BedStiffness(b.o.Mesh, b.Kinematics(), b.o.Beds); err != nil {
			return err
		}
		eachOf(b.beds, b.linear.AddAt)
	}
	if b.o.Law != nil {
		b.linear = nil
		b.hyper, err = fem.NewHyperelastic(b.o.Mesh, b.o.Material, b.o.Law)
	}
	if p := b.o.Plasticity; p != nil && err == nil {
		if b.o.Law != nil {
			return errors.New("body: plasticity is that of small strains, and a hyperelastic body has large ones")
		}
		if b.plastic, err = fem.NewVonMises(b.o.Mesh, b.o.Material, *p); err == nil {
			b.memory = make([]float64, b.plastic.Variables())
		}
	}
	return err
}

func (b *Body) setLoads() error {
	o := &b.o
	if o.BodyForce != nil {
		if err := o.BodyForce.Validate(b.dim); err != nil {
			return fmt.Errorf("body: body force: %w", err)
		}
	}
	for c, f := range o.BodyForce {
		v := make([]float64, len(b.dof))
		fem.BodyForce(v, o.Mesh, o.Material, unit(b.dim, c))
		b.loads = append(b.loads, load{v, f})
	}
	for _, l := range o.Nodal {
		b.loads = append(b.loads, load{l.Forces, l.Factor})
	}
	for k, t := range o.Tractions {
		if err := t.Force.Validate(b.dim); err != nil {
			return fmt.Errorf("body: traction %d: %w", k, err)
		}
		for c, f := range t.Force {
			v := make([]float64, len(b.dof))
			if err := fem.Traction(v, o.Mesh, o.Material, t.Group, unit(b.dim, c)); err != nil {
				return fmt.Errorf("body: traction %d: %w", k, err)
			}
			b.loads = append(b.loads, load{v, f})
		}
	}
	return nil
}

func unit(dim, c int) []float64 {
	e := make([]float64, dim)
	e[c] = 1
	return e
}

// Particles returns the number of nodes.
func (b *Body) Particles() int { return len(b.start) / 3 }

// Mesh returns the mesh.
func (b *Body) Mesh() *fem.Mesh { return b.o.Mesh }

// Kinematics returns what a plane mesh is a section of.
func (b *Body) Kinematics() fem.Kinematics { return b.o.Material.Kinematics }

// Motion returns the motion that is prescribed for node i along an axis of the mesh, nil for none.
func (b *Body) Motion(i, axis int) signal.Scalar { return b.motion[b.dim*i+axis] }

// Dof returns that of the particle of node i along an axis of the mesh.
func (b *Body) Dof(i, axis int) int { return b.dof[b.dim*i+axis] }

// Follow returns the stiffness of the followers [N/m].
func (b *Body) Follow() float64 { return b.follow }

// Start returns the positions of the nodes in the reference configuration,
// which belong to the body.
func (b *Body) Start() []float64 { return b.start }

// Obstacle returns the frames of the particles: those of the half-space for the
// contact nodes, none for the rest. It fails as [Body.Touch] does with friction.
func (b *Body) Obstacle(nodes []int, h particles.HalfSpace) ([]particles.Frame, error) {
	frames := make([]particles.Frame, b.Particles())
	for i := range frames {
		frames[i] = particles.NoObstacle()
	}
	for _, i := range nodes {
		frames[i] = h.Frame()
		if err := b.Touch(i, &frames[i], true); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// inside: a node deeper than this fraction of its coordinates is inside; less is
// rounding.
const inside = 1e-12

// Bytes returns about the memory of the mesh, the stiffness, the points of a hyperelastic body and the loads.
func (b *Body) Bytes() int64 {
	m := b.o.Mesh
	bytes := 8*int64(len(m.X)+len(m.Elem)) + 16*int64(len(b.blocks.Row)) + 8*int64(len(b.dof))*int64(7+len(b.loads))
	for _, g := range m.Groups {
		bytes += 8 * int64(len(g.Elem))
	}
	if b.hyper != nil {
		bytes += b.hyper.Bytes()
	}
	return bytes
}

// First returns the number of the particle that is node 0.
func (b *Body) First() int { return b.o.First }

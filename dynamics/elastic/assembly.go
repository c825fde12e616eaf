package elastic

import (
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// assembly is the semi-discrete problem in local components at contact nodes.
type assembly struct {
	model     *Model
	dim       int
	frames    *fem.Frames
	relative  *relatives // of bodies that meet, else nil
	stiffness *sparse.Sym
	mass      *sparse.Sym // M_*
	split     *fem.Split
	normal    []int               // dof of each contact …
	massless  []int               // … and, behind these, of other nodes without mass along a normal: of those that are met
	met       []*fem.MortarNode   // by contact, nil at an obstacle
	opposite  [][]fem.ContactNode // both sides of each meeting
	gap       []float64
	loads     []loadTerm
	fixed     []signal.Scalar // motion of each dof of split.Fixed
	impedance []float64       // ρ c_s A of each contact, where friction depends on slip [N s/m]
}

// loadTerm is a constant vector times a function of time.
type loadTerm struct {
	vector []float64
	factor signal.Scalar
}

func assemble(m *Model) (*assembly, error) {
	a := &assembly{model: m, dim: m.Mesh.Dim}
	for k := range m.Contacts {
		a.normal = append(a.normal, a.dim*m.Contacts[k].Node+a.dim-1)
		a.gap = append(a.gap, m.Contacts[k].Gap)
	}
	if err := a.meet(); err != nil {
		return nil, err
	}
	stiffness, err := m.blocks(func(b *Body) (*sparse.Sym, error) { return fem.Stiffness(b.Mesh, b.Material) })
	if err != nil {
		return nil, err
	}
	a.stiffness = a.relative.matrix(stiffness)
	a.frames.Rotate(a.stiffness)
	if err := a.setMass(); err != nil {
		return nil, err
	}
	if err := a.setLoads(); err != nil {
		return nil, err
	}
	a.setFixed()
	if m.Slip != nil {
		a.impedance = m.impedances()
	}
	return a, nil
}

func (a *assembly) setMass() error {
	m := a.model
	mass, err := m.blocks(a.bodyMass)
	if err != nil {
		return err
	}
	if m.Inertia == Modified {
		a.lighten(mass)
	}
	a.mass = a.relative.matrix(mass)
	a.frames.Rotate(a.mass)
	if m.Inertia != Standard {
		fem.Modify(a.mass, a.dim, a.light(0, m.Mesh.NumNodes()))
	}
	return nil
}

// light are the nodes without mass along a normal, of n from the first on, in numbers from there.
func (a *assembly) light(first, n int) (nodes []int) {
	for _, i := range a.massless {
		if k := i/a.dim - first; k >= 0 && k < n {
			nodes = append(nodes, k)
		}
	}
	return nodes
}

// bodyMass is the mass of a body; redistributed where the model says so.
func (a *assembly) bodyMass(b *Body) (*sparse.Sym, error) {
	m := a.model
	mass, err := fem.Mass(b.Mesh, b.Material, m.Mass)
	if err != nil || m.Inertia != Redistributed {
		return mass, err
	}
	if !a.frames.Aligned() {
		return nil, invalidOption("inertia", "mass redistribution needs the obstacle's normal along the last axis")
	}
	standard, err := fem.Mass(b.Mesh, b.Material, m.Mass)
	if err != nil {
		return nil, err
	}
	nodes := a.light(b.First, b.Mesh.NumNodes())
	fem.Modify(mass, a.dim, nodes)
	if err := fem.Redistribute(mass, standard, b.Mesh, nodes); err != nil {
		return nil, invalidOption("inertia", "%w", err)
	}
	return mass, nil
}

// setLoads makes a constant vector of each component of each load.
func (a *assembly) setLoads() error {
	m := a.model
	add := func(factor signal.Scalar, fill func(load []float64) error) error {
		if c, ok := factor.(signal.Constant); ok && c == 0 {
			return nil
		}
		v := make([]float64, len(m.Mesh.X))
		if err := fill(v); err != nil {
			return err
		}
		a.toLocalForces(v)
		a.loads = append(a.loads, loadTerm{v, factor})
		return nil
	}
	for _, b := range m.bodies() {
		for c, f := range b.BodyForce {
			err := add(f, func(load []float64) error {
				fem.BodyForce(b.of(load), b.Mesh, b.Material, unit(a.dim, c))
				return nil
			})
			if err != nil {
				return err
			}
		}
		for _, n := range b.Nodal {
			err := add(n.Factor, func(load []float64) error {
				copy(b.of(load), n.Forces)
				return nil
			})
			if err != nil {
				return err
			}
		}
		for _, t := range b.Tractions {
			for c, f := range t.Force {
				err := add(f, func(load []float64) error {
					return fem.Traction(b.of(load), b.Mesh, b.Material, t.Group, unit(a.dim, c))
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func unit(dim, c int) []float64 {
	e := make([]float64, dim)
	e[c] = 1
	return e
}

func (a *assembly) setFixed() {
	motion := map[int]signal.Scalar{}
	for _, p := range a.model.Prescribed {
		for _, i := range p.Nodes {
			motion[a.dim*i+p.Axis] = p.Motion
		}
	}
	a.tie(motion)
	a.split = fem.NewSplit(len(a.model.Mesh.X), slices.Collect(maps.Keys(motion)))
	for _, i := range a.split.Fixed {
		a.fixed = append(a.fixed, motion[i])
	}
}

// rate is the velocity of prescribed dof k at the end of a step: where it jumps, the one before.
func (a *assembly) rate(k int, t float64) float64 {
	return a.fixed[k].Rate(math.Nextafter(t, math.Inf(-1)))
}

// load stores L(t).
func (a *assembly) load(dst []float64, t float64) {
	clear(dst)
	for _, l := range a.loads {
		f := l.factor.At(t)
		for i, v := range l.vector {
			dst[i] += f * v
		}
	}
}

// jacobian returns H for the free dofs: contact k touches the dofs of its node,
// normal first. A bar has a second, zero column, since contacts have a tangent.
func (a *assembly) jacobian() *contact.Jacobian {
	h := &contact.Jacobian{Dim: max(a.dim, 2), Rows: len(a.split.Free), Ptr: []int{0}}
	for _, n := range a.normal {
		for c := range a.dim { // tangents are columns 1, …; the normal is column 0
			e := make([]float64, h.Dim)
			e[(c+1)%a.dim] = 1
			h.Row, h.Val = append(h.Row, a.split.Index[n-a.dim+1+c]), append(h.Val, e...)
		}
		h.Ptr = append(h.Ptr, len(h.Row))
	}
	return h
}

// combine returns x·a + y·b for matrices of the same pattern.
func combine(x float64, a *sparse.Sym, y float64, b *sparse.Sym) *sparse.Sym {
	c := &sparse.Sym{N: a.N, Ptr: a.Ptr, Row: a.Row, Val: make([]float64, len(a.Val))}
	for k := range c.Val {
		c.Val[k] = x*a.Val[k] + y*b.Val[k]
	}
	return c
}

package elastic

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// Bodies that meet. The node s of a side is measured from what it faces of the other one, by the weights of [fem.Mortar]:
//
//	v u_s + Σ_h v_h u_h − Σ_m w_m u_m = y_s,   u = T y,
//
// so that the components of y_s are its gap, less that of the start, and its slip. An obstacle at rest makes the same
// conditions, and A, M_* and L are TᵀAT, TᵀM_*T and TᵀL. The sums over the forces of both sides are zero, and so is the
// work of these on motions that leave y_s.
//
// What follows others, on periodic sides and lids, is measured from these in the same way, and y is prescribed, see [Tie].
//
// Both sides have no mass along the normals of nodes that meet: (11) for each, with the normal
// n_m ∥ Σ_s D_s w_sm n_s of a node of the other side. What is prescribed there keeps its mass.

// Meeting is a side of a body that meets another one.
type Meeting struct {
	// Nodes face the other side, with numbers of Model.Mesh; where the sides are not tied they are those of
	// Model.Contacts from First on.
	Nodes []fem.MortarNode
	First int
	Tied  bool            // without contact: the nodes go with what they face
	Sides [2]fem.Group    // of Model.Mesh, the own one and the other, for [Stepper.Lag] …
	Held  map[int][3]bool // … with what is held of the own one, see [fem.Side]
}

// Tie is a displacement that follows others, u_Dof = Σ weight·u + Given, as on periodic sides and rigid lids.
type Tie struct {
	Dof     int
	Masters []fem.Share
	Given   signal.Scalar // [m]; nil: 0
}

// image is the node that a node of a periodic side moves as; −1: it does not move as one node does.
func (t *Tie) image(dim int) int {
	if len(t.Masters) == 1 && t.Masters[0].Weight == 1 && t.Dof%dim == t.Masters[0].Dof%dim {
		return t.Masters[0].Dof / dim
	}
	return -1
}

// ContactShares shares out the surface among the contacts, ∫ φ over the facets whose corners are all in contact, or over all facets, with
// what moves as a node in contact does [m²; of a plane mesh m, of a ring all of it in m²].
func (m *Model) ContactShares(all bool) []float64 {
	at, share := map[int]bool{}, make([]float64, len(m.Contacts))
	for k := range m.Contacts {
		at[m.Contacts[k].Node] = true
	}
	images := map[int]int{}
	for k := range m.Ties {
		if t := &m.Ties[k]; t.image(m.Mesh.Dim) >= 0 {
			images[t.Dof/m.Mesh.Dim] = t.image(m.Mesh.Dim)
		}
	}
	for node, image := range images {
		at[node] = at[image]
	}
	if all {
		at = nil
	}
	area := m.Mesh.SurfaceShares(m.Material, at)
	for _, node := range slices.Sorted(maps.Keys(images)) {
		area[images[node]] += area[node]
	}
	for k := range share {
		share[k] = area[m.Contacts[k].Node]
	}
	return share
}

// relative is a row of T.
type relative struct {
	dof   int
	own   float64 // 1/v
	terms []fem.Share
}

// relatives are the rows of T of dofs that are measured from others.
type relatives struct {
	list []relative
	of   map[int]int // place in the list by dof
}

// newRelatives returns nil where no bodies meet and nothing is tied.
func newRelatives(m *Model) *relatives {
	if len(m.Meetings)+len(m.Ties) == 0 {
		return nil
	}
	dim, r := m.Mesh.Dim, &relatives{of: map[int]int{}}
	add := func(x relative) {
		r.of[x.dof] = len(r.list)
		r.list = append(r.list, x)
	}
	for _, t := range m.Ties {
		add(relative{t.Dof, 1, t.Masters})
	}
	for k := range m.Meetings {
		for i := range m.Meetings[k].Nodes {
			n := &m.Meetings[k].Nodes[i]
			own, other := n.Along(0) // no node is held along some axes only
			for j, w := range own {
				if j != n.Node {
					other[j] -= w
				}
			}
			for c := range dim {
				row := relative{dof: dim*n.Node + c, own: 1 / n.Own()}
				for _, j := range slices.Sorted(maps.Keys(other)) {
					row.terms = append(row.terms, fem.Share{Dof: dim*j + c, Weight: row.own * other[j]})
				}
				add(row)
			}
		}
	}
	return r
}

// row is that of a dof.
func (r *relatives) row(dof int) (x *relative, is bool) {
	if r == nil {
		return nil, false
	}
	k, is := r.of[dof]
	if !is {
		return nil, false
	}
	return &r.list[k], true
}

// each visits the entries of T: own says that they are of the same dof, which comes first.
func (r *relatives) each(visit func(row, column int, weight float64, own bool)) {
	if r == nil {
		return
	}
	for k := range r.list {
		x := &r.list[k]
		visit(x.dof, x.dof, x.own, true)
		for _, t := range x.terms {
			visit(x.dof, t.Dof, t.Weight, false)
		}
	}
}

// place makes u of y.
func (r *relatives) place(x []float64) {
	r.each(func(i, j int, w float64, own bool) {
		if own {
			x[i] *= w
		} else {
			x[i] += w * x[j]
		}
	})
}

// unplace makes y of u.
func (r *relatives) unplace(x []float64) {
	r.each(func(i, j int, w float64, own bool) { // its own entry comes first
		if own {
			x[i] /= w
		} else {
			row, _ := r.row(i)
			x[i] -= w * x[j] / row.own
		}
	})
}

// pull makes forces on y of those on u, Tᵀf.
func (r *relatives) pull(f []float64) {
	r.each(func(i, j int, w float64, own bool) {
		if !own {
			f[j] += w * f[i]
		}
	})
	r.each(func(i, _ int, w float64, own bool) {
		if own {
			f[i] *= w
		}
	})
}

// unpull makes forces on u of those on y.
func (r *relatives) unpull(f []float64) {
	r.each(func(i, j int, w float64, own bool) { // its own entry comes first
		if own {
			f[i] /= w
		} else {
			f[j] -= w * f[i]
		}
	})
}

// matrix returns TᵀAT.
func (r *relatives) matrix(a *sparse.Sym) *sparse.Sym {
	if r == nil {
		return a
	}
	terms := func(i int) []fem.Share {
		row, is := r.row(i)
		if !is {
			return []fem.Share{{Dof: i, Weight: 1}}
		}
		return append([]fem.Share{{Dof: i, Weight: row.own}}, row.terms...)
	}
	each := func(visit func(i, j int, v float64)) {
		for j := range a.N {
			column := terms(j)
			for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
				for m, s := range terms(a.Row[p]) {
					for n, t := range column {
						switch v := a.Val[p] * s.Weight * t.Weight; {
						case a.Row[p] == j && n > m: // its mirror image is the same entry
						case a.Row[p] != j && s.Dof == t.Dof:
							visit(s.Dof, t.Dof, 2*v)
						default:
							visit(s.Dof, t.Dof, v)
						}
					}
				}
			}
		}
	}
	b := sparse.NewBuilder(a.N)
	each(func(i, j int, _ float64) { b.Add(i, j) })
	t := b.Build()
	each(t.AddAt)
	return t
}

// opposite are the nodes that a meeting faces, with their normals, but for those of which something is prescribed.
func (m *Model) opposite(x *Meeting) (list []fem.ContactNode, err error) {
	dim, normals := m.Mesh.Dim, map[int]vec3.Vec{}
	for k := range x.Nodes {
		n := &x.Nodes[k]
		for j, node := range n.Masters {
			normals[node] = vec3.Add(normals[node], n.Area*n.Weights[j], n.Frame[dim-1])
		}
	}
	for _, p := range m.Prescribed {
		for _, i := range p.Nodes {
			delete(normals, i)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(normals)) {
		n := normals[i]
		c, err := fem.Contacts(m.Mesh, []int{i}, fem.HalfSpace{Point: m.Mesh.Node(i), Normal: n[:dim]})
		if err != nil {
			return nil, err
		}
		list = append(list, c...)
	}
	return list, nil
}

// Followed are the nodes whose displacements tell gaps and slips: those of the contacts, in their order, and behind
// them what these are measured from, ascending.
func (m *Model) Followed() (nodes []int) {
	at, more := map[int]bool{}, map[int]bool{}
	for k := range m.Contacts {
		nodes = append(nodes, m.Contacts[k].Node)
		at[m.Contacts[k].Node] = true
	}
	for k := range m.Meetings {
		for i := range m.Meetings[k].Nodes {
			n := &m.Meetings[k].Nodes[i]
			for _, j := range slices.Concat(n.Masters, n.Held) {
				if !at[j] && !m.Meetings[k].Tied {
					more[j] = true
				}
			}
		}
	}
	return append(nodes, slices.Sorted(maps.Keys(more))...)
}

// validateMeetings wants nodes that are measured from others that are not measured themselves.
func (m *Model) validateMeetings() error {
	dim, measured, fixed := m.Mesh.Dim, map[int]bool{}, map[int]bool{}
	prescribed := map[int]bool{}
	for _, p := range m.Prescribed {
		for _, i := range p.Nodes {
			fixed[i], prescribed[dim*i+p.Axis] = true, true
		}
	}
	tied, met := map[int]bool{}, map[int]bool{}
	for k, t := range m.Ties {
		node := t.Dof / dim
		if t.Dof < 0 || node >= m.Mesh.NumNodes() || tied[t.Dof] || prescribed[t.Dof] {
			return fmt.Errorf("elastic: tie %d: dof %d does not exist, is tied twice, or is prescribed", k, t.Dof)
		}
		tied[t.Dof], measured[node] = true, true
	}
	for _, c := range m.Contacts {
		if measured[c.Node] {
			return fmt.Errorf("elastic: node %s at %v is in contact and tied", m.NodeName(c.Node), m.Mesh.Node(c.Node))
		}
	}
	for k := range m.Meetings {
		x := &m.Meetings[k]
		for i := range x.Nodes {
			n := &x.Nodes[i]
			switch own := n.Own(); {
			case n.Node < 0 || n.Node >= m.Mesh.NumNodes() || measured[n.Node] || fixed[n.Node]:
				return fmt.Errorf("elastic: meeting %d: node %d does not exist, meets two others, or is prescribed", k, n.Node)
			case !x.Tied && (x.First < 0 || x.First+i >= len(m.Contacts) || m.Contacts[x.First+i].Node != n.Node):
				return fmt.Errorf("elastic: meeting %d: node %d is not the contact %d", k, n.Node, x.First+i)
			case !(own > 0) || math.IsInf(own, 1) || len(n.Weights) != len(n.Masters) || len(n.HeldWeights) != len(n.Held) || len(n.Borne) > 0:
				return fmt.Errorf("elastic: meeting %d: node %d has no weights of its own and of what it faces", k, n.Node)
			}
			measured[n.Node], met[n.Node] = true, true
		}
	}
	for k, t := range m.Ties {
		for _, x := range t.Masters {
			if x.Dof < 0 || x.Dof/dim >= m.Mesh.NumNodes() || tied[x.Dof] || met[x.Dof/dim] {
				return fmt.Errorf("elastic: tie %d: dof %d, which dof %d follows, does not exist, is tied or meets a body", k, x.Dof, t.Dof)
			}
		}
	}
	for k := range m.Meetings {
		for i := range m.Meetings[k].Nodes {
			n := &m.Meetings[k].Nodes[i]
			for _, j := range slices.Concat(n.Masters, n.Held) {
				if j < 0 || j >= m.Mesh.NumNodes() || measured[j] {
					return fmt.Errorf("elastic: meeting %d: node %s is measured from node %s, which is measured itself: let the one side be met, or meet, only",
						k, m.NodeName(n.Node), m.NodeName(j))
				}
			}
		}
	}
	for k := range m.Bodies {
		b := &m.Bodies[k]
		if err := b.Material.Validate(dim); err != nil {
			return err
		}
		if !(b.Material.Density > 0) || b.Material.Kinematics != m.Material.Kinematics {
			return fmt.Errorf("elastic: the density of body %q is %g, want > 0, or it is of %s, and the first body of %s", b.ID,
				b.Material.Density, b.Material.Kinematics, m.Material.Kinematics)
		}
	}
	return nil
}

// meet sets the components of the model: frames of contacts and of what is met, and what is measured from others.
func (a *assembly) meet() error {
	m, frames, taken := a.model, slices.Clone(a.model.Contacts), map[int]bool{}
	a.massless, a.relative, a.met = slices.Clone(a.normal), newRelatives(m), make([]*fem.MortarNode, len(m.Contacts))
	for k := range m.Contacts {
		taken[m.Contacts[k].Node] = true
	}
	for k := range m.Meetings {
		if m.Meetings[k].Tied {
			continue
		}
		for i := range m.Meetings[k].Nodes {
			a.met[m.Meetings[k].First+i] = &m.Meetings[k].Nodes[i]
		}
		list, err := m.opposite(&m.Meetings[k])
		if err != nil {
			return err
		}
		a.opposite = append(a.opposite, slices.Concat(m.Contacts[m.Meetings[k].First:][:len(m.Meetings[k].Nodes)], list))
		for _, c := range list {
			if !taken[c.Node] { // else that obstacle, or the first side, has the frame
				taken[c.Node] = true
				frames = append(frames, c)
				a.massless = append(a.massless, a.dim*c.Node+a.dim-1)
			}
		}
	}
	a.frames = fem.NewFrames(a.dim, frames)
	return nil
}

// lighten takes from the mass, in global axes, what both sides of meetings have along their normals.
func (a *assembly) lighten(mass *sparse.Sym) {
	for _, list := range a.opposite {
		back, nodes := slices.Clone(list), make([]int, len(list))
		for k := range list {
			nodes[k] = list[k].Node
			for i := range 3 {
				for j := range 3 {
					back[k].Frame[i][j] = list[k].Frame[j][i]
				}
			}
		}
		fem.NewFrames(a.dim, list).Rotate(mass)
		fem.Modify(mass, a.dim, nodes)
		fem.NewFrames(a.dim, back).Rotate(mass)
	}
}

// errMeetings says which options go with one body that nothing ties.
var errMeetings = errors.New("bodies that meet, and periodic sides, have a mass that is no diagonal, and conditions on both: want the scheme \"trapezoidal\" with the method \"newton\"")

// tie prescribes that nodes of tied sides do not move from what they face, and of ties as these say.
func (a *assembly) tie(motion map[int]signal.Scalar) {
	for _, t := range a.model.Ties {
		if motion[t.Dof] = signal.Constant(0); t.Given != nil {
			motion[t.Dof] = t.Given
		}
	}
	for k := range a.model.Meetings {
		for i := range a.model.Meetings[k].Nodes {
			for c := range a.dim {
				if a.model.Meetings[k].Tied {
					motion[a.dim*a.model.Meetings[k].Nodes[i].Node+c] = signal.Constant(0)
				}
			}
		}
	}
}

// Components.

// toLocal makes displacements those of the package page.
func (a *assembly) toLocal(u []float64) {
	a.relative.unplace(u)
	a.frames.ToLocal(u)
}

// toGlobal is the inverse of toLocal.
func (a *assembly) toGlobal(u []float64) {
	a.frames.ToGlobal(u)
	a.relative.place(u)
}

// absolute makes of displacements of the package page those that are measured from nothing, in the same axes.
func (a *assembly) absolute(u []float64) {
	if a.relative != nil {
		a.toGlobal(u)
		a.frames.ToLocal(u)
	}
}

// acting makes of forces on the displacements of the package page those on absolute ones.
func (a *assembly) acting(f []float64) {
	if a.relative != nil {
		a.frames.ToGlobal(f)
		a.relative.unpull(f)
		a.frames.ToLocal(f)
	}
}

// toLocalForces makes forces those on the displacements of the package page.
func (a *assembly) toLocalForces(f []float64) {
	a.relative.pull(f)
	a.frames.ToLocal(f)
}

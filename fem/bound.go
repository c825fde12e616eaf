package fem

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// Bound bounds the error that a mesh of simplices or parallelograms makes in the state of a
// linearly elastic body in contact, by an equilibrated stress
// [PragerSynge47] [CoorevitsHildPelle00]. Be u admissible: with the prescribed displacements, and gaps
// g(u) >= 0 on the sides of contact; and σ* in equilibrium with the loads, with tractions
// p* >= 0, |τ*| <= s on the sides of contact. Then, for the energy J that the exact solution minimises among
// all admissible displacements, with friction of a given bound s over the slip v of a step,
//
//	0 <= J(u) − J <= E² = ½ ∫ (σ* − Cε(u)) : C⁻¹ : (σ* − Cε(u)) + ∫_Γ p* g + ∫_Γ (s|v| + τ*·v)
//
// and ½‖u − u_exact‖² + ½‖σ* − σ_exact‖² <= E², in the norm of the energy. docs/decisions/0034 has the proof and how σ* is
// made: tractions p*, τ* from the nodal forces, and of all stresses of Johnson and Mercier
// ([composite]) in equilibrium with these the one of least complementary energy ([hybrid]).
type Bound struct {
	o       BoundOptions
	hybrid  *hybrid
	of      []int // element of each simplex of hybrid
	cut     map[cutNode]int
	added   []cutNode      // nodes of hybrid after those of the mesh
	normals [][][3]float64 // of the facets of groups of tractions that are pressures
	faces   [][]int        // facets of each group of tractions, and
	sides   [][]int        // of each side of contact
	share   [][]float64    // ∫ φ_i over each side, by nodes [m^(d−1)]
	// stiffness and adjoints are those of [Bound.Quantity].
	stiffness *sparse.Sym
	adjoints  map[*Quantity]*adjoint
}

// BoundOptions are what does not change from state to state.
type BoundOptions struct {
	Mesh      *Mesh
	Material  Elastic
	Held      []int   // prescribed dofs of the mesh
	Tractions []Group // that are loaded
	Contact   []Group // sides that face obstacles
	// Cuts are places on edges that are cut, between their nodes in ascending order, see [Meeting].
	Cuts map[[2]int][]float64
}

// BoundState is a state of the body.
type BoundState struct {
	U         []float64    // by mesh dofs [m]
	BodyForce [3]float64   // [N/m^d]
	Tractions [][3]float64 // of each group [Pa], see [Traction]
	// Contact are the nodes of the sides.
	Contact []BoundNode
	Facets  []BoundFacet // where other bodies are met, see [Meeting.Press] …
	Lift    []float64    // … and by how much U has been moved off these; nil: not [m]
}

// BoundNode is a node of a side of contact.
type BoundNode struct {
	Side, Node int
	Gap        float64    // [m]
	Normal     float64    // force of the obstacle along its normal [N]
	Axis       [3]float64 // that normal
	Friction   [3]float64 // its force along the obstacle [N]
	Most       float64    // that friction bears [N], μ times Normal
	Slip       [3]float64 // of the step [m]
}

// NewBound prepares the bounds of a body. It fails where none is known.
func NewBound(ctx context.Context, o BoundOptions) (*Bound, error) {
	m := o.Mesh
	if err := Bounded(m, o.Material.Kinematics); err != nil {
		return nil, err
	}
	if o.Material.Orthotropic != nil {
		return nil, errOrthotropic
	}
	fixed := make([]bool, len(m.X))
	for _, i := range o.Held {
		fixed[i] = true
	}
	b := &Bound{o: o, adjoints: map[*Quantity]*adjoint{}}
	cut := m
	if m.Kind == Q1 {
		cut = &Mesh{Kind: P1, Dim: m.Dim, X: m.X}
		cut.Elem, b.of = m.Simplices()
	}
	if len(o.Cuts) > 0 {
		var err error
		if cut, err = b.cuts(cut); err != nil {
			return nil, err
		}
		for _, n := range b.added {
			for c := range 2 {
				fixed = append(fixed, fixed[2*n.edge[0]+c] && fixed[2*n.edge[1]+c])
			}
		}
	}
	h, err := newHybrid(ctx, cut, &o.Material, fixed)
	if err != nil {
		return nil, err
	}
	for k := len(b.of); k < len(h.elements); k++ {
		b.of = append(b.of, k)
	}
	b.hybrid = h
	if b.stiffness, err = Stiffness(m, o.Material); err != nil {
		return nil, err
	}
	for _, g := range o.Tractions {
		list, err := h.facetsOf(g)
		if err != nil {
			return nil, err
		}
		b.faces, b.normals = append(b.faces, list), append(b.normals, m.normals(g))
	}
	for s, g := range o.Contact {
		all, err := h.facetsOf(g)
		if err != nil {
			return nil, err
		}
		var list []int
		share := make([]float64, m.NumNodes())
		for _, f := range all {
			x := &h.facets[f]
			if x.side >= 0 {
				continue // it is of a side before, as its nodes are
			}
			x.side, list = s, append(list, f)
			for _, i := range x.nodes[:m.Dim] {
				share[i] += x.area / float64(m.Dim)
			}
		}
		b.sides, b.share = append(b.sides, list), append(b.share, share)
	}
	return b, nil
}

// Bounded says why a mesh has no bound.
func Bounded(m *Mesh, k Kinematics) error {
	if m.Kind == Q1 && m.Dim == 3 || m.Dim == 1 || k == Axisymmetric {
		return fmt.Errorf("fem: bounds are those of triangles, parallelograms and tetrahedra, these are %s, %s",
			m.Kind.Name(m.Dim), k)
	}
	return m.checkAffine()
}

// checkAffine fails for quadratic elements with curved sides, and for quadrilaterals that are no parallelograms, whose
// strains are no polynomials.
func (m *Mesh) checkAffine() error {
	ref := m.reference()
	// middle fails where a place is not amid two others. Half the digits: the geometry that the bound is of is off by
	// less than any other data.
	middle := func(k int, place, a, b []float64) error {
		for c := range place {
			if math.Abs(place[c]-(a[c]+b[c])/2) > 1e-8*distance(a, b) {
				return fmt.Errorf("fem: bounds are those of straight elements and parallelograms, not of element %d", k)
			}
		}
		return nil
	}
	for k := range m.NumElems() {
		nodes := m.NodesOf(k)
		if m.Kind == Q1 {
			centre := make([]float64, m.Dim)
			for c := range centre {
				centre[c] = (m.Node(nodes[1])[c] + m.Node(nodes[3])[c]) / 2
			}
			if err := middle(k, centre, m.Node(nodes[0]), m.Node(nodes[2])); err != nil {
				return err
			}
			continue
		}
		for e, ends := range ref.edges {
			if ref.corners+e >= ref.nodes {
				break
			}
			a, b := m.Node(nodes[ends[0]]), m.Node(nodes[ends[1]])
			if err := middle(k, m.Node(nodes[ref.corners+e]), a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// BoundElements is the number of simplices that a mesh is cut into for its bound.
func BoundElements(m *Mesh) int {
	if m.Kind == Q1 {
		return 2 * m.NumElems()
	}
	return m.NumElems()
}

// BoundBytes is what a bound keeps for a simplex beside the factor: a row for each moment, the matrix, and two stresses.
func BoundBytes(dim int) float64 {
	n := float64((dim + 1) * dim * dim)
	return 8*n*(n+float64(dim)) + 16*n*n/2 + 2*8*6*float64((dim+1)*(dim+1))
}

// ErrorBound is what is known of the error of a state.
type ErrorBound struct {
	Square  float64 // E² [J]
	Contact float64 // the part of the sides in it [J]
	Strain  float64 // ½ ∫ ε(u):C:ε(u) [J]
	// Short is by how much the energy of the run is less than that of U: where quadrilaterals have their mean
	// dilatation, and before U was moved off other bodies [J].
	Short float64
	// Elements are the parts of the elements in E², with those of their sides [J].
	Elements []float64
	own, off []Tensor  // Cε(u) and σ* − Cε(u), at the corners of the parts of all simplices
	load     []float64 // of the nodes; nil: not made yet
}

// Off bounds what the energy of the run is off by: that of U is by 0 to Square above the exact one, so that the one of
// the run is from Short below to Square − Short above it [J].
func (x *ErrorBound) Off() float64 { return max(x.Square-x.Short, x.Short) }

// At bounds the error of a state. It fails where the state is not admissible, or the tractions on its sides do not
// balance the loads.
func (b *Bound) At(s *BoundState) (x ErrorBound, err error) {
	h := b.hybrid
	load := make([]float64, len(h.held))
	for k, list := range b.faces {
		for i, f := range list {
			t := s.Tractions[k]
			if normals := b.normals[k]; normals != nil {
				t = vec3.Scale(normals[i], -t[0])
			}
			b.press(load, f, func(int) *[3]float64 { return &t })
		}
	}
	x.Elements = make([]float64, b.o.Mesh.NumElems())
	if x.Contact, err = b.touch(load, x.Elements, s); err != nil {
		return x, err
	}
	if err = b.pressFacets(load, s); err != nil {
		return x, err
	}
	moments, err := h.moments(load, b.ofFacets(s.U), &s.BodyForce)
	if err != nil {
		return x, err
	}
	b.elements(&x, moments, s)
	if err := b.shorten(&x, s); err != nil {
		return x, err
	}
	for _, part := range x.Elements {
		x.Square += part
	}
	return x, nil
}

// ofFacets are the displacements of the unknowns of the facets.
func (b *Bound) ofFacets(u []float64) []float64 {
	h, d := b.hybrid, b.o.Mesh.Dim
	u = b.extended(u)
	v := make([]float64, len(h.held))
	for f := range h.facets {
		for a, i := range h.facets[f].nodes[:d] {
			for c := range d {
				v[h.unknown(f, a, c)] = u[d*i+c]
			}
		}
	}
	return v
}

// press adds tractions, linear between those of the nodes, to the moments of a facet.
func (b *Bound) press(moments []float64, f int, traction func(node int) *[3]float64) {
	d, x := b.o.Mesh.Dim, &b.hybrid.facets[f]
	for a := range d {
		for k, j := range x.nodes[:d] {
			t, w := traction(j), x.area*facetMass(d, a, k)
			for c := range d {
				moments[b.hybrid.unknown(f, a, c)] += w * t[c]
			}
		}
	}
}

// touch adds the tractions of contact to the moments, and their part in E² to those of the elements. A node has its force over
// its share of the side as traction, and so has friction and what it bears at most.
func (b *Bound) touch(moments, elements []float64, s *BoundState) (energy float64, err error) {
	nodes, d := b.contactNodes(s), b.o.Mesh.Dim
	at := func(side, i int) *BoundNode {
		if k, ok := nodes[side][i]; ok {
			return &s.Contact[k]
		}
		return nil
	}
	for side, list := range b.sides {
		for _, f := range list {
			x := &b.hybrid.facets[f]
			for _, i := range x.nodes[:d] {
				n := at(side, i)
				if n == nil || n.Gap < 0 || n.Normal < 0 || b.share[side][i] == 0 {
					return 0, fmt.Errorf("fem: node %d of a side of contact is not admissible", i)
				}
			}
			b.press(moments, f, func(i int) *[3]float64 {
				n := at(side, i)
				var t [3]float64
				for c := range t {
					t[c] = (n.Normal*n.Axis[c] + n.Friction[c]) / b.share[side][i]
				}
				return &t
			})
			for a, i := range x.nodes[:d] {
				n := at(side, i)
				for k, j := range x.nodes[:d] {
					o, w := at(side, j), x.area*facetMass(d, a, k)/b.share[side][i]
					slip, work := 0.0, 0.0
					for c := range d {
						slip, work = math.Hypot(slip, o.Slip[c]), work+n.Friction[c]*o.Slip[c]
					}
					part := w * (n.Normal*o.Gap + n.Most*slip + work)
					energy, elements[b.of[x.elem]] = energy+part, elements[b.of[x.elem]]+part
				}
			}
		}
	}
	return energy, nil
}

// contactNodes are the numbers of the contact nodes of a state, by sides and nodes.
func (b *Bound) contactNodes(s *BoundState) []map[int]int {
	at := make([]map[int]int, len(b.sides))
	for k := range at {
		at[k] = map[int]int{}
	}
	for i := range s.Contact {
		at[s.Contact[i].Side][s.Contact[i].Node] = i
	}
	return at
}

// elements adds up the energy of what the stress of the moments and that of the state differ by.
func (b *Bound) elements(x *ErrorBound, moments []float64, s *BoundState) {
	d := b.o.Mesh.Dim
	c, n := composites[d](), (d+1)*(d+1)
	x.own, x.off = make([]Tensor, n*len(b.hybrid.elements)), make([]Tensor, n*len(b.hybrid.elements))
	for k := range b.hybrid.elements {
		on, own, off := &b.hybrid.elements[k], x.own[n*k:n*k+n], x.off[n*k:n*k+n]
		b.misfit(own, off, k, moments, s.U, &s.BodyForce)
		x.Strain += c.product(&on.affine, own, own, on.lambda, on.mu) / 2
		x.Elements[b.of[k]] += c.product(&on.affine, off, off, on.lambda, on.mu) / 2
	}
}

// shorten finds by how much the energy is less, with mean dilatations and before the state was moved off others: by
// L·(A U − load) − ½ L·A L with the motion L.
func (b *Bound) shorten(x *ErrorBound, s *BoundState) error {
	au := make([]float64, len(s.U))
	b.stiffness.MulVec(au, s.U)
	if b.o.Mesh.Kind == Q1 {
		x.Short = x.Strain
		for i, u := range s.U {
			x.Short -= u * au[i] / 2
		}
		x.Short = max(0, x.Short) // of rounding
	}
	if s.Lift == nil {
		return nil
	}
	load, err := b.loads(s)
	al := make([]float64, len(s.U))
	b.stiffness.MulVec(al, s.Lift)
	for i, l := range s.Lift {
		x.Short += l * (au[i] - al[i]/2 - load[i])
	}
	return err
}

// misfit stores Cε(u) and σ* − Cε(u) at the corners of the parts of an element.
func (b *Bound) misfit(own, off []Tensor, k int, moments, u []float64, force *[3]float64) {
	c := composites[b.o.Mesh.Dim]()
	c.on(off, &b.hybrid.elements[k].affine, moments[c.moments()*k:c.moments()*(k+1)], force)
	b.ownStress(own, k, u)
	for i := range off {
		for e := range off[i] {
			off[i][e] -= own[i][e]
		}
	}
}

// ownStress stores the stress of displacements at the corners of the parts of a simplex.
func (b *Bound) ownStress(dst []Tensor, k int, u []float64) {
	m := b.o.Mesh
	d, ref, x := m.Dim, m.reference(), element{nodes: m.NodesOf(b.of[k])}
	at := func(xi *[3]float64) Tensor {
		p := m.pointOf(ref, x.nodes, xi, false)
		return b.o.Material.stressAt(d, &x, &p, 0, u)
	}
	var centre vec3.Vec
	var corners [4]Tensor
	for a, i := range b.hybrid.mesh.NodesOf(k)[:d+1] {
		place := b.place(ref, x.nodes, i)
		corners[a], centre = at(&place), vec3.Add(centre, 1/float64(d+1), place)
	}
	middle := at((*[3]float64)(&centre))
	for s, local := range simplexSides[d] {
		for a, l := range local {
			dst[s*(d+1)+a] = corners[l]
		}
		dst[s*(d+1)+d] = middle
	}
}

// place is that of a node of a simplex in the reference element.
func (b *Bound) place(ref *reference, nodes []int, i int) vec3.Vec {
	if known := b.o.Mesh.NumNodes(); i >= known {
		n := &b.added[i-known]
		from, to := b.place(ref, nodes, n.edge[0]), b.place(ref, nodes, n.edge[1])
		return vec3.Add(vec3.Scale(from, 1-n.part), n.part, to)
	}
	return ref.places[slices.Index(nodes, i)]
}

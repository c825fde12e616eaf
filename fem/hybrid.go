package fem

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// hybrid finds the equilibrated stress of least complementary energy among those of [composite], with
// the displacements v of the facets as multipliers [FraeijsDeVeubeke65]. For an element with the tractions' moments b,
//
//	min ½ bᵀG b + fᵀH b − vᵀb,   Rᵀb = −∫ f·r   (r: rigid motions)
//
// has a linear solution b = A v + B f, and what the elements at a facet have for it adds up to the
// load there: Σ A v = load − Σ B f, a symmetric positive system, A being the stiffness of an element.
type hybrid struct {
	mesh       *Mesh
	facets     []meetingFacet
	of         [][4]int // facets of each element, by its sides
	held       []bool   // unknowns that are given, and …
	prescribed []bool   // … those that the case holds, without pins
	elements   []hybridElement
	factor     factor.Factor
	matrix     *sparse.Sym
}

// meetingFacet is where two elements meet, or one ends.
type meetingFacet struct {
	nodes [3]int // d of them, ascending
	elem  int    // the first one that has it
	ends  bool   // on the boundary
	side  int    // of contact; −1: none
	area  float64
}

// hybridElement is an element with what condenses it.
type hybridElement struct {
	affine
	unknowns   []int     // of each moment
	solution   []float64 // A and B, a row for each moment
	lambda, mu float64
}

// newHybrid condenses the elements and factorises.
func newHybrid(ctx context.Context, m *Mesh, e *Elastic, fixed []bool) (*hybrid, error) {
	h := &hybrid{mesh: m, of: make([][4]int, m.NumElems()), elements: make([]hybridElement, m.NumElems())}
	list := m.facets()
	for k, f := range list {
		if k > 0 && list[k-1].nodes == f.nodes {
			h.facets[len(h.facets)-1].ends = false
		} else {
			x := meetingFacet{elem: f.elem, ends: true, side: -1}
			copy(x.nodes[:], f.nodes[:m.Dim])
			x.area = m.facetArea(x.nodes[:m.Dim])
			h.facets = append(h.facets, x)
		}
		h.of[f.elem][f.side] = len(h.facets) - 1
	}
	h.held = make([]bool, h.unknown(len(h.facets), 0, 0))
	for f := range h.facets {
		for c := range m.Dim {
			if h.holds(fixed, f, c) {
				for a := range m.Dim {
					h.held[h.unknown(f, a, c)] = true
				}
			}
		}
	}
	if err := h.assemble(e); err != nil {
		return nil, err
	}
	h.prescribed = append([]bool(nil), h.held...)
	h.pin(RigidModes(m, *e))
	var err error
	h.factor, err = factor.Held(ctx, h.matrix, h.held)
	return h, err
}

// unknown is the number of that of a facet, its node a and a component.
func (h *hybrid) unknown(f, a, c int) int { return (f*h.mesh.Dim+a)*h.mesh.Dim + c }

// facetsOf returns the numbers of the facets of a side.
func (h *hybrid) facetsOf(g Group) (list []int, err error) {
	d, number := h.mesh.Dim, map[[3]int]int{}
	for f := range h.facets {
		if h.facets[f].ends {
			number[h.facets[f].nodes] = f
		}
	}
	if g.Dim != d-1 {
		return nil, fmt.Errorf("fem: a group of dimension %d is no side", g.Dim)
	}
	ref := references[g.Kind][g.Dim]
	for k := 0; k < len(g.Elem); k += ref.nodes {
		var nodes [3]int
		copy(nodes[:], Group{Kind: P1, Elem: g.Elem[k : k+d]}.Nodes())
		f, ok := number[nodes]
		if !ok {
			return nil, fmt.Errorf("fem: the facet of the nodes %v is not of the boundary", nodes[:d])
		}
		list = append(list, f)
	}
	return list, nil
}

// holds reports whether the displacement of a facet along an axis is prescribed.
func (h *hybrid) holds(fixed []bool, f, c int) bool {
	x, d := &h.facets[f], h.mesh.Dim
	for _, i := range x.nodes[:d] {
		if !fixed[d*i+c] {
			return false
		}
	}
	return x.ends
}

// assemble condenses the elements and adds them up. It fails at one that is so thin that rounding hides what some of
// its moments do.
func (h *hybrid) assemble(e *Elastic) error {
	d := h.mesh.Dim
	pattern := sparse.NewBuilder(len(h.facets))
	for _, of := range h.of {
		for a, f := range of[:d+1] {
			for _, g := range of[:a] {
				pattern.Add(f, g)
			}
		}
	}
	h.matrix = blocks(pattern.Build(), d*d)
	for k := range h.elements {
		x := &h.elements[k]
		if err := h.condense(x, k, e); err != nil {
			return fmt.Errorf("fem: no bound is known, as the element at %v is too thin: %w", h.mesh.Node(h.mesh.NodesOf(k)[0]), err)
		}
		columns := len(x.unknowns) + d
		for i, p := range x.unknowns {
			for j, q := range x.unknowns {
				if p >= q {
					h.matrix.AddAt(p, q, (x.solution[i*columns+j]+x.solution[j*columns+i])/2)
				}
			}
		}
	}
	return nil
}

// condense solves for the moments of an element, G in units of its size and stiffness.
func (h *hybrid) condense(x *hybridElement, k int, e *Elastic) error {
	d, c := h.mesh.Dim, composites[h.mesh.Dim]()
	x.place(h.mesh, k)
	x.lambda, x.mu = e.Lame(d)
	modes := rigidOn(d, &x.simplex, h.mesh)
	constraints := h.number(x, k, modes)
	n, units := c.moments(), c.units(&x.affine)
	size, columns := n+len(modes), n+d
	scale := e.Young * math.Pow(x.simplex.Volume, float64(d-2)/float64(d))
	kkt, right := make([]float64, size*size), make([]float64, size*columns)
	for i := range n {
		right[i*columns+i] = scale
		for j := range i + 1 {
			kkt[i*size+j] = scale * c.product(&x.affine, units[i], units[j], x.lambda, x.mu)
			kkt[j*size+i] = kkt[i*size+j]
		}
		for f := range d {
			right[i*columns+n+f] = -scale * c.product(&x.affine, units[i], units[n+f], x.lambda, x.mu)
		}
		for r := range modes {
			kkt[i*size+n+r], kkt[(n+r)*size+i] = constraints[r][i], constraints[r][i]
		}
	}
	for r := range modes {
		for f := range d {
			for l := range d + 1 {
				right[(n+r)*columns+n+f] -= modes[r][l][f] * x.simplex.Volume / float64(d+1)
			}
		}
	}
	if err := solveDense(kkt, right); err != nil {
		return err
	}
	x.solution = right[:n*columns]
	return nil
}

// number finds the unknowns of the moments of an element, and returns the rigid motions at the nodes of each.
func (h *hybrid) number(x *hybridElement, k int, modes [][4][3]float64) (constraints [][]float64) {
	d, c, nodes := h.mesh.Dim, composites[h.mesh.Dim](), h.mesh.NodesOf(k)
	x.unknowns = make([]int, c.moments())
	for range modes {
		constraints = append(constraints, make([]float64, c.moments()))
	}
	for side, local := range simplexSides[d] {
		f := h.of[k][side]
		for a, l := range local {
			at := slices.Index(h.facets[f].nodes[:d], nodes[l])
			for e := range d {
				i := c.moment(side, a, e)
				x.unknowns[i] = h.unknown(f, at, e)
				for r := range modes {
					constraints[r][i] = modes[r][l][e]
				}
			}
		}
	}
	return constraints
}

// place finds the affine map of an element.
func (x *affine) place(m *Mesh, k int) {
	x.simplex = m.Element(k)
	x0 := m.Node(x.simplex.Nodes[0])
	for a := 1; a <= m.Dim; a++ {
		for r, v := range m.Node(x.simplex.Nodes[a]) {
			x.jacobian[r][a-1] = v - x0[r]
		}
	}
	x.det, x.back = invert(m.Dim, &x.jacobian)
}

// rigidOn are the rigid motions of a simplex at its corners, rotations about the first one by its size.
func rigidOn(d int, s *Simplex, m *Mesh) (modes [][4][3]float64) {
	for c := range d {
		var mode [4][3]float64
		for l := range mode {
			mode[l][c] = 1
		}
		modes = append(modes, mode)
	}
	length := math.Pow(s.Volume, 1/float64(d))
	for c := range d {
		for a := range c {
			var mode [4][3]float64
			for l, i := range s.Nodes[:d+1] {
				mode[l][a] = -(m.Node(i)[c] - m.Node(s.Nodes[0])[c]) / length
				mode[l][c] = (m.Node(i)[a] - m.Node(s.Nodes[0])[a]) / length
			}
			modes = append(modes, mode)
		}
	}
	return modes
}

// pin holds one more unknown for each rigid motion that is left: where it is largest, one after the other. What that
// bears is 0 where the loads balance.
func (h *hybrid) pin(modes []RigidMode) {
	d := h.mesh.Dim
	at := make([]int, len(h.held)) // mesh dof of each unknown
	for f := range h.facets {
		for a, i := range h.facets[f].nodes[:d] {
			for c := range d {
				at[h.unknown(f, a, c)] = d*i + c
			}
		}
	}
	size := 0.0
	for _, mode := range modes {
		for _, x := range mode.U {
			size = max(size, math.Abs(x))
		}
	}
	// eliminate makes all modes but one rest at dof i, and drops that one.
	eliminate := func(i int) bool {
		best := 0
		for k := range modes {
			if math.Abs(modes[k].U[i]) > math.Abs(modes[best].U[i]) {
				best = k
			}
		}
		drop := modes[best]
		if math.Abs(drop.U[i]) <= flatness*size {
			return false
		}
		modes = append(modes[:best], modes[best+1:]...)
		for _, m := range modes {
			f := m.U[i] / drop.U[i]
			for j := range m.U {
				m.U[j] -= f * drop.U[j]
			}
		}
		return true
	}
	for p, held := range h.held {
		if held && len(modes) > 0 {
			eliminate(at[p])
		}
	}
	for len(modes) > 0 {
		largest := 0
		for p := range at {
			if math.Abs(modes[0].U[at[p]]) > math.Abs(modes[0].U[at[largest]]) {
				largest = p
			}
		}
		if !eliminate(at[largest]) {
			return
		}
		h.held[largest] = true
	}
}

// moments returns those of the elements, one after the other, by the loads of the facets, the displacements
// of the held ones, the body force.
func (h *hybrid) moments(load, v []float64, force *[3]float64) ([]float64, error) {
	d := h.mesh.Dim
	n := composites[d]().moments()
	all, right := make([]float64, n*len(h.elements)), append([]float64(nil), load...)
	// add adds A v, and B f, to the moments
	add := func(v []float64, force []float64) {
		for k := range h.elements {
			x := &h.elements[k]
			for i := range n {
				row, sum := x.solution[i*(n+d):(i+1)*(n+d)], 0.0
				for j, q := range x.unknowns {
					sum += row[j] * v[q]
				}
				for c, f := range force {
					sum += row[n+c] * f
				}
				all[n*k+i] += sum
			}
		}
	}
	given := make([]float64, len(v))
	for p := range v {
		if h.prescribed[p] {
			given[p] = v[p]
		}
	}
	add(given, force[:d])
	for k := range h.elements {
		for i, p := range h.elements[k].unknowns {
			right[p] -= all[n*k+i]
		}
	}
	for p, held := range h.held {
		if held {
			right[p] = 0
		}
	}
	solution := make([]float64, len(right))
	h.factor.Solve(solution, right)
	add(solution, nil)
	far := 0.0
	for p := range v {
		far = max(far, math.Abs(given[p]), math.Abs(solution[p]))
	}
	return all, h.check(all, load, far)
}

// check adds up the moments at each facet: what is not held there has no more than its load, to the rounding of
// displacements as far as far.
func (h *hybrid) check(all, load []float64, far float64) error {
	n, rest, largest := composites[h.mesh.Dim]().moments(), append([]float64(nil), load...), 0.0
	for k := range h.elements {
		for i, p := range h.elements[k].unknowns {
			rest[p] -= all[n*k+i]
			largest = max(largest, math.Abs(all[n*k+i]))
		}
	}
	d := h.mesh.Dim
	// A state is in equilibrium to 10⁻¹⁰ of its forces, by the tolerance of its step, and what a
	// thousand nodes miss adds up; a thousand roundings of a stiffness times a displacement do, too.
	allowed := max(1e-7*largest, 1e-13*h.matrix.MaxDiagonal()*far)
	for f := range h.facets {
		for a, i := range h.facets[f].nodes[:d] {
			for c := range d {
				p := h.unknown(f, a, c)
				if r := math.Abs(rest[p]); !(r <= allowed) && !h.prescribed[p] {
					return fmt.Errorf("fem: the forces do not balance: %.3g N of %.3g N are left at node %d, along %s",
						r, largest, i, axisNames[c])
				}
			}
		}
	}
	return nil
}

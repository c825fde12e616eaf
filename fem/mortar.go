package fem

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Side is a part of the boundary of a mesh that another one may meet.
type Side struct {
	Mesh  *Mesh
	Group Group
	// Held are the axes along which nodes are held, by what is prescribed of them or by another contact. A node of
	// the own side has no multiplier of its own along these.
	Held map[int][3]bool
}

// MortarNode is a node of one side with what it faces of another.
//
// The gap of the sides at the node is n·(v x + Σ_h v_h x_h − Σ_m w_m x_m), with the normal n of its frame, which
// points from the other side into the own one, between the normals of the two; a force p there is v p at the
// node, v_h p at held ones beside it and −w_m p at nodes m of the other side.
//
// The normal of a node that is held along some axes is without these, and its gap, Across·(…), is how far it can move
// along that normal.
type MortarNode struct {
	ContactNode
	Across      [3]float64 // n where the node is free
	Borne       []Borne    // what it bears of nodes beside it that are held along some axes
	Area        float64    // D, the force that a pressure of 1 Pa makes there [m^(Dim-1)], of a whole ring [m²]
	Masters     []int      // nodes of the other mesh, ascending
	Weights     []float64
	Held        []int     // held nodes of the own mesh beside it, ascending
	HeldWeights []float64 // v_h; v is 1 − Σ v_h
	// Finer is how much longer the faces are that the node faces than its own, in the mean [-]. Where it
	// is more than one, own nodes between those of the other side are pressed onto flat faces, and
	// pressures swing from node to node: the coarser side should be the own one.
	Finer float64
}

// Borne is the share that a node s has of the multiplier of a node h, along an axis along which h is held. The
// coordinate of s along the axis is that of its own nodes plus Part times Σ of displacements in that of h.
type Borne struct {
	Of   *MortarNode // h
	Axis int
	Part float64 // c_hs D_h/D_s [-]
}

// Own returns the weight v of the node in its gap.
func (n *MortarNode) Own() float64 {
	v := 1.0
	for _, h := range n.HeldWeights {
		v -= h
	}
	return v
}

// Along returns the weights of the nodes of both meshes in the coordinate of the node along an axis, which is
// Σ own x − Σ other x of displacements x.
func (n *MortarNode) Along(axis int) (own, other map[int]float64) {
	own, other = map[int]float64{}, map[int]float64{}
	add := func(of *MortarNode, part float64) {
		own[of.Node] += part * of.Own()
		for k, j := range of.Held {
			own[j] += part * of.HeldWeights[k]
		}
		for k, j := range of.Masters {
			other[j] += part * of.Weights[k]
		}
	}
	add(n, 1)
	for _, x := range n.Borne {
		if x.Axis == axis {
			add(x.Of, x.Part)
		}
	}
	return own, other
}

// Apart returns v x + Σ v_h x_h − Σ w_m x_m of the meshes as they are, whose normal component is the
// gap: of differences, so that where all is far from the origin no digit is lost.
func (n *MortarNode) Apart(own, other *Mesh) (apart vec3.Vec) {
	x := own.place(n.Node)
	for k, m := range n.Masters {
		apart = vec3.Add(apart, n.Weights[k], vec3.Add(x, -1, other.place(m)))
	}
	for k, h := range n.Held {
		apart = vec3.Add(apart, n.HeldWeights[k], vec3.Add(own.place(h), -1, x))
	}
	return apart
}

// Mortar couples two sides of meshes in the plane or in space, which need not match. Multipliers are those of the nodes s of
// the own side, in functions ψ_s dual to its shape functions N_s ([Wohlmuth00]), and the other side is seen
// along the normals of the own faces:
//
//	D_s = ∫ ψ_s,   M_sm = ∫ ψ_s N_m∘π,   w_sm = M_sm/D_s,   ∫ ψ_s p = D_s p(x_s) for linear p
//
// over the part ω of the own side that faces the other. Faces are simplices: edges or triangles, with linear shape
// functions. On ω within a face e, ψ_s is linear, so that
//
//	D_s = Σ_e ∫_{ω∩e} N_s,   M_sm = Σ_e ∫_{ω∩e} N_s · (Π_e N_m∘π)(x_s),
//
// with the projection Π_e in L²(ω∩e) to linear functions: at the ends of the other side, too, a
// linear displacement is seen as it is, and a uniform pressure is in balance ([CichoszBischoff11]). All
// integrals are of polynomials, at most cubic (one factor is the radius of a ring), on the polygons that the faces of both
// sides have in common, and exact.
//
// A quadrilateral is taken as the mean of its two divisions into triangles. With T_a the triangle of corner a and its neighbours,
// both as vectors along the normals, and A = T_a + T_{a+2}, their shape functions have the integral ½ (A/3 + T_a/3), which is that of
// the bilinear one, ∫ N_a n dA = (A + T_a)/6, whether it is a parallelogram, or flat, or not: uniform stresses
// make the same forces.
//
// A held node h has no multiplier; on each face the free ones have it in equal parts, or, where there is none, those of the faces
// beside it, so that multipliers still add up to one:
//
//	ψ_s += c_hs ψ_h,   Σ_s c_hs = 1,   D_s += c_hs D_h,   v_h = c_hs D_h/D_s
//
// ([Wohlmuth00], at points where sides end on boundaries with given displacements.) It fails where those are held too.
// Where h is held along some axes only, as on rollers, the components along these are shared in that way, see [Borne],
// and h keeps the others: a uniform traction makes on each side the same forces on what is free.
//
// Ends of bars face each other as points, with the weight 1. Nodes that face nothing are left out; a face of which less than 1e-8 does so has lost half its
// digits, and counts as one that does not. Faces are found by a tree of boxes.
func Mortar(own, other Side, kinematics Kinematics) ([]MortarNode, error) {
	d := own.Mesh.Dim
	if other.Mesh.Dim != d || own.Group.Dim != d-1 || other.Group.Dim != d-1 {
		return nil, errors.New("fem: bodies meet along edges of plane meshes, along faces of meshes in space, or at ends of bars")
	}
	if d == 1 {
		return points(own, other)
	}
	layers, err := own.faces()
	if err != nil {
		return nil, err
	}
	faced, err := other.faces()
	if err != nil {
		return nil, err
	}
	m := &mortar{own: own.Mesh, other: other.Mesh, dim: d, held: own.Held, stopped: other.Held,
		faces: slices.Concat(layers...),
		ring:  kinematics == Axisymmetric, rows: map[int]*mortarRow{}}
	for _, list := range faced {
		m.faced = append(m.faced, newFacing(other.Mesh, list))
	}
	for k := range m.faces {
		if err := m.join(&m.faces[k], 1/float64(len(layers))); err != nil {
			return nil, err
		}
	}
	if len(m.rows) == 0 {
		return nil, ErrApart
	}
	nodes, err := m.nodes()
	if err != nil {
		return nil, err
	}
	return nodes, m.bear(nodes)
}

// ErrApart is that of [Mortar] where nothing faces anything.
var ErrApart = errors.New("fem: no edge or face of the one side faces the other: " +
	"along its outward normal there is none of the opposite direction")

// points couples ends of bars: each faces the nearest one, along its outward normal, that is of the opposite direction.
func points(own, other Side) (list []MortarNode, err error) {
	for _, i := range own.Group.Elem {
		out, best, depth := own.Mesh.end(i), -1, math.Inf(1)
		for _, j := range other.Group.Elem {
			if gap := math.Abs(other.Mesh.X[j] - own.Mesh.X[i]); out != 0 && other.Mesh.end(j) == -out && gap < depth {
				best, depth = j, gap
			}
		}
		if best < 0 {
			continue
		}
		if own.Held[i][0] {
			return nil, fmt.Errorf("fem: node %d, the end of a bar that faces the other, is held", i)
		}
		n := MortarNode{ContactNode: ContactNode{Node: i, Frame: [3][3]float64{{-out}}}, Across: vec3.Vec{-out}, Area: 1,
			Masters: []int{best}, Weights: []float64{1}, Finer: 1}
		n.Gap = vec3.Dot(n.Across, n.Apart(own.Mesh, other.Mesh))
		list = append(list, n)
	}
	if len(list) == 0 {
		return nil, ErrApart
	}
	return list, nil
}

// end is the outward direction of a node at the end of a bar; 0 amid it.
func (m *Mesh) end(node int) (out float64) {
	for k := range m.NumElems() {
		if nodes := m.NodesOf(k); slices.Contains(nodes[:2], node) {
			out += math.Copysign(1, 2*m.X[node]-m.X[nodes[0]]-m.X[nodes[1]])
		}
	}
	return out
}

// mortar gathers D and M.
type mortar struct {
	own, other    *Mesh
	dim           int
	held, stopped map[int][3]bool // axes of nodes of the own side, and of the other one
	faces         []face
	faced         []facing // divisions of the other side
	ring          bool
	rows          map[int]*mortarRow // by nodes of the own side
	corners       []heldCorner
}

// heldCorner is a node that is held along some axes, with the part of its D that comes of a corner of a face.
type heldCorner struct {
	face *face
	node int
	area float64
}

type mortarRow struct {
	area    float64
	masters map[int]float64
	held    map[int]float64
	outward vec3.Vec // mean of those of its faces, times the area …
	facing  vec3.Vec // … and of those that they face
	finer   float64  // see MortarNode, times the area
}

// join adds a face of the own side, which counts as a part of itself.
func (m *mortar) join(e *face, part float64) error {
	d, covered := m.dim, 0.0
	var pieces []piece
	for k := range m.faced {
		for _, p := range m.pieces(e, &m.faced[k]) {
			p.part = part / float64(len(m.faced))
			covered += p.size(d) / float64(len(m.faced))
			pieces = append(pieces, p)
		}
	}
	if !(covered > flatness) {
		return nil
	}
	points := m.points(e, pieces)
	size, share := 0.0, vec3.Vec{}
	for _, p := range points {
		size, share = size+p.weight, vec3.Add(share, p.weight, p.at)
	}
	centre := vec3.Scale(share, 1/size)
	basis := m.basis(points, centre)
	for corner := range d {
		node, area := e.corners[corner], 0.0
		to := []int{node}
		if m.fixed(node) {
			if to = m.bearing(e, func(i int) bool { return !m.fixed(i) }); len(to) == 0 {
				return m.unborne(e)
			}
		}
		// ψ of the corner takes linear functions to their values there, times its share: (1 + slope·(λ − centre))/size.
		slope, off := vec3.Vec{}, vec3.Add(unitVector(corner), -1, centre)
		for _, b := range basis {
			slope = vec3.Add(slope, size*vec3.Dot(b, off), b)
		}
		for k := range points {
			p := &points[k]
			hat, psi, on := p.weight*p.at[corner],
				share[corner]*p.weight/size*(1+vec3.Dot(slope, vec3.Add(p.at, -1, centre))), p.seen.on(p.at)
			area += hat
			for _, by := range to {
				row, c := m.row(by), 1/float64(len(to))
				row.area += c * hat
				row.outward = vec3.Add(row.outward, c*hat, e.outward)
				row.facing = vec3.Add(row.facing, c*hat, p.seen.facing.outward)
				row.finer += c * hat * math.Pow(p.seen.facing.size/e.size, 1/float64(d-1))
				if by != node {
					row.held[node] += c * hat
				}
				for k, master := range p.seen.facing.corners[:d] {
					row.masters[master] += c * psi * on[k]
				}
			}
		}
		for _, by := range to {
			if m.held[by] != [3]bool{} {
				m.corners = append(m.corners, heldCorner{e, by, area / float64(len(to))})
			}
		}
	}
	return nil
}

// fixed reports whether a node of the own side is held along all axes.
func (m *mortar) fixed(node int) bool {
	held := m.held[node]
	return !slices.Contains(held[:m.dim], false)
}

// basis returns b for functions b·(λ − centre) on the pieces that are orthogonal to each other and to constants, and of norm 1: by Gram
// and Schmidt, from the coordinate that varies most, so that over a thin strip no digits are lost.
func (m *mortar) basis(points []meeting, centre vec3.Vec) (basis []vec3.Vec) {
	product := func(a, b vec3.Vec) (sum float64) {
		for _, p := range points {
			off := vec3.Add(p.at, -1, centre)
			sum += p.weight * vec3.Dot(a, off) * vec3.Dot(b, off)
		}
		return sum
	}
	first, most := 0, 0.0
	for c := range m.dim {
		if v := product(unitVector(c), unitVector(c)); v > most {
			first, most = c, v
		}
	}
	basis = append(basis, vec3.Scale(unitVector(first), 1/math.Sqrt(most)))
	if m.dim == 3 {
		b := unitVector((first + 1) % 3)
		b = vec3.Add(b, -product(b, basis[0]), basis[0])
		basis = append(basis, vec3.Scale(b, 1/math.Sqrt(product(b, b))))
	}
	return basis
}

// bearing returns the nodes that have what a face cannot bear, in equal parts: its corners that can, else those of the
// faces beside it.
func (m *mortar) bearing(e *face, can func(node int) bool) (nodes []int) {
	add := func(f *face) {
		for _, i := range f.corners[:m.dim] {
			if can(i) && !slices.Contains(nodes, i) {
				nodes = append(nodes, i)
			}
		}
	}
	if add(e); len(nodes) > 0 {
		return nodes
	}
	common := func(i int) bool { return slices.Contains(e.corners[:m.dim], i) }
	for k := range m.faces {
		if f := &m.faces[k]; slices.ContainsFunc(f.corners[:m.dim], common) {
			add(f)
		}
	}
	return nodes
}

// unborne is the error of a face whose multipliers no node has.
func (m *mortar) unborne(e *face) error {
	return fmt.Errorf("fem: the nodes %v of an edge or face that faces the other side, one at %v, and all beside it are held",
		e.corners[:m.dim], m.own.Node(e.corners[0]))
}

// bear shares the multipliers of nodes that are held along some axes. It fails where none has them, unless all that
// these nodes face is held along the axis too.
func (m *mortar) bear(nodes []MortarNode) error {
	of := map[int]*MortarNode{}
	for k := range nodes {
		of[nodes[k].Node] = &nodes[k]
	}
	for _, h := range m.corners {
		for c := range m.dim {
			if !m.held[h.node][c] {
				continue
			}
			by := m.bearing(h.face, func(i int) bool { return !m.held[i][c] && of[i] != nil })
			free := func(master int) bool { return !m.stopped[master][c] }
			if len(by) == 0 && slices.ContainsFunc(of[h.node].Masters, free) {
				return m.unborne(h.face)
			}
			for _, i := range by {
				of[i].bear(of[h.node], c, h.area/(float64(len(by))*of[i].Area))
			}
		}
	}
	return nil
}

// bear adds to the share of the multiplier of a node along an axis.
func (n *MortarNode) bear(of *MortarNode, axis int, part float64) {
	for k := range n.Borne {
		if b := &n.Borne[k]; b.Of == of && b.Axis == axis {
			b.Part += part
			return
		}
	}
	n.Borne = append(n.Borne, Borne{of, axis, part})
}

// row returns that of a node of the own side.
func (m *mortar) row(node int) *mortarRow {
	if m.rows[node] == nil {
		m.rows[node] = &mortarRow{masters: map[int]float64{}, held: map[int]float64{}}
	}
	return m.rows[node]
}

// meeting is a point of quadrature of what a face and another one have in common.
type meeting struct {
	seen   *shadow
	at     vec3.Vec // coordinates on the face
	weight float64  // [m^(Dim-1)], of a ring [m²]
}

// points are those of the pieces of a face.
func (m *mortar) points(e *face, pieces []piece) (list []meeting) {
	rule := simplexRule(m.dim - 1)
	for k := range pieces {
		p := &pieces[k]
		p.fan(m.dim, func(s [3]vec3.Vec, part float64) {
			for i := range rule {
				at := vec3.Add(vec3.Add(s[0], rule[i].xi[0], vec3.Add(s[1], -1, s[0])), rule[i].xi[1], vec3.Add(s[2], -1, s[0]))
				w := rule[i].weight / simplexSize[m.dim-1] * part * p.part * e.size
				if m.ring {
					w *= 2 * math.Pi * (at[0]*m.own.Node(e.corners[0])[0] + at[1]*m.own.Node(e.corners[1])[0])
				}
				list = append(list, meeting{p.shadow, at, w})
			}
		})
	}
	return list
}

// nodes makes weights and frames of the rows.
func (m *mortar) nodes() ([]MortarNode, error) {
	var list []MortarNode
	for _, node := range slices.Sorted(maps.Keys(m.rows)) {
		row := m.rows[node]
		n := MortarNode{ContactNode: ContactNode{Node: node}, Area: row.area, Finer: row.finer / row.area}
		towards, off, left := row.towards(), vec3.Vec{}, row.facing
		for c, held := range m.held[node] {
			if held {
				towards[c], off[c], left[c] = 0, row.facing[c], 0
			}
		}
		frame, err := HalfSpace{Point: make([]float64, m.dim), Normal: towards[:m.dim]}.frame(m.dim)
		if err != nil {
			return nil, err
		}
		n.Frame = frame
		n.Masters, n.Weights = shares(row.masters, row.area)
		n.Held, n.HeldWeights = shares(row.held, row.area)
		n.Across = vec3.Add(frame[m.dim-1], 1/vec3.Norm(left), off)
		n.Gap = vec3.Dot(n.Across, n.Apart(m.own, m.other))
		list = append(list, n)
	}
	return list, nil
}

// towards is the direction between the normals of the two sides at a node, into the own one:
//
//	n̄ ∥ m/|m| − n/|n|,   n = Σ_e ∫ N_s n_e,   m = Σ_e ∫ N_s m_f∘π.
//
// Sides that are bent lean on each other where they are apart, and of the gap that closes there a slip
// along the tangents of one side has the sine of the lean. Equal bodies meet where they mirror each other, and
// do not slip along those of the mean.
func (r *mortarRow) towards() vec3.Vec {
	return vec3.Add(vec3.Scale(r.facing, 1/vec3.Norm(r.facing)), -1/vec3.Norm(r.outward), r.outward)
}

// shares are values over a whole, by ascending nodes.
func shares(of map[int]float64, whole float64) (nodes []int, list []float64) {
	nodes = slices.Sorted(maps.Keys(of))
	for _, k := range nodes {
		list = append(list, of[k]/whole)
	}
	return nodes, list
}

package fem

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Side is a part of the boundary of a mesh that another one may meet.
type Side struct {
	Mesh  *Mesh
	Group Group
	// Held are nodes without multipliers of their own: what is prescribed of them, or another contact, bears
	// them. Of the other side it has no effect.
	Held map[int]bool
}

// MortarNode is a node of one side with what it faces of another.
//
// The gap of the sides at the node is n·(v x + Σ_h v_h x_h − Σ_m w_m x_m), with the normal n of its frame, which
// points from the other side into the own one; a force p there is v p at the node, v_h p at held ones beside it and −w_m p
// at nodes m of the other side.
type MortarNode struct {
	ContactNode
	Area        float64 // D, the force that a pressure of 1 Pa makes there [m^(Dim-1)], of a whole ring [m²]
	Masters     []int   // nodes of the other mesh, ascending
	Weights     []float64
	Held        []int     // held nodes of the own mesh beside it, ascending
	HeldWeights []float64 // v_h; v is 1 − Σ v_h
	// Finer is how much longer the edges are that the node faces than its own, in the mean [-]. Where it
	// is more than one, own nodes between those of the other side are pressed onto straight edges, and
	// pressures swing from node to node: the coarser side should be the own one.
	Finer float64
}

// Own returns the weight v of the node in its gap.
func (n *MortarNode) Own() float64 {
	v := 1.0
	for _, h := range n.HeldWeights {
		v -= h
	}
	return v
}

// Apart returns v x + Σ v_h x_h − Σ w_m x_m of the meshes as they are, whose normal component is the
// gap: of differences, so that where all is far from the origin no digit is lost.
func (n *MortarNode) Apart(own, other *Mesh) (apart [2]float64) {
	for c, x := range own.Node(n.Node) {
		for k, m := range n.Masters {
			apart[c] += n.Weights[k] * (x - other.Node(m)[c])
		}
		for k, h := range n.Held {
			apart[c] += n.HeldWeights[k] * (own.Node(h)[c] - x)
		}
	}
	return apart
}

// Mortar couples two sides of plane meshes, which need not match. Multipliers are those of the nodes s of the own
// side, in functions ψ_s dual to its shape functions N_s ([Wohlmuth00]), and the other side is seen
// along the normals of the own edges:
//
//	D_s = ∫ ψ_s,   M_sm = ∫ ψ_s N_m∘π,   w_sm = M_sm/D_s,   ∫ ψ_s p = D_s p(x_s) for linear p
//
// over the part ω of the own side that faces the other. On ω within an edge e, ψ_s is linear, so that
//
//	D_s = Σ_e ∫_{ω∩e} N_s,   M_sm = Σ_e ∫_{ω∩e} N_s · (Π_e N_m∘π)(x_s),
//
// with the projection Π_e in L²(ω∩e) to linear functions: at the ends of the other side, too, a
// linear displacement is seen as it is, and a uniform pressure is in balance ([CichoszBischoff11]). All
// integrals are of piecewise cubic polynomials (one factor is the radius of a ring) between the
// projections of nodes of the other side, and exact.
//
// A held node h has no multiplier; on its edges the node s at their other end has all of it, ψ_s = 1, so that
// multipliers still add up to one:
//
//	D_s += ∫ ψ_s,   D_sh = ∫ ψ_s N_h,   M_sm = ∫ ψ_s N_m∘π,   v_h = D_sh/D_s,   w_sm = M_sm/D_s
//
// ([Wohlmuth00], at points where sides end on boundaries with given displacements.) It fails where both ends of an
// edge that faces the other side are held.
//
// Nodes that face nothing are left out; an edge of which less than 1e-8 does so has lost half its
// digits, and counts as one that does not. Costs the product of the numbers of edges.
func Mortar(own, other Side, kinematics Kinematics) ([]MortarNode, error) {
	if own.Mesh.Dim != 2 || other.Mesh.Dim != 2 || own.Group.Dim != 1 || other.Group.Dim != 1 {
		return nil, errors.New("fem: bodies meet along edges of plane meshes")
	}
	edges, err := own.edges()
	if err != nil {
		return nil, err
	}
	faced, err := other.edges()
	if err != nil {
		return nil, err
	}
	m := &mortar{own: own.Mesh, other: other.Mesh, held: own.Held, ring: kinematics == Axisymmetric, rows: map[int]*mortarRow{}}
	for k := range edges {
		if err := m.join(&edges[k], faced); err != nil {
			return nil, err
		}
	}
	if len(m.rows) == 0 {
		return nil, errors.New("fem: no edge of the one side faces the other: along its outward normal there is none of the opposite direction")
	}
	return m.nodes()
}

// edge is one of the boundary, its ends in the order in which the normal (dy, -dx)/length is outward.
type edge struct {
	ends    [2]int
	along   [2]float64 // of unit length
	outward [2]float64
	length  float64
}

// edges are those of the side, in the order of the group. Each is of the boundary.
func (s *Side) edges() ([]edge, error) {
	boundary, _ := s.Mesh.Surface()
	next := map[[2]int]bool{}
	ref := references[s.Mesh.Kind][1]
	for k := 0; k < len(boundary.Elem); k += ref.nodes {
		next[[2]int(boundary.Elem[k:k+2])] = true
	}
	var list []edge
	for k := 0; k < len(s.Group.Elem); k += ref.nodes {
		e := edge{ends: [2]int(s.Group.Elem[k : k+2])}
		if !next[e.ends] {
			e.ends[0], e.ends[1] = e.ends[1], e.ends[0]
		}
		if !next[e.ends] {
			return nil, fmt.Errorf("fem: the edge of the nodes %d and %d is not on the boundary of its mesh", e.ends[0], e.ends[1])
		}
		if ref.nodes > ref.corners && !s.Mesh.Follows(s.Group.Elem[k+ref.corners]) {
			return nil, fmt.Errorf("fem: the quadratic edge of the nodes %d and %d is not straight, see Mesh.StraightenEdges", e.ends[0], e.ends[1])
		}
		p, q := s.Mesh.Node(e.ends[0]), s.Mesh.Node(e.ends[1])
		e.length = distance(p, q)
		e.along = [2]float64{(q[0] - p[0]) / e.length, (q[1] - p[1]) / e.length}
		e.outward = [2]float64{e.along[1], -e.along[0]}
		list = append(list, e)
	}
	return list, nil
}

// mortar gathers D and M.
type mortar struct {
	own, other *Mesh
	held       map[int]bool
	ring       bool
	rows       map[int]*mortarRow // by nodes of the own side
}

type mortarRow struct {
	area    float64
	masters map[int]float64
	held    map[int]float64
	outward [2]float64 // mean of those of its edges, times the area
	finer   float64    // see MortarNode, times the area
}

// segment is a part of an edge, from and to in parts of its length, with the edge that it faces: its
// first end is seen at the part start, and the second after the parts extent.
type segment struct {
	from, to      float64
	facing        *edge
	start, extent float64
}

// join adds an edge of the own side.
func (m *mortar) join(e *edge, faced []edge) error {
	segments := m.segments(e, faced)
	// Moments of ω∩e: its size, centre and the integral of (σ − centre)².
	var size, first, second float64
	share := [2]float64{}
	m.integrate(e, segments, func(_ *segment, sigma, w float64) {
		size, first = size+w, first+w*sigma
		share[0], share[1] = share[0]+w*(1-sigma), share[1]+w*sigma
	})
	if !(size > 0) {
		return nil
	}
	if m.held[e.ends[0]] && m.held[e.ends[1]] {
		return fmt.Errorf("fem: the nodes %d and %d at %v and %v, the ends of an edge that faces the other side, are both held", e.ends[0], e.ends[1], m.own.Node(e.ends[0]), m.own.Node(e.ends[1]))
	}
	centre := first / size
	m.integrate(e, segments, func(_ *segment, sigma, w float64) { second += w * (sigma - centre) * (sigma - centre) })
	for end, node := range e.ends {
		if m.held[node] {
			continue
		}
		row, area, whole := m.row(node), share[end], m.held[e.ends[1-end]]
		if whole {
			row.held[e.ends[1-end]] += share[1-end]
			area = size
		}
		row.area += area
		for c := range row.outward {
			row.outward[c] += area * e.outward[c]
		}
		m.integrate(e, segments, func(s *segment, sigma, w float64) {
			// N of the end, and its ψ: it takes linear functions to their values there, times its share.
			hat, psi := w*math.Abs(1-float64(end)-sigma), share[end]*(w*(1/size+(float64(end)-centre)*(sigma-centre)/second))
			if whole {
				hat, psi = w, w
			}
			row.finer += hat * s.facing.length / e.length
			at := (sigma - s.start) / s.extent
			row.masters[s.facing.ends[0]] += psi * (1 - at)
			row.masters[s.facing.ends[1]] += psi * at
		})
	}
	return nil
}

// row returns that of a node of the own side.
func (m *mortar) row(node int) *mortarRow {
	if m.rows[node] == nil {
		m.rows[node] = &mortarRow{masters: map[int]float64{}, held: map[int]float64{}}
	}
	return m.rows[node]
}

// integrate visits points of quadrature of the segments, with weights [m], of a ring [m²].
func (m *mortar) integrate(e *edge, segments []segment, visit func(s *segment, sigma, w float64)) {
	for k := range segments {
		s := &segments[k]
		for i := range gauss3 {
			sigma := s.from + (s.to-s.from)*gauss3[i].xi[0]
			w := gauss3[i].weight * (s.to - s.from) * e.length
			if m.ring {
				w *= 2 * math.Pi * ((1-sigma)*m.own.Node(e.ends[0])[0] + sigma*m.own.Node(e.ends[1])[0])
			}
			visit(s, sigma, w)
		}
	}
}

// segments divides the part of an edge that faces others: where there are several, that one counts which is
// nearest at its middle.
func (m *mortar) segments(e *edge, faced []edge) (list []segment) {
	type shadow struct {
		segment
		depth, slope float64 // distance along the normal at the start [m], and over a part of the edge
	}
	var shadows []shadow
	cuts := []float64{0, 1}
	x := m.own.Node(e.ends[0])
	for k := range faced {
		f := &faced[k]
		// One that is steeper than 60° to the edge is beside it rather than opposite.
		if f.outward[0]*e.outward[0]+f.outward[1]*e.outward[1] > -0.5 {
			continue
		}
		var at, depth [2]float64
		for i, node := range f.ends {
			y := m.other.Node(node)
			at[i] = ((y[0]-x[0])*e.along[0] + (y[1]-x[1])*e.along[1]) / e.length
			depth[i] = (y[0]-x[0])*e.outward[0] + (y[1]-x[1])*e.outward[1]
			for end := range cuts[:2] { // ends that are told apart by rounding only
				if math.Abs(at[i]-float64(end)) <= flatness {
					at[i] = float64(end)
				}
			}
		}
		s := shadow{segment: segment{from: max(min(at[0], at[1]), 0), to: min(max(at[0], at[1]), 1), facing: f, start: at[0], extent: at[1] - at[0]}, depth: depth[0], slope: (depth[1] - depth[0]) / (at[1] - at[0])}
		if s.to > s.from {
			shadows, cuts = append(shadows, s), append(cuts, s.from, s.to)
		}
	}
	slices.Sort(cuts)
	for k := 1; k < len(cuts); k++ {
		from, to := cuts[k-1], cuts[k]
		middle, best, least := (from+to)/2, -1, math.Inf(1)
		for i := range shadows {
			s := &shadows[i]
			if d := math.Abs(s.depth + s.slope*(middle-s.start)); s.from <= middle && middle <= s.to && d < least {
				best, least = i, d
			}
		}
		if best >= 0 && to-from > flatness {
			s := shadows[best].segment
			s.from, s.to = from, to
			list = append(list, s)
		}
	}
	return list
}

// nodes makes weights and frames of the rows.
func (m *mortar) nodes() ([]MortarNode, error) {
	var list []MortarNode
	for _, node := range slices.Sorted(maps.Keys(m.rows)) {
		row := m.rows[node]
		n := MortarNode{ContactNode: ContactNode{Node: node}, Area: row.area, Finer: row.finer / row.area}
		frame, err := HalfSpace{Point: []float64{0, 0}, Normal: []float64{-row.outward[0], -row.outward[1]}}.frame(2)
		if err != nil {
			return nil, err
		}
		n.Frame = frame
		n.Masters, n.Weights = shares(row.masters, row.area)
		n.Held, n.HeldWeights = shares(row.held, row.area)
		apart := n.Apart(m.own, m.other)
		n.Gap = frame[1][0]*apart[0] + frame[1][1]*apart[1]
		list = append(list, n)
	}
	return list, nil
}

// shares are values over a whole, by ascending nodes.
func shares(of map[int]float64, whole float64) (nodes []int, list []float64) {
	nodes = slices.Sorted(maps.Keys(of))
	for _, k := range nodes {
		list = append(list, of[k]/whole)
	}
	return nodes, list
}

package fem

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Meeting is where two bodies meet along straight sides in the plane, for bounds of both: one pressure p* on what the
// sides have in common, linear on each piece between nodes of either, so that both are cut there.
type Meeting struct {
	// Cuts are the places at which edges of both meshes are cut, see [BoundOptions].
	Cuts   [2]map[[2]int][]float64
	meshes [2]*Mesh
	pieces []metPiece
	normal [3]float64 // into the own side
}

// metPiece is a part of an edge of each side, with the same two ends.
type metPiece struct {
	edge  [2][2]int     // nodes, ascending, of both sides
	part  [2][2]float64 // shares of the second node at the ends
	apart [2]float64    // gap of the meshes there [m]
	size  float64       // [m]
}

// BoundFacet is a part of an edge that is cut, with the tractions at its ends [Pa].
type BoundFacet struct {
	edge     [2]int
	part     [2]float64
	traction [2][3]float64
}

// NewMeeting finds what two sides have in common. It fails where they are not straight and parallel, to half the digits,
// by which places on an edge are one, too.
func NewMeeting(own, other Side, k Kinematics) (*Meeting, error) {
	if own.Mesh.Dim != 2 || k == Axisymmetric {
		return nil, errors.New("fem: bounds of bodies that meet are those in plane strain and plane stress")
	}
	layers, err := own.faces()
	if err != nil {
		return nil, err
	}
	faced, err := other.faces()
	if err != nil {
		return nil, err
	}
	x := &Meeting{Cuts: [2]map[[2]int][]float64{{}, {}}, meshes: [2]*Mesh{own.Mesh, other.Mesh}}
	m := &mortar{own: own.Mesh, other: other.Mesh, dim: 2}
	others := newFacing(other.Mesh, faced[0])
	for i := range layers[0] {
		e := &layers[0][i]
		for _, p := range m.pieces(e, &others) {
			f := p.shadow.facing
			if len(x.pieces) == 0 {
				x.normal = vec3.Scale(e.outward, -1)
			}
			for _, n := range []vec3.Vec{vec3.Scale(e.outward, -1), f.outward} {
				if vec3.Norm(vec3.Add(n, -1, x.normal)) > flatness {
					return nil, errors.New("fem: bounds of bodies that meet are those of straight sides")
				}
			}
			var piece metPiece
			for side, corners := range [2][3]int{e.corners, f.corners} {
				piece.edge[side] = [2]int{min(corners[0], corners[1]), max(corners[0], corners[1])}
			}
			for end, at := range p.polygon[:2] {
				on := p.shadow.on(at)
				for side, share := range [2]float64{at[1], on[1]} {
					if c := [2][3]int{e.corners, f.corners}[side]; c[0] > c[1] {
						share = 1 - share
					}
					piece.part[side][end] = x.cutAt(side, piece.edge[side], share)
				}
				apart := vec3.Add(piece.on(own.Mesh.X, 0, end), -1, piece.on(other.Mesh.X, 1, end))
				piece.apart[end] = vec3.Dot(x.normal, apart)
			}
			piece.size = math.Abs(piece.part[0][1]-piece.part[0][0]) * e.size
			if piece.part[0][0] != piece.part[0][1] && piece.part[1][0] != piece.part[1][1] {
				x.pieces = append(x.pieces, piece)
			}
		}
	}
	return x, nil
}

// cutAt returns a place on an edge, and notes that it is cut there.
func (x *Meeting) cutAt(side int, edge [2]int, share float64) float64 {
	for _, known := range append([]float64{0, 1}, x.Cuts[side][edge]...) {
		if math.Abs(share-known) <= flatness {
			return known
		}
	}
	x.Cuts[side][edge] = append(x.Cuts[side][edge], share)
	return share
}

// on is a vector of nodes at an end, linear on the edge.
func (p *metPiece) on(u []float64, side, end int) (v vec3.Vec) {
	a, b, f := p.edge[side][0], p.edge[side][1], p.part[side][end]
	for c := range 2 {
		v[c] = (1-f)*u[2*a+c] + f*u[2*b+c]
	}
	return v
}

// gap is that at an end, less what closes it at the nodes of the own side [m].
func (x *Meeting) gap(p *metPiece, end int, own, other *BoundState, closed func(node int) float64) float64 {
	f := p.part[0][end]
	u := vec3.Add(p.on(own.U, 0, end), -1, p.on(other.U, 1, end))
	return p.apart[end] + vec3.Dot(x.normal, u) - (1-f)*closed(p.edge[0][0]) - f*closed(p.edge[0][1])
}

// Lift moves nodes of the own side, or of the other one, off what it meets until no place is inside by more than small,
// and returns them: gaps of a mortar method are closed in the mean of each node. closed is what a gap counts less, as
// an overlap [m].
func (x *Meeting) Lift(own, other *BoundState, side int, closed func(node int) float64, small float64) (nodes []int) {
	most := map[int]float64{}
	for k := range x.pieces {
		p := &x.pieces[k]
		for end := range 2 {
			if g := x.gap(p, end, own, other, closed); g < -small {
				for _, i := range p.edge[side] {
					most[i] = max(most[i], -g)
				}
			}
		}
	}
	of, off := own, x.normal
	if side == 1 {
		of, off = other, vec3.Scale(off, -1)
	}
	if of.Lift == nil {
		of.Lift = make([]float64, len(of.U))
	}
	nodes = slices.Sorted(maps.Keys(most))
	x.meshes[side].eachStraight(func(middle int, ends [2]int) {
		most[middle] = (most[ends[0]] + most[ends[1]]) / 2
	})
	for i, far := range most {
		for c := range 2 {
			of.U[2*i+c] += far * off[c]
			of.Lift[2*i+c] += far * off[c]
		}
	}
	return nodes
}

// Press adds the pressures of nodes of the own side, linear between them, to the states of both, and returns ∫ p* g
// of their gap. It fails where a place is inside, by more than small.
func (x *Meeting) Press(own, other *BoundState, pressure, closed func(node int) float64, small float64) (energy float64,
	err error) {
	for k := range x.pieces {
		p := &x.pieces[k]
		var press, gap [2]float64
		facets := [2]BoundFacet{{edge: p.edge[0], part: p.part[0]}, {edge: p.edge[1], part: p.part[1]}}
		for end := range 2 {
			f := p.part[0][end]
			press[end] = (1-f)*pressure(p.edge[0][0]) + f*pressure(p.edge[0][1])
			if gap[end] = x.gap(p, end, own, other, closed); gap[end] < -small || press[end] < 0 {
				return 0, fmt.Errorf("fem: a gap of %.3g m at a pressure of %.3g Pa", gap[end], press[end])
			}
			gap[end] = max(gap[end], 0)
			for side, sign := range [2]float64{1, -1} {
				facets[side].traction[end] = vec3.Scale(x.normal, sign*press[end])
			}
		}
		for a := range 2 {
			for b := range 2 {
				energy += p.size * facetMass(2, a, b) * press[a] * gap[b]
			}
		}
		own.Facets, other.Facets = append(own.Facets, facets[0]), append(other.Facets, facets[1])
	}
	return energy, nil
}

// cutNode is a place on an edge where it is cut.
type cutNode struct {
	edge [2]int
	part float64
}

// cuts divides the simplices of a plane mesh at places on their edges: (a, b, c) into (a, s, c), (s, …, c), (…, b, c).
func (b *Bound) cuts(m *Mesh) (*Mesh, error) {
	out := &Mesh{Kind: P1, Dim: 2, X: slices.Clone(m.X)}
	b.cut = map[cutNode]int{}
	var of []int
	for k := range m.NumElems() {
		base, parent := m.NodesOf(k)[:3], k
		s := base
		if b.of != nil {
			parent = b.of[k]
		}
		var places []float64
		for turn := range 3 {
			edge := [2]int{min(base[turn], base[(turn+1)%3]), max(base[turn], base[(turn+1)%3])}
			if list := b.o.Cuts[edge]; len(list) > 0 {
				if places != nil {
					return nil, fmt.Errorf("fem: no bound is known, as element %d meets others with two sides", parent)
				}
				places, s = slices.Sorted(slices.Values(list)), []int{base[turn], base[(turn+1)%3], base[(turn+2)%3]}
			}
		}
		last := s[0]
		if s[0] > s[1] {
			slices.Reverse(places)
		}
		for _, part := range places {
			node := cutNode{[2]int{min(s[0], s[1]), max(s[0], s[1])}, part}
			b.cut[node] = out.NumNodes()
			for c := range 2 {
				out.X = append(out.X, (1-part)*m.Node(node.edge[0])[c]+part*m.Node(node.edge[1])[c])
			}
			b.added = append(b.added, node)
			out.Elem, of = append(out.Elem, last, b.cut[node], s[2]), append(of, parent)
			last = b.cut[node]
		}
		out.Elem, of = append(out.Elem, last, s[1], s[2]), append(of, parent)
	}
	b.of = of
	return out, nil
}

// extended has vectors at the places of cuts too.
func (b *Bound) extended(u []float64) []float64 {
	u = slices.Clip(u)
	for _, n := range b.added {
		for c := range 2 {
			u = append(u, (1-n.part)*u[2*n.edge[0]+c]+n.part*u[2*n.edge[1]+c])
		}
	}
	return u
}

// node is that of a place on an edge.
func (b *Bound) node(edge [2]int, part float64) int {
	switch part {
	case 0:
		return edge[0]
	case 1:
		return edge[1]
	}
	return b.cut[cutNode{edge, part}]
}

// pressFacets adds the tractions of parts of edges to the moments.
func (b *Bound) pressFacets(moments []float64, s *BoundState) error {
	if len(s.Facets) == 0 {
		return nil
	}
	all := Group{Kind: P1, Dim: 1}
	for i := range s.Facets {
		x := &s.Facets[i]
		all.Elem = append(all.Elem, b.node(x.edge, x.part[0]), b.node(x.edge, x.part[1]))
	}
	list, err := b.hybrid.facetsOf(all)
	for k, f := range list {
		b.press(moments, f, func(i int) *[3]float64 {
			if i == all.Elem[2*k] {
				return &s.Facets[k].traction[0]
			}
			return &s.Facets[k].traction[1]
		})
	}
	return err
}

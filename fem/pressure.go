package fem

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Inward returns the group as one that a pressure acts on: the first component of a traction is then p, and the load
//
//	−∫_Γ p n·φ,
//
// with the outward normal n of the mesh as it is given: the load is dead. It fails for what is no part of the boundary.
func (m *Mesh) Inward(g Group) (Group, error) {
	if g.Dim != m.Dim-1 || g.Dim == 0 {
		return g, fmt.Errorf("fem: a pressure acts on sides of bodies in the plane or in space; the group has the dimension %d, the mesh %d", g.Dim, m.Dim)
	}
	ref := references[g.Kind][g.Dim]
	key := func(e []int) (k [4]int) {
		copy(k[:], e[:ref.corners])
		slices.Sort(k[:ref.corners])
		return k
	}
	surface, _ := m.Surface()
	at := map[[4]int]int{} // of the facet in the surface
	for k := 0; k < len(surface.Elem); k += ref.nodes {
		at[key(surface.Elem[k:])] = k
	}
	p := Group{Kind: g.Kind, Dim: g.Dim, Pressed: true}
	for k := 0; k < len(g.Elem); k += ref.nodes {
		s, ok := at[key(g.Elem[k:])]
		if !ok {
			return g, fmt.Errorf("fem: a pressure acts on the boundary, and the facet with the nodes %v is inside the body", g.Elem[k:k+ref.corners])
		}
		p.Elem = append(p.Elem, surface.Elem[s:s+ref.nodes]...)
	}
	return p, nil
}

// pressures returns ∫ n φ_a over a facet whose corners go round its outward normal n.
func (m *Mesh) pressures(ref *reference, nodes []int, ring bool) (loads [mostNodes][3]float64) {
	rule := ref.rule
	if m.Kind == P1 { // which the rule of quadratic elements integrates with radii, too
		rule = references[P2][m.Dim-1].rule
	}
	for _, s := range rule {
		n, p := m.normal(ref, nodes, &s.xi), m.facePoint(ref, nodes, &s.xi, false)
		weight := s.weight
		if ring {
			r := 0.0
			for a, i := range nodes {
				r += p.Shape[a] * m.X[2*i]
			}
			weight *= 2 * math.Pi * r
		}
		for a := range nodes {
			for c := range m.Dim {
				loads[a][c] += weight * p.Shape[a] * n[c]
			}
		}
	}
	return loads
}

// normal is the outward normal of a facet at a place, as long as its size over that of the reference element.
func (m *Mesh) normal(ref *reference, nodes []int, xi *[3]float64) [3]float64 {
	var n [mostNodes]float64
	var d [mostNodes][3]float64
	ref.shape(xi, &n, &d)
	var j [3][3]float64
	for a, i := range nodes {
		for c, x := range m.Node(i) {
			for k := range m.Dim - 1 {
				j[k][c] += d[a][k] * x
			}
		}
	}
	if m.Dim == 2 {
		return [3]float64{j[0][1], -j[0][0]}
	}
	return vec3.Cross(j[0], j[1])
}

// normals are the unit normals of straight facets of a group of [Mesh.Inward]; nil of others.
func (m *Mesh) normals(g Group) (list [][3]float64) {
	ref := references[g.Kind][g.Dim]
	for k := 0; g.Pressed && k < len(g.Elem); k += ref.nodes {
		n := m.normal(ref, g.Elem[k:k+ref.nodes], &[3]float64{})
		list = append(list, vec3.Scale(n, 1/vec3.Norm(n)))
	}
	return list
}

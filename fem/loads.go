package fem

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// BodyForce adds ∫ f·φ for a constant force density f [N/m^dim] to load.
func BodyForce(load []float64, m *Mesh, e Elastic, f []float64) {
	d := m.Dim
	var x element
	for k := range m.NumElems() {
		m.evaluate(&x, k, &e)
		for a, i := range x.nodes {
			w := 0.0
			if m.Kind == P1 {
				w = m.massEntry(&x, k, &e, Lumped, a, a)
			} else {
				for j := range x.points {
					w += x.points[j].Weight * x.points[j].Shape[a]
				}
			}
			for c := range d {
				load[d*i+c] += w * f[c]
			}
		}
	}
}

// Traction adds ∫_Γ g·φ for a constant traction g [Pa] on a group of facets; a
// group of nodes (dimension 0) in a mesh of more dimensions is refused, since
// it has no area. On one of [Mesh.Inward] g[0] is a pressure.
func Traction(load []float64, m *Mesh, e Elastic, group Group, g []float64) error {
	if m == nil {
		return errNoMesh
	}
	d := m.Dim
	if group.Dim != d-1 {
		return fmt.Errorf("fem: a traction needs a group of dimension %d, this one has %d", d-1, group.Dim)
	}
	ref, ring := references[m.Kind][d-1], d == 2 && e.Kinematics == Axisymmetric
	for k := 0; k < len(group.Elem); k += ref.nodes {
		nodes := group.Elem[k : k+ref.nodes]
		if group.Pressed {
			for a, n := range m.pressures(ref, nodes, ring) {
				for c := range d {
					if a < ref.nodes {
						load[d*nodes[a]+c] -= n[c] * g[0]
					}
				}
			}
			continue
		}
		loads := m.faceLoads(ref, nodes, ring)
		for a, i := range nodes {
			for c := range d {
				load[d*i+c] += loads[a] * g[c]
			}
		}
	}
	return nil
}

// SurfaceShares shares the surface of the mesh out among its nodes, ∫ φ_i over the facets of which
// all corners are chosen; nil: all [m²; of a plane mesh m, of a ring all of it in m²].
func (m *Mesh) SurfaceShares(e Elastic, chosen map[int]bool) []float64 {
	share := make([]float64, m.NumNodes())
	ref, ring := references[m.Kind][m.Dim-1], m.Dim == 2 && e.Kinematics == Axisymmetric
	all, _ := m.Surface()
	for k := 0; k < len(all.Elem); k += ref.nodes {
		nodes := all.Elem[k : k+ref.nodes]
		if chosen != nil && slices.ContainsFunc(nodes[:ref.corners], func(i int) bool { return !chosen[i] }) {
			continue
		}
		loads := m.faceLoads(ref, nodes, ring)
		for a, i := range nodes {
			share[i] += loads[a]
		}
	}
	return share
}

// CornerAreas shares a group of facets out among their corners, ∫ λ_i over it with the shape functions of linear
// elements: contact presses on corners alone [m²; of a plane mesh m, of a ring all of it in m²]. A group of nodes has
// none.
func (m *Mesh) CornerAreas(k Kinematics, g Group) []float64 {
	area, on := make([]float64, m.NumNodes()), Mesh{Kind: m.Kind, Dim: m.Dim, X: m.X}
	if on.Kind == P2 {
		on.Kind = P1
	}
	ref, corners := references[m.Kind][g.Dim], references[on.Kind][g.Dim]
	for at := 0; g.Dim == m.Dim-1 && at < len(g.Elem); at += ref.nodes {
		nodes := g.Elem[at : at+corners.nodes]
		loads := on.faceLoads(corners, nodes, m.Dim == 2 && k == Axisymmetric)
		for a, i := range nodes {
			area[i] += loads[a]
		}
	}
	return area
}

// Amid lists the nodes amid two others in a group of quadratic facets, each with these two.
func (g Group) Amid() (list [][3]int) {
	ref := references[g.Kind][g.Dim]
	for at := 0; at < len(g.Elem); at += ref.nodes {
		for e, ends := range ref.edges {
			if middle := ref.corners + e; middle < ref.nodes {
				list = append(list, [3]int{g.Elem[at+middle], g.Elem[at+ends[0]], g.Elem[at+ends[1]]})
			}
		}
	}
	return list
}

// Shares are those of the nodes in the area of a group of facets: ∫ φ_i over it in that area [-], and that area [m^(d−1); of a
// ring all of it, in m²].
func (m *Mesh) Shares(k Kinematics, g Group) (share []float64, total float64, err error) {
	d := m.Dim
	load, unit := make([]float64, len(m.X)), unitVector(0)
	g.Pressed = false
	if err := Traction(load, m, Elastic{Kinematics: k}, g, unit[:d]); err != nil {
		return nil, 0, err
	}
	share = make([]float64, m.NumNodes())
	for i := range share {
		share[i], total = load[d*i], total+load[d*i]
	}
	for i := range share {
		share[i] /= total
	}
	return share, total, nil
}

// faceLoads returns ∫ φ_a over a facet: by quadrature, of affine facets in closed form.
func (m *Mesh) faceLoads(ref *reference, nodes []int, ring bool) (loads [mostNodes]float64) {
	d := m.Dim
	if m.Kind == P1 {
		area := m.facetArea(nodes)
		for a, i := range nodes {
			loads[a] = area / float64(d)
			if ring { // ∫ r φ_i on an edge
				r := 0.0
				for _, j := range nodes {
					r += m.X[2*j] / 6
				}
				loads[a] = 2 * math.Pi * area * (r + m.X[2*i]/6)
			}
		}
		return loads
	}
	for i := range ref.rule {
		p := m.facePoint(ref, nodes, &ref.rule[i].xi, ring)
		for a := range nodes {
			loads[a] += p.Weight * ref.rule[i].weight * p.Shape[a]
		}
	}
	return loads
}

// facetArea returns the measure of a facet: 1 for a point, length or area.
func (m *Mesh) facetArea(nodes []int) float64 {
	switch m.Dim {
	case 1:
		return 1
	case 2:
		return distance(m.Node(nodes[0]), m.Node(nodes[1]))
	}
	x, y, z := m.Node(nodes[0]), m.Node(nodes[1]), m.Node(nodes[2])
	var a, b [3]float64
	for c := range 3 {
		a[c], b[c] = y[c]-x[c], z[c]-x[c]
	}
	return 0.5 * size(2, &[3][3]float64{a, b})
}

// size returns that of the parallelogram of the first dim rows.
func size(dim int, rows *[3][3]float64) float64 {
	switch dim {
	case 0:
		return 1
	case 1:
		return math.Sqrt(vec3.Dot(rows[0], rows[0]))
	}
	n := vec3.Cross(rows[0], rows[1])
	return math.Sqrt(vec3.Dot(n, n))
}

package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// BodyForce adds ∫ f·φ for a constant force density f [N/m^dim] to load.
func BodyForce(load []float64, m *Mesh, e Elastic, f []float64) {
	d := m.Dim
	for k := range m.NumElems() {
		s := m.Element(k)
		for a := range d + 1 {
			w := 0.0
			for b := range d + 1 {
				w += m.massEntry(&s, &e, Consistent, a, b)
			}
			for c := range d {
				load[d*s.Nodes[a]+c] += w * f[c]
			}
		}
	}
}

// Traction adds ∫_Γ g·φ for a constant traction g [Pa] on a group of facets; a
// group of nodes (dimension 0) in a mesh of more dimensions is refused, since
// it has no area.
func Traction(load []float64, m *Mesh, e Elastic, group Group, g []float64) error {
	if m == nil {
		return errNoMesh
	}
	d := m.Dim
	if group.Dim != d-1 {
		return fmt.Errorf("fem: a traction needs a group of dimension %d, this one has %d", d-1, group.Dim)
	}
	for k := 0; k < len(group.Simplex); k += d {
		nodes := group.Simplex[k : k+d]
		area := m.facetArea(nodes)
		for _, i := range nodes {
			w := area / float64(d)
			if d == 2 && e.Kinematics == Axisymmetric { // ∫ r φ_i on an edge
				r := 0.0
				for _, j := range nodes {
					r += m.X[2*j] / 6
				}
				w = 2 * math.Pi * area * (r + m.X[2*i]/6)
			}
			for c := range d {
				load[d*i+c] += w * g[c]
			}
		}
	}
	return nil
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
	n := vec3.Cross(a, b)
	return 0.5 * math.Sqrt(vec3.Dot(n, n))
}

package fem

import (
	"errors"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// Bed is Winkler's foundation on facets of the boundary: at each place a spring of its own, with the energy
//
//	½ ∫_Γ Σ_c k_c u_c²,   or ½ ∫_Γ k (n·u)² on a group of [Mesh.Inward], with the normal n of the mesh as it is given.
//
// It holds in tension as in compression.
type Bed struct {
	Group     Group
	Stiffness [3]float64 // along the axes of the mesh [Pa/m]; along the normal the first one
}

// BedStiffness returns the matrix B of the energy ½ uᵀBu of beds, the consistent one: ∫ k N_a N_b by quadrature. It fails for
// groups that are no facets.
func BedStiffness(m *Mesh, kin Kinematics, beds []Bed) (*sparse.Sym, error) {
	d, b := m.Dim, sparse.NewBuilder(len(m.X))
	each := func(visit func(i, j int, v float64)) {
		for k := range beds {
			beds[k].each(m, kin, func(nodes []int, p *Point, axis [3]float64, stiffness float64) {
				for a, i := range nodes {
					for c, j := range nodes {
						for r := range d {
							for s := range d {
								if row, column := d*i+r, d*j+s; row >= column && axis[r]*axis[s] != 0 {
									visit(row, column, p.Weight*stiffness*p.Shape[a]*p.Shape[c]*axis[r]*axis[s])
								}
							}
						}
					}
				}
			})
		}
	}
	for k := range beds {
		if beds[k].Group.Dim != d-1 || d == 1 {
			return nil, errors.New("fem: a bed is under sides of bodies in the plane or in space")
		}
	}
	each(func(i, j int, _ float64) { b.Add(i, j) })
	a := b.Build()
	each(a.AddAt)
	return a, nil
}

// Holds are the directions along which the bed holds its nodes.
func (x *Bed) Holds(m *Mesh) (list []Normal) {
	x.each(m, PlaneStrain, func(nodes []int, _ *Point, axis [3]float64, _ float64) {
		for _, i := range nodes {
			list = append(list, Normal{Node: i, Along: axis})
		}
	})
	return list
}

// each visits the points of quadrature of the facets with each direction along which there is a stiffness.
func (x *Bed) each(m *Mesh, kin Kinematics, visit func(nodes []int, p *Point, axis [3]float64, stiffness float64)) {
	ref, ring := references[m.Kind][m.Dim-1], m.Dim == 2 && kin == Axisymmetric
	rule := ref.rule
	if m.Kind == P1 { // the product of two shape functions and a radius
		rule = references[P2][m.Dim-1].rule
	}
	for k := 0; k < len(x.Group.Elem); k += ref.nodes {
		nodes := x.Group.Elem[k : k+ref.nodes]
		for _, s := range rule {
			p := m.facePoint(ref, nodes, &s.xi, ring)
			p.Weight *= s.weight
			if x.Group.Pressed {
				n := m.normal(ref, nodes, &s.xi)
				visit(nodes, &p, vec3.Scale(n, 1/vec3.Norm(n)), x.Stiffness[0])
				continue
			}
			for c := range m.Dim {
				if x.Stiffness[c] > 0 {
					visit(nodes, &p, unitVector(c), x.Stiffness[c])
				}
			}
		}
	}
}

package elastic

import "github.com/quasistatic/quasistatic/fem"

// elastic stores A u in dst. Rows of A sum to zero over the nodes, translations
// being rigid, so that
//
//	(A u)_i = Σ_{j≠i} A_ij (u_j − u_i),
//
// whose differences are exact where a body has moved far against its strains:
// the forces of a rigid flight are zero to the bit. Where local axes differ from
// node to node, in axisymmetric bodies, and where bodies meet, the plain product is taken.
func (a *assembly) elastic(dst, u []float64) {
	if a.relative != nil || !a.frames.Aligned() || a.model.Material.Kinematics == fem.Axisymmetric {
		a.stiffness.MulVec(dst, u)
		return
	}
	clear(dst)
	d, m := a.dim, a.stiffness
	for c := range m.N {
		j, b := c/d, c%d
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			r := m.Row[k]
			i := r / d
			if i == j {
				continue
			}
			v := m.Val[k]
			dst[r] += v * (u[c] - u[d*i+b])
			dst[c] += v * (u[r] - u[d*j+r%d])
		}
	}
}

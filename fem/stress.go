package fem

import "math"

// Tensor is a symmetric tensor: xx, yy, zz, xy, yz, zx.
type Tensor [6]float64

// VonMises returns the equivalent stress √(3/2 s:s) of the deviator s.
func (t Tensor) VonMises() float64 {
	a, b, c := t[0]-t[1], t[1]-t[2], t[2]-t[0]
	return math.Sqrt(0.5*(a*a+b*b+c*c) + 3*(t[3]*t[3]+t[4]*t[4]+t[5]*t[5]))
}

// Strain returns the constant part of ε(u) in element s: the gradients alone.
func Strain(dim int, s *Simplex, u []float64) (e Tensor) {
	g := displacementGradient(dim, s, u)
	return Tensor{g[0][0], g[1][1], g[2][2], 0.5 * (g[0][1] + g[1][0]), 0.5 * (g[1][2] + g[2][1]), 0.5 * (g[2][0] + g[0][2])}
}

// displacementGradient returns ∂u_r/∂x_c.
func displacementGradient(dim int, s *Simplex, u []float64) (g [3][3]float64) {
	for a := range dim + 1 {
		for r := range dim {
			x := u[dim*s.Nodes[a]+r]
			for c := range dim {
				g[r][c] += x * s.Grad[a][c]
			}
		}
	}
	return g
}

// Stresses returns the stress of each element [Pa], with σ_zz of plane strain
// and the hoop stress (at the centroid) of axisymmetric bodies.
func Stresses(m *Mesh, e Elastic, u []float64) []Tensor {
	lambda, mu := e.Lame(m.Dim)
	all := make([]Tensor, m.NumElems())
	for k := range all {
		s := m.Element(k)
		strain := Strain(m.Dim, &s, u)
		if _, hoop := m.ring(&s, &e); hoop != 0 {
			for _, i := range s.Nodes[:3] {
				strain[2] += hoop * u[2*i]
			}
		}
		trace := strain[0] + strain[1] + strain[2]
		for c := range 6 {
			all[k][c] = 2 * mu * strain[c]
		}
		for c := range 3 {
			all[k][c] += lambda * trace
		}
		if m.Dim == 1 {
			all[k][1], all[k][2] = 0, 0
		}
		if m.Dim == 2 && e.Kinematics == PlaneStress {
			all[k][2] = 0
		}
	}
	return all
}

// NodalStresses averages the stresses of the elements around each node, by
// their volumes.
func NodalStresses(m *Mesh, stress []Tensor) []Tensor {
	sum, weight := make([]Tensor, m.NumNodes()), make([]float64, m.NumNodes())
	for k, t := range stress {
		s := m.Element(k)
		for _, i := range s.Nodes[:m.Dim+1] {
			for c, x := range t {
				sum[i][c] += s.Volume * x
			}
			weight[i] += s.Volume
		}
	}
	for i := range sum {
		for c := range sum[i] {
			sum[i][c] /= weight[i]
		}
	}
	return sum
}

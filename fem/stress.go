package fem

import "math"

// Tensor is a symmetric tensor: xx, yy, zz, xy, yz, zx.
type Tensor [6]float64

// VonMises returns the equivalent stress √(3/2 s:s) of the deviator s.
func (t Tensor) VonMises() float64 {
	a, b, c := t[0]-t[1], t[1]-t[2], t[2]-t[0]
	return math.Sqrt(0.5*(a*a+b*b+c*c) + 3*(t[3]*t[3]+t[4]*t[4]+t[5]*t[5]))
}

// Equivalent returns the deviator in coordinates by which its length is the equivalent stress.
func (t Tensor) Equivalent() [6]float64 {
	mean, axial, shear := (t[0]+t[1]+t[2])/3, math.Sqrt(1.5), math.Sqrt(3)
	return [6]float64{axial * (t[0] - mean), axial * (t[1] - mean), axial * (t[2] - mean), shear * t[3], shear * t[4], shear * t[5]}
}

// Strain returns the constant part of ε(u) in element s: the gradients alone.
func Strain(dim int, s *Simplex, u []float64) (e Tensor) {
	g := displacementGradient(dim, s, u)
	return strainOf(&g)
}

// strainOf is the symmetric part of a gradient.
func strainOf(g *[3][3]float64) Tensor {
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

// Stresses returns the mean stress of each element [Pa], with σ_zz of plane strain
// and the hoop stress of axisymmetric bodies.
func Stresses(m *Mesh, e Elastic, u []float64) []Tensor {
	return m.means(e, u, e.stressAt)
}

// Strains returns the mean strain ½(∇u + ∇uᵀ) of each element [-], with the hoop strain of axisymmetric bodies, and,
// across bars and thin plates that are isotropic, what Poisson's ratio makes of the others.
func Strains(m *Mesh, e Elastic, u []float64) []Tensor {
	return m.means(e, u, func(dim int, x *element, p *Point, _ float64, u []float64) Tensor {
		s := x.strainAt(dim, p, u)
		if dim == 1 {
			s[1], s[2] = -e.Poisson*s[0], -e.Poisson*s[0]
		}
		if dim == 2 && e.Kinematics == PlaneStress && e.Orthotropic == nil {
			s[2] = -e.Poisson / (1 - e.Poisson) * (s[0] + s[1])
		}
		return s
	})
}

// means are those of what is known at the points of the elements.
func (m *Mesh) means(e Elastic, u []float64,
	at func(dim int, x *element, p *Point, mean float64, u []float64) Tensor) []Tensor {
	all := make([]Tensor, m.NumElems())
	var x element
	for k := range all {
		m.evaluate(&x, k, &e)
		mean := x.meanDilatation(m.Dim, u)
		for i := range x.points {
			p := &x.points[i]
			for c, s := range at(m.Dim, &x, p, mean, u) {
				all[k][c] += p.Weight / x.volume * s
			}
		}
	}
	return all
}

// meanDilatation is that of an element where it stands for the dilatation.
func (x *element) meanDilatation(dim int, u []float64) (mean float64) {
	if x.averaged {
		for a, i := range x.nodes {
			for c := range dim {
				mean += x.mean[a][c] * u[dim*i+c]
			}
		}
	}
	return mean
}

// strainAt returns the strain at a point of an element.
func (x *element) strainAt(dim int, p *Point, u []float64) Tensor {
	var g [3][3]float64
	hoop := 0.0
	for a, i := range x.nodes {
		for r := range dim {
			v := u[dim*i+r]
			for c := range dim {
				g[r][c] += v * p.Grad[a][c]
			}
		}
		hoop += p.Hoop[a] * u[dim*i]
	}
	e := strainOf(&g)
	e[2] += hoop
	return e
}

// stressAt returns the stress at a point of an element.
func (e *Elastic) stressAt(dim int, x *element, p *Point, mean float64, u []float64) (s Tensor) {
	lambda, mu := e.Lame(dim)
	strain := x.strainAt(dim, p, u)
	trace := strain[0] + strain[1] + strain[2]
	if x.averaged {
		for c := range 3 {
			strain[c] += (mean - trace) / 3
		}
		trace = mean
	}
	if e.Orthotropic != nil {
		return e.Orthotropic.stress(&strain)
	}
	for c := range s {
		s[c] = 2 * mu * strain[c]
	}
	for c := range 3 {
		s[c] += lambda * trace
	}
	if dim == 1 {
		s[1], s[2] = 0, 0
	}
	if dim == 2 && e.Kinematics == PlaneStress {
		s[2] = 0
	}
	return s
}

// StressesAtNodes returns the means of the stresses that the elements around each node have there,
// by their volumes.
func StressesAtNodes(m *Mesh, e Elastic, u []float64) []Tensor {
	if m.Kind == P1 {
		return NodalStresses(m, Stresses(m, e, u))
	}
	ref, ring := m.reference(), m.Dim == 2 && e.Kinematics == Axisymmetric
	sum, weight := make([]Tensor, m.NumNodes()), make([]float64, m.NumNodes())
	var x element
	for k := range m.NumElems() {
		m.evaluate(&x, k, &e)
		mean := x.meanDilatation(m.Dim, u)
		for a, i := range x.nodes {
			p := m.pointOf(ref, x.nodes, &ref.places[a], ring)
			for c, s := range e.stressAt(m.Dim, &x, &p, mean, u) {
				sum[i][c] += x.volume * s
			}
			weight[i] += x.volume
		}
	}
	return divided(sum, weight)
}

// NodalStresses averages the stresses of affine elements around each node, by
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
	return divided(sum, weight)
}

func divided(sum []Tensor, weight []float64) []Tensor {
	for i := range sum {
		for c := range sum[i] {
			sum[i][c] /= weight[i]
		}
	}
	return sum
}

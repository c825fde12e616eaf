package fem

import "sync"

// composite is the stress of [JohnsonMercier78] on a reference simplex, in any dimension as of
// [GopalakrishnanGuzmanLee24]: the simplex is cut into d+1 by its centre, and the stress is symmetric,
// linear on each, with continuous tractions between them. Linear tractions on the sides and a
// constant body force that balance determine it: of the d²(d+1) moments of the tractions and the
// d(d+1)/2 means of the stress, the means are those of the divergence.
type composite struct {
	dim int
	// stress has d(d+1)/2 components at each corner of each part, the centre last, as rows; a column
	// for each moment of side s, its node a and component c, and for each component of the force.
	stress [][]float64
}

// composites are made when they are asked for first.
var composites = [4]func() *composite{2: sync.OnceValue(func() *composite { return newComposite(2) }),
	3: sync.OnceValue(func() *composite { return newComposite(3) })}

// entries are those of a symmetric tensor of a dimension, as in [Tensor].
func entries(dim int) [][2]int {
	if dim == 2 {
		return [][2]int{{0, 0}, {1, 1}, {0, 1}}
	}
	return [][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}
}

// moments is the number of those of the tractions on all sides.
func (x *composite) moments() int { return (x.dim + 1) * x.dim * x.dim }

// moment is the number of that of a side, the node a of it and a component.
func (x *composite) moment(side, a, c int) int { return (side*x.dim+a)*x.dim + c }

// row is the first of corner k of a part.
func (x *composite) row(part, k int) int { return (part*(x.dim+1) + k) * x.dim * (x.dim + 1) / 2 }

// newComposite solves the conditions, which are consistent for data that balance, by their normal equations.
func newComposite(dim int) *composite {
	x := &composite{dim: dim}
	parts := x.parts()
	n, columns := x.row(dim+1, 0), x.moments()+dim
	normal, right := make([]float64, n*n), make([]float64, n*columns)
	// A condition: a row of weights, and of those of the data.
	add := func(row map[int]float64, data map[int]float64) {
		for i, v := range row {
			for j, w := range row {
				normal[i*n+j] += v * w
			}
			for j, w := range data {
				right[i*columns+j] += v * w
			}
		}
	}
	x.conditions(parts, add)
	if err := solveDense(normal, right); err != nil {
		panic("fem: composite: " + err.Error()) // the element is unisolvent
	}
	for i := range n {
		x.stress = append(x.stress, right[i*columns:(i+1)*columns])
	}
	return x
}

// parts are the simplices that the centre cuts the reference simplex into: one at each side, the centre last.
func (x *composite) parts() []Simplex {
	m := &Mesh{Kind: P1, Dim: x.dim}
	for _, place := range linear(x.dim).places {
		m.X = append(m.X, place[:x.dim]...)
	}
	for range x.dim {
		m.X = append(m.X, 1/float64(x.dim+1))
	}
	list := make([]Simplex, x.dim+1)
	for s, side := range simplexSides[x.dim] {
		m.Elem = append(append(m.Elem, side...), x.dim+1)
		list[s] = m.Element(s)
	}
	return list
}

// conditions emits those of the stress.
func (x *composite) conditions(parts []Simplex, add func(row, data map[int]float64)) {
	d := x.dim
	// traction of a part at its corner k across a plane with the normal n, a component
	traction := func(row map[int]float64, part, k, c int, n *[3]float64, factor float64) {
		for e, at := range entries(d) {
			if at[0] == c {
				row[x.row(part, k)+e] += factor * n[at[1]]
			} else if at[1] == c {
				row[x.row(part, k)+e] += factor * n[at[0]]
			}
		}
	}
	for s := range parts {
		for c := range d { // div τ = −f
			row := map[int]float64{}
			for k := range d + 1 {
				traction(row, s, k, c, &parts[s].Grad[k], 1)
			}
			add(row, map[int]float64{x.moments() + c: -1})
		}
		n := parts[s].Grad[d] // towards the centre
		for c := range n {
			n[c] *= -float64(d) * max(parts[s].Volume, -parts[s].Volume) // by the area, outward
		}
		for a := range d { // ∫ τn φ_a
			for c := range d {
				row := map[int]float64{}
				for b := range d {
					traction(row, s, b, c, &n, facetMass(d, a, b))
				}
				add(row, map[int]float64{x.moment(s, a, c): 1})
			}
		}
		for t := range s { // continuous tractions between parts
			n := parts[s].Grad[position(&parts[s], d, t)]
			for k, i := range parts[s].Nodes[:d+1] {
				if i == t {
					continue
				}
				for c := range d {
					row := map[int]float64{}
					traction(row, s, k, c, &n, 1)
					traction(row, t, position(&parts[t], d, i), c, &n, -1)
					add(row, nil)
				}
			}
		}
	}
}

// position is where a simplex has a node.
func position(s *Simplex, dim, node int) int {
	for k, i := range s.Nodes[:dim+1] {
		if i == node {
			return k
		}
	}
	panic("fem: composite: parts that do not meet")
}

// facetMass is ∫ φ_aφ_b over a facet of d nodes, per area.
func facetMass(d, a, b int) float64 {
	if a == b {
		return 2 / float64(d*(d+1))
	}
	return 1 / float64(d*(d+1))
}

// affine is an affine element: x = x_0 + F ξ.
type affine struct {
	simplex        Simplex
	jacobian, back [3][3]float64 // F and its inverse
	det            float64
}

// on returns the stress on an affine element by the moments of its tractions and the body force:
// τ = F τ̂ Fᵀ/det F, which keeps symmetry, and to which moments F b̂ and the force F f̂/det F belong.
// dst has a tensor for each corner of each part.
func (x *composite) on(dst []Tensor, on *affine, moments []float64, force *[3]float64) {
	d := x.dim
	data := make([]float64, x.moments()+d)
	pull := func(dst, b []float64, factor float64) {
		for r := range d {
			for c := range d {
				dst[r] += factor * on.back[r][c] * b[c]
			}
		}
	}
	for k := 0; k < x.moments(); k += d {
		pull(data[k:], moments[k:], 1)
	}
	pull(data[x.moments():], force[:d], on.det)
	list := entries(d)
	for k := range dst {
		var t [3][3]float64
		for e, at := range list {
			sum := 0.0
			for c, v := range x.stress[k*len(list)+e] {
				sum += v * data[c]
			}
			t[at[0]][at[1]], t[at[1]][at[0]] = sum, sum
		}
		dst[k] = Tensor{}
		for e, at := range list {
			sum := 0.0
			for r := range d {
				for c := range d {
					sum += on.jacobian[at[0]][r] * t[r][c] * on.jacobian[at[1]][c]
				}
			}
			if d == 2 && e == 2 {
				e = 3 // xy
			}
			dst[k][e] = sum / on.det
		}
	}
}

// units are the stresses of unit moments, and of unit forces.
func (x *composite) units(on *affine) [][]Tensor {
	n := x.moments()
	list := make([][]Tensor, n+x.dim)
	for i := range list {
		moments, force := make([]float64, n), [3]float64{}
		if i < n {
			moments[i] = 1
		} else {
			force[i-n] = 1
		}
		list[i] = make([]Tensor, (x.dim+1)*(x.dim+1))
		x.on(list[i], on, moments, &force)
	}
	return list
}

// product is ∫ a:C⁻¹:b of two stresses on an element, linear on each part between the tensors at its corners.
func (x *composite) product(on *affine, a, b []Tensor, lambda, mu float64) (sum float64) {
	n := x.dim + 1
	for k := 0; k < len(a); k += n {
		var totalA, totalB Tensor
		for j := k; j < k+n; j++ {
			for e := range totalA {
				totalA[e], totalB[e] = totalA[e]+a[j][e], totalB[e]+b[j][e]
			}
			sum += a[j].complementary(&b[j], x.dim, lambda, mu)
		}
		sum += totalA.complementary(&totalB, x.dim, lambda, mu)
	}
	return sum * on.simplex.Volume / float64(n*n*(n+1))
}

// complementary is a:C⁻¹:b in a dimension; what is across a plane mesh does no work.
func (a *Tensor) complementary(b *Tensor, d int, lambda, mu float64) float64 {
	traceA, traceB, product := 0.0, 0.0, 2*(a[3]*b[3]+a[4]*b[4]+a[5]*b[5])
	for c := range d {
		traceA, traceB, product = traceA+a[c], traceB+b[c], product+a[c]*b[c]
	}
	return (product - lambda/(2*mu+float64(d)*lambda)*traceA*traceB) / (2 * mu)
}

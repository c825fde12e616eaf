package fem

import "math"

// multilinear is the quadrilateral or hexahedron on [−1, 1]^d: φ_a = Π_c ½(1 + s_ac ξ_c), with the
// signs s of the corners, and Gauss' rule of two points along each axis.
//
// The dilatation of its strain is replaced by the mean over the element (B-bar: Hughes 1980, Int.
// J. Numer. Methods Eng. 15), so that ν → ½ asks for one equation an element: with h_a c = div(φ_a
// e_c), h̄ its mean and K = λ + ⅔μ
//
//	A_ab = ∫ 2μ (ε_a:ε_b − ⅓ h_a h_bᵀ) + K |T| h̄_a h̄_bᵀ.
//
// A uniform dilatation is its own mean: affine displacements are exact. In plane stress the
// thickness gives way, and nothing is replaced.
func multilinear(dim int) *reference {
	corners := 1 << dim
	ref := &reference{name: [...]string{1: "bars", 2: "quadrilaterals", 3: "hexahedra"}[dim], corners: corners, nodes: corners,
		vtk: [...]byte{1: 3, 2: 9, 3: 12}[dim], edges: cubeEdges[:[...]int{1: 1, 2: 4, 3: 12}[dim]],
		sides: cubeSides[dim], cut: cubeCut[dim]}
	for _, at := range cubeCorners[:corners] {
		var x [3]float64
		for c := range dim {
			x[c] = float64(2*at[c] - 1)
		}
		ref.places = append(ref.places, x)
	}
	ref.shape = func(xi *[3]float64, n *[mostNodes]float64, d *[mostNodes][3]float64) {
		for a, s := range ref.places {
			n[a] = 1
			for c := range dim {
				n[a] *= (1 + s[c]*xi[c]) / 2
				slope := s[c] / 2
				for b := range dim {
					if b != c {
						slope *= (1 + s[b]*xi[b]) / 2
					}
				}
				d[a][c] = slope
			}
		}
	}
	for _, s := range ref.places {
		p := sample{weight: 1}
		for c := range dim {
			p.xi[c] = s[c] / math.Sqrt(3)
		}
		ref.rule = append(ref.rule, p)
	}
	return ref
}

// cubeCorners are in the order of VTK: round the bottom, then round the top.
var cubeCorners = [...][3]int{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}

var cubeEdges = [...][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}

var cubeSides = [...][][]int{1: {{0}, {1}}, 2: {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
	3: {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}}

// cubeCut is Kuhn's division round the diagonal from corner 0.
var cubeCut = [...][][]int{1: {{0, 1}}, 2: {{0, 1, 2}, {0, 2, 3}},
	3: {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}}

// average stores the means of the dilatations, by volume.
func (x *element) average(dim int) {
	x.mean = [mostNodes][3]float64{}
	for i := range x.points {
		p := &x.points[i]
		for a := range x.nodes {
			h := p.dilatation(a)
			for c := range dim {
				x.mean[a][c] += p.Weight / x.volume * h[c]
			}
		}
	}
}

// dilatation is div(φ_a e_c).
func (p *Point) dilatation(a int) [3]float64 {
	h := p.Grad[a]
	h[0] += p.Hoop[a]
	return h
}

package fem

import "math"

// quadratic is the quadratic simplex: in the barycentric coordinates λ of its corners
//
//	φ_a = λ_a (2λ_a − 1),   φ_ab = 4 λ_a λ_b amid the edge ab.
//
// Its rules are exact to degree five (on triangles Radon 1948, on tetrahedra Stroud 1971, T3: 5-1),
// with positive weights. The patch test of curved tetrahedra needs three, that of rings too.
func quadratic(dim int) *reference {
	edges := simplexEdges[dim]
	ref := &reference{name: [...]string{1: "quadratic bars", 2: "quadratic triangles", 3: "quadratic tetrahedra"}[dim],
		corners: dim + 1, nodes: dim + 1 + len(edges), vtk: [...]byte{1: 21, 2: 22, 3: 24}[dim], edges: edges, cut: quadraticCut[dim]}
	for _, side := range simplexSides[dim] {
		nodes := append([]int(nil), side...)
		for _, e := range simplexEdges[dim-1] { // of a point none
			for k, ends := range edges {
				if ends == [2]int{side[e[0]], side[e[1]]} || ends == [2]int{side[e[1]], side[e[0]]} {
					nodes = append(nodes, dim+1+k)
				}
			}
		}
		ref.sides = append(ref.sides, nodes)
	}
	ref.places = append(ref.places, linear(dim).places...)
	for _, e := range edges {
		var x [3]float64
		for c := range x {
			x[c] = (ref.places[e[0]][c] + ref.places[e[1]][c]) / 2
		}
		ref.places = append(ref.places, x)
	}
	ref.shape = func(xi *[3]float64, n *[mostNodes]float64, d *[mostNodes][3]float64) {
		l := barycentric(dim, xi)
		slope := func(a, c int) float64 { // ∂λ_a/∂ξ_c
			switch a {
			case 0:
				return -1
			case c + 1:
				return 1
			}
			return 0
		}
		for a := range dim + 1 {
			n[a] = l[a] * (2*l[a] - 1)
			for c := range dim {
				d[a][c] = (4*l[a] - 1) * slope(a, c)
			}
		}
		for k, e := range edges {
			n[dim+1+k] = 4 * l[e[0]] * l[e[1]]
			for c := range dim {
				d[dim+1+k][c] = 4 * (l[e[0]]*slope(e[1], c) + l[e[1]]*slope(e[0], c))
			}
		}
	}
	ref.rule = simplexRule(dim)
	return ref
}

// quadraticCut cuts at the nodes: corners, and what is left.
var quadraticCut = [...][][]int{1: {{0, 2}, {2, 1}}, 2: {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}},
	3: {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}, {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}, {4, 9, 5, 6}}}

// simplexRule has its points in orbits: the centre, those that are a from all sides but one, and of a
// tetrahedron those between the middles of two edges.
func simplexRule(dim int) (rule []sample) {
	if dim == 1 {
		return gauss3
	}
	orbit := func(a, weight float64) {
		for far := range dim + 1 {
			s := sample{weight: weight * simplexSize[dim]}
			for c := range dim {
				if s.xi[c] = a; c+1 == far {
					s.xi[c] = 1 - float64(dim)*a
				}
			}
			rule = append(rule, s)
		}
	}
	root := math.Sqrt(15)
	if dim == 2 {
		rule = append(rule, sample{[3]float64{1. / 3, 1. / 3}, 9. / 40 * simplexSize[2]})
		orbit((6-root)/21, (155-root)/1200)
		orbit((6+root)/21, (155+root)/1200)
		return rule
	}
	rule = append(rule, sample{[3]float64{1. / 4, 1. / 4, 1. / 4}, 16. / 135 * simplexSize[3]})
	orbit((7-root)/34, (2665+14*root)/37800)
	orbit((7+root)/34, (2665-14*root)/37800)
	for _, e := range simplexEdges[3] {
		l := [4]float64{(5 - root) / 20, (5 - root) / 20, (5 - root) / 20, (5 - root) / 20}
		l[e[0]], l[e[1]] = (5+root)/20, (5+root)/20
		rule = append(rule, sample{[3]float64{l[1], l[2], l[3]}, 10. / 189 * simplexSize[3]})
	}
	return rule
}

// gauss3 is Gauss' rule of three points on [0, 1].
var gauss3 = []sample{{[3]float64{0.5 - math.Sqrt(0.15)}, 5. / 18}, {[3]float64{0.5}, 8. / 18},
	{[3]float64{0.5 + math.Sqrt(0.15)}, 5. / 18}}

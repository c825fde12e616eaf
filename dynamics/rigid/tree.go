package rigid

import "math"

// A mechanism of a component is a graph of bodies and joints. Joints, in their
// order, that tie what was not tied before make a forest; the others close
// loops. The matrix of a velocity and the multipliers of its joints,
//
//	( A  Gᵀ )
//	( G̃  0  ),   A block diagonal,
//
// of the forest alone has the forest as its graph, and eliminating it from the
// leaves leaves no fill: O(n), the articulated bodies of Featherstone with the
// joints as nodes. Loops follow by their Schur complement G̃ S Gᵀ. G̃ is G but in
// Newton's method of the secant scheme, see [band].
type tree struct {
	nodes []node // children before parents
	of    []int  // node of each joint row, −1: closes a loop
	loops []int  // rows that close loops
	size  int    // of all nodes together
	all   []int  // scratch: all rows, where the forest fails
	// Scratch of hold, and of refinement: right sides and what is left of them.
	d, right, goal, rest []float64
	corners              [][maxNode * maxNode]float64 // see corner
	cornered             bool
	node                 []int // of a body
}

// node is a body or the rows of a joint in the forest.
type node struct {
	at, n  int                        // place in the stacked vector
	parent int                        // −1: none
	body   int                        // in the component, −1: a joint
	row, m int                        // first row of the joint; its rows are consecutive
	d      [maxNode * maxNode]float64 // diagonal block, n×n; then its inverse or factors, see invert
	perm   [maxNode]int
	// up is D⁻¹ times the block of this row and the column of the parent, n×(n of the
	// parent); down the block of its row and this column.
	up, down [maxNode * maxNode]float64
}

// maxNode is the largest node: six velocities or six rows.
const maxNode = 6

// newTree orders a component.
func newTree(m *Model, c *component) *tree {
	t := &tree{of: make([]int, len(c.rows))}
	t.order(m, c, t.span(m, c))
	t.reverse()
	n := len(c.index)
	t.d, t.right, t.rest, t.goal = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, len(c.rows))
	return t
}

// edge is a joint of the forest: its first row, their number and the other body, −1 for the ground.
type edge struct{ row, m, other int }

// span is a forest of the bodies of a component.
type span struct {
	ties    [][]edge // between bodies
	grounds [][]edge // to the ground
}

// span takes a joint into the forest unless its bodies are tied already: such joints close loops, whose rows are left.
func (t *tree) span(m *Model, c *component) *span {
	number := map[int]int{}
	for i, b := range c.bodies {
		number[b] = i
	}
	f := &span{make([][]edge, len(c.bodies)), make([][]edge, len(c.bodies))}
	ground := len(c.bodies)
	root := make([]int, ground+1) // the last one is the ground
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for r := 0; r < len(c.rows); {
		x := &m.rows[c.rows[r]]
		n := 1
		for r+n < len(c.rows) && m.rows[c.rows[r+n]].joint == x.joint {
			n++
		}
		a, b := number[x.a], ground
		if x.b >= 0 {
			b = number[x.b]
		}
		switch fa, fb := find(a), find(b); {
		case fa == fb || n > maxNode:
			for k := range n {
				t.of[r+k] = -1
				t.loops = append(t.loops, r+k)
			}
		case b == ground:
			root[fa] = fb
			f.grounds[a] = append(f.grounds[a], edge{r, n, -1})
		default:
			root[fa] = fb
			f.ties[a] = append(f.ties[a], edge{r, n, b})
			f.ties[b] = append(f.ties[b], edge{r, n, a})
		}
		r += n
	}
	return f
}

// order lists the nodes depth first from the bodies at the ground, then from those of free trees: parents before children.
func (t *tree) order(m *Model, c *component, f *span) {
	seen := make([]bool, len(c.bodies))
	add := func(x node) int {
		t.nodes = append(t.nodes, x)
		return len(t.nodes) - 1
	}
	joint := func(e edge, parent int) int {
		k := add(node{n: e.m, parent: parent, body: -1, row: e.row, m: e.m})
		for i := range e.m {
			t.of[e.row+i] = k
		}
		return k
	}
	type call struct{ body, parent int }
	var stack []call
	visit := func(start call) {
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[x.body] {
				continue
			}
			seen[x.body] = true
			k := add(node{n: m.body[c.bodies[x.body]].n, parent: x.parent, body: x.body})
			for _, e := range f.ties[x.body] {
				if !seen[e.other] {
					stack = append(stack, call{e.other, joint(e, k)})
				}
			}
		}
	}
	for i := range f.grounds {
		for _, e := range f.grounds[i] {
			visit(call{i, joint(e, -1)})
		}
	}
	for i := range c.bodies {
		if !seen[i] {
			visit(call{i, -1})
		}
	}
}

// reverse puts children first and gives places.
func (t *tree) reverse() {
	n := len(t.nodes)
	for i := range n / 2 {
		t.nodes[i], t.nodes[n-1-i] = t.nodes[n-1-i], t.nodes[i]
	}
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.parent >= 0 {
			x.parent = n - 1 - x.parent
		}
		x.at = t.size
		t.size += x.n
	}
	for i, k := range t.of {
		if k >= 0 {
			t.of[i] = n - 1 - k
		}
	}
}

// factor eliminates the forest of A and the bands of the joint rows; false if a
// pivot block is singular.
func (t *tree) factor(s *inverse) bool {
	t.cornered = false
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.body >= 0 {
			b := &s.blocks[x.body]
			copy(x.d[:x.n*x.n], b.a[:x.n*x.n])
		} else {
			clear(x.d[:x.n*x.n])
		}
		if x.parent >= 0 {
			t.couple(s, x, &t.nodes[x.parent])
		}
	}
	for i := range t.nodes {
		x := &t.nodes[i]
		if !x.invert() {
			return false
		}
		if x.parent >= 0 {
			x.eliminate(&t.nodes[x.parent])
		}
	}
	return true
}

// corner is the block of the inverse of the whole matrix at a body of the component, which is that of S where there are no loops. All of them are
// made together,
//
//	Z = D⁻¹ + D⁻¹ up Z_p down D⁻¹,
//
// from the roots, when the first one is asked for.
func (t *tree) corner(body int) []float64 {
	if !t.cornered {
		t.cornered = true
		t.corners, t.node = grow(t.corners, len(t.nodes)), grow(t.node, len(t.nodes))
		for i := len(t.nodes) - 1; i >= 0; i-- {
			x, z := &t.nodes[i], &t.corners[i]
			if x.body >= 0 {
				t.node[x.body] = i
			}
			var col, at [maxNode]float64
			for c := range x.n {
				clear(col[:x.n])
				col[c] = 1
				x.solve(col[:x.n])
				for r := range x.n {
					z[r*x.n+c] = col[r]
				}
				if x.parent < 0 {
					continue
				}
				p, zp := &t.nodes[x.parent], &t.corners[x.parent]
				for r := range p.n {
					at[r] = 0
					for k, y := range col[:x.n] {
						at[r] += x.down[r*x.n+k] * y
					}
				}
				for r := range p.n {
					col[r] = 0
					for k, y := range at[:p.n] {
						col[r] += zp[r*p.n+k] * y
					}
				}
				for r := range x.n {
					for k, y := range col[:p.n] {
						z[r*x.n+c] += x.up[r*p.n+k] * y
					}
				}
			}
		}
	}
	return t.corners[t.node[body]][:]
}

// eliminate takes a node from the block of its parent, D_p −= down D⁻¹ up.
func (x *node) eliminate(p *node) {
	var col [maxNode]float64
	for c := range p.n {
		for r := range x.n {
			col[r] = x.up[r*p.n+c]
		}
		x.solve(col[:x.n])
		for r := range x.n {
			x.up[r*p.n+c] = col[r]
		}
		for r := range p.n {
			sum := 0.0
			for k, y := range col[:x.n] {
				sum += x.down[r*x.n+k] * y
			}
			p.d[r*p.n+c] -= sum
		}
	}
}

// invert overwrites the diagonal block by its inverse for up to three unknowns, by its
// factors for more; false if it is singular. Rows of a joint that say the same twice leave
// pivots that are rounding of each other.
func (x *node) invert() bool {
	if x.n > 3 {
		if !luFactor(x.d[:x.n*x.n], x.perm[:x.n], x.n) {
			return false
		}
		least, most := math.Inf(1), 0.0
		for i := range x.n {
			d := math.Abs(x.d[i*x.n+i])
			least, most = min(least, d), max(most, d)
		}
		return x.body >= 0 || least > rankTolerance*most
	}
	whole := 1.0
	for i := range x.n {
		whole *= x.d[i*x.n+i]
	}
	det := x.adjugate()
	if det == 0 || math.IsNaN(det) || math.IsInf(det, 0) || x.body < 0 && !(math.Abs(det) > rankTolerance*math.Abs(whole)) {
		return false
	}
	f := 1 / det
	for i := range x.n * x.n {
		x.d[i] *= f
	}
	return true
}

// adjugate overwrites a block of up to three unknowns by its adjugate and returns its
// determinant.
func (x *node) adjugate() (det float64) {
	a := &x.d
	switch x.n {
	case 1:
		det = a[0]
		a[0] = 1
	case 2:
		det = a[0]*a[3] - a[1]*a[2]
		a[0], a[1], a[2], a[3] = a[3], -a[1], -a[2], a[0]
	default:
		m := [9]float64(a[:9])
		a[0], a[1], a[2] = m[4]*m[8]-m[5]*m[7], m[2]*m[7]-m[1]*m[8], m[1]*m[5]-m[2]*m[4]
		a[3], a[4], a[5] = m[5]*m[6]-m[3]*m[8], m[0]*m[8]-m[2]*m[6], m[2]*m[3]-m[0]*m[5]
		a[6], a[7], a[8] = m[3]*m[7]-m[4]*m[6], m[1]*m[6]-m[0]*m[7], m[0]*m[4]-m[1]*m[3]
		det = m[0]*a[0] + m[1]*a[3] + m[2]*a[6]
	}
	return det
}

// solve overwrites y by D⁻¹y.
func (x *node) solve(y []float64) {
	a := &x.d
	switch len(y) {
	case 1:
		y[0] *= a[0]
	case 2:
		y[0], y[1] = a[0]*y[0]+a[1]*y[1], a[2]*y[0]+a[3]*y[1]
	case 3:
		y[0], y[1], y[2] = a[0]*y[0]+a[1]*y[1]+a[2]*y[2], a[3]*y[0]+a[4]*y[1]+a[5]*y[2], a[6]*y[0]+a[7]*y[1]+a[8]*y[2]
	default:
		luSolve(a[:x.n*x.n], x.perm[:x.n], x.n, y)
	}
}

// couple sets the blocks between a node and its parent: the rows of the joint on
// the velocities of the body.
func (t *tree) couple(s *inverse, x, p *node) {
	joint, body, rows, columns := x, p, &x.up, &x.down
	if x.body >= 0 {
		joint, body, rows, columns = p, x, &x.down, &x.up
	}
	for k := range joint.m {
		pushes, feels := s.bands[joint.row+k].on(body.body)
		for c := range body.n {
			rows[k*body.n+c], columns[c*joint.m+k] = feels[c], pushes[c]
		}
	}
}

// solve overwrites the stacked right side z by the solution.
func (t *tree) solve(z []float64) {
	for i := range t.nodes {
		x := &t.nodes[i]
		y := z[x.at : x.at+x.n]
		x.solve(y)
		if x.parent < 0 {
			continue
		}
		p := &t.nodes[x.parent]
		at := z[p.at : p.at+p.n]
		for r := range at {
			sum := 0.0
			for k, v := range y {
				sum += x.down[r*x.n+k] * v
			}
			at[r] -= sum
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		x := &t.nodes[i]
		if x.parent < 0 {
			continue
		}
		p := &t.nodes[x.parent]
		at := z[p.at : p.at+p.n]
		for k := range x.n {
			sum := 0.0
			for c, v := range at {
				sum += x.up[k*p.n+c] * v
			}
			z[x.at+k] -= sum
		}
	}
}

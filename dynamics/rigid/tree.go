package rigid

import "math"

// A mechanism of a component is a graph of bodies and joints. Joints, in their
// order, that tie what was not tied before make a forest; the others close
// loops. The matrix of a velocity and the multipliers of its joints,
//
//	( A  Gᵀ )
//	( G  0  ),   A block diagonal,
//
// of the forest alone has the forest as its graph, and eliminating it from the
// leaves leaves no fill: O(n), the articulated bodies of Featherstone with the
// joints as nodes. Loops follow by their Schur complement G S Gᵀ.
type tree struct {
	nodes []node // children before parents
	home  []int  // node of each body of the component
	of    []int  // node of each joint row, −1: closes a loop
	loops []int  // rows that close loops
	size  int    // of all nodes together
	all   []int  // scratch: all rows, where the forest fails
	// Scratch of hold, and of refinement: right sides and what is left of them.
	d, right, goal, rest []float64
}

// node is a body or the rows of a joint in the forest.
type node struct {
	at, n  int // place in the stacked vector
	parent int // −1: none
	body   int // in the component, −1: a joint
	row, m int // first row of the joint; its rows are consecutive
	// lu of the diagonal block, n×n with up to 6; up is the block of this row and
	// the column of the parent, n×(n of the parent); down its mirror.
	lu   [36]float64
	perm [6]int
	up   [36]float64
}

// maxNode is the largest node: six velocities or six rows.
const maxNode = 6

// newTree orders a component.
func newTree(m *Model, c *component) *tree {
	t := &tree{of: make([]int, len(c.rows)), home: make([]int, len(c.bodies))}
	number := map[int]int{}
	for i, b := range c.bodies {
		number[b] = i
	}
	type edge struct{ row, m, other int }
	ties := make([][]edge, len(c.bodies))    // of the forest, between bodies
	grounds := make([][]edge, len(c.bodies)) // to the ground
	root := make([]int, len(c.bodies)+1)     // the last one is the ground
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
	ground := len(c.bodies)
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
			grounds[a] = append(grounds[a], edge{r, n, -1})
		default:
			root[fa] = fb
			ties[a] = append(ties[a], edge{r, n, b})
			ties[b] = append(ties[b], edge{r, n, a})
		}
		r += n
	}
	// Depth first from the bodies at the ground, then from those of free trees;
	// parents before children, reversed at the end.
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
			t.home[x.body] = k
			for _, e := range ties[x.body] {
				if !seen[e.other] {
					stack = append(stack, call{e.other, joint(e, k)})
				}
			}
		}
	}
	for i := range grounds {
		for _, e := range grounds[i] {
			visit(call{i, joint(e, -1)})
		}
	}
	for i := range c.bodies {
		if !seen[i] {
			visit(call{i, -1})
		}
	}
	t.reverse()
	n := len(c.index)
	t.d, t.right, t.rest, t.goal = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, len(c.rows))
	return t
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
	for _, list := range [][]int{t.home, t.of} {
		for i, k := range list {
			if k >= 0 {
				list[i] = n - 1 - k
			}
		}
	}
}

// factor eliminates the forest of A and the bands of the joint rows; false if a
// pivot block is singular.
func (t *tree) factor(s *inverse) bool {
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.body >= 0 {
			b := &s.blocks[x.body]
			copy(x.lu[:x.n*x.n], b.a[:x.n*x.n])
		} else {
			clear(x.lu[:x.n*x.n])
		}
		if x.parent >= 0 {
			t.couple(s, x, &t.nodes[x.parent])
		}
	}
	for i := range t.nodes {
		x := &t.nodes[i]
		if !luFactor(x.lu[:x.n*x.n], x.perm[:x.n], x.n) || !x.regular() {
			return false
		}
		if x.parent < 0 {
			continue
		}
		p := &t.nodes[x.parent]
		var col [maxNode]float64
		for c := range p.n { // D_p −= upᵀ D⁻¹ up
			for r := range x.n {
				col[r] = x.up[r*p.n+c]
			}
			luSolve(x.lu[:x.n*x.n], x.perm[:x.n], x.n, col[:x.n])
			for r := range p.n {
				sum := 0.0
				for k := range x.n {
					sum += x.up[k*p.n+r] * col[k]
				}
				p.lu[r*p.n+c] -= sum
			}
		}
	}
	return true
}

// regular reports whether the pivots of the factors are not rounding of each
// other; rows of a joint that say the same twice leave such.
func (x *node) regular() bool {
	least, most := math.Inf(1), 0.0
	for i := range x.n {
		d := math.Abs(x.lu[i*x.n+i])
		least, most = min(least, d), max(most, d)
	}
	return x.body >= 0 || least > rankTolerance*most
}

// couple sets the block between a node and its parent: the rows of the joint on
// the velocities of the body.
func (t *tree) couple(s *inverse, x, p *node) {
	joint, body := x, p
	if x.body >= 0 {
		joint, body = p, x
	}
	for k := range joint.m {
		g := s.bands[joint.row+k].on(body.body)
		for c := range body.n {
			if x.body >= 0 {
				x.up[c*p.n+k] = g[c]
			} else {
				x.up[k*p.n+c] = g[c]
			}
		}
	}
}

// solve overwrites the stacked right side z by the solution.
func (t *tree) solve(z []float64) {
	var y [maxNode]float64
	for i := range t.nodes {
		x := &t.nodes[i]
		if x.parent < 0 {
			continue
		}
		copy(y[:x.n], z[x.at:x.at+x.n])
		luSolve(x.lu[:x.n*x.n], x.perm[:x.n], x.n, y[:x.n])
		p := &t.nodes[x.parent]
		for k, v := range y[:x.n] {
			if v == 0 {
				continue
			}
			for c := range p.n {
				z[p.at+c] -= x.up[k*p.n+c] * v
			}
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		x := &t.nodes[i]
		v := z[x.at : x.at+x.n]
		if x.parent >= 0 {
			p := &t.nodes[x.parent]
			for k := range v {
				for c := range p.n {
					v[k] -= x.up[k*p.n+c] * z[p.at+c]
				}
			}
		}
		luSolve(x.lu[:x.n*x.n], x.perm[:x.n], x.n, v)
	}
}

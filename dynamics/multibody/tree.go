package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/num"
)

// A mechanism of a component is a graph of bodies and joints. Joints, in their order, that tie what
// was not tied before make a forest; the others close loops. The matrix of a velocity and the
// multipliers of its joints,
//
//	( A  Gᵀ )
//	( G̃  0  ),   A block diagonal,
//
// of the forest alone has the forest as its graph, and eliminating it from the leaves leaves no
// fill: O(n), the articulated bodies of Featherstone with the joints as nodes. Loops follow by
// their Schur complement G̃ S Gᵀ. G̃ is G but in Newton's method of the secant scheme, see [band].
type Tree struct {
	Nodes []Node // children before parents
	of    []int  // node of each joint row, −1: closes a loop
	Loops []int  // rows that close loops
	size  int    // of all nodes together
	all   []int  // scratch: all rows, where the forest fails
	// Scratch of hold, and of refinement: right sides and what is left of them.
	d, right, goal, rest []float64
	corners              [][maxNode * maxNode]float64 // see corner
	cornered             bool
	node                 []int // of a body
}

// Node is a body or the rows of a joint in the forest.
type Node struct {
	at, N  int                        // place in the stacked vector
	Parent int                        // −1: none
	Body   int                        // in the component, −1: a joint
	Row, m int                        // first row of the joint; its rows are consecutive
	d      [maxNode * maxNode]float64 // diagonal block, n×n; then its inverse or factors, see invert
	perm   [maxNode]int
	// up is D⁻¹ times the block of this row and the column of the parent, n×(n of the parent); down
	// the block of its row and this column.
	up, down [maxNode * maxNode]float64
}

// maxNode is the largest node: six velocities or six rows.
const maxNode = 6

// newTree orders a component.
func newTree(m *Model, c *Component) *Tree {
	t := &Tree{of: make([]int, len(c.Rows))}
	t.order(m, c, t.span(m, c))
	t.reverse()
	n := len(c.Index)
	t.d, t.right, t.rest, t.goal = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, len(c.Rows))
	return t
}

// edge is a joint of the forest: its first row, their number and the other body, −1 for the ground.
type edge struct{ row, m, other int }

// span is a forest of the bodies of a component.
type span struct {
	ties    [][]edge // between bodies
	grounds [][]edge // to the ground
}

// span takes a joint into the forest unless its bodies are tied already: such joints close loops,
// whose rows are left.
func (t *Tree) span(m *Model, c *Component) *span {
	number := map[int]int{}
	for i, b := range c.Bodies {
		number[b] = i
	}
	f := &span{make([][]edge, len(c.Bodies)), make([][]edge, len(c.Bodies))}
	ground := len(c.Bodies)
	joined := forest.New(ground + 1) // the last one is the ground
	for r := 0; r < len(c.Rows); {
		x := &m.Rows[c.Rows[r]]
		n := 1
		for r+n < len(c.Rows) && m.Rows[c.Rows[r+n]].Joint == x.Joint {
			n++
		}
		a, b := number[x.A], ground
		if x.B >= 0 {
			b = number[x.B]
		}
		switch {
		case joined.Root(a) == joined.Root(b) || n > maxNode:
			for k := range n {
				t.of[r+k] = -1
				t.Loops = append(t.Loops, r+k)
			}
		case b == ground:
			joined.Join(a, b)
			f.grounds[a] = append(f.grounds[a], edge{r, n, -1})
		default:
			joined.Join(a, b)
			f.ties[a] = append(f.ties[a], edge{r, n, b})
			f.ties[b] = append(f.ties[b], edge{r, n, a})
		}
		r += n
	}
	return f
}

// order lists the nodes depth first from the bodies at the ground, then from those of free trees:
// parents before children.
func (t *Tree) order(m *Model, c *Component, f *span) {
	seen := make([]bool, len(c.Bodies))
	add := func(x Node) int {
		t.Nodes = append(t.Nodes, x)
		return len(t.Nodes) - 1
	}
	joint := func(e edge, parent int) int {
		k := add(Node{N: e.m, Parent: parent, Body: -1, Row: e.row, m: e.m})
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
			k := add(Node{N: m.Bodies[c.Bodies[x.body]].N, Parent: x.parent, Body: x.body})
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
	for i := range c.Bodies {
		if !seen[i] {
			visit(call{i, -1})
		}
	}
}

// reverse puts children first and gives places.
func (t *Tree) reverse() {
	n := len(t.Nodes)
	for i := range n / 2 {
		t.Nodes[i], t.Nodes[n-1-i] = t.Nodes[n-1-i], t.Nodes[i]
	}
	for i := range t.Nodes {
		x := &t.Nodes[i]
		if x.Parent >= 0 {
			x.Parent = n - 1 - x.Parent
		}
		x.at = t.size
		t.size += x.N
	}
	for i, k := range t.of {
		if k >= 0 {
			t.of[i] = n - 1 - k
		}
	}
}

// factor eliminates the forest of A and the bands of the joint rows; false if a pivot block is
// singular.
func (t *Tree) factor(s *Inverse) bool {
	t.cornered = false
	for i := range t.Nodes {
		x := &t.Nodes[i]
		if x.Body >= 0 {
			b := &s.Blocks[x.Body]
			copy(x.d[:x.N*x.N], b.A[:x.N*x.N])
		} else {
			clear(x.d[:x.N*x.N])
		}
		if x.Parent >= 0 {
			t.couple(s, x, &t.Nodes[x.Parent])
		}
	}
	for i := range t.Nodes {
		x := &t.Nodes[i]
		if !x.invert() {
			return false
		}
		if x.Parent >= 0 {
			x.eliminate(&t.Nodes[x.Parent])
		}
	}
	return true
}

// Corner is the block of the inverse of the whole matrix at a body of the component, which is that
// of S where there are no loops. All of them are made together,
//
//	Z = D⁻¹ + D⁻¹ up Z_p down D⁻¹,
//
// from the roots, when the first one is asked for.
func (t *Tree) Corner(body int) []float64 {
	if !t.cornered {
		t.cornered = true
		t.corners, t.node = num.Grow(t.corners, len(t.Nodes)), num.Grow(t.node, len(t.Nodes))
		for i := len(t.Nodes) - 1; i >= 0; i-- {
			x, z := &t.Nodes[i], &t.corners[i]
			if x.Body >= 0 {
				t.node[x.Body] = i
			}
			var col, at [maxNode]float64
			for c := range x.N {
				clear(col[:x.N])
				col[c] = 1
				x.solve(col[:x.N])
				for r := range x.N {
					z[r*x.N+c] = col[r]
				}
				if x.Parent < 0 {
					continue
				}
				p, zp := &t.Nodes[x.Parent], &t.corners[x.Parent]
				for r := range p.N {
					at[r] = 0
					for k, y := range col[:x.N] {
						at[r] += x.down[r*x.N+k] * y
					}
				}
				for r := range p.N {
					col[r] = 0
					for k, y := range at[:p.N] {
						col[r] += zp[r*p.N+k] * y
					}
				}
				for r := range x.N {
					for k, y := range col[:p.N] {
						z[r*x.N+c] += x.up[r*p.N+k] * y
					}
				}
			}
		}
	}
	return t.corners[t.node[body]][:]
}

// eliminate takes a node from the block of its parent, D_p −= down D⁻¹ up.
func (x *Node) eliminate(p *Node) {
	var col [maxNode]float64
	for c := range p.N {
		for r := range x.N {
			col[r] = x.up[r*p.N+c]
		}
		x.solve(col[:x.N])
		for r := range x.N {
			x.up[r*p.N+c] = col[r]
		}
		for r := range p.N {
			sum := 0.0
			for k, y := range col[:x.N] {
				sum += x.down[r*x.N+k] * y
			}
			p.d[r*p.N+c] -= sum
		}
	}
}

// invert overwrites the diagonal block by its inverse for up to three unknowns, by its factors for
// more; false if it is singular. Rows of a joint that say the same twice leave pivots that are
// rounding of each other.
func (x *Node) invert() bool {
	if x.N > 3 {
		if !num.FactorLU(x.d[:x.N*x.N], x.perm[:x.N], x.N) {
			return false
		}
		least, most := math.Inf(1), 0.0
		for i := range x.N {
			d := math.Abs(x.d[i*x.N+i])
			least, most = min(least, d), max(most, d)
		}
		return x.Body >= 0 || least > rankTolerance*most
	}
	whole, block := 1.0, x.d
	for i := range x.N {
		whole *= x.d[i*x.N+i]
	}
	det := x.adjugate()
	if x.Body >= 0 && math.Abs(det) < nearlySingular*math.Abs(whole) {
		return x.pivoted(block[:x.N*x.N])
	}
	if det == 0 || math.IsNaN(det) || math.IsInf(det, 0) || x.Body < 0 && !(math.Abs(det) > rankTolerance*math.Abs(whole)) {
		return false
	}
	f := 1 / det
	for i := range x.N * x.N {
		x.d[i] *= f
	}
	return true
}

// nearlySingular is the determinant over the product of the diagonal below which cofactors, which
// lose what pivots lose twice, are not taken: of a light body that carries one of 1e6 of its mass.
const nearlySingular = 1e-6

// pivoted sets the diagonal block to the inverse of a block by its factors.
func (x *Node) pivoted(block []float64) bool {
	if !num.FactorLU(block, x.perm[:x.N], x.N) {
		return false
	}
	var col [maxNode]float64
	for c := range x.N {
		clear(col[:x.N])
		col[c] = 1
		num.SolveLU(block, x.perm[:x.N], x.N, col[:x.N])
		for r := range x.N {
			x.d[r*x.N+c] = col[r]
		}
	}
	return true
}

// adjugate overwrites a block of up to three unknowns by its adjugate and returns its determinant.
func (x *Node) adjugate() (det float64) {
	a := &x.d
	switch x.N {
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
func (x *Node) solve(y []float64) {
	a := &x.d
	switch len(y) {
	case 1:
		y[0] *= a[0]
	case 2:
		y[0], y[1] = a[0]*y[0]+a[1]*y[1], a[2]*y[0]+a[3]*y[1]
	case 3:
		y[0], y[1], y[2] = a[0]*y[0]+a[1]*y[1]+a[2]*y[2], a[3]*y[0]+a[4]*y[1]+a[5]*y[2], a[6]*y[0]+a[7]*y[1]+a[8]*y[2]
	default:
		num.SolveLU(a[:x.N*x.N], x.perm[:x.N], x.N, y)
	}
}

// couple sets the blocks between a node and its parent: the rows of the joint on the velocities of
// the body.
func (t *Tree) couple(s *Inverse, x, p *Node) {
	joint, body, rows, columns := x, p, &x.up, &x.down
	if x.Body >= 0 {
		joint, body, rows, columns = p, x, &x.down, &x.up
	}
	for k := range joint.m {
		pushes, feels := s.Bands[joint.Row+k].on(body.Body)
		for c := range body.N {
			rows[k*body.N+c], columns[c*joint.m+k] = feels[c], pushes[c]
		}
	}
}

// solve overwrites the stacked right side z by the solution.
func (t *Tree) solve(z []float64) {
	for i := range t.Nodes {
		x := &t.Nodes[i]
		y := z[x.at : x.at+x.N]
		x.solve(y)
		if x.Parent < 0 {
			continue
		}
		p := &t.Nodes[x.Parent]
		at := z[p.at : p.at+p.N]
		for r := range at {
			sum := 0.0
			for k, v := range y {
				sum += x.down[r*x.N+k] * v
			}
			at[r] -= sum
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		x := &t.Nodes[i]
		if x.Parent < 0 {
			continue
		}
		p := &t.Nodes[x.Parent]
		at := z[p.at : p.at+p.N]
		for k := range x.N {
			sum := 0.0
			for c, v := range at {
				sum += x.up[k*p.N+c] * v
			}
			z[x.at+k] -= sum
		}
	}
}

package factor

import (
	"slices"

	"github.com/quasistatic/quasistatic/internal/counting"
)

// tree is the elimination tree of a graph in a given order. Positions, not
// vertices, index all arrays; the order is a postorder, so that the
// descendants of a position directly precede it.
type tree struct {
	order  []int32 // vertex at each position
	parent []int32 // -1 at roots, else greater than the position
	weight []int32 // columns of the vertex
	count  []int   // rows of the first column of L of the vertex, diagonal included
}

// newTree builds the elimination tree of g for the given order of the
// vertices, renumbers it as a postorder (which keeps the fill) and counts.
func newTree(g *graph, order []int32) *tree {
	t := &tree{order: order, weight: make([]int32, g.n)}
	t.parent = eliminationTree(g, order)
	t.renumber(g, postorder(t.parent, nil))
	t.countColumns(g)
	// The child with the longest column last, next to its parent: the most
	// likely to share a supernode with it, and the last on the stack of updates.
	size := make([]int32, g.n)
	for k, c := range t.count {
		size[k] = int32(c) - t.weight[k]
	}
	t.renumber(g, postorder(t.parent, counting.Order(g.total, size)))
	return t
}

// renumber makes post[k] the position k.
func (t *tree) renumber(g *graph, post []int32) {
	pos := inverse(post)
	old := *t
	t.order, t.parent, t.weight = make([]int32, g.n), make([]int32, g.n), make([]int32, g.n)
	if old.count != nil {
		t.count = make([]int, g.n)
	}
	for k, p := range post {
		t.order[k] = old.order[p]
		t.weight[k] = g.weight[old.order[p]]
		t.parent[k] = -1
		if up := old.parent[p]; up >= 0 {
			t.parent[k] = pos[up]
		}
		if old.count != nil {
			t.count[k] = old.count[p]
		}
	}
}

// identity returns the numbers from 0 to n-1.
func identity(n int) []int32 {
	order := make([]int32, n)
	for k := range order {
		order[k] = int32(k)
	}
	return order
}

// inverse returns the position of each vertex.
func inverse(order []int32) []int32 {
	pos := make([]int32, len(order))
	for k, v := range order {
		pos[v] = int32(k)
	}
	return pos
}

// eliminationTree is the algorithm of [Liu90]: row k hangs the roots of all
// subtrees it meets below k; paths to the roots are shortened on the way.
func eliminationTree(g *graph, order []int32) []int32 {
	pos := inverse(order)
	parent := make([]int32, g.n)
	ancestor := make([]int32, g.n)
	for k := range int32(g.n) {
		parent[k], ancestor[k] = -1, -1
		for _, u := range g.neighbours(order[k]) {
			for i := pos[u]; i >= 0 && i < k; {
				next := ancestor[i]
				ancestor[i] = k
				if next < 0 {
					parent[i] = k
				}
				i = next
			}
		}
	}
	return parent
}

// children returns the first child and next sibling of each position in the
// sequence given, or ascending if it is nil, -1 at the end. The list of the
// roots begins at head[len(parent)].
func children(parent, sequence []int32) (head, next []int32) {
	n := len(parent)
	head = make([]int32, n+1)
	next = make([]int32, n)
	for i := range head {
		head[i] = -1
	}
	for k := n - 1; k >= 0; k-- {
		i := int32(k)
		if sequence != nil {
			i = sequence[k]
		}
		p := parent[i]
		if p < 0 {
			p = int32(n)
		}
		next[i] = head[p]
		head[p] = i
	}
	return head, next
}

// postorder returns the positions such that every subtree is contiguous and
// siblings follow the sequence (see children).
func postorder(parent, sequence []int32) []int32 {
	head, next := children(parent, sequence)
	n := len(parent)
	post := make([]int32, 0, n)
	stack := make([]int32, 0, n)
	for root := head[n]; root >= 0; root = next[root] {
		stack = append(stack, root)
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			if child := head[top]; child >= 0 {
				head[top] = next[child] // visited once, then dropped
				stack = append(stack, child)
				continue
			}
			post = append(post, top)
			stack = stack[:len(stack)-1]
		}
	}
	return post
}

// countColumns is the algorithm of [GNP94] in nearly O(nnz(A)): a column of L
// gains a row for each leaf of that row's subtree below it and loses one where
// two of them meet. Rows count with their weights.
func (t *tree) countColumns(g *graph) {
	n := g.n
	pos := inverse(t.order)
	first := firstDescendants(t.parent)
	delta := make([]int, n)
	reached := make([]int32, n)  // largest first descendant seen from row i
	previous := make([]int32, n) // last leaf of the subtree of row i
	set := slices.Clone(pos)     // union-find of finished subtrees
	for k := range int32(n) {
		reached[k], previous[k], set[k] = -1, -1, k
		if first[k] == k {
			delta[k] = int(t.weight[k])
		}
	}
	for k := range int32(n) {
		if p := t.parent[k]; p >= 0 {
			delta[p] -= int(t.weight[k])
		}
		for _, u := range g.neighbours(t.order[k]) {
			i := pos[u]
			if i <= k || first[k] <= reached[i] {
				continue // above the diagonal, or k is no leaf for row i
			}
			w := int(t.weight[i])
			reached[i] = first[k]
			delta[k] += w
			if previous[i] >= 0 {
				delta[find(set, previous[i])] -= w
			}
			previous[i] = k
		}
		if p := t.parent[k]; p >= 0 {
			set[k] = p
		}
	}
	for k, p := range t.parent {
		if p >= 0 {
			delta[p] += delta[k]
		}
	}
	t.count = delta
}

// firstDescendants returns the smallest position in each subtree.
func firstDescendants(parent []int32) []int32 {
	first := make([]int32, len(parent))
	for k := range first {
		first[k] = int32(k)
	}
	for k, p := range parent {
		if p >= 0 {
			first[p] = min(first[p], first[k])
		}
	}
	return first
}

// find returns the root of the set of i and shortens its path.
func find(set []int32, i int32) int32 {
	root := i
	for set[root] != root {
		root = set[root]
	}
	for set[i] != root {
		set[i], i = root, set[i]
	}
	return root
}

// nnz and flops predict the entries of L and the operations of Cholesky,
// Σ c_j and Σ c_j² over the columns.
func (t *tree) nnz() int {
	sum := 0
	for k, c := range t.count {
		w := int(t.weight[k])
		sum += w*c - w*(w-1)/2
	}
	return sum
}

func (t *tree) flops() float64 {
	sum := 0.0
	for k, c := range t.count {
		for i := range int(t.weight[k]) {
			sum += float64(c-i) * float64(c-i)
		}
	}
	return sum
}

// structure returns the rows of each column of L as ascending positions, the
// column itself excluded: those of A and of the children in the tree.
func (t *tree) structure(g *graph) [][]int32 {
	pos := inverse(t.order)
	rows := make([][]int32, g.n)
	mark := make([]int32, g.n)
	head, next := children(t.parent, nil)
	for k := range int32(g.n) {
		mark[k] = k + 1
		var list []int32
		add := func(from []int32) {
			for _, i := range from {
				if i > k && mark[i] != k+1 {
					mark[i] = k + 1
					list = append(list, i)
				}
			}
		}
		for _, u := range g.neighbours(t.order[k]) {
			add([]int32{pos[u]})
		}
		for c := head[k]; c >= 0; c = next[c] {
			add(rows[c])
		}
		slices.Sort(list)
		rows[k] = list
	}
	return rows
}

// columns expands the order of the vertices to that of the columns: entry k is
// the column of A that is eliminated k-th. start holds the place of the first
// column of each position.
func (t *tree) columns(g *graph) (perm []int32, start []int) {
	perm = make([]int32, 0, g.total)
	start = make([]int, g.n+1)
	for k, v := range t.order {
		perm = append(perm, g.dof[g.dofPtr[v]:g.dofPtr[v+1]]...)
		start[k+1] = len(perm)
	}
	return perm, start
}

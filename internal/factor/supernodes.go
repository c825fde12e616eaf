package factor

import "slices"

// partition groups consecutive columns of L of (nearly) equal structure into
// supernodes. Supernode s owns the columns first[s] to first[s+1]; below them
// its panel has the rows rows[rowPtr[s]:rowPtr[s+1]]. Rows and columns are
// places in the elimination order.
type partition struct {
	perm   []int32 // column of A eliminated k-th
	first  []int32
	parent []int32 // -1 at roots
	rowPtr []int
	rows   []int32
	place  []int32 // row of the parent's front for each of rows
	panel  []int   // offset of each panel in the values of L
}

func (s *partition) count() int              { return len(s.parent) }
func (s *partition) width(i int) int         { return int(s.first[i+1] - s.first[i]) }
func (s *partition) below(i int) int         { return s.rowPtr[i+1] - s.rowPtr[i] }
func (s *partition) belowRows(i int) []int32 { return s.rows[s.rowPtr[i]:s.rowPtr[i+1]] }

// entries is the number of entries of L that are stored, zeros included.
func (s *partition) entries() int {
	sum := 0
	for i := range s.count() {
		k := s.width(i)
		sum += k*(k+1)/2 + k*s.below(i)
	}
	return sum
}

// flops is the number of operations to eliminate supernode i, Σ c² over its
// columns.
func (s *partition) flops(i int) float64 {
	k, r := float64(s.width(i)), float64(s.below(i))
	return k*r*(r+k) + k*k*k/3
}

// newPartition finds the supernodes of t, joins small ones and lists the rows.
func newPartition(g *graph, t *tree) *partition {
	starts := mergeSupernodes(t, fundamental(t))
	s := &partition{}
	var start []int
	s.perm, start = t.columns(g)
	parent, nodeRows := supernodeRows(g, t, starts)
	s.parent = parent
	s.first = make([]int32, len(starts))
	for i, p := range starts {
		s.first[i] = int32(start[p])
	}
	s.rowPtr = make([]int, len(starts))
	s.panel = make([]int, len(starts))
	for i, list := range nodeRows {
		for _, v := range list {
			for r := start[v]; r < start[v+1]; r++ {
				s.rows = append(s.rows, int32(r))
			}
		}
		s.rowPtr[i+1] = len(s.rows)
		s.panel[i+1] = s.panel[i] + (s.width(i)+s.below(i))*s.width(i)
	}
	s.place = placesInParent(s)
	return s
}

// fundamental returns the first positions of the maximal runs k, k+1, ... in
// which each column is the parent of the one before and loses just that row;
// the number of positions is the last entry.
func fundamental(t *tree) []int32 {
	n := len(t.parent)
	starts := make([]int32, 0, n/2+1)
	for k := range n {
		if k == 0 || int(t.parent[k-1]) != k || t.count[k-1]-int(t.weight[k-1]) != t.count[k] {
			starts = append(starts, int32(k))
		}
	}
	return append(starts, int32(n))
}

// run is a candidate supernode during merging.
type run struct {
	start   int32
	columns int // width
	rows    int // rows of the panel, diagonal block included
	zeros   int // entries of the panel that L does not have
}

// mergeSupernodes joins a supernode with its last child while the zeros this
// stores are few: any share up to 4 columns, 80 % up to 16, 10 % up to 48, 5 %
// beyond, the rule of [CDHR08].
func mergeSupernodes(t *tree, starts []int32) []int32 {
	stack := make([]run, 0, len(starts))
	for i := range len(starts) - 1 {
		next := run{start: starts[i], rows: t.count[starts[i]]}
		for p := starts[i]; p < starts[i+1]; p++ {
			next.columns += int(t.weight[p])
		}
		for len(stack) > 0 {
			joined, worth := join(stack[len(stack)-1], next)
			if !worth || !parentWithin(t, next.start, starts[i+1]) {
				break
			}
			next = joined
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, next)
	}
	merged := make([]int32, 0, len(stack)+1)
	for _, r := range stack {
		merged = append(merged, r.start)
	}
	return append(merged, starts[len(starts)-1])
}

// parentWithin tells whether the parent of the position before start lies in
// the run from start to end.
func parentWithin(t *tree, start, end int32) bool {
	p := t.parent[start-1]
	return p >= start && p < end
}

func join(child, next run) (run, bool) {
	k := child.columns
	r := run{start: child.start, columns: k + next.columns, rows: k + next.rows}
	r.zeros = child.zeros + next.zeros + k*(next.rows-(child.rows-k))
	total := r.columns*r.rows - r.columns*(r.columns-1)/2
	share := float64(r.zeros) / float64(total)
	switch {
	case r.columns <= 4:
		return r, true
	case r.columns <= 16:
		return r, share < 0.8
	case r.columns <= 48:
		return r, share < 0.1
	}
	return r, share < 0.05
}

// supernodeRows lists, for each supernode, the positions of its rows below the
// diagonal block, ascending, and its parent, the owner of the first of them.
func supernodeRows(g *graph, t *tree, starts []int32) (parent []int32, rows [][]int32) {
	count := len(starts) - 1
	pos := inverse(t.order)
	owner := make([]int32, g.n)
	for s := range count {
		for k := starts[s]; k < starts[s+1]; k++ {
			owner[k] = int32(s)
		}
	}
	parent = make([]int32, count)
	rows = make([][]int32, count)
	head, next := make([]int32, count), make([]int32, count) // children so far
	for s := range count {
		head[s], next[s] = -1, -1
	}
	mark := make([]int32, g.n)
	for s := range int32(count) {
		end := starts[s+1]
		var list []int32
		add := func(i int32) {
			if i >= end && mark[i] != s+1 {
				mark[i] = s + 1
				list = append(list, i)
			}
		}
		for k := starts[s]; k < end; k++ {
			for _, u := range g.neighbours(t.order[k]) {
				add(pos[u])
			}
		}
		for c := head[s]; c >= 0; c = next[c] {
			for _, i := range rows[c] {
				add(i)
			}
		}
		slices.Sort(list)
		rows[s], parent[s] = list, -1
		if len(list) > 0 {
			p := owner[list[0]]
			parent[s], next[s], head[p] = p, head[p], s
		}
	}
	return parent, rows
}

// placesInParent locates the rows of each supernode in the front of its parent:
// columns of the diagonal block first, then the rows below.
func placesInParent(s *partition) []int32 {
	place := make([]int32, len(s.rows))
	for i, p := range s.parent {
		if p < 0 {
			continue
		}
		first, end := s.first[p], s.first[p+1]
		width, list, at := end-first, s.belowRows(int(p)), int32(0)
		out := place[s.rowPtr[i]:s.rowPtr[i+1]]
		for q, r := range s.belowRows(i) {
			if r < end {
				out[q] = r - first
				continue
			}
			for list[at] != r {
				at++
			}
			out[q] = width + at
		}
	}
	return place
}

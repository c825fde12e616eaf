package factor

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/counting"
)

// minDegree is the state of an approximate minimum degree ordering [ADD96] on
// the quotient graph. A vertex is a variable until it is eliminated and an
// element, the clique it left behind, from then on. The list of a variable
// holds first the elements, then the variables it is adjacent to; the list of
// an element holds its variables.
type minDegree struct {
	g          *graph
	inner      int32   // vertices from it on are halo
	space      []int32 // all lists
	spare      []int32 // the other half of the copying collector
	free       int     // first unused place of space
	start      []int
	length     []int32
	elements   []int32 // leading elements in the list of a variable
	weight     []int32 // columns of a variable; negative: in the current element; 0: merged or gone
	degree     []int32 // variable: bound of the external degree; element: weight of its list
	mark       []int   // 0: dead element; see stamp
	stamp      int     // marks below it are stale
	parent     []int32 // the element or variable that absorbed this one, -1 if none
	eliminated int     // columns numbered so far
	lists      degreeLists
	buckets    []int32 // variables of the current element by hash, linked in lists.next
	hash       []int32
	pivots     []int32 // elements in the order of elimination
}

// orderMinDegree returns an elimination order of the vertices below inner with
// low fill, in time close to O(nnz) on the graphs of meshes. The others, the
// halo, are eliminated later by someone else; they only count in the degrees. When the
// context is done there is no order: nil.
func orderMinDegree(ctx context.Context, g *graph, inner int) []int32 {
	m := newMinDegree(g, inner)
	dense := m.deferDense()
	m.initialDegrees()
	for me := m.lists.pop(); me >= 0; me = m.lists.pop() {
		if len(m.pivots)%pivotsBetween == 0 && ctx.Err() != nil {
			return nil
		}
		m.eliminate(me)
	}
	return append(m.number(), dense...)
}

// pivotsBetween is the number of pivots between two looks at the context: some
// microseconds each on meshes, below a millisecond where lists are longest.
const pivotsBetween = 64

func newMinDegree(g *graph, inner int) *minDegree {
	n := g.n
	m := &minDegree{
		g: g, inner: int32(inner), free: len(g.adj),
		space: make([]int32, len(g.adj)+len(g.adj)/5+n),
		start: slices.Clone(g.ptr[:n]), length: make([]int32, n), elements: make([]int32, n),
		weight: slices.Clone(g.weight), degree: make([]int32, n),
		mark: make([]int, n), stamp: 2, parent: make([]int32, n),
		buckets: make([]int32, n), hash: make([]int32, n), pivots: make([]int32, 0, n),
	}
	m.spare = make([]int32, len(m.space))
	copy(m.space, g.adj)
	m.lists = degreeLists{head: make([]int32, g.total+1), next: make([]int32, n), prev: make([]int32, n)}
	for d := range m.lists.head {
		m.lists.head[d] = -1
	}
	for i := range n {
		m.length[i] = int32(g.ptr[i+1] - g.ptr[i])
		m.mark[i], m.parent[i], m.buckets[i] = 1, -1, -1
	}
	return m
}

// deferDense takes out the vertices of very high degree, which would make
// every step slow, and returns them by ascending degree: they come last.
// The bound 10√n and the floor 16 are those of [ADD96].
func (m *minDegree) deferDense() []int32 {
	limit := max(16, 10*math.Sqrt(float64(m.g.total)))
	degree := func(v int32) int {
		sum := 0
		for _, u := range m.g.neighbours(v) {
			sum += int(m.g.weight[u])
		}
		return sum
	}
	var dense []int32
	for v := range int32(m.g.n) {
		if float64(degree(v)) > limit {
			if v < m.inner {
				dense = append(dense, v)
			}
			m.eliminated += int(m.weight[v])
			m.weight[v], m.length[v] = 0, 0
		}
	}
	slices.SortStableFunc(dense, func(u, v int32) int { return cmp.Compare(degree(u), degree(v)) })
	return dense
}

func (m *minDegree) initialDegrees() {
	for v := range m.g.n { // of equal degrees the last in goes first
		if m.weight[v] == 0 {
			continue
		}
		for _, u := range m.g.neighbours(int32(v)) {
			m.degree[v] += m.weight[u]
		}
		if int32(v) < m.inner {
			m.lists.insert(int32(v), m.degree[v])
		}
	}
}

func (m *minDegree) list(i int32) []int32 {
	return m.space[m.start[i] : m.start[i]+int(m.length[i])]
}

// eliminate turns the variable me into an element and updates the degrees of
// the variables around it.
func (m *minDegree) eliminate(me int32) {
	m.pivots = append(m.pivots, me)
	m.eliminated += int(m.weight[me])
	m.weight[me] = -m.weight[me]
	m.formElement(me)
	m.measureOverlaps(me)
	m.updateDegrees(me)
	m.stamp += m.g.total + 1
	m.mergeIndistinguishable(me)
	m.finishElement(me)
}

// formElement gathers the variables of me and of the elements adjacent to it,
// which me absorbs, at the end of space. Their weights turn negative and they
// leave the degree lists.
func (m *minDegree) formElement(me int32) {
	need := int(m.length[me])
	for _, e := range m.list(me)[:m.elements[me]] {
		need += int(m.length[e])
	}
	m.reserve(need)
	begin, size := m.free, int32(0)
	gather := func(from []int32) {
		for _, i := range from {
			if w := m.weight[i]; w > 0 {
				size += w
				m.weight[i] = -w
				if i < m.inner {
					m.lists.remove(i, m.degree[i])
				}
				m.space[m.free] = i
				m.free++
			}
		}
	}
	own := m.list(me)
	for _, e := range own[:m.elements[me]] {
		if m.mark[e] != 0 {
			gather(m.list(e))
			m.absorb(e, me)
		}
	}
	gather(own[m.elements[me]:])
	m.start[me], m.length[me], m.degree[me] = begin, int32(m.free-begin), size
}

// absorb kills the element e in favour of me.
func (m *minDegree) absorb(e, me int32) {
	m.parent[e], m.mark[e], m.length[e] = me, 0, 0
}

// measureOverlaps leaves mark[e] - stamp = |L_e \ L_me| for every element e
// that shares a variable with me.
func (m *minDegree) measureOverlaps(me int32) {
	for _, i := range m.list(me) {
		w := int(-m.weight[i])
		for _, e := range m.list(i)[:m.elements[i]] {
			if m.mark[e] >= m.stamp {
				m.mark[e] -= w
			} else if m.mark[e] != 0 {
				m.mark[e] = m.stamp + int(m.degree[e]) - w
			}
		}
	}
}

// updateDegrees rewrites the list of every variable of me: dead elements,
// elements contained in me and variables of me drop out, me comes first. A
// variable adjacent to me alone is eliminated with it ("mass elimination").
func (m *minDegree) updateDegrees(me int32) {
	for _, i := range m.list(me) {
		degree, key := m.pruneList(i, me)
		if m.length[i] == 0 && i < m.inner {
			w := -m.weight[i]
			m.parent[i], m.weight[i] = me, 0
			m.weight[me] -= w
			m.degree[me] -= w
			m.eliminated += int(w)
			continue
		}
		m.prepend(i, me)
		m.degree[i] = min(m.degree[i], degree)
		b := key % int32(m.g.n)
		m.hash[i] = b
		m.lists.next[i] = m.buckets[b]
		m.buckets[b] = i
	}
}

// pruneList compacts the list of i and returns the bound of its degree outside
// me and the hash of what is left.
func (m *minDegree) pruneList(i, me int32) (degree, hash int32) {
	list, kept := m.list(i), 0
	var key uint32
	for _, e := range list[:m.elements[i]] {
		if m.mark[e] == 0 {
			continue
		}
		outside := m.mark[e] - m.stamp
		if outside == 0 {
			m.absorb(e, me) // aggressive absorption: L_e is a subset of L_me
			continue
		}
		degree += int32(outside)
		list[kept] = e
		key += uint32(e)
		kept++
	}
	elements := kept
	for _, j := range list[m.elements[i]:] {
		if w := m.weight[j]; w > 0 {
			degree += w
			list[kept] = j
			key += uint32(j)
			kept++
		}
	}
	m.elements[i], m.length[i] = int32(elements), int32(kept)
	return degree, int32(key & math.MaxInt32)
}

// prepend puts me before the elements of i. There is room: me itself, or an
// element that me absorbed, has just left the list.
func (m *minDegree) prepend(i, me int32) {
	first := m.start[i]
	m.length[i]++
	list := m.space[first : first+int(m.length[i])]
	k := m.elements[i]
	list[len(list)-1] = list[k]
	list[k] = list[0]
	list[0] = me
	m.elements[i]++
}

// mergeIndistinguishable joins variables of me with equal lists.
func (m *minDegree) mergeIndistinguishable(me int32) {
	next := m.lists.next
	for _, k := range m.list(me) {
		if m.weight[k] == 0 {
			continue
		}
		i := m.buckets[m.hash[k]]
		m.buckets[m.hash[k]] = -1
		for ; i >= 0 && next[i] >= 0; i = next[i] {
			m.stamp++
			for _, x := range m.list(i) {
				m.mark[x] = m.stamp
			}
			before := i
			for j := next[i]; j >= 0; j = next[j] {
				if m.sameList(i, j) {
					m.parent[j] = i
					m.weight[i] += m.weight[j]
					m.weight[j] = 0
					next[before] = next[j]
				} else {
					before = j
				}
			}
		}
	}
}

// sameList tells whether j's list equals that of i, which is marked.
func (m *minDegree) sameList(i, j int32) bool {
	if m.length[i] != m.length[j] || m.elements[i] != m.elements[j] || (i < m.inner) != (j < m.inner) {
		return false
	}
	for _, x := range m.list(j) {
		if m.mark[x] != m.stamp {
			return false
		}
	}
	return true
}

// finishElement returns the variables of me to the degree lists and drops from
// its list those that were merged or eliminated.
func (m *minDegree) finishElement(me int32) {
	m.stamp++
	list, kept := m.list(me), 0
	outside := m.degree[me]
	for _, i := range list {
		w := -m.weight[i]
		if w == 0 {
			continue
		}
		m.weight[i] = w
		bound := int32(m.g.total-m.eliminated) - w
		m.degree[i] = max(0, min(m.degree[i]+outside-w, bound))
		if i < m.inner {
			m.lists.insert(i, m.degree[i])
		}
		list[kept] = i
		kept++
	}
	m.length[me] = int32(kept)
	m.free = m.start[me] + kept
	m.weight[me] = 0
	m.mark[me] = 1
	if kept == 0 {
		m.mark[me] = 0
	}
}

// reserve makes room for need more entries. Live lists move together to the
// spare half; the halves grow only if that is not enough.
func (m *minDegree) reserve(need int) {
	if m.free+need <= len(m.space) {
		return
	}
	to := 0
	for i := range m.start {
		if m.length[i] > 0 {
			copied := copy(m.spare[to:], m.list(int32(i)))
			m.start[i] = to
			to += copied
		}
	}
	m.space, m.spare, m.free = m.spare, m.space, to
	if m.free+need > len(m.space) {
		m.space = slices.Grow(m.space, need+need/2)[:len(m.space)+need+need/2]
		m.spare = make([]int32, len(m.space))
	}
}

// number lists each element followed by the variables it stands for.
func (m *minDegree) number() []int32 {
	rank := make([]int32, m.g.n)
	for i := range rank {
		rank[i] = -1
	}
	for k, e := range m.pivots {
		rank[e] = int32(k)
	}
	resolve := func(i int32) int32 {
		root := i
		for rank[root] < 0 {
			root = m.parent[root]
		}
		for k := i; k != root; {
			up := m.parent[k]
			m.parent[k], k = root, up
		}
		return rank[root]
	}
	order := make([]int32, 0, m.g.n)
	owner := make([]int32, 0, m.g.n)
	for i := range m.inner {
		if rank[i] >= 0 || m.parent[i] >= 0 {
			order = append(order, i)
			owner = append(owner, resolve(i))
		}
	}
	sorted := counting.Order(len(m.pivots), owner)
	for k, p := range sorted {
		sorted[k] = order[p]
	}
	return sorted
}

package sparse

import (
	"cmp"
	"container/heap"
	"slices"
)

// schedule says in which order fronts are eliminated and where their update
// matrices live. Tasks are disjoint subtrees, one goroutine each; the top, all
// other supernodes, follows one by one, the rows of a front being shared. It
// decides who computes, never what: results do not depend on it.
type schedule struct {
	workers   int
	tasks     []task
	top       []int32
	childHead []int32
	childNext []int32
	update    []int // offset of each update matrix in the arena
	arenaSize int
}

// task is the subtree of the supernodes from to end.
type task struct {
	from, end int
	flops     float64
}

// sharedFlops is the work from which on goroutines are used at all: some
// milliseconds, against some microseconds to wake one.
const sharedFlops = 2e7

func newSchedule(s *partition, workers int) *schedule {
	c := &schedule{workers: workers}
	c.childHead, c.childNext = children(s.parent, nil)
	domain := c.split(s)
	c.placeUpdates(s, domain)
	return c
}

// subtrees is a heap of tasks, the largest first.
type subtrees []task

func (h subtrees) Len() int           { return len(h) }
func (h subtrees) Less(i, j int) bool { return h[i].flops > h[j].flops }
func (h subtrees) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *subtrees) Push(x any)        { *h = append(*h, x.(task)) }
func (h *subtrees) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = (*h)[:last]
	return t
}

// split opens the largest subtree until none has more than its share of the
// work; the opened roots are the top. It returns the task of each supernode,
// for the top the number of tasks.
func (c *schedule) split(s *partition) []int {
	if c.workers > 1 {
		c.tasks = c.openLargest(s)
	}
	domain := make([]int, s.count())
	for i := range domain {
		domain[i] = len(c.tasks)
	}
	for k, t := range c.tasks {
		for i := t.from; i < t.end; i++ {
			domain[i] = k
		}
	}
	for i, d := range domain {
		if d == len(c.tasks) {
			c.top = append(c.top, int32(i))
		}
	}
	return domain
}

func (c *schedule) openLargest(s *partition) []task {
	n := s.count()
	flops := make([]float64, n+1)
	for i, p := range s.parent {
		flops[i] += s.flops(i)
		if p < 0 {
			p = int32(n)
		}
		flops[p] += flops[i]
	}
	if flops[n] < sharedFlops {
		return nil
	}
	first := firstDescendants(s.parent)
	h := &subtrees{}
	push := func(i int32) {
		for ; i >= 0; i = c.childNext[i] {
			heap.Push(h, task{from: int(first[i]), end: int(i) + 1, flops: flops[i]})
		}
	}
	push(c.childHead[n])
	for h.Len() > 0 && (*h)[0].flops > flops[n]/float64(4*c.workers) {
		push(c.childHead[heap.Pop(h).(task).end-1])
	}
	slices.SortFunc(*h, func(t, u task) int {
		return cmp.Or(cmp.Compare(u.flops, t.flops), cmp.Compare(t.from, u.from))
	})
	return *h
}

// placeUpdates gives each task and the top two stacks of update matrices, used
// by the parity of the depth in the tree. When a front is complete, the
// matrices of its children are the last of one stack and its own goes on the
// other, so that nothing ever moves.
func (c *schedule) placeUpdates(s *partition, domain []int) {
	n := s.count()
	side := make([]int, n) // the stack: 2·domain + parity
	for i := n - 1; i >= 0; i-- {
		side[i] = 2 * domain[i]
		if p := s.parent[i]; p >= 0 {
			side[i] += 1 - side[p]&1
		}
	}
	used, peak := make([]int, 2*len(c.tasks)+2), make([]int, 2*len(c.tasks)+2)
	c.update = make([]int, n)
	for i := range n {
		at := side[i]
		c.update[i] = used[at]
		used[at] += s.below(i) * s.below(i)
		peak[at] = max(peak[at], used[at])
		for child := c.childHead[i]; child >= 0; child = c.childNext[child] {
			if domain[child] == domain[i] {
				used[side[child]] -= s.below(int(child)) * s.below(int(child))
			}
		}
	}
	base := used // all zero again
	for k, p := range peak {
		base[k] = c.arenaSize
		c.arenaSize += p
	}
	for i := range n {
		c.update[i] += base[side[i]]
	}
}

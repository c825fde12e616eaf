package factor

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
	update    []int  // offset of each update matrix in the arena,
	onStack   []bool // or in the stacks of the worker
	stackBase int    // stacks of the first worker
	stackSize int    // of one worker
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

// newSchedule shares the fronts of s among workers if they take the work given or more.
func newSchedule(s *partition, workers int, least float64) *schedule {
	c := &schedule{workers: workers}
	c.childHead, c.childNext = children(s.parent, nil)
	domain := c.split(s, least)
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
func (c *schedule) split(s *partition, least float64) []int {
	if c.workers > 1 {
		c.tasks = c.openLargest(s, least)
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

func (c *schedule) openLargest(s *partition, least float64) []task {
	n := s.count()
	flops := make([]float64, n+1)
	for i, p := range s.parent {
		flops[i] += s.flops(i)
		if p < 0 {
			p = int32(n)
		}
		flops[p] += flops[i]
	}
	if flops[n] < least {
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

// placeUpdates gives each worker, and the top, two stacks of update matrices,
// used by the parity of the depth in the tree. When a front is complete, the
// matrices of its children are the last of one stack and its own goes on the
// other, so that nothing ever moves. The matrix of the root of a task outlives
// the stacks of its worker and has a place of its own.
func (c *schedule) placeUpdates(s *partition, domain []int) {
	n, top := s.count(), len(c.tasks)
	odd := make([]int, n) // parity of the depth
	for i := n - 1; i >= 0; i-- {
		if p := s.parent[i]; p >= 0 {
			odd[i] = 1 - odd[p]
		}
	}
	c.update, c.onStack = make([]int, n), make([]bool, n)
	var taskPeak, topPeak [2]int
	var used [2][2]int // stacks of the task at hand, of the top
	for i := range n {
		size, isTop := s.below(i)*s.below(i), 0
		if domain[i] == top {
			isTop = 1
		}
		if p := s.parent[i]; isTop == 0 && (p < 0 || domain[p] == top) {
			c.update[i] = c.arenaSize
			c.arenaSize += size
		} else {
			c.onStack[i] = true
			c.update[i] = used[isTop][odd[i]]
			used[isTop][odd[i]] += size
		}
		peak := &taskPeak
		if isTop == 1 {
			peak = &topPeak
		}
		peak[odd[i]] = max(peak[odd[i]], used[isTop][odd[i]])
		for child := c.childHead[i]; child >= 0; child = c.childNext[child] {
			if c.onStack[child] {
				used[isTop][odd[child]] -= s.below(int(child)) * s.below(int(child))
			}
		}
	}
	c.bases(odd, domain, taskPeak, topPeak)
}

// bases makes the offsets of the top absolute and those of the tasks relative
// to the stacks of their workers, which follow in the arena.
func (c *schedule) bases(odd, domain []int, taskPeak, topPeak [2]int) {
	for i, parity := range odd {
		switch {
		case domain[i] == len(c.tasks):
			c.update[i] += c.arenaSize + parity*topPeak[0]
			c.onStack[i] = false
		case c.onStack[i]:
			c.update[i] += parity * taskPeak[0]
		}
	}
	c.arenaSize += topPeak[0] + topPeak[1]
	c.stackBase = c.arenaSize
	c.stackSize = taskPeak[0] + taskPeak[1]
	c.arenaSize += c.workers * c.stackSize
}

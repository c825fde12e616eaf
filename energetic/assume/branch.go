package assume

import (
	"container/heap"
	"math"
)

// branch is a part of the search tree: the K that contain the particles in and
// none of out. With U the undecided ones and I = I_c ∪ in,
//
//	α_K >= α_I,   q_K <= Q(I ∪ U over the columns free under I),
//
// the first by monotony of α, the second because K adds rows and removes columns.
type branch struct {
	in, out []int
	alpha   Interval
	q       float64 // Q
	next    int     // particle of U with the largest share in Q; -1: U is empty
}

func (b *branch) bound() float64 { return b.alpha.Lo - b.q }

// branches is a heap with the smallest margin bound on top.
type branches []*branch

func (h branches) Len() int           { return len(h) }
func (h branches) Less(i, j int) bool { return h[i].bound() < h[j].bound() }
func (h branches) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *branches) Push(x any) { *h = append(*h, x.(*branch)) }

// Pop implements heap.Interface.
func (h *branches) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// search finds min_K (α_K − q_K) between two bounds, best bound first.
type search struct {
	p    *separationProblem
	s    *Separation
	open branches
	best float64 // smallest α_K − q_K of a K computed
	low  float64 // smallest α_I/Q of a branch that was cut
}

func newSearch(p *separationProblem, s *Separation) *search {
	return &search{p: p, s: s, best: math.Inf(1), low: math.Inf(1)}
}

func (r *search) run() {
	root := &branch{}
	r.evaluate(root)
	r.enter(root)
	r.evaluateAll()
	for len(r.open) > 0 && r.s.Nodes < r.p.limit && r.p.ctx.Err() == nil {
		b := r.open[0]
		if b.bound() >= r.best-marginTolerance*math.Abs(b.alpha.Hi) {
			break // no K anywhere is worse than the one at hand
		}
		heap.Pop(&r.open)
		r.split(b)
	}
	r.finish()
}

// split decides the particle with the largest share, both ways.
func (r *search) split(b *branch) {
	with := &branch{in: appended(b.in, b.next), out: b.out}
	r.evaluate(with)
	r.enter(with)
	r.enter(&branch{in: b.in, out: appended(b.out, b.next), alpha: b.alpha})
}

// appended copies, for branches share their lists.
func appended(list []int, j int) []int { return append(append([]int(nil), list...), j) }

// evaluate computes (N4) for K = I, the smallest set of the branch.
func (r *search) evaluate(b *branch) {
	fixed := r.p.set(b.in)
	sub, soft, share := r.p.subset(fixed)
	b.alpha = sub.Alpha
	r.take(sub, soft, share)
}

// evaluateAll computes K = I_c ∪ I_s.
func (r *search) evaluateAll() { r.take(r.p.subset(r.p.set(r.p.switching))) }

// take notes a computed K.
func (r *search) take(sub Subset, soft, share []float64) {
	m := sub.Margin()
	if r.s.Soft == nil || m.Lo < r.s.Worst.Margin().Lo {
		r.s.Worst, r.s.Soft, r.s.Share = sub, soft, share
	}
	r.best = min(r.best, m.Hi)
	r.s.Factor.Hi = min(r.s.Factor.Hi, ratio(sub.Alpha, sub.Q).Hi)
	if kept(len(r.s.Subsets), sub.Verdict) {
		r.s.Subsets = append(r.s.Subsets, sub)
	}
}

// kept reports whether one more K is, of which so many are: of those without (N4) twice as many.
func kept(count int, v Verdict) bool {
	return count < 4*listLimit || v != Holds && count < 8*listLimit
}

// enter bounds a branch and opens it. A branch without undecided particles was
// evaluated already.
func (r *search) enter(b *branch) {
	r.s.Nodes++
	fixed := r.p.set(b.in)
	all := append([]bool(nil), fixed...)
	for _, j := range r.p.switching {
		all[j] = true
	}
	for _, j := range b.out {
		all[j] = false
	}
	q, share := r.p.q(all, fixed)
	b.q, b.next = q.Hi, -1
	for _, j := range r.p.switching {
		if all[j] && !fixed[j] && (b.next < 0 || share[j] > share[b.next]) {
			b.next = j
		}
	}
	if b.next < 0 {
		r.low = min(r.low, ratio(b.alpha, q).Lo)
		r.best = min(r.best, b.bound()) // its own K: the bound is the margin, from below
		return
	}
	heap.Push(&r.open, b)
}

// finish closes both bounds over the branches left open.
func (r *search) finish() {
	s := r.s
	s.Margin = exactly(r.best)
	s.Factor.Lo = min(r.low, s.Factor.Hi)
	for _, b := range r.open {
		s.Margin.Lo = min(s.Margin.Lo, b.bound())
		s.Factor.Lo = min(s.Factor.Lo, ratio(b.alpha, Interval{Hi: b.q}).Lo)
	}
	s.Margin.Lo = min(s.Margin.Lo, s.Worst.Margin().Lo)
	s.order()
}

package rigid

import (
	"context"

	"github.com/quasistatic/quasistatic/contact"
)

// islands are the sets of contacts that W couples. Each is a problem of its own,
// solved in the order of its first contact: a hard one does not make the others
// iterate, and single contacts are solved in closed form.
type islands struct {
	root  []int
	order []int // contacts by islands
	ptr   []int // order[ptr[k]:ptr[k+1]] is island k
	at    []int // place of a contact in its island
	whole island
	part  island
}

// island is what the solvers see of a problem.
type island struct {
	list []int
	w    contact.Blocks
	b, r []float64
	laws []contact.Law
}

// find sets the islands of W.
func (x *islands) find(w *contact.Blocks, nc int) {
	x.root, x.at = grow(x.root, nc), grow(x.at, nc)
	for i := range x.root {
		x.root[i] = i
	}
	up := func(i int) int {
		for x.root[i] != i {
			x.root[i] = x.root[x.root[i]]
			i = x.root[i]
		}
		return i
	}
	for i := range nc {
		for _, j := range w.Col[w.Ptr[i]:w.Ptr[i+1]] {
			if a, b := up(i), up(j); a != b {
				x.root[max(a, b)] = min(a, b)
			}
		}
	}
	// Roots are the first contacts, which number their islands.
	x.ptr = append(x.ptr[:0], 0)
	for i := range nc {
		if up(i) == i {
			x.at[i] = len(x.ptr) - 1
			x.ptr = append(x.ptr, 0)
		}
	}
	for i := range nc {
		x.ptr[x.at[up(i)]+1]++
	}
	for k := 1; k < len(x.ptr); k++ {
		x.ptr[k] += x.ptr[k-1]
	}
	x.order = grow(x.order, nc)
	for i := range nc { // ptr[k] moves to the end of island k …
		k := x.at[up(i)]
		x.order[x.ptr[k]] = i
		x.ptr[k]++
	}
	copy(x.ptr[1:], x.ptr[:len(x.ptr)-1]) // … and back
	x.ptr[0] = 0
	for k := range len(x.ptr) - 1 {
		for n, i := range x.order[x.ptr[k]:x.ptr[k+1]] {
			x.at[i] = n
		}
	}
}

// solve finds the impulses p.r; on entry they are a guess.
func (s *Stepper) solve(ctx context.Context) error {
	p := &s.p
	nc := len(p.list)
	if nc == 0 {
		return nil
	}
	s.step.Solves++
	x := &p.islands
	x.find(&p.w, nc)
	if len(x.ptr) == 2 {
		return s.solveIsland(ctx)
	}
	x.whole = island{p.list, p.w, p.b, p.r, p.laws}
	defer func() {
		x.part = island{p.list, p.w, p.b, p.r, p.laws}
		p.list, p.w, p.b, p.r, p.laws = x.whole.list, x.whole.w, x.whole.b, x.whole.r, x.whole.laws
	}()
	p.list, p.w, p.b, p.r, p.laws = x.part.list, x.part.w, x.part.b, x.part.r, x.part.laws
	for k := range len(x.ptr) - 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		members := x.order[x.ptr[k]:x.ptr[k+1]]
		p.cutOut(members)
		if err := s.solveIsland(ctx); err != nil {
			return err
		}
		for n, i := range members {
			copy(x.whole.r[i*p.dim:(i+1)*p.dim], p.r[n*p.dim:(n+1)*p.dim])
		}
	}
	return nil
}

// cutOut makes the problem of an island of the whole one.
func (p *problem) cutOut(members []int) {
	x, dim := &p.islands, p.dim
	w := &x.whole.w
	p.list, p.laws, p.b, p.r = p.list[:0], p.laws[:0], p.b[:0], p.r[:0]
	p.w.D, p.w.Ptr, p.w.Col, p.w.Val = w.D, append(p.w.Ptr[:0], 0), p.w.Col[:0], p.w.Val[:0]
	for _, i := range members {
		p.list, p.laws = append(p.list, x.whole.list[i]), append(p.laws, x.whole.laws[i])
		p.b = append(p.b, x.whole.b[i*dim:(i+1)*dim]...)
		p.r = append(p.r, x.whole.r[i*dim:(i+1)*dim]...)
		for _, j := range w.Col[w.Ptr[i]:w.Ptr[i+1]] {
			p.w.Col = append(p.w.Col, x.at[j])
		}
		p.w.Val = append(p.w.Val, w.Val[w.Ptr[i]*dim*dim:w.Ptr[i+1]*dim*dim]...)
		p.w.Ptr = append(p.w.Ptr, len(p.w.Col))
	}
}

package contact

import (
	"fmt"
	"github.com/quasistatic/quasistatic/sparse"
	"math"
	"slices"
)

const autoMany = 50 // contacts from which accelerated sweeps come before Newton's method

const graphFrom = 100

// freed is where a W that joints have made full comes from: the contacts of the free bodies
// and the joints as contacts of the law [Bilateral] after them, see [Global.withJoints], whose
// W is as sparse as the bodies are coupled. A chain of n links has n² blocks in
// the one and some 10 n in the other.
type freed struct {
	w     Operator  // of the jointed bodies
	q     []float64 // of the jointed bodies, as it was made
	free  *Local
	stamp uint64 // of the values of w
}

// of reports whether o still tells what w is made of.
func (o *freed) of(w Operator) bool {
	if o == nil || o.w != w {
		return false
	}
	b, ok := w.(*Blocks)
	return ok && o.stamp == stampOf(b.Val)
}

// Untie tells the solvers where a W that joints have made full comes from: V, of the contacts of the bodies without
// their joints, and of the joints, dim rows each, as contacts after those,
//
//	W = V_cc − V_cj V_jj⁻¹V_jc,
//
// which is as sparse as the bodies are coupled. Newton's and the interior-point methods factorise V then in place
// of W, and MethodAuto solves the problem of the free bodies first; what they find is judged by W, to which V needs to be close only. Rows that a joint lacks
// are those of a positive number on the diagonal. Untie reports whether V is taken: problems of few contacts, and a V that is
// nearly full, are solved sooner without. W and Q are not to change after it; Untie panics if V is of another shape.
func (p *Local) Untie(v *Blocks) bool {
	dim, nc := p.W.Dim(), p.W.Contacts()
	if err := v.validate(); err != nil || v.D != dim || v.Contacts() < nc {
		panic(fmt.Sprintf("contact: Untie: V of %d contacts of %d components for %d of %d: %v", v.Contacts(), v.D, nc, dim, err))
	}
	w, ok := p.W.(*Blocks)
	if full := float64(nc); !ok || nc < autoMany || dim > 3 || float64(len(v.Col)) > freedShare*full*full {
		return false
	}
	q := make([]float64, dim*v.Contacts())
	copy(q, p.Q)
	p.joints = &freed{w: w, q: q[: dim*nc : dim*nc], free: &Local{W: v, Q: q}, stamp: stampOf(w.Val)}
	return true
}

// freedShare is the part of the blocks of the full W below which the detour pays.
const freedShare = 0.5

// pose returns the problem of the free bodies that belongs to p: what was added to Q is added
// to the motions of the contacts.
func (o *freed) pose(p *Local) *Local {
	free := &Local{W: o.free.W, Q: append([]float64(nil), o.free.Q...), Laws: append([]Law(nil), p.Laws...), graph: o.free.graph}
	for i, q := range p.Q {
		free.Q[i] += q - o.q[i]
	}
	for len(free.Laws) < o.free.W.Contacts() {
		free.Laws = append(free.Laws, Bilateral{})
	}
	return free
}

// graph is where a W comes from: w = HᵀM⁻¹H, with the sparse M and H.
type graph struct {
	w     Operator
	m     *sparse.Sym
	h     *Jacobian
	stamp uint64 // of the values of m and h
}

// newGraph notes what w was made of.
func newGraph(w Operator, m *sparse.Sym, h *Jacobian) graph {
	return graph{w, m, h, stampOf(m.Val, h.Val)}
}

// of reports whether g still tells what w is made of: not of another W, nor after M or H
// were changed in place, which W does not follow.
func (g graph) of(w Operator) bool {
	return g.w == w && (g.m == nil || g.h.Contacts() < graphFrom || g.stamp == stampOf(g.m.Val, g.h.Val))
}

// stampOf is a hash (FNV-1a, by words) of values.
func stampOf(lists ...[]float64) uint64 {
	x := uint64(14695981039346656037)
	for _, list := range lists {
		for _, v := range list {
			x = (x ^ math.Float64bits(v)) * 1099511628211
		}
	}
	return x
}

// samePattern reports whether the factors of one serve the other.
func (g graph) samePattern(o graph) bool {
	if g.m == nil || o.m == nil {
		return g.m == o.m
	}
	return slices.Equal(g.m.Ptr, o.m.Ptr) && slices.Equal(g.m.Row, o.m.Row) &&
		slices.Equal(g.h.Ptr, o.h.Ptr) && slices.Equal(g.h.Row, o.h.Row)
}

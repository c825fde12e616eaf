package form

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/sparse"
)

const UntieFrom = 50 // contacts from which accelerated sweeps come before Newton's method

const GraphFrom = 100

// Freed is where a W that joints have made full comes from: the contacts of the free bodies
// and the joints as contacts of the law [Bilateral] after them, see [Global.withJoints], whose
// W is as sparse as the bodies are coupled. A chain of n links has n² blocks in
// the one and some 10 n in the other.
type Freed struct {
	W     Operator  // of the jointed bodies
	Q     []float64 // of the jointed bodies, as it was made
	Free  *Local
	Stamp uint64 // of the values of w
}

// Of reports whether o still tells what w is made of.
func (o *Freed) Of(w Operator) bool {
	if o == nil || o.W != w {
		return false
	}
	b, ok := w.(*Blocks)
	return ok && o.Stamp == StampOf(b.Val)
}

// Untie tells the solvers where a W that joints have made full comes from: V, of the contacts of
// the bodies without their joints, and of the joints, dim rows each, as contacts after those,
//
//	W = V_cc − V_cj V_jj⁻¹V_jc,
//
// which is as sparse as the bodies are coupled. Newton's and the interior-point methods factorise V
// then in place of W, and MethodAuto solves the problem of the free bodies first; what they find is
// judged by W, to which V needs to be close only. Rows that a joint lacks are those of a positive
// number on the diagonal. Untie reports whether V is taken: problems of few contacts, and a V that
// is nearly full, are solved sooner without. W and Q are not to change after it; Untie panics if V
// is of another shape.
func (p *Local) Untie(v *Blocks) bool {
	dim, nc := p.W.Dim(), p.W.Contacts()
	if err := v.validate(); err != nil || v.D != dim || v.Contacts() < nc {
		panic(fmt.Sprintf("contact: Untie: V of %d contacts of %d components for %d of %d: %v", v.Contacts(), v.D, nc, dim, err))
	}
	w, ok := p.W.(*Blocks)
	if full := float64(nc); !ok || nc < UntieFrom || dim > 3 || float64(len(v.Col)) > UntieShare*full*full {
		return false
	}
	q := make([]float64, dim*v.Contacts())
	copy(q, p.Q)
	p.Joints = &Freed{W: w, Q: q[: dim*nc : dim*nc], Free: &Local{W: v, Q: q}, Stamp: StampOf(w.Val)}
	return true
}

// UntieShare is the part of the blocks of the full W below which the detour pays.
const UntieShare = 0.5

// Pose returns the problem of the free bodies that belongs to p: what was added to Q is added
// to the motions of the contacts.
func (o *Freed) Pose(p *Local) *Local {
	free := &Local{W: o.Free.W, Q: append([]float64(nil), o.Free.Q...), Laws: append([]law.Law(nil), p.Laws...), Graph: o.Free.Graph}
	for i, q := range p.Q {
		free.Q[i] += q - o.Q[i]
	}
	for len(free.Laws) < o.Free.W.Contacts() {
		free.Laws = append(free.Laws, law.Bilateral{})
	}
	return free
}

// Graph is where a W comes from: w = HᵀM⁻¹H, with the sparse M and H.
type Graph struct {
	W     Operator
	M     *sparse.Sym
	H     *Jacobian
	stamp uint64 // of the values of m and h
}

// NewGraph notes what w was made of.
func NewGraph(w Operator, m *sparse.Sym, h *Jacobian) Graph {
	return Graph{w, m, h, StampOf(m.Val, h.Val)}
}

// Of reports whether g still tells what w is made of: not of another W, nor after M or H
// were changed in place, which W does not follow.
func (g Graph) Of(w Operator) bool {
	return g.W == w && (g.M == nil || g.H.Contacts() < GraphFrom || g.stamp == StampOf(g.M.Val, g.H.Val))
}

// StampOf is a hash (FNV-1a, by words) of values.
func StampOf(lists ...[]float64) uint64 {
	x := uint64(14695981039346656037)
	for _, list := range lists {
		for _, v := range list {
			x = (x ^ math.Float64bits(v)) * 1099511628211
		}
	}
	return x
}

// SamePattern reports whether the factors of one serve the other.
func (g Graph) SamePattern(o Graph) bool {
	if g.M == nil || o.M == nil {
		return g.M == o.M
	}
	return slices.Equal(g.M.Ptr, o.M.Ptr) && slices.Equal(g.M.Row, o.M.Row) &&
		slices.Equal(g.H.Ptr, o.H.Ptr) && slices.Equal(g.H.Row, o.H.Row)
}

package incremental

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// split divides the problem into islands, once; false if there is one only, or if it
// is condensed onto the contacts, which it is as a whole.
func (m *Minimiser) split() bool {
	if len(m.floors) == 1 || m.unplanned() || m.plan != nil && m.plan.condense {
		return false
	}
	if m.parts == nil {
		m.makeParts()
	}
	return true
}

func (m *Minimiser) makeParts() {
	of := make([]int, len(m.floors)) // part of each island; 0: those without contacts
	m.parts = []*part{{island: -1}}
	for _, j := range m.particle {
		if i := m.island[j]; of[i] == 0 {
			of[i] = len(m.parts)
			m.parts = append(m.parts, &part{island: i})
		}
	}
	place := make([]int, 3*len(m.island)) // of a dof in its part
	for j, i := range m.island {
		p := m.parts[of[i]]
		for d := 3 * j; d < 3*j+3; d++ {
			place[d] = len(p.dof)
			p.dof = append(p.dof, d)
		}
	}
	for c, j := range m.particle {
		p := m.parts[of[m.island[j]]]
		p.contacts = append(p.contacts, c)
	}
	if m.parts[0].dof == nil {
		m.parts = m.parts[1:]
	}
	for _, p := range m.parts {
		p.make(m, place)
	}
}

// make builds the pattern of the part: columns and rows keep their order.
func (p *part) make(m *Minimiser, place []int) {
	whole, a := m.sys.Pattern(), &sparse.Sym{N: len(p.dof), Ptr: []int{0}}
	for _, c := range p.dof {
		for k := whole.Ptr[c]; k < whole.Ptr[c+1]; k++ {
			a.Row = append(a.Row, place[whole.Row[k]])
			p.entry = append(p.entry, k)
		}
		a.Ptr = append(a.Ptr, len(a.Row))
	}
	a.Val = make([]float64, len(a.Row))
	h := &contact.Jacobian{Dim: 3, Rows: len(p.dof), Ptr: []int{0}, Turns: m.problem.H.Turns}
	var laws []contact.Law
	for _, c := range p.contacts {
		from, to := m.problem.H.Ptr[c], m.problem.H.Ptr[c+1]
		for k := from; k < to; k++ {
			h.Row = append(h.Row, place[m.problem.H.Row[k]])
		}
		h.Val = append(h.Val, m.problem.H.Val[3*from:3*to]...)
		h.Ptr = append(h.Ptr, len(h.Row))
		laws = append(laws, m.problem.Laws[c])
	}
	p.problem = contact.Global{M: a, H: h, F: make([]float64, len(p.dof)), W: make([]float64, 3*len(laws)), Laws: laws}
	p.res.R = make([]float64, 3*len(laws))
	p.v, p.r = make([]float64, len(p.dof)), make([]float64, 3*len(laws))
}

// load copies the numbers of the whole problem.
func (p *part) load(m *Minimiser) {
	for k, e := range p.entry {
		p.problem.M.Val[k] = m.problem.M.Val[e]
	}
	for i, d := range p.dof {
		p.problem.F[i] = m.problem.F[d]
	}
	for i, c := range p.contacts {
		copy(p.problem.W[3*i:3*i+3], m.problem.W[3*c:3*c+3])
	}
}

// solveParts solves every part, and leaves the whole in m.res.
func (m *Minimiser) solveParts(ctx context.Context) error {
	if len(m.res.V) != len(m.v) {
		m.res.V = make([]float64, len(m.v))
	}
	m.res.Iterations, m.res.Factors = 0, 0
	for _, p := range m.parts {
		p.load(m)
		floor := 0.0
		if p.island >= 0 {
			floor = m.floors[p.island]
		}
		err := contact.SolveConvex(ctx, &p.problem, floor, &m.convexTol, &p.ws, &p.res)
		m.res.Iterations += p.res.Iterations
		m.res.Factors += p.res.Factors
		if err != nil {
			return p.whole(err)
		}
		for i, d := range p.dof {
			m.res.V[d] = p.res.V[i]
		}
		for i, c := range p.contacts {
			copy(m.res.R[3*c:3*c+3], p.res.R[3*i:3*i+3])
		}
	}
	return nil
}

// whole numbers the row or contact of an error as in the whole problem.
func (p *part) whole(err error) error {
	if e, ok := errors.AsType[*contact.IndefiniteError](err); ok && e.Row < len(p.dof) {
		return &contact.IndefiniteError{Row: p.dof[e.Row]}
	}
	if e, ok := errors.AsType[*contact.Error](err); ok && e.Worst >= 0 && e.Worst < len(p.contacts) {
		e.Worst = p.contacts[e.Worst]
	}
	return err
}

// unplanned reports whether the problem is so large that it is to be planned whether it is
// condensed, and is not yet.
func (m *Minimiser) unplanned() bool {
	return m.plan == nil && m.sys.ConstantHessian() && m.problem.H.Rows >= condensedRows && len(m.corners) == 0
}

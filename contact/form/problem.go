package form

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/sparse"
)

// Global is a discrete contact problem in the unknown v and the reactions r:
//
//	M v = f + H r + G λ,   Gᵀ v + b = 0,
//	u = Hᵀ v + w,   a law between u and r at each contact.
//
// The nb bilateral constraints (joints) may be absent. v is a velocity or a displacement increment,
// f the matching impulse or force; M is symmetric and positive semidefinite.
type Global struct {
	M    *sparse.Sym // nv×nv
	F    []float64   // nv
	H    *Jacobian   // nv×(dim·nc)
	W    []float64   // dim·nc; its normal parts are the gaps of a displacement step
	Laws []law.Law   // nc
	G    *Columns    // nv×nb; nil without bilateral constraints
	B    []float64   // nb
}

// Jacobian is H, stored by contacts: contact j touches the rows
// Row[Ptr[j]:Ptr[j+1]] of v, and Val[Dim·k : Dim·k+Dim] holds what row Row[k]
// gives to (u_N, u_T).
type Jacobian struct {
	Dim  int // 2 or 3; 4 to 6 with moments, which NewDelassus takes
	Rows int // nv
	Ptr  []int
	Row  []int
	Val  []float64
	// Turns: Val may change between two solves of one workspace, as directions of contacts do on
	// curved obstacles. All rows of a contact then count as coupled, whatever its values are.
	Turns bool
}

// Contacts returns nc.
func (h *Jacobian) Contacts() int { return len(h.Ptr) - 1 }

// MulTransAdd adds Hᵀ v to u.
func (h *Jacobian) MulTransAdd(u, v []float64) {
	if h.Dim == 3 {
		for j := range h.Contacts() {
			var s [3]float64
			for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
				x, c := v[h.Row[k]], h.Val[3*k:3*k+3:3*k+3]
				s[0] += c[0] * x
				s[1] += c[1] * x
				s[2] += c[2] * x
			}
			u[3*j] += s[0]
			u[3*j+1] += s[1]
			u[3*j+2] += s[2]
		}
		return
	}
	if dim := h.Dim; dim > 3 {
		for j := range h.Contacts() {
			for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
				for a, c := range h.Val[dim*k : dim*k+dim] {
					u[dim*j+a] += c * v[h.Row[k]]
				}
			}
		}
		return
	}
	for j := range h.Contacts() {
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			x := v[h.Row[k]]
			u[2*j] += h.Val[2*k] * x
			u[2*j+1] += h.Val[2*k+1] * x
		}
	}
}

// MulAdd adds H r to f.
func (h *Jacobian) MulAdd(f, r []float64) {
	if h.Dim == 3 {
		for j := range h.Contacts() {
			rn, rt, ro := r[3*j], r[3*j+1], r[3*j+2]
			for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
				c := h.Val[3*k : 3*k+3 : 3*k+3]
				f[h.Row[k]] += c[0]*rn + c[1]*rt + c[2]*ro
			}
		}
		return
	}
	if dim := h.Dim; dim > 3 {
		for j := range h.Contacts() {
			for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
				for a, c := range h.Val[dim*k : dim*k+dim] {
					f[h.Row[k]] += c * r[dim*j+a]
				}
			}
		}
		return
	}
	for j := range h.Contacts() {
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			f[h.Row[k]] += h.Val[2*k]*r[2*j] + h.Val[2*k+1]*r[2*j+1]
		}
	}
}

// Validate checks sizes, finiteness and the parameters of the laws.
func (p *Global) Validate() error {
	if p == nil || p.M == nil || p.H == nil {
		return errors.New("contact: M and H are required")
	}
	nv, nc := p.M.N, len(p.Laws)
	switch {
	case len(p.F) != nv:
		return fmt.Errorf("contact: F has %d entries, M has %d rows", len(p.F), nv)
	case p.H.Dim < 2 || p.H.Dim > WideMost:
		return fmt.Errorf("contact: H.Dim is %d, want 2 to %d", p.H.Dim, WideMost)
	case p.H.Rows != nv:
		return fmt.Errorf("contact: H has %d rows, M has %d", p.H.Rows, nv)
	case p.H.Contacts() != nc:
		return fmt.Errorf("contact: H has %d contacts, there are %d laws", p.H.Contacts(), nc)
	case len(p.W) != nc*p.H.Dim:
		return fmt.Errorf("contact: W has %d entries, want %d", len(p.W), nc*p.H.Dim)
	}
	if err := p.validateJoints(); err != nil {
		return err
	}
	for j, law := range p.Laws {
		if err := law.Validate(); err != nil {
			return fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
	}
	return errors.Join(Finite("M", p.M.Val), Finite("F", p.F), Finite("H", p.H.Val), Finite("W", p.W))
}

// ValidateForces is Validate where contacts with moments are not taken.
func (p *Global) ValidateForces() error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.H.Dim > 3 {
		return fmt.Errorf("contact: H.Dim is %d, want 2 or 3: contacts with moments are reduced by NewDelassus and solved by SolveLocal",
			p.H.Dim)
	}
	return nil
}

// Joints returns nb, the number of bilateral constraints.
func (p *Global) Joints() int {
	if p.G == nil {
		return 0
	}
	return p.G.Cols()
}

func (p *Global) validateJoints() error {
	if p.G != nil {
		if err := p.G.validate(p.M.N); err != nil {
			return err
		}
	}
	if nb := p.Joints(); len(p.B) != nb {
		return fmt.Errorf("contact: B has %d entries, G has %d columns", len(p.B), nb)
	}
	return Finite("B", p.B)
}

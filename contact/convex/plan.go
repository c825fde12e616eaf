package convex

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/sparse"
)

// Parts of the memory of a solver, in the order of an estimate.
const (
	partFactor  = "factor of the stiffness"
	partContact = "matrix of the contacts"
	partWhole   = "matrix and factor with the contacts"
	partVectors = "vectors"
	partGap     = "factor of the certificates"
)

// MassPlan is the symbolic analysis of an M, for [DualityGap] and for the
// predictions of memory. It holds no numbers and may be shared.
type MassPlan struct {
	m *sparse.Sym // its pattern
	massAnalysis
}

type massAnalysis struct{ plan *factor.Plan }

// PlanMass analyses the pattern of m, until the context is done: then it returns the cause.
func PlanMass(ctx context.Context, m *sparse.Sym) (*MassPlan, error) {
	plan, err := factor.NewPlanContext(ctx, m, factor.Options{})
	if err != nil {
		return nil, err
	}
	return &MassPlan{m, massAnalysis{plan}}, nil
}

// analyseMass makes ws.mass a factor for m, by the analysis at hand if it is of m.
func (ws *Workspace) analyseMass(ctx context.Context, m *sparse.Sym) error {
	p := ws.massPlan
	if p == nil || p.m != m {
		var err error
		if p, err = PlanMass(ctx, m); err != nil {
			return err
		}
	}
	ws.mass = p.plan.Factor()
	return nil
}

// UseMassPlan gives ws an analysis of the M of the problems to come.
func (ws *Workspace) UseMassPlan(p *MassPlan) { ws.massPlan = p }

// UseCondensed gives ws what makes, or has made, a condensation of the M of the problems to come, and
// returns nil where there is none: [DualityGap] solves with its factors. One that was made by
// [CondensedPlan.CondenseHeld] says that M is singular.
func (ws *Workspace) UseCondensed(make func(context.Context) *Condensed) { ws.condense = make }

// condensedOf is the condensation of m; nil: there is none.
func (ws *Workspace) condensedOf(ctx context.Context, m *sparse.Sym) *Condensed {
	if ws.condense == nil {
		return nil
	}
	if c := ws.condense(ctx); c != nil && c.m == m {
		return c
	}
	return nil
}

// GapMemory predicts what [DualityGap] takes for an M that changes, or not, and for
// one that does not what it gives back after its factorisation.
func (p *MassPlan) GapMemory(changes bool) (e memory.Estimate, work int64) {
	bytes := p.plan.Bytes()
	if !changes {
		work = p.plan.WorkBytes()
	}
	e.Add(partGap, memory.Sum(bytes-work, int64(len(p.m.Val))*8))
	e.Add(partVectors, vectorBytes(p.m.N))
	return e, work
}

// WholeMemory predicts what [Solve] takes. H D Hᵀ of contacts at nodes lies
// in the pattern of M, so that the factor is that of M.
func (p *MassPlan) WholeMemory() memory.Estimate {
	var e memory.Estimate
	entries := int64(len(p.m.Val))
	e.Add(partWhole, memory.Sum(p.plan.Bytes(), 32*entries)) // a, its places of M, the values that are factorised
	e.Add(partVectors, vectorBytes(p.m.N))
	return e
}

// vectorBytes is about what a workspace of order n has in vectors.
func vectorBytes(n int) int64 { return 10 * 8 * int64(n) }

// CondensedPlan is the symbolic analysis for a [Condensed], with what it will take
// and cost.
type CondensedPlan struct {
	rows    int
	dofs    []int // of the columns, with many
	columns int
	condensedAnalysis
}

// condensedAnalysis is one of both, by the number of columns.
type condensedAnalysis struct {
	few  *factor.Plan
	many *factor.SchurPlan
}

// PlanCondensed analyses the pattern of m for contacts h. It fails if the contacts
// cannot be eliminated last, and with the cause when the context is done.
func PlanCondensed(ctx context.Context, m *sparse.Sym, h *form.Jacobian) (*CondensedPlan, error) {
	if m == nil || h == nil {
		return nil, errors.New("contact: condensation: M and H are required")
	}
	p := &CondensedPlan{rows: m.N, columns: h.Dim * h.Contacts()}
	if dofs := selection(h); len(dofs) > manyColumns {
		var err error
		p.dofs = dofs
		if p.many, err = factor.PlanSchur(ctx, m, dofs); err != nil {
			return nil, fmt.Errorf("contact: condensation: M: %w", err)
		}
		return p, nil
	}
	var err error
	p.few, err = factor.NewPlanContext(ctx, m, factor.Options{})
	return p, err
}

// Memory predicts what the Condensed takes, its factor and the dense matrices of
// the contacts, and what its making takes beside the factor and gives back before
// those matrices are made.
func (p *CondensedPlan) Memory() (e memory.Estimate, work int64) {
	n := int64(p.columns)
	square := memory.Product(8, n, n)
	if p.many == nil {
		work = p.few.WorkBytes()
		e.Add(partFactor, p.few.Bytes()-work)
		e.Add(partContact, memory.Product(fewSquares, square))
	} else {
		work = p.many.WorkBytes()
		e.Add(partFactor, p.many.Bytes())
		e.Add(partContact, memory.Sum(memory.Product(2, square),
			memory.Product(8, n, krylovPrediction))) // S and factors of it, or S and L_cc
	}
	e.Add(partVectors, vectorBytes(p.rows))
	return e, work
}

// Beside returns what a [Condensed.Sibling] takes: vectors, and the system of its contacts with
// the factors of that.
func (p *CondensedPlan) Beside() int64 {
	n := int64(p.columns)
	square := memory.Product(8, n, n)
	if p.many == nil {
		return memory.Sum(memory.Product(2, square), vectorBytes(p.rows))
	}
	return memory.Sum(memory.Sum(square, memory.Product(8, n, krylovPrediction)), vectorBytes(p.rows))
}

// Dense returns the part of Memory that is made after the factorisation.
func (p *CondensedPlan) Dense() int64 {
	e, _ := p.Memory()
	for _, part := range e.Parts {
		if part.Name == partContact {
			return part.Bytes
		}
	}
	return 0
}

const (
	// fewSquares are the n×n matrices with few contacts: W, its inverse twice, the
	// system of the active sets, their factors.
	fewSquares = 6
	// krylovPrediction are the vectors of GMRES that a hard step needs.
	krylovPrediction = 40
)

// Cost returns the operations to make the Condensed, and of a step with it. A
// triangular solve and a dense product count slow times what they have: they read
// each number once, from memory.
func (p *CondensedPlan) Cost() (once, step float64) {
	n := float64(p.columns)
	if p.many == nil {
		l := float64(p.few.NNZ())
		return p.few.Flops() + n*slow*4*l + n*n*n, stepSolves*slow*4*l + stepNewton*2*n*n*n/3
	}
	l := float64(p.many.NNZ())
	return p.many.Flops() + n*n*n, stepSolves*slow*4*l + stepFactors*n*n*n/3 + stepProducts*slow*4*n*n
}

// CostOfWhole is a lower bound of [MassPlan.Cost] of M: the cost where the contacts are held, whose columns
// no order of M saves the elimination of the others among each other.
func (p *CondensedPlan) CostOfWhole(factorisations float64) float64 {
	if p.many == nil {
		return wholeCost(factorisations, p.few.Flops(), p.few.NNZ())
	}
	return wholeCost(factorisations, p.many.InnerFlops(), p.many.InnerNNZ())
}

// Cost returns the operations of a step on the whole problem that factorises so
// many times: once for each change of states.
func (p *MassPlan) Cost(factorisations float64) float64 {
	return wholeCost(factorisations, p.plan.Flops(), p.plan.NNZ())
}

func wholeCost(factorisations, flops float64, entries int) float64 {
	return factorisations * (flops + slow*4*float64(entries))
}

// Counts of a step of a dragged block, measured with benchmarks/pressdrag.
const (
	stepNewton   = 8  // changes of states
	stepSolves   = 4  // with the factors of M
	stepFactors  = 3  // of the matrix of the contacts
	stepProducts = 60 // with that matrix, and solves with its factors
	slow         = 8  // speed of products of blocks over that of what reads memory
)

// manyColumns: with more columns of H, S is taken from a factorisation that
// eliminates the contacts last, not from a solve for each column, and the
// contact problem is solved in y by iterative methods, not in r by direct ones.
const manyColumns = 400

// selection returns the dof of each column if every column of H is a different
// dof with the coefficient 1, else nil.
func selection(h *form.Jacobian) []int {
	dofs := make([]int, h.Dim*h.Contacts())
	taken := make([]bool, h.Rows)
	found := 0
	for j := range h.Contacts() {
		for e := h.Ptr[j]; e < h.Ptr[j+1]; e++ {
			for k := range h.Dim {
				switch x := h.Val[h.Dim*e+k]; {
				case x == 0:
				case x != 1 || taken[h.Row[e]]:
					return nil
				default:
					dofs[h.Dim*j+k] = h.Row[e]
					taken[h.Row[e]] = true
					found++
				}
			}
		}
	}
	if found != len(dofs) {
		return nil
	}
	return dofs
}

package incremental

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// condensedRows is the number of rows of D²E from which a constant D²E may be
// condensed onto the contacts, once per run: below, a factorisation for each
// change of states costs little.
const condensedRows = 3000

// Parts of [Plan.Need] that are not there all the time: what a factorisation takes
// and gives back, what certificates take where they have to solve, and what the evolution in
// parts of the steps takes, with which a run is compared where it differs.
const (
	PartWork         = "work of the factorisation"
	PartCertificates = "problems of the certificates"
	PartTwin         = "the run again in parts of its steps"
)

// Factorisations of the whole problem in a step, measured on pressed blocks: the
// changes of states, and for implicit thresholds those of each of their iterates.
const (
	laggedFactors   = 8
	implicitFactors = 60
)

// condensedSteps is the number of steps over which the making of a condensed
// problem is spread where its cost is compared.
const condensedSteps = 10

// Plan is the symbolic analysis of the steps of a system: which way they are
// solved, and what that will take, before a number is computed. It may be shared
// by steppers and certifiers of its system; each of them takes the analysis that
// it needs, and makes its own if it is gone.
type Plan struct {
	mass *contact.MassPlan // nil: the steps do without factors of D²E beside those that are condensed
	// nil: the whole problem is solved, or it was taken
	condensed atomic.Pointer[contact.CondensedPlan]
	first     atomic.Pointer[condensation] // the one that was made; nil: none
	condense  bool
	changes   bool // D²E varies
	need      memory.Estimate
}

// NewPlan analyses the steps of psi and chooses the cheaper of two ways: the
// contacts alone, with S = (HᵀM⁻¹H)⁻¹ made once, or the whole problem, with a
// factorisation for each change of contact states. The dearer one is taken if the
// cheaper one would exceed limit bytes and the dearer one needs less; 0 means no
// limit. mode is that of the thresholds. When the context is done it returns the cause.
func NewPlan(ctx context.Context, psi *dissipation.Coulomb, mode ThresholdMode, limit int64) (*Plan, error) {
	sys := psi.System
	m, h := sys.Pattern(), jacobian(sys)
	p := &Plan{changes: !sys.ConstantHessian()}
	c := p.candidate(ctx, m, h)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	lagged, factorisations := mode == Lagged, float64(implicitFactors)
	if lagged {
		factorisations = laggedFactors
	}
	if c != nil {
		p.need = p.predict(c, lagged)
		once, step := c.Cost()
		// Where this suffices the whole is not analysed.
		if once/condensedSteps+step <= c.CostOfWhole(factorisations) && (limit <= 0 || p.need.Total() <= limit) {
			p.condense = true
		}
	}
	if !p.condense {
		if err := p.compare(ctx, m, c, lagged, factorisations, limit); err != nil {
			return nil, err
		}
	}
	if p.condense {
		p.condensed.Store(c)
	}
	return p, nil
}

// compare analyses the whole problem and chooses it, or c.
func (p *Plan) compare(ctx context.Context, m *sparse.Sym, c *contact.CondensedPlan, lagged bool, factorisations float64,
	limit int64) (err error) {
	small := p.need
	if p.mass, err = contact.PlanMass(ctx, m); err != nil {
		return err
	}
	p.need = p.predict(nil, lagged)
	if c == nil {
		return nil
	}
	once, step := c.Cost()
	p.condense = once/condensedSteps+step <= p.mass.Cost(factorisations)
	if whole := p.need.Total(); limit > 0 && max(whole, small.Total()) > limit {
		p.condense = small.Total() < whole
	}
	if p.condense {
		p.need, p.mass = small, nil
	}
	return nil
}

// candidate analyses the condensation; nil where it is no choice.
func (p *Plan) candidate(ctx context.Context, m *sparse.Sym, h *contact.Jacobian) *contact.CondensedPlan {
	if columns := h.Dim * h.Contacts(); p.changes || m.N < condensedRows || columns == 0 || 4*columns > m.N {
		return nil
	}
	c, err := contact.PlanCondensed(ctx, m, h)
	if err != nil {
		return nil // the contacts cannot be eliminated last
	}
	return c
}

// Condenses reports whether steps are solved on the contacts alone.
func (p *Plan) Condenses() bool { return p.condense }

// Need predicts the memory of a [Stepper], of the certificates of its steps, and of another
// stepper beside it.
func (p *Plan) Need() memory.Estimate { return p.need }

// predict is Need by way of a condensation, or of none if c is nil. Where D²E
// varies or thresholds lag, the certificates solve problems of their own.
func (p *Plan) predict(c *contact.CondensedPlan, lagged bool) (e memory.Estimate) {
	var work int64
	if c != nil {
		e, work = c.Memory()
	} else {
		e = p.mass.WholeMemory()
	}
	solver := e.Total()
	if p.changes || lagged {
		e.Add(PartCertificates, solver)
	}
	twin := solver
	if c != nil {
		twin = c.Beside()
	}
	e.Add(PartTwin, twin)
	if c != nil { // of what is given back, only that counts which later parts do not take again
		e.Add(PartWork, max(work-c.Dense(), 0))
		return e
	}
	gap, gapWork := p.mass.GapMemory(p.changes)
	e.Join(gap)
	e.Add(PartWork, gapWork)
	return e
}

// condensation is a condensed matrix.
type condensation struct {
	*contact.Condensed
	m *sparse.Sym
}

// make condenses a matrix of the system, one that is singular but for its contacts with these held; nil if
// it is singular then too, or the context done. Who
// comes next with the same matrix has the factors in common with who came first. The analysis
// is given away, for it has the size of the matrix; another matrix is analysed again.
func (p *Plan) make(ctx context.Context, m *sparse.Sym, h *contact.Jacobian) *contact.Condensed {
	if first := p.first.Load(); first != nil && first.m == m {
		return first.Sibling(h)
	}
	c := p.condensed.Swap(nil)
	if c == nil {
		var err error
		if c, err = contact.PlanCondensed(ctx, m, h); err != nil {
			return nil
		}
	}
	condensed, err := c.Condense(ctx, m, h)
	if _, singular := errors.AsType[*contact.IndefiniteError](err); singular {
		condensed, err = c.CondenseHeld(ctx, m, h)
	}
	if err != nil {
		return nil
	}
	p.first.CompareAndSwap(nil, &condensation{condensed.Sibling(h), m})
	return condensed
}

// jacobian returns H: the coordinates (n, t, o) of each contact, those of the particles'
// frames first.
func jacobian(s *particles.System) *contact.Jacobian {
	h := &contact.Jacobian{Dim: 3, Rows: 3 * s.N(), Ptr: []int{0}}
	for j := range s.N() {
		if !s.Constrained(j) {
			continue
		}
		h.Row = append(h.Row, 3*j, 3*j+1, 3*j+2)
		h.Val = append(h.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0) // (t, o, n) rows, (n, t, o) columns
		h.Ptr = append(h.Ptr, len(h.Row))
	}
	at := make([]float64, 3*s.N()) // where obstacles are curved or move, the minimiser says
	for c := s.N(); c < s.Contacts(); c++ {
		n, t, o := s.ContactAxes(0, c, at)
		for i := range 3 {
			h.Row = append(h.Row, 3*s.ContactParticle(c)+i)
			h.Val = append(h.Val, n[i], t[i], o[i])
		}
		h.Ptr = append(h.Ptr, len(h.Row))
	}
	return h
}

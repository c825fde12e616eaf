package convex

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/local"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// Workspace keeps what a sequence of solves of [form.Global] problems with
// the same pattern has in common: the pattern of M + H D Hᵀ with its ordering
// and factorisation, all vectors, and the last solution, from which the next
// solve starts. The zero value is ready. It is not safe for concurrent use.
type Workspace struct {
	// Pattern, set by analyse.
	m *sparse.Sym // the M that was analysed; its pattern is the key
	h *form.Jacobian

	// M + H D Hᵀ, set by system; nil before the first factorisation.
	a      *sparse.Sym
	factor factorisation
	fromM  []int // a.Val[fromM[k]] collects M.Val[k]
	pair   []int // position in a.Val of each pair of rows of each contact, -1 if structurally zero
	rho    []float64
	scaled bool // rho is not what penalties make it

	contacts int // of the last problem, without joints

	resolution float64 // the residual at which the last convex problem counts as solved

	// What is factorised at present: M's values, those of an H that turns, and D, empty if nothing
	// is.
	mFactored, hFactored []float64
	dFactored            [][9]float64

	// Iterates: see augmented.go.
	v, grad, dir, mdir []float64
	u, du              [][3]float64
	p, r, rBar, trial  [][3]float64
	jac                [][9]float64
	best               iterate

	mass     factorisation // of M alone, for the duality gap
	massPlan *MassPlan     // of its pattern, if it was analysed before
	massVal  []float64     // values of M that mass holds
	massFail error
	condense func(context.Context) *Condensed // see UseCondensed
	work     []float64

	convex  augmented        // the present solve
	frozen  *frozen          // see fixedpoint_global.go
	jointed *jointed         // see joints.go
	local   *local.Workspace // of SolveGlobal
}

// factorisation is that of a matrix whose pattern was analysed.
type factorisation interface {
	solver
	RefactorContext(ctx context.Context, a *sparse.Sym) error
	Release()
}

// WarmStart sets the point from which the next solve starts: v may be nil (the
// last one is kept, or zero), r as well. The reactions of joints stay as they are.
func (ws *Workspace) WarmStart(p *form.Global, v, r []float64) {
	ws.prepare(ws.withJoints(p))
	ws.contacts = p.H.Contacts()
	if v != nil {
		copy(ws.v, v)
	}
	if r != nil {
		form.Unstack(ws.rBar[:ws.contacts], r, p.H.Dim)
	}
}

// Last appends the point from which the next solve starts, the last solution,
// to v[:0] and r[:0]; both stay empty before the first solve.
func (ws *Workspace) Last(v, r []float64) (vLast, rLast []float64) {
	v, r = append(v[:0], ws.v...), r[:0]
	for _, x := range ws.rBar[:ws.contacts] {
		r = append(r, x[:ws.h.Dim]...)
	}
	return v, r
}

// prepare analyses the pattern if it is new and checks the sizes otherwise.
func (ws *Workspace) prepare(p *form.Global) {
	if ws.m == p.M && ws.h == p.H {
		return
	}
	if !ws.samePattern(p) {
		ws.analyse(p)
	}
	ws.m, ws.h = p.M, p.H
}

func (ws *Workspace) samePattern(p *form.Global) bool {
	return ws.m != nil && ws.m.N == p.M.N && ws.h.Dim == p.H.Dim &&
		slices.Equal(ws.m.Ptr, p.M.Ptr) && slices.Equal(ws.m.Row, p.M.Row) &&
		slices.Equal(ws.h.Ptr, p.H.Ptr) && slices.Equal(ws.h.Row, p.H.Row) &&
		ws.h.Turns == p.H.Turns && (p.H.Turns || slices.Equal(ws.h.Val, p.H.Val))
}

// analyse sizes the vectors. The matrix M + H D Hᵀ, its order and factor are made
// by system when a solve needs them: a certificate does not.
func (ws *Workspace) analyse(p *form.Global) {
	nv, nc := p.M.N, p.H.Contacts()
	*ws = Workspace{frozen: ws.frozen, jointed: ws.jointed, massPlan: ws.massPlan, condense: ws.condense, local: ws.local}
	ws.rho = make([]float64, nc)
	ws.v, ws.grad = make([]float64, nv), make([]float64, nv)
	ws.dir, ws.mdir, ws.work = make([]float64, nv), make([]float64, nv), make([]float64, nv)
	ws.u, ws.du = make([][3]float64, nc), make([][3]float64, nc)
	ws.p, ws.r = make([][3]float64, nc), make([][3]float64, nc)
	ws.rBar, ws.trial = make([][3]float64, nc), make([][3]float64, nc)
	ws.jac = make([][9]float64, nc)
	ws.best.v, ws.best.r = make([]float64, nv), make([][3]float64, nc)
}

// system builds the pattern of M + H D Hᵀ and orders it, once; when the context is done
// before that, it returns the cause.
func (ws *Workspace) system(ctx context.Context, p *form.Global) error {
	if ws.factor != nil {
		return nil
	}
	nv := p.M.N
	b := sparse.NewBuilder(nv)
	for c := range nv {
		for k := p.M.Ptr[c]; k < p.M.Ptr[c+1]; k++ {
			b.Add(p.M.Row[k], c)
		}
	}
	pairs(p.H, func(i, k int, coupled bool) {
		if coupled {
			b.Add(i, k)
		}
	})
	ws.a = b.Build()
	f, err := factor.AnalyseContext(ctx, ws.a, factor.Options{})
	if err != nil {
		return err
	}
	ws.factor = f
	ws.fromM = make([]int, len(p.M.Row))
	for c := range nv {
		for k := p.M.Ptr[c]; k < p.M.Ptr[c+1]; k++ {
			ws.fromM[k] = ws.a.Index(p.M.Row[k], c)
		}
	}
	pairs(p.H, func(i, k int, coupled bool) {
		at := -1
		if coupled {
			at = ws.a.Index(i, k)
		}
		ws.pair = append(ws.pair, at)
	})
	return nil
}

// pairs visits the pairs of rows of each contact in the order in which
// assemble walks them. Two rows couple in H D Hᵀ if both move the normal or
// both move the tangent plane: the laws here never mix the two. Those of contacts that turn all do.
func pairs(h *form.Jacobian, visit func(i, k int, coupled bool)) {
	for j := range h.Contacts() {
		for a := h.Ptr[j]; a < h.Ptr[j+1]; a++ {
			ra := triple(h, a)
			for b := h.Ptr[j]; b <= a; b++ {
				rb := triple(h, b)
				normal := ra[0] != 0 && rb[0] != 0
				tangent := (ra[1] != 0 || ra[2] != 0) && (rb[1] != 0 || rb[2] != 0)
				visit(h.Row[a], h.Row[b], h.Turns || normal || tangent || a == b)
			}
		}
	}
}

// triple returns entry k of H as a triple, zero-padded in two dimensions.
func triple(h *form.Jacobian, k int) [3]float64 {
	if h.Dim == 3 {
		return [3]float64(h.Val[3*k : 3*k+3])
	}
	return [3]float64{h.Val[2*k], h.Val[2*k+1], 0}
}

// assemble puts M + H diag(ρ_j P_j') Hᵀ into ws.a. P' of the laws here is a normal entry and a
// tangential block, see pairs.
func (ws *Workspace) assemble(p *form.Global) {
	clear(ws.a.Val)
	for k, at := range ws.fromM {
		ws.a.Val[at] += p.M.Val[k]
	}
	h, next := p.H, 0
	for j := range ws.jac {
		d, rho := &ws.jac[j], ws.rho[j]
		if *d == (mat3{}) { // the contact is open
			n := h.Ptr[j+1] - h.Ptr[j]
			next += n * (n + 1) / 2
			continue
		}
		for a := h.Ptr[j]; a < h.Ptr[j+1]; a++ {
			x := triple(h, a)
			y := [3]float64{
				rho * (x[0] * d[0]),
				rho * (x[1]*d[4] + x[2]*d[7]),
				rho * (x[1]*d[5] + x[2]*d[8]),
			}
			for b := h.Ptr[j]; b <= a; b++ {
				if at := ws.pair[next]; at >= 0 {
					x = triple(h, b)
					ws.a.Val[at] += y[0]*x[0] + y[1]*x[1] + y[2]*x[2]
				}
				next++
			}
		}
	}
}

// solver solves with the factors of M.
type solver interface{ Solve(dst, b []float64) }

// halved is one whose passes forward and back are made each by itself, see [factor.Schur].
type halved interface {
	Reduce(low, b []float64)
	Kept(dst, work, low, r []float64)
	Resolve(dst, work, low, r []float64)
}

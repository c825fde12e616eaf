package convex

import (
	"context"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
)

const primalSetName = "primal active set newton"

// primalSet is the semismooth Newton method of [activeSet] with the displacements y of the contacts
// as unknowns, for many contacts: r = S y − g with the stiffness S = W⁻¹, dense. In each step the
// states of the contacts fix some displacements: u_N = 0 of closed contacts, u_T = 0 of sticking
// ones, u = y + w. F are the free components, those of open contacts and the slips of sliding ones,
// with the equations
//
//	open   r = 0,
//	slip   r_T − μ t̂ r_N + D u_T = s₀ t̂,   D = κρ/(1−κ) e eᵀ,
//
// where t̂ is the direction of slip, e ⊥ t̂ the other tangent, s₀ the part of the threshold that does
// not depend on r_N, ρ the penalty and κ as in [activeSet]. Their matrix is S_FF + D − μ t̂ S_N. It is
// not symmetric, so that GMRES solves with it, preconditioned by the Cholesky factors of the symmetric
// part S_FF + D. The factors are kept while GMRES converges in few iterations, also where D and a few
// states have changed and in the next time steps.
type primalSet struct {
	dryContacts
	s blas64.General // n×n
	y []float64
	w []float64
	// S y − g, which r is but for what is cleared of open contacts. Steps add S Δy; whether rounding has added
	// up in it is seen where y counts from the start, at which S y₀ − g was force₀.
	force, y0, force0 []float64
	fresh             bool // it was made from the start at once

	free    []int // columns of F, ascending
	isFree  []bool
	kappa   []float64 // D of each contact along e
	factor  *factor.Dense
	held    preconditioner // of which F and D the factors are
	place   []int          // index of a component in held.free, -1 if it is not there
	wanted  bool           // GMRES took so long that new factors are cheaper
	beyond  int            // its iterations beyond fewGMRES with these factors, in this solve
	rhs     []float64
	full    []float64 // S x, as far as mul needs it
	rows    []int     // of S, that it takes
	delta   []float64
	local   []float64
	cleared float64 // the largest force on an open contact that the last linear solve left [N]
	floats  bool    // S may be singular
	krylov  gmres
	factors int
}

// preconditioner is what the factors of S_FF + D depend on.
type preconditioner struct {
	free  []int // columns of F
	kappa []float64
	t     [][2]float64
}

const (
	// changedShare is the share of F by which it may differ from held.free before new factors are
	// made: each component that the factors lack costs GMRES about one iteration.
	changedShare = 0.05
	// Forcing terms of the inexact Newton method: the linear residual is reduced
	// by the present relative residual, within these bounds.
	weakestForcing, strongestForcing = 1e-2, 1e-8
	// Factors on ρ, see penalties: of the first solve, and of another one if that fails.
	usualPenalty, cautiousPenalty = 2, 0.2
)

// newPrimalSet takes S, dense, row by row, and whether it may be singular.
func newPrimalSet(dim, nc int, s []float64, floats bool) *primalSet {
	n := dim * nc
	p := &primalSet{dryContacts: newDryContacts(dim, nc), s: blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: s},
		y: make([]float64, n), force: make([]float64, n), y0: make([]float64, n), force0: make([]float64, n),
		isFree: make([]bool, n), kappa: make([]float64, nc), place: make([]int, n),
		full: make([]float64, n), delta: make([]float64, n), local: make([]float64, n), floats: floats}
	p.penalties(usualPenalty)
	return p
}

// penalties sets the ρ of r − ρu in the projections to the force on a contact, over its displacement,
// when all contacts move by the same displacement along the first tangent, times penalty. The
// stiffness of a contact that moves alone is larger by about the number of contacts across the
// patch: with it a common slip would weigh many times the friction limit, and sliding contacts would
// reverse in each iteration instead of coming to rest. On a dragged block 10 times this ρ cycles, a
// tenth takes twice the iterations. A body that nothing but contacts holds follows them without a force:
// then the mean stiffness of a contact that moves alone, over their number across the patch.
func (p *primalSet) penalties(penalty float64) {
	sum, alone := 0.0, 0.0
	for k := range p.nc {
		row := p.s.Data[(p.dim*k+1)*p.s.Stride:]
		for j := range p.nc {
			sum += row[p.dim*j+1]
		}
		alone += row[p.dim*k+1]
	}
	if p.floats {
		sum = max(sum, alone/math.Pow(float64(p.nc), 1/float64(p.dim-1)))
	}
	for k := range p.rho {
		p.rho[k] = penalty * sum / float64(p.nc)
	}
}

// forget drops the preconditioner.
func (p *primalSet) forget() { p.held.free, p.wanted = p.held.free[:0], false }

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// start takes reactions r and the displacements y0 that they cause, with the offsets w. Springs, if there are
// any, take springs·(y0 + w) besides, which S lacks.
func (p *primalSet) start(y0, r, w, springs []float64) {
	copy(p.y, y0)
	copy(p.y0, y0)
	copy(p.r, r)
	copy(p.force0, r)
	p.w = w
	for i, spring := range springs {
		p.force0[i] -= spring * (y0[i] + w[i])
	}
	copy(p.force, p.force0)
	p.fresh = true
}

// renew makes S y − g from the start.
func (p *primalSet) renew() {
	for i, y := range p.y {
		p.delta[i] = y - p.y0[i]
	}
	copy(p.force, p.force0)
	p.addProduct(p.force, p.delta)
	p.fresh = true
	p.clearOpen()
}

// clearOpen makes r = S y − g, without what is left on open contacts: exact where the system says so.
func (p *primalSet) clearOpen() {
	copy(p.r, p.force)
	p.cleared = 0
	for k, st := range p.state {
		if r := p.r[p.dim*k:][:p.dim]; !st.closed && p.law[k].threshold == 0 {
			p.cleared = max(p.cleared, num.InfNorm(r))
			clear(r)
		}
	}
}

// solve iterates as activeSet.solve does, until the context is done.
func (p *primalSet) solve(ctx context.Context, tol, scale float64) (iterations int, ok bool) {
	p.factors, p.beyond, p.cleared = 0, 0, 0
	best := math.Inf(1)
	for iterations = 0; ; iterations++ {
		for i, y := range p.y {
			p.u[i] = y + p.w[i]
		}
		residual := p.classify(scale)
		// What the linear solver leaves of the equations of open contacts is cleared from r, and not seen there.
		if left := p.cleared / max(scale, num.InfNorm(p.r)); left > condensedTolerance {
			residual = max(residual, left)
		}
		if residual <= tol || residual >= 0.5*best && best <= activeSetFloor { // roundoff
			if p.fresh {
				p.release()
				return iterations, true
			}
			p.renew()
			best = math.Inf(1)
			iterations--
			continue
		}
		best = min(best, residual)
		if iterations == activeSetLimit || residual != residual {
			return iterations, false
		}
		if ctx.Err() != nil || !p.newton(ctx, min(max(residual, strongestForcing), weakestForcing)) {
			return iterations, false
		}
	}
}

// newton makes one step: it sets the displacements that the states fix, solves the equations of F for
// the others to the relative residual forcing, and updates y and r.
func (p *primalSet) newton(ctx context.Context, forcing float64) bool {
	p.constrain()
	p.residuals()
	if !p.precondition(ctx) {
		return false
	}
	m := len(p.free)
	x := p.krylov.solve(p, p.rhs[:m], forcing)
	p.beyond += max(p.krylov.iterations-fewGMRES, 0)
	p.wanted = p.wanted || p.beyond > p.slowGMRES(m)
	clear(p.delta)
	for a, i := range p.free {
		p.delta[i] = x[a]
		p.y[i] += x[a]
	}
	p.addProduct(p.force, p.delta)
	p.fresh = false
	p.clearOpen()
	return true
}

// constrain sets u_N = 0 of closed and u_T = 0 of sticking contacts, lists F and
// sets r = S y − g.
func (p *primalSet) constrain() {
	p.free = p.free[:0]
	clear(p.delta)
	moved := 0
	for k, st := range p.state {
		i := p.dim * k
		p.kappa[k] = 0
		for c := range p.dim {
			held := c == 0 && st.closed || c > 0 && !st.slips && (st.closed || p.law[k].threshold > 0)
			p.isFree[i+c] = !held
			if held {
				if p.delta[i+c] = -p.w[i+c] - p.y[i+c]; p.delta[i+c] != 0 {
					moved++
				}
				p.y[i+c] = -p.w[i+c]
			} else {
				p.free = append(p.free, i+c)
			}
		}
		if st.slips && p.dim == 3 {
			p.kappa[k] = st.kappa * p.rho[k] / (1 - st.kappa)
		}
	}
	if p.fresh = p.fresh && moved == 0; 2*moved > len(p.y) {
		p.addProduct(p.force, p.delta)
	} else {
		for i, x := range p.delta {
			p.addColumn(p.force, x, i)
		}
	}
	copy(p.r, p.force)
}

// residuals sets rhs to minus the residuals of the equations of F.
func (p *primalSet) residuals() {
	p.rhs = num.Grow(p.rhs, len(p.free))
	for a, i := range p.free {
		k, c := i/p.dim, i%p.dim
		st, e := &p.state[k], -p.r[i]
		if c > 0 && st.slips {
			normal := 0.0
			if st.closed {
				normal = p.law[k].mu * p.r[p.dim*k]
			}
			e += st.t[c-1] * (normal + p.law[k].threshold)
			e -= across(p.kappa[k], st.t, c, p.y[p.dim*k+1]+p.w[p.dim*k+1], p.y[p.dim*k+p.dim-1]+p.w[p.dim*k+p.dim-1])
		}
		p.rhs[a] = e
	}
}

// across returns component c of κρ/(1−κ) e eᵀ (x, y), of which kappa is the factor.
func across(kappa float64, t [2]float64, c int, x, y float64) float64 {
	s := kappa * (-t[1]*x + t[0]*y)
	if c == 1 {
		return -t[1] * s
	}
	return t[0] * s
}

// mul sets dst = (S_FF + D − μ t̂ S_N) x for x = P⁻¹ b, the last of divide. The factors are those of
// P = S_HH + D_H. With z = P⁻¹ b_H, of all of H, it is
//
//	S x = b − D_H z − S_R z_R + S_A x_A
//
// in H ∩ F, where R = H \ F and A = F \ H are few: of S only their rows are read, and those of S_N.
func (p *primalSet) mul(dst, x, b []float64) {
	h, z := &p.held, p.local
	clear(p.delta)
	clear(p.full)
	p.rows = p.rows[:0]
	for q, i := range h.free {
		if !p.isFree[i] {
			p.addColumn(p.full, -z[q], i)
		}
	}
	for a, i := range p.free {
		p.delta[i] = x[a]
		if p.place[i] < 0 {
			p.addColumn(p.full, x[a], i)
			p.rows = append(p.rows, i)
		}
	}
	for k, st := range p.state {
		if st.closed && st.slips {
			p.rows = append(p.rows, p.dim*k)
		}
	}
	share(len(p.rows), len(x), func(from, end int) {
		for _, i := range p.rows[from:end] {
			p.full[i] = blas64.Dot(p.row(i), vector(p.delta))
		}
	})
	known := func(i int) float64 {
		if q := p.place[i]; q >= 0 {
			return z[q]
		}
		return 0
	}
	for a, i := range p.free {
		k, c := i/p.dim, i%p.dim
		st, v, first, second := &p.state[k], p.full[i], p.dim*k+1, p.dim*k+p.dim-1
		if p.place[i] >= 0 {
			v += b[a]
			if c > 0 && h.kappa[k] != 0 {
				v -= across(h.kappa[k], h.t[k], c, known(first), known(second))
			}
		}
		if c > 0 && st.slips {
			if st.closed {
				v -= p.law[k].mu * st.t[c-1] * p.full[p.dim*k]
			}
			v += across(p.kappa[k], st.t, c, p.delta[first], p.delta[second])
		}
		dst[a] = v
	}
}

// precondition makes factors of S_FF + D, unless F has changed little and GMRES is fast with the old.
func (p *primalSet) precondition(ctx context.Context) bool {
	if len(p.held.free) > 0 && !p.wanted && p.changed() <= int(changedShare*float64(len(p.free))) {
		return true
	}
	h := &p.held
	h.free, h.kappa = append(h.free[:0], p.free...), append(h.kappa[:0], p.kappa...)
	h.t = h.t[:0]
	for k := range p.state {
		h.t = append(h.t, p.state[k].t)
	}
	p.wanted = false
	return p.factorise(ctx)
}

// factorise makes the factors for the F and D of held, and empties held.free if that fails.
func (p *primalSet) factorise(ctx context.Context) bool {
	h := &p.held
	m := len(h.free)
	if p.factor == nil {
		p.factor = factor.NewDense(m)
	}
	p.factor.Resize(m)
	for a, i := range h.free {
		row, src := p.factor.Row(a), p.s.Data[i*p.s.Stride:]
		for b, j := range h.free[:a+1] {
			row[b] = src[j]
		}
		k := i / p.dim
		if h.kappa[k] == 0 || i%p.dim == 0 {
			continue
		}
		for b := a; b >= 0 && h.free[b] > p.dim*k; b-- { // the tangents of the contact
			t, e := h.t[k], [2]float64{}
			e[h.free[b]%p.dim-1] = 1
			s := h.kappa[k] * (-t[1]*e[0] + t[0]*e[1])
			row[b] += [2]float64{-t[1] * s, t[0] * s}[i%p.dim-1]
		}
	}
	if p.factor.Factor(ctx) != nil {
		h.free = h.free[:0]
		return false
	}
	p.factors++
	p.beyond = 0
	for i := range p.place {
		p.place[i] = -1
	}
	for a, i := range h.free {
		p.place[i] = a
	}
	return true
}

// changed counts the columns in which F and the held factors differ.
func (p *primalSet) changed() int {
	count := len(p.held.free)
	for _, i := range p.free {
		if p.place[i] >= 0 {
			count--
		} else {
			count++
		}
	}
	return count
}

// slowGMRES is the number of iterations of GMRES for m unknowns that cost as much as new factors. Once so many
// were lost with the old ones, as many are expected to be: at most twice the least is spent. Factors take m³/3
// operations; an iteration takes 2m² with them and 2n in each of the rows of S, each of them slow times as long
// because they wait for memory.
func (p *primalSet) slowGMRES(m int) int {
	return m * m * m / max(6*slow*(m*m+len(p.y)*len(p.rows)), 1)
}

// fewGMRES is the number of iterations that are needed with exact factors of S_FF + D, too, which lack the
// term −μ t̂ S_N.
const fewGMRES = 4

// divide sets dst = P⁻¹ x: the factors where they know the column, the diagonal
// of S elsewhere.
func (p *primalSet) divide(dst, x []float64) {
	z := p.local[:len(p.held.free)]
	clear(z)
	for a, i := range p.free {
		if q := p.place[i]; q >= 0 {
			z[q] = x[a]
		}
	}
	p.factor.Solve(z, z)
	for a, i := range p.free {
		if q := p.place[i]; q >= 0 {
			dst[a] = z[q]
		} else {
			dst[a] = x[a] / p.s.Data[i*p.s.Stride+i]
		}
	}
}

const (
	// productRows of a product are one call of BLAS, whoever makes it: its bits do not
	// depend on the number of goroutines.
	productRows = 128
	// sharedProduct is the number of entries of S from which goroutines share a
	// product: some 100 µs, against some microseconds to start one.
	sharedProduct = 1 << 18
)

func (p *primalSet) row(i int) blas64.Vector { return vector(p.s.Data[i*p.s.Stride:][:p.s.Cols]) }

// addColumn computes dst += x S_i, S being symmetric to the last bit.
func (p *primalSet) addColumn(dst []float64, x float64, i int) {
	if x != 0 {
		blas64.Axpy(x, p.row(i), vector(dst))
	}
}

// addProduct computes dst += S x.
func (p *primalSet) addProduct(dst, x []float64) {
	n := len(x)
	share((n+productRows-1)/productRows, n*productRows, func(from, end int) {
		for c := from; c < end; c++ {
			first, last := c*productRows, min((c+1)*productRows, n)
			rows := blas64.General{Rows: last - first, Cols: n, Stride: p.s.Stride, Data: p.s.Data[first*p.s.Stride:]}
			blas64.Gemv(blas.NoTrans, 1, rows, vector(x), 1, vector(dst[first:last]))
		}
	})
}

// share has goroutines work on chunks of S, of so many entries each, which are read once, from memory: two cores
// do that faster than one.
func share(chunks, entries int, work func(from, end int)) {
	workers := min(runtime.GOMAXPROCS(0), chunks)
	if chunks*entries < sharedProduct || workers < 2 {
		work(0, chunks)
		return
	}
	var done sync.WaitGroup
	for w := 1; w < workers; w++ {
		done.Go(func() { work(w*chunks/workers, (w+1)*chunks/workers) })
	}
	work(0, chunks/workers)
	done.Wait()
}

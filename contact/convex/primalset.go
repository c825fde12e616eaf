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

// primalSet is the method of [activeSet] in the displacements y of the contacts,
// for many of them: with r = S y − g and S = W⁻¹ dense, what is not known are
// the displacements of open contacts and the slips of sliding ones,
//
//	open   r = 0,
//	slip   r_T − μ t̂ r_N + D u_T = s₀ t̂,   D = κρ/(1−κ) e eᵀ,
//
// with the notation there. The linear systems, S_FF + D less the coupling μ t̂,
// are solved by GMRES with the Cholesky factors of S_FF + D as preconditioner.
// Those serve as long as the iteration is fast, over changes of D, of some
// states and of the time step.
type primalSet struct {
	dryContacts
	s    blas64.General // n×n
	y, g []float64
	w    []float64

	free    []int // columns of F, ascending
	isFree  []bool
	kappa   []float64 // D of each contact along e
	factor  *factor.Dense
	held    preconditioner // what the factors are of
	place   []int          // of a column among held, -1 if it is not
	wanted  bool           // the factors have become slow
	rhs     []float64
	full    []float64 // S δ
	delta   []float64
	local   []float64
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
	// changedShare: the factors serve while the columns of F that they lack, or
	// have too many, are fewer than this share.
	changedShare = 0.05
	// Forcing terms of the inexact Newton method: the linear residual is reduced
	// by the present relative residual, within these bounds.
	weakestForcing, strongestForcing = 1e-2, 1e-8
	// Factors of ρ, see penalties: at first, and after a failure.
	usualPenalty, cautiousPenalty = 2, 0.2
)

// newPrimalSet takes S, dense, row by row.
func newPrimalSet(dim, nc int, s []float64) *primalSet {
	n := dim * nc
	p := &primalSet{dryContacts: newDryContacts(dim, nc), s: blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: s},
		y: make([]float64, n), g: make([]float64, n), isFree: make([]bool, n), kappa: make([]float64, nc), place: make([]int, n),
		full: make([]float64, n), delta: make([]float64, n), local: make([]float64, n)}
	p.penalties(usualPenalty)
	return p
}

// penalties sets ρ to the stiffness of a contact when all contacts move
// together along the first tangent. With the stiffness of one contact moving
// alone, larger by the number of contacts across, a common slip would look like
// a force of many times the limit, and sliding contacts would change direction
// back and forth in place of coming to rest: 10 times this ρ cycles on a dragged
// block, a tenth takes twice the iterations.
func (p *primalSet) penalties(penalty float64) {
	sum := 0.0
	for k := range p.nc {
		row := p.s.Data[(p.dim*k+1)*p.s.Stride:]
		for j := range p.nc {
			sum += row[p.dim*j+1]
		}
	}
	for k := range p.rho {
		p.rho[k] = penalty * sum / float64(p.nc)
	}
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// start takes reactions r and the displacements y0 that they cause, with
// g = S y0 − r, and the offsets w.
func (p *primalSet) start(y0, r, w []float64) {
	copy(p.y, y0)
	copy(p.r, r)
	p.w = w
	for i, x := range r {
		p.g[i] = -x
	}
	p.addProduct(p.g, y0)
}

// solve iterates as activeSet.solve does, until the context is done.
func (p *primalSet) solve(ctx context.Context, tol, scale float64) (iterations int, ok bool) {
	p.factors = 0
	best := math.Inf(1)
	for iterations = 0; ; iterations++ {
		for i, y := range p.y {
			p.u[i] = y + p.w[i]
		}
		residual := p.classify(scale)
		if residual <= tol {
			return iterations, true
		}
		if residual >= 0.5*best && best <= activeSetFloor { // roundoff
			return iterations, true
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

// newton makes the constraints of the states exact, solves for the rest, and
// updates y and r.
func (p *primalSet) newton(ctx context.Context, forcing float64) bool {
	p.constrain()
	p.residuals()
	if !p.precondition(ctx) {
		return false
	}
	m := len(p.free)
	x := p.krylov.solve(p, p.rhs[:m], forcing)
	p.wanted = p.wanted || p.krylov.iterations > p.slowGMRES(m)
	clear(p.delta)
	for a, i := range p.free {
		p.delta[i] = x[a]
		p.y[i] += x[a]
	}
	p.addProduct(p.r, p.delta)
	for k, st := range p.state {
		if !st.closed && p.law[k].threshold == 0 { // exact where the system says so
			clear(p.r[p.dim*k : p.dim*k+p.dim])
		}
	}
	return true
}

// constrain sets u_N = 0 of closed and u_T = 0 of sticking contacts, lists F and
// sets r = S y − g.
func (p *primalSet) constrain() {
	p.free = p.free[:0]
	for k, st := range p.state {
		i := p.dim * k
		p.kappa[k] = 0
		for c := range p.dim {
			held := c == 0 && st.closed || c > 0 && !st.slips && (st.closed || p.law[k].threshold > 0)
			p.isFree[i+c] = !held
			if held {
				p.y[i+c] = -p.w[i+c]
			} else {
				p.free = append(p.free, i+c)
			}
		}
		if st.slips && p.dim == 3 {
			p.kappa[k] = st.kappa * p.rho[k] / (1 - st.kappa)
		}
	}
	for i, g := range p.g {
		p.r[i] = -g
	}
	p.addProduct(p.r, p.y)
}

// residuals sets rhs to what the equations of F lack.
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
			e -= p.across(k, c, p.y[p.dim*k+1]+p.w[p.dim*k+1], p.y[p.dim*k+p.dim-1]+p.w[p.dim*k+p.dim-1])
		}
		p.rhs[a] = e
	}
}

// across returns component c of D (x, y).
func (p *primalSet) across(k, c int, x, y float64) float64 {
	t := p.state[k].t
	s := p.kappa[k] * (-t[1]*x + t[0]*y)
	if c == 1 {
		return -t[1] * s
	}
	return t[0] * s
}

// mul sets dst = (S_FF + D − μ t̂ S_N) x.
func (p *primalSet) mul(dst, x []float64) {
	clear(p.delta)
	for a, i := range p.free {
		p.delta[i] = x[a]
	}
	clear(p.full)
	p.addProduct(p.full, p.delta)
	for a, i := range p.free {
		k, c := i/p.dim, i%p.dim
		st, v := &p.state[k], p.full[i]
		if c > 0 && st.slips {
			if st.closed {
				v -= p.law[k].mu * st.t[c-1] * p.full[p.dim*k]
			}
			v += p.across(k, c, p.delta[p.dim*k+1], p.delta[p.dim*k+p.dim-1])
		}
		dst[a] = v
	}
}

// precondition makes factors of S_FF + D, unless those at hand serve.
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

// factorise makes the factors that held describes; without them nothing is held.
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

// slowGMRES is the number of iterations for m unknowns above which a new
// factorisation is cheaper: m³/3 operations, at the speed of products of blocks,
// for what it saves of products and solves of 2m(n + m) each that read memory; a few
// are left with any.
func (p *primalSet) slowGMRES(m int) int {
	n := len(p.y)
	return fewGMRES + m*m/(6*slow*(n+m))
}

// fewGMRES iterations are left with exact factors of S_FF + D: the coupling of
// friction to normal forces is not in them.
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

// addProduct computes dst += S x. It reads S once, from memory, which two cores do
// faster than one.
func (p *primalSet) addProduct(dst, x []float64) {
	n := len(x)
	chunks := (n + productRows - 1) / productRows
	workers := min(runtime.GOMAXPROCS(0), chunks)
	if n*n < sharedProduct || workers < 2 {
		p.addRows(dst, x, 0, chunks)
		return
	}
	var done sync.WaitGroup
	for w := 1; w < workers; w++ {
		done.Go(func() { p.addRows(dst, x, w*chunks/workers, (w+1)*chunks/workers) })
	}
	p.addRows(dst, x, 0, chunks/workers)
	done.Wait()
}

// addRows computes the chunks from to end.
func (p *primalSet) addRows(dst, x []float64, from, end int) {
	for c := from; c < end; c++ {
		first, last := c*productRows, min((c+1)*productRows, len(x))
		rows := blas64.General{Rows: last - first, Cols: len(x), Stride: p.s.Stride, Data: p.s.Data[first*p.s.Stride:]}
		blas64.Gemv(blas.NoTrans, 1, rows, vector(x), 1, vector(dst[first:last]))
	}
}

// linearMap is a square system with a preconditioner.
type linearMap interface {
	mul(dst, x []float64)
	divide(dst, x []float64)
}

// gmres is the generalised minimal residual method with right preconditioning:
// A P⁻¹ z = b, x = P⁻¹ z, from x = 0.
type gmres struct {
	basis      [][]float64 // orthonormal
	hessenberg num.Hessenberg
	z, x       []float64
	iterations int
}

// gmresLimit is the size of the Krylov space; the preconditioners here need some
// tens, and Newton's method lives with what is left.
const gmresLimit = 80

// solve reduces the residual by the factor tol, if the limit allows, and returns
// x, which belongs to the method.
func (s *gmres) solve(a linearMap, b []float64, tol float64) []float64 {
	n := len(b)
	s.z, s.x = num.Grow(s.z, n), num.Grow(s.x, n)
	clear(s.x)
	s.iterations = 0
	beta := num.Norm(b)
	if beta == 0 {
		return s.x
	}
	q := s.vector(0, n)
	for i, v := range b {
		q[i] = v / beta
	}
	s.hessenberg.Begin(beta)
	for j := 0; j < min(gmresLimit, n); j++ {
		s.iterations = j + 1
		a.divide(s.z, s.basis[j])
		a.mul(s.vector(j+1, n), s.z)
		grown := s.orthogonalise(j, n)
		if s.hessenberg.Append() <= tol*beta || !grown {
			break
		}
	}
	clear(s.z)
	for i, c := range s.hessenberg.Solve() {
		blas64.Axpy(c, vector(s.basis[i]), vector(s.z))
	}
	a.divide(s.x, s.z)
	return s.x
}

func (s *gmres) vector(k, n int) []float64 {
	for len(s.basis) <= k {
		s.basis = append(s.basis, nil)
	}
	s.basis[k] = num.Grow(s.basis[k], n)
	return s.basis[k]
}

// orthogonalise is the modified Gram-Schmidt process on vector j+1; it reports
// whether something is left.
func (s *gmres) orthogonalise(j, n int) bool {
	v, column := vector(s.basis[j+1]), s.hessenberg.Column()
	before := blas64.Nrm2(v)
	for i := range j + 1 {
		q := vector(s.basis[i])
		column[i] = blas64.Dot(q, v)
		blas64.Axpy(-column[i], q, v)
	}
	column[j+1] = blas64.Nrm2(v)
	if column[j+1] <= num.Eps*float64(n)*before {
		column[j+1] = 0
		return false
	}
	blas64.Scal(1/column[j+1], v)
	return true
}

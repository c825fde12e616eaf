package lcp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// lcpTolerance is the default tolerance of [SolveLCP] on [LCP.Residual]: a
// basic solution is exact up to roundoff, so it leaves room for a condition
// number of about 10⁵ only.
const lcpTolerance = 1e-10

// lcpExact is a residual of a few units of roundoff, below which there is
// nothing to gain.
const lcpExact = 1e-14

// LCP is the linear complementarity problem [CPS09, (1.1.1)]
//
//	w = M z + q,   0 ≤ z ⊥ w ≥ 0.
type LCP struct {
	M []float64 // n×n, row by row
	Q []float64 // n
}

// N returns the number of complementary pairs.
func (p *LCP) N() int { return len(p.Q) }

// Validate checks the sizes and that every number is finite.
func (p *LCP) Validate() error {
	if p == nil {
		return errors.New("contact: a problem is required")
	}
	if n := len(p.Q); len(p.M) != n*n {
		return fmt.Errorf("contact: LCP: M has %d entries, want %d×%d", len(p.M), n, n)
	}
	return errors.Join(form.Finite("M", p.M), form.Finite("Q", p.Q))
}

// slack overwrites w with M z + q and returns it; a nil w allocates.
func (p *LCP) slack(w, z []float64) []float64 {
	n := len(p.Q)
	if w == nil {
		w = make([]float64, n)
	}
	for i := range n {
		row, s := p.M[i*n:i*n+n], p.Q[i]
		for j, v := range row {
			s += v * z[j]
		}
		w[i] = s
	}
	return w
}

// Residual returns max_i |min(z_i/s_z, w_i/s_w)| [-] for w = M z + q, and the
// worst pair. The scales s_w = ‖q‖∞ and s_z = s_w/max|M_ij| carry the units of w
// and of z, so that the residual does not change with the units. They are data,
// not iterates: a huge z, where w = M z hides q, cannot pass for a solution.
// The residual is 0 at a solution only, and infinite if a number is not finite.
func (p *LCP) Residual(z []float64) (residual float64, worst int) {
	return lcpResidual(z, p.slack(nil, z), p.Q, num.InfNorm(p.M))
}

func lcpResidual(z, w, q []float64, mMax float64) (residual float64, worst int) {
	sw, sz := lcpScales(num.InfNorm(q), mMax)
	worst = -1
	for i := range z {
		if e := math.Abs(min(z[i]/sz, w[i]/sw)); e > residual || e != e {
			residual, worst = e, i
			if e != e {
				return math.Inf(1), i
			}
		}
	}
	return residual, worst
}

// lcpScales returns the units of w and z, 1 where the data are zero.
func lcpScales(qMax, mMax float64) (sw, sz float64) {
	sw, sz = 1, 1
	if qMax > 0 {
		sw, sz = qMax, qMax
	}
	if mMax > 0 {
		sz /= mMax
	}
	return sw, sz
}

// LCPResult is the answer of [SolveLCP] and [Lemke], filled on failure too
// (the best z that was met). The slices are reused by the next solve.
type LCPResult struct {
	Status     form.Status
	Z, W       []float64 // n; Z ≥ 0 on success, W = M Z + Q
	Residual   float64   // [LCP.Residual] of Z
	Worst      int       // pair with the largest residual, -1 if none
	Iterations int       // pivots of Lemke's method, over all attempts
	Nodes      int       // nodes of the branching search, 0 if it was not needed
	Solver     string    // the method that finished
	// Ray, if not empty, is the z part of the secondary ray in which the first
	// attempt of Lemke's method ended: M Ray + t d ≥ 0 for the covering vector
	// d and some t ≥ 0. A ray alone proves nothing.
	Ray []float64
	// Farkas, if not empty, proves infeasibility: y ≥ 0 with Mᵀy ≤ 0 and
	// qᵀy < 0, hence yᵀ(M z + q) < 0 for every z ≥ 0. If Status is Infeasible
	// without it, the search has ruled out all complementary bases one by one.
	Farkas []float64
}

// ErrRay is the cause of a failure of [Lemke] alone.
var ErrRay = errors.New("ended in a secondary ray")

// LCPWorkspace is the memory of [SolveLCP]. The zero value is ready. After a
// solve of size n, solves up to that size by Lemke's method allocate nothing.
type LCPWorkspace struct {
	// Reuse tries the last solution first, which costs one residual, and then
	// its complementary basis, which costs one factorisation instead of n
	// pivots. It prefers the same branch where solutions are not unique.
	// Default: every solve is a function of its problem alone.
	Reuse bool

	tableau     lemkeTableau
	lu          factors
	rowScale    []float64
	colScale    []float64
	cover       []float64
	z, w        []float64
	active      []int     // basic z of a candidate, then those of the last solution
	last        []float64 // the last solution
	lastActive  []int
	mMax, qMax  float64
	tolerance   float64
	pivotsLimit int
}

// SolveLCP solves p by Lemke's method with lexicographic pivoting and, where
// that ends in a ray, by equilibration, other covering vectors, a semismooth
// Newton method and, last, an exhaustive search over the complementary pairs
// that is pruned by linear programs. It returns nil only if the residual of
// res.Z, computed from p itself, is at most the tolerance (default 1e-10).
//
// The verdict is Infeasible if a Farkas vector shows that no z ≥ 0 has
// M z + q ≥ 0 or if the search rules out every complementary basis; a ray is
// never taken for a proof. ws may be nil. Cost: about n pivots of n² flops.
func SolveLCP(ctx context.Context, p *LCP, o *form.Options, ws *LCPWorkspace, res *LCPResult) error {
	res = num.OrNew(res)
	ws, err := ws.begin(p, o, res)
	if err != nil {
		return err
	}
	if ws.reuse(p, res) || ws.lemke(ctx, p, res, "lemke") {
		return nil
	}
	if ctx.Err() == nil && ws.lemkeVariants(ctx, p, res) {
		return nil
	}
	if ctx.Err() == nil && res.Status != form.Infeasible {
		ws.fallback(ctx, p, res)
	}
	return ws.Verdict(ctx, res)
}

// Lemke solves p by Lemke's method alone: one attempt with the covering vector
// e, [CPS09, Algorithm 4.4.5] with lexicographic ratio test, so that it never
// cycles. If it ends in a secondary ray, res.Ray holds it and the status is
// NoProgress, or Infeasible if the ray is a Farkas vector (as it always is for
// positive semidefinite M, [CPS09, Theorem 4.4.12]).
func Lemke(ctx context.Context, p *LCP, o *form.Options, ws *LCPWorkspace, res *LCPResult) error {
	res = num.OrNew(res)
	ws, err := ws.begin(p, o, res)
	if err != nil {
		return err
	}
	if ws.lemke(ctx, p, res, "lemke") {
		return nil
	}
	return ws.Verdict(ctx, res)
}

// begin checks p and o and readies ws and res.
func (ws *LCPWorkspace) begin(p *LCP, o *form.Options, res *LCPResult) (*LCPWorkspace, error) {
	o, ws = num.OrNew(o), num.OrNew(ws)
	if p == nil {
		return nil, p.Validate()
	}
	*res = LCPResult{Z: res.Z[:0], W: res.W[:0], Ray: res.Ray[:0], Farkas: res.Farkas[:0], Residual: math.Inf(1), Worst: -1}
	ws.mMax, ws.qMax = num.InfNorm(p.M), num.InfNorm(p.Q)
	n := len(p.Q)
	if len(p.M) != n*n || !(ws.mMax <= math.MaxFloat64) || !(ws.qMax <= math.MaxFloat64) {
		return nil, p.Validate()
	}
	ws.tolerance = o.Tolerance
	if o.Tolerance == 0 {
		ws.tolerance = lcpTolerance
	}
	if !(ws.tolerance > 0 && ws.tolerance < 1) {
		return nil, fmt.Errorf("contact: Options.Tolerance is %g, want a number in (0, 1)", o.Tolerance)
	}
	ws.pivotsLimit = o.MaxIterations
	if o.MaxIterations == 0 {
		ws.pivotsLimit = 1000 + 20*n // Lemke's method takes about n to 3n pivots
	}
	ws.resize(n, res)
	return ws, nil
}

func (ws *LCPWorkspace) resize(n int, res *LCPResult) {
	res.Z, res.W = num.Resized(res.Z, n), num.Resized(res.W, n)
	ws.z, ws.w = num.Resized(ws.z, n), num.Resized(ws.w, n)
	ws.rowScale, ws.colScale = num.Resized(ws.rowScale, n), num.Resized(ws.colScale, n)
	ws.cover = num.Resized(ws.cover, n)
	for i := range n {
		ws.rowScale[i], ws.colScale[i], ws.cover[i] = 1, 1, 1
	}
	if cap(ws.active) < n {
		ws.active = make([]int, 0, n)
	}
	ws.tableau.resize(n)
}

// reuse tries the last solution, if it is exact, or else its basis.
func (ws *LCPWorkspace) reuse(p *LCP, res *LCPResult) bool {
	if !ws.Reuse || len(ws.last) != len(p.Q) {
		return false
	}
	copy(ws.z, ws.last)
	if ws.offer(p, res, "reuse") && res.Residual <= lcpExact {
		return true
	}
	ws.active = append(ws.active[:0], ws.lastActive...)
	return ws.solveActive(p) && ws.offer(p, res, "reuse")
}

// offer keeps ws.z in res if it is the best so far and reports whether it
// passes the check. Tiny negative entries are set to zero first.
func (ws *LCPWorkspace) offer(p *LCP, res *LCPResult, solver string) bool {
	for i, v := range ws.z {
		ws.z[i] = max(v, 0)
	}
	p.slack(ws.w, ws.z)
	residual, worst := lcpResidual(ws.z, ws.w, p.Q, ws.mMax)
	if !(residual < res.Residual) {
		return res.Residual <= ws.tolerance
	}
	copy(res.Z, ws.z)
	copy(res.W, ws.w)
	res.Residual, res.Worst, res.Solver = residual, worst, solver
	if residual > ws.tolerance {
		return false
	}
	res.Status, res.Farkas = form.Converged, res.Farkas[:0]
	ws.last = append(ws.last[:0], res.Z...)
	ws.lastActive = ws.lastActive[:0]
	for i, v := range res.Z {
		if v > 0 {
			ws.lastActive = append(ws.lastActive, i)
		}
	}
	return true
}

// polish offers ws.z, and offers once more the exact solution of its
// complementary basis if the residual is above roundoff: that removes what
// the updates of the tableau have added.
func (ws *LCPWorkspace) polish(p *LCP, res *LCPResult, solver string) bool {
	ok := ws.offer(p, res, solver)
	if ok && res.Residual <= lcpExact {
		return true
	}
	sz := ws.mMax
	if sz == 0 {
		return ok
	}
	ws.active = ws.active[:0]
	for i, v := range ws.z {
		if v*sz > ws.w[i] {
			ws.active = append(ws.active, i)
		}
	}
	return ws.solveActive(p) && ws.offer(p, res, solver) || ok
}

// solveActive solves M_αα z_α = −q_α with one step of refinement, for α the
// indices in ws.active, and sets the rest of ws.z to zero.
func (ws *LCPWorkspace) solveActive(p *LCP) bool {
	x := principal(&ws.lu, p.M, p.Q, ws.active)
	if !ws.lu.Factor() {
		return false
	}
	ws.lu.Solve(x)
	clear(ws.z)
	for r, i := range ws.active {
		ws.z[i] = x[r]
	}
	p.slack(ws.w, ws.z)
	for r, i := range ws.active {
		x[r] = -ws.w[i]
	}
	ws.lu.Solve(x)
	for r, i := range ws.active {
		ws.z[i] += x[r]
	}
	return true
}

// principal puts the principal submatrix M_αα in lu and returns −q_α, which lu solves for.
func principal(lu *factors, m, q []float64, active []int) []float64 {
	n, k := len(q), len(active)
	a, x := lu.Resize(k)
	for r, i := range active {
		for c, j := range active {
			a[r*k+c] = m[i*n+j]
		}
		x[r] = -q[i]
	}
	return x
}

// Verdict turns what was found into the final status and its error.
func (ws *LCPWorkspace) Verdict(ctx context.Context, res *LCPResult) error {
	if res.Status == form.Converged {
		return nil
	}
	var cause error
	switch {
	case ctx.Err() != nil:
		res.Status, cause = form.Canceled, form.CauseOf(ctx)
	case res.Status == form.Infeasible && len(res.Farkas) > 0:
		cause = errors.New("no z >= 0 satisfies M z + q >= 0, the Farkas vector shows it")
	case res.Status == form.Infeasible:
		cause = fmt.Errorf("none of the complementary bases is feasible, shown in %d nodes", res.Nodes)
	case res.Status == form.Unsolved:
		res.Status = form.NoProgress
	}
	switch {
	case cause == nil && res.Nodes > 0:
		cause = fmt.Errorf("undecided after %d nodes of the search", res.Nodes)
	case cause == nil && len(res.Ray) > 0:
		cause = ErrRay
	}
	if res.Solver == "" {
		res.Solver = "lemke"
	}
	return &form.Error{Status: res.Status, Merit: res.Residual, Tolerance: ws.tolerance, Iterations: res.Iterations,
		Worst: -1, Solver: res.Solver, Cause: cause}
}

// factors are those of a basis.
type factors struct{ num.LU }

// farkasCertifies reports whether y ≥ 0 shows that no z ≥ 0 has M z + q ≥ 0.
// With d = max_j (Mᵀy)_j⁺ every such z obeys 0 ≤ yᵀ(M z + q) ≤ d‖z‖₁ + qᵀy, so
// that ‖z‖₁ ≥ −qᵀy/d. In exact arithmetic d = 0; here the bound must exceed
// the natural size ‖q‖/‖M‖ of z by 10⁹, and qᵀy must be more than roundoff.
func farkasCertifies(p *LCP, y []float64, mMax, qMax float64) bool {
	n := len(p.Q)
	qy, size := 0.0, 0.0
	for i, v := range y {
		if !(v >= 0) {
			return false
		}
		qy += p.Q[i] * v
		size += v
	}
	if !(-qy > 1e-9*qMax*size) {
		return false
	}
	d := 0.0
	for j := range n {
		s := 0.0
		for i, v := range y {
			if v != 0 {
				s += v * p.M[i*n+j]
			}
		}
		d = max(d, s)
	}
	return d == 0 || -qy*mMax > 1e9*d*qMax
}

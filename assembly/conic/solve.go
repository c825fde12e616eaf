package conic

import (
	"context"
	"fmt"
	"math"
)

// iterate is a point of the homogeneous model [AndersenRoosTerlaky03]:
//
//	A x = b τ,   Aᵀy + s = c τ,   bᵀy − cᵀx = κ,   x, s ∈ K,  τ, κ ≥ 0
//
// or a direction in it.
type iterate struct {
	x, y, s    []float64
	tau, kappa float64
}

func newIterate(m, n int) iterate {
	return iterate{x: make([]float64, n), y: make([]float64, m), s: make([]float64, n)}
}

// solver is a solve that goes on.
type solver struct {
	b, c        []float64
	bSize       float64
	cSize       float64
	first, dim  []int
	scales      []scaling
	normal      *normal
	z           iterate
	d           iterate // direction
	lambda      []float64
	rp, rd      []float64 // b τ − A x,  c τ − Aᵀy − s
	rg          float64   // cᵀx + κ − bᵀy
	q           []float64
	x2, y2      []float64
	work, wide  []float64
	extra       []float64 // the last correction of y, and of x
	moved       []float64
	feasibility bool // c is 0
}

// Solve solves p. The error is that of the context only; what was found is in the Status.
func Solve(ctx context.Context, p *Problem, o *Options) (*Result, error) {
	options := o.defaults()
	if by := dot(p.B, p.B); p.A.Cols() == 0 && by > 0 { // no x at all
		return &Result{Status: Infeasible, Y: scaled(nil, p.B, 1/by)}, nil
	}
	w, rows := newSolver(p)
	if r := w.linear(options.Tolerance); r != nil {
		if r.Status == Infeasible {
			for i := range r.Y {
				r.Y[i] /= rows[i]
			}
			r.Residual = p.RayViolation(r.Y)
		}
		return r, nil
	}
	if from := options.From; from != nil {
		copy(w.z.x, from.X)
		copy(w.z.s, from.S)
		for i, v := range from.Y {
			w.z.y[i] = v * rows[i]
		}
		w.z.kappa = from.Kappa
	}
	best, err := w.iterate(ctx, options)
	if err == nil && best.Residual > options.Enough { // rows may depend on one another up to the root of the shift
		w.begin()
		w.normal.shift = 1e-15
		var again *Result
		if again, err = w.iterate(ctx, options); again != nil && again.Residual < best.Residual {
			best = again
		}
	}
	if err != nil {
		return nil, err
	}
	if best.Residual > options.Enough {
		best.Status = Undecided
	}
	for i := range best.Y {
		best.Y[i] /= rows[i]
	}
	for _, p := range best.Kept {
		for i := range p.Y {
			p.Y[i] /= rows[i]
		}
	}
	return best, nil
}

// iterate takes steps until an iterate is good enough, and returns the best.
func (w *solver) iterate(ctx context.Context, options Options) (*Result, error) {
	best, kept := &Result{Residual: math.Inf(1)}, []*Point(nil)
	for k := 0; k <= options.Iterations; k++ {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		w.residuals()
		w.assess(best, k)
		for len(kept) < len(options.Keep) && best.Residual <= options.Keep[len(kept)] {
			kept = append(kept, w.point())
		}
		stalled := best.Residual <= options.Enough && k > best.Iterations+3 // rounding: steps make it worse
		if best.Residual <= options.Tolerance || stalled || !w.scale() {
			break
		}
		if w.feasibility && w.admissible(best, options.Tolerance) {
			best.Iterations = k
			break
		}
		if !w.advance() {
			break
		}
	}
	best.Kept = kept
	return best, nil
}

// point is the iterate at τ = 1.
func (w *solver) point() *Point {
	z := &w.z
	f := 1 / z.tau
	return &Point{scaled(nil, z.x, f), scaled(nil, z.y, f), scaled(nil, z.s, f), z.kappa * f}
}

// begin sets x and s to the units of the cones, τ and κ to 1.
func (w *solver) begin() {
	clear(w.z.x)
	clear(w.z.y)
	clear(w.z.s)
	w.z.tau, w.z.kappa = 1, 1
	for _, at := range w.first {
		w.z.x[at], w.z.s[at] = 1, 1
	}
}

func newSolver(p *Problem) (*solver, []float64) {
	m, n := p.A.Rows, p.A.Cols()
	if len(p.B) != m || len(p.C) != n {
		panic(fmt.Sprintf("conic.Solve: B has %d and C %d entries, want %d and %d", len(p.B), len(p.C), m, n))
	}
	a, rows := equilibrate(&p.A)
	w := &solver{b: make([]float64, m), c: p.C, dim: p.Cones}
	for i := range w.b {
		w.b[i] = p.B[i] / rows[i]
	}
	w.bSize, w.cSize = 1+largest(w.b), 1+largest(w.c)
	w.feasibility = largest(w.c) == 0
	w.z, w.d = newIterate(m, n), newIterate(m, n)
	at := 0
	for _, d := range p.Cones {
		w.first = append(w.first, at)
		w.scales = append(w.scales, scaling{w: make([]float64, d)})
		at += d
	}
	if at != n {
		panic(fmt.Sprintf("conic.Solve: cones of %d components in all, want %d", at, n))
	}
	w.begin()
	w.normal = newNormal(&a, w.first, w.dim, w.scales)
	w.lambda, w.q, w.wide = make([]float64, n), make([]float64, n), make([]float64, n)
	w.moved = make([]float64, n)
	w.rp, w.rd, w.work = make([]float64, m), make([]float64, n), make([]float64, m)
	w.x2, w.y2, w.extra = make([]float64, n), make([]float64, m), make([]float64, m)
	return w, rows
}

// linear answers what least squares do, with W = 1, or returns nil. That A x = b has no solution in any cone: with N = A Aᵀ
// and the shift of its diagonal, N⁻¹b is a y with Aᵀy = 0 and bᵀy = 1, but for a share of the shift, which is taken off;
// steps of the method would follow it without end. Or, where c is 0, a least solution inside the cones.
func (w *solver) linear(tolerance float64) *Result {
	if !w.scale() {
		return nil
	}
	least, y, reach := make([]float64, len(w.b)), make([]float64, len(w.b)), make([]float64, len(w.b))
	w.normal.precondition(least, w.b)
	copy(y, least)
	for range 3 {
		w.normal.product(w.work, y)
		w.normal.precondition(reach, w.work)
		addTo(y, reach, -1)
	}
	n := len(w.c)
	if power := dot(w.b, y); power > 0 {
		w.normal.mulTransVec(w.wide, y)
		if largest(w.wide) < 1e-10*power && largest(y) < 1e6*power { // 1e6: rounding of rows that are consistent
			return &Result{Status: Infeasible, X: make([]float64, n), Y: scaled(y, y, 1/power), S: make([]float64, n)}
		}
	}
	if w.feasibility {
		return w.leastNorm(least, tolerance)
	}
	return nil
}

// leastNorm looks for a t with Aᵀy + t (e − AᵀN⁻¹A e) inside the cones, y = N⁻¹b and e their units: the solution of A x = b
// nearest to t e. Of each factor of 4 from little to much of Aᵀy one is tried.
func (w *solver) leastNorm(y []float64, tolerance float64) *Result {
	units := w.z.x // at the start
	w.normal.mulTransVec(w.q, y)
	w.normal.mulVec(w.work, units)
	w.normal.solve(w.y2, w.work)
	w.normal.mulTransVec(w.moved, w.y2)
	size := largest(w.q)
	for k := -2; k <= 5; k++ { // from 1/16 to 1,000
		t := math.Ldexp(size, 2*k)
		for j, u := range units {
			w.x2[j] = w.q[j] + t*(u-w.moved[j])
		}
		if r := new(Result); w.inside(w.x2) && w.refined(r, tolerance) {
			return r
		}
	}
	return nil
}

func (w *solver) residuals() {
	z := &w.z
	w.normal.mulVec(w.rp, z.x)
	for i := range w.rp {
		w.rp[i] = w.b[i]*z.tau - w.rp[i]
	}
	w.normal.mulTransVec(w.rd, z.y)
	for j := range w.rd {
		w.rd[j] = w.c[j]*z.tau - w.rd[j] - z.s[j]
	}
	w.rg = dot(w.c, z.x) + z.kappa - dot(w.b, z.y)
}

// assess reads the iterate as a solution or as a ray, whichever fits better, and keeps it if it is the best so far.
func (w *solver) assess(best *Result, k int) {
	z := &w.z
	value, bound := dot(w.c, z.x)/z.tau, dot(w.b, z.y)/z.tau
	gap := math.Abs(value-bound) / (1 + math.Abs(value))
	status, scale := Optimal, z.tau
	residual := max(largest(w.rp)/z.tau/w.bSize, largest(w.rd)/z.tau/w.cSize, gap)
	if by := dot(w.b, z.y); by > 0 {
		if v := w.rayViolation() / by; v < residual {
			status, residual, scale = Infeasible, v, by
		}
	}
	if cx := -dot(w.c, z.x); cx > 0 {
		w.normal.mulVec(w.work, z.x)
		if v := largest(w.work) / cx; v < residual {
			status, residual, scale = Unbounded, v, cx
		}
	}
	if !(residual < best.Residual) {
		return
	}
	*best = Result{Status: status, Value: value, Bound: bound, Residual: residual, Iterations: k,
		X: scaled(best.X, z.x, 1/scale), Y: scaled(best.Y, z.y, 1/scale), S: scaled(best.S, z.s, 1/scale)}
}

// rayViolation is how far −Aᵀy is out of the cones, with the rounding of its entries.
func (w *solver) rayViolation() float64 {
	v := math.Inf(-1)
	for k, at := range w.first {
		d := w.wide[at : at+w.dim[k]]
		for i := range d {
			d[i] = w.rd[at+i] + w.z.s[at+i] - w.c[at+i]*w.z.tau
		}
		v = max(v, math.Sqrt(dot(d[1:], d[1:]))-d[0])
	}
	return max(0, v+0x1p-52*largest(w.z.y))
}

// admissible looks whether the x with A x = b that is nearest to the iterate, in the norm of W, is in the cones: where
// c is 0, that is an answer, with y and s of 0.
func (w *solver) admissible(best *Result, tolerance float64) bool {
	for j, v := range w.z.x {
		w.x2[j] = v / w.z.tau
	}
	return w.refined(best, tolerance)
}

// refined is admissible from x2 on.
func (w *solver) refined(best *Result, tolerance float64) bool {
	x := w.x2
	for k := 0; ; k++ {
		w.normal.mulVec(w.work, x)
		for i := range w.work {
			w.work[i] = w.b[i] - w.work[i]
		}
		if k == 3 { // the first, and twice what rounding left of it
			break
		}
		w.normal.solve(w.y2, w.work)
		w.normal.mulTransVec(w.moved, w.y2)
		w.shrink(w.moved, w.moved)
		addTo(x, w.moved, 1)
		if !w.inside(x) {
			return false
		}
	}
	residual := largest(w.work) / w.bSize
	if residual > tolerance {
		return false
	}
	*best = Result{Status: Optimal, Residual: residual, X: scaled(best.X, x, 1), Y: make([]float64, len(w.b)), S: make([]float64, len(x))}
	return true
}

func (w *solver) inside(x []float64) bool {
	for k := range w.first {
		if _, inside := gapOf(w.part(x, k)); !inside {
			return false
		}
	}
	return true
}

// scale finds W and λ and factorises N; false if rounding does not let it.
func (w *solver) scale() bool {
	z := &w.z
	for k := range w.scales {
		x, s, l := w.part(z.x, k), w.part(z.s, k), w.part(w.lambda, k)
		if !w.scales[k].set(x, s) {
			return false
		}
		w.scales[k].apply(l, x)
	}
	return w.normal.refactor() == nil
}

// advance takes a step of predictor and corrector; false if there is none.
func (w *solver) advance() bool {
	z := &w.z
	mu := (dot(z.x, z.s) + z.tau*z.kappa) / float64(len(w.dim)+1)
	w.tauDirection()
	w.rightSide(0, nil)
	w.direction(0, -z.tau*z.kappa)
	sigma := math.Pow(1-w.step(1), 3)
	w.rightSide(sigma*mu, &w.d)
	w.direction(sigma, sigma*mu-z.tau*z.kappa-w.d.tau*w.d.kappa)
	a := w.step(1/0.99) * 0.99
	if !(a > 1e-10) { // NaN, or a step that changes nothing
		return false
	}
	addTo(z.x, w.d.x, a)
	addTo(z.y, w.d.y, a)
	addTo(z.s, w.d.s, a)
	z.tau += a * w.d.tau
	z.kappa += a * w.d.kappa
	return z.tau > 0 && z.kappa > 0
}

func (w *solver) part(x []float64, k int) []float64 { return x[w.first[k] : w.first[k]+w.dim[k]] }

// shrink sets dst = W⁻² x.
func (w *solver) shrink(dst, x []float64) {
	for k := range w.scales {
		d := w.part(dst, k)
		w.scales[k].applyInverse(d, w.part(x, k))
		w.scales[k].applyInverse(d, d)
	}
}

// tauDirection finds how x and y change with τ: y2 = N⁻¹(b + A W⁻² c), x2 = W⁻²(Aᵀy2 − c).
func (w *solver) tauDirection() {
	w.shrink(w.wide, w.c)
	w.normal.mulVec(w.work, w.wide)
	for i := range w.work {
		w.work[i] += w.b[i]
	}
	w.normal.solve(w.y2, w.work)
	w.normal.mulTransVec(w.x2, w.y2)
	for j := range w.x2 {
		w.x2[j] -= w.c[j]
	}
	w.shrink(w.x2, w.x2)
}

// rightSide sets q = λ\(σμ e − λ∘λ − (W dx)∘(W⁻¹ ds)), without the last for the predictor.
func (w *solver) rightSide(target float64, predicted *iterate) {
	var dx, ds, product [64]float64
	for k := range w.scales {
		l, q := w.part(w.lambda, k), w.part(w.q, k)
		multiply(q, l, l)
		for i := range q {
			q[i] = -q[i]
		}
		q[0] += target
		if predicted != nil {
			x, s, p := buffer(dx[:], len(q)), buffer(ds[:], len(q)), buffer(product[:], len(q))
			w.scales[k].apply(x, w.part(predicted.x, k))
			w.scales[k].applyInverse(s, w.part(predicted.s, k))
			multiply(p, x, s)
			addTo(q, p, -1)
		}
		divide(q, l, q)
		w.scales[k].apply(q, q) // from here on W q
	}
}

func buffer(b []float64, n int) []float64 {
	if n > len(b) {
		return make([]float64, n)
	}
	return b[:n]
}

// direction solves the linear equations of the model, whose residuals are to shrink to the share
// sigma; rk is what κ dτ + τ dκ is to be.
func (w *solver) direction(sigma, rk float64) {
	z, d, keep := &w.z, &w.d, 1-sigma
	for j := range w.wide {
		d.x[j] = keep*w.rd[j] - w.q[j]
	}
	w.shrink(d.s, d.x)
	w.normal.mulVec(w.work, d.s)
	for i := range w.work {
		w.work[i] += keep * w.rp[i]
	}
	w.normal.solve(d.y, w.work)
	w.normal.mulTransVec(d.s, d.y)
	for j := range d.x {
		d.x[j] = d.s[j] - d.x[j]
	}
	w.shrink(d.x, d.x)
	// −bᵀdy + cᵀdx + dκ = −(1−σ) rg with dκ = (rk − κ dτ)/τ
	d.tau = (-keep*w.rg + dot(w.b, d.y) - dot(w.c, d.x) - rk/z.tau) /
		(dot(w.c, w.x2) - dot(w.b, w.y2) - z.kappa/z.tau)
	addTo(d.y, w.y2, d.tau)
	addTo(d.x, w.x2, d.tau)
	d.kappa = (rk - z.kappa*d.tau) / z.tau
	if sigma > 0 { // the predictor is for the length of its step only
		w.correct(keep)
	}
	// ds = (1−σ) rd + c dτ − Aᵀdy keeps the dual equation exact.
	w.normal.mulTransVec(d.s, d.y)
	for j := range d.s {
		d.s[j] = keep*w.rd[j] + w.c[j]*d.tau - d.s[j]
	}
}

// correct takes back what cancels in x: A dx = (1−σ) rp + b dτ is solved again for its residual, as
// long as that makes it smaller.
func (w *solver) correct(keep float64) {
	d, z := &w.d, &w.z
	last := math.Inf(1)
	for range 3 { // what is left after two is rounding
		w.normal.mulVec(w.work, d.x)
		for i := range w.work {
			w.work[i] = keep*w.rp[i] + w.b[i]*d.tau - w.work[i]
		}
		size := largest(w.work)
		if size < 1e-3*keep*largest(w.rp) || size < 1e-14*z.tau*w.bSize { // the step leaves more than that
			return
		}
		if !(size < last/2) {
			if !(size <= last) {
				addTo(d.y, w.extra, -1)
				addTo(d.x, w.moved, -1)
			}
			return
		}
		last = size
		w.normal.solve(w.extra, w.work)
		addTo(d.y, w.extra, 1)
		w.normal.mulTransVec(w.moved, w.extra)
		w.shrink(w.moved, w.moved)
		addTo(d.x, w.moved, 1)
	}
}

// step returns the largest step up to limit that stays in the cones.
func (w *solver) step(limit float64) float64 {
	for k := range w.dim {
		limit = room(w.part(w.z.x, k), w.part(w.d.x, k), limit)
		limit = room(w.part(w.z.s, k), w.part(w.d.s, k), limit)
	}
	limit = room([]float64{w.z.tau}, []float64{w.d.tau}, limit)
	return room([]float64{w.z.kappa}, []float64{w.d.kappa}, limit)
}

func largest(x []float64) float64 {
	v := 0.
	for _, xi := range x {
		v = max(v, math.Abs(xi))
	}
	return v
}

// scaled sets dst = f x; a nil dst is made.
func scaled(dst, x []float64, f float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	for i, v := range x {
		dst[i] = f * v
	}
	return dst
}

func addTo(x, d []float64, a float64) {
	for i, v := range d {
		x[i] += a * v
	}
}

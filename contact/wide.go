package contact

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// wideMost is the largest number of components of a contact, see [Rolling].
const wideMost = 6

const (
	wideNewtonName   = "newton with moments"
	wideSweepName    = "gauss-seidel with moments"
	wideProximalName = "proximal newton with moments"
	wideNewton       = 100 // Newton steps of a phase
	wideOne          = 40  // of one contact
)

// wide is a [Local] problem with more than three components a contact, dense and in
// scaled units: unit diagonal of the forces and of each group of moments, q of norm 1.
// A contact is a normal and discs, one for the tangents and one for each group of
// moments, of radius μ_i r_N: Alart and Curnier's function [Alart91] with p = r − u is
//
//	p_N ≤ 0   F = r,
//	else      F_N = u_N,  F_i = u_i for ‖p_i‖ ≤ μ_i p_N, r_i − μ_i p_N p_i/‖p_i‖ otherwise.
type wide struct {
	dim, nc, n int
	w          []float64 // scaled, row by row
	q, scale   []float64 // r = scale·r'·q0
	q0         float64
	discs      []wideDisc // of a contact
	bound      []float64  // nc × len(discs): μ_i, or the threshold if fixed
	fixed      []bool     // nc: thresholds, not cones (Tresca)
	free       []bool     // nc: a joint
	r, u, f    []float64
	trial, d   []float64
	e, b       []float64 // nc blocks of dim²
	lu         blas64.General
	pivot      []int
}

// wideDisc is a group of components.
type wideDisc struct{ from, to int }

// wideDiscs are the groups of a contact with dim components, four to six.
func wideDiscs(dim int) []wideDisc {
	switch dim {
	case 4:
		return []wideDisc{{1, 3}, {3, 4}}
	case 5:
		return []wideDisc{{1, 3}, {3, 5}}
	}
	return []wideDisc{{1, 3}, {3, 4}, {4, 6}}
}

// wideBounds are the radii of the discs of a law over r_N.
func wideBounds(l Law, dim int) (bound []float64, fixed, free bool, err error) {
	bound = make([]float64, len(wideDiscs(dim)))
	if p, ok := l.(*Rolling); ok {
		l = *p
	}
	if x, ok := l.(Rolling); ok {
		bound[0] = x.Mu
		switch dim {
		case 4:
			bound[1] = x.Spin
		case 5:
			bound[1] = x.Resistance
		case 6:
			bound[1], bound[2] = x.Spin, x.Resistance
		}
		if dim == 4 && x.Resistance > 0 || dim == 5 && x.Spin > 0 {
			return nil, false, false, fmt.Errorf("law %T asks for a moment that a contact of %d components does not have", l, dim)
		}
		return bound, false, false, nil
	}
	form := formOf(l)
	if !form.Shape.Isotropic() {
		return nil, false, false, fmt.Errorf("an anisotropic %T does not go with contacts of %d components", l, dim)
	}
	switch form.Set {
	case kindFrictionless:
	case kindBilateral:
		return bound, false, true, nil
	case kindCoulomb:
		bound[0] = form.Bound
	case kindTresca:
		bound[0] = form.Bound
		return bound, true, false, nil
	default:
		return nil, false, false, fmt.Errorf("law %T does not go with contacts of %d components", l, dim)
	}
	return bound, false, false, nil
}

// newWide scales p.
func newWide(p *Local) (*wide, error) {
	dim, nc := p.W.Dim(), p.W.Contacts()
	n := dim * nc
	k := &wide{dim: dim, nc: nc, n: n, w: append([]float64(nil), sampleOperator(p.W)...), q: append([]float64(nil), p.Q...), scale: make([]float64, n),
		discs: wideDiscs(dim), fixed: make([]bool, nc), free: make([]bool, nc)}
	for _, x := range []*[]float64{&k.r, &k.u, &k.f, &k.trial, &k.d} {
		*x = make([]float64, n)
	}
	k.e, k.b = make([]float64, n*dim), make([]float64, n*dim)
	k.lu, k.pivot = blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: make([]float64, n*n)}, make([]int, n)
	most := 0.0
	for i := range n {
		most = max(most, k.w[i*(n+1)])
	}
	mean := func(j, from, to int) float64 { // of the diagonal of a group
		sum := 0.0
		for c := from; c < to; c++ {
			sum += k.w[(dim*j+c)*(n+1)] / float64(to-from)
		}
		if !(sum > leastMobility*most) {
			sum = max(most, math.SmallestNonzeroFloat64)
		}
		return 1 / math.Sqrt(sum)
	}
	for j := range nc {
		bound, fixed, free, err := wideBounds(p.Laws[j], dim)
		if err != nil {
			return nil, fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
		force := mean(j, 0, 3)
		k.scale[dim*j] = force
		for i, g := range k.discs {
			s := force
			if i > 0 {
				s = mean(j, g.from, g.to)
			}
			for c := g.from; c < g.to; c++ {
				k.scale[dim*j+c] = s
			}
			if !fixed {
				bound[i] *= force / s
			}
		}
		k.bound, k.fixed[j], k.free[j] = append(k.bound, bound...), fixed, free
	}
	sum := 0.0
	for i := range n {
		k.q[i] *= k.scale[i]
		sum += k.q[i] * k.q[i]
		for j := range n {
			k.w[i*n+j] *= k.scale[i] * k.scale[j]
		}
	}
	if k.q0 = math.Sqrt(sum); sum == 0 {
		k.q0 = 1
	}
	for i := range n {
		k.q[i] /= k.q0
	}
	for j := range nc {
		if k.fixed[j] {
			k.bound[j*len(k.discs)] /= k.scale[dim*j] * k.q0
		}
	}
	return k, nil
}

// motion sets u = W r + q.
func (k *wide) motion(r []float64) {
	for i := range k.u {
		s := k.q[i]
		for j, w := range k.w[i*k.n : i*k.n+k.n] {
			s += w * r[j]
		}
		k.u[i] = s
	}
}

// equations sets F of contact j, and its derivatives E by u and B by r if asked.
func (k *wide) equations(j int, f, r, u, e, b []float64) {
	dim := k.dim
	if e != nil {
		clear(e)
		clear(b)
	}
	set := func(m []float64, i, c int, v float64) {
		if e != nil {
			m[i*dim+c] += v
		}
	}
	if k.free[j] {
		copy(f, u)
		for c := range dim {
			set(e, c, c, 1)
		}
		return
	}
	pn := r[0] - u[0]
	closed := pn > 0
	if closed {
		f[0] = u[0]
		set(e, 0, 0, 1)
	} else {
		f[0] = r[0]
		set(b, 0, 0, 1)
	}
	for i, g := range k.discs {
		mu := k.bound[j*len(k.discs)+i]
		limit := mu
		if !k.fixed[j] {
			limit = mu * max(pn, 0)
		}
		size := 0.0
		for c := g.from; c < g.to; c++ {
			size = math.Hypot(size, r[c]-u[c])
		}
		switch {
		case limit == 0:
			for c := g.from; c < g.to; c++ {
				f[c] = r[c]
				set(b, c, c, 1)
			}
		case size <= limit:
			for c := g.from; c < g.to; c++ {
				f[c] = u[c]
				set(e, c, c, 1)
			}
		default:
			ratio := limit / size
			for c := g.from; c < g.to; c++ {
				y := (r[c] - u[c]) / size
				f[c] = r[c] - limit*y
				set(b, c, c, 1-ratio)
				set(e, c, c, ratio)
				for a := g.from; a < g.to; a++ {
					z := (r[a] - u[a]) / size
					set(b, c, a, ratio*y*z)
					set(e, c, a, -ratio*y*z)
				}
				if !k.fixed[j] {
					set(b, c, 0, -mu*y)
					set(e, c, 0, mu*y)
				}
			}
		}
	}
}

// residual sets u and F at r and returns ‖F‖.
func (k *wide) residual(r []float64, derivative bool) float64 {
	k.motion(r)
	for j := range k.nc {
		at, to := k.dim*j, k.dim*(j+1)
		if derivative {
			k.equations(j, k.f[at:to], r[at:to], k.u[at:to], k.e[at*k.dim:to*k.dim], k.b[at*k.dim:to*k.dim])
		} else {
			k.equations(j, k.f[at:to], r[at:to], k.u[at:to], nil, nil)
		}
	}
	return norm(k.f)
}

// newton is [localRun.newton] for wide contacts, with dense factors.
func (k *wide) newton(ctx context.Context, limit int, tol float64) (iterations int) {
	reg := regStart
	var memory [newtonMemory]float64
	for ; iterations < limit; iterations++ {
		size := k.residual(k.r, true)
		if size <= tol*max(1, norm(k.r)) || bad(size) || ctx.Err() != nil {
			return iterations
		}
		memory[iterations%newtonMemory] = size
		if !k.direction(reg) {
			return iterations
		}
		worst := 0.0
		for _, m := range memory[:min(iterations+1, newtonMemory)] {
			worst = max(worst, m)
		}
		a := 1.0
		for range newtonHalvings {
			for i := range k.trial {
				k.trial[i] = k.r[i] + a*k.d[i]
			}
			if k.residual(k.trial, false) < (1-newtonDescent*a)*worst {
				break
			}
			a *= 0.5
		}
		switch {
		case a == 1:
			reg = max(reg*regDown, regLeast)
		case a < newtonShort:
			reg = min(reg*regUp, regMost)
		}
		if a >= newtonRejected {
			copy(k.r, k.trial)
		}
	}
	return iterations
}

const (
	// The weight of the last point over the unit diagonal of W: at first and until it counts no more, and by how much it
	// falls after a solution and rises after none.
	wideWeight, wideWeightLeast  = 1.0, 1e-9
	wideWeightDown, wideWeightUp = 0.3, 3.0
	wideProximal                 = 200 // points
)

// proximal solves W + αI with q − α r_k at the last point r_k, which holds what slips so that Newton's method gets there, and
// lets α fall; in the end the problem itself.
func (k *wide) proximal(ctx context.Context, tol float64) (iterations int) {
	q, r, diagonal := append([]float64(nil), k.q...), append([]float64(nil), k.r...), make([]float64, k.n)
	for i := range k.n {
		diagonal[i] = k.w[i*(k.n+1)]
	}
	weigh := func(a float64) {
		for i := range k.n {
			k.w[i*(k.n+1)] = diagonal[i] + a
		}
	}
	alpha := wideWeight
	for range wideProximal {
		weigh(alpha)
		for i := range k.q {
			k.q[i] = q[i] - alpha*r[i]
		}
		copy(k.r, r)
		iterations += k.newton(ctx, wideNewton, tol)
		solved := k.residual(k.r, false) <= math.Sqrt(tol)*max(1, norm(k.r))
		weigh(0)
		if solved {
			copy(r, k.r)
			alpha *= wideWeightDown
		} else {
			alpha *= wideWeightUp
		}
		if alpha < wideWeightLeast || alpha > 1/wideWeightLeast || ctx.Err() != nil {
			break
		}
	}
	copy(k.q, q)
	copy(k.r, r)
	return iterations + k.newton(ctx, wideNewton, tol)
}

// direction sets d = −(E(W + εI) + B)⁻¹F.
func (k *wide) direction(reg float64) bool {
	n, dim := k.n, k.dim
	clear(k.lu.Data)
	for i := range n {
		j := i / dim
		row := k.lu.Data[i*n : i*n+n]
		for c := range dim {
			if e := k.e[i*dim+c]; e != 0 {
				for l, w := range k.w[(dim*j+c)*n : (dim*j+c+1)*n] {
					row[l] += e * w
				}
				row[dim*j+c] += e * reg
			}
			row[dim*j+c] += k.b[i*dim+c]
		}
		k.d[i] = -k.f[i]
	}
	if !lapack64.Getrf(k.lu, k.pivot) {
		return false
	}
	lapack64.Getrs(blas.NoTrans, k.lu, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: k.d}, k.pivot)
	return !bad(norm(k.d))
}

// sweep solves one contact after the other with the others held, and returns the change.
func (k *wide) sweep(ctx context.Context, one *wide) (change float64) {
	n, dim := k.n, k.dim
	for j := range k.nc {
		at := dim * j
		one.bound, one.fixed[0], one.free[0] = k.bound[j*len(k.discs):(j+1)*len(k.discs)], k.fixed[j], k.free[j]
		for c := range dim {
			row := k.w[(at+c)*n : (at+c+1)*n]
			copy(one.w[c*dim:(c+1)*dim], row[at:at+dim])
			s := k.q[at+c]
			for l, w := range row {
				s += w * k.r[l]
			}
			for a := range dim {
				s -= row[at+a] * k.r[at+a]
			}
			one.q[c], one.r[c] = s, k.r[at+c]
		}
		one.newton(ctx, wideOne, 1e-14)
		for c := range dim {
			if d := one.r[c] - k.r[at+c]; !bad(one.r[c]) {
				change += d * d
				k.r[at+c] = one.r[c]
			}
		}
	}
	return math.Sqrt(change)
}

// solveWide solves a problem with moments by sweeps and Newton's method in turns.
func solveWide(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error {
	switch o.Method {
	case MethodAuto, MethodGaussSeidel, MethodNewton:
	default:
		return fmt.Errorf("contact: method %v takes contacts of two or three components, not %d: use auto, gauss-seidel or newton", o.Method, p.W.Dim())
	}
	k, err := newWide(p)
	if err != nil {
		return err
	}
	one := &wide{dim: k.dim, nc: 1, n: k.dim, discs: k.discs, fixed: make([]bool, 1), free: make([]bool, 1),
		w: make([]float64, k.dim*k.dim), q: make([]float64, k.dim), r: make([]float64, k.dim), u: make([]float64, k.dim), f: make([]float64, k.dim),
		trial: make([]float64, k.dim), d: make([]float64, k.dim), e: make([]float64, k.dim*k.dim), b: make([]float64, k.dim*k.dim),
		lu: blas64.General{Rows: k.dim, Cols: k.dim, Stride: k.dim, Data: make([]float64, k.dim*k.dim)}, pivot: make([]int, k.dim)}
	res.allocate(k.n, k.nc)
	res.V, res.Ray, res.Stages = res.V[:0], res.Ray[:0], res.Stages[:0]
	res.Iterations, res.Factors, res.Solver, res.Dilation = 0, 0, wideSweepName, 0
	tol, limit := o.tolerance(localTolerance), o.MaxIterations
	if limit == 0 {
		limit = localMaxIterations / 10
	}
	if len(ws.last) == k.n {
		for i, x := range ws.last {
			k.r[i] = x / (k.scale[i] * k.q0)
		}
	}
	aim := scaledFactor * tol
	status := NoProgress
	best := append([]float64(nil), k.r...)
	least := math.Inf(1)
	for sweeps := autoStart; ; sweeps *= 2 {
		if p.assessWide(k, res, tol); res.passes(tol) {
			status = Converged
			break
		}
		if m := res.UnitFree; m < least {
			least = m
			copy(best, k.r)
		}
		if ctx.Err() != nil {
			status = Canceled
			break
		}
		if res.Iterations >= limit {
			status = IterationLimit
			break
		}
		if o.Method != MethodNewton {
			for range min(sweeps, limit-res.Iterations) {
				change := k.sweep(ctx, one)
				res.Iterations++
				if change <= aim*max(1, norm(k.r)) || ctx.Err() != nil {
					break
				}
			}
			if p.assessWide(k, res, tol); res.passes(tol) {
				status = Converged
				break
			}
		}
		if o.Method != MethodGaussSeidel {
			res.Solver = wideNewtonName
			spare := append([]float64(nil), k.r...)
			steps := k.newton(ctx, min(wideNewton, limit-res.Iterations), 0.01*aim)
			res.Iterations += steps
			res.Factors += steps
			if p.assessWide(k, res, tol); res.passes(tol) {
				status = Converged
				break
			}
			if o.Method == MethodNewton {
				break
			}
			if !(res.UnitFree < least) {
				copy(k.r, spare)
			}
		}
		if sweeps > 4096 {
			break
		}
	}
	if status == NoProgress && o.Method == MethodAuto {
		res.Solver = wideProximalName
		copy(k.r, best)
		steps := k.proximal(ctx, 0.01*aim)
		res.Iterations += steps
		res.Factors += steps
		if p.assessWide(k, res, tol); res.passes(tol) {
			status = Converged
		}
	}
	var cause error
	switch status {
	case Converged:
		ws.WarmStart(res.R)
	case Canceled:
		cause = canceled(ctx)
		fallthrough
	default:
		if least < res.UnitFree {
			copy(k.r, best)
			p.assessWide(k, res, tol)
		}
	}
	res.Stages = append(res.Stages, Stage{Solver: res.Solver, Status: status, Iterations: res.Iterations, Merit: res.UnitFree})
	return res.verdict(status, tol, cause)
}

// assessWide evaluates the present r on p: the criteria of verdict.go with the cone of
// the moments.
func (p *Local) assessWide(k *wide, res *Result, tol float64) {
	for i, x := range k.r {
		res.R[i] = x * k.scale[i] * k.q0
	}
	p.exactMotion(res.U, res.R, nil)
	res.Merit, res.UnitFree = k.merits(p, res, res.Residuals)
	limit, power := dataFactor*tol, math.Sqrt(tol)
	res.Primal, res.Dual, res.Gap = 0, 0, 0
	res.primalLimit, res.dualLimit, res.gapLimit = limit, limit, power
	res.Worst, res.primalWorst, res.dualWorst, res.gapWorst = -1, -1, -1, -1
	worst := 0.0
	for j := range k.nc {
		at := k.dim * j
		if res.Residuals[j] > worst {
			worst, res.Worst = res.Residuals[j], j
		}
		un, rn, gap := res.U[at]*k.scale[at]/k.q0, k.r[at], 0.0
		for c := range k.dim {
			gap += k.r[at+c] * res.U[at+c] * k.scale[at+c] / k.q0
		}
		outside, primal := max(-rn, 0), max(-un, 0)
		for i, g := range k.discs {
			size, slip := 0.0, 0.0
			for c := at + g.from; c < at+g.to; c++ {
				size, slip = math.Hypot(size, k.r[c]), math.Hypot(slip, res.U[c]*k.scale[c]/k.q0)
			}
			radius := k.bound[j*len(k.discs)+i]
			if !k.fixed[j] {
				radius *= max(rn, 0)
			}
			outside = max(outside, size-radius)
			gap += radius * slip
		}
		if k.free[j] {
			outside, gap, primal = 0, 0, 0
			for c := at; c < at+k.dim; c++ {
				primal = math.Hypot(primal, res.U[c]*k.scale[c]/k.q0)
			}
		}
		rounding := roundingFactor * eps * norm(k.r)
		worse(&res.Primal, &res.primalLimit, &res.primalWorst, primal, limit+min(rounding, roundingMost), j)
		worse(&res.Dual, &res.dualLimit, &res.dualWorst, outside, limit+min(rounding, roundingMost), j)
		size := 0.0 // counts up to a number: q is of norm 1
		for c := at; c < at+k.dim; c++ {
			size = max(size, math.Abs(k.r[c]))
		}
		size = min(size, forcedFrom)
		worse(&res.Gap, &res.gapLimit, &res.gapWorst, math.Abs(gap), max(power, limit*size)+powerFactor*min(rounding, roundingMost)*size, j)
	}
}

// merits are those of [Local.Merit] and unitFreeMerit with the projection onto
// the cone of the moments, and the residual of each contact.
func (k *wide) merits(p *Local, res *Result, residuals []float64) (merit, unitFree float64) {
	one, sum, free := make([]float64, k.dim), 0.0, 0.0
	for j := range k.nc {
		at := k.dim * j
		for pass := range 2 { // in the units of the problem, then in scaled ones
			correction, e := 0.0, 0.0
			for i, g := range k.discs {
				slip := 0.0
				for c := at + g.from; c < at+g.to; c++ {
					slip = math.Hypot(slip, k.motionOf(res, c, pass))
				}
				if !k.fixed[j] {
					correction += k.boundOf(j, i, pass) * slip
				}
			}
			for c := range k.dim {
				one[c] = k.reactionOf(res, at+c, pass) - k.motionOf(res, at+c, pass)
			}
			if !k.free[j] {
				one[0] -= correction
				k.project(j, one, pass)
			}
			for c := range k.dim {
				d := k.reactionOf(res, at+c, pass) - one[c]
				e += d * d
			}
			if pass == 0 {
				sum += e
				residuals[j] = math.Sqrt(e)
			} else {
				free += e
			}
		}
	}
	scaled := make([]float64, k.n)
	for c := range scaled {
		scaled[c] = k.motionOf(res, c, 1)
	}
	size := max(norm(p.Q), norm(res.R), norm(res.U))
	if size == 0 {
		size = 1
	}
	return math.Sqrt(sum) / size, math.Sqrt(free) / max(1, norm(k.r), norm(scaled))
}

func (k *wide) motionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.U[c]
	}
	return res.U[c] * k.scale[c] / k.q0
}

func (k *wide) reactionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.R[c]
	}
	return k.r[c]
}

// boundOf returns μ_i in the units of the problem (pass 0) or scaled.
func (k *wide) boundOf(j, i, pass int) float64 {
	b := k.bound[j*len(k.discs)+i]
	if pass == 1 {
		return b
	}
	at := k.dim * j
	if k.fixed[j] {
		return b * k.scale[at] * k.q0
	}
	return b * k.scale[at+k.discs[i].from] / k.scale[at]
}

// project projects one contact onto its cone: with the sizes y_i of the groups, the
// normal of the foot is the zero of n − n₀ − Σ μ_i (y_i − μ_i n)₊, which is increasing
// and linear between the points y_i/μ_i.
func (k *wide) project(j int, x []float64, pass int) {
	var y [3]float64
	for i, g := range k.discs {
		for c := g.from; c < g.to; c++ {
			y[i] = math.Hypot(y[i], x[c])
		}
	}
	n := max(x[0], 0)
	if !k.fixed[j] {
		for active := 1<<len(k.discs) - 1; ; {
			num, den := x[0], 1.0
			for i := range k.discs {
				if mu := k.boundOf(j, i, pass); active>>i&1 == 1 {
					num, den = num+mu*y[i], den+mu*mu
				}
			}
			n = max(num/den, 0)
			next := 0
			for i := range k.discs {
				if active>>i&1 == 1 && y[i] > k.boundOf(j, i, pass)*n {
					next |= 1 << i
				}
			}
			if next == active {
				break
			}
			active = next
		}
	}
	x[0] = n
	for i, g := range k.discs {
		radius := k.boundOf(j, i, pass)
		if !k.fixed[j] {
			radius *= n
		}
		if y[i] <= radius {
			continue
		}
		for c := g.from; c < g.to; c++ {
			x[c] *= radius / y[i]
		}
	}
}

// wideAt is a result of reactions r, with u = W r + q.
func (p *Local) wideAt(u, r []float64) (*wide, *Result) {
	k, err := newWide(p)
	if err != nil {
		panic("contact: Merit of a problem that Validate refuses: " + err.Error())
	}
	res := &Result{U: u, R: r, Residuals: make([]float64, k.nc)}
	p.exactMotion(u, r, nil)
	for i, x := range r {
		k.r[i] = x / (k.scale[i] * k.q0)
	}
	return k, res
}

// wideMerit is Merit with the cone of the moments.
func (p *Local) wideMerit(u, residuals, r []float64) (merit float64, worst int) {
	k, res := p.wideAt(u, r)
	merit, _ = k.merits(p, res, res.Residuals)
	copy(residuals, res.Residuals)
	worst, most := -1, 0.0
	for j, e := range res.Residuals {
		if e > most {
			most, worst = e, j
		}
	}
	return merit, worst
}

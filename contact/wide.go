package contact

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

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
	moments
	u, f     []float64
	trial, d []float64
	e, b     []float64 // nc blocks of dim²
	lu       blas64.General
	pivot    []int
}

// newWide scales p and lays out memory.
func newWide(p *Local) (*wide, error) {
	m, err := newMoments(p)
	if err != nil {
		return nil, err
	}
	k, n := &wide{moments: *m}, m.n
	for _, x := range []*[]float64{&k.u, &k.f, &k.trial, &k.d} {
		*x = make([]float64, n)
	}
	k.e, k.b = make([]float64, n*k.dim), make([]float64, n*k.dim)
	k.lu, k.pivot = blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: make([]float64, n*n)}, make([]int, n)
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
	return num.Norm(k.f)
}

// newton is [localRun.newton] for wide contacts, with dense factors.
func (k *wide) newton(ctx context.Context, limit int, tol float64) (iterations int) {
	reg := regStart
	var memory [newtonMemory]float64
	for ; iterations < limit; iterations++ {
		size := k.residual(k.r, true)
		if size <= tol*max(1, num.Norm(k.r)) || num.Bad(size) || ctx.Err() != nil {
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
		solved := k.residual(k.r, false) <= math.Sqrt(tol)*max(1, num.Norm(k.r))
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
	return !num.Bad(num.Norm(k.d))
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
			if d := one.r[c] - k.r[at+c]; !num.Bad(one.r[c]) {
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
	one := &wide{moments: moments{dim: k.dim, nc: 1, n: k.dim, discs: k.discs, fixed: make([]bool, 1), free: make([]bool, 1),
		w: make([]float64, k.dim*k.dim), q: make([]float64, k.dim), r: make([]float64, k.dim)}, u: make([]float64, k.dim), f: make([]float64, k.dim),
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
		if p.assessWide(&k.moments, res, tol); res.passes(tol) {
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
				if change <= aim*max(1, num.Norm(k.r)) || ctx.Err() != nil {
					break
				}
			}
			if p.assessWide(&k.moments, res, tol); res.passes(tol) {
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
			if p.assessWide(&k.moments, res, tol); res.passes(tol) {
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
		if p.assessWide(&k.moments, res, tol); res.passes(tol) {
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
			p.assessWide(&k.moments, res, tol)
		}
	}
	res.Stages = append(res.Stages, Stage{Solver: res.Solver, Status: status, Iterations: res.Iterations, Merit: res.UnitFree})
	return res.verdict(status, tol, cause)
}

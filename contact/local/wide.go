package local

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// wideOptions are the numbers of the methods of contacts with moments.
type wideOptions struct {
	newton int // Newton steps of a phase
	one    int // of one contact
	// The weight of the last point over the unit diagonal of W: at first and until it counts no
	// more, and by how much it falls after a solution and rises after none.
	weight, weightLeast  float64
	weightDown, weightUp float64
	proximal             int // points
}

// wideDefault are the values of all solves.
var wideDefault = wideOptions{
	newton: 100,
	one:    40,
	weight: 1.0, weightLeast: 1e-9,
	weightDown: 0.3, weightUp: 3.0,
	proximal: 200,
}

const (
	wideNewtonName   = "newton with moments"
	wideSweepName    = "gauss-seidel with moments"
	wideProximalName = "proximal newton with moments"
)

// wide is a [form.Local] problem with more than three components a contact, dense and in
// scaled units: unit diagonal of the forces and of each group of moments, q of norm 1.
// A contact is a normal and discs, one for the tangents and one for each group of
// moments, of radius μ_i r_N: Alart and Curnier's function [Alart91] with p = r − u is
//
//	p_N ≤ 0   F = r,
//	else      F_N = u_N,  F_i = u_i for ‖p_i‖ ≤ μ_i p_N, r_i − μ_i p_N p_i/‖p_i‖ otherwise.
type wide struct {
	form.Moments
	u, f     []float64
	trial, d []float64
	e, b     []float64 // nc blocks of dim²
	lu       blas64.General
	pivot    []int
}

// newWide scales p and lays out memory.
func newWide(p *form.Local) (*wide, error) {
	m, err := form.NewMoments(p)
	if err != nil {
		return nil, err
	}
	k, n := &wide{Moments: *m}, m.N
	for _, x := range []*[]float64{&k.u, &k.f, &k.trial, &k.d} {
		*x = make([]float64, n)
	}
	k.e, k.b = make([]float64, n*k.Dim), make([]float64, n*k.Dim)
	k.lu, k.pivot = blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: make([]float64, n*n)}, make([]int, n)
	return k, nil
}

// motion sets u = W r + q.
func (k *wide) motion(r []float64) {
	for i := range k.u {
		s := k.Q[i]
		for j, w := range k.W[i*k.N : i*k.N+k.N] {
			s += w * r[j]
		}
		k.u[i] = s
	}
}

// residual sets u and F at r and returns ‖F‖.
func (k *wide) residual(r []float64, derivative bool) float64 {
	k.motion(r)
	for j := range k.NC {
		at, to := k.Dim*j, k.Dim*(j+1)
		if derivative {
			k.Equations(j, k.f[at:to], r[at:to], k.u[at:to], k.e[at*k.Dim:to*k.Dim], k.b[at*k.Dim:to*k.Dim])
		} else {
			k.Equations(j, k.f[at:to], r[at:to], k.u[at:to], nil, nil)
		}
	}
	return num.Norm(k.f)
}

// newton is [localRun.newton] for wide contacts, with dense factors.
func (k *wide) newton(ctx context.Context, limit int, tol float64) (iterations int) {
	reg := newtonDefault.start
	var memory [newtonMemory]float64
	for ; iterations < limit; iterations++ {
		size := k.residual(k.R, true)
		if size <= tol*max(1, num.Norm(k.R)) || num.Bad(size) || ctx.Err() != nil {
			return iterations
		}
		memory[iterations%newtonDefault.memory] = size
		if !k.direction(reg) {
			return iterations
		}
		worst := 0.0
		for _, m := range memory[:min(iterations+1, newtonDefault.memory)] {
			worst = max(worst, m)
		}
		a := 1.0
		for range newtonHalvings {
			for i := range k.trial {
				k.trial[i] = k.R[i] + a*k.d[i]
			}
			if k.residual(k.trial, false) < (1-newtonDescent*a)*worst {
				break
			}
			a *= 0.5
		}
		switch {
		case a == 1:
			reg = max(reg*regDown, newtonDefault.least)
		case a < newtonShort:
			reg = min(reg*regUp, regMost)
		}
		if a >= newtonRejected {
			copy(k.R, k.trial)
		}
	}
	return iterations
}

// proximal solves W + αI with q − α r_k at the last point r_k, which holds what slips so that
// Newton's method gets there, and lets α fall; in the end the problem itself.
func (k *wide) proximal(ctx context.Context, tol float64) (iterations int) {
	q, r, diagonal := append([]float64(nil), k.Q...), append([]float64(nil), k.R...), make([]float64, k.N)
	for i := range k.N {
		diagonal[i] = k.W[i*(k.N+1)]
	}
	weigh := func(a float64) {
		for i := range k.N {
			k.W[i*(k.N+1)] = diagonal[i] + a
		}
	}
	alpha := wideDefault.weight
	for range wideDefault.proximal {
		weigh(alpha)
		for i := range k.Q {
			k.Q[i] = q[i] - alpha*r[i]
		}
		copy(k.R, r)
		iterations += k.newton(ctx, wideDefault.newton, tol)
		solved := k.residual(k.R, false) <= math.Sqrt(tol)*max(1, num.Norm(k.R))
		weigh(0)
		if solved {
			copy(r, k.R)
			alpha *= wideDefault.weightDown
		} else {
			alpha *= wideDefault.weightUp
		}
		if alpha < wideDefault.weightLeast || alpha > 1/wideDefault.weightLeast || ctx.Err() != nil {
			break
		}
	}
	copy(k.Q, q)
	copy(k.R, r)
	return iterations + k.newton(ctx, wideDefault.newton, tol)
}

// direction sets d = −(E(W + εI) + B)⁻¹F.
func (k *wide) direction(reg float64) bool {
	n, dim := k.N, k.Dim
	clear(k.lu.Data)
	for i := range n {
		j := i / dim
		row := k.lu.Data[i*n : i*n+n]
		for c := range dim {
			if e := k.e[i*dim+c]; e != 0 {
				for l, w := range k.W[(dim*j+c)*n : (dim*j+c+1)*n] {
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
	n, dim := k.N, k.Dim
	for j := range k.NC {
		at := dim * j
		discs := len(k.Discs[j])
		one.Bound, one.Discs[0], one.Fixed[0], one.Free[0] = k.Bound[j*discs:(j+1)*discs], k.Discs[j], k.Fixed[j], k.Free[j]
		for c := range dim {
			row := k.W[(at+c)*n : (at+c+1)*n]
			copy(one.W[c*dim:(c+1)*dim], row[at:at+dim])
			s := k.Q[at+c]
			for l, w := range row {
				s += w * k.R[l]
			}
			for a := range dim {
				s -= row[at+a] * k.R[at+a]
			}
			one.Q[c], one.R[c] = s, k.R[at+c]
		}
		one.newton(ctx, wideDefault.one, 1e-14)
		for c := range dim {
			if d := one.R[c] - k.R[at+c]; !num.Bad(one.R[c]) {
				change += d * d
				k.R[at+c] = one.R[c]
			}
		}
	}
	return math.Sqrt(change)
}

// solveWide solves a problem with moments by sweeps and Newton's method in turns.
func solveWide(ctx context.Context, p *form.Local, o *form.Options, ws *Workspace, res *form.Result) error {
	switch o.Method {
	case form.MethodAuto, form.MethodGaussSeidel, form.MethodNewton:
	default:
		return fmt.Errorf("contact: method %v takes contacts of two or three components, not %d: use auto, gauss-seidel or newton",
			o.Method, p.W.Dim())
	}
	k, err := newWide(p)
	if err != nil {
		return err
	}
	one := &wide{Moments: form.Moments{Dim: k.Dim, NC: 1, N: k.Dim, Discs: make([][]form.WideDisc, 1),
		Fixed: make([]bool, 1), Free: make([]bool, 1),
		W: make([]float64, k.Dim*k.Dim), Q: make([]float64, k.Dim), R: make([]float64, k.Dim)},
		u: make([]float64, k.Dim), f: make([]float64, k.Dim),
		trial: make([]float64, k.Dim), d: make([]float64, k.Dim), e: make([]float64, k.Dim*k.Dim), b: make([]float64, k.Dim*k.Dim),
		lu: blas64.General{Rows: k.Dim, Cols: k.Dim, Stride: k.Dim, Data: make([]float64, k.Dim*k.Dim)}, pivot: make([]int, k.Dim)}
	res.Allocate(k.N, k.NC)
	res.V, res.Ray, res.Stages = res.V[:0], res.Ray[:0], res.Stages[:0]
	res.Iterations, res.Factors, res.Solver, res.Dilation = 0, 0, wideSweepName, 0
	tol, limit := o.ToleranceOr(form.LocalTolerance), o.MaxIterations
	if limit == 0 {
		limit = localMaxIterations / 10
	}
	if len(ws.last) == k.N {
		for i, x := range ws.last {
			k.R[i] = x / (k.Scale[i] * k.Q0)
		}
	}
	aim := scaledFactor * tol
	status := form.NoProgress
	best := append([]float64(nil), k.R...)
	least := math.Inf(1)
	for sweeps := autoStart; ; sweeps *= 2 {
		if p.AssessWide(&k.Moments, res, tol); res.Passes(tol) {
			status = form.Converged
			break
		}
		if m := res.UnitFree; m < least {
			least = m
			copy(best, k.R)
		}
		if ctx.Err() != nil {
			status = form.Canceled
			break
		}
		if res.Iterations >= limit {
			status = form.IterationLimit
			break
		}
		if o.Method != form.MethodNewton {
			for range min(sweeps, limit-res.Iterations) {
				change := k.sweep(ctx, one)
				res.Iterations++
				if change <= aim*max(1, num.Norm(k.R)) || ctx.Err() != nil {
					break
				}
			}
			if p.AssessWide(&k.Moments, res, tol); res.Passes(tol) {
				status = form.Converged
				break
			}
		}
		if o.Method != form.MethodGaussSeidel {
			res.Solver = wideNewtonName
			spare := append([]float64(nil), k.R...)
			steps := k.newton(ctx, min(wideDefault.newton, limit-res.Iterations), 0.01*aim)
			res.Iterations += steps
			res.Factors += steps
			if p.AssessWide(&k.Moments, res, tol); res.Passes(tol) {
				status = form.Converged
				break
			}
			if o.Method == form.MethodNewton {
				break
			}
			if !(res.UnitFree < least) {
				copy(k.R, spare)
			}
		}
		if sweeps > 4096 {
			break
		}
	}
	if status == form.NoProgress && o.Method == form.MethodAuto {
		res.Solver = wideProximalName
		copy(k.R, best)
		steps := k.proximal(ctx, 0.01*aim)
		res.Iterations += steps
		res.Factors += steps
		if p.AssessWide(&k.Moments, res, tol); res.Passes(tol) {
			status = form.Converged
		}
	}
	var cause error
	switch status {
	case form.Converged:
		ws.WarmStart(res.R)
	case form.Canceled:
		cause = form.CauseOf(ctx)
		fallthrough
	default:
		if least < res.UnitFree {
			copy(k.R, best)
			p.AssessWide(&k.Moments, res, tol)
		}
	}
	res.Stages = append(res.Stages, form.Stage{Solver: res.Solver, Status: status, Iterations: res.Iterations, Merit: res.UnitFree})
	return res.Verdict(status, tol, cause)
}

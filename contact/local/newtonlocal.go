package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// newtonOptions are the numbers of Newton's method in the scaled problem, in which q and the diagonal
// of W are 1.
type newtonOptions struct {
	start, least float64 // the regularisation ε of W [-]: the first, and its least
	memory       int     // the line search compares with the worst of so many steps …
	worse        float64 // … times this [-]: more than 1 where sweeps mend what a step makes worse
	patience     int     // steps without a better merit
	sweeps       int     // after each step
}

var (
	// newtonDefault are the numbers of all stages but the following.
	newtonDefault = newtonOptions{start: 1e-6, least: 1e-7, memory: 6, worse: 1, patience: 12}
	// newtonSharp has an ε that is no more than rounding.
	newtonSharp = newtonOptions{start: 1e-13, least: 1e-13, memory: 6, worse: 1, patience: 12}
	// newtonWarm takes detours, see [localRun.warm].
	newtonWarm = newtonOptions{start: 1e-2, least: 1e-7, memory: newtonMemory, worse: 1, patience: 12}
	// newtonSwept takes them with sweeps after each step, see [localRun.swept].
	newtonSwept = newtonOptions{start: 1e-2, least: 1e-7, memory: newtonMemory, worse: 2, patience: 20, sweeps: 20}
)

// What all variants have in common.
const (
	regMost                     = 1.0       // greatest ε
	regUp, regDown              = 10, 0.1   // factors on ε after a short and after a full step
	newtonDescent               = 1e-4      // Armijo's constant
	newtonHalvings              = 10        // of a step
	newtonShort, newtonRejected = 0.3, 0.01 // steps below are short, and not taken
	newtonGain                  = 0.9       // part of a merit that counts as a better one
	newtonMemory                = 20        // the longest
)

const newtonName = "newton"

// newtonThenNatural solves a [form.Local] problem by Newton's method on
//
//	F(r) = r − P(r − u),  in Alart and Curnier's form for Coulomb's law: the
//	normal part projected on r_N ≥ 0, the tangential part on the disc of
//	radius μ(r_N − u_N)_+ [Alart91], or the polygon of a pyramid of that size;
//	in de Saxcé's natural map otherwise.
//
// The derivative is E W + B with 3×3 blocks E_j, B_j, and factorises with the sparsity of W. For a
// singular W it is taken at W + εI, ε rising when steps are short and falling when they are full
// (Levenberg); a non-monotone line search on ‖F‖ guards the step. Where both forms stand still
// close to a solution hardly a regularisation is left: at masses of very different size W is nearly
// singular without being so, and ε = 1e-7 makes the method converge linearly. It converges
// quadratically near a solution whose contacts are nondegenerate. There is no global proof: the
// step may stall, with the verdict NoProgress.
func (s *localRun) newtonThenNatural(limit int) form.Status {
	status := s.newton(limit)
	if status == form.NoProgress {
		copy(s.ws.r, s.ws.best)
		status = s.naturalNewton(limit)
	}
	for _, alart := range [...]bool{true, false} {
		if s.final(status) || status == form.NumericalFailure || !s.near() {
			break
		}
		copy(s.ws.r, s.ws.best)
		status = s.newtonAs(limit, alart, &newtonSharp)
	}
	if status == form.NoProgress && s.near() {
		// What neither form reaches without a regularisation is lost to rounding: from here on the limits
		// of the verdict count, which allow for masses of different size, not what is aimed at.
		if s.relaxed = true; s.bestMerit <= s.want && s.confirm(s.ws.best) {
			return form.Converged
		}
	}
	return status
}

// newton uses Alart and Curnier's form where there is one.
func (s *localRun) newton(limit int) form.Status { return s.newtonAs(limit, true, &newtonDefault) }

// naturalNewton uses the natural map for all laws.
func (s *localRun) naturalNewton(limit int) form.Status {
	return s.newtonAs(limit, false, &newtonDefault)
}

// newtonAs is the method by either form, with numbers of its own.
func (s *localRun) newtonAs(limit int, alart bool, how *newtonOptions) form.Status {
	ws, c := s.ws, s.c
	lu := ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	var memory [newtonMemory]float64
	reg, least, stale := how.start, num.Inf, 0
	for k := 0; ; k++ {
		c.Velocity(ws.u, ws.r)
		f := c.equations(ws, ws.r, alart, true)
		m := s.keep(c.MeritAt(ws.u, ws.r))
		switch {
		case m <= s.tol:
			return form.Converged
		case num.Bad(f):
			return form.NumericalFailure
		case k == limit:
			return form.IterationLimit
		}
		if stale++; m < newtonGain*least {
			least, stale = m, 0
		}
		if stale > how.patience {
			return form.NoProgress
		}
		memory[k%how.memory] = f
		s.direction(lu, reg)
		a := ws.lineSearch(alart, memory[:min(k+1, how.memory)], how.worse)
		if status, stop := s.step(newtonName, m, a); stop {
			return status
		}
		switch {
		case a == 1:
			reg = max(reg*regDown, how.least)
		case a < newtonShort:
			reg = min(reg*regUp, regMost)
		}
		if a >= newtonRejected {
			copy(ws.r, ws.trial)
		}
		for range how.sweeps {
			s.sweep(ws.r)
		}
	}
}

// direction sets ws.d = −(E(W + εI) + B)⁻¹ F.
func (s *localRun) direction(lu *block.LU, reg float64) {
	ws := s.ws
	for j := range ws.b {
		e, b := &ws.e[j], &ws.b[j]
		for k := range b {
			b[k] += reg * e[k]
		}
	}
	lu.Factor(s.ctx, &s.c.Scaled, ws.e, ws.b)
	s.factors++
	for j, f := range ws.f {
		ws.d[j] = vec3{-f[0], -f[1], -f[2]}
	}
	lu.Solve(ws.d)
}

// lineSearch halves the step until ‖F‖ is below the largest of memory, times worse, and
// leaves the point in ws.trial.
func (ws *Workspace) lineSearch(alart bool, memory []float64, worse float64) (a float64) {
	worst := 0.0
	for _, f := range memory {
		worst = max(worst, worse*f)
	}
	a = 1
	for range newtonHalvings {
		for j := range ws.trial {
			r, d := &ws.r[j], &ws.d[j]
			ws.trial[j] = vec3{r[0] + a*d[0], r[1] + a*d[1], r[2] + a*d[2]}
		}
		ws.c.Velocity(ws.u, ws.trial)
		if ws.c.equations(ws, ws.trial, alart, false) < (1-newtonDescent*a)*worst {
			return a
		}
		a *= 0.5
	}
	return a
}

// equations evaluates F at r with ws.u = W r + q, and its derivative E W + B
// if asked, and returns ‖F‖₂.
func (c *reduced) equations(ws *Workspace, r []vec3, alart, derivative bool) float64 {
	sum := 0.0
	for j := range r {
		f, e, b := &ws.f[j], &ws.e[j], &ws.b[j]
		switch {
		case alart && c.Kind[j] == form.KindCoulomb:
			if derivative {
				alartCurnier(f, e, b, c.Mu[j], &r[j], &ws.u[j])
			} else {
				alartCurnier(f, nil, nil, c.Mu[j], &r[j], &ws.u[j])
			}
		case alart && c.Kind[j] == form.KindPyramid:
			l := c.Pyramid(j)
			if derivative {
				alartCurnierPolygon(&l, f, e, b, &r[j], &ws.u[j])
			} else {
				alartCurnierPolygon(&l, f, nil, nil, &r[j], &ws.u[j])
			}
		case derivative:
			c.naturalMap(j, f, e, b, &r[j], &ws.u[j])
		default:
			c.naturalMap(j, f, nil, nil, &r[j], &ws.u[j])
		}
		sum += f[0]*f[0] + f[1]*f[1] + f[2]*f[2]
	}
	return math.Sqrt(sum)
}

// naturalMap sets f = r − P(r − u − g(u)n) and ∂f = E ∂u + B ∂r with D = P':
// B = I − D, E = D(I + n∇gᵀ).
func (c *reduced) naturalMap(j int, f *vec3, e, b *mat3, r, u *vec3) {
	if e == nil {
		g := c.Correction(j, u)
		p := vec3{r[0] - u[0] - g, r[1] - u[1], r[2] - u[2]}
		c.Project(j, &p, nil, &p)
		*f = vec3{r[0] - p[0], r[1] - p[1], r[2] - p[2]}
		return
	}
	g, grad := c.correctionGradient(j, u)
	p := vec3{r[0] - u[0] - g, r[1] - u[1], r[2] - u[2]}
	c.Project(j, &p, b, &p)
	*f = vec3{r[0] - p[0], r[1] - p[1], r[2] - p[2]}
	for i := 0; i < 9; i += 3 {
		e[i], e[i+1], e[i+2] = b[i], b[i+1]+b[i]*grad[1], b[i+2]+b[i]*grad[2]
	}
	for i := range b {
		b[i] = -b[i]
	}
	b[0]++
	b[4]++
	b[8]++
}

// alartCurnier sets, with (n, y) = r − u,
//
//	f = r                                  n ≤ 0,
//	f = (u_N, r_T − proj(y; disc of μn))   n > 0,
//
// and ∂f = E ∂u + B ∂r.
func alartCurnier(f *vec3, e, b *mat3, mu float64, r, u *vec3) {
	n := r[0] - u[0]
	if n <= 0 {
		*f = *r
		if e != nil {
			*e, *b = mat3{}, num.Identity3
		}
		return
	}
	x, y, s := r[1]-u[1], r[2]-u[2], mu*n
	t := math.Sqrt(x*x + y*y)
	if t <= s {
		*f = *u
		if e != nil {
			*e, *b = num.Identity3, mat3{}
		}
		return
	}
	x, y = x/t, y/t
	*f = vec3{u[0], r[1] - s*x, r[2] - s*y}
	if e == nil {
		return
	}
	k := s / t
	xx, xy, yy := k*y*y, -k*x*y, k*x*x // derivative along the disc
	*e = mat3{1, 0, 0, mu * x, xx, xy, mu * y, xy, yy}
	*b = mat3{0, 0, 0, -mu * x, 1 - xx, -xy, -mu * y, -xy, 1 - yy}
}

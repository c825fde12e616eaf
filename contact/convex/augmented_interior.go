package convex

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const convexInteriorName = "convex interior point"

// pathOptions are the numbers of the interior-point method of convex problems.
type pathOptions struct {
	pathLimit    int     // steps; forty are many
	pathPatience int     // steps without a better residual: rounding
	pathBoundary float64 // part of the way to the boundary of the cones
	pathLeast    float64 // κ over its start, where the path has ended
	// jointCompliance holds a joint with this part of the compliance of the matrix;
	// the multiplier method makes it exact.
	jointCompliance float64
	pathRefinements int // of the solution of a linear system
	wantingFactor   float64
	wantingMerit    float64
	// polishPenalty is ρ over the stiffness for the last digits: the multipliers
	// then converge slowly, with a factorisation at hand, and round 1e3 times less.
	polishPenalty float64
	// polishRounds of these are made, as long as one leaves no more than polishGain of the
	// residual: a round ends after some sixty steps without a fifth of progress, which slow
	// multipliers do not make.
	polishRounds int
	polishGain   float64
}

// pathDefault are the values of all solves.
var pathDefault = pathOptions{
	pathLimit:       100,
	pathPatience:    10,
	pathBoundary:    0.995,
	pathLeast:       1e-30,
	jointCompliance: 1e-8,
	pathRefinements: 3,
	wantingFactor:   4,
	wantingMerit:    1e-10,
	polishPenalty:   10,
	polishRounds:    8, polishGain: 0.5,
}

// convexPath is the interior-point method for a convex [form.Global] problem, for which
// there is no stall: it follows the path
//
//	M v = f + H r,   a_j r_N^j = κ,   (s_j, y_j) ∘ (t_j, z_j) = κ e,   κ → 0
//
// with the slack a = u_N > 0 and the pair z = S u_T, r_T = Sᵀy in Lorentz cones, t the
// bound of ‖z‖ and s the threshold, which is fixed. With the Nesterov-Todd scaling Θ
// of the pair and D = (r_N/a, SᵀΘ_TT⁻¹S) a step solves
//
//	(M + H D Hᵀ) dv = f + H r − M v + H b
//
// by the factors that the augmented Lagrangian has, with iterative refinement.
type convexPath struct {
	s          *augmented
	slack, dn  []float64 // a and its step
	x, z       []vec3    // (s, y) and (t, z); absent where s = 0
	dx, dz     []vec3
	lag        []vec3 // of a and z behind u: residuals of the definitions
	theta      []mat3
	rhs, dir   []float64
	left, more []float64
	penalties  []float64
	degree     float64
}

// pathDefault.wantingFactor over the tolerance, or pathDefault.wantingMerit if that is more, is a residual
// that the augmented Lagrangian puts down to the rounding of its penalties, ρ|u|eps,
// and that a better method may halve.

// wanting reports whether a result calls for the interior-point method.
func (s *augmented) wanting(res *form.Result, err error) bool {
	if res.Status == form.Canceled || res.Status == form.IterationLimit {
		return false
	}
	if _, negative := errors.AsType[*form.IndefiniteError](err); negative {
		return false
	}
	return err != nil || res.Merit > max(pathDefault.wantingFactor*s.tol, pathDefault.wantingMerit)
}

// rescue follows the path of the interior-point method and then the multipliers with
// a small penalty from its end, and leaves the best of all in res.
func (s *augmented) rescue(ctx context.Context, res *form.Result, err error) error {
	ws := s.ws
	best := iterate{v: slices.Clone(ws.v), r: slices.Clone(ws.r), residual: res.Merit}
	status := res.Status
	try := func(st form.Status) {
		s.publish(res)
		if res.Merit < best.residual {
			copy(best.v, ws.v)
			copy(best.r, ws.r)
			best.residual, status = res.Merit, st
		}
	}
	for round := range pathDefault.polishRounds {
		before := best.residual
		if round == 0 && !s.followPath(ctx) {
			return s.verdict(res, form.Canceled, form.CauseOf(ctx))
		}
		if try(form.NoProgress); best.residual <= s.tol {
			break
		}
		s.goTo(&best)
		ws.scalePenalties(pathDefault.polishPenalty / newtonDefault.penaltyFactor)
		s.relieved, s.short, s.lastStep = -2, 0, math.Inf(1)
		st, _ := s.run(ctx, s.iterations+newtonDefault.convexMaxIterations)
		if st == form.Canceled {
			return s.verdict(res, form.Canceled, form.CauseOf(ctx))
		}
		if st != form.Converged {
			copy(ws.v, ws.best.v)
			copy(ws.r, ws.best.r)
		}
		try(st)
		s.goTo(&best)
		if best.residual <= s.tol || round > 0 && (best.residual > pathDefault.polishGain*before || best.residual <= s.resolved()) {
			break
		}
	}
	s.goTo(&best)
	s.publish(res)
	ws.resolution = s.resolved()
	if res.Merit <= ws.resolution {
		status = form.Converged
	} else if status == form.Converged {
		status = form.NoProgress
	}
	return s.verdict(res, status, errors.Unwrap(err))
}

// goTo makes a point the iterate, and its reactions the multipliers.
func (s *augmented) goTo(at *iterate) {
	copy(s.ws.v, at.v)
	copy(s.ws.r, at.r)
	copy(s.ws.rBar, at.r)
}

// resolved returns the residual that counts as solved at the iterate.
func (s *augmented) resolved() float64 { return max(pathDefault.wantingFactor*s.tol, s.resolution()) }

// resolution is the residual that the rounding of v and r leaves at best, with the
// stiffness of the contacts and not the penalties.
func (s *augmented) resolution() float64 {
	s.evaluate()
	s.dual, s.step = 0, 0
	return min(s.dualRoundoff()+s.stepRoundoff()/newtonDefault.penaltyFactor, newtonDefault.nearby)
}

// followPath runs the interior-point method and leaves its best point in ws.v and
// ws.r. It reports whether it was not cancelled.
func (s *augmented) followPath(ctx context.Context) bool {
	ws := s.ws
	p := newConvexPath(s)
	best := iterate{v: make([]float64, len(ws.v)), r: make([][3]float64, len(ws.r)), residual: math.Inf(1)}
	kappa0, patience := p.kappa(), 0
	for range pathDefault.pathLimit {
		if ctx.Err() != nil {
			return false
		}
		p.evaluate()
		residual := p.residual()
		if patience++; residual < 0.9*best.residual {
			patience = 0
		}
		if residual < best.residual {
			best.residual = residual
			copy(best.v, ws.v)
			copy(best.r, ws.r)
		}
		kappa := p.kappa()
		if residual <= 0.1*s.tol || patience > pathDefault.pathPatience || !(kappa > pathDefault.pathLeast*kappa0) || !p.factorise(ctx) {
			break
		}
		p.direction(0)
		reach := p.reach()
		p.direction(kappa * min(max(math.Pow(1-reach, 3), 1e-4), 0.5))
		a := pathDefault.pathBoundary * p.reach()
		p.move(a)
		s.iterations++
		if s.o.OnIteration != nil {
			s.o.OnIteration(form.Iteration{Solver: convexInteriorName, Iteration: s.iterations, Residual: residual, Step: a})
		}
	}
	copy(ws.v, best.v)
	copy(ws.r, best.r)
	ws.forget()
	return true
}

// newConvexPath starts in the middle of the cones, at the size of the forces.
func newConvexPath(s *augmented) *convexPath {
	ws, nc, nv := s.ws, len(s.p.Laws), s.p.M.N
	p := &convexPath{s: s, slack: make([]float64, nc), dn: make([]float64, nc),
		x: make([]vec3, nc), z: make([]vec3, nc), dx: make([]vec3, nc), dz: make([]vec3, nc),
		lag: make([]vec3, nc), theta: make([]mat3, nc), rhs: make([]float64, nv), dir: make([]float64, nv),
		left: make([]float64, nv), more: make([]float64, nv), penalties: make([]float64, nc)}
	force := max(s.floor, num.InfNorm(s.p.F))
	for j := range nc {
		force = max(force, p.stiffness(j)*math.Abs(s.p.W[s.p.H.Dim*j]))
	}
	if force == 0 {
		force = 1
	}
	clear(ws.v)
	for j, law := range s.p.Laws {
		ws.r[j] = vec3{}
		if law == (joint{}) {
			continue
		}
		gap := force / p.stiffness(j)
		ws.r[j][0], p.slack[j] = force, gap
		p.degree++
		if form := form.FormOf(law); form.Bound > 0 {
			p.x[j], p.z[j] = vec3{form.Bound}, vec3{gap}
			p.degree += 2
		}
	}
	return p
}

// stiffness is what contact j sees of M.
func (p *convexPath) stiffness(j int) float64 { return p.s.ws.rho[j] / newtonDefault.penaltyFactor }

// evaluate sets u, the residuals of the definitions and left = f + H r − M v.
func (p *convexPath) evaluate() {
	s, ws := p.s, p.s.ws
	s.kinematics(ws.u, ws.v, s.p.W)
	s.p.M.MulVec(p.left, ws.v)
	for i, f := range s.p.F {
		p.left[i] = f - p.left[i]
	}
	for j := range ws.r {
		u, shape := &ws.u[j], p.shape(j)
		p.lag[j] = vec3{p.slack[j] - u[0]}
		if p.x[j][0] > 0 {
			p.lag[j][1] = p.z[j][1] - (shape[0]*u[1] + shape[1]*u[2])
			p.lag[j][2] = p.z[j][2] - (shape[2]*u[1] + shape[3]*u[2])
			y := &p.x[j]
			ws.r[j][1], ws.r[j][2] = shape[0]*y[1]+shape[2]*y[2], shape[1]*y[1]+shape[3]*y[2]
		}
	}
	p.addReactions(p.left, ws.r)
}

// addReactions adds H r.
func (p *convexPath) addReactions(dst []float64, r [][3]float64) {
	h := p.s.p.H
	for j := range r {
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c := triple(h, k)
			dst[h.Row[k]] += c[0]*r[j][0] + c[1]*r[j][1] + c[2]*r[j][2]
		}
	}
}

// shape is S of contact j.
func (p *convexPath) shape(j int) [4]float64 {
	f := form.FormOf(p.s.p.Laws[j])
	return f.Shape.Matrix()
}

// residual is that of the balance and of the natural map at the size of the forces.
func (p *convexPath) residual() float64 {
	s, ws := p.s, p.s.ws
	force, worst := max(s.floor, num.InfNorm(s.p.F)), num.InfNorm(p.left)
	for j, law := range s.p.Laws {
		u, r, q := &ws.u[j], &ws.r[j], &ws.trial[j]
		force = max(force, math.Abs(r[0]), math.Abs(r[1]), math.Abs(r[2]))
		k := p.stiffness(j)
		*q = vec3{r[0] - k*u[0], r[1] - k*u[1], r[2] - k*u[2]}
		law.Project(q, nil, q)
		worst = max(worst, math.Abs(r[0]-q[0]), math.Abs(r[1]-q[1]), math.Abs(r[2]-q[2]))
	}
	if force == 0 {
		force = 1
	}
	return worst / force
}

// kappa is the mean of the products.
func (p *convexPath) kappa() float64 {
	sum := 0.0
	for j := range p.slack {
		sum += p.slack[j]*p.s.ws.r[j][0] + num.Dot3(&p.x[j], &p.z[j]) // a joint has no slack
	}
	return sum / max(p.degree, 1)
}

// factorise sets D and factorises M + H D Hᵀ, with a proximal term if need be.
func (p *convexPath) factorise(ctx context.Context) bool {
	s, ws := p.s, p.s.ws
	for j, law := range s.p.Laws {
		d := &ws.jac[j]
		*d = mat3{}
		k := p.stiffness(j)
		if law == (joint{}) {
			d[0] = k / pathDefault.jointCompliance
		} else {
			d[0] = ws.r[j][0] / p.slack[j]
			if p.x[j][0] > 0 {
				p.tangent(d, j)
			}
		}
	}
	p.assemble()
	return s.refactor(ctx, 1e-14, 1e-12, 1e-10) == nil
}

// assemble is that of the workspace, with D for ρ P'.
func (p *convexPath) assemble() {
	ws := p.s.ws
	copy(p.penalties, ws.rho)
	for j := range ws.rho {
		ws.rho[j] = 1
	}
	ws.assemble(p.s.p)
	copy(ws.rho, p.penalties)
}

// tangent adds SᵀΘ_TT⁻¹S and keeps Θ_TT⁻¹ in theta[4, 5, 7, 8].
func (p *convexPath) tangent(d *mat3, j int) {
	m := &p.theta[j]
	num.LorentzScaling(m, &p.x[j], &p.z[j])
	a, b, c := m[4], m[5], m[8]
	det := a*c - b*b
	m[4], m[5], m[7], m[8] = c/det, -b/det, -b/det, a/det
	s := p.shape(j)
	for i := range 2 {
		for k := range 2 {
			sum := 0.0
			for l := range 2 {
				for n := range 2 {
					sum += s[2*l+i] * m[4+3*l+n] * s[2*n+k]
				}
			}
			d[4+3*i+k] = sum
		}
	}
}

// direction solves for the step towards κ.
func (p *convexPath) direction(kappa float64) {
	s, ws := p.s, p.s.ws
	copy(p.rhs, p.left)
	b := ws.trial
	for j, law := range s.p.Laws {
		b[j] = vec3{}
		if law == (joint{}) {
			b[j][0] = -p.stiffness(j) / pathDefault.jointCompliance * ws.u[j][0]
			continue
		}
		a, r := p.slack[j], ws.r[j][0]
		b[j][0] = (kappa-a*r)/a + r/a*p.lag[j][0]
		if p.x[j][0] > 0 {
			g := p.tangentForce(j, kappa, p.lag[j][1], p.lag[j][2])
			shape := p.shape(j)
			b[j][1], b[j][2] = shape[0]*g[1]+shape[2]*g[2], shape[1]*g[1]+shape[3]*g[2]
		}
	}
	p.addReactions(p.rhs, b)
	p.solve()
	s.kinematics(ws.du, p.dir, nil)
	for j, law := range s.p.Laws {
		if law == (joint{}) {
			continue
		}
		p.dn[j] = ws.du[j][0] - p.lag[j][0]
		if p.x[j][0] > 0 {
			shape, du := p.shape(j), &ws.du[j]
			dz := &p.dz[j]
			dz[1] = shape[0]*du[1] + shape[1]*du[2] - p.lag[j][1]
			dz[2] = shape[2]*du[1] + shape[3]*du[2] - p.lag[j][2]
			p.dx[j] = p.tangentForce(j, kappa, -dz[1], -dz[2])
			f := kappa / num.Lorentz(&p.x[j])
			dz[0] = f*p.x[j][0] - p.z[j][0] - p.theta[j][1]*p.dx[j][1] - p.theta[j][2]*p.dx[j][2]
		}
	}
	p.normalSteps(kappa)
}

// tangentForce returns (0, Θ_TT⁻¹((κx⁻¹ − z)_T + (l, m))).
func (p *convexPath) tangentForce(j int, kappa, l, m float64) vec3 {
	x, z, t := &p.x[j], &p.z[j], &p.theta[j]
	f := kappa / num.Lorentz(x)
	g, h := -f*x[1]-z[1]+l, -f*x[2]-z[2]+m
	return vec3{0, t[4]*g + t[5]*h, t[7]*g + t[8]*h}
}

// normalSteps sets dx_0 of the normal reactions, which are kept in ws.p.
func (p *convexPath) normalSteps(kappa float64) {
	ws := p.s.ws
	for j, law := range p.s.p.Laws {
		if law == (joint{}) {
			ws.p[j] = vec3{-p.stiffness(j) / pathDefault.jointCompliance * (ws.u[j][0] + ws.du[j][0])}
			continue
		}
		a, r := p.slack[j], ws.r[j][0]
		ws.p[j] = vec3{(kappa-a*r)/a - r/a*p.dn[j]}
	}
}

// solve refines the solution of (M + H D Hᵀ) dir = rhs on the residual.
func (p *convexPath) solve() {
	s, ws := p.s, p.s.ws
	ws.factor.Solve(p.dir, p.rhs)
	for range pathDefault.pathRefinements {
		s.p.M.MulVec(p.more, p.dir)
		for i, b := range p.rhs {
			p.more[i] = b - p.more[i]
		}
		s.kinematics(ws.du, p.dir, nil)
		for j := range ws.du {
			d, u := &ws.jac[j], ws.du[j]
			ws.du[j] = vec3{-(d[0] * u[0]), -(d[4]*u[1] + d[5]*u[2]), -(d[7]*u[1] + d[8]*u[2])}
		}
		p.addReactions(p.more, ws.du)
		ws.factor.Solve(ws.dir, p.more)
		for i, x := range ws.dir {
			p.dir[i] += x
		}
	}
}

// reach is the largest step that stays in the cones.
func (p *convexPath) reach() float64 {
	a := 1.0
	for j, law := range p.s.p.Laws {
		if law == (joint{}) {
			continue
		}
		a = min(a, num.RayStep(p.slack[j], p.dn[j]), num.RayStep(p.s.ws.r[j][0], p.s.ws.p[j][0]))
		if p.x[j][0] > 0 {
			a = min(a, num.LorentzStep(&p.x[j], &p.dx[j]), num.LorentzStep(&p.z[j], &p.dz[j]))
		}
	}
	return a
}

func (p *convexPath) move(a float64) {
	ws := p.s.ws
	for i, d := range p.dir {
		ws.v[i] += a * d
	}
	for j := range p.slack {
		p.slack[j] += a * p.dn[j]
		ws.r[j][0] += a * ws.p[j][0]
		for k := range 3 {
			p.x[j][k] += a * p.dx[j][k]
			p.z[j][k] += a * p.dz[j][k]
		}
	}
}

package local

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// interiorOptions are the numbers of the interior-point method.
type interiorOptions struct {
	start    float64 // of x_0 and z_0; q and the diagonal of W are 1
	central  float64 // κ stays above this part of the residual: the path is followed, not left
	boundary float64 // part of the way to the boundary of the cones that a step goes
	// near bounds that part as κ falls. Closer to it x_T and z_T are no longer opposite:
	// x·z is then their angle squared, merit the root of κ, and steps are short. Of 300 regular
	// problems of 5 contacts with associated laws 37 ended at 0.9999 before 1e-9, one does here, in
	// three quarters of the steps.
	near     float64
	least    float64 // least reduction of κ aimed at
	end      float64
	patience int // steps without progress of merit or κ
	// blocked steps in a row shorter than short end the method: rounding,
	// or no path to follow.
	short   float64
	blocked int
	// smooth·κ is the slip below which its direction means nothing: where a contact
	// sticks, z_T is of the order of κ.
	smooth float64
	// Rounds of iterative refinement of a direction, to fine of its right side.
	rounds int
	fine   float64
	// A direction of which refinement leaves more than lost of the right side is rounding:
	// reactions that stick weigh 1/κ beside those that are weak, and no later step is better.
	lost float64
	// interiorJoint² is the mobility that a joint is given at first, in units of the diagonal of W.
	// Long chains of joints, whose W has a condition of the fourth power of their number, get more of
	// it, up to interiorSoft², where directions are lost to rounding; the more, the slower joints
	// close.
	joint, soft float64
}

// interiorDefault are the values of all solves.
var interiorDefault = interiorOptions{
	start:    1.0,
	central:  0.1,
	boundary: 0.9,
	near:     0.99,
	least:    1e-6,
	end:      1e-16,
	patience: 15,
	short:    0.02, blocked: 4,
	smooth: 10,
	rounds: 4, fine: 1e-10,
	lost:  0.1,
	joint: 1e-5, soft: 1e-3,
}

const interiorName = "interior point"

// interiorThenNewton solves a [form.Local] problem whose laws are [law.Coulomb],
// [law.Associated], [law.Frictionless] or [law.Bilateral] by a primal-dual interior-point
// method with the de Saxcé term inside.
//
// In the variables x = (μ r_N, r_T) and z = (û_N/μ, u_T) of each contact both
// lie in the Lorentz cone L, and with n = (1, 0, 0), N = diag(1/μ, 1, 1),
//
//	z − ‖z_T‖ n = N W N x + N q,   x ∘ z = κ e,   κ → 0
//
// where the term ‖z_T‖ is absent for the associated law. With the Nesterov-Todd
// scaling G²x = z, both are λ = Gx = G⁻¹z in the frame x̃ = Gx, z̃ = G⁻¹z, and with
// E = I − n t̂ᵀ, t̂ = z_T/√(‖z_T‖² + (10κ)²), a step solves
//
//	E G dz̃ − N W N G⁻¹ dx̃ = −(z − ‖z_T‖n − NWNx − Nq),
//	dx̃ + dz̃ = λ\(κ e − dx̃₀∘dz̃₀) − λ,
//
// first with κ = 0 for dx̃₀ and dz̃₀, then with their product, which makes the step of second
// order [Mehrotra92], and stops short of the boundary of L. With A = G⁻¹E⁻¹N and
// B = N G⁻¹ that is (I + A W B) dx̃ = …, one factorisation of A W + B⁻¹, whose entries are of
// the order of κ^−½ and not of 1/κ, and iterative refinement in the scaled frame.
// Where merit goes as √κ (contacts that neither slip nor stick strictly), the last
// digits are left to [form.MethodNewton].
func (s *localRun) interiorThenNewton(limit int) form.Status {
	status := s.interiorPoint(limit)
	if status == form.NoProgress || status == form.NumericalFailure {
		copy(s.ws.r, s.ws.best)
		return s.naturalNewton(limit)
	}
	return status
}

// interior holds the iterates of the interior-point method, for the problem c.
type interior struct {
	c            *reduced
	e, rest      []mat3 // of what is factorised, see matrix
	trial        []vec3
	x, z, dx, dz []vec3
	res          []vec3 // z − ‖z_T‖n − NWNx − Nq
	scaling      []ntScaling
	product      []vec3 // dx̃₀ ∘ dz̃₀
	scaledX      []vec3 // dx̃ and dz̃
	scaledZ      []vec3
	keptX, keptZ []vec3 // directions that another one may replace, see centre
	rhs, left    []vec3
	correction   []vec3  // of the last round of refinement
	degree       int     // Σ rank of the cones
	joint        float64 // the root of the mobility of joints
}

// ntScaling is the scaling of one contact.
type ntScaling struct {
	g, a, b mat3 // G, A and B
	lambda  vec3 // Gx
	det     float64
}

// interiorKind tells how a contact enters: by L, by r_N ≥ 0, free, or not.
func (c *reduced) interiorKind(j int) (kind form.LawKind, ok bool) {
	switch c.Kind[j] {
	case form.KindCoulomb, form.KindAssociated:
		if c.Mu[j] == 0 {
			return form.KindFrictionless, true
		}
		return c.Kind[j], true
	case form.KindFrictionless, form.KindBilateral:
		return c.Kind[j], true
	}
	return form.KindGeneral, false
}

// convex reports whether no contact has the de Saxcé term: BA is symmetric then.
func (c *reduced) convex() bool {
	for j, kind := range c.Kind {
		if kind == form.KindCoulomb && c.Mu[j] > 0 {
			return false
		}
	}
	return true
}

// interiorPoint is the method alone, from the centre of the cones.
func (s *localRun) interiorPoint(limit int) form.Status {
	p := &s.ws.interior
	if !p.begin(s.ws) {
		return form.Unsolved
	}
	lu := s.ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	convex := s.c.convex()
	least, stale, blocked := num.Inf, 0, 0
	for k := 0; ; k++ {
		m := s.interiorLook()
		kappa, residual := p.gap()
		switch {
		case m <= s.tol:
			return form.Converged
		case num.Bad(kappa) || num.Bad(m):
			return form.NumericalFailure
		case k == limit:
			return form.IterationLimit
		}
		if stale++; min(m, kappa) < newtonGain*least {
			least, stale = min(m, kappa), 0
		}
		if kappa < interiorDefault.end || stale > interiorDefault.patience || blocked >= interiorDefault.blocked {
			return form.NoProgress
		}
		p.matrix(lu, interiorDefault.smooth*kappa)
		lu.FactorOf(s.ctx, &s.c.Scaled, s.ws.e, s.ws.b, convex)
		s.factors++
		p.direction(lu, 0, false)
		reach := p.reach()
		sigma := max(math.Pow(1-reach, 3), interiorDefault.least)
		target := max(sigma*kappa, interiorDefault.central*residual)
		if p.direction(lu, min(target, 2*kappa), true) > interiorDefault.lost {
			if p.soften() {
				continue
			}
			return form.NoProgress
		}
		a := p.reach()
		if s.c.large() && a < 1 {
			a = p.centre(lu, min(target, 2*kappa), a)
		}
		if blocked++; a > interiorDefault.short {
			blocked = 0
		}
		if a < 1 { // not onto the boundary itself
			a *= min(max(interiorDefault.boundary, 1-kappa), interiorDefault.near)
		}
		p.move(a)
		if status, stop := s.step(interiorName, m, a); stop {
			return status
		}
	}
}

// begin starts at the centre of the cones of the problem of ws; false: it has laws without one.
func (p *interior) begin(ws *Workspace) bool {
	p.c, p.e, p.rest, p.trial = &ws.c, ws.e, ws.b, ws.trial
	c, n := p.c, ws.c.Nc
	p.x, p.z, p.dx, p.dz = num.Grow(p.x, n), num.Grow(p.z, n), num.Grow(p.dx, n), num.Grow(p.dz, n)
	p.res, p.scaling, p.product = num.Grow(p.res, n), num.Grow(p.scaling, n), num.Grow(p.product, n)
	p.rhs, p.left, p.correction = num.Grow(p.rhs, n), num.Grow(p.left, n), num.Grow(p.correction, n)
	p.scaledX, p.scaledZ = num.Grow(p.scaledX, n), num.Grow(p.scaledZ, n)
	p.degree, p.joint = 0, interiorDefault.joint
	for j := range n {
		kind, ok := c.interiorKind(j)
		if !ok {
			return false
		}
		p.x[j], p.z[j] = vec3{interiorDefault.start}, vec3{interiorDefault.start}
		switch kind {
		case form.KindBilateral:
			p.x[j], p.z[j] = vec3{}, vec3{}
		case form.KindFrictionless:
			p.degree++
		default:
			p.degree += 2
		}
	}
	return true
}

// interiorLook sets the reactions from x, the residual, and records the merit.
func (s *localRun) interiorLook() float64 {
	p, c, ws := &s.ws.interior, s.c, s.ws
	for j := range p.x {
		ws.r[j] = p.x[j]
		if mu := c.Mu[j]; mu > 0 {
			ws.r[j][0] /= mu
		}
	}
	c.Velocity(ws.u, ws.r)
	for j := range p.x {
		u, z := ws.u[j], &p.z[j]
		kind, _ := c.interiorKind(j)
		switch kind {
		case form.KindCoulomb:
			u[0] = u[0]/c.Mu[j] + math.Sqrt(z[1]*z[1]+z[2]*z[2])
		case form.KindAssociated:
			u[0] /= c.Mu[j]
		case form.KindFrictionless:
			u[1], u[2] = z[1], z[2]
		}
		p.res[j] = vec3{z[0] - u[0], z[1] - u[1], z[2] - u[2]}
	}
	return s.keep(c.MeritAt(ws.u, ws.r))
}

// gap returns κ = x·z/degree and the root mean square of the residual.
func (p *interior) gap() (kappa, residual float64) {
	for j := range p.x {
		x, z, e := &p.x[j], &p.z[j], &p.res[j]
		kappa += x[0]*z[0] + x[1]*z[1] + x[2]*z[2]
		residual += e[0]*e[0] + e[1]*e[1] + e[2]*e[2]
	}
	return kappa / float64(max(p.degree, 1)), math.Sqrt(residual / float64(len(p.x)))
}

// matrix sets the scalings, with directions of slip smoothed below smooth, and what lu
// factorises: A W + B⁻¹ with e = A, b = B⁻¹, whose rows are in the frame in which directions are
// judged. Those of I + BA W, e = BA and b = I, are B times as long, up to κ^−½, and so is their
// rounding; they are for the graph of the bodies, whose D = BA must not come from an inverse of
// B⁻¹, and is symmetric where all is convex.
func (p *interior) matrix(lu *block.LU, smooth float64) {
	c := p.c
	for j := range p.x {
		x, z, t := &p.x[j], &p.z[j], &p.scaling[j]
		kind, _ := c.interiorKind(j)
		switch kind {
		case form.KindBilateral: // z = 0: a small G stands for none
			for k, v := range num.Identity3 {
				t.g[k], t.b[k] = v*p.joint, v/p.joint
			}
			t.a = t.b
		case form.KindFrictionless: // one component
			g := math.Sqrt(z[0] / x[0])
			t.g, t.b, t.lambda = mat3{g}, mat3{1 / g}, vec3{math.Sqrt(x[0] * z[0])}
			t.a = t.b
		default:
			t.set(x, z)
			t.a = t.b
			if kind == form.KindCoulomb { // E⁻¹ = I + n t̂ᵀ
				size := math.Sqrt(z[1]*z[1] + z[2]*z[2] + smooth*smooth)
				for k := 0; k < 9; k += 3 {
					t.a[k+1] += t.b[k] * z[1] / size
					t.a[k+2] += t.b[k] * z[2] / size
				}
			}
			mu := 1 / c.Mu[j]
			for k := range 3 { // N
				t.b[k] *= mu
				t.a[3*k] *= mu
			}
		}
		if lu.Graph != nil {
			num.Mul3(&p.e[j], &t.b, &t.a)
			p.rest[j] = num.Identity3
		} else {
			p.e[j], p.rest[j] = t.a, t.inverse(kind, c.Mu[j])
		}
	}
}

// inverse returns B⁻¹ = G N⁻¹, with ones for the components that a contact without friction lacks.
func (t *ntScaling) inverse(kind form.LawKind, mu float64) mat3 {
	g := t.g
	switch kind {
	case form.KindFrictionless:
		g[4], g[8] = 1, 1
	case form.KindCoulomb, form.KindAssociated:
		g[0], g[3], g[6] = mu*g[0], mu*g[3], mu*g[6]
	}
	return g
}

// soften gives joints ten times the mobility in a direction, if there are any and that is
// allowed.
func (p *interior) soften() bool {
	if p.joint *= 10; p.joint > 2*interiorDefault.soft { // 2: rounding
		return false
	}
	return slices.Contains(p.c.Kind, form.KindBilateral)
}

// direction solves for the step towards x ∘ z = κ e, of second order if there is
// a step of the first, and returns how much of the right side is left, see solve.
func (p *interior) direction(lu *block.LU, kappa float64, second bool) (left float64) {
	c := p.c
	if !second {
		clear(p.product)
	}
	for j := range p.x {
		t, res := &p.scaling[j], p.res[j]
		kind, _ := c.interiorKind(j)
		if kind == form.KindCoulomb || kind == form.KindAssociated {
			res[0] *= c.Mu[j]
		}
		rhs, y := &p.dz[j], num.MulVec3(&t.a, &res)
		*rhs = t.complement(kind, kappa, &p.product[j])
		p.rhs[j] = vec3{y[0] + rhs[0], y[1] + rhs[1], y[2] + rhs[2]}
	}
	left = p.solve(lu)
	for j := range p.dx {
		t, dx := &p.scaling[j], p.dx[j]
		kind, _ := c.interiorKind(j)
		dz := vec3{p.dz[j][0] - dx[0], p.dz[j][1] - dx[1], p.dz[j][2] - dx[2]}
		if !second {
			p.product[j] = vec3{num.Dot3(&dx, &dz), dx[0]*dz[1] + dz[0]*dx[1], dx[0]*dz[2] + dz[0]*dx[2]}
		}
		p.scaledX[j], p.scaledZ[j] = dx, dz
		p.dx[j], p.dz[j] = num.MulVec3(&t.b, &dx), num.MulVec3(&t.g, &dz)
		switch kind {
		case form.KindBilateral:
			p.dz[j] = vec3{}
		case form.KindCoulomb, form.KindAssociated:
			p.dx[j][0] *= c.Mu[j]
		}
	}
	return left
}

// complement returns λ\(κe − product) − λ.
func (t *ntScaling) complement(kind form.LawKind, kappa float64, product *vec3) vec3 {
	l, v := &t.lambda, t.quotient(kind, &vec3{kappa - product[0], -product[1], -product[2]})
	switch kind {
	case form.KindBilateral:
		return vec3{}
	case form.KindFrictionless:
		return vec3{v[0] - l[0]}
	}
	return vec3{v[0] - l[0], v[1] - l[1], v[2] - l[2]}
}

// quotient returns λ\v, the division of the product ∘.
func (t *ntScaling) quotient(kind form.LawKind, v *vec3) vec3 {
	l := &t.lambda
	switch kind {
	case form.KindBilateral:
		return vec3{}
	case form.KindFrictionless:
		return vec3{v[0] / l[0]}
	}
	n := (l[0]*v[0] - l[1]*v[1] - l[2]*v[2]) / t.det
	return vec3{n, (v[1] - n*l[1]) / l[0], (v[2] - n*l[2]) / l[0]}
}

// solve sets dx to the solution of (I + A W B) dx = rhs by the factors of matrix
// and iterative refinement, and returns the norm of what is left of rhs, relative to it.
func (p *interior) solve(lu *block.LU) (left float64) {
	c, trial := p.c, p.trial
	clear(p.dx)
	copy(p.left, p.rhs)
	full, last := block.Dot(p.rhs, p.rhs), num.Inf
	for range interiorDefault.rounds {
		if lu.Graph != nil {
			for j := range p.left {
				p.left[j] = num.MulVec3(&p.scaling[j].b, &p.left[j])
			}
		}
		lu.Solve(p.left)
		for j := range p.left {
			x, d := &p.dx[j], &p.left[j]
			if mu := c.Mu[j]; mu > 0 { // B⁻¹ = G N⁻¹
				d[0] *= mu
			}
			*d = num.MulVec3(&p.scaling[j].g, d)
			x[0], x[1], x[2] = x[0]+d[0], x[1]+d[1], x[2]+d[2]
			trial[j] = num.MulVec3(&p.scaling[j].b, x)
		}
		p.left, p.correction = p.correction, p.left
		sum := 0.0
		for j := range p.left {
			u := c.ProductAt(j, trial)
			u = num.MulVec3(&p.scaling[j].a, &u)
			b, x := &p.rhs[j], &p.dx[j]
			p.left[j] = vec3{b[0] - x[0] - u[0], b[1] - x[1] - u[1], b[2] - x[2] - u[2]}
			sum += num.Dot3(&p.left[j], &p.left[j])
		}
		if !(sum <= last) { // what was added is rounding
			for j, d := range p.correction {
				x := &p.dx[j]
				x[0], x[1], x[2] = x[0]-d[0], x[1]-d[1], x[2]-d[2]
			}
			break
		}
		enough := sum <= interiorDefault.fine*interiorDefault.fine*full || !(sum <= 0.25*last)
		if last = sum; enough {
			break
		}
	}
	if full == 0 {
		return 0
	}
	return math.Sqrt(last / full)
}

// reach is the largest step in [0, 1] that stays in the cones.
func (p *interior) reach() float64 {
	a := 1.0
	for j := range p.x {
		kind, _ := p.c.interiorKind(j)
		switch kind {
		case form.KindBilateral:
		case form.KindFrictionless:
			a = min(a, num.RayStep(p.x[j][0], p.dx[j][0]), num.RayStep(p.z[j][0], p.dz[j][0]))
		default:
			a = min(a, num.LorentzStep(&p.x[j], &p.dx[j]), num.LorentzStep(&p.z[j], &p.dz[j]))
		}
	}
	return a
}

// move goes a times along the direction.
func (p *interior) move(a float64) {
	for j := range p.x {
		x, z, dx, dz := &p.x[j], &p.z[j], &p.dx[j], &p.dz[j]
		for k := range 3 {
			x[k] += a * dx[k]
			z[k] += a * dz[k]
		}
	}
}

// set makes G = Θ^½ and its inverse, in b: with η = (det z/det x)^¼,
//
//	G = η (w_0, w_Tᵀ; w_T, I + w_T w_Tᵀ/(1 + w_0)).
func (t *ntScaling) set(x, z *vec3) {
	w, dx, dz := num.ScalingPoint(x, z)
	h, eta := 1/(1+w[0]), math.Sqrt(dz/dx)
	g := mat3{
		w[0], w[1], w[2],
		w[1], 1 + h*w[1]*w[1], h * w[1] * w[2],
		w[2], h * w[1] * w[2], 1 + h*w[2]*w[2],
	}
	for k, v := range g {
		t.g[k], t.b[k] = eta*v, v/eta
	}
	for _, k := range [...]int{1, 2, 3, 6} { // the inverse turns w_T
		t.b[k] = -t.b[k]
	}
	t.lambda, t.det = num.MulVec3(&t.g, x), dx*dz
}

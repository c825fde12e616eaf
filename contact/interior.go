package contact

import "math"

const (
	interiorName = "interior point"

	interiorStart    = 1.0 // of x_0 and z_0; q and the diagonal of W are 1
	interiorCentral  = 0.3 // κ stays above this part of the residual: the path is followed, not left
	interiorBoundary = 0.9 // part of the way to the boundary of the cones that a step goes
	interiorNear     = 0.9999
	interiorLeast    = 1e-6 // least reduction of κ aimed at
	interiorEnd      = 1e-16
	interiorPatience = 15 // steps without progress of merit or κ
)

// interiorThenNewton solves a [Local] problem whose laws are [Coulomb],
// [Associated], [Frictionless] or [Bilateral] by a primal-dual interior-point
// method with the de Saxcé term inside.
//
// In the variables x = (μ r_N, r_T) and z = (û_N/μ, u_T) of each contact both
// lie in the Lorentz cone L, and with n = (1, 0, 0), N = diag(1/μ, 1, 1),
//
//	z − ‖z_T‖ n = N W N x + N q,   x ∘ z = κ e,   κ → 0
//
// where the term ‖z_T‖ is absent for the associated law. With the
// Nesterov-Todd scaling Θx = z of the complementarity and E = I − n t̂ᵀ,
// t̂ = z_T/‖z_T‖, the derivative of the left side, a step solves
//
//	(NWN + EΘ) dx = E(κ x⁻¹ − z) + (z − ‖z_T‖n − NWNx − Nq),
//	dz = κ x⁻¹ − z − Θ dx,
//
// one block factorisation, and stops short of the boundary of L. Where merit
// goes as √κ (contacts that neither slip nor stick strictly), the last digits
// are left to [MethodNewton].
func (s *localRun) interiorThenNewton(limit int) Status {
	status := s.interiorPoint(limit)
	if status == NoProgress || status == NumericalFailure {
		copy(s.ws.r, s.ws.best)
		return s.naturalNewton(limit)
	}
	return status
}

// interior holds the iterates of the interior-point method.
type interior struct {
	x, z, dx, dz []vec3
	res          []vec3 // z − ‖z_T‖n − NWNx − Nq
	theta, e     []mat3
	degree       int // Σ rank of the cones
}

// interiorKind tells how a contact enters: by L, by r_N ≥ 0, free, or not.
func (c *reduced) interiorKind(j int) (kind lawKind, ok bool) {
	switch c.kind[j] {
	case kindCoulomb, kindAssociated:
		if c.mu[j] == 0 {
			return kindFrictionless, true
		}
		return c.kind[j], true
	case kindFrictionless, kindBilateral:
		return c.kind[j], true
	}
	return kindGeneral, false
}

func (s *localRun) interiorPoint(limit int) Status {
	if !s.interiorBegin() {
		return Unsolved
	}
	lu := s.ws.factors()
	least, stale := inf, 0
	for k := 0; ; k++ {
		m := s.interiorLook()
		kappa, residual := s.interiorGap()
		switch {
		case m <= s.tol:
			return Converged
		case bad(kappa) || bad(m):
			return NumericalFailure
		case k == limit:
			return IterationLimit
		}
		if stale++; min(m, kappa) < newtonGain*least {
			least, stale = min(m, kappa), 0
		}
		if kappa < interiorEnd || stale > interiorPatience {
			return NoProgress
		}
		s.interiorMatrix()
		lu.factor(s.c, nil, s.ws.b)
		s.factors++
		s.interiorDirection(lu, 0)
		reach := s.interiorReach()
		sigma := max(math.Pow(1-reach, 3), interiorLeast)
		target := max(sigma*kappa, interiorCentral*residual)
		s.interiorDirection(lu, min(target, 2*kappa))
		a := s.interiorReach()
		if a < 1 { // not onto the boundary itself
			a *= min(max(interiorBoundary, 1-kappa), interiorNear)
		}
		s.interiorMove(a)
		if status, stop := s.step(interiorName, m, a); stop {
			return status
		}
	}
}

// interiorBegin starts at the centre of the cones.
func (s *localRun) interiorBegin() bool {
	p, c := &s.ws.interior, s.c
	n := c.nc
	p.x, p.z, p.dx, p.dz = grow(p.x, n), grow(p.z, n), grow(p.dx, n), grow(p.dz, n)
	p.res, p.theta, p.e = grow(p.res, n), grow(p.theta, n), grow(p.e, n)
	p.degree = 0
	for j := range n {
		kind, ok := c.interiorKind(j)
		if !ok {
			return false
		}
		p.x[j], p.z[j] = vec3{interiorStart}, vec3{interiorStart}
		switch kind {
		case kindBilateral:
			p.x[j], p.z[j] = vec3{}, vec3{}
		case kindFrictionless:
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
		if mu := c.mu[j]; mu > 0 {
			ws.r[j][0] /= mu
		}
	}
	c.velocity(ws.u, ws.r)
	for j := range p.x {
		u, z := ws.u[j], &p.z[j]
		kind, _ := c.interiorKind(j)
		switch kind {
		case kindCoulomb:
			u[0] = u[0]/c.mu[j] + math.Sqrt(z[1]*z[1]+z[2]*z[2])
		case kindAssociated:
			u[0] /= c.mu[j]
		case kindFrictionless:
			u[1], u[2] = z[1], z[2]
		}
		p.res[j] = vec3{z[0] - u[0], z[1] - u[1], z[2] - u[2]}
	}
	return s.keep(c.meritAt(ws.u, ws.r))
}

// interiorGap returns κ = x·z/degree and the root mean square of the residual.
func (s *localRun) interiorGap() (kappa, residual float64) {
	p := &s.ws.interior
	for j := range p.x {
		x, z, e := &p.x[j], &p.z[j], &p.res[j]
		kappa += x[0]*z[0] + x[1]*z[1] + x[2]*z[2]
		residual += e[0]*e[0] + e[1]*e[1] + e[2]*e[2]
	}
	return kappa / float64(max(p.degree, 1)), math.Sqrt(residual / float64(len(p.x)))
}

// interiorMatrix sets E and, scaled back by N⁻¹ from both sides, b = EΘ.
func (s *localRun) interiorMatrix() {
	p, c, b := &s.ws.interior, s.c, s.ws.b
	for j := range p.x {
		x, z := &p.x[j], &p.z[j]
		p.e[j] = mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}
		kind, _ := c.interiorKind(j)
		switch kind {
		case kindBilateral:
			p.theta[j] = mat3{}
			b[j] = mat3{regLeast, 0, 0, 0, regLeast, 0, 0, 0, regLeast}
			continue
		case kindFrictionless: // the tangential rows only say r_T = 0
			p.theta[j] = mat3{z[0] / x[0]}
			b[j] = mat3{z[0] / x[0], 0, 0, 0, inv0, 0, 0, 0, inv0}
			continue
		}
		scaling(&p.theta[j], x, z)
		if t := math.Sqrt(z[1]*z[1] + z[2]*z[2]); kind == kindCoulomb && t > 0 {
			p.e[j][1], p.e[j][2] = -z[1]/t, -z[2]/t
		}
		mul3(&b[j], &p.e[j], &p.theta[j])
		mu := c.mu[j]
		b[j][0] *= mu * mu
		b[j][1] *= mu
		b[j][2] *= mu
		b[j][3] *= mu
		b[j][6] *= mu
	}
}

// inv0 stands for the stiffness that holds a reaction at zero.
const inv0 = 1e20

// interiorDirection solves for the step towards x ∘ z = κ e.
func (s *localRun) interiorDirection(lu *blockLU, kappa float64) {
	p, c := &s.ws.interior, s.c
	for j := range p.x {
		x, z, y := &p.x[j], &p.z[j], &p.dx[j]
		kind, _ := c.interiorKind(j)
		switch kind {
		case kindBilateral:
			p.dz[j] = vec3{}
			*y = p.res[j]
			continue
		case kindFrictionless:
			p.dz[j] = vec3{kappa/x[0] - z[0]}
			*y = vec3{p.dz[j][0] + p.res[j][0]}
			continue
		}
		f := kappa / lorentz(x)
		p.dz[j] = vec3{f*x[0] - z[0], -f*x[1] - z[1], -f*x[2] - z[2]}
		*y = affine(&p.e[j], &p.dz[j], &p.res[j])
		y[0] *= c.mu[j]
	}
	lu.solve(p.dx)
	for j := range p.dx {
		dx, dz := &p.dx[j], &p.dz[j]
		if mu := c.mu[j]; mu > 0 {
			dx[0] *= mu
		}
		subMulVec3(dz, &p.theta[j], dx)
	}
}

// interiorReach is the largest step in [0, 1] that stays in the cones.
func (s *localRun) interiorReach() float64 {
	p, a := &s.ws.interior, 1.0
	for j := range p.x {
		kind, _ := s.c.interiorKind(j)
		switch kind {
		case kindBilateral:
		case kindFrictionless:
			a = min(a, rayStep(p.x[j][0], p.dx[j][0]), rayStep(p.z[j][0], p.dz[j][0]))
		default:
			a = min(a, lorentzStep(&p.x[j], &p.dx[j]), lorentzStep(&p.z[j], &p.dz[j]))
		}
	}
	return a
}

func (s *localRun) interiorMove(a float64) {
	p := &s.ws.interior
	for j := range p.x {
		x, z, dx, dz := &p.x[j], &p.z[j], &p.dx[j], &p.dz[j]
		for k := range 3 {
			x[k] += a * dx[k]
			z[k] += a * dz[k]
		}
	}
}

func rayStep(x, d float64) float64 {
	if d < 0 {
		return min(1, -x/d)
	}
	return 1
}

// lorentz returns det x = x_0² − ‖x_T‖².
func lorentz(x *vec3) float64 {
	t := math.Sqrt(x[1]*x[1] + x[2]*x[2])
	return (x[0] - t) * (x[0] + t)
}

// scaling sets the Θ with Θ x = z [Nesterov98]: with x̄ = x/√det x, z̄ likewise
// and w = (J x̄ + z̄)/√(2(1 + x̄·z̄)), Θ = √(det z/det x)·(2 w wᵀ − J).
func scaling(m *mat3, x, z *vec3) {
	dx, dz := math.Sqrt(lorentz(x)), math.Sqrt(lorentz(z))
	dot := (x[0]*z[0] + x[1]*z[1] + x[2]*z[2]) / (dx * dz)
	g := 1 / math.Sqrt(2*(1+dot))
	w := vec3{g * (x[0]/dx + z[0]/dz), g * (-x[1]/dx + z[1]/dz), g * (-x[2]/dx + z[2]/dz)}
	k := dz / dx
	*m = mat3{
		k * (2*w[0]*w[0] - 1), 2 * k * w[0] * w[1], 2 * k * w[0] * w[2],
		2 * k * w[0] * w[1], k * (2*w[1]*w[1] + 1), 2 * k * w[1] * w[2],
		2 * k * w[0] * w[2], 2 * k * w[1] * w[2], k * (2*w[2]*w[2] + 1),
	}
}

// lorentzStep is the largest step in [0, 1] that keeps x + step·d in L: the
// first positive root of a·step² + 2b·step + det x.
func lorentzStep(x, d *vec3) float64 {
	a := d[0]*d[0] - d[1]*d[1] - d[2]*d[2]
	b := x[0]*d[0] - x[1]*d[1] - x[2]*d[2]
	c, step := lorentz(x), 1.0
	if disc := b*b - a*c; disc >= 0 {
		if den := math.Sqrt(disc) - b; den > 0 && (a < 0 || b < 0) {
			step = min(step, c/den)
		}
	}
	if x[0]+step*d[0] < 0 {
		step = min(step, -x[0]/d[0])
	}
	return step
}

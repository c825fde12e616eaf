package contact

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	rayTolerance = 1e-9  // relative; a reaction that fits would be 1e9 times ‖q‖/‖W‖ in scaled units
	raySteps     = 40    // Newton steps; each changes the active set
	rayInner     = 500   // conjugate gradients
	raySolved    = 1e-13 // gradient relative to the residual
	rayGone      = 1e-9  // a residual below this part of q: admissible velocities exist
)

// Certifies reports whether d proves that p has no solution: d is in the dual
// of the admissible velocities (d_N ≥ 0, d_T = 0 at a unilateral contact,
// d ∈ K at an [Associated] one, anything at a [Bilateral] one), Wᵀd = 0 and
// q·d < 0 (to 1e-9). Then d·u = q·d < 0 for every r, while every admissible u
// has d·u ≥ 0. Where W comes from [NewDelassus], H d = 0 is asked for too.
func Certifies(p *Local, d []float64) bool {
	dim := p.W.Dim()
	if p.W.Dim() > 3 {
		return false
	}
	if rigid, springs := p.WithoutSprings(); springs {
		return Certifies(rigid, d)
	}
	dot, size := 0.0, 0.0
	for i, x := range d {
		dot += x * p.Q[i]
		size = max(size, math.Abs(x))
	}
	if !(dot < 0) || num.Bad(size) {
		return false
	}
	for j, law := range p.Laws {
		var x, y vec3
		copy(x[:], d[dim*j:dim*j+dim])
		rayProject(law, &y, &x)
		for k := range 3 {
			if math.Abs(x[k]-y[k]) > rayTolerance*size {
				return false
			}
		}
	}
	if p.Graph.M != nil && p.Graph.W == p.W && !annihilates(p.Graph.H, d, rayTolerance*size) {
		return false
	}
	// A reaction that fits has ‖ρ^−½ r‖ ≥ |q·d|/‖ρ^½ Wᵀd‖, in the frames in which W has a unit
	// diagonal: beside the largest entry of W, what moves a heavy body alone would count as
	// nothing.
	y := make([]float64, len(d))
	mulTrans(p.W, y, d)
	motion, data := 0.0, 0.0
	for j, rho := range form.StepsAbove(nil, p.W, 0) {
		for k := dim * j; k < dim*(j+1); k++ {
			motion += rho * y[k] * y[k]
			data += rho * p.Q[k] * p.Q[k]
		}
	}
	return math.Sqrt(motion)*math.Sqrt(data) <= -rayTolerance*dot
}

// annihilates reports whether H d = 0, each row to tol times the sum of its entries. W d = 0 says
// the same, as M is positive definite, but where a heavy body rests on a light one the W that is
// stored has lost it to rounding.
func annihilates(h *Jacobian, d []float64, tol float64) bool {
	y, size := make([]float64, h.Rows), make([]float64, h.Rows)
	h.MulAdd(y, d)
	for e, row := range h.Row {
		for _, v := range h.Val[h.Dim*e : h.Dim*(e+1)] {
			size[row] += math.Abs(v)
		}
	}
	for i, x := range y {
		if !(math.Abs(x) <= tol*size[i]) {
			return false
		}
	}
	return true
}

// rayProject projects onto the dual of the admissible velocities of a law.
func rayProject(law Law, dst, x *vec3) {
	switch form.FormOf(law).Set {
	case form.KindBilateral:
		*dst = *x
	case form.KindAssociated:
		law.Project(dst, nil, x)
	default:
		*dst = vec3{max(x[0], 0)}
	}
}

// infeasible searches for a certificate that no solution exists and leaves it
// in res.Ray. With C the admissible velocities it minimises
//
//	φ(x) = ½ dist²(W x + q, C)   over all x:
//
// at the minimum the residual d = P_C(u) − u has Wᵀd = 0 and q·d = −‖d‖², so
// that either d = 0, or it is the certificate. φ is convex and piecewise quadratic:
// a semismooth Newton method with conjugate gradients on the normal equations and a
// line search on φ', which is increasing along the way.
func (s *localRun) infeasible() bool {
	ws, c, p := s.ws, s.c, s.p
	x := ws.trial
	clear(x)
	step, motion := make([]vec3, len(x)), make([]vec3, len(x))
	last := num.Inf
	for range raySteps {
		c.velocity(ws.u, x)
		size := c.rayResidual(ws, ws.u)
		if num.Bad(size) || size <= rayGone {
			break
		}
		s.res.Ray = num.Grow(s.res.Ray, len(p.Q))
		c.expand(s.res.Ray, ws.d)
		if Certifies(p, s.res.Ray) {
			return true
		}
		if size >= last*(1-1e-12) { // the minimum, to rounding: d is no certificate
			break
		}
		last = size
		c.rayStep(ws, step)
		c.product(motion, step)
		a := c.raySearch(ws, x, motion)
		for j := range x {
			for k := range 3 {
				x[j][k] += a * step[j][k]
			}
		}
	}
	s.res.Ray = s.res.Ray[:0]
	return false
}

// rayResidual sets ws.d = P_C(u) − u, which lies in the dual of C, and an element of
// the Jacobian of −d in ws.b, that of the violated side where u is on the edge, and
// returns ‖d‖.
func (c *reduced) rayResidual(ws *LocalWorkspace, u []vec3) float64 {
	sum := 0.0
	for j := range u {
		d, b := &ws.d[j], &ws.b[j]
		neg := vec3{-u[j][0], -u[j][1], -u[j][2]}
		switch c.kind[j] {
		case form.KindBilateral:
			Bilateral{}.Project(d, b, &neg)
		case form.KindAssociated: // Moreau: P_C(u) − u = P_{C*}(−u)
			law.ProjectCone(d, b, c.mu[j], &neg)
		default:
			Frictionless{}.Project(d, b, &neg)
			if neg[0] == 0 {
				b[0] = 1
			}
		}
		sum += d[0]*d[0] + d[1]*d[1] + d[2]*d[2]
	}
	return math.Sqrt(sum)
}

// raySearch returns a step along which φ has fallen: 1 if it still falls there, else
// where its slope −d·motion vanishes, by bisection and the secant rule. ws.u is
// W x + q.
func (c *reduced) raySearch(ws *LocalWorkspace, x, motion []vec3) float64 {
	c.velocity(ws.u, x)
	at := ws.r
	slope := func(a float64) float64 {
		for j := range at {
			for k := range 3 {
				at[j][k] = ws.u[j][k] + a*motion[j][k]
			}
		}
		c.rayResidual(ws, at)
		return -dot3(ws.d, motion)
	}
	lo, hi := 0.0, 1.0
	slo, shi := slope(lo), slope(hi)
	if shi <= 0 || !(slo < 0) {
		return 1
	}
	for range 60 {
		a := (lo*shi - hi*slo) / (shi - slo)
		if !(a > lo && a < hi) {
			a = 0.5 * (lo + hi)
		}
		if v := slope(a); v > 0 {
			hi, shi = a, v
			slo *= 0.5
		} else {
			lo, slo = a, v
			shi *= 0.5
		}
		if hi-lo <= 4*num.Eps {
			break
		}
	}
	return lo
}

// rayStep sets step to the Newton step: WᵀBW δ = Wᵀd by conjugate gradients.
func (c *reduced) rayStep(ws *LocalWorkspace, step []vec3) {
	g, dir, y, z := ws.f, ws.r, ws.u, ws.best
	clear(step)
	c.transposed(g, ws.d)
	copy(dir, g)
	gg := dot3(g, g)
	stop := raySolved * raySolved * gg
	for k := 0; k < rayInner && gg > stop && gg > 0; k++ {
		c.product(y, dir)
		for j := range y {
			y[j] = num.MulVec3(&ws.b[j], &y[j])
		}
		c.transposed(z, y)
		curve := dot3(dir, z)
		if !(curve > 0) {
			return
		}
		a := gg / curve
		for j := range step {
			for i := range 3 {
				step[j][i] += a * dir[j][i]
				g[j][i] -= a * z[j][i]
			}
		}
		next := dot3(g, g)
		for j := range dir {
			for i := range 3 {
				dir[j][i] = g[j][i] + next/gg*dir[j][i]
			}
		}
		gg = next
	}
}

func dot3(a, b []vec3) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j][0]*b[j][0] + a[j][1]*b[j][1] + a[j][2]*b[j][2]
	}
	return sum
}

// product sets y = W x, transposed y = Wᵀ x.
func (c *reduced) product(y, x []vec3) {
	for i := range y {
		y[i] = vec3{}
		for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
			v := num.MulVec3(&c.blk[k], &x[c.col[k]])
			for l := range 3 {
				y[i][l] += v[l]
			}
		}
	}
}

func (c *reduced) transposed(y, x []vec3) {
	clear(y)
	for i := range x {
		for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
			b, v, w := &c.blk[k], &x[i], &y[c.col[k]]
			w[0] += b[0]*v[0] + b[3]*v[1] + b[6]*v[2]
			w[1] += b[1]*v[0] + b[4]*v[1] + b[7]*v[2]
			w[2] += b[2]*v[0] + b[5]*v[1] + b[8]*v[2]
		}
	}
}

// mulTrans sets y = Wᵀ d.
func mulTrans(w Operator, y, d []float64) {
	var c reduced
	c.dim = w.Dim()
	c.collect(w, w.Contacts())
	x, z := make([]vec3, w.Contacts()), make([]vec3, w.Contacts())
	unstack(x, d, c.dim)
	c.transposed(z, x)
	stack(y, z, c.dim)
}

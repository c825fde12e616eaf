package prove

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	rayTolerance = 1e-9 // relative; a reaction that fits would be 1e9 times ‖q‖/‖W‖ in scaled units
	raySteps     = 40   // Newton steps; each changes the active set
	rayInner     = 500  // conjugate gradients
	// raySolved is the gradient that the conjugate gradients leave, over the first. Normal equations
	// have the square of W's condition: more digits are noise along the kernel of W, which x goes off
	// by. Of 1,500 random problems of associated cones the search fails in 1 with 1e-6 to 1e-4, in 3
	// with 1e-3, in 44 with 1e-10; Newton's next step goes on from the gradient itself.
	raySolved = 1e-5
	rayGone   = 1e-9 // a residual below this part of q: admissible velocities exist
)

// Certifies reports whether d proves that p has no solution: d is in the dual
// of the admissible velocities (d_N ≥ 0, d_T = 0 at a unilateral contact,
// d ∈ K at an [law.Associated] one, anything at a [law.Bilateral] one), Wᵀd = 0 and
// q·d < 0 (to 1e-9). Then d·u = q·d < 0 for every r, while every admissible u
// has d·u ≥ 0. Where W comes from [delassus.NewDelassus], H d = 0 is asked for too.
func Certifies(p *form.Local, d []float64) bool {
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
	block.MulTrans(p.W, y, d)
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
func annihilates(h *form.Jacobian, d []float64, tol float64) bool {
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
func rayProject(law law.Law, dst, x *vec3) {
	switch form.FormOf(law).Set {
	case form.KindBilateral:
		*dst = *x
	case form.KindAssociated:
		law.Project(dst, nil, x)
	default:
		*dst = vec3{max(x[0], 0)}
	}
}

// A raySearch is the memory of [Ray].
type raySearch struct {
	c                       *block.Scaled
	x, u, d, at             []vec3
	step, motion, g, dir, z []vec3
	b                       []mat3
}

// Ray searches for a certificate that no solution exists and appends it to dst[:0]. With C the
// admissible velocities it minimises
//
//	φ(x) = ½ dist²(W x + q, C)   over all x:
//
// at the minimum the residual d = P_C(u) − u has Wᵀd = 0 and q·d = −‖d‖², so
// that either d = 0, or it is the certificate. φ is convex and piecewise quadratic:
// a semismooth Newton method with conjugate gradients on the normal equations and a
// line search on φ', which is increasing along the way.
func Ray(dst []float64, c *block.Scaled, p *form.Local) (ray []float64, found bool) {
	s := raySearch{c: c, b: make([]mat3, c.Nc)}
	for _, v := range [...]*[]vec3{&s.x, &s.u, &s.d, &s.at, &s.step, &s.motion, &s.g, &s.dir, &s.z} {
		*v = make([]vec3, c.Nc)
	}
	last, steepest := num.Inf, num.Inf
	for range raySteps {
		c.Velocity(s.u, s.x)
		size := s.residual(s.u)
		if num.Bad(size) || size <= rayGone {
			break
		}
		dst = num.Grow(dst, len(p.Q))
		c.Expand(dst, s.d)
		if Certifies(p, dst) {
			return dst, true
		}
		// φ moves by the square of its gradient: near the minimum it stands still to rounding where
		// the gradient, which is what has to vanish, still falls.
		c.Transposed(s.g, s.d)
		slope := block.Dot(s.g, s.g)
		if size >= last*(1-1e-12) && slope >= 0.25*steepest { // the minimum: d is no certificate
			break
		}
		last, steepest = size, min(slope, steepest)
		s.newton()
		c.Product(s.motion, s.step)
		a := s.search()
		for j := range s.x {
			for k := range 3 {
				s.x[j][k] += a * s.step[j][k]
			}
		}
	}
	return dst[:0], false
}

// residual sets d = P_C(u) − u, which lies in the dual of C, and an element of the Jacobian of −d in
// b, that of the violated side where u is on the edge, and returns ‖d‖.
func (s *raySearch) residual(u []vec3) float64 {
	sum := 0.0
	for j := range u {
		d, b := &s.d[j], &s.b[j]
		neg := vec3{-u[j][0], -u[j][1], -u[j][2]}
		switch s.c.Kind[j] {
		case form.KindBilateral:
			law.Bilateral{}.Project(d, b, &neg)
		case form.KindAssociated: // Moreau: P_C(u) − u = P_{C*}(−u)
			law.ProjectCone(d, b, s.c.Mu[j], &neg)
		default:
			law.Frictionless{}.Project(d, b, &neg)
			if neg[0] == 0 {
				b[0] = 1
			}
		}
		sum += d[0]*d[0] + d[1]*d[1] + d[2]*d[2]
	}
	return math.Sqrt(sum)
}

// search returns a step along which φ has fallen: 1 if it still falls there, else where its slope
// −d·motion vanishes, by bisection and the secant rule. u is W x + q.
func (s *raySearch) search() float64 {
	slope := func(a float64) float64 {
		for j := range s.at {
			for k := range 3 {
				s.at[j][k] = s.u[j][k] + a*s.motion[j][k]
			}
		}
		s.residual(s.at)
		return -block.Dot(s.d, s.motion)
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

// newton sets the step of Newton's method from the gradient g = Wᵀd: WᵀBW δ = g by conjugate
// gradients, to where a direction moves no more than rounding.
func (s *raySearch) newton() {
	c, g, dir, y, z := s.c, s.g, s.dir, s.at, s.z
	clear(s.step)
	copy(dir, g)
	gg, steepest := block.Dot(g, g), 0.0
	stop := raySolved * raySolved * gg
	for k := 0; k < rayInner && gg > stop && gg > 0; k++ {
		c.Product(y, dir)
		for j := range y {
			y[j] = num.MulVec3(&s.b[j], &y[j])
		}
		c.Transposed(z, y)
		curve, size := block.Dot(dir, z), block.Dot(dir, dir)
		steepest = max(steepest, curve/size)
		if !(curve > num.Eps*steepest*size) {
			return
		}
		a := gg / curve
		for j := range s.step {
			for i := range 3 {
				s.step[j][i] += a * dir[j][i]
				g[j][i] -= a * z[j][i]
			}
		}
		next := block.Dot(g, g)
		for j := range dir {
			for i := range 3 {
				dir[j][i] = g[j][i] + next/gg*dir[j][i]
			}
		}
		gg = next
	}
}

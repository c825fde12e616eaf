package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// oneContact solves the problem of a single contact, the inner step of Gauss-Seidel: with the
// reactions of all other contacts fixed its velocity is u = A r + b, A its diagonal block of W, and
// r has to satisfy the law with that u. The fields are what depends on A alone, made once a problem.
type oneContact struct {
	a      mat3
	invN   float64    // 1/A_NN, 0 if the contact has no normal mobility
	t      [4]float64 // A_TT − A_TN A_NT/A_NN
	cn, ct vec3       // rows: A_NT/A_NN in cn[1:], A_TN/A_NN in ct[1:]
	lambda float64    // root of the last call of slip: Newton's method starts from it
	rho    float64    // 1/‖A‖∞, the step of the natural map in [reduced.general]
	round  bool       // A is diagonal and A_TT a multiple of the identity
	invT   float64    // the reciprocal of that multiple, where round
}

// Entries of A that count as zero because they may be the rounding of what they were summed from.
const (
	// noMobility bounds a diagonal entry, where the mean of the diagonal is 1.
	noMobility = 1e-14
	// noPivot bounds the determinant of a 2×2 block over its squared diagonal.
	noPivot = 1e-12
	// noCoupling bounds an entry off the diagonal over the diagonal.
	noCoupling = 16 * num.Eps
)

func (o *oneContact) prepare(a *mat3) {
	o.a, o.lambda = *a, 0
	o.rho = 1 / max(math.Abs(a[0])+math.Abs(a[1])+math.Abs(a[2]),
		math.Abs(a[3])+math.Abs(a[4])+math.Abs(a[5]),
		math.Abs(a[6])+math.Abs(a[7])+math.Abs(a[8]), 1e-8)
	o.invN = 0
	if a[0] > noMobility {
		o.invN = 1 / a[0]
	}
	o.cn = vec3{0, a[1] * o.invN, a[2] * o.invN}
	o.ct = vec3{0, a[3] * o.invN, a[6] * o.invN}
	o.t = [4]float64{
		a[4] - a[3]*o.cn[1], a[5] - a[3]*o.cn[2],
		a[7] - a[6]*o.cn[1], a[8] - a[6]*o.cn[2],
	}
	couples := max(math.Abs(a[1]), math.Abs(a[2]), math.Abs(a[3]), math.Abs(a[6]), math.Abs(a[5]), math.Abs(a[7]), math.Abs(a[4]-a[8]))
	if o.round = min(a[0], a[4]) > noMobility && couples <= noCoupling*min(a[0], a[4]); o.round {
		o.invT = 2 / (a[4] + a[8])
	}
}

// coulombRound is coulomb in closed form where A is diagonal and A_TT a multiple of the identity, as
// where only spheres touch. Normal and tangents are independent then: r_N = −b_N/A_NN, and r_T is
// −b_T/A_TT, shortened to the radius μ r_N of the disc.
func (o *oneContact) coulombRound(r *vec3, mu float64, b *vec3) {
	if b[0] >= 0 {
		*r = vec3{}
		return
	}
	n, x, y := -b[0]*o.invN, (0-b[1])*o.invT, (0-b[2])*o.invT // not −0
	if t, most := x*x+y*y, mu*n; t > most*most {
		f := most / math.Sqrt(t)
		x, y = f*x, f*y
	}
	*r = vec3{n, x, y}
}

// coulomb solves the problem of one contact with Coulomb's law exactly. For b_N ≥ 0 the contact is
// open, r = 0. Otherwise it is closed: u_N = 0 gives r_N = −b_N/A_NN − c·r_T with c = A_NT/A_NN, and
// elimination of r_N leaves u_T = Ã r_T + b̃ with the Schur complement Ã = A_TT − A_TN A_NT/A_NN and
// b̃ = b_T − A_TN b_N/A_NN. Slip is against friction, u_T = −λ r_T, so that a λ ≥ 0 is sought with
//
//	(Ã + λ) r_T = −b̃,   ‖r_T‖ ≤ μ r_N,   and equality where λ > 0.
//
// λ = 0 is stick. If its r_T is outside the disc the contact slips, and λ is the root of
// φ(λ) = ‖r_T(λ)‖ − μ r_N(λ), which is positive at 0 and negative for large λ.
func (o *oneContact) coulomb(r *vec3, mu float64, b *vec3) {
	if b[0] >= 0 {
		*r = vec3{}
		return
	}
	if o.invN == 0 { // nothing moves the contact away: no reaction can help
		return
	}
	rn := -b[0] * o.invN
	if mu == 0 {
		*r = vec3{rn, 0, 0}
		return
	}
	bt, bo := b[1]+o.ct[1]*-b[0], b[2]+o.ct[2]*-b[0]
	x, y, ok := o.tangential(0, bt, bo)
	if ok {
		n := rn - o.cn[1]*x - o.cn[2]*y
		if x*x+y*y <= mu*mu*n*n && n >= 0 {
			*r, o.lambda = vec3{n, x, y}, 0
			return
		}
	}
	o.slip(r, mu, rn, bt, bo)
}

// tangential returns −(Ã + λ)⁻¹ b̃.
func (o *oneContact) tangential(lambda, bt, bo float64) (x, y float64, ok bool) {
	a, d := o.t[0]+lambda, o.t[3]+lambda
	det := a*d - o.t[1]*o.t[2]
	if !(det > noPivot*(a*a+d*d)) {
		return 0, 0, false
	}
	det = 1 / det
	return (o.t[1]*bo - d*bt) * det, (o.t[2]*bt - a*bo) * det, true
}

// slip finds the root of φ, see coulomb. Where à is singular φ(0) is not defined, and φ may be
// negative at both ends of the bracket without a change of sign between them that bisection would
// find. Then λ is doubled from slipScan on until φ > 0. If it never is, no r solves the problem of
// this contact alone (it jams), and r stays as it was.
func (o *oneContact) slip(r *vec3, mu, rn, bt, bo float64) {
	lambda := o.lambda
	if lambda <= 0 { // ‖b̃‖ ≈ (‖Ã‖ + λ) μ r_N
		lambda = max(math.Hypot(bt, bo)/(mu*rn)-0.5*(o.t[0]+o.t[3]), 1e-3*(o.t[0]+o.t[3]), noMobility)
	}
	old := *r
	if !o.slipRoot(r, mu, rn, bt, bo, lambda, 0, num.Inf) {
		*r = old
		for lo := slipScan; lo < 1/slipScan; lo *= 2 {
			x, y, ok := o.tangential(lo, bt, bo)
			if n := rn - o.cn[1]*x - o.cn[2]*y; ok && math.Hypot(x, y) > mu*n {
				o.slipRoot(r, mu, rn, bt, bo, 2*lo, lo, num.Inf)
				break
			}
		}
	}
	// r_T is put on the edge of the disc exactly, which the root meets to rounding.
	if t := math.Sqrt(r[1]*r[1] + r[2]*r[2]); t > 0 && r[0] > 0 {
		f := mu * r[0] / t
		r[1], r[2] = f*r[1], f*r[2]
	}
}

// slipScan is the least λ that is tried, where the mean of the diagonal of A is 1.
const slipScan = 1e-9

// slipRoot solves ‖r_T(λ)‖ = μ r_N(λ) by Newton's method, on the quotient of the two where r_N > 0,
// as it is nearly linear in 1/λ; a step that leaves the bracket lo, hi is replaced by bisection.
func (o *oneContact) slipRoot(r *vec3, mu, rn, bt, bo, lambda, lo, hi float64) bool {
	found := false
	for range 80 { // three or four are usual; 80 halvings are the worst case
		x, y, ok := o.tangential(lambda, bt, bo)
		if !ok {
			lo, lambda = lambda, max(2*lambda, noMobility)
			continue
		}
		n := rn - o.cn[1]*x - o.cn[2]*y
		t := math.Sqrt(x*x + y*y)
		phi := t - mu*n
		if phi > 0 {
			lo = lambda
		} else {
			hi = lambda
		}
		*r, o.lambda = vec3{n, x, y}, lambda
		found = math.Abs(phi) <= slipClose*t
		if math.Abs(phi) <= 4*num.Eps*t {
			break
		}
		dx, dy, _ := o.tangential(lambda, x, y) // derivative of r_T
		dt, dn := (x*dx+y*dy)/t, -o.cn[1]*dx-o.cn[2]*dy
		next := lambda - phi/(dt-mu*dn)
		if n > 0 {
			next = lambda - phi*(t/(mu*n))/(dt-t*dn/n)
		}
		if !(next > lo && next < hi) {
			next = 0.5 * (lo + hi)
			if hi == num.Inf {
				next = 4 * lambda
			}
		}
		if math.Abs(next-lambda) <= num.Eps*lambda {
			break
		}
		lambda = next
	}
	return found
}

// slipClose is the |φ|/‖r_T‖ below which λ is taken for a root: a bracket that shrinks onto a jump of
// φ leaves far more, a root that rounding keeps from zero far less.
const slipClose = 1e-7

// coulombPlane is coulomb for a plane problem, in closed form.
func (o *oneContact) coulombPlane(r *vec3, mu float64, b *vec3) {
	if b[0] >= 0 {
		*r = vec3{}
		return
	}
	if o.invN == 0 {
		return
	}
	rn, bt := -b[0]*o.invN, b[1]-o.ct[1]*b[0]
	if o.t[0] > noMobility {
		x := -bt / o.t[0]
		if n := rn - o.cn[1]*x; math.Abs(x) <= mu*n {
			*r = vec3{n, x, 0}
			return
		}
	}
	// Slip: r_T = s r_N with s = ±μ against b̃, so that r_N (1 + s c) = −b_N/A_NN. If 1 + s c ≤ 0 no
	// r_N > 0 solves that, and the contact slips in the other direction.
	s := -math.Copysign(mu, bt)
	if k := 1 + s*o.cn[1]; k > noMobility {
		rn /= k
	} else {
		s = -s
		rn /= 1 + s*o.cn[1]
	}
	*r = vec3{rn, s * rn, 0}
}

// bilateral sets r = −A⁻¹ b, in the least-squares sense where A is singular.
func (o *oneContact) bilateral(r *vec3, b *vec3) {
	var inv mat3
	if num.Invert3(&inv, &o.a) {
		for k := range 3 {
			r[k] = -(inv[3*k]*b[0] + inv[3*k+1]*b[1] + inv[3*k+2]*b[2])
		}
		return
	}
	for k := range 3 { // a step of Richardson's iteration, r − ρ u; each sweep makes another
		u := o.a[3*k]*r[0] + o.a[3*k+1]*r[1] + o.a[3*k+2]*r[2] + b[k]
		b[k] = u
	}
	for k := range 3 {
		r[k] -= o.rho * b[k]
	}
}

// general solves the problem of one contact for any law: by Newton's method on the natural map
// F(r) = r − P(r − ρ(u + g(u) n)) with ρ = 1/‖A‖∞, P the projection of the law and g its de Saxcé
// term, and by r ← P(r − ρ(u + g(u) n)) where Newton's method does not reduce ‖F‖. The best r counts.
func (c *reduced) general(j int, r *vec3, b *vec3) {
	o := &c.one[j]
	best, fBest := *r, math.Inf(1)
	x := *r
	for k := range 40 {
		var jac mat3
		u := num.Affine(&o.a, &x, b)
		g, grad := c.correctionGradient(j, &u)
		p := vec3{x[0] - o.rho*(u[0]+g), x[1] - o.rho*u[1], x[2] - o.rho*u[2]}
		var px vec3
		c.Project(j, &px, &jac, &p)
		f := vec3{x[0] - px[0], x[1] - px[1], x[2] - px[2]}
		size := f[0]*f[0] + f[1]*f[1] + f[2]*f[2]
		if size < fBest {
			best, fBest = x, size
		}
		if size <= 1e-30*(1+x[0]*x[0]+x[1]*x[1]+x[2]*x[2]) {
			break
		}
		if size > 0.8*fBest && size != fBest || k > 20 {
			x = px // the fixed point
			continue
		}
		if !naturalStep(&x, &f, &jac, &o.a, &grad, o.rho) {
			x = px
		}
	}
	*r = best
}

// naturalStep solves (I − D(I − ρ(I + n∇gᵀ)A)) dx = −f and adds dx to x.
func naturalStep(x, f *vec3, d, a *mat3, grad *vec3, rho float64) bool {
	var m, inv mat3
	var e mat3 // ρ(I + n∇gᵀ)A
	for k := range 3 {
		e[k] = rho * (a[k] + grad[1]*a[3+k] + grad[2]*a[6+k])
		e[3+k], e[6+k] = rho*a[3+k], rho*a[6+k]
	}
	e[0]--
	e[4]--
	e[8]--
	num.Mul3(&m, d, &e)
	m[0]++
	m[4]++
	m[8]++
	if !num.Invert3(&inv, &m) {
		return false
	}
	for k := range 3 {
		x[k] -= inv[3*k]*f[0] + inv[3*k+1]*f[1] + inv[3*k+2]*f[2]
	}
	return true
}

// correctionGradient returns g(u) and an element of ∂g(u); zero where u_T = 0.
func (c *reduced) correctionGradient(j int, u *vec3) (g float64, grad vec3) {
	switch c.Kind[j] {
	case form.KindCoulomb:
		t := math.Sqrt(u[1]*u[1] + u[2]*u[2])
		if t > 0 {
			grad = vec3{0, c.Mu[j] * u[1] / t, c.Mu[j] * u[2] / t}
		}
		return c.Mu[j] * t, grad
	case form.KindPyramid:
		l := c.Pyramid(j)
		x, y := l.Corner(u[1], u[2])
		return c.Mu[j] * (x*u[1] + y*u[2]), vec3{0, c.Mu[j] * x, c.Mu[j] * y}
	case form.KindGeneral:
		// g is positively homogeneous, g(u) = ∇g·u; differences find ∇g.
		g = c.Correction(j, u)
		h := 1e-7 * (math.Abs(u[1]) + math.Abs(u[2]))
		for k := 1; k < 3 && h > 0; k++ {
			v := *u
			v[k] += h
			grad[k] = c.Correction(j, &v)
			v[k] = u[k] - h
			grad[k] = (grad[k] - c.Correction(j, &v)) / (2 * h)
		}
	}
	return g, grad
}

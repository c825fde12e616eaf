package form

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// The verdict on the reactions r of a [Local] problem. The two merits divide by the
// largest of q, r and u, so that a huge r passes them whatever it causes: where no
// solution exists, reactions that grow along the ray that shows it leave any
// residual small beside themselves. Four more numbers are judged one by one, in
// units of the data alone, with ρ_j of unitFreeMerit and Q = ‖ρ^½ q‖₂:
//
//	primal    dist(û_j, K_j*) √ρ_j / Q        motions: −u_N at a contact with Coulomb friction
//	dual      dist(r_j, K_j) / (√ρ_j Q)       reactions
//	distance  ‖r_j − r'_j‖ / (√ρ_j Q)         r' = P_K(r − ρ_j û), the natural map
//	gap       |r_j·û_j + σ_j(û_j)| / Q²       power, σ what the law dissipates
//
// The limits are a backward error, as of a linear solve. Motions may be off by τ for the
// tolerance, and by what a change of W and q by a few units in the last place does,
//
//	√ρ_j |δu_j| / Q ≤ τ + φ_j,   φ_j = c ε (|W||r| + |q|)_j √ρ_j / Q ≤ φ_max,
//
// which is all that the rounding of r leaves once u = W r + q is evaluated in twice the
// working precision. r' and û' = û + (r' − r)/ρ_j lie in K and K* and are orthogonal, so
// that a small distance says: r' solves the problem exactly with q moved by
// û' − û + W(r − r'). The power that δu_j costs is ‖r_j‖(τ + φ_j), and at least the root of
// the tolerance, that of τ with reactions up to a hundred times the data.
//
// No reaction counts for more there than the data force. With λ the least singular value
// of W in scaled units above rounding, q forces none beyond F = forcedFactor·Q/λ: heavy
// on light has λ of the ratio of masses. F and so all limits are of the data. What
// is larger has wandered along a kernel of W, where a solution may be approached as
// r → ∞ and exist nowhere, which round cones allow: all residuals fall as 1/‖r‖ there, and so
// do the limits, by F/‖r_j‖.
const (
	// DataFactor times the tolerance is τ: the merit is relative
	// to the reactions, which in well-posed stacks and piles are up to a hundred
	// times what the data amount to; see also dataLimit.
	DataFactor = 100
	// RoundingMost bounds what is forgiven: as the rounding of r, or for masses of
	// different size.
	RoundingMost = 1e-4
	// RoundingFactor times eps·(|W||r|) is what the rounding of r does to u.
	RoundingFactor = 4
	// powerFactor: the power sums over the components what the residual of a linear solve
	// leaves in each, some times the rounding of r.
	PowerFactor = 4
	// exactShare: u is evaluated in twice the precision where its rounding may be
	// more than this part of the limit.
	ExactShare = 0.01
	// forcedFactor: friction and the motions of open contacts add to what q forces.
	forcedFactor = 10
	// ForcedFrom is the reaction over Q from which λ is asked for; rounding is nothing below.
	ForcedFrom = 1e3
	// forcedOrder is the largest order of W of which λ is computed; beyond, it is estimated.
	forcedOrder = 300
)

// Assess evaluates res.R on p: u, both merits, and the residuals in units of the data
// with the limit given, see dataLimit.
func (p *Local) Assess(mem *[3]vec3, rho []float64, res *Result, limit float64) {
	p.Motion(res.U, res.R)
	data := p.DataSize(rho)
	size, power := p.ReactionSize(rho, res.R)/data, math.Sqrt(limit/DataFactor)
	// |W_ij| ≤ (W_ii W_jj)^½ bounds the sums of W r by those of r in scaled units.
	rounding := num.Eps * float64(p.W.Dim()) * size
	exact := !(rounding <= ExactShare*limit && rounding*size <= ExactShare*power)
	res.Sizes = res.Sizes[:0]
	if exact {
		res.Sizes = p.ExactMotion(res.U, res.R, res.Sizes)
	}
	res.Merit, res.Worst = p.MeritAt(mem, res.U, res.Residuals, res.R)
	res.UnitFree = p.UnitFree(mem, rho, res.U, res.R)
	forced := num.Inf
	if p.Largest(rho, res.R) > ForcedFrom*data {
		forced = p.Forced(rho)
	}
	p.judge(mem, rho, res, data, limit, forced)
}

// Largest returns the largest |r_i|/√ρ_j.
func (p *Local) Largest(rho, r []float64) float64 {
	dim, most := p.W.Dim(), 0.0
	for j, s := range rho {
		root := math.Sqrt(s)
		for _, x := range r[dim*j : dim*j+dim] {
			most = max(most, math.Abs(x)/root)
		}
	}
	return most
}

// Forced is the largest ‖r_j‖/(√ρ_j Q) that excuses rounding, F/Q.
func (p *Local) Forced(rho []float64) float64 {
	dim := p.W.Dim()
	n := dim * p.W.Contacts()
	if n > forcedOrder {
		return p.ForcedByMasses(rho)
	}
	w := mat.NewDense(n, n, append([]float64(nil), SampleOperator(p.W)...))
	w.Apply(func(i, j int, v float64) float64 { return math.Sqrt(rho[i/dim]*rho[j/dim]) * v }, w)
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDNone) {
		return num.Inf
	}
	values := svd.Values(nil)
	least := values[0]
	for _, v := range values {
		if v > float64(n)*num.Eps*RoundingFactor*values[0] {
			least = v
		}
	}
	if least == 0 { // no reaction moves anything
		return 0
	}
	return forcedFactor / least
}

// DataLimit is τ. A heavy body on a contact of light
// ones presses by its weight, which in units of that contact is the root of the ratio of
// their mobilities times more than what q says.
func DataLimit(tol float64, rho []float64) float64 {
	least, most := math.Inf(1), 0.0
	for _, x := range rho {
		least, most = min(least, x), max(most, x)
	}
	if !(most > least) {
		return DataFactor * tol
	}
	return max(DataFactor*tol, min(DataFactor*tol*math.Sqrt(most/least), RoundingMost))
}

// DataSize returns ‖ρ^½ q‖₂, 1 if q is zero.
func (p *Local) DataSize(rho []float64) float64 {
	dim, sum := p.W.Dim(), 0.0
	for i, q := range p.Q {
		sum += rho[i/dim] * q * q
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}

// ReactionSize returns Σ|r|/√ρ.
func (p *Local) ReactionSize(rho, r []float64) float64 {
	dim, sum := p.W.Dim(), 0.0
	for j, s := range rho {
		part := 0.0
		for _, x := range r[dim*j : dim*j+dim] {
			part += math.Abs(x)
		}
		sum += part / math.Sqrt(s)
	}
	return sum
}

// ForcedByMasses estimates forced: n bodies in a row carry n times the weight of one, and
// heavy on light the ratio of their masses more, which is that of the mobilities
// of contacts to the couplings through single bodies.
func (p *Local) ForcedByMasses(rho []float64) float64 {
	dim, least := p.W.Dim(), num.Inf
	visit := func(i, j int, w float64) {
		if w = math.Abs(w) * math.Sqrt(rho[i/dim]*rho[j/dim]); i/dim != j/dim && w > leastCoupling {
			least = min(least, w)
		}
	}
	switch w := p.W.(type) {
	case *Blocks:
		w.each(visit)
	case *Dense:
		w.each(visit)
	default:
		Sampled(w).each(visit)
	}
	return forcedFactor * float64(len(rho)) * max(1, 1/least)
}

// leastCoupling, of unit mobility: what is less is the rounding of zeros.
const leastCoupling = 1e-12

// judge sets the residuals, each the largest over its limit, at res.U; reactions up to
// forced excuse rounding.
func (p *Local) judge(mem *[3]vec3, rho []float64, res *Result, data, limit, forced float64) {
	dim := p.W.Dim()
	power := math.Sqrt(limit / DataFactor)
	res.Primal, res.Dual, res.Gap, res.Distance = 0, 0, 0, 0
	res.PrimalLimit, res.DualLimit, res.GapLimit, res.DistanceLimit = limit, limit, power, limit
	res.PrimalWorst, res.DualWorst, res.GapWorst, res.DistanceWorst = -1, -1, -1, -1
	reach := forced * float64(len(p.Q)) // ‖W'‖ is at most its order
	for j, law := range p.Laws {
		Triple(&mem[0], res.U, dim, j)
		Triple(&mem[1], res.R, dim, j)
		root := math.Sqrt(rho[j])
		whole := math.Sqrt(num.Dot3(&mem[1], &mem[1])) / (root * data)
		size, beyond := min(whole, forced), max(1, whole/max(forced, 1))
		rounding := 0.0 // φ: of u, for the rounding of r
		for k := dim * j; k < dim*j+dim && len(res.Sizes) > 0; k++ {
			rounding = max(rounding, min(res.Sizes[k]*root/data, reach))
		}
		rounding = min(RoundingFactor*num.Eps*rounding, RoundingMost)
		own := min(RoundingFactor*num.Eps*size, RoundingMost) // of r_j itself
		unseen := num.Eps * (whole - size)                    // what these sums do not resolve
		primal, dual, gap := p.contactResiduals(law, mem, rho[j])
		Triple(&mem[0], res.U, dim, j)
		distance := ResidualAt(law, mem, rho[j])
		Worse(&res.Primal, &res.PrimalLimit, &res.PrimalWorst, primal*root/data, (limit+rounding)/beyond, j)
		Worse(&res.Dual, &res.DualLimit, &res.DualWorst, dual/(root*data)+unseen, (limit+own)/beyond, j)
		Worse(&res.Distance, &res.DistanceLimit, &res.DistanceWorst, distance/(root*data), (limit+rounding+own)/beyond, j)
		Worse(&res.Gap, &res.GapLimit, &res.GapWorst, math.Abs(gap)/(data*data),
			(max(power, limit*size)+PowerFactor*rounding*size)/beyond, j)
	}
}

// Worse keeps the value that is largest beside its limit.
func Worse(value, limit *float64, worst *int, v, l float64, j int) {
	if v**limit > *value*l || v != v {
		*value, *limit, *worst = v, l, j
	}
}

// contactResiduals returns how far û is from K*, r from K, and their power, with
// mem = u, r and one for scratch. Of a law that is known by its methods alone, the
// distance of û is that of the natural map.
func (p *Local) contactResiduals(l law.Law, mem *[3]vec3, rho float64) (primal, dual, gap float64) {
	u, r, x := &mem[0], &mem[1], &mem[2]
	if mu, ok := Isotropic(l); ok {
		law.ProjectCone(x, nil, mu, r)
		a, b, c := r[0]-x[0], r[1]-x[1], r[2]-x[2]
		normal := u[0] + mu*math.Sqrt(u[1]*u[1]+u[2]*u[2])
		return max(-u[0], 0), math.Sqrt(a*a + b*b + c*c), r[0]*normal + r[1]*u[1] + r[2]*u[2]
	}
	form := FormOf(l)
	*x = *r
	l.Project(x, nil, x)
	a, b, c := r[0]-x[0], r[1]-x[1], r[2]-x[2]
	dual = math.Sqrt(a*a + b*b + c*c)
	g := l.Correction(u)
	normal := u[0]
	u[0] += g
	gap = num.Dot3(r, u) + l.Support(u)
	switch form.Set {
	case KindBilateral:
		primal = math.Sqrt(num.Dot3(u, u))
	case KindAssociated:
		primal = max(form.Bound*form.Shape.Norm(u[1], u[2])-normal, 0)
	case KindGeneral:
		*x = vec3{r[0] - rho*u[0], r[1] - rho*u[1], r[2] - rho*u[2]}
		l.Project(x, nil, x)
		a, b, c = r[0]-x[0], r[1]-x[1], r[2]-x[2]
		primal, gap = math.Sqrt(a*a+b*b+c*c)/rho, 0
	default: // û ∈ K* says u_N ≥ 0
		primal = max(-normal, 0)
	}
	return primal, dual, gap
}

// ExactMotion sets u = W r + q with products and sums in twice the working
// precision, and returns |W||r| + |q| in size[:0].
func (p *Local) ExactMotion(u, r, size []float64) []float64 {
	size = num.Grow(size, len(u))
	sums := make([]Doubled, len(u))
	for i, q := range p.Q {
		sums[i].Hi, size[i] = q, math.Abs(q)
	}
	add := func(i, j int, w float64) {
		sums[i].AddProduct(w, r[j])
		size[i] += math.Abs(w * r[j])
	}
	switch w := p.W.(type) {
	case *Blocks:
		w.each(add)
	case *Dense:
		w.each(add)
	default:
		Sampled(w).each(add)
	}
	for i, s := range sums {
		u[i] = s.Hi + s.Lo
	}
	return size
}

// Doubled is an unevaluated sum of two float64, of twice their precision.
type Doubled struct{ Hi, Lo float64 }

// AddProduct adds a·b: the product is exact by the fused multiply-add, the error of
// the sum by Knuth's branch-free two-sum.
func (s *Doubled) AddProduct(a, b float64) {
	p := a * b
	e := math.FMA(a, b, -p)
	sum := s.Hi + p
	z := sum - s.Hi
	s.Lo += (s.Hi - (sum - z)) + (p - z) + e
	s.Hi = sum
}

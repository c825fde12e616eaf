package contact

import (
	"fmt"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
)

// wideMost is the largest number of components of a contact, see [Rolling].
const wideMost = 6

// moments is a [Local] problem with more than three components a contact, dense and in scaled units, see [newMoments].
type moments struct {
	dim, nc, n int
	w          []float64 // scaled, row by row
	q, scale   []float64 // r = scale·r'·q0
	q0         float64
	discs      []wideDisc // of a contact
	bound      []float64  // nc × len(discs): μ_i, or the threshold if fixed
	fixed      []bool     // nc: thresholds, not cones (Tresca)
	free       []bool     // nc: a joint
	r          []float64
}

// wideDisc is a group of components.
type wideDisc struct{ from, to int }

// wideDiscs are the groups of a contact with dim components, four to six.
func wideDiscs(dim int) []wideDisc {
	switch dim {
	case 4:
		return []wideDisc{{1, 3}, {3, 4}}
	case 5:
		return []wideDisc{{1, 3}, {3, 5}}
	}
	return []wideDisc{{1, 3}, {3, 4}, {4, 6}}
}

// wideBounds are the radii of the discs of a law over r_N.
func wideBounds(l Law, dim int) (bound []float64, fixed, free bool, err error) {
	bound = make([]float64, len(wideDiscs(dim)))
	if p, ok := l.(*Rolling); ok {
		l = *p
	}
	if x, ok := l.(Rolling); ok {
		bound[0] = x.Mu
		switch dim {
		case 4:
			bound[1] = x.Spin
		case 5:
			bound[1] = x.Resistance
		case 6:
			bound[1], bound[2] = x.Spin, x.Resistance
		}
		if dim == 4 && x.Resistance > 0 || dim == 5 && x.Spin > 0 {
			return nil, false, false, fmt.Errorf("law %T asks for a moment that a contact of %d components does not have", l, dim)
		}
		return bound, false, false, nil
	}
	form := formOf(l)
	if !form.Shape.Isotropic() {
		return nil, false, false, fmt.Errorf("an anisotropic %T does not go with contacts of %d components", l, dim)
	}
	switch form.Set {
	case kindFrictionless:
	case kindBilateral:
		return bound, false, true, nil
	case kindCoulomb:
		bound[0] = form.Bound
	case kindTresca:
		bound[0] = form.Bound
		return bound, true, false, nil
	default:
		return nil, false, false, fmt.Errorf("law %T does not go with contacts of %d components", l, dim)
	}
	return bound, false, false, nil
}

// newMoments scales p: unit diagonal of the forces and of each group of moments, q of norm 1.
func newMoments(p *Local) (*moments, error) {
	dim, nc := p.W.Dim(), p.W.Contacts()
	n := dim * nc
	k := &moments{dim: dim, nc: nc, n: n, r: make([]float64, n), w: append([]float64(nil), sampleOperator(p.W)...), q: append([]float64(nil), p.Q...), scale: make([]float64, n),
		discs: wideDiscs(dim), fixed: make([]bool, nc), free: make([]bool, nc)}
	most := 0.0
	for i := range n {
		most = max(most, k.w[i*(n+1)])
	}
	mean := func(j, from, to int) float64 { // of the diagonal of a group
		sum := 0.0
		for c := from; c < to; c++ {
			sum += k.w[(dim*j+c)*(n+1)] / float64(to-from)
		}
		if !(sum > leastMobility*most) {
			sum = max(most, math.SmallestNonzeroFloat64)
		}
		return 1 / math.Sqrt(sum)
	}
	for j := range nc {
		bound, fixed, free, err := wideBounds(p.Laws[j], dim)
		if err != nil {
			return nil, fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
		force := mean(j, 0, 3)
		k.scale[dim*j] = force
		for i, g := range k.discs {
			s := force
			if i > 0 {
				s = mean(j, g.from, g.to)
			}
			for c := g.from; c < g.to; c++ {
				k.scale[dim*j+c] = s
			}
			if !fixed {
				bound[i] *= force / s
			}
		}
		k.bound, k.fixed[j], k.free[j] = append(k.bound, bound...), fixed, free
	}
	sum := 0.0
	for i := range n {
		k.q[i] *= k.scale[i]
		sum += k.q[i] * k.q[i]
		for j := range n {
			k.w[i*n+j] *= k.scale[i] * k.scale[j]
		}
	}
	if k.q0 = math.Sqrt(sum); sum == 0 {
		k.q0 = 1
	}
	for i := range n {
		k.q[i] /= k.q0
	}
	for j := range nc {
		if k.fixed[j] {
			k.bound[j*len(k.discs)] /= k.scale[dim*j] * k.q0
		}
	}
	return k, nil
}

// assessWide evaluates the present r on p: the criteria of verdict.go with the cone of
// the moments.
func (p *Local) assessWide(k *moments, res *Result, tol float64) {
	for i, x := range k.r {
		res.R[i] = x * k.scale[i] * k.q0
	}
	p.exactMotion(res.U, res.R, nil)
	res.Merit, res.UnitFree = k.merits(p, res, res.Residuals)
	limit, power := dataFactor*tol, math.Sqrt(tol)
	res.Primal, res.Dual, res.Gap = 0, 0, 0
	res.primalLimit, res.dualLimit, res.gapLimit = limit, limit, power
	res.Worst, res.primalWorst, res.dualWorst, res.gapWorst = -1, -1, -1, -1
	worst := 0.0
	for j := range k.nc {
		at := k.dim * j
		if res.Residuals[j] > worst {
			worst, res.Worst = res.Residuals[j], j
		}
		un, rn, gap := res.U[at]*k.scale[at]/k.q0, k.r[at], 0.0
		for c := range k.dim {
			gap += k.r[at+c] * res.U[at+c] * k.scale[at+c] / k.q0
		}
		outside, primal := max(-rn, 0), max(-un, 0)
		for i, g := range k.discs {
			size, slip := 0.0, 0.0
			for c := at + g.from; c < at+g.to; c++ {
				size, slip = math.Hypot(size, k.r[c]), math.Hypot(slip, res.U[c]*k.scale[c]/k.q0)
			}
			radius := k.bound[j*len(k.discs)+i]
			if !k.fixed[j] {
				radius *= max(rn, 0)
			}
			outside = max(outside, size-radius)
			gap += radius * slip
		}
		if k.free[j] {
			outside, gap, primal = 0, 0, 0
			for c := at; c < at+k.dim; c++ {
				primal = math.Hypot(primal, res.U[c]*k.scale[c]/k.q0)
			}
		}
		rounding := roundingFactor * num.Eps * num.Norm(k.r)
		worse(&res.Primal, &res.primalLimit, &res.primalWorst, primal, limit+min(rounding, roundingMost), j)
		worse(&res.Dual, &res.dualLimit, &res.dualWorst, outside, limit+min(rounding, roundingMost), j)
		size := 0.0 // counts up to a number: q is of norm 1
		for c := at; c < at+k.dim; c++ {
			size = max(size, math.Abs(k.r[c]))
		}
		size = min(size, forcedFrom)
		worse(&res.Gap, &res.gapLimit, &res.gapWorst, math.Abs(gap), max(power, limit*size)+powerFactor*min(rounding, roundingMost)*size, j)
	}
}

// merits are those of [Local.Merit] and unitFreeMerit with the projection onto
// the cone of the moments, and the residual of each contact.
func (k *moments) merits(p *Local, res *Result, residuals []float64) (merit, unitFree float64) {
	one, sum, free := make([]float64, k.dim), 0.0, 0.0
	for j := range k.nc {
		at := k.dim * j
		for pass := range 2 { // in the units of the problem, then in scaled ones
			correction, e := 0.0, 0.0
			for i, g := range k.discs {
				slip := 0.0
				for c := at + g.from; c < at+g.to; c++ {
					slip = math.Hypot(slip, k.motionOf(res, c, pass))
				}
				if !k.fixed[j] {
					correction += k.boundOf(j, i, pass) * slip
				}
			}
			for c := range k.dim {
				one[c] = k.reactionOf(res, at+c, pass) - k.motionOf(res, at+c, pass)
			}
			if !k.free[j] {
				one[0] -= correction
				k.project(j, one, pass)
			}
			for c := range k.dim {
				d := k.reactionOf(res, at+c, pass) - one[c]
				e += d * d
			}
			if pass == 0 {
				sum += e
				residuals[j] = math.Sqrt(e)
			} else {
				free += e
			}
		}
	}
	scaled := make([]float64, k.n)
	for c := range scaled {
		scaled[c] = k.motionOf(res, c, 1)
	}
	size := max(num.Norm(p.Q), num.Norm(res.R), num.Norm(res.U))
	if size == 0 {
		size = 1
	}
	return math.Sqrt(sum) / size, math.Sqrt(free) / max(1, num.Norm(k.r), num.Norm(scaled))
}

func (k *moments) motionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.U[c]
	}
	return res.U[c] * k.scale[c] / k.q0
}

func (k *moments) reactionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.R[c]
	}
	return k.r[c]
}

// boundOf returns μ_i in the units of the problem (pass 0) or scaled.
func (k *moments) boundOf(j, i, pass int) float64 {
	b := k.bound[j*len(k.discs)+i]
	if pass == 1 {
		return b
	}
	at := k.dim * j
	if k.fixed[j] {
		return b * k.scale[at] * k.q0
	}
	return b * k.scale[at+k.discs[i].from] / k.scale[at]
}

// project projects one contact onto its cone: with the sizes y_i of the groups, the
// normal of the foot is the zero of n − n₀ − Σ μ_i (y_i − μ_i n)₊, which is increasing
// and linear between the points y_i/μ_i.
func (k *moments) project(j int, x []float64, pass int) {
	var y [3]float64
	for i, g := range k.discs {
		for c := g.from; c < g.to; c++ {
			y[i] = math.Hypot(y[i], x[c])
		}
	}
	n := max(x[0], 0)
	if !k.fixed[j] {
		for active := 1<<len(k.discs) - 1; ; {
			num, den := x[0], 1.0
			for i := range k.discs {
				if mu := k.boundOf(j, i, pass); active>>i&1 == 1 {
					num, den = num+mu*y[i], den+mu*mu
				}
			}
			n = max(num/den, 0)
			next := 0
			for i := range k.discs {
				if active>>i&1 == 1 && y[i] > k.boundOf(j, i, pass)*n {
					next |= 1 << i
				}
			}
			if next == active {
				break
			}
			active = next
		}
	}
	x[0] = n
	for i, g := range k.discs {
		radius := k.boundOf(j, i, pass)
		if !k.fixed[j] {
			radius *= n
		}
		if y[i] <= radius {
			continue
		}
		for c := g.from; c < g.to; c++ {
			x[c] *= radius / y[i]
		}
	}
}

// wideAt is a result of reactions r, with u = W r + q.
func (p *Local) wideAt(u, r []float64) (*moments, *Result) {
	k, err := newMoments(p)
	if err != nil {
		panic("contact: Merit of a problem that Validate refuses: " + err.Error())
	}
	res := &Result{U: u, R: r, Residuals: make([]float64, k.nc)}
	p.exactMotion(u, r, nil)
	for i, x := range r {
		k.r[i] = x / (k.scale[i] * k.q0)
	}
	return k, res
}

// wideMerit is Merit with the cone of the moments.
func (p *Local) wideMerit(u, residuals, r []float64) (merit float64, worst int) {
	k, res := p.wideAt(u, r)
	merit, _ = k.merits(p, res, res.Residuals)
	copy(residuals, res.Residuals)
	worst, most := -1, 0.0
	for j, e := range res.Residuals {
		if e > most {
			most, worst = e, j
		}
	}
	return merit, worst
}

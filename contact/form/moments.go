package form

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Moments is a [Local] problem with more than three components a contact, dense and in scaled
// units, see [newMoments].
type Moments struct {
	Dim, NC, N int
	W          []float64 // scaled, row by row
	Q, Scale   []float64 // r = scale·r'·q0
	Q0         float64
	Discs      [][]WideDisc // of the contacts
	Bound      []float64    // nc × the number of discs, the same for all: μ_i, or the threshold if fixed
	Fixed      []bool       // nc: thresholds, not cones (Tresca)
	Free       []bool       // nc: a joint
	R          []float64
}

// WideDisc is a group of components.
type WideDisc struct{ From, To int }

// WideDiscs are the groups of a contact with dim components, four to six.
func WideDiscs(dim int) []WideDisc {
	switch dim {
	case 4:
		return []WideDisc{{1, 3}, {3, 4}}
	case 5:
		return []WideDisc{{1, 3}, {3, 5}}
	}
	return []WideDisc{{1, 3}, {3, 4}, {4, 6}}
}

// DiscsOf are those of a law: drilling takes the spin into the disc of the tangents.
func DiscsOf(l law.Law, dim int) []WideDisc {
	discs := WideDiscs(dim)
	if p, ok := l.(*law.Rolling); ok {
		l = *p
	}
	if x, ok := l.(law.Rolling); ok && x.Drilling && dim != 5 {
		discs[0].To, discs[1].From = 4, 4
	}
	return discs
}

// WideBounds are the radii of the discs of a law over r_N.
func WideBounds(l law.Law, dim int) (bound []float64, fixed, free bool, err error) {
	bound = make([]float64, len(WideDiscs(dim)))
	if p, ok := l.(*law.Rolling); ok {
		l = *p
	}
	if x, ok := l.(law.Rolling); ok {
		bound[0] = x.Mu
		switch dim {
		case 4:
			bound[1] = x.Spin
		case 5:
			bound[1] = x.Resistance
		case 6:
			bound[1], bound[2] = x.Spin, x.Resistance
		}
		if dim == 4 && x.Resistance > 0 || dim == 5 && (x.Spin > 0 || x.Drilling) {
			return nil, false, false, fmt.Errorf("law %T asks for a moment that a contact of %d components does not have", l, dim)
		}
		return bound, false, false, nil
	}
	form := FormOf(l)
	if !form.Shape.Isotropic() {
		return nil, false, false, fmt.Errorf("an anisotropic %T does not go with contacts of %d components", l, dim)
	}
	switch form.Set {
	case KindFrictionless:
	case KindBilateral:
		return bound, false, true, nil
	case KindCoulomb:
		bound[0] = form.Bound
	case KindTresca:
		bound[0] = form.Bound
		return bound, true, false, nil
	default:
		return nil, false, false, fmt.Errorf("law %T does not go with contacts of %d components", l, dim)
	}
	return bound, false, false, nil
}

// NewMoments scales p: unit diagonal of the forces and of each group of moments, q of norm 1.
func NewMoments(p *Local) (*Moments, error) {
	dim, nc := p.W.Dim(), p.W.Contacts()
	n := dim * nc
	k := &Moments{Dim: dim, NC: nc, N: n, R: make([]float64, n), W: append([]float64(nil), SampleOperator(p.W)...),
		Q: append([]float64(nil), p.Q...), Scale: make([]float64, n),
		Fixed: make([]bool, nc), Free: make([]bool, nc)}
	most := 0.0
	for i := range n {
		most = max(most, k.W[i*(n+1)])
	}
	mean := func(j, from, to int) float64 { // of the diagonal of a group
		sum := 0.0
		for c := from; c < to; c++ {
			sum += k.W[(dim*j+c)*(n+1)] / float64(to-from)
		}
		if !(sum > LeastMobility*most) {
			sum = max(most, math.SmallestNonzeroFloat64)
		}
		return 1 / math.Sqrt(sum)
	}
	for j := range nc {
		bound, fixed, free, err := WideBounds(p.Laws[j], dim)
		if err != nil {
			return nil, fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
		discs := DiscsOf(p.Laws[j], dim)
		force := mean(j, 0, 3)
		k.Scale[dim*j] = force
		for i, g := range discs {
			s := force
			if i > 0 {
				s = mean(j, g.From, g.To)
			}
			for c := g.From; c < g.To; c++ {
				k.Scale[dim*j+c] = s
			}
			if !fixed {
				bound[i] *= force / s
			}
		}
		k.Discs, k.Bound, k.Fixed[j], k.Free[j] = append(k.Discs, discs), append(k.Bound, bound...), fixed, free
	}
	sum := 0.0
	for i := range n {
		k.Q[i] *= k.Scale[i]
		sum += k.Q[i] * k.Q[i]
		for j := range n {
			k.W[i*n+j] *= k.Scale[i] * k.Scale[j]
		}
	}
	if k.Q0 = math.Sqrt(sum); sum == 0 {
		k.Q0 = 1
	}
	for i := range n {
		k.Q[i] /= k.Q0
	}
	for j := range nc {
		if k.Fixed[j] {
			k.Bound[j*len(k.Discs[j])] /= k.Scale[dim*j] * k.Q0
		}
	}
	return k, nil
}

// Equations sets F of contact j, and its derivatives E by u and B by r if asked.
func (k *Moments) Equations(j int, f, r, u, e, b []float64) {
	dim := k.Dim
	if e != nil {
		clear(e)
		clear(b)
	}
	set := func(m []float64, i, c int, v float64) {
		if e != nil {
			m[i*dim+c] += v
		}
	}
	if k.Free[j] {
		copy(f, u)
		for c := range dim {
			set(e, c, c, 1)
		}
		return
	}
	pn := r[0] - u[0]
	closed := pn > 0
	if closed {
		f[0] = u[0]
		set(e, 0, 0, 1)
	} else {
		f[0] = r[0]
		set(b, 0, 0, 1)
	}
	for i, g := range k.Discs[j] {
		mu := k.Bound[j*len(k.Discs[j])+i]
		limit := mu
		if !k.Fixed[j] {
			limit = mu * max(pn, 0)
		}
		size := 0.0
		for c := g.From; c < g.To; c++ {
			size = math.Hypot(size, r[c]-u[c])
		}
		switch {
		case limit == 0:
			for c := g.From; c < g.To; c++ {
				f[c] = r[c]
				set(b, c, c, 1)
			}
		case size <= limit:
			for c := g.From; c < g.To; c++ {
				f[c] = u[c]
				set(e, c, c, 1)
			}
		default:
			ratio := limit / size
			for c := g.From; c < g.To; c++ {
				y := (r[c] - u[c]) / size
				f[c] = r[c] - limit*y
				set(b, c, c, 1-ratio)
				set(e, c, c, ratio)
				for a := g.From; a < g.To; a++ {
					z := (r[a] - u[a]) / size
					set(b, c, a, ratio*y*z)
					set(e, c, a, -ratio*y*z)
				}
				if !k.Fixed[j] {
					set(b, c, 0, -mu*y)
					set(e, c, 0, mu*y)
				}
			}
		}
	}
}

// AssessWide evaluates the present r on p: the criteria of verdict.go with the cone of
// the moments.
func (p *Local) AssessWide(k *Moments, res *Result, tol float64) {
	for i, x := range k.R {
		res.R[i] = x * k.Scale[i] * k.Q0
	}
	p.ExactMotion(res.U, res.R, nil)
	res.Merit, res.UnitFree = k.merits(p, res, res.Residuals)
	limit, power := DataFactor*tol, math.Sqrt(tol)
	res.Primal, res.Dual, res.Gap = 0, 0, 0
	res.PrimalLimit, res.DualLimit, res.GapLimit = limit, limit, power
	res.Worst, res.PrimalWorst, res.DualWorst, res.GapWorst = -1, -1, -1, -1
	worst := 0.0
	for j := range k.NC {
		at := k.Dim * j
		if res.Residuals[j] > worst {
			worst, res.Worst = res.Residuals[j], j
		}
		un, rn, gap := res.U[at]*k.Scale[at]/k.Q0, k.R[at], 0.0
		for c := range k.Dim {
			gap += k.R[at+c] * res.U[at+c] * k.Scale[at+c] / k.Q0
		}
		outside, primal := max(-rn, 0), max(-un, 0)
		for i, g := range k.Discs[j] {
			size, slip := 0.0, 0.0
			for c := at + g.From; c < at+g.To; c++ {
				size, slip = math.Hypot(size, k.R[c]), math.Hypot(slip, res.U[c]*k.Scale[c]/k.Q0)
			}
			radius := k.Bound[j*len(k.Discs[j])+i]
			if !k.Fixed[j] {
				radius *= max(rn, 0)
			}
			outside = max(outside, size-radius)
			gap += radius * slip
		}
		if k.Free[j] {
			outside, gap, primal = 0, 0, 0
			for c := at; c < at+k.Dim; c++ {
				primal = math.Hypot(primal, res.U[c]*k.Scale[c]/k.Q0)
			}
		}
		rounding := RoundingFactor * num.Eps * num.Norm(k.R)
		Worse(&res.Primal, &res.PrimalLimit, &res.PrimalWorst, primal, limit+min(rounding, RoundingMost), j)
		Worse(&res.Dual, &res.DualLimit, &res.DualWorst, outside, limit+min(rounding, RoundingMost), j)
		size := 0.0 // counts up to a number: q is of norm 1
		for c := at; c < at+k.Dim; c++ {
			size = max(size, math.Abs(k.R[c]))
		}
		size = min(size, ForcedFrom)
		Worse(&res.Gap, &res.GapLimit, &res.GapWorst, math.Abs(gap), max(power, limit*size)+PowerFactor*min(rounding, RoundingMost)*size, j)
	}
}

// merits are those of [Local.Merit] and unitFreeMerit with the projection onto
// the cone of the moments, and the residual of each contact.
func (k *Moments) merits(p *Local, res *Result, residuals []float64) (merit, unitFree float64) {
	one, sum, free := make([]float64, k.Dim), 0.0, 0.0
	for j := range k.NC {
		at := k.Dim * j
		for pass := range 2 { // in the units of the problem, then in scaled ones
			correction, e := 0.0, 0.0
			for i, g := range k.Discs[j] {
				slip := 0.0
				for c := at + g.From; c < at+g.To; c++ {
					slip = math.Hypot(slip, k.motionOf(res, c, pass))
				}
				if !k.Fixed[j] {
					correction += k.BoundOf(j, i, pass) * slip
				}
			}
			for c := range k.Dim {
				one[c] = k.reactionOf(res, at+c, pass) - k.motionOf(res, at+c, pass)
			}
			if !k.Free[j] {
				one[0] -= correction
				k.Project(j, one, pass)
			}
			for c := range k.Dim {
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
	scaled := make([]float64, k.N)
	for c := range scaled {
		scaled[c] = k.motionOf(res, c, 1)
	}
	size := max(num.Norm(p.Q), num.Norm(res.R), num.Norm(res.U))
	if size == 0 {
		size = 1
	}
	return math.Sqrt(sum) / size, math.Sqrt(free) / max(1, num.Norm(k.R), num.Norm(scaled))
}

func (k *Moments) motionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.U[c]
	}
	return res.U[c] * k.Scale[c] / k.Q0
}

func (k *Moments) reactionOf(res *Result, c, pass int) float64 {
	if pass == 0 {
		return res.R[c]
	}
	return k.R[c]
}

// BoundOf returns μ_i in the units of the problem (pass 0) or scaled.
func (k *Moments) BoundOf(j, i, pass int) float64 {
	b := k.Bound[j*len(k.Discs[j])+i]
	if pass == 1 {
		return b
	}
	at := k.Dim * j
	if k.Fixed[j] {
		return b * k.Scale[at] * k.Q0
	}
	return b * k.Scale[at+k.Discs[j][i].From] / k.Scale[at]
}

// Project projects one contact onto its cone: with the sizes y_i of the groups, the
// normal of the foot is the zero of n − n₀ − Σ μ_i (y_i − μ_i n)₊, which is increasing
// and linear between the points y_i/μ_i.
func (k *Moments) Project(j int, x []float64, pass int) {
	var y [3]float64
	for i, g := range k.Discs[j] {
		for c := g.From; c < g.To; c++ {
			y[i] = math.Hypot(y[i], x[c])
		}
	}
	n := max(x[0], 0)
	if !k.Fixed[j] {
		for active := 1<<len(k.Discs[j]) - 1; ; {
			num, den := x[0], 1.0
			for i := range k.Discs[j] {
				if mu := k.BoundOf(j, i, pass); active>>i&1 == 1 {
					num, den = num+mu*y[i], den+mu*mu
				}
			}
			n = max(num/den, 0)
			next := 0
			for i := range k.Discs[j] {
				if active>>i&1 == 1 && y[i] > k.BoundOf(j, i, pass)*n {
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
	for i, g := range k.Discs[j] {
		radius := k.BoundOf(j, i, pass)
		if !k.Fixed[j] {
			radius *= n
		}
		if y[i] <= radius {
			continue
		}
		for c := g.From; c < g.To; c++ {
			x[c] *= radius / y[i]
		}
	}
}

// wideAt is a result of reactions r, with u = W r + q.
func (p *Local) wideAt(u, r []float64) (*Moments, *Result) {
	k, err := NewMoments(p)
	if err != nil {
		panic("contact: Merit of a problem that Validate refuses: " + err.Error())
	}
	res := &Result{U: u, R: r, Residuals: make([]float64, k.NC)}
	p.ExactMotion(u, r, nil)
	for i, x := range r {
		k.R[i] = x / (k.Scale[i] * k.Q0)
	}
	return k, res
}

// WideMerit is Merit with the cone of the moments.
func (p *Local) WideMerit(u, residuals, r []float64) (merit float64, worst int) {
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

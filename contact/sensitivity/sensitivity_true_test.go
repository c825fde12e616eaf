package sensitivity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// placeLaws are laws of contacts with dim components, one of each kind.
func placeLaws(rng *rand.Rand, dim int) []law.Law {
	mu := 0.2 + 0.5*rng.Float64()
	if dim > 3 {
		spin, roll := 0.3, 0.2
		if dim == 4 {
			roll = 0
		}
		if dim == 5 {
			spin = 0
		}
		return []law.Law{law.Rolling{Mu: mu, Spin: spin, Resistance: roll}, law.Coulomb{Mu: mu}, law.Frictionless{}, law.Bilateral{}, law.Tresca{Threshold: 0.7}}
	}
	laws := []law.Law{law.Coulomb{Mu: mu}, law.Tresca{Threshold: 0.7}, law.Frictionless{}, law.Bilateral{}, law.Associated{Mu: mu}, law.Pyramid{Mu: mu}, law.Cohesive{Mu: mu, Cohesion: 0.4, Tension: 0.3},
		law.Cohesive{Mu: mu, Cohesion: 0.5 * mu, Tension: 0.5}, law.Rolling{Mu: mu}, law.Compliant{Law: law.Coulomb{Mu: mu}, Compliance: 0.3, Tangential: 0.2, Gap: 0.1},
		law.Compliant{Law: law.Cohesive{Mu: mu, Cohesion: 0.4, Tension: 0.3}, Compliance: 30, Step: 0.1, Damping: 2, Gap: -0.2}, law.Coulomb{}}
	if dim == 3 {
		general, flat, mirror := contact.NewShape([4]float64{1, 0.2, -0.3, 0.6}), contact.NewShape([4]float64{0.6, 0.8, 0, 0}), contact.NewShape([4]float64{0.2, 1, 0.6, -0.3})
		laws = append(laws, law.Coulomb{Mu: mu, Shape: general}, law.Tresca{Threshold: 0.8, Shape: general}, law.Associated{Mu: mu, Shape: general}, law.Pyramid{Mu: mu, Facets: 6, Shape: mirror}, law.Pyramid{Mu: mu, Facets: 8},
			law.Coulomb{Mu: mu, Shape: flat}, law.Tresca{Threshold: 0.8, Shape: flat}, law.Pyramid{Mu: mu, Shape: flat})
	}
	return laws
}

// place draws (r, u) that obey a law without spring: in the middle of a state, or on an edge
// between some.
func place(rng *rand.Rand, d *dryLaw, dim int, edges bool) (r, u []float64) {
	r, u = make([]float64, dim), make([]float64, dim)
	some := func() float64 { return 0.5 + rng.Float64() }
	if d.joint {
		for c := range dim {
			r[c] = rng.NormFloat64()
		}
		return r, u
	}
	r[0] = -d.tension
	open := rng.IntN(4) == 0
	switch touch := edges && rng.IntN(2) == 0; {
	case touch:
	case open:
		u[0] = some()
	default:
		r[0] += some()
	}
	for i := range d.groups {
		g := &d.groups[i]
		limit, rest := g.limit(r[0]), edges && rng.IntN(2) == 0
		rt, ut := r[g.from:g.to], u[g.from:g.to]
		move := func() {
			for k := range ut {
				ut[k] = rng.NormFloat64()
			}
			for size := math.Hypot(ut[0], ut[len(ut)-1]); size < 0.5; size *= 2 {
				for k := range ut {
					ut[k] *= 2
				}
			}
		}
		slips := rng.IntN(2) == 0
		switch {
		case g.never() || g.none(limit):
			if !rest {
				move()
			}
		case g.corners != nil && (slips || rest):
			k := rng.IntN(len(g.corners))
			move()
			for i, v := range g.corners {
				if w := g.corners[k]; v[0]*ut[0]+v[1]*ut[1] < w[0]*ut[0]+w[1]*ut[1] {
					k = i
				}
			}
			v, m, t := g.corners[k], g.facet(k), g.along(k)
			side := 0.2 + 0.6*rng.Float64() // along side k
			switch rng.IntN(3) {
			case 0:
				ut[0], ut[1] = -m[0], -m[1]
			case 1:
				if side = 0; edges {
					ut[0], ut[1] = -m[0], -m[1]
				}
			default:
				side = 0
			}
			if rest {
				clear(ut)
			}
			rt[0], rt[1] = limit*(v[0]+side*t[0]), limit*(v[1]+side*t[1])
		default:
			move()
			x, _ := g.gradient(ut)
			for k := range rt {
				rt[k] = -limit * x[k]
			}
			if !slips || rest {
				if clear(ut); g.a > 0 { // nothing holds it across
					a := rng.NormFloat64()
					ut[0], ut[1] = -a*g.axis[1], a*g.axis[0]
				}
			}
			if !slips && !rest {
				for k := range rt {
					rt[k] *= 0.6
				}
			}
		}
	}
	if d.associated {
		u[0] += d.groups[0].mu * d.groups[0].size(u[1:])
		if r[0] > 0 && r[0]*d.groups[0].mu > 1.5*math.Hypot(r[1], r[dim-1]) { // within the cone
			clear(u)
		}
	}
	return r, u
}

// TestDerivativesAreTrue: from places that obey the laws exactly, the data moved by t and (r, u) by
// t times their derivatives obey them to second order in t, by the check of solutions, which knows
// nothing of states. All laws mixed, in all dimensions, in units from 1e-9 to 1e9, with masses of
// ten to the four, regular and redundant; on edges to one side.
func TestDerivativesAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 1123))
	count := 300
	if thorough.Asked() {
		count = 20000
	}
	var tried, redundant, left, edged, unsettled int
	for k := range count {
		dim, nc, edges := 2+k%5, 1+rng.IntN(4), k%2 == 1
		if k%7 == 0 {
			dim = 3
		}
		n := dim * nc
		p := &form.Local{Q: make([]float64, n)}
		laws := placeLaws(rng, dim)
		r, u := make([]float64, 0, n), make([]float64, 0, n)
		springs := make([]float64, n)
		for j := range nc {
			law := laws[rng.IntN(len(laws))]
			if nc == 1 {
				law = laws[k/7%len(laws)]
			}
			inner := law
			if l, ok := form.CompliantOf(law); ok {
				inner = l.Inner()
			}
			d := dryLawOf(inner, dim)
			rj, uj := place(rng, &d, dim, edges)
			if l, ok := form.CompliantOf(law); ok { // u at the near end
				c, o := l.Spring()
				for i := range rj {
					uj[i] -= c[i]*rj[i] + o[i]
					springs[dim*j+i] = c[i]
				}
			}
			p.Laws = append(p.Laws, law)
			r, u = append(r, rj...), append(u, uj...)
		}
		rank := n + 3
		if k%4 == 3 {
			rank = max(1, 2*n/3)
		}
		d := randomProblem(rng, dim, nc, rank, func() law.Law { return law.Frictionless{} }).W.(*form.Dense)
		if k%3 == 2 { // masses
			for i := range n {
				for l := range n {
					d.Val[i*n+l] *= math.Pow(10, float64((i/dim%3-1)*2+(l/dim%3-1)*2))
				}
			}
		}
		p.W = d
		wr := make([]float64, n)
		d.MulVec(wr, r)
		c := Change{Q: make([]float64, n), W: &form.Dense{D: dim, N: n, Val: make([]float64, n*n)}, Bound: make([]float64, nc)}
		for i := range n {
			p.Q[i] = u[i] - wr[i]
			c.Q[i] = rng.NormFloat64()
		}
		if k%4 == 3 { // within what redundant contacts can follow
			at := make([]float64, n)
			for i := range at {
				at[i] = rng.NormFloat64()
			}
			d.MulVec(c.Q, at)
		} else {
			for i := range c.W.Val {
				c.W.Val[i] = 0.1 * rng.NormFloat64()
			}
		}
		for j, l := range p.Laws {
			if own := dryLawOf(l, dim); own.bound() > 0 && k%4 != 3 && (own.tension == 0 || !own.groups[0].none(own.groups[0].limit(-own.tension))) {
				c.Bound[j] = 0.1 * rng.NormFloat64()
			} else if l == (law.Coulomb{}) {
				c.Bound[j] = rng.Float64() // from zero, up
			}
		}
		if k%5 == 4 && k%3 != 2 && !withSprings(p) && !thresholds(p) { // other units
			a, b := math.Pow(10, float64(rng.IntN(19)-9)), math.Pow(10, float64(rng.IntN(19)-9))
			for i := range d.Val {
				d.Val[i] *= a
				c.W.Val[i] *= a
			}
			for i := range n {
				p.Q[i], u[i], c.Q[i], r[i] = b*p.Q[i], b*u[i], b*c.Q[i], b/a*r[i]
			}
		}
		if m, at := p.Merit(make([]float64, n), nil, r); m > 1e-10 {
			t.Fatalf("problem %d: the place misses by %g at %d: %+v, r = %v, u = %v", k, m, at, p.Laws[at], r, u)
		}
		s, err := Linearise(p, r)
		what := fmt.Sprintf("problem %d (%d components): laws %+v, r = %v, u = %v", k, dim, p.Laws, r, u)
		if err != nil { // a singular one has to be redundant in its data
			if rank > n {
				t.Errorf("%s: %v", what, err)
			}
			left++
			continue
		}
		tried++
		if s.Redundant {
			redundant++
		}
		dr, du := make([]float64, n), make([]float64, n)
		if len(s.Edges) > 0 {
			edged++
			if err := s.Directional(context.Background(), dr, du, c); err != nil {
				t.Logf("%s: %v", what, err)
				unsettled++
				continue
			}
		} else if err := s.Forward(dr, du, c); err != nil {
			if !s.Redundant {
				t.Errorf("%s: %v", what, err)
			}
			left++
			continue
		}
		size := 0.0
		for i := range n {
			root := math.Sqrt(s.rho[i])
			size = max(size, math.Abs(dr[i])/root, math.Abs(du[i])*root)
		}
		scale := s.sizes(0)[0] / math.Sqrt(s.rho[0])
		step := 1e-7 * scale / max(size, scale)
		for j, x := range c.Bound { // and of the coefficients
			step = min(step, 1e-7*math.Max(s.laws[j].bound(), 1e-3)/max(math.Abs(x), 1e-300))
		}
		residual := func(t float64) float64 {
			q, err := s.moved(t, c)
			if err != nil {
				return math.NaN()
			}
			x := make([]float64, n)
			for i := range x {
				x[i] = r[i] + t*dr[i]
			}
			return q.UnitFreeMerit(make([]float64, n), x)
		}
		for _, sign := range []float64{1, -1} {
			if sign < 0 && (len(s.Edges) > 0 || slices.Contains(p.Laws, law.Law(law.Coulomb{}))) {
				continue
			}
			// Of a part 1e-7 of the data, what is wrong in the derivatives by a thousandth misses
			// by 1e-10; curvature gives 1e-14. Motions that turn fast have more, of second order.
			if e := residual(sign * step); !(e < 1e-10*min(1, size/scale+1e-4)+2e-15+4*residual(0)) && !(residual(sign*step/512) < e/5000) {
				t.Errorf("%s: moved by %g it misses by %g; δr = %v, δu = %v, edges %v, redundant %t, states %v", what, sign*step, e, dr, du, s.Edges, s.Redundant, s.State)
			}
		}
		if len(s.Edges) > 0 {
			continue
		}
		rBar, uBar, want, got, all := make([]float64, n), make([]float64, n), 0.0, 0.0, 0.0
		for i := range n {
			rBar[i], uBar[i] = rng.NormFloat64()/math.Sqrt(s.rho[i]), rng.NormFloat64()*math.Sqrt(s.rho[i])
			want += rBar[i]*dr[i] + uBar[i]*du[i]
			all += math.Abs(rBar[i]*dr[i]) + math.Abs(uBar[i]*du[i])
		}
		g := s.Backward(rBar, uBar)
		for i := range n {
			got += g.Q[i] * c.Q[i]
			all += math.Abs(g.Q[i] * c.Q[i])
			for j := range n {
				got += g.Q[i] * g.R[j] * c.W.Val[i*n+j]
				all += math.Abs(g.Q[i] * g.R[j] * c.W.Val[i*n+j])
			}
		}
		for j := range g.Bound {
			got += g.Bound[j] * c.Bound[j]
		}
		tol := 1e-11 * all
		if s.Redundant { // reactions of a kernel of 1e-10 keep six digits
			tol = 1e-4 * all
		}
		if math.Abs(got-want) > tol {
			t.Errorf("%s: backward %g, forward %g, of %g", what, got, want, all)
		}
	}
	t.Logf("%d of %d compared, %d redundant, %d on edges (%d without states), %d left", tried, count, redundant, edged, unsettled, left)
	if 20*unsettled > edged || 10*left > count {
		t.Errorf("%d of %d on edges without states, %d of %d left", unsettled, edged, left, count)
	}
}

func withSprings(p *form.Local) bool { _, springs := p.WithoutSprings(); return springs }

// thresholds reports whether a law has a force of its own, so that units of force cannot be
// changed.
func thresholds(p *form.Local) bool {
	for _, l := range p.Laws {
		d := dryLawOf(l, p.W.Dim())
		for _, g := range d.groups {
			if g.c > 0 {
				return true
			}
		}
	}
	return false
}

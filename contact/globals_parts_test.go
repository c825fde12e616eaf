package contact

import (
	"context"
	"errors"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestBlockFactors: E W + B by full factors, by rows of a sparse pattern and by dense fronts solves what it should, with a nil E too,
// and tells the sign of its determinant.
func TestBlockFactors(t *testing.T) {
	rng := rand.New(rand.NewPCG(181, 4))
	signs := map[bool]int{}
	for _, p := range []*Local{pinnedLocals()["coulomb3"], pinnedLocals()["coulomb2"], pinnedLocals()["large"], grid(5), grid(7)} {
		for round := range 4 {
			s := startRun(p, 1e-9)
			c, lu := s.c, s.ws.factors(s.ctx)
			n := c.nc
			e, b, rhs := randomParts(rng, n)
			x := make([]vec3, n)
			for j := range e {
				if j%5 == 1 { // an open contact
					e[j] = mat3{}
				}
			}
			if round == 2 { // a mirror
				b[n/2] = mat3{1, 0, 0, 0, -30, 0, 0, 0, 1}
			}
			if round == 3 {
				b[n/2], b[0] = mat3{1, 0, 0, 0, -30, 0, 0, 0, 1}, mat3{-30, 0, 0, 0, 1, 0, 0, 0, 1}
			}
			given := e
			if round == 1 {
				given = nil
				for j := range e {
					e[j] = num.Identity3
				}
			}
			lu.factor(s.ctx, c, given, b)
			copy(x, rhs)
			lu.solve(x)
			size := 0.0
			for j := range x {
				size = max(size, num.InfNorm(x[j][:]))
			}
			for j := range x {
				u, y := c.productAt(j, x), num.MulVec3(&b[j], &x[j])
				u = num.MulVec3(&e[j], &u)
				for k := range 3 {
					if d := u[k] + y[k] - rhs[j][k]; !(math.Abs(d) < 1e-10*(1+100*size)) {
						t.Fatalf("%d contacts, round %d: equation (%d, %d) is off by %g of %g", n, round, j, k, d, size)
					}
				}
			}
			// The sign by elimination of the whole matrix, for the smaller ones.
			if n > 26 {
				continue
			}
			m := 3 * n
			a := make([]float64, m*m)
			for i := range n {
				for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
					var v mat3
					num.Mul3(&v, &e[i], &c.blk[k])
					for l := range v {
						a[(3*i+l/3)*m+3*int(c.col[k])+l%3] += v[l]
					}
				}
				for l := range 9 {
					a[(3*i+l/3)*m+3*i+l%3] += b[i][l]
				}
			}
			negative := false
			for k := range m {
				p := k
				for i := k; i < m; i++ {
					if math.Abs(a[i*m+k]) > math.Abs(a[p*m+k]) {
						p = i
					}
				}
				if p != k {
					negative = !negative
					for j := range m {
						a[p*m+j], a[k*m+j] = a[k*m+j], a[p*m+j]
					}
				}
				if a[k*m+k] < 0 {
					negative = !negative
				}
				for i := k + 1; i < m; i++ {
					f := a[i*m+k] / a[k*m+k]
					for j := k; j < m; j++ {
						a[i*m+j] -= f * a[k*m+j]
					}
				}
			}
			if signs[negative]++; lu.negative() != negative {
				t.Errorf("%d contacts, round %d: det < 0: %t", n, round, lu.negative())
			}
		}
	}
	if signs[true] < 2 || signs[false] < 2 {
		t.Errorf("signs %v", signs)
	}
	// Singular pivots are shifted until they have an inverse.
	for _, d := range []mat3{{}, {1, 1, 0, 1, 1, 0, 0, 0, 1}} {
		var inv mat3
		kept := d
		if invertPivot(&inv, &d); d == kept || num.Bad(num.Norm(inv[:])) || num.Norm(inv[:]) == 0 || d[0]-kept[0] != d[8]-kept[8] && math.Abs(d[0]-kept[0]-d[8]+kept[8]) > 1e-15 || math.Abs(d[4]-kept[4]-d[0]+kept[0]) > 1e-15 || d[0]-kept[0] > 1e-5 {
			t.Errorf("%v: inverse %v", d, inv)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := startRun(grid(5), 1e-9)
	lu := s.ws.factors(context.Background())
	b := make([]mat3, s.c.nc)
	for j := range b {
		b[j] = num.Identity3
	}
	lu.factor(ctx, s.c, nil, b)
	lu.factor(context.Background(), s.c, nil, b) // from a clean start
	x := make([]vec3, s.c.nc)
	x[3] = vec3{1}
	lu.solve(x)
	if u := s.c.productAt(3, x); math.Abs(u[0]+x[3][0]-1) > 1e-12 {
		t.Errorf("after a cancelled one: %g", u[0]+x[3][0])
	}
}

// TestGlobalRefuses: what a problem in all velocities may not be.
func TestGlobalRefuses(t *testing.T) {
	good := func() *Global {
		p := diagonalProblem([3]float64{2, 2, 2}, [3]float64{0.1, 0, -1}, 0, Tresca{Threshold: 0.3})
		p.G, p.B = &Columns{Rows: 3, Ptr: []int{0, 1, 2}, Row: []int{0, 1}, Val: []float64{1, 1}}, []float64{0, 0}
		return p
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(p *Global){
		"M and H are required": func(p *Global) { p.H = nil },
		"M and H are":          func(p *Global) { p.M = nil },
		"F has 2":              func(p *Global) { p.F = p.F[:2] },
		"H.Dim is 1":           func(p *Global) { p.H = &Jacobian{Dim: 1, Rows: 3, Ptr: p.H.Ptr} },
		"H.Dim is 7":           func(p *Global) { p.H = &Jacobian{Dim: 7, Rows: 3, Ptr: p.H.Ptr} },
		"H has 2 rows":         func(p *Global) { h := *p.H; h.Rows = 2; p.H = &h },
		"H has 1 contacts":     func(p *Global) { p.Laws = nil },
		"W has 4":              func(p *Global) { p.W = append(p.W, 0) },
		"G.Ptr does not span":  func(p *Global) { p.G.Ptr[2] = 1 },
		"G.Ptr does not":       func(p *Global) { p.G.Ptr[0] = 1 },
		"G.Ptr does":           func(p *Global) { p.G.Ptr = nil },
		"G has 4 rows":         func(p *Global) { p.G.Rows = 4 },
		"G.Val has 1":          func(p *Global) { p.G.Val = p.G.Val[:1] },
		"G.Ptr falls":          func(p *Global) { p.G.Ptr = []int{0, 3, 2} },
		"G.Row[1] is 3":        func(p *Global) { p.G.Row[1] = 3 },
		"G.Row[0] is -1":       func(p *Global) { p.G.Row[0] = -1 },
		"G[1] is NaN":          func(p *Global) { p.G.Val[1] = math.NaN() },
		"B has 1":              func(p *Global) { p.B = p.B[:1] },
		"B[0] is +Inf":         func(p *Global) { p.B[0] = math.Inf(1) },
		"law of contact 0":     func(p *Global) { p.Laws[0] = Tresca{Threshold: -1} },
		"F[2] is NaN":          func(p *Global) { p.F[2] = math.NaN() },
		"W[0] is NaN":          func(p *Global) { p.W[0] = math.NaN() },
	} {
		p := good()
		if spoil(p); p.Validate() == nil || !strings.Contains(p.Validate().Error(), what) {
			t.Errorf("%s: %v", what, p.Validate())
		}
	}
	wide := &Global{M: good().M, F: make([]float64, 3), H: &Jacobian{Dim: 4, Rows: 3, Ptr: []int{0, 0}}, W: make([]float64, 4), Laws: []Law{Rolling{}}}
	if err := wide.Validate(); err != nil || wide.ValidateForces() == nil {
		t.Errorf("with moments: %v, %v", err, wide.ValidateForces())
	}
	six := &Global{M: good().M, F: make([]float64, 3), H: &Jacobian{Dim: 6, Rows: 3, Ptr: []int{0, 0}}, W: make([]float64, 6), Laws: []Law{Rolling{}}}
	if err := six.Validate(); err != nil {
		t.Error(err)
	}
	if k, err := nameJoint(good(), 1, nil); k != -1 || err == nil || !strings.Contains(err.Error(), "constraint 0") {
		t.Errorf("the first joint: %d, %v", k, err)
	}
	if k, err := nameJoint(good(), 2, nil); k != -1 || err == nil || !strings.Contains(err.Error(), "constraint 1") {
		t.Errorf("the second joint: %d, %v", k, err)
	}
	if k, err := nameJoint(good(), 0, nil); k != 0 || err != nil {
		t.Errorf("a contact: %d, %v", k, err)
	}
	reason := errors.New("why")
	if k, err := nameJoint(good(), 1, reason); k != 1 || err != reason {
		t.Errorf("with a cause: %d, %v", k, err)
	}
}

// TestResidualByHand: the residual of a global problem, and its duality gap, at any (v, r), with joints and without, against full matrices.
func TestResidualByHand(t *testing.T) {
	problems := convexProblems()
	rng := rand.New(rand.NewPCG(182, 4))
	frictional := gradientProblem(rng, true)
	problems["coulomb"] = frictional
	soft := randomConvex(rng, 3, 3)
	soft.Laws = []Law{Coulomb{Mu: 0.4}, Compliant{Law: Tresca{Threshold: 0.3}, Compliance: 0.2, Tangential: 0.1, Gap: 0.05}, Frictionless{}}
	problems["springs"] = soft
	for name, p := range problems {
		for round := range 4 {
			nv, n, nb, dim := p.M.N, len(p.W), p.Joints(), p.H.Dim
			v, r := make([]float64, nv), make([]float64, n+nb)
			for i := range v {
				v[i] = rng.NormFloat64() * []float64{1, 1, 0.01, 100}[round]
			}
			for i := range r {
				r[i] = rng.NormFloat64() * []float64{1, 30, 1, 1}[round]
			}
			m, h := fullMass(p.M), fullJacobian(p.H)
			e := slices.Clone(p.F)
			force := num.InfNorm(p.F)
			for i := range nv {
				sum := 0.0
				for k := range nv {
					sum += m[i*nv+k] * v[k]
				}
				force = max(force, math.Abs(sum))
				e[i] -= sum
				for j := range p.Laws {
					for c := range dim {
						e[i] += h[i*3*len(p.Laws)+3*j+c] * r[dim*j+c]
					}
				}
			}
			lack := make([]float64, nb) // Gᵀv + b
			for k := range nb {
				lack[k] = p.B[k]
				for at := p.G.Ptr[k]; at < p.G.Ptr[k+1]; at++ {
					e[p.G.Row[at]] += p.G.Val[at] * r[n+k]
					lack[k] += p.G.Val[at] * v[p.G.Row[at]]
				}
			}
			for _, x := range r {
				force = max(force, math.Abs(x))
			}
			var ws GlobalWorkspace
			x := ws.withJoints(p)
			ws.prepare(x)
			ws.penalties(x)
			worst, at := num.InfNorm(e), -1
			complementarity, violation, convex := 0.0, 0.0, true
			for j, law := range p.Laws {
				var u, y vec3
				copy(u[:dim], p.W[dim*j:])
				copy(y[:dim], r[dim*j:])
				for c := range dim {
					for i := range nv {
						u[c] += h[i*3*len(p.Laws)+3*j+c] * v[i]
					}
				}
				lf := form.FormOf(law)
				if convex = convex && (lf.Set == form.KindTresca || lf.Set == form.KindFrictionless); convex {
					complementarity += dot(u, y) + law.Support(&u)
					violation = max(violation, -u[0])
				}
				if l, ok := law.(Compliant); ok {
					c, o := l.Spring()
					for k := range 3 {
						u[k] += c[k]*y[k] + o[k]
					}
					convex = false
				}
				u[0] += law.Correction(&u)
				k := ws.rho[j] / penaltyFactor
				q := vec3{y[0] - k*u[0], y[1] - k*u[1], y[2] - k*u[2]}
				law.Project(&q, nil, &q)
				for c := range 3 {
					if d := math.Abs(y[c] - q[c]); d > worst {
						worst, at = d, j
					}
				}
			}
			for k := range nb {
				stiff := ws.rho[len(p.Laws)+k] / penaltyFactor
				if d := stiff * math.Abs(lack[k]); d > worst {
					worst, at = d, len(p.Laws)+k
				}
				complementarity += r[n+k] * lack[k]
				violation = max(violation, math.Abs(lack[k]))
			}
			for _, scale := range []float64{0, 1e3} {
				got, where := Residual(p, scale, v, r)
				if want := worst / max(scale, force); math.Abs(got-want) > 1e-10*want || where != at {
					t.Errorf("%s, round %d: residual %g at %d, want %g at %d", name, round, got, where, want, at)
				}
			}
			if !convex {
				continue
			}
			g := DualityGap(context.Background(), p, v, r, nil)
			f := DualityGap(context.Background(), p, v, r, &ws)
			if f != g {
				t.Errorf("%s: gaps %+v and %+v", name, g, f)
			}
			if math.Abs(g.Complementarity-complementarity) > 1e-10*(1+math.Abs(complementarity)+num.InfNorm(v)*num.InfNorm(r)*float64(n)) || math.Abs(g.Violation-violation) > 1e-11*(1+violation) {
				t.Errorf("%s: gap %+v, want complementarity %g, violation %g", name, g, complementarity, violation)
			}
			// ½ eᵀM⁻¹e, by a solve with M.
			parts, err := newMassParts(context.Background(), p.M, p.H)
			if err != nil {
				t.Fatal(err)
			}
			y, sum := make([]float64, nv), 0.0
			parts.solve(y, e)
			for i := range y {
				sum += 0.5 * y[i] * e[i]
			}
			if math.Abs(g.Force-sum) > 1e-8*sum || math.Abs(g.Total()-g.Force-g.Complementarity) > 1e-12*(g.Force+math.Abs(g.Complementarity)) {
				t.Errorf("%s: forces cost %g, want %g", name, g.Force, sum)
			}
		}
	}
}

// TestPenaltyOfADMM: ρ follows the root of the ratio of the residuals, where that is far from one, within bounds.
func TestPenaltyOfADMM(t *testing.T) {
	for _, c := range []struct{ rho, primal, dual, want float64 }{
		{1, 1, 1, 1}, {1, admmBalance * admmBalance * 0.99, 1, 1}, {1, admmBalance * admmBalance * 4, 1, 2 * admmBalance}, {1, 1, admmBalance * admmBalance * 4, 0.5 / admmBalance}, {1, 1, admmBalance * admmBalance * 0.99, 1}, {3, 1, admmBalance * admmBalance * 4, 1.5 / admmBalance},
		{admmMost, 1e9, 1, admmMost}, {admmLeast, 1, 1e9, admmLeast}, {1, 1, 0, admmMost},
	} {
		if got := admmNext(c.rho, c.primal, c.dual); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
	// A step: (W + ρ) x = ρ(y − w) − q − g e_N, y = P(1.x x + … + w), w what is left.
	rng := rand.New(rand.NewPCG(183, 4))
	for range 8 {
		p := randomProblem(rng, 3, 5, 17, func() Law { return []Law{Coulomb{Mu: 0.4}, Associated{Mu: 0.3}, Frictionless{}}[rng.IntN(3)] })
		s := startRun(p, 1e-9)
		ws, c := s.ws, s.c
		const rho = 0.7
		lu := ws.factors(s.ctx)
		s.admmFactor(lu, rho)
		y, w := make([]vec3, 5), make([]vec3, 5)
		for j := range y {
			y[j], w[j] = randomVec(rng), randomVec(rng)
			ws.r[j], ws.f[j] = y[j], w[j]
		}
		s.admmSolve(lu, rho)
		for j := range y {
			u := c.q[j]
			c.addRow(&u, j, ws.d)
			slip := math.Hypot(rho*w[j][1], rho*w[j][2])
			g := 0.0
			if c.kind[j] == form.KindCoulomb {
				g = c.mu[j] * slip
			}
			for k := range 3 {
				e := u[k] + rho*ws.d[j][k] - rho*(y[j][k]-w[j][k])
				if k == 0 {
					e += g
				}
				if math.Abs(e) > 1e-12*10 {
					t.Errorf("row %d of x is left with %g", 3*j+k, e)
				}
			}
		}
		x := slices.Clone(ws.d)
		primal, dual := s.admmProject(rho)
		a, b := 0.0, 0.0
		for j := range y {
			var q vec3
			for k := range 3 {
				q[k] = admmRelax*x[j][k] + (1-admmRelax)*y[j][k] + w[j][k]
				a += (x[j][k] - y[j][k]) * (x[j][k] - y[j][k])
			}
			var foot vec3
			c.project(j, &foot, nil, &q)
			for k := range 3 {
				b += (foot[k] - y[j][k]) * (foot[k] - y[j][k])
				if math.Abs(ws.r[j][k]-foot[k])+math.Abs(ws.f[j][k]-q[k]+foot[k]) > 1e-14 {
					t.Errorf("contact %d: y = %v, w = %v, want %v and %v", j, ws.r[j], ws.f[j], foot, q)
				}
			}
		}
		if math.Abs(primal-math.Sqrt(a)) > 1e-13*primal || math.Abs(dual-rho*math.Sqrt(b)) > 1e-13*dual {
			t.Errorf("residuals %g and %g, want %g and %g", primal, dual, math.Sqrt(a), rho*math.Sqrt(b))
		}
	}
}

// TestFrictionScales: the coefficients of cones and pyramids, and of nothing else.
func TestFrictionScales(t *testing.T) {
	p := &Local{W: diagonal(3, slices.Repeat([]float64{1}, 15)...), Q: make([]float64, 15), Laws: []Law{Coulomb{Mu: 2}, Associated{Mu: 3}, Pyramid{Mu: 4}, Tresca{Threshold: 5}, Frictionless{}}}
	s := startRun(p, 1e-9)
	s.c.scaleFriction(0.5)
	if !slices.Equal(s.c.mu, []float64{1, 1.5, 2, 5, 0}) {
		t.Errorf("coefficients %v", s.c.mu)
	}
}

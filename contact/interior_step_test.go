package contact

import (
	"context"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// startRun prepares a solve of p, at r = 0 and before any method.
func startRun(p *Local, tol float64) *localRun {
	var ws LocalWorkspace
	var res Result
	res.Allocate(len(p.Q), len(p.Laws))
	ws.prepare(p)
	ws.rho = form.Steps(ws.rho, p.W)
	clear(ws.r)
	return &localRun{ws: &ws, c: &ws.c, ctx: context.Background(), o: new(Options), res: &res, p: p, want: tol, tol: tol, bestMerit: num.Inf, limit: 20000}
}

// insideCone is a point of the interior of L, near its boundary or not.
func insideCone(rng *rand.Rand) vec3 {
	x := randomVec(rng)
	x[0] = math.Hypot(x[1], x[2])*(1+[]float64{1, .1, .001}[rng.IntN(3)]*rng.Float64()) + 1e-3
	return x
}

// TestScalingOfCones: Θ is symmetric and takes x to z, G is its root, with its inverse beside it, λ = Gx = G⁻¹z,
// λ\ undoes the product ∘, and det λ² = det x det z [Nesterov98].
func TestScalingOfCones(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 2))
	for range 300 {
		x, z := insideCone(rng), insideCone(rng)
		var theta, square, one mat3
		var s ntScaling
		scaling(&theta, &x, &z)
		s.set(&x, &z)
		got := num.MulVec3(&theta, &x)
		num.Mul3(&square, &s.g, &s.g)
		num.Mul3(&one, &s.g, &s.b)
		back := num.MulVec3(&s.b, &z)
		size := math.Abs(theta[0]) + math.Abs(theta[4]) + math.Abs(theta[8])
		tiny := 1e-10 * size * (1 + s.g[0]*s.b[0]) // det loses three digits near the boundary
		for k := range 3 {
			if math.Abs(got[k]-z[k]) > tiny*num.Norm(x[:]) || math.Abs(s.lambda[k]-back[k]) > 1e-9*(num.Norm(s.lambda[:])+s.b[0]*num.Norm(z[:])) {
				t.Fatalf("Θx = %v, z = %v; Gx = %v, G⁻¹z = %v", got, z, s.lambda, back)
			}
			for l := range 3 {
				want := 0.0
				if k == l {
					want = 1
				}
				if theta[3*k+l] != theta[3*l+k] || math.Abs(square[3*k+l]-theta[3*k+l]) > tiny || math.Abs(one[3*k+l]-want) > 1e-9*(1+s.g[0]*s.b[0]) {
					t.Fatalf("Θ = %v, G² = %v, G G⁻¹ = %v", theta, square, one)
				}
			}
		}
		l := s.lambda
		if want := math.Sqrt(lorentz(&x) * lorentz(&z)); math.Abs(s.det-want) > 1e-12*want || math.Abs(lorentz(&l)-want) > 1e-8*l[0]*l[0] {
			t.Fatalf("det λ = %g and %g, want %g", s.det, lorentz(&l), want)
		}
		if want := x[0]*x[0] - x[1]*x[1] - x[2]*x[2]; math.Abs(lorentz(&x)-want) > 1e-14*x[0]*x[0] {
			t.Fatalf("det x = %g, want %g", lorentz(&x), want)
		}
		v := randomVec(rng)
		q := s.quotient(form.KindCoulomb, &v)
		product := vec3{dot(l, q), l[0]*q[1] + q[0]*l[1], l[0]*q[2] + q[0]*l[2]}
		kappa, second := 0.3, randomVec(rng)
		c := s.complement(form.KindCoulomb, kappa, &second)
		for k := range c {
			c[k] += l[k]
		}
		left := vec3{dot(l, c), l[0]*c[1] + c[0]*l[1], l[0]*c[2] + c[0]*l[2]}
		for k, want := range [...]float64{kappa - second[0], -second[1], -second[2]} {
			if bound := 1e-9 * (1 + l[0]*(num.Norm(q[:])+num.Norm(c[:]))); math.Abs(product[k]-v[k]) > bound || math.Abs(left[k]-want) > bound {
				t.Fatalf("λ∘(λ\\v) = %v, v = %v; λ∘(complement + λ) = %v, want %d to be %g", product, v, left, k, want)
			}
		}
		if q, c := s.quotient(form.KindFrictionless, &v), s.complement(form.KindFrictionless, kappa, &second); q != (vec3{v[0] / l[0]}) || c != (vec3{(kappa-second[0])/l[0] - l[0]}) {
			t.Fatalf("one component: %v and %v", q, c)
		}
		if q, c := s.quotient(form.KindBilateral, &v), s.complement(form.KindBilateral, kappa, &second); q != (vec3{}) || c != (vec3{}) {
			t.Fatalf("joint: %v and %v", q, c)
		}
	}
}

// TestStepsToBoundaries: the step to the boundary of a half-line and of L, by bisection.
func TestStepsToBoundaries(t *testing.T) {
	for _, c := range []struct{ x, d, step float64 }{{1, 1, 1}, {1, 0, 1}, {1, -.5, 1}, {1, -2, .5}, {2, -3, 2. / 3}, {0, 0, 1}, {0, -1, 0}} {
		if got := rayStep(c.x, c.d); got != c.step {
			t.Errorf("from %g by %g: %g, want %g", c.x, c.d, got, c.step)
		}
	}
	rng := rand.New(rand.NewPCG(62, 2))
	in := func(x, d *vec3, a float64) bool {
		return x[0]+a*d[0] >= math.Hypot(x[1]+a*d[1], x[2]+a*d[2])
	}
	short := 0
	for k := range 2000 {
		x, d := insideCone(rng), randomVec(rng)
		switch k % 5 {
		case 1: // along the boundary
			d[0] = math.Hypot(d[1], d[2])
		case 2:
			d[0] = -math.Hypot(d[1], d[2])
		case 3:
			d = vec3{-2 * x[0], -2 * x[1], -2 * x[2]} // through the tip
		case 4:
			d = vec3{-3 * x[0], 0, 0}
		}
		lo, hi := 0.0, 1.0
		if in(&x, &d, 1) {
			lo = 1
		}
		for range 60 {
			if m := 0.5 * (lo + hi); in(&x, &d, m) {
				lo = m
			} else {
				hi = m
			}
		}
		got := lorentzStep(&x, &d)
		if math.Abs(got-lo) > 1e-6 { // the root of det x, 1e-3 beside 1, in rounding
			t.Fatalf("from %v by %v: %g, want %g", x, d, got, lo)
		}
		if got < 1 {
			short++
		}
	}
	if short < 500 || short > 1800 {
		t.Errorf("%d of 2,000 steps end in L", short)
	}
	for _, c := range []struct {
		x, d vec3
		step float64
	}{
		{vec3{1}, vec3{-2}, .5}, {vec3{1}, vec3{}, 1}, {vec3{2}, vec3{0, 4, 0}, .5}, {vec3{2}, vec3{0, 0, -4}, .5}, {vec3{1}, vec3{-4, 2, 0}, 1. / 6}, {vec3{1}, vec3{-1, 1, 0}, .5}, {vec3{1}, vec3{-1, 0, 0}, 1},
		// From outside by rounding, inwards: nothing stops it.
		{vec3{1, 1 + 2*num.Eps, 0}, vec3{1, 0, 0}, 1}, {vec3{1, 1 + 2*num.Eps, 0}, vec3{.5, 0, 0}, 1},
	} {
		if got := lorentzStep(&c.x, &c.d); math.Abs(got-c.step) > 1e-15 {
			t.Errorf("from %v by %v: %g, want %g", c.x, c.d, got, c.step)
		}
	}
}

// interiorProblems have contacts of each kind that the interior-point method knows.
func interiorProblems() []*Local {
	var all []*Local
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 63))
		p := randomProblem(rng, 2+int(seed%2), 6, 14+int(seed), func() Law {
			return []Law{Coulomb{Mu: 0.2 + rng.Float64()}, Associated{Mu: 0.5}, Frictionless{}, Bilateral{}, Coulomb{}}[rng.IntN(5)]
		})
		p.Laws[0], p.Laws[1], p.Laws[2], p.Laws[3] = Coulomb{Mu: 0.3}, Associated{Mu: 0.7}, Frictionless{}, Bilateral{}
		all = append(all, p)
	}
	return all
}

// frame is what of a contact's variables enters: x = (μ r_N, r_T) and z = (û_N/μ, u_T) of a cone, the normal alone, or all.
func (s *localRun) cone(j int) (kind form.LawKind, mu float64) {
	kind, _ = s.c.interiorKind(j)
	if mu = 1; kind == form.KindCoulomb || kind == form.KindAssociated {
		mu = s.c.mu[j]
	}
	return kind, mu
}

// TestInteriorStep: from any point inside the cones a direction solves the equations linearised there,
//
//	dz − n t̂·dz_T − N W N dx = −(z − ‖z_T‖n − NWNx − Nq),   G dx + G⁻¹dz = λ\(κe − dx̃₀∘dz̃₀) − λ,
//
// with dx̃₀ ∘ dz̃₀ of the direction before, and the step to the boundary is that of the contact that meets it first.
func TestInteriorStep(t *testing.T) {
	for seed, p := range interiorProblems() {
		rng := rand.New(rand.NewPCG(uint64(seed), 64))
		s := startRun(p, 1e-9)
		if !s.interiorBegin() {
			t.Fatal("a law that it knows is refused")
		}
		in, degree := &s.ws.interior, 0
		for j := range in.x {
			kind, _ := s.cone(j)
			want := vec3{1}
			switch kind {
			case form.KindBilateral:
				want = vec3{}
			case form.KindFrictionless:
				degree++
			default:
				degree += 2
			}
			if in.x[j] != want || in.z[j] != want {
				t.Errorf("contact %d starts at %v, %v", j, in.x[j], in.z[j])
			}
			switch kind {
			case form.KindBilateral:
				in.x[j] = randomVec(rng)
			case form.KindFrictionless:
				in.x[j], in.z[j] = vec3{0.1 + rng.Float64()}, vec3{0.1 + rng.Float64()}
			default:
				in.x[j], in.z[j] = insideCone(rng), insideCone(rng)
			}
		}
		if in.degree != degree {
			t.Errorf("degree %d, want %d", in.degree, degree)
		}
		n := len(in.x)
		merit := s.interiorLook()
		u := make([]vec3, n)
		sumX, sumE := 0.0, 0.0
		for j := range n {
			_, mu := s.cone(j)
			if want := (vec3{in.x[j][0] / mu, in.x[j][1], in.x[j][2]}); s.ws.r[j] != want {
				t.Errorf("r_%d = %v, want %v", j, s.ws.r[j], want)
			}
		}
		s.c.velocity(u, s.ws.r)
		if want := s.c.meritAt(u, s.ws.r); merit != want || s.bestMerit != want {
			t.Errorf("merit %g, kept %g, want %g", merit, s.bestMerit, want)
		}
		for j := range n {
			kind, mu := s.cone(j)
			z := in.z[j]
			want := vec3{z[0] - u[j][0]/mu, z[1] - u[j][1], z[2] - u[j][2]}
			switch kind {
			case form.KindCoulomb:
				want[0] -= math.Hypot(z[1], z[2])
			case form.KindFrictionless:
				want[1], want[2] = 0, 0
			}
			for k := range 3 {
				if math.Abs(want[k]-in.res[j][k]) > 1e-14*(1+math.Abs(want[k])) {
					t.Errorf("contact %d: residual %v, want %v", j, in.res[j], want)
				}
				sumX += in.x[j][k] * z[k]
				sumE += want[k] * want[k]
			}
		}
		kappa, residual := s.interiorGap()
		if math.Abs(kappa-sumX/float64(degree)) > 1e-14*kappa || math.Abs(residual-math.Sqrt(sumE/float64(n))) > 1e-14*residual {
			t.Errorf("κ = %g, want %g; residual %g, want %g", kappa, sumX/float64(degree), residual, math.Sqrt(sumE/float64(n)))
		}
		smooth := 0.2
		lu := s.ws.factors(s.ctx)
		s.interiorMatrix(lu, smooth)
		lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
		product := make([]vec3, n)
		for pass, target := range []float64{0, 0.4 * kappa} {
			if left := s.interiorDirection(lu, target, pass == 1); !(left <= interiorFine) {
				t.Errorf("problem %d: %g of the right side is left", seed, left)
			}
			s.checkInterior(t, smooth, target, product)
			a := s.interiorReach()
			least := 1.0
			for j := range n {
				switch kind, _ := s.cone(j); kind {
				case form.KindBilateral:
				case form.KindFrictionless:
					least = min(least, rayStep(in.x[j][0], in.dx[j][0]), rayStep(in.z[j][0], in.dz[j][0]))
				default:
					least = min(least, lorentzStep(&in.x[j], &in.dx[j]), lorentzStep(&in.z[j], &in.dz[j]))
				}
			}
			if a != least || !(a > 0) {
				t.Errorf("problem %d: reach %g, want %g", seed, a, least)
			}
		}
		x, z := slices.Clone(in.x), slices.Clone(in.z)
		s.interiorMove(0.25)
		for j := range n {
			for k := range 3 {
				if in.x[j][k] != x[j][k]+0.25*in.dx[j][k] || in.z[j][k] != z[j][k]+0.25*in.dz[j][k] {
					t.Errorf("contact %d moves to %v, %v", j, in.x[j], in.z[j])
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 65))
	if s := startRun(randomProblem(rng, 3, 3, 9, func() Law { return Tresca{Threshold: 1} }), 1e-9); s.interiorBegin() || s.interiorPoint(9) != Unsolved {
		t.Error("thresholds are taken")
	}
}

// TestInteriorOfRegularProblems: where W is regular the interior-point method alone ends below the tolerance that is usual, whatever
// the laws; by I + BA W, close to the boundary, it had lost its directions at merits of 1e-6 on most of them.
func TestInteriorOfRegularProblems(t *testing.T) {
	for name, law := range map[string]func(*rand.Rand) Law{
		"associated": func(*rand.Rand) Law { return Associated{Mu: 0.5} },
		"coulomb":    func(*rand.Rand) Law { return Coulomb{Mu: 0.5} },
		"mixed": func(rng *rand.Rand) Law {
			return []Law{Coulomb{Mu: 0.4}, Associated{Mu: 0.3}, Frictionless{}}[rng.IntN(3)]
		},
	} {
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 201))
			s := startRun(randomProblem(rng, 3, 5, 17, func() Law { return law(rng) }), 1e-8)
			// 13 steps are usual, the slowest of 300 takes 30.
			if status := s.interiorPoint(40); status != Converged || s.c.merit(s.ws.u, s.ws.best) > 1e-8 {
				t.Errorf("%s, seed %d: %v, merit %g", name, seed, status, s.bestMerit)
			}
		}
	}
}

// checkInterior checks the linearised equations of a direction, and sets the product dx̃ ∘ dz̃ of the first one.
func (s *localRun) checkInterior(t *testing.T, smooth, kappa float64, product []vec3) {
	t.Helper()
	in := &s.ws.interior
	n := len(in.x)
	dr, du := make([]vec3, n), make([]vec3, n)
	for j := range n {
		_, mu := s.cone(j)
		dr[j] = vec3{in.dx[j][0] / mu, in.dx[j][1], in.dx[j][2]}
	}
	size := 0.0
	for j := range n {
		du[j] = s.c.productAt(j, dr)
		size = max(size, num.InfNorm(in.dx[j][:]), num.InfNorm(in.dz[j][:]), num.InfNorm(du[j][:]))
	}
	for j := range n {
		kind, mu := s.cone(j)
		z, dz := &in.z[j], &in.dz[j]
		left := vec3{dz[0] - du[j][0]/mu + in.res[j][0], dz[1] - du[j][1] + in.res[j][1], dz[2] - du[j][2] + in.res[j][2]}
		close := 1e-8 * size // what refinement leaves, over the condition of the cones' frames
		switch kind {
		case form.KindCoulomb:
			norm := math.Sqrt(z[1]*z[1] + z[2]*z[2] + smooth*smooth)
			left[0] -= (z[1]*dz[1] + z[2]*dz[2]) / norm
		case form.KindFrictionless:
			left[1], left[2] = 0, 0
		case form.KindBilateral: // a compliance of interiorJoint², with dz = 0
			close += 1e-7 * size
		}
		for k, e := range left {
			if math.Abs(e) > close {
				t.Errorf("contact %d of kind %v: row %d of the motions is left with %g of %g", j, kind, k, e, size)
			}
		}
		if kind == form.KindBilateral {
			if in.dz[j] != (vec3{}) {
				t.Errorf("joint %d: z moves by %v", j, in.dz[j])
			}
			continue
		}
		sc := &in.scaling[j]
		var inverse mat3 // of G, from its parts
		if kind == form.KindFrictionless {
			g := math.Sqrt(in.z[j][0] / in.x[j][0])
			if math.Abs(sc.g[0]-g) > 1e-14*g {
				t.Errorf("contact %d: G = %v, want %g", j, sc.g, g)
			}
			inverse = mat3{1 / g}
		} else {
			var own ntScaling
			own.set(&in.x[j], &in.z[j])
			inverse = own.b
		}
		x, y := num.MulVec3(&sc.g, &in.dx[j]), num.MulVec3(&inverse, &in.dz[j])
		want := sc.complement(kind, kappa, &product[j])
		for k := range 3 {
			if kind == form.KindFrictionless && k > 0 {
				x[k], y[k], want[k] = 0, 0, 0
			}
			if math.Abs(x[k]+y[k]-want[k]) > 1e-8*(size+num.Norm(x[:])+num.Norm(y[:])) {
				t.Errorf("contact %d of kind %v: G dx + G⁻¹dz = %v + %v, want %v", j, kind, x, y, want)
			}
		}
		if kappa == 0 {
			product[j] = vec3{dot(x, y), x[0]*y[1] + y[0]*x[1], x[0]*y[2] + y[0]*x[2]}
		}
	}
}

// TestInteriorWarm: the start from an iterate is inside the cones by the margin, and no farther than that from what lies there.
func TestInteriorWarm(t *testing.T) {
	for seed, p := range interiorProblems() {
		rng := rand.New(rand.NewPCG(uint64(seed), 66))
		s := startRun(p, 1e-9)
		s.interiorBegin()
		for j := range s.ws.r {
			s.ws.r[j] = randomVec(rng)
		}
		const margin = 0.125
		s.interiorWarm(margin)
		u := make([]vec3, len(s.ws.r))
		s.c.velocity(u, s.ws.r)
		in := &s.ws.interior
		for j, r := range s.ws.r {
			kind, mu := s.cone(j)
			x, z := in.x[j], in.z[j]
			switch kind {
			case form.KindBilateral:
				if x != r || z != (vec3{}) {
					t.Errorf("joint %d: %v, %v", j, x, z)
				}
			case form.KindFrictionless:
				if x != (vec3{max(r[0], 0) + margin}) || z != (vec3{max(u[j][0], 0) + margin}) {
					t.Errorf("contact %d: %v, %v", j, x, z)
				}
			default:
				a, b := max(mu*r[0], math.Hypot(r[1], r[2]))+margin, max(u[j][0]/mu, math.Hypot(u[j][1], u[j][2]))+margin
				if math.Abs(x[0]-a) > 1e-14*a || math.Abs(z[0]-b) > 1e-14*b || x[1] != r[1] || x[2] != r[2] || z[1] != u[j][1] || z[2] != u[j][2] {
					t.Errorf("contact %d: %v, %v, want normals %g and %g", j, x, z, a, b)
				}
			}
		}
	}
}

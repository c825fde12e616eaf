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

// offBarrier returns N(A r + b) − κ x⁻¹ and x·N(A r + b) of one contact, computed from the definitions.
func offBarrier(a *mat3, mu, kappa float64, r, b *vec3) (off vec3, power float64) {
	u := num.MulVec3(a, r)
	z := vec3{(u[0] + b[0]) / mu, u[1] + b[1], u[2] + b[2]}
	x := vec3{mu * r[0], r[1], r[2]}
	det := x[0]*x[0] - x[1]*x[1] - x[2]*x[2]
	return vec3{z[0] - kappa*x[0]/det, z[1] + kappa*x[1]/det, z[2] + kappa*x[2]/det}, num.Dot3(&x, &z)
}

// TestInsideOneContact: calls stay inside, and from the solution at a larger κ some end where N(A r + b) = κ x⁻¹, so that x·z = κ.
func TestInsideOneContact(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	most := 0
	for range 300 {
		var c, a mat3
		for k := range c {
			c[k] = rng.NormFloat64()
		}
		num.Mul3(&a, &c, &mat3{c[0], c[3], c[6], c[1], c[4], c[7], c[2], c[5], c[8]})
		for k := range 3 {
			a[4*k] += 0.1
		}
		mu, b, r := 0.1+rng.Float64(), vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, vec3{5, 0.1, 0}
		var o oneContact
		o.prepare(&a)
		for kappa := 10.0; kappa > 1e-7; kappa *= insideDown {
			calls := 0
			for size := num.Inf; calls < 100 && size > 1e-9; calls++ {
				o.inside(&r, mu, kappa, &b)
				if !(r[0] > 0 && mu*r[0] > math.Hypot(r[1], r[2])) {
					t.Fatalf("%v left the cone of μ = %g", r, mu)
				}
				off, _ := offBarrier(&a, mu, kappa, &r, &b)
				x := vec3{mu * r[0], r[1], r[2]}
				steep := x[0] / lorentz(&x) // κ/det² is what a change of x means for κ x⁻¹
				size = num.Norm(off[:]) / (1 + kappa*steep*steep)
			}
			if kappa < 5 { // from the solution before
				most = max(most, calls)
			}
			off, power := offBarrier(&a, mu, kappa, &r, &b)
			if math.Abs(power-kappa) > 1e-14*(1+kappa)+2*num.Norm(off[:])*num.Norm(r[:]) {
				t.Errorf("x·z = %g at κ = %g, off %v", power, kappa, off)
			}
		}
	}
	if most > 6 { // of three steps each
		t.Errorf("%d calls from one κ to the next", most)
	}
	// Without friction r_N is the positive root of a r² + b r = κ, to the last digits where b is large.
	var o oneContact
	o.prepare(&mat3{2, 0, 0, 0, 1, 0, 0, 0, 1})
	for _, b := range []float64{-3, 0, 1e-3, 1e6} {
		r := vec3{5}
		o.inside(&r, 0, 1e-4, &vec3{b})
		if got := 2*r[0]*r[0] + b*r[0]; !(r[0] > 0) || math.Abs(got-1e-4) > 1e-15*(1+math.Abs(b)*r[0]) {
			t.Errorf("b = %g: r_N = %g, %g in place of κ", b, r[0], got)
		}
	}
	// What cannot be moved away stays, and a W that is not semidefinite throws nothing out of its cone.
	r := vec3{1, 0.1, 0}
	o.prepare(&mat3{0, 0, 0, 0, 1, 0, 0, 0, 1})
	if o.inside(&r, 0.5, 1e-4, &vec3{-1, 0, 0}); r != (vec3{1, 0.1, 0}) {
		t.Errorf("no mobility: %v", r)
	}
	o.prepare(&mat3{1, 5, 0, 5, 1, 0, 0, 0, 1})
	for _, b := range []vec3{{-1, 30, 0}, {-1, -30, 0}, {20, 3, 3}} {
		for range 20 {
			if o.inside(&r, 0.5, 1e-6, &b); !within(&r, 0.5) && !(r[0] > 0 && 0.5*r[0] > math.Hypot(r[1], r[2])) {
				t.Fatalf("%v left its cone", r)
			}
		}
	}
}

// TestWithinCones: the cone itself, and what is nearly on it, are not within; without friction only the sense counts.
func TestWithinCones(t *testing.T) {
	for _, c := range []struct {
		r    vec3
		mu   float64
		want bool
	}{{vec3{1, 0.2, 0.1}, 0.5, true}, {vec3{1, 0.5, 0}, 0.5, false}, {vec3{1, 0, 0.4999}, 0.5, false}, {vec3{1, 0.49, 0}, 0.5, true},
		{vec3{-1, 0, 0}, 0.5, false}, {vec3{0, 0, 0}, 0.5, false}, {vec3{-1, 0.1, 0}, 0.5, false}, {vec3{1, 0, 0}, 0, true}, {vec3{0, 0, 0}, 0, false}, {vec3{-1, 0, 0}, 0, false}} {
		if within(&c.r, c.mu) != c.want {
			t.Errorf("%v within %g: %t", c.r, c.mu, !c.want)
		}
	}
}

// mixedPile is a pile of spheres, three of whose contacts have no friction, one a cohesionless law of its own name, and one is a joint.
func mixedPile() *Local {
	p := spherePile(heap(24, 3), 0.03, 0.5, nil)
	p.Laws = slices.Clone(p.Laws)
	for j := range p.Laws {
		switch j % 11 {
		case 3:
			p.Laws[j] = Frictionless{}
		case 5:
			p.Laws[j] = Coulomb{}
		case 7:
			p.Laws[j] = Associated{Mu: 0.3}
		}
	}
	p.Laws[2] = Bilateral{}
	return p
}

// TestInsidePath: at the end the reactions are inside, with the motions κ x⁻¹ to what a sweep still changes; the problem is what it was,
// and an interior-point method that starts there has x·z = κ at each contact.
func TestInsidePath(t *testing.T) {
	for name, p := range map[string]*Local{"heap": spherePile(heap(24, 3), 0.03, 0.5, nil), "mixed": mixedPile()} {
		s := startRun(p, 1e-9)
		s.gaussSeidel(12)
		s.evaluate()
		c := s.c
		q, kinds, mu := slices.Clone(c.q), slices.Clone(c.kind), slices.Clone(c.mu)
		clear(s.ws.u)
		for j, kind := range c.kind {
			if kind == form.KindFrictionless { // from anywhere
				s.ws.r[j][1], s.ws.r[j][2] = .1, -.2
			}
		}
		if status := s.followInside(insideFirst); status != Unsolved || s.iterations < 20 {
			t.Fatalf("%s: %v after %d", name, status, s.iterations)
		}
		if c.kappa != insideLast || !slices.Equal(q, c.q) || !slices.Equal(kinds, c.kind) || !slices.Equal(mu, c.mu) {
			t.Errorf("%s: κ = %g, or another problem", name, c.kappa)
		}
		// A sweep changes reactions by κ‖r‖ or less, and so motions by some times that: W of unit diagonal has norm 10 or so.
		limit := 30 * insideLast * math.Sqrt(dot3(s.ws.r, s.ws.r))
		u := make([]vec3, c.nc)
		c.velocity(u, s.ws.r)
		for j, r := range s.ws.r {
			off, fast := vec3{}, 0.0
			switch kind, _ := c.interiorKind(j); kind {
			case form.KindBilateral:
				off = u[j]
			case form.KindFrictionless:
				off[0] = u[j][0] - insideLast/r[0]
				if r[1] != 0 || r[2] != 0 || !(r[0] > 0) {
					t.Errorf("%s: contact %d without friction has %v", name, j, r)
				}
				fast = insideLast / (r[0] * r[0])
			default:
				off, _ = offBarrier(&mat3{}, mu[j], insideLast, &r, &u[j])
				x := vec3{mu[j] * r[0], r[1], r[2]}
				if !(lorentz(&x) > 0 && x[0] > 0) {
					t.Fatalf("%s: contact %d is outside: %v", name, j, r)
				}
				fast = 4 * insideLast * x[0] * x[0] / (lorentz(&x) * lorentz(&x))
			}
			// Where the barrier is steep, the last digits of r are that much of its force.
			if size := num.Norm(off[:]); size > limit*(1+fast) {
				t.Errorf("%s: contact %d moves by %g more than its barrier, want %g", name, j, size, limit)
			}
		}
		s.freezeCones()
		if !s.interiorBegin() {
			t.Fatal("no cones")
		}
		s.interiorInside(insideLast)
		s.interiorLook()
		if kappa, residual := s.interiorGap(); math.Abs(kappa-insideLast/2) > 0.26*insideLast || residual > limit {
			t.Errorf("%s: the interior-point method starts at κ = %g, with a residual of %g", name, kappa, residual)
		}
		for j := range c.nc {
			x, z := &s.ws.interior.x[j], &s.ws.interior.z[j]
			want := insideLast
			if kind, _ := c.interiorKind(j); kind == form.KindBilateral {
				want = 0
			}
			if d := num.Dot3(x, z); math.Abs(d-want) > 1e-9*insideLast {
				t.Errorf("%s: contact %d: x·z = %g", name, j, d)
			}
		}
		c.release(&s.ws.held)
	}
}

// TestInsideSolves: sweeps from there solve a pile, whose sweeps alone take longer; and end where they are told to.
func TestInsideSolves(t *testing.T) {
	p := spherePile(heap(24, 3), 0.03, 0.5, nil)
	s := startRun(p, 1e-9)
	s.gaussSeidel(12)
	if status := s.insideSweeps(20000); status != Converged || s.evaluate() > 1e-9 || s.factors != 0 {
		t.Errorf("%v, merit %g", status, s.bestMerit)
	}
	for what, c := range map[string]struct {
		change func(s *localRun)
		want   Status
	}{
		"limit":       {func(s *localRun) { s.limit = s.iterations + 30 }, IterationLimit},
		"its own":     {func(s *localRun) {}, IterationLimit},
		"out of hand": {func(s *localRun) { s.c.q[0][0] = -1e40 }, NumericalFailure},
		"cancelled": {func(s *localRun) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			s.ctx = ctx
		}, Canceled},
	} {
		s := startRun(p, 1e-12)
		s.gaussSeidel(2)
		s.evaluate()
		kinds := slices.Clone(s.c.kind)
		before := s.iterations
		c.change(s)
		if status := s.insideSweeps(1); status != c.want || !slices.Equal(kinds, s.c.kind) {
			t.Errorf("%s: %v, want %v", what, status, c.want)
		}
		if n := s.iterations - before; what == "limit" && n != 30 || what == "cancelled" && n != 1 {
			t.Errorf("%s: %d sweeps", what, n)
		}
	}
}

// TestInsidable: many contacts, of laws that have a centre.
func TestInsidable(t *testing.T) {
	s := startRun(grid(90), 1e-8)
	if !s.insidable() {
		t.Error("not 8,100 contacts with friction")
	}
	if s.c.kind[7] = form.KindTresca; s.insidable() {
		t.Error("a threshold has no centre")
	}
	s.c.kind[7] = form.KindCoulomb
	if s.c.nc = autoPointed; s.insidable() {
		t.Error("8,000 contacts are few")
	}
	if s.c.nc++; !s.insidable() {
		t.Error("8,001 are many")
	}
	s.c.nc--
	if s.ws.colours.usable = false; s.insidable() {
		t.Error("in turn")
	}
	// Sweeps that are called off leave nothing to a centre.
	s = startRun(grid(90), 1e-8)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.ctx = ctx
	kinds := slices.Clone(s.c.kind)
	if status := s.centre(10, 1e-3); status != Canceled || s.iterations != 1 || s.factors != 0 || !slices.Equal(kinds, s.c.kind) {
		t.Errorf("%v after %d sweeps and %d factorisations", status, s.iterations, s.factors)
	}
}

// TestCentreCalledOff: sweeps inside the cones that come to an end leave nothing to a centre.
func TestCentreCalledOff(t *testing.T) {
	s := startRun(grid(90), 1e-8)
	s.limit = 1
	if status := s.centre(10, 1e-3); status != IterationLimit || s.iterations != 1 || s.factors != 0 {
		t.Errorf("%v after %d sweeps and %d factorisations", status, s.iterations, s.factors)
	}
}

// TestMomentumLingers: on large problems sweeps end where what was asked for is reached and what is aimed at is far, a hundred sweeps after it.
func TestMomentumLingers(t *testing.T) {
	one := heap(36, 4) // which stands still at 1e-14 after more than 2,000
	for _, c := range []struct {
		copies int
		want   Status
	}{{13, Converged}, {1, IterationLimit}} {
		var at []vec3
		for k := range c.copies {
			for _, x := range one {
				at = append(at, vec3{x[0] + 100*float64(k), x[1], x[2]})
			}
		}
		s := startRun(spherePile(at, 0.03, 0.5, nil), 0)
		s.want, s.tol, s.bestMerit = 1e-3, 0, 1
		status := s.momentumWithin(300, 5000, false)
		if status != c.want || c.want == Converged && (s.iterations <= momentumLinger || !s.confirm(s.ws.best)) {
			t.Errorf("%d contacts: %v after %d sweeps, merit %g", s.c.nc, status, s.iterations, s.bestMerit)
		}
	}
}

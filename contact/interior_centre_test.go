package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"testing"
)

// TestOffCentre: with what is returned added, the eigenvalues of (λ + a dx) ∘ (λ + a dz) lie between a tenth and ten
// times κ, or were lowered by ten times κ; those within stay as they are.
func TestOffCentre(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	const kappa = 0.3
	inside, outside := 0, 0
	for range 400 {
		l, dx, dz, a := insideCone(rng), randomVec(rng), randomVec(rng), rng.Float64()
		s := ntScaling{lambda: l}
		x := vec3{l[0] + a*dx[0], l[1] + a*dx[1], l[2] + a*dx[2]}
		z := vec3{l[0] + a*dz[0], l[1] + a*dz[1], l[2] + a*dz[2]}
		v := vec3{num.Dot3(&x, &z), x[0]*z[1] + z[0]*x[1], x[0]*z[2] + z[0]*x[2]}
		off := s.offCentre(form.KindCoulomb, kappa, a, &dx, &dz)
		slip := math.Hypot(v[1], v[2])
		for _, sign := range []float64{1, -1} {
			before := v[0] + sign*slip
			after := v[0] + off[0] + sign*((v[1]+off[1])*v[1]+(v[2]+off[2])*v[2])/slip
			want := max(min(max(before, 0.1*kappa), 10*kappa), before-10*kappa)
			if math.Abs(after-want) > 1e-9*(1+math.Abs(before)) { // the direction of a small slip has lost three digits
				t.Fatalf("eigenvalue %g becomes %g, want %g", before, after, want)
			}
			if want == before {
				inside++
			} else {
				outside++
			}
		}
		if line := s.offCentre(form.KindFrictionless, kappa, a, &dx, &dz); line[1] != 0 || line[2] != 0 ||
			math.Abs(x[0]*z[0]+line[0]-max(min(max(x[0]*z[0], 0.1*kappa), 10*kappa), x[0]*z[0]-10*kappa)) > 1e-12*(1+math.Abs(x[0]*z[0])) {
			t.Fatalf("without friction %g lacks %v", x[0]*z[0], line)
		}
		if s.offCentre(form.KindBilateral, kappa, a, &dx, &dz) != (vec3{}) {
			t.Fatal("a joint has a centre")
		}
	}
	if inside < 50 || outside < 50 {
		t.Errorf("%d within the bounds, %d beyond", inside, outside)
	}
	round := ntScaling{lambda: vec3{1}} // no direction to speak of
	if got := round.offCentre(form.KindCoulomb, 100, 1, &vec3{}, &vec3{}); got != (vec3{9}) {
		t.Errorf("at the axis %v, want 9 along it", got)
	}
}

// TestInteriorCentre: a corrected direction solves the motions' equations as the plain one does, its step is the
// one to the boundary, and no shorter; of 45, far off the centre, 8 are longer.
func TestInteriorCentre(t *testing.T) {
	longer, trials := 0, 0
	for seed, p := range interiorProblems() {
		for k := range 6 {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(72+k)))
			s := startRun(p, 1e-9)
			s.insidePath(rng, 1)
			in := &s.ws.interior
			s.interiorLook()
			kappa, _ := s.interiorGap()
			lu := s.ws.factors(s.ctx)
			s.interiorMatrix(lu, interiorSmooth*kappa)
			lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
			s.interiorDirection(lu, 0, false)
			s.interiorDirection(lu, 0.1*kappa, true)
			plain := s.interiorReach()
			if plain == 1 {
				continue
			}
			a := s.interiorCentre(lu, 0.1*kappa, plain)
			trials++
			if a < plain || a != s.interiorReach() {
				t.Errorf("problem %d: a step of %g becomes %g, to the boundary %g", seed, plain, a, s.interiorReach())
			}
			if a >= plain+centreGain*min(centreAhead, 1-plain) {
				longer++
			} else if a != plain {
				t.Errorf("problem %d: a step of %g became %g, too little to be taken", seed, plain, a)
			}
			for j := range in.x {
				kind, mu := s.cone(j)
				dr := make([]vec3, len(in.x))
				for i := range dr {
					_, m := s.cone(i)
					dr[i] = vec3{in.dx[i][0] / m, in.dx[i][1], in.dx[i][2]}
				}
				du := s.c.productAt(j, dr)
				z, dz := &in.z[j], &in.dz[j]
				left := dz[0] - du[0]/mu + in.res[j][0]
				if kind == form.KindCoulomb {
					left -= (z[1]*dz[1] + z[2]*dz[2]) / math.Sqrt(z[1]*z[1]+z[2]*z[2]+interiorSmooth*interiorSmooth*kappa*kappa)
				}
				// 1e-6: a joint has some compliance.
				if size := 1 + math.Abs(dz[0]) + math.Abs(du[0]); math.Abs(left) > 1e-6*size {
					t.Errorf("problem %d: the motion of contact %d, %v, is left with %g", seed, j, kind, left)
				}
			}
		}
	}
	if trials < 20 || longer < 4 {
		t.Errorf("%d of %d steps became longer", longer, trials)
	}
}

// TestSharpPath: with another smoothing the path leads to a solution as well, and the first says when it was left.
func TestSharpPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	p := randomProblem(rng, 3, 6, 18, func() Law { return Coulomb{Mu: 0.4} })
	for name, c := range map[string]struct {
		run    localMethod
		limit  int
		smooth float64
		want   Status
		cut    bool
	}{
		"first, short": {(*localRun).firstPath, 2, 3, IterationLimit, true},
		"first":        {(*localRun).firstPath, 5000, 3, Converged, false},
		"sharp":        {(*localRun).sharpPath, 5000, 1, Converged, false},
	} {
		s := startRun(p, 1e-9)
		if got := c.run(s, c.limit); got != c.want || s.cut != c.cut || s.ws.curve.smooth != c.smooth {
			t.Errorf("%s: %v, cut short: %t, smoothing %g", name, got, s.cut, s.ws.curve.smooth)
		}
		if c.want == Converged && !(s.c.merit(s.ws.u, s.ws.best) <= 1e-9) {
			t.Errorf("%s: merit %g", name, s.bestMerit)
		}
	}
}

// TestCentreByAim: the convex problem around an iterate is solved as far as is asked, and the best iterate and the tolerance
// stay.
func TestCentreByAim(t *testing.T) {
	rng := rand.New(rand.NewPCG(74, 1))
	p := randomProblem(rng, 3, 8, 20, func() Law { return Coulomb{Mu: 0.3} })
	last := 0
	for _, aim := range []float64{1e-2, 1e-4, 1e-6} {
		s := startRun(p, 1e-9)
		s.evaluate()
		best := s.bestMerit
		if status := s.centre(40, aim); status != Converged {
			t.Fatalf("aim %g: %v", aim, status)
		}
		if s.iterations <= last || s.bestMerit != best || s.tol != 1e-9 {
			t.Errorf("aim %g: %d steps after %d, best %g, tolerance %g", aim, s.iterations, last, s.bestMerit, s.tol)
		}
		last = s.iterations
	}
}

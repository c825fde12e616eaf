package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// insidePath puts the iterates of s at random inside their cones, with F_1 of the start and κ.
func (s *localRun) insidePath(rng *rand.Rand, kappa float64) {
	s.interiorBegin()
	s.pathBegin(curveSmooth)
	in := &s.ws.interior
	for j := range in.x {
		switch kind, _ := s.cone(j); kind {
		case form.KindBilateral:
			in.x[j] = randomVec(rng)
		case form.KindFrictionless:
			in.x[j], in.z[j] = vec3{0.1 + rng.Float64()}, vec3{0.1 + rng.Float64()}
		default:
			in.x[j], in.z[j] = insideCone(rng), insideCone(rng)
		}
	}
	s.ws.curve.kappa = kappa
}

// TestCentralPathEquations: F = z − g_κ(z_T)n − NWNx − Nq − κF_1 with g_κ = √(‖z_T‖² + (3κ)²) − 3κ vanishes at
// (e, e, 1); correction and tangent solve, with F' and x ∘ z linearised,
//
//	F'c = −F − ∂F/∂κ change,   G dx + G⁻¹dz = λ\((κ + change) e) − λ,   F't = −∂F/∂κ,   G dx + G⁻¹dz = λ\e,
//
// the correction is normal to (t, 1) in ‖(dx̃, dz̃)‖²/κ + (dκ/κ)², and off is the longest of a contact, √(‖·‖²/κ).
func TestCentralPathEquations(t *testing.T) {
	for seed, p := range interiorProblems() {
		rng := rand.New(rand.NewPCG(uint64(seed), 301))
		s := startRun(p, 1e-9)
		if !s.interiorBegin() {
			t.Fatal("a law that it knows is refused")
		}
		s.pathBegin(curveSmooth)
		in, a := &s.ws.interior, &s.ws.curve
		n := len(in.x)
		s.pathLook()
		for j := range n {
			if in.res[j] != (vec3{}) || a.kappa != 1 || a.length != 1 {
				t.Errorf("problem %d starts with F_%d = %v, κ = %g, a step of %g", seed, j, in.res[j], a.kappa, a.length)
			}
		}
		kappa := 0.02 + 0.3*rng.Float64()
		s.insidePath(rng, kappa)
		plain := make([]vec3, n)
		merit := s.interiorLook()
		copy(plain, in.res)
		if got := s.pathLook(); got != merit {
			t.Errorf("problem %d: merit %g, want %g", seed, got, merit)
		}
		slope, zero := make([]vec3, n), make([]vec3, n) // ∂F/∂κ
		for j := range n {
			f, z := a.start[j], in.z[j]
			want := plain[j]
			slope[j] = vec3{-f[0], -f[1], -f[2]}
			if kind, _ := s.cone(j); kind == form.KindCoulomb {
				slip := math.Hypot(z[1], z[2])
				root := math.Hypot(slip, 3*kappa)
				want[0] += slip - (root - 3*kappa)
				slope[j][0] -= 3 * (3*kappa/root - 1)
			}
			for k := range 3 {
				want[k] -= kappa * f[k]
				if math.Abs(in.res[j][k]-want[k]) > 1e-13*(1+math.Abs(want[k])) {
					t.Errorf("problem %d: F_%d = %v, want %v", seed, j, in.res[j], want)
				}
			}
		}
		lu := s.ws.factors(s.ctx)
		s.interiorMatrix(lu, curveSmooth*kappa)
		lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
		off, change, size := s.pathDirections(lu)

		f, along, worst, length := slices.Clone(in.res), change/kappa/kappa, 0.0, 1/(kappa*kappa)
		for j := range n {
			length += (num.Dot3(&a.tx[j], &a.tx[j]) + num.Dot3(&a.tz[j], &a.tz[j])) / kappa
			along += (num.Dot3(&a.tx[j], &a.cx[j]) + num.Dot3(&a.tz[j], &a.cz[j])) / kappa
			if kind, _ := s.cone(j); kind != form.KindBilateral {
				worst = max(worst, math.Sqrt((num.Dot3(&a.cx[j], &a.cx[j])+num.Dot3(&a.cz[j], &a.cz[j]))/kappa))
			}
		}
		if math.Abs(size-math.Sqrt(length)) > 1e-13*size || math.Abs(off-worst) > 1e-13*off {
			t.Errorf("problem %d: tangent of %g, want %g; off by %g, want %g", seed, size, math.Sqrt(length), off, worst)
		}
		if math.Abs(along) > 1e-12*(1+off)*size { // rounding of a product of the two
			t.Errorf("problem %d: a correction of %g has %g along the tangent", seed, off, along)
		}
		// The correction alone, and with the tangent added: so both.
		for _, part := range []float64{0, 1} {
			for j := range n {
				x, z := a.cx[j], a.cz[j]
				for k := range 3 {
					x[k] += part * a.tx[j][k]
					z[k] += part * a.tz[j][k]
					in.res[j][k] = f[j][k] + (change+part)*slope[j][k]
				}
				in.dx[j], in.dz[j] = s.pathFrame(j, &x, &z, 1)
			}
			s.checkInterior(t, curveSmooth*kappa, kappa+change+part, zero)
		}
	}
}

// TestCentralPathMoves: a correction goes nine tenths of the way to the boundary or all of it, κ with it, but
// not below a tenth; what is kept is the point and the unit tangent, and the way back; and a step along the tangent is as long as was asked
// for, as the cones allow and as κ stays above a tenth.
func TestCentralPathMoves(t *testing.T) {
	short, whole, deep := 0, 0, 0
	for seed, p := range append(interiorProblems(), interiorProblems()...) {
		rng := rand.New(rand.NewPCG(uint64(seed), 302))
		s := startRun(p, 1e-9)
		const kappa = 0.125
		s.insidePath(rng, kappa)
		in, a := &s.ws.interior, &s.ws.curve
		n := len(in.x)
		s.pathLook()
		lu := s.ws.factors(s.ctx)
		s.interiorMatrix(lu, curveSmooth*kappa)
		for _, list := range [][]vec3{a.cx, a.cz, a.tx, a.tz} {
			for j := range list {
				list[j] = randomVec(rng)
				for k := range 3 {
					list[j][k] *= math.Pow(10, -float64(seed%4))
				}
			}
		}
		for j := range n { // what no direction has: slip without friction, motions at joints
			if kind, _ := s.cone(j); kind == form.KindFrictionless {
				a.cx[j], a.cz[j], a.tx[j], a.tz[j] = vec3{a.cx[j][0]}, vec3{a.cz[j][0]}, vec3{a.tx[j][0]}, vec3{a.tz[j][0]}
			}
		}
		x, z := slices.Clone(in.x), slices.Clone(in.z)
		moved := func(what string, part float64, cx, cz []vec3, unit float64) {
			t.Helper()
			for j := range n {
				kind, mu := s.cone(j)
				sc := &in.scaling[j]
				dx, dz := num.MulVec3(&sc.b, &cx[j]), num.MulVec3(&sc.g, &cz[j])
				if kind == form.KindBilateral {
					dz = vec3{}
				}
				dx[0] *= mu // b is G⁻¹ with N
				for k := range 3 {
					wantX, wantZ := x[j][k]+part*unit*dx[k], z[j][k]+part*unit*dz[k]
					if math.Abs(in.x[j][k]-wantX) > 1e-13*(1+math.Abs(wantX)) || math.Abs(in.z[j][k]-wantZ) > 1e-13*(1+math.Abs(wantZ)) {
						t.Errorf("problem %d, %s: contact %d at %v, %v", seed, what, j, in.x[j], in.z[j])
					}
				}
			}
		}
		// reach is the largest step along a direction, in the frames of the scaling.
		reach := func(cx, cz []vec3, unit float64) float64 {
			for j := range n {
				in.dx[j], in.dz[j] = s.pathFrame(j, &cx[j], &cz[j], unit)
			}
			r := s.interiorReach()
			if r < 1 {
				short++
				return 0.9 * r
			}
			whole++
			return r
		}
		part := reach(a.cx, a.cz, 1)
		change := []float64{0.05, -0.05, -0.12, -0.2}[seed%4]
		s.pathCorrect(change)
		moved("corrected", part, a.cx, a.cz, 1)
		if want := max(kappa+part*change, 0.1*kappa); a.kappa != want {
			t.Errorf("problem %d: κ = %g, want %g", seed, a.kappa, want)
		}
		corrected := a.kappa
		copy(x, in.x)
		copy(z, in.z)
		unit := []float64{-0.5, 0.25, -0.0625}[seed%3]
		s.pathKeep(unit)
		a.length = []float64{0.5, 1, 2, 4}[seed%4]
		length, along := a.length, reach(a.tx, a.tz, unit*a.length)
		if corrected+along*length*unit < 0.1*corrected {
			deep++
			along = -0.9 * corrected / (length * unit)
		}
		s.pathAdvance()
		moved("along the tangent", along*length, a.tx, a.tz, unit)
		if want := corrected + along*length*unit; math.Abs(a.kappa-want) > 1e-15 || math.Abs(a.length-along*length) > 1e-15*length {
			t.Errorf("problem %d: κ = %g, want %g; a step of %g, want %g", seed, a.kappa, want, a.length, along*length)
		}
		if s.pathReturn(); !slices.Equal(in.x, x) || !slices.Equal(in.z, z) || a.kappa != corrected {
			t.Errorf("problem %d: not back where it was", seed)
		}
	}
	if short < 5 || whole < 5 || deep < 3 {
		t.Errorf("%d steps end before the boundary, %d are whole, %d end at a tenth of κ", short, whole, deep)
	}
}

// TestCentralPathRefuses: laws whose cones it does not know.
func TestCentralPathRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 303))
	if s := startRun(randomProblem(rng, 3, 3, 9, func() Law { return Tresca{Threshold: 1} }), 1e-9); s.centralPath(9) != Unsolved {
		t.Error("thresholds are taken")
	}
}

// TestCentralPathEarlier: the way is taken up again n points before the one that was kept, with its tangent and a quarter of
// the step from there; of more points than there is memory for the first are forgotten.
func TestCentralPathEarlier(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 304))
	s := startRun(interiorProblems()[0], 1e-9)
	s.insidePath(rng, 0.25)
	in, a := &s.ws.interior, &s.ws.curve
	lu := s.ws.factors(s.ctx)
	s.interiorMatrix(lu, curveSmooth*a.kappa)
	type point struct {
		x, ux, uz        []vec3
		kappa, uk, taken float64
	}
	var points []point
	keep := func(k int) {
		in.x[0][0], a.kappa = 1+float64(k), 0.25+0.01*float64(k)
		for j := range a.tx {
			a.tx[j], a.tz[j] = randomVec(rng), randomVec(rng)
		}
		s.pathKeep(-0.5 - float64(k))
		a.taken = 1 + float64(k)
		points = append(points, point{slices.Clone(in.x), slices.Clone(a.ux), slices.Clone(a.uz), a.kappa, a.uk, a.taken})
	}
	if keep(0); s.pathEarlier(1) {
		t.Error("there is nothing before the first point")
	}
	const most = curvePoints + 3
	for k := 1; k <= most; k++ {
		keep(k)
	}
	at := most
	back := func(n int) {
		t.Helper()
		a.apart = 1
		if at -= n; !s.pathEarlier(n) {
			t.Fatalf("no %d points before", n)
		}
		want := points[at]
		if !slices.Equal(in.x, want.x) || !slices.Equal(a.ux, want.ux) || !slices.Equal(a.uz, want.uz) || a.kappa != want.kappa || a.uk != want.uk {
			t.Errorf("%d points back: not at point %d", n, at)
		}
		if a.length != 0.25*want.taken || a.apart != 0 {
			t.Errorf("%d points back: a step of %g, want a quarter of %g, bent from %g", n, a.length, want.taken, a.apart)
		}
	}
	back(1)
	back(3)
	if s.pathEarlier(curvePoints) || !slices.Equal(in.x, points[at].x) {
		t.Error("more points than are left")
	}
	at++
	points = points[:at]
	a.taken = points[at-1].taken
	keep(at) // the point that was gone back to is an earlier one now
	back(1)
	for at > most-curvePoints {
		back(1)
	}
	if s.pathEarlier(1) {
		t.Error("points that were forgotten")
	}
}

// TestCentralPathLost: directions by factors of another matrix are counted as lost, until one is not; a path
// that has lost too many in a row ends.
func TestCentralPathLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 305))
	s := startRun(interiorProblems()[0], 1e-9)
	s.insidePath(rng, 0.125)
	a, lu := &s.ws.curve, s.ws.factors(s.ctx)
	s.pathLook()
	s.interiorMatrix(lu, curveSmooth*a.kappa)
	for j := range s.ws.b { // solutions are a hundred times too long
		for k := range 9 {
			s.ws.e[j][k] *= 0.01
			s.ws.b[j][k] *= 0.01
		}
	}
	lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
	for k := range 3 {
		if s.pathDirections(lu); a.lost != k+1 {
			t.Errorf("%d directions are lost, want %d", a.lost, k+1)
		}
	}
	s.interiorMatrix(lu, curveSmooth*a.kappa)
	lu.factor(s.ctx, s.c, s.ws.e, s.ws.b)
	if s.pathDirections(lu); a.lost != 0 {
		t.Errorf("%d directions are lost after a good one", a.lost)
	}
}

// TestCentralPathStands: the ends of the path.
func TestCentralPathStands(t *testing.T) {
	for _, c := range []struct {
		kappa, length, merit float64
		lost, stale, slow    int
		want                 bool
	}{
		{1e-8, 1, 1, 0, 0, 1e6, false},
		{0.9e-12, 1, 1, 0, 0, 0, true},
		{1e-8, 0.9e-6, 1, 0, 0, 0, true},
		{1e-8, 1, 1, curveLosses, 0, 0, false},
		{1e-8, 1, 1, curveLosses + 1, 0, 0, true},
		{1e-8, 1, 1, 0, curvePatience, 0, false},
		{1e-8, 1, 1, 0, curvePatience + 1, 0, true},
		{1e-8, 1, 1e-6, 0, curveNear, 0, false},
		{1e-8, 1, 1e-6, 0, curveNear + 1, 0, true},
		{1e-8, 1, 1.1e-6, 0, curveNear + 1, 0, false},
		{1e-8, 1, 1e-5, 0, 0, curveSlow, false},
		{1e-8, 1, 1e-5, 0, 0, curveSlow + 1, true},
		{1e-8, 1, 1e-6, 0, 0, curveSlow + 1, true},
		{1e-7, 1, 1e-5, 0, 0, curveSlow + 1, false},
		{1e-8, 1, 1.1e-5, 0, 0, curveSlow + 1, false},
	} {
		s := startRun(interiorProblems()[0], 1e-9)
		s.ws.curve.kappa, s.ws.curve.length, s.ws.curve.lost, s.bestMerit = c.kappa, c.length, c.lost, c.merit
		if got := s.pathStands(c.stale, c.slow); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

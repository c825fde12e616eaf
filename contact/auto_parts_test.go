package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"math"
	"slices"
	"testing"
)

// TestWhenStagesRun: the conditions of the plan's stages at the sizes and merits where they change.
func TestWhenStagesRun(t *testing.T) {
	run := func(nc int, merit float64, kinds ...form.LawKind) *localRun {
		c := &reduced{nc: nc, kind: kinds, mu: make([]float64, len(kinds))}
		for j := range c.mu {
			c.mu[j] = 0.5
		}
		return &localRun{c: c, ws: new(LocalWorkspace), bestMerit: merit, want: 1e-8}
	}
	is := func(what string, f func(s *localRun) bool, s *localRun, want bool) {
		t.Helper()
		if f(s) != want {
			t.Errorf("%s: %t of %d contacts at %g", what, !want, s.c.nc, s.bestMerit)
		}
	}
	for _, c := range []struct {
		what        string
		f           func(s *localRun) bool
		first, last int // contacts
	}{
		{"many", (*localRun).many, form.UntieFrom, 1e9},
		{"large", (*localRun).large, autoLarge, 1e9},
		{"centrable", (*localRun).centrable, autoLarge, autoCentred},
		{"near the centre", (*localRun).centrableNear, autoLarge, autoCentred},
		{"pointed", (*localRun).pointed, form.UntieFrom, autoPointed},
		{"pointed and near", (*localRun).pointedNear, form.UntieFrom, autoPointed},
		{"pointed and large", (*localRun).pointedLarge, autoLarge, autoPointed},
		{"curved", (*localRun).curved, form.UntieFrom, autoCurved},
		{"short", (*localRun).short, form.UntieFrom, autoPointed},
		{"regional", (*localRun).regional, autoLarge, 1e9},
		{"regional and large", (*localRun).regionalLarge, autoLarge, autoCurved},
		{"regional and vast", (*localRun).regionalVast, autoCurved + 1, autoPointed},
		{"regional and more", (*localRun).regionalRest, autoPointed + 1, 1e9},
	} {
		for _, nc := range []int{c.first - 1, c.first, c.last, c.last + 1} {
			is(c.what, c.f, run(nc, 0, form.KindCoulomb, form.KindFrictionless, form.KindBilateral), nc >= c.first && (nc <= c.last || c.last == 1e9))
		}
		other := run(c.first, 0, form.KindCoulomb, form.KindTresca)
		is(c.what+", thresholds", c.f, other, c.what == "many" || c.what == "large")
	}
	is("wandering", (*localRun).wandering, run(form.UntieFrom-1, 0, form.KindCoulomb), false)
	is("wandering", (*localRun).wandering, run(form.UntieFrom, 0, form.KindCoulomb), true)
	is("wandering", (*localRun).wandering, run(autoLarge, 0, form.KindCoulomb), false)
	is("wandering, thresholds", (*localRun).wandering, run(autoLarge, 0, form.KindTresca), true)
	is("wandering, vast", (*localRun).wandering, run(autoCentred+1, 0, form.KindCoulomb), true)
	is("near", (*localRun).near, run(form.UntieFrom, autoNear, form.KindCoulomb), true)
	is("near", (*localRun).near, run(form.UntieFrom, 1.01*autoNear, form.KindCoulomb), false)
	is("pointed and near", (*localRun).pointedNear, run(form.UntieFrom, autoEdge, form.KindCoulomb), true)
	is("pointed and near", (*localRun).pointedNear, run(form.UntieFrom, 1.01*autoEdge, form.KindCoulomb), false)
	thin := run(autoLarge, 0, form.KindCoulomb, form.KindBilateral)
	thin.thin = true
	is("large", (*localRun).large, thin, false)
	is("near the centre", (*localRun).centrableNear, run(autoLarge, 1.01*autoNear, form.KindCoulomb), false)
	cut := run(form.UntieFrom, 0, form.KindCoulomb)
	is("curved on", (*localRun).curvedOn, cut, false)
	cut.cut = true
	is("curved on", (*localRun).curvedOn, cut, true)
	is("curved on, few", (*localRun).curvedOn, &localRun{c: run(form.UntieFrom-1, 0, form.KindCoulomb).c, cut: true}, false)
	is("short", (*localRun).short, run(form.UntieFrom, 1e-8, form.KindCoulomb), true)
	is("short", (*localRun).short, run(form.UntieFrom, 1.01e-8, form.KindCoulomb), false)
	plane := run(autoLarge, 0, form.KindCoulomb)
	plane.c.plane = true
	is("regional in the plane", (*localRun).regional, plane, false)
	is("associated ones are not separable", (*localRun).regional, run(autoLarge, 0, form.KindAssociated), false)
	is("conical", (*localRun).conical, run(1, 0, form.KindAssociated, form.KindCoulomb), true)
	is("rubs", (*localRun).rubs, run(2, 0, form.KindFrictionless, form.KindCoulomb), true)
	is("rubs", (*localRun).rubs, run(2, 0, form.KindFrictionless, form.KindPyramid), true)
	is("rubs", (*localRun).rubs, run(2, 0, form.KindTresca, form.KindAssociated), false)
	smooth := run(2, 0, form.KindCoulomb, form.KindPyramid)
	clear(smooth.c.mu)
	is("rubs without a coefficient", (*localRun).rubs, smooth, false)
	// Costs in products of blocks: half of them and six a contact; the fill that is guessed.
	s := run(10, 0)
	s.c.col = make([]int32, 40)
	if s.sweepCost() != 80 || math.Abs(s.newtonCost()-(6*(1.5*160+120+150)+1200)) > 1e-9 {
		t.Errorf("a sweep costs %g, Newton's step %g", s.sweepCost(), s.newtonCost())
	}
	s.limit, s.iterations = 10, 9
	for _, c := range []struct {
		status     Status
		iterations int
		want       bool
	}{{Converged, 0, true}, {Canceled, 0, true}, {Infeasible, 0, true}, {NoProgress, 9, false}, {NoProgress, 10, true}, {NoProgress, 11, true}, {IterationLimit, 0, false}, {NumericalFailure, 0, false}} {
		s.iterations = c.iterations
		if s.final(c.status) != c.want {
			t.Errorf("%v after %d of 10: final: %t", c.status, c.iterations, !c.want)
		}
	}
}

// TestWorkspaceLists: the vectors of a workspace are lists of their own, whose ends do not meet, at each size.
func TestWorkspaceLists(t *testing.T) {
	var ws LocalWorkspace
	for _, nc := range []int{3, 5, 2} {
		p := &Local{W: diagonal(3, slices.Repeat([]float64{1}, 3*nc)...), Q: make([]float64, 3*nc), Laws: slices.Repeat([]Law{Frictionless{}}, nc)}
		ws.prepare(p)
		lists := [][]vec3{ws.r, ws.u, ws.best, ws.f, ws.d, ws.trial}
		for k, x := range lists {
			if len(x) != nc || k < 5 && cap(x) != nc {
				t.Fatalf("list %d has %d of %d contacts, room for %d", k, len(x), nc, cap(x))
			}
			for j := range x {
				x[j][0] = float64(100*k + j)
			}
		}
		for k, x := range lists {
			for j := range x {
				if x[j][0] != float64(100*k+j) {
					t.Errorf("lists %d and another share contact %d", k, j)
				}
			}
		}
		ws.e[nc-1][0], ws.b[0][0] = 1, 2
		if len(ws.e) != nc || len(ws.b) < nc || ws.e[nc-1][0] != 1 || ws.b[0][0] != 2 {
			t.Error("blocks overlap")
		}
	}
}

// TestSlender: a row of a thousand bodies joined to their neighbours is thin; without joints, with fewer contacts, or as a cube
// of ten by ten by ten it is not said to be.
func TestSlender(t *testing.T) {
	const n = 10
	problem := func(contacts int, joints bool, steps ...int) *Local {
		b, laws := &Blocks{D: 2, Ptr: []int{0}}, make([]Law, contacts)
		for i := range contacts {
			for j := range contacts {
				near := i == j
				for _, step := range steps { // n³ lies within one step in each direction
					near = near || max(i-j, j-i) == step
				}
				if near {
					v := -0.1
					if i == j {
						v = 1
					}
					b.Col, b.Val = append(b.Col, j), append(b.Val, v, 0, 0, v)
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
			laws[i] = Coulomb{Mu: 0.3}
			if joints && i%2 == 1 {
				laws[i] = Bilateral{}
			}
		}
		return &Local{W: b, Q: make([]float64, 2*contacts), Laws: laws}
	}
	for _, c := range []struct {
		what string
		p    *Local
		want bool
	}{
		{"a row with joints", problem(autoLarge, true, 1), true},
		{"a row without joints", problem(autoLarge, false, 1), false},
		{"a short row", problem(autoLarge-1, true, 1), false},
		{"a cube", problem(autoLarge, true, 1, n, n*n), false},
	} {
		s := startRun(c.p, 1e-8)
		if got := s.slender(); got != c.want {
			t.Errorf("%s: thin is %t", c.what, got)
		}
	}
}

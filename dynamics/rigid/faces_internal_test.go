package rigid

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestConcedes: steps of bodies with faces that have a weight may be conceded, in space, on exact
// cones, without joints and rebound.
func TestConcedes(t *testing.T) {
	down, box := vec{0, 0, -10}, bodies.Body{Shape: bodies.Box{Size: vec{.2, .2, .2}}, Mass: 1, Position: vec{0, 0, .1}}
	ball := bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: vec{0, 0, .1}}
	egg := bodies.Body{Shape: bodies.Ellipsoid{Axes: vec{.1, .2, .1}}, Mass: 1, Position: vec{0, 0, .1}}
	flat := bodies.Body{Shape: bodies.Polygon{Vertices: [][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}, Mass: 1}
	rough := multibody.Setup{Material: multibody.Material{Mu: .5}}
	for _, c := range []struct {
		name    string
		dim     int
		gravity vec
		setup   multibody.Setup
		o       Options
		body    bodies.Body
		want    bool
	}{
		{"a box", 3, down, rough, Options{}, box, true},
		{"on the gap grid", 3, down, rough, Options{Grid: GapGrid}, box, true},
		{"a ball", 3, down, rough, Options{}, ball, false},
		{"an egg", 3, down, rough, Options{}, egg, false},
		{"in the plane", 2, vec{0, -10}, rough, Options{}, flat, false},
		{"no weight", 3, vec{}, rough, Options{}, box, false},
		{"rebound", 3, down, multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: .1}}, Options{}, box, false},
		{"polygons", 3, down, rough, Options{Friction: Polyhedron}, box, false},
		{"drift", 3, down, rough, Options{Unstabilised: true}, box, false},
		{"a joint", 3, down, multibody.Setup{Material: multibody.Material{Mu: .5}, Joints: []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: -1}}}, Options{}, box, false},
	} {
		s := stepperOf(t, c.dim, c.gravity, c.setup, c.o, []bodies.Body{c.body})
		merit, share := s.Loosest()
		if s.concedes() != c.want || share > 0 != (c.want || s.tumbles()) || merit > s.o.Accept != (share > 0) {
			t.Errorf("%s: %t, want %t; merit %g and share %g count as solved", c.name, s.concedes(), c.want, merit, share)
		}
		if c.want && !s.tumbles() && share != facesMost {
			t.Errorf("%s: share %g", c.name, share)
		}
	}
}

// TestFairProblems: those of faces that move, of a dozen contacts and more, and in units of gh, h
// that of the whole step; a second one of the step ends sooner.
func TestFairProblems(t *testing.T) {
	s := boxOnBox(t, Options{}, 0)
	s.step.H = .02
	members := make([]int, fewContacts)
	for _, c := range []struct {
		name   string
		change func(*solver)
		n      int
		want   bool
	}{
		{"faces", func(*solver) {}, fewContacts, true},
		{"few contacts", func(*solver) {}, fewContacts - 1, false},
		{"points", func(p *solver) { p.faces = false }, fewContacts, false},
		{"tumbling", func(p *solver) { p.unit = 1 }, fewContacts, false},
		{"calm", func(p *solver) { p.calm = true }, fewContacts, false},
		{"the step that tells the error", func(p *solver) { p.rough = true }, fewContacts, true},
		{"late", func(p *solver) { p.late = true }, fewContacts, false},
	} {
		for _, before := range []int{0, 1} {
			p := &solver{dim: 3, faces: true, units: []float64{7}}
			c.change(p)
			s.step.Loose.Solves = before
			s.openFair(p, members[:c.n])
			if p.fair != c.want || p.eager != (c.want && before > 0) {
				t.Errorf("%s, %d before: %t, %t", c.name, before, p.fair, p.eager)
			}
			if c.want && (len(p.units) != c.n || slices.Max(p.units) != .2 || slices.Min(p.units) != .2) || !c.want && len(p.units) != 1 {
				t.Errorf("%s: units %g", c.name, p.units)
			}
		}
	}
	s.model.Setup.Material.Restitution = .5
	p := &solver{dim: 3, faces: true}
	if s.openFair(p, members); p.fair {
		t.Error("what rebounds")
	}
}

// fairChain is a chain of n contacts that press by 1 but for the first one, which slips, with
// impulses that a stage may have found: those of the solution, but that of contact 1, which is off.
func fairChain(n int, off float64) (*solver, []float64) {
	b, r := make([]float64, 3*n), make([]float64, 3*n)
	for i := range n {
		b[3*i], r[3*i] = -1, 1
	}
	b[1], r[1] = 2, -.5
	p := chain(n, 0, b, r)
	p.unit, p.fair, p.accept, p.nearest = 0, true, 1e-8, math.Inf(1)
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	x := slices.Clone(r)
	x[4] = off
	return p, x
}

// TestConcede: the best impulses of the stages are taken if what they leave is within a share of
// the limits, projected, with what they leave said; else nothing is said.
func TestConcede(t *testing.T) {
	leaves := 2 * math.Sqrt(5) // e of an impulse along t of 1: u_T and μ‖u_T‖, by the size 2 over the scale ½ of chain
	for _, c := range []struct {
		off, share float64
		want       bool
	}{
		{.9 * facesMost / leaves, 1, true},
		{1.1 * facesMost / leaves, 1, false},
		{.9 * facesMost / leaves, .1, false},
		{.09 * facesMost / leaves, .1, true},
	} {
		p, x := fairChain(3, c.off)
		p.units = []float64{1, 1, 1}
		worse := slices.Clone(x)
		worse[4] = 10
		p.res.R, p.res.Merit = worse, 1e-4
		p.keepNear()
		p.res.R, p.res.Merit = x, 1e-5
		p.keepNear()
		p.res.R, p.res.Merit = worse, 1e-3
		p.keepNear()
		if got := p.concede(t.Context(), c.share); got != c.want || (p.loose.merit > 0) != c.want {
			t.Errorf("off by %g of %g: %t, left %+v", c.off*leaves, c.share*facesMost, got, p.loose)
		}
		if c.want && (p.loose.merit != 1e-5 || math.Abs(p.loose.share-c.off*leaves) > 1e-12 || p.res.R[4] != c.off) {
			t.Errorf("left %+v by %g", p.loose, p.res.R)
		}
	}
	p, x := fairChain(3, 0)
	p.units = []float64{1, 1, 1}
	if p.concede(t.Context(), 1) {
		t.Error("nothing to concede")
	}
	p.res.R, p.res.Merit = x[:3], 1e-9
	if p.keepNear(); p.concede(t.Context(), 1) {
		t.Error("impulses of another problem")
	}
	p.res.R = x
	p.fair = false
	if p.keepNear(); !math.IsInf(p.nearest, 1) || p.concede(t.Context(), 1) {
		t.Error("not fair")
	}
	p.fair = true
	p.keepNear()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if p.concede(done, 1) {
		t.Error("canceled")
	}
	if p.nearest = 2 * looseFair.merit; p.concede(t.Context(), 1) {
		t.Error("a merit beyond all limits")
	}
}

// TestTrifle: what a merit of Options.Accept may give is no gift: of 3 contacts with impulses of 1
// and .5 and speeds of 2 it is 2·3.5e-8.
func TestTrifle(t *testing.T) {
	p, _ := fairChain(3, 0)
	r := slices.Clone(p.r)
	if got := p.trifle(r, 1e-8); math.Abs(got-2*3.5e-8) > 1e-20 {
		t.Errorf("%g", got)
	}
	r[0] = 4
	if got := p.trifle(r, 1e-8); math.Abs(got-4*6.5e-8) > 1e-20 {
		t.Errorf("an impulse that is larger: %g", got)
	}
	p.units = []float64{1, 1, 1}
	p.polish.u = make([]float64, 9)
	for _, c := range []struct{ opens, given float64 }{{1e-8, 0}, {2e-7, (2e-7 - 7e-8) * 4}} {
		r = slices.Clone(p.r)
		p.b[3] = c.opens - 1 // contact 1 opens under its impulse of 1
		p.multiply(p.polish.u, r)
		if left, _ := p.missed(r, 1e-5); math.Abs(left.given-c.given) > 1e-13 {
			t.Errorf("opens by %g: gave %g, want %g", c.opens, left.given, c.given)
		}
	}
	p.fair = false
	p.b[3] = 1e-8 - 1
	p.multiply(p.polish.u, p.r)
	if left, _ := p.missed(p.r, 1e-5); math.Abs(left.given-4e-8) > 1e-13 {
		t.Errorf("bodies that tumble: gave %g", left.given)
	}
}

// TestTryFair: what the stages leave is conceded before the plan in islands of some size, after it
// in others; what is not ends the step where it may be cut, and the plan without a limit follows
// where it may not.
func TestTryFair(t *testing.T) {
	for _, c := range []struct {
		name          string
		n             int
		unit          float64
		mayCut        bool
		solved, plans bool
		limit         int
	}{
		{"many", manyContacts, 1, true, true, false, 0},
		{"few", 4, 1, true, true, true, cutIterations},
		{"none", 3, 1e-300, true, false, true, cutIterations},
		{"to the end", 3, 1e-300, false, false, true, 0},
	} {
		p, _ := fairChain(c.n, 0)
		p.w = chain(c.n, .3, nil, nil).w
		p.local.W = &p.w
		for i := range p.b {
			p.b[i] += 1e-3 * math.Sin(float64(i)) // no merit is 0
		}
		p.faces, p.opt.Tolerance = true, 1e-10
		if err := p.try(t.Context(), contact.MethodAuto, 1000, nil); err != nil {
			t.Fatal(err)
		}
		for i := range p.units {
			p.units[i] = c.unit
		}
		p.keepNear()
		p.opt.Tolerance, p.opt.Method = 1e-300, contact.MethodNewton // more than there is
		ctx, cancel := context.WithCancel(t.Context())
		p.opt.OnIteration = func(contact.Iteration) {
			if p.opt.MaxIterations == 0 { // it has begun
				cancel()
			}
		}
		err := p.tryFair(ctx, c.mayCut)
		cancel()
		if (err == nil) != c.solved || (p.loose.merit > 0) != c.solved {
			t.Errorf("%s: %v, left %+v", c.name, err, p.loose)
		}
		if plans := p.opt.Method == contact.MethodAuto; plans != c.plans || plans && p.opt.MaxIterations != c.limit {
			t.Errorf("%s: the plan %t, of %d iterations", c.name, plans, p.opt.MaxIterations)
		}
	}
}

// TestToGaps: the rest of a step goes to the gap grid after a problem that was conceded, or a
// clatter of many faces; the step after it is on the grid of the options.
func TestToGaps(t *testing.T) {
	for _, c := range []struct {
		name     string
		grid     Grid
		solves   int
		slow     int
		contacts int
		want     bool
	}{
		{"conceded", CollisionGrid, 1, 0, 1, true},
		{"solved", CollisionGrid, 0, 0, 100, false},
		{"a fixed grid", FixedGrid, 1, 0, 1, false},
		{"a clatter", CollisionGrid, 0, clatterHits, manyContacts, true},
		{"of few", CollisionGrid, 0, clatterHits, manyContacts - 1, false},
		{"no clatter", CollisionGrid, 0, clatterHits - 1, manyContacts, false},
	} {
		s := boxOnBox(t, Options{Alpha: .5, Grid: c.grid}, 0)
		s.step.Loose.Solves, s.slowHits = c.solves, c.slow
		for range c.contacts {
			s.p.list = append(s.p.list, 0)
		}
		s.toGaps(.01)
		if got := s.mode.grid == GapGrid; got != c.want || s.gaps != c.want || (s.mode.alpha == 1) != c.want || (s.mode.gamma == 1) != c.want {
			t.Errorf("%s: grid %v, α %g, γ %g", c.name, s.mode.grid, s.mode.alpha, s.mode.gamma)
		}
		s.mode = stepMode{c.grid, .5, .5}
		if s.begin(.01); s.mode.grid != c.grid || s.mode.alpha != .5 || s.mode.gamma != .5 || s.gaps {
			t.Errorf("%s: afterwards grid %v, α %g, γ %g, %t", c.name, s.mode.grid, s.mode.alpha, s.mode.gamma, s.gaps)
		}
	}
	s := boxOnBox(t, Options{Alpha: .5}, 0) // at rest: the step is whole, and the grid that of the options
	s.step.Loose.Solves = 1
	if err := s.whole(t.Context(), .01); err != nil || s.mode.grid != CollisionGrid || s.mode.alpha != .5 || !s.gaps {
		t.Errorf("%v, grid %v, α %g, %t", err, s.mode.grid, s.mode.alpha, s.gaps)
	}
}

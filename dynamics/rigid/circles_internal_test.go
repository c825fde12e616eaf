package rigid

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// boxOnBox is a box of .2 m at rest on a floor and another one on it, shifted by a length.
func boxOnBox(t *testing.T, o Options, shift float64) *Stepper {
	box := bodies.Box{Size: vec{.2, .2, .2}}
	return stepperOf(t, 3, vec{0, 0, -10}, multibody.Setup{Material: multibody.Material{Mu: .5}}, o,
		[]bodies.Body{{Shape: box, Mass: 1, Position: vec{0, 0, .1}}, {Shape: box, Mass: 1, Position: vec{shift, 0, .3}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
}

// TestCircles: rounds that part what met in the one before, four times over, are a circle, and the
// step is taken straight; such a touch that stays apart is none, nor is one that does not take
// part.
func TestCircles(t *testing.T) {
	const h = 5e-3
	for _, alpha := range []float64{.5, 1} {
		s := boxOnBox(t, Options{Alpha: .5}, .1)
		s.alpha, s.gamma = alpha, alpha
		s.bent = make([]bend, len(s.touches))
		one := -1
		for i := range s.touches {
			if s.touches[i].B >= 0 {
				one = i
			}
		}
		round := func(v float64) { // the upper box slides by v h, and off the lower one
			clear(s.w)
			s.w[6] = v
			s.bendPath(h)
			s.bendOne(one, h)
		}
		for k := range 2 * bendLost {
			s.p.list = []int{one}
			if s.circles() {
				t.Errorf("alpha %g: after %d rounds, %d losses: a circle", alpha, k, s.bent[one].lost)
			}
			if k%2 == 0 {
				round(0)
			} else {
				round(100)
			}
			if lost := (k + 1) / 2; s.bent[one].lost != lost {
				t.Errorf("alpha %g: round %d: lost %d times, want %d", alpha, k, s.bent[one].lost, lost)
			}
		}
		round(100) // still apart
		if s.bent[one].lost != bendLost {
			t.Errorf("alpha %g: what stays apart is lost %d times", alpha, s.bent[one].lost)
		}
		if !s.circles() {
			t.Errorf("alpha %g: no circle", alpha)
		}
		if s.p.list = nil; s.circles() {
			t.Error("a touch that takes no part goes round")
		}
		s.p.list = []int{one}
		clear(s.w)
		s.w[10] = -.5 // a turn
		last := 1.0
		if done, err := s.bendAll(h, 0, &last); done || err != nil || !s.straight || len(s.bent) != 0 {
			t.Errorf("alpha %g: done %t, %v, straight %t", alpha, done, err, s.straight)
		}
	}
}

// TestSlivers: of a sliver of two boxes, 1 µm wide, the touches are one at each end: the nearer of
// two, or the first one. What is left out counts as loaded as long as that one does. Touches 20 µm
// apart are two, and those of a floor are all of their own.
func TestSlivers(t *testing.T) {
	for _, c := range []struct {
		width   float64
		touches int
	}{{1e-6, 2}, {2e-5, 4}, {.1, 4}} {
		s := boxOnBox(t, Options{}, .2-c.width)
		var pair []int
		for i := range s.touches {
			if s.touches[i].B >= 0 {
				pair = append(pair, i)
			}
		}
		if len(pair) != 4 || len(s.touches) != 12 && len(s.touches) != 8 {
			t.Fatalf("%d touches of the pair, %d of all", len(pair), len(s.touches))
		}
		list := func() (n int) {
			s.chooseActive()
			for _, i := range s.p.list {
				if s.touches[i].B >= 0 {
					n++
				}
			}
			return n
		}
		if got := list(); got != c.touches || len(s.p.list)-got != 4 || len(s.p.laws) != len(s.p.list) {
			t.Errorf("width %g: %d touches of the pair and %d of the floor", c.width, got, len(s.p.list)-got)
		}
		for _, i := range pair {
			s.touches[i].Gap += 1e-12
		}
		for _, near := range pair { // the nearer one
			s.touches[near].Gap -= 2e-12
			list()
			found := false
			for _, i := range s.p.list {
				found = found || i == near
			}
			if !found {
				t.Errorf("width %g: the nearest touch, %d, is left out", c.width, near)
			}
			s.touches[near].Gap += 2e-12
		}
		list()
		if len(s.p.twins) != 4-c.touches {
			t.Fatalf("width %g: twins %v", c.width, s.p.twins)
		}
		for _, x := range s.p.twins {
			for _, loaded := range []bool{true, false} {
				s.marks[x[1]].loaded = loaded
				if s.loadTwins(); s.marks[x[0]].loaded != loaded {
					t.Errorf("what stands for %d is loaded: %t", x[0], loaded)
				}
			}
		}
	}
}

// TestSliverHolds: a box on whose edge another one lies with a sliver of 1 µm, held by a third one
// on the other side, stands, in steps of few iterations.
func TestSliverHolds(t *testing.T) {
	box := bodies.Box{Size: vec{.2, .2, .2}}
	for _, grid := range []Grid{CollisionGrid, GapGrid} {
		s := stepperOf(t, 3, vec{0, 0, -10}, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{Grid: grid}, []bodies.Body{
			{Shape: box, Mass: 1, Position: vec{0, 0, .1}}, {Shape: box, Mass: 1, Position: vec{.2 - 1e-6, 0, .3}},
			{Shape: box, Mass: 1, Position: vec{.25, 0, .1}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
		for range 20 {
			if err := s.Step(t.Context(), 5e-3); err != nil {
				t.Fatal(err)
			}
			if x := s.Last(); len(x.Cuts) > 0 || x.Iterations > 100 || x.Penetration > 1e-10 {
				t.Errorf("grid %d, t = %g: %d iterations, cuts %v, penetration %g", grid, x.T, x.Iterations, x.Cuts, x.Penetration)
			}
		}
		if e := s.Energy(); e.Kinetic > 1e-18 {
			t.Errorf("grid %d: kinetic energy %g", grid, e.Kinetic)
		}
	}
}

// TestPlanOfFaces: where a step may be cut, faces in space are left to the plan after two stages,
// with as many iterations as their number says; a huge island is cut after one.
func TestPlanOfFaces(t *testing.T) {
	for _, c := range []struct {
		n             int
		faces, mayCut bool
		want          int
	}{
		{largeFaces - 1, true, true, cutIterations}, {largeFaces, true, true, cutPlan}, {largeIsland, false, true, cutLarge}, {largeIsland - 1, false, true, cutIterations},
		{largeFaces, true, false, 0}, {largeIsland, false, false, 0},
	} {
		p := &solver{dim: 3, faces: c.faces, list: make([]int, c.n)}
		if got := p.planLimit(c.mayCut); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for _, c := range []struct {
		n      int
		method contact.Method
		limit  int
	}{{fewContacts, contact.MethodAuto, cutIterations}, {hugeIsland, contact.MethodWarm, 2000}} {
		p := &solver{dim: 3, faces: true, w: contact.Blocks{D: 3, Ptr: []int{0}}}
		for i := range c.n { // a chain
			p.list, p.laws = append(p.list, i), append(p.laws, contact.Coulomb{Mu: .3})
			for _, x := range [][2]float64{{-1, -.4}, {0, 1}, {1, -.4}} {
				if j := i + int(x[0]); j >= 0 && j < c.n {
					p.w.Col, p.w.Val = append(p.w.Col, j), append(p.w.Val, x[1], 0, 0, 0, x[1], 0, 0, 0, x[1])
				}
			}
			p.w.Ptr = append(p.w.Ptr, len(p.w.Col))
			p.b, p.r = append(p.b, -1-.37*float64(i%3), .1*math.Sin(float64(i)), .2), append(p.r, 0, 0, 0)
		}
		p.normalise()
		p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
		p.opt.Tolerance = 1e-300 // which nothing solves it to
		o := Options{Accept: 1e-300}
		if err := p.attempt(t.Context(), &o, true); err == nil || p.opt.Method != c.method || p.opt.MaxIterations != c.limit {
			t.Errorf("%d contacts: %v, the last method is %v, of %d iterations", c.n, err, p.opt.Method, p.opt.MaxIterations)
		}
	}
}

// TestClatters: after so many slow collisions of a step all pairs settle that come no faster than
// its forces make them go, hit or not; those that come faster, rebound or have settled stay as they
// are. A new step counts anew.
func TestClatters(t *testing.T) {
	for _, c := range []struct {
		name         string
		slow         int
		fall         float64 // speed of the upper box
		restitution  float64
		known        rattle
		pair, ground bool // settle
	}{
		{"too few", clatterHits - 1, .01, 0, rattle{}, false, false},
		{"enough", clatterHits, .01, 0, rattle{}, true, true},
		{"fast", clatterHits, .2, 0, rattle{}, false, true},
		{"rebounding", clatterHits, .01, .3, rattle{hits: 1}, false, false},
		{"having rebounded", clatterHits, .01, .3, rattle{hits: 2}, true, false},
		{"settled", clatterHits, .01, 0, rattle{near: 7, settled: true}, true, true},
	} {
		s := boxOnBox(t, Options{}, .1)
		const h, part = 1e-2, 2.5e-3 // gh = .1 m/s
		s.model.Setup.Material.Restitution = c.restitution
		s.step.H, s.slowHits = h, c.slow
		for i := range s.model.Bodies {
			s.kick[s.model.Bodies[i].V+2] = -10 * part
		}
		s.v[8] = -c.fall
		pair, ground := bodies.PairTouch(0, 1), bodies.FloorTouch(0, 0)
		if c.known != (rattle{}) {
			s.hits[pair.Pair()] = c.known
		}
		s.clatters(part)
		a, b := s.hits[pair.Pair()], s.hits[ground.Pair()]
		if a.settled != c.pair || b.settled != c.ground {
			t.Errorf("%s: the boxes settle: %t, that on the floor: %t", c.name, a.settled, b.settled)
		}
		want := max(.1*h, s.releaseGap())
		if c.known.near > 0 {
			want = c.known.near
		}
		if c.pair && math.Abs(a.near-want) > 1e-12*want || c.ground && c.known.near == 0 && !(math.Abs(b.fastest-.1) < 1e-12) {
			t.Errorf("%s: near %g, want %g, fastest %g", c.name, a.near, want, b.fastest)
		}
		if s.begin(h); s.slowHits != 0 {
			t.Errorf("%d slow collisions at the beginning of a step", s.slowHits)
		}
	}
	// Which are slow: no faster than the forces of the step make a body go.
	for _, v := range []float64{.09, .11} {
		s := boxOnBox(t, Options{}, .1)
		s.step.H = 1e-2
		s.kick[s.model.Bodies[0].V+2] = -.1
		s.v[2] = -v
		ground := bodies.FloorTouch(0, 0)
		if s.rattles(&ground, 1e-2); (s.slowHits == 1) != (v < .1) {
			t.Errorf("%g m/s: %d slow collisions", v, s.slowHits)
		}
	}
}

// TestTries: how many stages are tried before the plan, or a cut, where the step may be cut; all
// where it may not.
func TestTries(t *testing.T) {
	const all = math.MaxInt
	for _, c := range []struct {
		n                          int
		faces, mayCut, rough, bare bool
		want                       int
	}{
		{largeIsland - 1, true, true, false, false, cutFaces}, {largeIsland, true, true, false, false, cutFacesLarge}, {largeFaces - 1, true, true, false, false, cutFacesLarge},
		{largeFaces, true, true, false, false, cutFaces}, {hugeIsland - 1, true, true, false, false, cutFaces}, {hugeIsland, true, true, false, false, cutHuge},
		{hugeIsland, false, true, false, false, cutHuge}, {largeFaces, false, true, false, false, all}, {largeFaces, true, false, false, false, all},
		{hugeIsland, true, true, true, false, all}, {hugeIsland, true, true, false, true, all},
	} {
		p := &solver{dim: 3, faces: c.faces, rough: c.rough, bare: c.bare, list: make([]int, c.n)}
		if got := p.tries(c.mayCut); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if all <= cutFaces || cutFaces <= cutFacesLarge || cutFacesLarge <= cutHuge {
		t.Error("more stages for larger islands")
	}
}

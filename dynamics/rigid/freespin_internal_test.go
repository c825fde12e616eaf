package rigid

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/signal"
)

// TestIdleSpins: which spins of a body may be free: of none that joints or forces hold.
func TestIdleSpins(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		for b, want := range []bool{false, false, false, true, true} {
			p := &s.model.Bodies[b]
			for k, got := range p.Idle {
				if got != (want && k >= dim && k < p.N) {
					t.Errorf("velocity %d of body %d in %d dimensions: %t", k, b, dim, got)
				}
			}
		}
	}
}

// TestRub: the slip of a spin where balls touch, and what of it counts: that of a body at rest up
// to rounding, unless the contact has no force.
func TestRub(t *testing.T) {
	s := pearls(t, 4, multibody.Setup{}, Options{Tolerance: 1e-9})
	const limit = 1e-9 // 10 Tolerance g h
	s.measureNoise()
	v := func(b, k int) *float64 { return &s.v[s.model.Bodies[b].V+k] }
	touch := func(a, b int) int {
		for i := range s.touches {
			if x := &s.touches[i]; x.A == a && x.B == b {
				return i
			}
		}
		t.Fatal("no touch")
		return 0
	}
	floor, pair := touch(1, -1), touch(1, 2)
	check := func(what string, i int, rub, worn float64, skids bool) {
		t.Helper()
		if got := s.rub(i, s.v); !(math.Abs(got-rub) <= 1e-15*max(rub, .2)) {
			t.Errorf("%s: slips by %g m/s, want %g", what, got, rub)
		}
		if got := s.worn(i); !(math.Abs(got-worn) <= 1e-15*max(worn, .2)) {
			t.Errorf("%s: counts %g m/s, want %g", what, got, worn)
		}
		if got := s.skids(i, s.v); got != skids {
			t.Errorf("%s: skids %t", what, got)
		}
	}
	for _, i := range []int{floor, pair} {
		s.marks[i].r = vec{1}
	}
	*v(1, 0) = 3
	check("no spin", floor, 0, 0, false)
	*v(1, 0) = 0
	*v(1, 5) = 2
	check("about the normal", floor, 0, 0, false)
	check("about the vertical, at the side", pair, .2, .2, true)
	s.marks[pair].state = Active
	check("part of the last step without force", pair, .2, 0, true)
	s.marks[pair].r = vec{}
	check("no force", pair, .2, 0, false)
	s.marks[pair].state, s.marks[pair].r = Slip, vec{1}
	*v(2, 5) = -2
	check("wheels of a gear", pair, 0, 0, false) // to the rounding of .2 m/s
	*v(1, 5) = 0
	check("the second one", pair, .2, .2, true)
	*v(2, 5) = 18 * limit
	check("less than both may at rest", pair, 1.8*limit, 1.8*limit, false)
	*v(2, 5) = 22 * limit
	check("more", pair, 2.2*limit, 2.2*limit, true)
	*v(2, 5) = 0
	*v(1, 3) = 9 * limit / .1
	check("on the floor", floor, 9*limit, 9*limit, true)
	*v(1, 3) = .9 * limit / .1
	check("on the floor, less", floor, .9*limit, .9*limit, false)

	// What rests keeps a spin above that limit; it goes on to the bit, with all α.
	for _, c := range []struct {
		v, w  float64
		spins bool
	}{{.9, .9, false}, {1.1, .9, true}, {.9, 1.1, true}, {-5, -5, true}} {
		s.alpha = .75
		p := &s.model.Bodies[1]
		for k := range 3 {
			*v(1, k), s.w[p.V+k] = .5*limit, .25*limit
			*v(1, 3+k), s.w[p.V+3+k] = 0, 0
		}
		*v(1, 4), s.w[p.V+4] = c.v*limit/.1, c.w*limit/.1
		if s.spins(1) != c.spins || !s.quiet(1) {
			t.Errorf("%+v: spins %t, quiet %t", c, s.spins(1), s.quiet(1))
		}
		s.stop(1)
		want := .25 * *v(1, 4)
		if c.spins {
			want = *v(1, 4)
		}
		if s.w[p.V+4] != want || s.w[p.V] != .25*.5*limit {
			t.Errorf("%+v: stops with %g and %g, want %g", c, s.w[p.V], s.w[p.V+4], want)
		}
	}
	*v(1, 4), s.w[s.model.Bodies[1].V+4] = 7, 7.02*1
	if s.quiet(1) {
		t.Error("a spin that changes is quiet")
	}
	*v(1, 4), s.w[s.model.Bodies[1].V+4] = 7, 7
	if *v(1, 0) = 0; s.still(1) {
		t.Error("what goes on is still")
	}
	*v(1, 1), *v(1, 2) = 0, 0
	if !s.still(1) || !s.turns(1) || s.turns(0) {
		t.Error("a spin alone is not still")
	}
	s.rest.any, s.rest.asleep = true, []bool{true, true, false, true}
	s.countRest()
	if s.step.Rest != (Rest{3, 1}) {
		t.Errorf("%+v", s.step.Rest)
	}
	s.rest.any = false
	if s.countRest(); s.step.Rest != (Rest{}) {
		t.Errorf("nothing rests: %+v", s.step.Rest)
	}
}

// TestTumbleOfSpins: of a spin V counts what slips or rolls, at the contact where it does so most:
// nothing of a ball that turns about the normal of the floor.
func TestTumbleOfSpins(t *testing.T) {
	const n = 30
	s := pearls(t, n, multibody.Setup{}, Options{})
	members := make([]int, len(s.p.list))
	for k := range members {
		members[k] = k
		s.marks[k].state = Stick
		if s.touches[k].B >= 0 {
			s.marks[k].state = Active
		}
	}
	p := &solver{}
	v := s.v[s.model.Bodies[5].V:]
	check := func(what string, want float64) {
		t.Helper()
		for range 2 {
			if got := s.tumble(p, members); !(math.Abs(got-want/n) <= 1e-16) {
				t.Errorf("%s: %g m/s, want %g", what, got, want/n)
			}
		}
	}
	v[5] = 3
	check("about the normal", 0)
	v[1] = .001
	check("and it goes on", .00001) // beside it nothing pushed: no spin counts there
	v[1], v[3] = .05, .1            // .01 m/s by it at the floor, beside the centre
	check("and it goes on faster than it turns there", .025)
	v[1] = 0
	v[3] = .4 // .04 m/s at the floor: .016
	check("and about the horizontal", .016)
	for k := range members {
		s.marks[k].state = Slip
	}
	check("beside others", .1) // .3 m/s at their sides, more than k
	v[3], v[5] = 0, .2         // .02 m/s there: .004
	check("about the vertical", .004)
	s.v[s.model.Bodies[4].V+5], s.v[s.model.Bodies[6].V+5] = -.2, -.2
	check("wheels of a gear: the outer ones slip", .008)
	v[1] = .001 // and rolls
	check("the middle one moves", .001+.008)
	v[1] = .003
	check("the middle one moves faster", .004+.008)
	check("the middle one moves faster", .004+.008*1)
	if got := s.speedOfBody(&s.model.Bodies[5], .5); !(math.Abs(got-.02) <= 1e-17) {
		t.Errorf("a spin whose slip is more: %g", got)
	}
}

// TestStir: a touch that is near joins ahead by what its bodies have, at most by what the forces of
// the step give them; it wakes nobody.
func TestStir(t *testing.T) {
	s := pearls(t, 3, multibody.Setup{}, Options{})
	i := slices.IndexFunc(s.touches, func(x bodies.Touch) bool { return x.A == 0 && x.B == 1 })
	w := make([]float64, len(s.v))
	check := func(what string, want float64) {
		t.Helper()
		if got := s.stir(i, w); !(math.Abs(got-want) <= 1e-16) {
			t.Errorf("%s: %g m/s, want %g", what, got, want)
		}
	}
	check("nothing", 0)
	w[1], w[2], w[9] = .03, .04, 7 // of the first; the second one turns, which moves no surface of a ball
	check("one", .05)
	w[6] = -.02
	check("both", .07)
	w[7] = 3
	check("more than g h", .1)
	w[7] = 0
	s.rest.any, s.rest.asleep = true, []bool{false, true, false}
	check("one that rests", 0)
	s.rest.asleep = []bool{false, false, true}
	check("another one rests", .07)

	rod := stepperOf(t, 3, vec{0, 0, -10}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Capsule{Length: .4, R: .1}, Mass: 1, Position: vec{0, 0, .1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}})
	rod.step.H = .01
	rod.impulse(.01)
	rod.v[4] = 3
	if rod.turns(0) {
		t.Error("a capsule about another axis than its own")
	}
	rod.v[3] = 3
	if !rod.turns(0) {
		t.Error("a capsule about its own axis")
	}
	if got, want := rod.stir(0, []float64{.01, 0, 0, 0, .1, 0}), .01+.1*.2; !(math.Abs(got-want) <= 1e-16) {
		t.Errorf("a capsule: %g m/s, want %g", got, want)
	}
}

// TestBound: contacts that were found open and without a force tie nobody that comes to rest; what
// is at rest leaves one that rolls by.
func TestBound(t *testing.T) {
	s := pearls(t, 4, multibody.Setup{}, Options{})
	for _, i := range s.p.list {
		x, m := &s.touches[i], &s.marks[i]
		m.loaded = x.B < 0
		m.r, m.h = vec{.1}, .01
		if x.B >= 0 {
			m.r = vec{}
			x.Gap = 1e-4 * float64(x.B-1) // 0 of the first pair
		}
	}
	s.v[s.model.Bodies[3].V] = .1
	copy(s.w, s.v)
	s.settleDown(.01)
	for _, i := range s.rest.bound {
		if x := &s.touches[i]; x.B > 1 {
			t.Errorf("balls %d and %d are bound", x.A, x.B)
		}
	}
	for i := range s.touches {
		x := &s.touches[i]
		if want := x.B == 1 || x.B < 0 && x.A < 3; s.marks[i].slept != want {
			t.Errorf("touch of %d and %d: at rest %t", x.A, x.B, s.marks[i].slept)
		}
	}
	s.marks[s.p.list[len(s.p.list)-1]].loaded = true
	if s.bind(); len(s.rest.bound) < 5 {
		t.Errorf("%d contacts are bound", len(s.rest.bound))
	}
}

// TestRubOnABelt: the slip on an obstacle that moves is that beside it, and it stirs what is near.
func TestRubOnABelt(t *testing.T) {
	way, err := signal.NewTable([]float64{0, 1}, []float64{0, .03})
	if err != nil {
		t.Fatal(err)
	}
	belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 0, 1}}, Motion: signal.Motion{Shift: signal.Vector{way, signal.Constant(0), signal.Constant(0)}}}
	s := stepperOf(t, 3, vec{0, 0, -10}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: vec{0, 0, .1}, Velocity: vec{.05}, Spin: vec{0, 0, 2}}}, belt)
	s.step.H = .01
	s.impulse(.01)
	if got := s.rub(0, s.v); !(math.Abs(got-.02) <= 1e-15) {
		t.Errorf("slips by %g m/s", got)
	}
	if got := s.stir(0, make([]float64, 6)); !(math.Abs(got-.03) <= 1e-15) {
		t.Errorf("the belt alone stirs by %g m/s", got)
	}
}

// TestCalmSpins: a free spin leaves its island calm, one that slips does not, nor what goes on.
func TestCalmSpins(t *testing.T) {
	s := pearls(t, 1, multibody.Setup{}, Options{})
	v := s.v[s.model.Bodies[0].V:]
	for _, c := range []struct {
		k    int
		v    float64
		calm bool
	}{{5, 9, true}, {3, 9, false}, {1, 9, false}, {3, 1e-9, true}} {
		clear(v)
		v[c.k] = c.v
		if got := s.calm([]int{0}); got != c.calm {
			t.Errorf("%+v: calm %t", c, got)
		}
	}
}

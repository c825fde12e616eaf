package rigid

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// ramp is the polygon through values at times.
func ramp(t *testing.T, times, values []float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewTable(times, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// feature is touch number k of a pair, at x.
func feature(pair bodies.Touch, k int, x, gap float64) bodies.Touch {
	pair.Key += uint64(k)
	pair.N, pair.At, pair.Gap = vec{0, 1}, vec{x}, gap
	return pair
}

// meeting are three squares and a floor that will move, and in their touches the second body meets
// the third and the floor in three points each, among others. A point that is farther to the right
// comes slower by ½ m/s, and the first is not active.
func meeting(t *testing.T, e float64) *Stepper {
	list := []bodies.Body{{Shape: square, Mass: 1, Position: vec{0, 9}}, {Shape: square, Mass: 2, Position: vec{0, 3}}, {Shape: square, Mass: 4, Position: vec{0, 6}}}
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{signal.Constant(0), ramp(t, []float64{0, .5, 1}, []float64{0, 0, -9}), signal.Constant(0)}}}
	s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: e}}, Options{}, list, floor)
	s.touches, s.marks = nil, nil
	for _, pair := range []bodies.Touch{bodies.PairTouch(0, 1), bodies.PairTouch(1, 2), bodies.FloorTouch(1, 0), bodies.FloorTouch(2, 0)} {
		for k := range 3 {
			s.touches = append(s.touches, feature(pair, k, .5*float64(k-1), 0))
			s.marks = append(s.marks, mark{active: k > 0})
		}
	}
	s.v[s.model.Bodies[1].V+2] = 1
	return s
}

// TestWhoRattles: a pair settles at its third collision, or when e has left a tenth of the speed,
// once it comes no faster than forces make it in the step or than a tenth of the fastest before;
// its touches do so that forces could close in the step. What else moves does not count, nor what
// the floor will do later.
func TestWhoRattles(t *testing.T) {
	const h, part = .04, .01
	for _, c := range []struct {
		name   string
		e      float64
		kick   float64 // speed that forces give in the part
		speeds []float64
		at     int     // the collision at which it settles
		near   float64 // 0: the least
	}{
		{"slowly", 0, .01, []float64{2, .5, .25, .19}, 4, .04 * h},
		{"by what forces give", 0, .25, []float64{2, .1, 1}, 3, 1 * h},
		{"a little faster", 0, .25, []float64{2, .1, 1.001, .2}, 4, 1 * h},
		{"next to none", 0, 1e-7, []float64{2, .1, .1}, 3, 0},
		{"a tenth", 0, .01, []float64{2.5, 1, .25}, 3, .04 * h},
		{"faster between", 0, .01, []float64{.125, 2, .1875}, 3, .04 * h},
		{"rebounds", .5, .01, []float64{2, .125, .125, .125}, 4, .04 * h},
		{"rebounds well", .75, .01, []float64{2, .1, .1, .1, .1, .1, .1, .1, .1}, 9, .04 * h},
	} {
		for floor := range 2 {
			s := meeting(t, c.e)
			hit := s.touches[4]
			if floor == 1 {
				hit = s.touches[7]
			}
			s.step.H = h
			b := [3]*multibody.Place{&s.model.Bodies[0], &s.model.Bodies[1], &s.model.Bodies[2]}
			clear(s.kick)
			s.kick[b[1].V+1] = -c.kick * 2
			if floor == 0 {
				s.kick[b[1].V+1], s.kick[b[2].V+1] = c.kick, -c.kick*4
			}
			s.v[b[0].V+1] = -70 // whoever looks at another pair
			s.kick[b[0].V+1] = -.001
			for k, speed := range c.speeds {
				s.v[b[1].V+1] = -speed
				if floor == 0 {
					s.v[b[1].V+1], s.v[b[2].V+1] = .5-speed, .5
				}
				s.rattles(&hit, part)
				x, near := s.hits[hit.Pair()], 0.0
				if k+1 == c.at {
					if near = c.near; near == 0 {
						near = s.releaseGap()
					}
				}
				if len(s.hits) != 1 || x.hits != k+1 || !(math.Abs(x.fastest-slices.Max(c.speeds[:k+1])) <= 1e-15) || x.settled != (k+1 == c.at) || !(math.Abs(x.near-near) <= 1e-15) {
					t.Errorf("%s, floor %d: after %d collisions %+v, want it nearer than %g", c.name, floor, k+1, x, near)
				}
			}
		}
	}
}

// TestWhoSettles: a touch settles that is as near as its pair asks for; those that may close in a
// part take part in it, softly for α < 1; a step forgets the one, and a checkpoint keeps who did,
// in order.
func TestWhoSettles(t *testing.T) {
	s := meeting(t, 0)
	a, b, c := s.touches[4].Pair(), s.touches[7].Pair(), s.touches[10].Pair()
	s.hits = map[uint64]rattle{}
	for i := range s.touches {
		if s.touches[i].Gap = -1; s.settles(i) {
			t.Errorf("touch %d settles where nothing has collided", i)
		}
	}
	const h, near, fast = .5, .25, .375
	for _, alpha := range []float64{1, .5} {
		s.mode.alpha = alpha
		s.hits = map[uint64]rattle{a: {hits: 3, fastest: fast, near: near, settled: true}}
		for _, x := range []struct {
			gap                       float64
			active, loaded            bool
			settles, takesPart, still bool // still active afterwards
		}{
			{near, true, true, true, true, true},
			{math.Nextafter(near, 1), true, true, false, false, true},
			{near, true, false, true, true, false},
			{h * fast, true, false, true, true, true},
			{math.Nextafter(h*fast, 1), true, false, true, true, false},
			{.1, false, false, true, false, false},
			{s.unit * touchGap, true, false, true, false, true},
			{0, true, false, true, false, true},
		} {
			for i := range s.touches {
				s.touches[i].Gap = x.gap
				s.marks[i] = mark{active: x.active, loaded: x.loaded}
			}
			for i := range s.touches {
				if mine := s.touches[i].Pair() == a; s.settles(i) != (x.settles && (mine || x.gap == 0)) {
					t.Errorf("gap %g: touch %d settles %t", x.gap, i, s.settles(i))
				}
			}
			s.settleIn(h)
			for i, m := range s.marks {
				mine, active := s.touches[i].Pair() == a, x.active
				if mine {
					active = x.still
				}
				if m.soft != (mine && x.takesPart && alpha < 1) || m.active != active {
					t.Errorf("α = %g, %+v: touch %d, mine %t: %+v", alpha, x, i, mine, m)
				}
			}
		}
	}
	s.hits = map[uint64]rattle{}
	for i := range s.touches {
		s.touches[i].Gap, s.marks[i] = 1, mark{active: true}
	}
	s.settleIn(h)
	if m := s.marks[4]; m.soft || !m.active {
		t.Errorf("where nothing has collided: %+v", m)
	}
	s.hits = map[uint64]rattle{c: {hits: 5, near: 1, settled: true}, b: {hits: 2, fastest: 3}, a: {hits: 4, fastest: 2, near: 2, settled: true}}
	s.unsettle()
	for pair, x := range s.hits {
		if x.near != 0 || x.settled != (pair != b) || x.hits < 2 {
			t.Errorf("after the step %+v", x)
		}
	}
	if got := s.settlers([]uint64{0}); !slices.Equal(got, []uint64{0, a, c}) {
		t.Errorf("%d settle, want %d and %d", got, a, c)
	}
	s.step.Collisions = make([]Collision, 7)
	s.recount()
	if want := (rattle{hits: 2}); s.counted != 7 || len(s.hits) != 2 || s.hits[a] != want || s.hits[c] != want {
		t.Errorf("counts from %d on, %+v", s.counted, s.hits)
	}
}

// TestSlipsOfTouches: the slip at the beginning of a step and at its end, of a disc on a floor that
// turns ever slower, with the normal, the place and the rate of either time, and of two discs; and
// the work of friction on it.
func TestSlipsOfTouches(t *testing.T) {
	const r, now, h = .1, 1.1, .5
	centre := vec{1, -2}
	spin := signal.Motion{Angle: ramp(t, []float64{0, 1, 1.5, 2}, []float64{0, .1, .5, .6}), Axis: vec{0, 0, 1}, Center: centre}
	across := func(x vec) vec { return vec{-x[1], x[0]} }
	along := func(u, n vec) vec { return vec3.Add(u, -vec3.Dot(u, n), n) }
	near := func(what string, got, want vec) {
		t.Helper()
		if d := vec3.Norm(vec3.Add(got, -1, want)); !(d <= 1e-14) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{}, []bodies.Body{{Shape: bodies.Disc{R: r}, Mass: 1, Position: vec{3, .1}}, {Shape: bodies.Disc{R: r}, Mass: 1, Position: vec{3, .4}}, {Shape: bodies.Disc{R: r}, Mass: 1, Position: vec{3, .65}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: spin})
	s.t = now
	for i := range s.v {
		s.v[i], s.vEnd[i] = .3*float64(i+1), .7-.2*float64(i)
	}
	velocity := func(v []float64, body int, arm vec) vec {
		return vec3.Add(vec{v[3*body], v[3*body+1]}, v[3*body+2], across(arm))
	}
	// At the end: the floor is turned by .52, about the centre; the first disc on it, the other two
	// on each other.
	sin, cos := math.Sincos(.52)
	n := vec{-sin, cos}
	foot := vec3.Add(vec3.Add(centre, 2, n), 1.5, vec{cos, sin}) // the floor is 2 above the centre
	side := vec{.6, -.8}
	q := append([]float64(nil), s.q...)
	copy(q, []float64{foot[0] + r*n[0], foot[1] + r*n[1], .3, 9, 9, 0, 9 - 2*r*side[0], 9 - 2*r*side[1], 0})
	s.qNext = q
	floor, pair := bodies.FloorTouch(0, 0), bodies.PairTouch(1, 2)
	floor.At, floor.N = vec{3.1, .05}, vec{-.6, .8} // where it was
	pair.At, pair.N = vec{3.05, .52}, vec{.8, .6}
	s.touches, s.marks = []bodies.Touch{floor, pair}, make([]mark, 2)
	rate := func(w float64, at vec) vec { return vec3.Scale(across(vec3.Add(at, -1, centre)), w) }
	near("on the floor, at first", s.slipNow(0), along(vec3.Add(velocity(s.v, 0, vec3.Add(floor.At, -1, vec{3, .1})), -1, rate(.8, floor.At)), floor.N))
	near("on each other, at first", s.slipNow(1), along(vec3.Add(velocity(s.v, 1, vec3.Add(pair.At, -1, vec{3, .4})), -1, velocity(s.v, 2, vec3.Add(pair.At, -1, vec{3, .65}))), pair.N))
	u, ok := s.slipThen(0, h)
	if near("on the floor, at last", u, along(vec3.Add(velocity(s.vEnd, 0, vec3.Scale(n, -r)), -1, rate(.2, foot)), n)); !ok {
		t.Error("it is not on the floor")
	}
	u, ok = s.slipThen(1, h)
	if near("on each other, at last", u, along(vec3.Add(velocity(s.vEnd, 1, vec3.Scale(side, -r)), -1, velocity(s.vEnd, 2, vec3.Scale(side, r))), side)); !ok {
		t.Error("they are not on each other")
	}
	for dim := 2; dim <= 3; dim++ {
		s.model.Dim = dim
		s.marks[1] = mark{r: vec{5, 2, -3}, frame: [3]vec{{0, 0, 1}, {.6, .8}, {-.8, .6}}}
		want := 2*1. - 3*2
		if dim == 2 {
			want = 2
		}
		if got := s.pushOf(1, vec{.6 - 1.6, .8 + 1.2, 7}); !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("%d dimensions: friction pushes by %g, want %g", dim, got, want)
		}
	}
}

// sliders are points of 1 kg on a floor, μ = .2 and g = 10, whose slips end after the times given,
// and reverse if pulled back by more than 2 N.
func sliders(t *testing.T, o Options, pull float64, ends ...float64) *Stepper {
	var list []bodies.Body
	for i, x := range ends {
		list = append(list, bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: vec{float64(i)}, Velocity: vec{(2 + pull) * x}})
	}
	return stepperOf(t, 2, vec{-pull, -10}, multibody.Setup{Material: multibody.Material{Mu: .2}}, o, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}})
}

// tryStep is a trial of the length h, as a step has it before it looks for reversals.
func tryStep(t *testing.T, s *Stepper, h float64) {
	t.Helper()
	s.begin(h)
	s.recount()
	s.until = h
	s.keepTrial()
	if err := s.trial(t.Context(), h); err != nil {
		t.Fatal(err)
	}
}

// TestUntilReversal: a step of α < 1 is cut where the first slip ends, to rounding, but not within
// 1e-6 of its ends, nor with many contacts, after many cuts, at a kink, in a configuration of
// Painlevé, nor by other schemes and grids; if not, it is the trial of the whole.
func TestUntilReversal(t *testing.T) {
	const h = .125
	half, back := Options{Alpha: .5}, Options{Alpha: .5, Tolerance: 1e-13} // the latter are pulled
	eight := []float64{.9, .8, .7, .6, .5, .4, .3, .2}
	for _, c := range []struct {
		name   string
		o      Options
		ends   []float64 // in steps
		change func(s *Stepper)
		part   float64 // in steps; 1: not cut
	}{
		{"early", half, []float64{.01}, nil, .01},
		{"in the middle", half, []float64{.5}, nil, .5},
		{"late", half, []float64{.99}, nil, .99},
		{"to stick at once", half, []float64{2e-6}, nil, 1}, // a dozen trials do not find it
		{"back", back, []float64{.3}, nil, .3},
		{"back soon", back, []float64{2e-6}, nil, 2e-6},
		{"back at once", back, []float64{.5e-6}, nil, 1},
		{"back late", back, []float64{1 - 2e-6}, nil, 1 - 2e-6},
		{"back at the end", back, []float64{1 - .5e-6}, nil, 1},
		{"just in time", half, []float64{1 - 2e-6}, nil, 1 - 2e-6},
		{"at the end", half, []float64{1 - .5e-6}, nil, 1},
		{"later", half, []float64{1.01}, nil, 1},
		{"the other way", half, []float64{-.3}, nil, .3},
		{"the second", half, []float64{.7, .25, .5}, nil, .25},
		{"eight", half, eight, nil, .2},
		{"nine", half, append([]float64{.1}, eight...), nil, 1},
		{"other weights", Options{Alpha: .75}, []float64{.5}, nil, .5},
		{"the fourth in a step", half, []float64{.5}, func(s *Stepper) { s.reversals = 3 }, .5},
		{"the fifth in a step", half, []float64{.5}, func(s *Stepper) { s.reversals = 4 }, 1},
		{"a kink", half, []float64{.5}, func(s *Stepper) { s.kinked = true }, 1},
		{"Painlevé", half, []float64{.5}, func(s *Stepper) { s.step.Painleve = 1 }, 1},
		{"nothing touches", half, []float64{.5}, func(s *Stepper) { s.p.list = s.p.list[:0] }, 1},
		{"α = 1", Options{}, []float64{.5}, nil, 1},
		{"Gavrea", Options{Alpha: .5, Scheme: Gavrea}, []float64{.5}, nil, 1},
		{"the paper's grid", Options{Alpha: .5, Grid: FixedGrid}, []float64{.5}, nil, 1},
	} {
		ends := slices.Clone(c.ends)
		for i := range ends {
			ends[i] *= h
		}
		pull := 0.0
		if c.o.Tolerance == back.Tolerance {
			pull = 5
		}
		s, whole := sliders(t, c.o, pull, ends...), sliders(t, c.o, pull, ends...)
		tryStep(t, s, h)
		tryStep(t, whole, h)
		if c.change != nil {
			c.change(s)
		}
		reversals := s.reversals
		part, err := s.untilReversal(t.Context(), h)
		if err != nil || !(math.Abs(part-c.part*h) <= 1e-13) {
			t.Errorf("%s: %v, a part of %.17g, want %g", c.name, err, part/h, c.part)
		}
		if cut := c.part < 1; cut && (s.until != s.t+part || s.reversals != reversals+1) || !cut && (part != h || s.until != h || s.reversals != reversals || !slices.Equal(s.w, whole.w) || !slices.Equal(s.vEnd, whole.vEnd) || !slices.Equal(s.marks, whole.marks)) {
			t.Errorf("%s: until %g after %d reversals, w = %g, of a whole step %g", c.name, s.until, s.reversals, s.w, whole.w)
		}
		if i := slices.Index(c.ends, c.part); i >= 0 && c.part < 1 && !(math.Abs(s.vEnd[s.model.Bodies[i].V]) <= reversalGoal*slides) {
			t.Errorf("%s: it ends with %g m/s", c.name, s.vEnd[s.model.Bodies[i].V])
		}
	}
}

// TestWhatReverses: of the touches that slid and slide or stick in a trial the first whose slip
// ends, where a straight line of its velocity is zero, and in the middle of what sticks; not one
// that is open, stuck before, hardly moves or moves on.
func TestWhatReverses(t *testing.T) {
	const h = .5
	for _, c := range []struct {
		name  string
		state [3]ContactState
		slid  [3]bool
		v, to [3]float64
		first int
		at    float64
	}{
		{"one", [3]ContactState{Slip, Slip, Slip}, [3]bool{true, true, true}, [3]float64{1, 2, 3}, [3]float64{.5, -2, 1}, 1, .5 * h},
		{"the first", [3]ContactState{Slip, Slip, Slip}, [3]bool{true, true, true}, [3]float64{1, 2, -3}, [3]float64{-1, -1, 9}, 2, .25 * h},
		{"sticks", [3]ContactState{Stick, Slip, Open}, [3]bool{true, true, true}, [3]float64{7, 3, 1}, [3]float64{0, -1, -1}, 0, .5 * h},
		{"sticks later", [3]ContactState{Stick, Slip, Open}, [3]bool{true, true, true}, [3]float64{7, 1, 1}, [3]float64{0, -3, -1}, 1, .25 * h},
		{"stuck before", [3]ContactState{Stick, Slip, Slip}, [3]bool{false, false, true}, [3]float64{7, 1, 1}, [3]float64{0, -3, 1}, -1, 0},
		{"hardly moves", [3]ContactState{Stick, Slip, Slip}, [3]bool{true, true, true}, [3]float64{.9e-9, -.9e-9, 1e-9}, [3]float64{-1, 1, -1}, -1, 0},
		{"hardly turns", [3]ContactState{Slip, Slip, Slip}, [3]bool{true, true, true}, [3]float64{1, -1, 1}, [3]float64{-.9e-10, .9e-10, 0}, -1, 0},
		{"turns a little", [3]ContactState{Open, Slip, Slip}, [3]bool{true, true, true}, [3]float64{1, -1, 1}, [3]float64{-1, 1.1e-10, 0}, 1, h / (1 + 1.1e-10)},
		{"moves a little", [3]ContactState{Open, Stick, Slip}, [3]bool{true, true, true}, [3]float64{1, 1.1e-9, 1}, [3]float64{-1, 0, 0}, 1, .5 * h},
	} {
		s := sliders(t, Options{Alpha: .5}, 0, 0, 0, 0)
		if len(s.touches) != 3 {
			t.Fatalf("%d touches", len(s.touches))
		}
		s.qNext, s.slid, s.p.list = slices.Clone(s.q), c.slid[:], []int{0, 1, 2}
		for i := range 3 {
			p := &s.model.Bodies[i]
			s.v[p.V], s.vEnd[p.V], s.marks[i].state = c.v[i], c.to[i], c.state[i]
		}
		first, along, at := s.reverses(h)
		if first != c.first || first >= 0 && (along != vec{c.v[first]} || !(math.Abs(at-c.at) <= 1e-15)) || first < 0 && !math.IsInf(at, 1) {
			t.Errorf("%s: touch %d with %v at %g, want %d at %g", c.name, first, along, at, c.first, c.at)
		}
	}
}

// linked are discs or balls in a row on a floor, each tied to the next, but for every third,
// pressed and pushed along; on the gap grid.
func linked(t *testing.T, dim, n int) *Stepper {
	up := dim - 1
	var list []bodies.Body
	x := multibody.Setup{Material: multibody.Material{Mu: .4}}
	var g, normal vec
	g[0], g[up], normal[up] = 3, -9.81, 1
	for i := range n {
		b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1 + .5*float64(i), Position: vec{.2 * float64(i)}, Velocity: vec{-.3 * float64(1-min(i, 3)/3)}}
		b.Position[up] = .1
		at := vec{.2*float64(i) + .1}
		at[up] = .1
		j := multibody.Joint{Kind: multibody.Revolute, A: i, B: i + 1, At: at}
		if dim == 3 {
			b.Shape, b.Velocity[1], j.Kind = bodies.Sphere{R: .1}, .5*b.Velocity[0], multibody.Spherical
		}
		if list = append(list, b); i%3 != 2 && i+1 < n {
			x.Joints = append(x.Joints, j)
		}
	}
	return stepperOf(t, dim, g, x, Options{Grid: GapGrid}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: normal}})
}

// TestPredictBlocks: the blocks of W on the diagonal that sweeps go by are what unit impulses make
// of the speeds, of tied bodies too; and sweeps that are let on end where the law holds.
func TestPredictBlocks(t *testing.T) {
	const h = .01
	for dim := 2; dim <= 3; dim++ {
		s := linked(t, dim, 7)
		if err := s.Step(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		copy(s.w, s.v)
		for i := range s.model.Bodies {
			p := &s.model.Bodies[i]
			s.w[p.V+dim-1] -= h * 9.81
			s.w[p.V] += .005 * float64(i-3)
		}
		p, x := &s.p, &s.predictor
		if s.choose(h); len(p.list) < 7 {
			t.Fatalf("dimension %d: %d contacts", dim, len(p.list))
		}
		if err := s.loadRows(0); err != nil {
			t.Fatal(err)
		}
		copy(s.x, s.w)
		n := dim * len(p.list)
		p.r = grow(p.r, n)
		clear(p.r)
		x.kick, x.last, x.now = make([]float64, 7), slices.Repeat([]bool{true}, 7), make([]bool, 7)
		s.predictRows(0, h)
		u := make([]float64, n)
		for k := range n {
			p.r[k] = 1
			y := make([]float64, len(s.w))
			s.push(y, s.alpha)
			s.speeds(u, y)
			p.r[k] = 0
			i := k / dim
			for d := range dim {
				if got, want := x.diagonal[(i*dim+d)*dim+k%dim], u[i*dim+d]; !(math.Abs(got-want) <= 1e-13) { // of some 1/kg
					t.Errorf("dimension %d, contact %d: %g of W, want %g", dim, i, got, want)
				}
			}
		}
		for range 20000 {
			if !s.predictSweep() {
				break
			}
		}
		s.speeds(u, s.x)
		slips, sticks := 0, 0
		for k := range p.list {
			var r, v vec
			copy(r[:], p.r[dim*k:dim*(k+1)])
			for d := range dim {
				v[d] = u[dim*k+d] + x.off[dim*k+d]
			}
			if r[0] > 0 && length(v[1:]) > 1e-6 {
				slips++
			} else if r[0] > 0 {
				sticks++
			}
			if left := contact.NaturalResidual(p.laws[k], &r, &v, 1); !(left <= 1e-12) { // rounding, of W with a condition of hundreds
				t.Errorf("dimension %d, contact %d: %v at the speed %v leaves %g", dim, k, r, v, left)
			}
		}
		if slips == 0 || sticks == 0 {
			t.Errorf("dimension %d: %d slip, %d stick", dim, slips, sticks)
		}
	}
}

// TestPartGoal: gaps are opened to .3 of what counts as open, in the units of each contact.
func TestPartGoal(t *testing.T) {
	const n = 30
	for _, scale := range []float64{.05, 20} {
		b := make([]float64, 3*n)
		for i := range n {
			if b[3*i] = -1 - .5*math.Sin(float64(i)); i%10 == 9 {
				b[3*i] = 99 // open
			}
		}
		p := chain(n, .49, b, make([]float64, 3*n))
		p.touch, p.size = 1e-2, 100
		for i := range p.scale {
			p.scale[i] = scale
		}
		partNow(p)
		u := make([]float64, 3*n)
		p.multiply(u, p.r)
		worst := 0.0
		for i := range n {
			if p.r[3*i] > 0 {
				worst = max(worst, math.Abs(u[3*i])/scale*p.size)
			}
		}
		// Sweeps end at .3 of it before their last moves of W, whose rows are at most 2.
		if !(worst <= 2*partGoal*p.touch) || !(worst > 1e-3*p.touch) {
			t.Errorf("scale %g: contacts are left with %g, want %g", scale, worst, partGoal*p.touch)
		}
	}
}

// TestBendNoise: a bend that changes by less than rounding of gaps leaves has not changed, nor, for
// α = 1, one that moves gaps by a hundredth of what counts as closed; but for ellipses, whose
// scheme is nearer. In parts of a step that are too short to tell it stays as it was.
func TestBendNoise(t *testing.T) {
	sin, cos := math.Sincos(.6)
	hollow := bodies.Obstacle{Surface: bodies.Ball{R: 1, Inside: true}}
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}}
	const tilt = 1.2
	disc := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{.9 * sin, -.9 * cos}, Velocity: vec{.3 * cos, .3 * sin}}
	oval := bodies.Body{Shape: bodies.Ellipse{A: .2, B: .1}, Mass: 1, Position: vec{0, math.Hypot(.2*math.Sin(tilt), .1*math.Cos(tilt))}, Angle: tilt}
	for _, c := range []struct {
		name  string
		alpha float64
		body  bodies.Body
		on    bodies.Obstacle
		fine  bool
	}{{"disc", 1, disc, hollow, false}, {"disc", .5, disc, hollow, true}, {"ellipse", 1, oval, floor, true}, {"ellipse", .5, oval, floor, true}} {
		for _, h := range []float64{.01, .002} {
			s := stepperOf(t, 2, vec{0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: 5}}, Options{Alpha: c.alpha}, []bodies.Body{c.body}, c.on)
			s.begin(h)
			s.recount()
			s.until = h
			if err := s.trial(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			if len(s.bent) != 1 || !s.bent[0].on {
				t.Fatalf("%s, α = %g: no bend: %+v", c.name, c.alpha, s.bent)
			}
			s.alpha, s.gamma = c.alpha, c.alpha
			for range 3 {
				s.bendPath(h)
				s.bendOne(0, h)
			}
			settled := s.bent[0].more
			noise := 4e-16 * (vec3.Norm(s.touches[0].At) + s.unit) / h
			if !c.fine {
				noise = 1e-12 * s.unit / h
			}
			_, size := s.bendSpeed(0, h)
			kick := 0.0
			for k := range 3 {
				kick = max(kick, math.Abs(s.kick[k]/s.model.Inertia(&s.model.Bodies[0], k)))
			}
			for _, x := range []struct {
				part  float64
				short bool
			}{{.5, false}, {2, false}, {-.5, true}, {-2, true}} {
				off := x.part * noise
				if s.step.H = h; x.short {
					s.step.H = 1.01 * h / shortPart
				}
				s.bent[0].more[0] = settled[0] + off
				s.bendPath(h)
				got, _ := s.bendOne(0, h)
				want := 0.0
				if math.Abs(x.part) > 1 {
					want = math.Abs(off) / max(size, kick)
				}
				// Differences of bends are off by their own rounding, some parts of the noise of
				// the fine ones.
				if !(math.Abs(got-want) <= .2*want) {
					t.Errorf("%s, α = %g, h = %g: of %+v of the noise %g is left, want %g", c.name, c.alpha, h, x, got, want)
				}
				if kept := s.bent[0].more[0] == settled[0]+off; kept != (x.short && math.Abs(x.part) < 1) {
					t.Errorf("%s, α = %g, h = %g: %+v of the noise, kept %t", c.name, c.alpha, h, x, kept)
				}
			}
		}
	}
}

// rocking are ellipses that rock on a floor, after a trial of the length h.
func rocking(t *testing.T, n int, alpha, h float64, motion signal.Motion) *Stepper {
	var list []bodies.Body
	for i := range n {
		tilt := 1.2 + .1*float64(i)
		list = append(list, bodies.Body{Shape: bodies.Ellipse{A: .2, B: .1}, Mass: 1, Position: vec{float64(i), math.Hypot(.2*math.Sin(tilt), .1*math.Cos(tilt))}, Angle: tilt, Spin: vec{0, 0, -.5}})
	}
	s := stepperOf(t, 2, vec{0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: 5}}, Options{Alpha: alpha}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: motion})
	s.begin(h)
	s.recount()
	s.until = h
	if err := s.trial(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if s.alpha, s.gamma = alpha, alpha; len(s.p.list) != n {
		t.Fatalf("%d contacts", len(s.p.list))
	}
	return s
}

// TestBendFound: a replay leaves c out of the contacts whose speeds are nearer to zero without it,
// and whose impulses do more work on it than a step with c would have; where there is no impulse
// only an approach is wrong.
func TestBendFound(t *testing.T) {
	const h, n = .01, 3
	for at := range n { // which of them
		for _, c := range []struct {
			name string
			bend float64 // c
			with bool    // the speed without c is zero; else that with it
			work float64 // of the impulse on c, over what is kept anyway
			want bool    // left out
		}{
			{"with", 1e-3, false, 2, false},
			{"without", 1e-3, true, 2, true},
			{"without, down", -1e-3, true, 2, true},
			{"without, little work", 1e-3, true, .5, false},
			{"no impulse, apart", 1e-3, true, 0, false},
			{"no impulse, closing", -1e-3, true, 0, true},
			{"no impulse, closing without", 1e-3, false, 0, false},
			{"rounding", 1e-14, true, 2, false},
		} {
			s := rocking(t, n, 1, h, signal.Motion{})
			p := &s.p
			for i := range n {
				s.bent[i].plain, s.bent[i].more = false, vec{}
			}
			// No contact has a speed, and the one has that of its bend.
			for range 2 {
				s.relative(p.b, s.w)
				s.gapTerms(h)
				for k, i := range p.list {
					s.w[s.model.Bodies[s.touches[i].A].V+1] -= p.b[2*k]
				}
			}
			for k, i := range p.list {
				p.r[2*k], p.r[2*k+1] = 9, 0
				if k != at {
					s.bent[i].more = vec{}
					continue
				}
				if s.bent[i].more = (vec{c.bend, .25}); !c.with {
					s.w[s.model.Bodies[s.touches[i].A].V+1] -= c.bend
				}
				s.bendPath(h)
				p.r[2*k] = c.work * bendNear * s.bendEnergy(&s.touches[i]) / math.Abs(c.bend)
			}
			s.bendFound(h)
			for k, i := range p.list {
				want, more := k == at && c.want, vec{}
				if k == at && !c.want {
					more = vec{c.bend, .25}
				}
				if b := &s.bent[i]; b.plain != want || b.more != more {
					t.Errorf("%s, number %d: contact %d plain %t with %v", c.name, at, k, b.plain, b.more)
				}
			}
		}
	}
}

// TestUnbent: c comes back once into a touch whose impulse does too little work on it to have it
// left out; one that leaves it out again is told apart, and the step is straight then.
func TestUnbent(t *testing.T) {
	const h, n = .01, 3
	for at := range n {
		for _, c := range []struct {
			name       string
			work       float64 // of the impulse on c, over what is kept anyway
			on, again  bool
			ends       bool // n·v' = 0
			flat       bool // c is rounding
			back, more bool
		}{
			{"little work", .5, true, false, false, false, true, false},
			{"much work", 2, true, false, false, false, false, false},
			{"no impulse", 0, true, false, false, false, true, false},
			{"again", .5, true, true, false, false, false, true},
			{"again, much work", 2, true, true, false, false, false, false},
			{"straight", .5, false, false, false, false, false, false},
			{"to the end", .5, true, false, true, false, false, false},
			{"rounding", .5, true, false, false, true, false, false},
			{"rounding again", .5, true, true, false, true, false, false},
		} {
			s := rocking(t, n, .5, h, signal.Motion{})
			if s.bendPath(h); c.ends {
				s.alpha, s.gamma = 1, .5
			}
			for k, i := range s.p.list {
				b, touch := &s.bent[i], &s.touches[i]
				b.plain, b.again = false, false
				if k != at {
					continue
				}
				u, _ := s.bendSpeed(i, h)
				end, _ := s.touchAt(touch, s.t+h, s.qMid)
				bend := (end.Gap-touch.Gap)/h - vec3.Dot(s.marks[i].frame[0], u)
				if c.flat {
					touch.Gap += h * bend
				}
				b.on, b.plain, b.again = c.on, true, c.again
				s.marks[i].r[0] = c.work * bendNear * s.bendEnergy(touch) / math.Abs(bend)
			}
			back, more := s.unbent(h)
			if back != c.back || more != c.more {
				t.Errorf("%s, number %d: back %t, again %t", c.name, at, back, more)
			}
			if b := &s.bent[s.p.list[at]]; b.plain == c.back || b.again != (c.again || c.back) {
				t.Errorf("%s, number %d: %+v", c.name, at, *b)
			}
		}
	}
}

// TestBendAllUnbent: rounds go on with the c that comes back, and all is straight where one was
// left out twice or no round is left.
func TestBendAllUnbent(t *testing.T) {
	const h = .01
	for _, c := range []struct {
		name           string
		again          bool
		round          int
		work           float64 // of the impulse on c, over what is kept anyway
		done, straight bool
	}{
		{"back", false, 3, .5, false, false},
		{"again", true, 3, .5, false, true},
		{"last round", false, bendRounds, .5, false, true},
		{"much work", false, 3, 2, true, false},
	} {
		s := rocking(t, 1, .5, h, signal.Motion{})
		i, last := s.p.list[0], 1e-3
		if _, err := s.bendAll(h, 0, &last); err != nil { // frames and arms
			t.Fatal(err)
		}
		touch, b, m := &s.touches[i], &s.bent[i], &s.marks[i]
		last = 1e-3
		u, _ := s.bendSpeed(i, h)
		end, _ := s.touchAt(touch, s.t+h, s.qMid)
		b.plain, b.again, b.more, s.mayCut = true, c.again, vec{}, false
		m.r[0] = c.work * bendNear * s.bendEnergy(touch) / math.Abs((end.Gap-touch.Gap)/h-vec3.Dot(m.frame[0], u))
		done, err := s.bendAll(h, c.round, &last)
		if err != nil || done != c.done || s.straight != c.straight || !c.done && !c.straight && !math.IsInf(last, 1) {
			t.Errorf("%s: done %t, straight %t, last change %g, %v", c.name, done, s.straight, last, err)
		}
	}
}

// TestBendPlace: the frame of what bends, on a floor that turns, is that of the time at which H is
// taken: t + (1 − α)h, at the end where the step ends with velocities that the end admits.
func TestBendPlace(t *testing.T) {
	const h = .05
	turning := signal.Motion{Angle: ramp(t, []float64{0, 1}, []float64{0, 1}), Axis: vec{0, 0, 1}}
	for _, c := range []struct{ alpha, gamma, at float64 }{{1, 1, 0}, {.75, .75, .25}, {.5, .5, .5}, {1, .5, 1}} {
		s := rocking(t, 1, .75, h, turning)
		s.alpha, s.gamma = c.alpha, c.gamma
		s.straighten()
		s.bendPath(h)
		s.bendOne(0, h)
		sin, cos := math.Sincos(c.at * h)
		if got := s.marks[0].frame[0]; !(vec3.Norm(vec3.Add(got, -1, vec{-sin, cos})) <= 1e-14) {
			t.Errorf("α = %g, γ = %g: the normal is %v, turned by %g h", c.alpha, c.gamma, got, math.Atan2(-got[0], got[1])/h)
		}
	}
}

// TestFarTurn: a body with joints turns too far in a step when its spin changes by more than the
// limit over h, as the length of it in space; what is free may.
func TestFarTurn(t *testing.T) {
	const h = .05
	for dim := 2; dim <= 3; dim++ {
		for _, c := range []struct {
			body int
			part float64 // of the limit
			want int
		}{{0, .99, -1}, {0, 1.01, 0}, {1, -1.01, 1}, {1, -.99, -1}, {3, 9, -1}} {
			s := garden(t, dim, Options{})
			copy(s.w, s.v)
			p := &s.model.Bodies[c.body]
			s.w[p.V] += 1e3 // its way does not count
			change := []float64{c.part * secantTurn / h}
			if dim == 3 {
				change = []float64{change[0] * 2 / 3, change[0] / 3, -change[0] * 2 / 3}
			}
			for k, x := range change {
				s.w[p.V+dim+k] += x
			}
			if got := s.farTurn(h); got != c.want {
				t.Errorf("%d dimensions, body %d by %g of the limit: %d turns too far", dim, c.body, c.part, got)
			}
		}
	}
}

// TestRotate: a rotation of Jacobi's method makes one entry zero, by 45 degrees at most, and keeps
// what the matrix is in the axes that it turns.
func TestRotate(t *testing.T) {
	const n = 4
	for _, x := range []float64{0, 1e-9, -.3, 2, 1e6} {
		for _, pq := range [][2]int{{0, 1}, {1, 3}, {2, 3}} {
			p, q := pq[0], pq[1]
			s, e := make([]float64, n*n), make([]float64, n*n)
			for i := range n {
				for j := range i {
					s[i*n+j] = math.Sin(float64(3*i + 5*j))
					s[j*n+i] = s[i*n+j]
				}
				s[i*n+i], e[i*n+i] = float64(i*i), 1
			}
			s[p*n+q], s[q*n+p] = x, x
			first := slices.Clone(s)
			rotate(s, e, n, p, q)
			if !(math.Abs(s[p*n+q]) <= 1e-15*(1+math.Abs(x))) || e[p*n+p] < math.Sqrt(.5)*(1-1e-15) {
				t.Errorf("%g at %v: %g is left, turned by %g", x, pq, s[p*n+q], math.Acos(e[p*n+p]))
			}
			for i := range n {
				for j := range n {
					sum, one := 0.0, 0.0
					for a := range n {
						one += e[i*n+a] * e[j*n+a]
						for b := range n {
							sum += e[i*n+a] * s[a*n+b] * e[j*n+b]
						}
					}
					if i == j {
						one--
					}
					if off := math.Abs(sum - first[i*n+j]); !(off <= 1e-14*(10+math.Abs(x))) || !(math.Abs(one) <= 1e-15*4) {
						t.Errorf("%g at %v: entry %d, %d is off by %g, axes by %g", x, pq, i, j, off, one)
					}
				}
			}
		}
	}
}

// TestStride: the rest of a step, or its half, its quarter …, along which a disc that comes down by
// ½ m is further from a floor, or from another disc, than a path with the second derivative given
// can bend by, d²/8 of it; none over a floor that is curved or moves, or of a path that bends at
// will.
func TestStride(t *testing.T) {
	const gap, h = 1., 1.
	disc := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, .1 + gap}, Velocity: vec{7, -.5}}
	under := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, -.1}}
	flat := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}}
	moving := flat
	moving.Motion = signal.Motion{Shift: signal.Vector{ramp(t, []float64{0, 9}, []float64{0, 1}), signal.Constant(0), signal.Constant(0)}}
	for _, c := range []struct {
		name  string
		list  []bodies.Body
		on    bodies.Obstacle
		share float64
		bend  float64
		want  float64
	}{
		{"straight", []bodies.Body{disc}, flat, 0, 0, 1},
		{"straight, late", []bodies.Body{disc}, flat, .25, 0, .75},
		{"bends a little", []bodies.Body{disc}, flat, 0, 3.9, 1},
		{"bends more than is left", []bodies.Body{disc}, flat, 0, 4.1, .5},
		{"bends more than there is", []bodies.Body{disc}, flat, 0, 16, .5},
		{"bends on", []bodies.Body{disc}, flat, 0, 8 * .75 / .25 * 1.01, .25},
		{"bends, late", []bodies.Body{disc}, flat, .5, 8 * .5 / .25 * .99, .5},
		{"bends, late, more", []bodies.Body{disc}, flat, .5, 8 * .5 / .25 * 1.01, .25},
		{"bends at will", []bodies.Body{disc}, flat, 0, 1e12, 0},
		{"curved", []bodies.Body{disc}, bodies.Obstacle{Surface: bodies.Ball{Center: vec{0, -50}, R: 50}}, 0, 0, 0},
		{"moves", []bodies.Body{disc}, moving, 0, 0, 0},
		{"a pair", []bodies.Body{disc, under}, floorFar, 0, 3.9, 1},
		{"a pair, bends more than is left", []bodies.Body{disc, under}, floorFar, 0, 4.1, .5},
	} {
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, c.list, c.on)
		copy(s.vEnd, s.v)
		s.alpha, s.gamma, s.until = 1, 1, h
		x := bodies.FloorTouch(0, 0)
		if len(c.list) > 1 {
			x = bodies.PairTouch(0, 1)
		}
		x.N = vec{0, 1}
		s.along(h, c.share, nil)
		if got := s.stride(&x, h, c.share, c.bend); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestPushesOfIslands: what a push counts by is the largest speed of its island, in the units of
// the contacts.
func TestPushesOfIslands(t *testing.T) {
	s := compose()
	p := &s.p
	p.dim = 2
	p.w.D, p.w.Ptr = 2, []int{0}
	var rhos, largest []float64
	for _, n := range []int{11, 1, 12, 3} {
		first, most := len(rhos), 0.0
		for i := range n {
			at := first + i
			rho, speed := .5+.1*float64((7*at)%11), 1+.3*float64((5*at)%13)
			rhos = append(rhos, rho)
			p.b = append(p.b, .6*speed, -.8*speed)
			most = max(most, math.Sqrt(rho)*speed)
			for j := max(0, i-1); j <= min(n-1, i+1); j++ { // each with its neighbours
				p.w.Col, p.w.Val = append(p.w.Col, first+j), append(p.w.Val, 1, 0, 0, 1)
			}
			p.w.Ptr = append(p.w.Ptr, len(p.w.Col))
		}
		for range n {
			largest = append(largest, most)
		}
	}
	for k, push := range NewReplay(s).pushesOf(rhos) {
		if want := math.Sqrt(rhos[k]) * largest[k]; !(math.Abs(push-want) <= 1e-14*want) {
			t.Errorf("contact %d: %g, want %g", k, push, want)
		}
	}
}

// TestSmallIslands: an island is small whose bodies have less than a dozen touches, all of them, be
// they in the problem or not: six discs in a row on a floor have eleven, and the last one's touch
// of a wall is the twelfth.
func TestSmallIslands(t *testing.T) {
	var list []bodies.Body
	for k := range 12 {
		list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{.2*float64(k%6) + 5*float64(k/6), .1}})
	}
	s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{}, Options{}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}}, bodies.Obstacle{Surface: bodies.HalfSpace{Point: vec{6.1}, Normal: vec{-1}}})
	if len(s.touches) != 23 {
		t.Fatalf("%d touches", len(s.touches))
	}
	s.p.list = s.p.list[:0]
	for i := 0; i < len(s.touches); i += 2 {
		s.p.list = append(s.p.list, i)
	}
	for k, few := range NewReplay(s).fewOf() {
		if body := s.touches[s.p.list[k]].A; few != (body < 6) {
			t.Errorf("contact %d, of body %d: few %t", k, body, few)
		}
	}
}

// TestForeseeAnywhere: which pairs may close in a step does not depend on where they are; those
// that are further apart than both go are none.
func TestForeseeAnywhere(t *testing.T) {
	const h, r, u = .01, .1, 6.
	for _, at := range []vec{{}, {50, 0}, {-30, 40}, {0, -70}} {
		for _, c := range []struct {
			gap  vec // between their faces
			want bool
		}{{vec{.04}, true}, {vec{0, .04}, false}, {vec{.2}, false}, {vec{0, .5}, false}} {
			second := vec3.Add(at, 1, c.gap)
			if c.gap[0] > 0 {
				second[0] += 2 * r
			} else {
				second[1] += 2 * r
			}
			s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{Grid: GapGrid}, []bodies.Body{{Shape: bodies.Disc{R: r}, Mass: 1, Position: at, Velocity: vec{u}}, {Shape: bodies.Disc{R: r}, Mass: 1, Position: second}})
			s.foresee(h)
			if got := len(s.touches) > 0; got != c.want {
				t.Errorf("at %v, apart by %v: foreseen %t", at, c.gap, got)
			}
		}
	}
}

// TestAxesOfJoints: joints along or about an axis need one; a hinge in the plane turns about the
// only one there is.
func TestAxesOfJoints(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for _, kind := range []multibody.Kind{multibody.Revolute, multibody.Spherical, multibody.Prismatic, multibody.Slider} {
			if kind == multibody.Spherical && dim == 2 {
				continue
			}
			w, err := bodies.NewWorld(dim, vec{})
			if err != nil {
				t.Fatal(err)
			}
			b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1}
			if dim == 3 {
				b.Shape = bodies.Sphere{R: .1}
			}
			if _, err := w.Add(b); err != nil {
				t.Fatal(err)
			}
			for _, axis := range []vec{{}, {1}} {
				_, err := multibody.NewModel(w, multibody.Setup{Joints: []multibody.Joint{{Kind: kind, A: 0, B: -1, Axis: axis}}})
				needs := kind == multibody.Prismatic || kind == multibody.Slider || kind == multibody.Revolute && dim == 3
				if axis == (vec{}) && (err == nil) == needs || axis != (vec{}) && needs && err != nil {
					t.Errorf("%d dimensions, kind %v along %v: %v", dim, kind, axis, err)
				}
			}
		}
	}
}

// TestFit: doubts that differ by rounding do not tell manners apart, the end of the step does;
// where ends are the same, the way.
func TestFit(t *testing.T) {
	for _, x := range []struct {
		name    string
		a, than fit
		want    bool
	}{
		{"a doubt that is less by rounding, a worse end", fit{.03562545, 1e-3, 1e-3}, fit{.0356254517, 0, 3e-4}, false},
		{"a doubt that is more by rounding, a better end", fit{.0356254517, 0, 3e-4}, fit{.03562545, 1e-3, 1e-3}, true},
		{"less doubt", fit{.03, 1e-3, 1e-3}, fit{.04, 0, 0}, true},
		{"the same end, a shorter way", fit{.01, 1e-13, 1e-6}, fit{.01, 0, 1e-3}, true},
		{"the same end, a longer way", fit{.01, 0, 1e-3}, fit{.01, 1e-13, 1e-6}, false},
		{"itself", fit{.01, 1e-3, 1e-3}, fit{.01, 1e-3, 1e-3}, false},
		{"what is no step at all", fit{math.Inf(1), 1e-3, 1e-3}, fit{math.Inf(1), 1e-3, 1e-3}, false},
	} {
		if x.a.better(&x.than) != x.want {
			t.Errorf("%s: %v", x.name, !x.want)
		}
	}
}

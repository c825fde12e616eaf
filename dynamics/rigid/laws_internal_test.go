package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// discs are two discs of 1 and 2 kg on each other on a floor, apart by a gap, the upper one with a
// velocity.
func discs(t *testing.T, x multibody.Setup, o Options, gap float64, v vec) *Stepper {
	t.Helper()
	return stepperOf(t, 2, vec{}, x, o, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, .1}}, {Shape: bodies.Disc{R: .1}, Mass: 2, Position: vec{0, .3 + gap}, Velocity: v}}, floorUp)
}

// TestHoldBack: what impulses give back raises the kinetic energy by what the compression has
// taken, to the digit, or by less if all of them do; and none where nothing was taken.
func TestHoldBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 21))
	whole, part := 0, 0
	for range 100 {
		s := discs(t, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{}, 0, vec{})
		s.chooseActive()
		if err := s.load(1); err != nil || len(s.p.list) != 2 {
			t.Fatalf("%v, %d contacts", err, len(s.p.list))
		}
		for i := range s.p.r {
			s.p.r[i] = r.NormFloat64()
		}
		for i := range s.w {
			s.w[i] = r.NormFloat64()
		}
		budget := 4 * (r.Float64() - .2)
		before := s.kinetic(s.w)
		s.openRegain(s.w)
		s.regain.taken[0] = budget // of both discs: they touch
		s.holdBack()
		share := s.regain.least
		s.push(s.w, 1)
		gain := s.kinetic(s.w) - before
		switch {
		case share == 1 && gain <= max(0, budget)+1e-12:
			whole++
		case share >= 0 && share < 1 && math.Abs(gain-max(0, budget)) <= 1e-12: // of some joules
			part++
		default:
			t.Errorf("a share of %g gives %g J of %g", share, gain, budget)
		}
	}
	if whole < 10 || part < 10 {
		t.Errorf("%d whole and %d parts: the test looks at nothing", whole, part)
	}
}

// TestReboundAfter: 2 kg fall at 1 m/s on 1 kg that lies on a floor, of e = 1 there and 0 between
// them. The compression, 2 N s, stops both; the floor gives back the 1 J that it took, √2 N s; what
// it throws up takes the upper one along, with √2/3 m/s: 2 + 2√2/3 N s between them. Of Poisson's
// law that is the same.
func TestReboundAfter(t *testing.T) {
	for _, law := range []Impact{MoreauImpact, PoissonImpact} {
		x := multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: 1}, Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: .5}}}
		s := discs(t, x, Options{Impact: law}, .005, vec{0, -1})
		if err := s.Step(t.Context(), .01); err != nil {
			t.Fatal(err)
		}
		list := s.Last().Collisions
		if len(list) != 1 {
			t.Fatalf("law %d: %d collisions", law, len(list))
		}
		near(t, "impulse", list[0].Impulse[0], 2+2*math.Sqrt2/3, 1e-12)
		near(t, "loss", list[0].Loss, 1-1./3, 1e-12)
		near(t, "lower", s.v[1], math.Sqrt2/3, 1e-12)
		near(t, "upper", s.v[4], math.Sqrt2/3, 1e-12)
	}
}

// TestGoals: what is aimed at, by what an island is and does.
func TestGoals(t *testing.T) {
	o := &Options{Tolerance: 1e-11, Accept: 1e-8}
	for _, c := range []struct {
		name               string
		n                  int
		faces, calm, rough bool
		dim                int
		o                  *Options
		want               float64
	}{
		{"few", 3, false, false, false, 3, o, 1e-11},
		{"calm", 3, false, true, false, 3, o, 1e-12},
		{"many, calm", largeIsland + 1, false, true, false, 3, o, 1e-12},
		{"faces, calm", fewContacts, true, true, false, 3, o, 1e-11},
		{"faces in the plane, calm", fewContacts, true, true, false, 2, o, 1e-12},
		{"many", largeIsland + 1, false, false, false, 3, o, 1e-8},
		{"not so many", largeIsland, false, false, false, 3, o, 1e-11},
		{"faces", fewContacts, true, false, false, 3, o, 1e-9},
		{"faces that are to be right", fewContacts, true, false, false, 3, &Options{Tolerance: 1e-5, Accept: 1e-5}, 1e-5},
		{"few faces", fewContacts - 1, true, false, false, 3, o, 1e-11},
		{"many faces", largeIsland + 1, true, false, false, 3, o, 1e-10},
		{"many faces that are to be right", largeIsland + 1, true, false, false, 3, &Options{Tolerance: 1e-9, Accept: 1e-8}, 1e-9},
		{"many faces on the gap grid", largeIsland + 1, true, false, false, 3, &Options{Tolerance: 1e-11, Accept: 1e-8, Grid: GapGrid}, 1e-8},
		{"many faces in the plane", largeIsland + 1, true, false, false, 2, o, 1e-8},
		{"rough", 3, false, false, true, 3, o, 1e-10},
		{"rough, but right", 3, false, false, true, 3, &Options{Tolerance: 1e-9, Accept: 1e-8}, 1e-9},
		{"rough and calm", 3, false, true, true, 3, o, 1e-12},
	} {
		p := &solver{dim: c.dim, list: make([]int, c.n), faces: c.faces, calm: c.calm, rough: c.rough}
		p.onGapGrid = c.o.Grid == GapGrid
		if got := p.goal(c.o); !(math.Abs(got-c.want) <= 1e-15*c.want) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestClosedInUnits: one contact is solved in closed form in any units, of speeds and of masses.
func TestClosedInUnits(t *testing.T) {
	w := []float64{2, .3, .1, .3, 1, .2, .1, .2, 1.5}
	for _, mu := range []float64{0, .3, 2} {
		var first []float64
		for _, speed := range []float64{1, 1e-9, 1e9} {
			for _, mass := range []float64{1, 1e-7, 1e7} {
				p := &solver{dim: 3, list: []int{0}, laws: []contact.Law{contact.Coulomb{Mu: mu}}, b: []float64{-speed, .8 * speed, -.3 * speed}, r: make([]float64, 3), w: contact.Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{0}}}
				for _, x := range w {
					p.w.Val = append(p.w.Val, x/mass)
				}
				if !p.closed(1e-12) || !(p.residual <= 1e-12) {
					t.Errorf("μ = %g, speeds of %g, masses of %g: residual %g", mu, speed, mass, p.residual)
				}
				if first == nil {
					first = append(first, p.r...)
				}
				for d, r := range p.r {
					if !(math.Abs(r/(speed*mass)-first[d]) <= 1e-14) {
						t.Errorf("μ = %g, speeds of %g, masses of %g: r = %v, want %v", mu, speed, mass, p.r, first)
					}
				}
			}
		}
	}
}

// TestWhatSlips: a contact slips whose force is on the cone and whose points move, sticks where
// they do not, and is neither without a force; each by its own.
func TestWhatSlips(t *testing.T) {
	var list []bodies.Body
	for i := range 4 {
		list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{.5 * float64(i), .1}})
	}
	const mu = .5
	s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{Material: multibody.Material{Mu: mu}}, Options{}, list, floorUp)
	s.chooseActive()
	if err := s.load(1); err != nil || len(s.p.list) != 4 {
		t.Fatalf("%v, %d contacts", err, len(s.p.list))
	}
	x := s.frictionSign()
	copy(s.p.r, []float64{1, mu * x, 1, mu * x, 3, .9 * mu * 3 * x, 0, 0})
	for i, v := range []float64{-1, 0, -2, -3} {
		s.w[s.model.Bodies[i].V] = v
	}
	s.classify(.01)
	for i, want := range []ContactState{Slip, Stick, Stick, Active} {
		if got := s.marks[s.p.list[i]].state; got != want {
			t.Errorf("contact %d: %v, want %v", i, got, want)
		}
	}
	if x := &s.step; x.Slip != 1 || x.Stick != 2 || x.Open != 1 {
		t.Errorf("%d slip, %d stick, %d are open", x.Slip, x.Stick, x.Open)
	}
}

// frictionSign is 1 if the tangent of the first touch is along x.
func (s *Stepper) frictionSign() float64 { return math.Copysign(1, s.marks[s.p.list[0]].frame[1][0]) }

// TestArmsOfBends: a touch that bends has a place of its own on each of the two bodies, about which
// they turn.
func TestArmsOfBends(t *testing.T) {
	s := boxOnBox(t, Options{Alpha: .5}, .1)
	for i := range s.touches {
		x := &s.touches[i]
		if x.B < 0 {
			continue
		}
		arms := [2]vec{{.1, .2, -.3}, {.5, -.7, .4}}
		for _, on := range []bool{true, false} {
			s.bent = make([]bend, len(s.touches))
			s.bent[i].on, s.bent[i].arm = on, arms
			p := &s.p
			p.dim, p.h, p.part = 3, p.h[:0], p.part[:0]
			for k, body := range []int{x.A, x.B} {
				sign, arm := float64(1-2*k), arms[k]
				if !on {
					arm = vec3.Add(x.At, -1, s.poses[body].Centre)
				}
				s.jacobian(i, body, sign)
				h := p.h[p.part[k].at:]
				for d := range 3 {
					m := vec3.Cross(arm, s.marks[i].frame[d])
					for c := range 3 { // the boxes have the axes of space
						if !(math.Abs(h[3*c+d]-sign*s.marks[i].frame[d][c]) <= 1e-15) || !(math.Abs(h[3*(3+c)+d]-sign*m[c]) <= 1e-15) {
							t.Fatalf("touch %d, body %d, on %t: row %d is %v", i, body, on, d, h)
						}
					}
				}
			}
		}
		return
	}
	t.Error("the boxes do not touch")
}

// TestForeseeNone: on the grid of collisions nothing is foreseen, nor for a body alone; nor are
// corners of a pair that another corner of it closes.
func TestForeseeNone(t *testing.T) {
	const h = .01
	fall := func(o Options, x vec) *Stepper {
		return stepperOf(t, 2, vec{0, -10}, multibody.Setup{}, o, []bodies.Body{{Shape: bodies.Rod{Length: .4, R: .01}, Mass: 1, Position: vec{0, .21 + .06}, Angle: x[0], Velocity: vec{0, -8}}}, floorUp)
	}
	for _, c := range []struct {
		name  string
		o     Options
		alone bool
		angle float64
		want  int
	}{
		{"upright", Options{Grid: GapGrid, Margin: .02}, false, math.Pi / 2, 1},
		{"alone", Options{Grid: GapGrid, Margin: .02}, true, math.Pi / 2, 0},
		{"collisions", Options{Margin: .02}, false, math.Pi / 2, 0},
	} {
		s := fall(c.o, vec{c.angle})
		s.alone = c.alone
		if n := len(s.touches); n != 0 {
			t.Fatalf("%s: %d touches before", c.name, n)
		}
		s.foresee(h)
		if len(s.touches) != c.want || len(s.marks) != c.want {
			t.Errorf("%s: %d touches, want %d", c.name, len(s.touches), c.want)
		}
	}
}

// TestArrives: what ends a step apart by less than what counts as closed has not collided in it,
// but arrives.
func TestArrives(t *testing.T) {
	const h, u = .01, 2.
	for _, c := range []struct {
		gap           float64 // at the end
		hits, arrives bool
	}{{5e-11, false, true}, {2e-10, false, false}, {-5e-11, true, false}} {
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Disc{R: .5}, Mass: 1, Position: vec{0, .5 + h*u + c.gap}, Velocity: vec{0, -u}}}, floorUp)
		s.begin(h)
		s.recount()
		s.until = h
		if err := s.trial(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		hit, at, err := s.collision(h)
		if err != nil || (hit != nil) != c.hits || s.arrives != c.arrives {
			t.Errorf("gap %g: %v, hit %v at %g, arrives %t", c.gap, err, hit, at, s.arrives)
		}
	}
}

// TestQuietNeighbours: what rests beside what moves does not come to rest with it, and does once
// that has stopped; nor does what a contact bears that has opened, or an obstacle that moves.
func TestQuietNeighbours(t *testing.T) {
	const h = .01
	for _, c := range []struct {
		lower, upper float64 // speeds
		open, moves  bool
		rests        bool
	}{{0, 0, false, false, true}, {0, .1, false, false, false}, {.1, 0, false, false, false}, {.1, .1, false, false, false}, {0, 0, true, false, false}, {0, 0, false, true, false}} {
		floor := floorUp
		if c.moves {
			floor.Motion = signal.Motion{Shift: signal.Vector{ramp(t, []float64{0, 1}, []float64{0, 1}), signal.Constant(0), signal.Constant(0)}}
		}
		s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{}, []bodies.Body{{Shape: square, Mass: 1, Position: vec{0, .1}}, {Shape: square, Mass: 2, Position: vec{0, .3}}}, floor)
		s.begin(h)
		s.alpha, s.gamma = 1, 1
		if err := s.prepare(terms{h, 1, 1}); err != nil {
			t.Fatal(err)
		}
		s.impulse(h)
		s.chooseActive()
		if len(s.p.list) != 4 {
			t.Fatalf("%d contacts", len(s.p.list))
		}
		for i, v := range []float64{c.lower, c.upper} {
			s.w[s.model.Bodies[i].V] = v
		}
		if c.open {
			s.touches[3].Gap, s.marks[3].loaded = 1e-6, true
		}
		s.settleDown(h)
		for i := range s.marks {
			if s.marks[i].slept != c.rests {
				t.Errorf("%+v: touch %d rests: %t", c, i, s.marks[i].slept)
			}
		}
	}
}

// TestTumblingStages: what tumbles has stages of its own, however slowly it does, below a thousand
// contacts; of less than a dozen, points of what may tumble.
func TestTumblingStages(t *testing.T) {
	for _, c := range []struct {
		unit float64
		n    int
		want *stage
	}{{.01, 2 * largeIsland, &tumbleFirst[0]}, {0, 2 * largeIsland, &newtonFirst[0]}, {.01, largeIsland, &tumbleFirst[0]}, {.01, largeIsland - 1, &tumbleInterior[0]}, {0, manyContacts, &newtonInterior[0]}, {.01, hugeIsland, &hugeStages[0]}} {
		p := &solver{dim: 3, list: make([]int, c.n), unit: c.unit}
		if got := &p.stages()[0]; got != c.want {
			t.Errorf("%d contacts, V = %g: %+v first", c.n, c.unit, *got)
		}
	}
	for _, c := range []struct {
		p    solver
		want *stage
	}{{solver{points: true}, &fewPoints[0]}, {solver{points: true, faces: true}, &fewStages[0]}, {solver{}, &fewStages[0]}} {
		c.p.list = make([]int, fewContacts-1)
		if got := &c.p.stages()[0]; got != c.want {
			t.Errorf("%+v: %+v first", c.p, *got)
		}
	}
}

// TestFarTurnOfPins: a body at a pin whose spin changes by more than two radians a step is not
// taken where rounds have led it; what hangs on nothing may turn.
func TestFarTurnOfPins(t *testing.T) {
	const h = .01
	for _, c := range []struct {
		body int
		turn float64
		want bool
	}{{0, 0, true}, {0, .9, true}, {0, -1.1, false}, {1, 1.1, false}, {2, 5, true}} {
		list := []bodies.Body{{Shape: bodies.Disc{R: .05}, Mass: 1, Position: vec{.2}}, {Shape: bodies.Disc{R: .05}, Mass: 1, Position: vec{.4}}, {Shape: bodies.Disc{R: .05}, Mass: 1, Position: vec{3}}}
		s := stepperOf(t, 2, vec{}, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: -1}, {Kind: multibody.Revolute, A: 1, B: 0, At: [3]float64{.3}}}}, Options{Alpha: .5}, list)
		if s.pins == nil {
			t.Fatal("no pins")
		}
		s.impulse(h)
		s.pins.begin(s.mechanics, h)
		for i := range s.pins.list {
			l := &s.pins.list[i]
			if l.w = l.v0; l.body == c.body {
				l.w[2] += c.turn * secantTurn / h
			}
		}
		if got := s.pins.end(s.mechanics, h); got != c.want {
			t.Errorf("%+v: taken %t", c, got)
		}
	}
}

// TestWhoIsCalm: an island is calm whose bodies all are, those of its contacts with obstacles too.
func TestWhoIsCalm(t *testing.T) {
	s := discs(t, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{}, 0, vec{})
	s.chooseActive()
	members := []int{0, 1}
	for _, c := range []struct {
		lower, upper float64
		want         bool
	}{{0, 0, true}, {1, 0, false}, {0, 1, false}, {1, 1, false}} {
		s.v[s.model.Bodies[0].V], s.v[s.model.Bodies[1].V] = c.lower, c.upper
		if got := s.calm(members); got != c.want {
			t.Errorf("speeds %g and %g: %t", c.lower, c.upper, got)
		}
		for k, i := range s.p.list { // each contact by itself
			if got, want := s.calm(members[k:k+1]), c.lower == 0 && (c.upper == 0 || s.touches[i].B < 0); got != want {
				t.Errorf("speeds %g and %g, contact %d: %t", c.lower, c.upper, k, got)
			}
		}
	}
}

// TestNoiseOfJoints: two roundings of the force of a joint, over the mass of each of its bodies, is
// the noise of that; both bodies of it have it, whatever their order.
func TestNoiseOfJoints(t *testing.T) {
	const h, force = .01, 3.
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 2}, {Shape: bodies.Disc{R: .1}, Mass: 5}} // one on the other, pinned in the middle
		s := stepperOf(t, 2, vec{}, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Revolute, A: order[0], B: order[1]}}}, Options{}, list)
		s.step.H = h
		s.pull[0], s.pull[1] = force, -force
		s.measureNoise()
		for b, m := range []float64{2, 5} {
			if got, want := s.rest.noise[b], 2*0x1p-52*h*2*force/m; !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("order %v, body %d: %g m/s, want %g", order, b, got, want)
			}
		}
	}
}

// TestSlipOnMoving: the slip of a touch that bends at the beginning of a step is that beside an
// obstacle as it moves then.
func TestSlipOnMoving(t *testing.T) {
	floor := floorUp
	floor.Motion = signal.Motion{Shift: signal.Vector{ramp(t, []float64{0, .5, 1}, []float64{0, 1, 1}), signal.Constant(0), signal.Constant(0)}} // 2 m/s, and none after .5 s
	s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Mu: .5}}, Options{Alpha: .5}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, .1}, Velocity: vec{5}, Spin: vec{0, 0, 10}}}, floor)
	s.bent = make([]bend, len(s.touches))
	s.bent[0].on, s.bent[0].frame = true, s.marks[0].frame
	u := make([]float64, 2)
	s.slipAt(u, 0)
	want := 5 + .1*10 - 2. // of the point below
	if along := s.marks[0].frame[1][0]; !(math.Abs(u[0]) <= 1e-15) || !(math.Abs(u[1]*along-want) <= 1e-14) {
		t.Errorf("%v, want %g along x", u, want)
	}
}

// TestPulls: a push along the sliding cone of a contact, n − f Σ u_d t_d, pulls where it does not
// part the bodies there, to rounding of the f at which it turns.
func TestPulls(t *testing.T) {
	s := boxOnBox(t, Options{}, .1)
	s.chooseActive()
	if err := s.load(1); err != nil {
		t.Fatal(err)
	}
	turned := 0
	for k := range s.p.list {
		for _, u := range [][]float64{{0, 1, 0}, {0, 0, 1}, {7, .6, .8}, {-1, .8, -.6}} {
			part := func(f float64) float64 { // speed along the normal
				clear(s.p.r)
				s.p.r[3*k], s.p.r[3*k+1], s.p.r[3*k+2] = 1, -f*u[1], -f*u[2]
				y, v := make([]float64, len(s.v)), make([]float64, len(s.p.r))
				s.push(y, 1)
				s.speeds(v, y)
				return v[3*k]
			}
			alone, slope := part(0), part(1)-part(0)
			at := -alone / slope
			for _, f := range []float64{0, at * (1 - 1e-9), at * (1 + 1e-9)} {
				if math.IsInf(f, 0) || math.Abs(f) > 1e6 {
					continue
				}
				turned++
				if got, want := s.pulls(k, u, f), part(f) <= 0; got != want {
					t.Errorf("contact %d, slip %v: pulls at %g: %t", k, u, f, got)
				}
			}
		}
	}
	if turned < 3*len(s.p.list) {
		t.Errorf("%d pushes of %d contacts", turned, len(s.p.list))
	}
}

// TestSolvedStates: of a contact that slides, one that sticks and one that is open, in a row, the
// first has no speed along its normal and its force on the cone, the second none, the third no
// force.
func TestSolvedStates(t *testing.T) {
	p := chain(3, .3, []float64{-1, -3, .5, -1, .1, .2, 2, 0, 0}, make([]float64, 9))
	for k := range p.w.Col { // tangents are coupled with normals, too
		if p.w.Col[k] == 0 || p.w.Col[k] == 1 {
			p.w.Val[9*k+1], p.w.Val[9*k+3] = p.w.Val[9*k+1]+.1, p.w.Val[9*k+3]+.1
		}
	}
	r := []float64{1, .4, -.3, 1, .2, 0, 0, 0, 0}
	p.suggest(r)
	if n := len(p.polish.column); n != 4 || !p.solveStates(r) {
		t.Fatalf("%d unknowns", n)
	}
	u := make([]float64, 9)
	p.multiply(u, r)
	for _, i := range []int{0, 3, 4, 5} {
		if !(math.Abs(u[i]) <= 1e-14) {
			t.Errorf("speed %d is %g", i, u[i])
		}
	}
	if !(math.Abs(length(r[1:3])-.5*r[0]) <= 1e-15) || !(r[0] > 0) || r[6] != 0 || !(math.Abs(r[1]*.3+r[2]*.4) <= 1e-15) {
		t.Errorf("r = %v", r)
	}
}

// TestRootBefore: a gap that is closed at the beginning of a step has its root there.
func TestRootBefore(t *testing.T) {
	const h = .01
	s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Disc{R: .5}, Mass: 1, Position: vec{0, .5}}}, floorUp)
	s.begin(h)
	s.recount()
	s.until = h
	if err := s.trial(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	x := s.touches[0]
	x.Gap = -1e-3
	if got := s.rootOf(&x, h); got != 0 {
		t.Errorf("at %g of the step", got)
	}
}

// TestAdmittedStarts: a velocity that a pin admits to rounding breaks nothing, and one of two that
// it does not is found, however slow what else moves is.
func TestAdmittedStarts(t *testing.T) {
	for _, spin := range []float64{.7, 2.2, -3.1, 1e3} {
		for _, off := range []float64{0, 1e-3} {
			list := []bodies.Body{{Shape: bodies.Disc{R: .01}, Mass: 2, Position: vec{.3, .1}, Velocity: vec{-.1 * spin, .3*spin + off}, Spin: vec{0, 0, spin}}, {Shape: bodies.Disc{R: .01}, Mass: 1, Position: vec{9}}}
			s := stepperOf(t, 2, vec{}, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: -1}}}, Options{}, list)
			if (s.broken.taken > 0) != (off > 0) || off > 0 && !(math.Abs(s.broken.speed-off) <= 1e-12) {
				t.Errorf("spin %g, off by %g: %+v", spin, off, s.broken)
			}
		}
	}
}

// TestForeseenPairs: what counts is how fast two bodies approach, not how fast they go, and the two
// longest ways together, in whatever order.
func TestForeseenPairs(t *testing.T) {
	const h, r = .01, .1
	for _, c := range []struct {
		gap, left, right float64
		want             bool
	}{{.04, 12, 6, true}, {.04, 6, 0, true}, {.04, 0, -6, true}, {.04, -6, -12, true}, {.04, 12, 12, false}, {.022, 1.4, -1.6, true}, {.022, 1.6, -1.4, true}, {.022, .1, -1.6, false}} {
		for order := range 2 {
			list := []bodies.Body{{Shape: bodies.Disc{R: r}, Mass: 1, Velocity: vec{c.left}}, {Shape: bodies.Disc{R: r}, Mass: 1, Position: vec{2*r + c.gap}, Velocity: vec{c.right}}}
			if order == 1 {
				list[0], list[1] = list[1], list[0]
			}
			s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{Grid: GapGrid}, list)
			s.foresee(h)
			if got := len(s.touches) > 0; got != c.want {
				t.Errorf("%+v, order %d: foreseen %t", c, order, got)
			}
		}
	}
}

// TestLooseIsSaid: the verdict has two lines more from the first problem on that was solved to the
// error of its step.
func TestLooseIsSaid(t *testing.T) {
	s := discs(t, multibody.Setup{}, Options{}, 0, vec{})
	n := len(s.Solved())
	s.worth.Loose = Loose{Solves: 1}
	if given := s.Solved()[2]; given.Value != 0 || !given.Passed() {
		t.Errorf("nothing given: %+v", given)
	}
	for solves := range 3 {
		s.worth.Loose = Loose{Solves: solves, Share: .01, Given: .25, Taken: 10}
		list := s.Solved()
		if got := len(list) - n; got != 2*min(1, solves) {
			t.Errorf("%d problems: %d lines more", solves, got)
		}
		if solves > 0 && (list[1].Value != .01 || list[2].Value != .025) {
			t.Errorf("%+v", list[1:3])
		}
	}
}

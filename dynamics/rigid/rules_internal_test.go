package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/signal"
)

var floorUp = bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}}

// TestThrough: a pair that met is through if it is apart at the end of the step, or deeper than a
// quarter of the smaller width; an obstacle is never too deep.
func TestThrough(t *testing.T) {
	for _, c := range []struct {
		gap  float64 // over the width of the smaller one
		pair bool
		want bool
	}{{.01, true, true}, {-.01, true, false}, {-.24, true, false}, {-.26, true, true}, {.01, false, true}, {-.24, false, false}, {-.4, false, false}, {.2, true, true}} {
		const small, large = .1, .3
		list := []bodies.Body{{Shape: bodies.Disc{R: large}, Mass: 1, Position: vec{0, 5}}, {Shape: bodies.Disc{R: small}, Mass: 1, Position: vec{2, 5}}}
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, list, floorUp)
		s.fast(1)
		width := s.paths[1].width
		touch := bodies.PairTouch(0, 1)
		where := vec{large + small + c.gap*width, 5}
		if !c.pair {
			where, touch = vec{2, small + c.gap*width}, bodies.FloorTouch(1, 0)
		}
		copy(s.q[3:5], where[:2])
		if got := s.through(&touch, 1); got != c.want {
			t.Errorf("%+v: through %t", c, got)
		}
	}
}

// TestParts: a collision before a kink of the motion that another contact feels leaves the rest of
// the step, all of it: what flies goes on as far as it has to, and what is hit second is named.
func TestParts(t *testing.T) {
	path, err := signal.NewTable([]float64{0, .1, 1}, []float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{path, signal.Constant(0), signal.Constant(0)}}}
	wall := bodies.Obstacle{Surface: bodies.HalfSpace{Point: vec{10, 0}, Normal: vec{-1, 0}}}
	list := []bodies.Body{{Shape: square, Mass: 2, Position: vec{0, .1}}, {Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{9.85, 3}, Velocity: vec{1}}, {Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{3, 2}, Velocity: vec{2, 1}}}
	s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Mu: .3, Restitution: 1}}, Options{Alpha: .5}, list, belt, wall)
	const h = .15
	if err := s.Step(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if x := s.step.Collisions; len(x) == 0 || x[0].B != -2 || x[0].A != 1 || !(math.Abs(x[0].T-.05) < 1e-9) {
		t.Errorf("collisions %+v, want one of body 1 with the wall at .05 s", x)
	}
	const back, free = 3, 6
	for i, want := range map[int]float64{free: 3 + 2*h, free + 1: 2 + h, back: 9.9 - .1, back + 1: 3} {
		if !(math.Abs(s.q[i]-want) < 1e-9) { // what collisions are found to
			t.Errorf("coordinate %d is %.15g, want %.15g", i, s.q[i], want)
		}
	}
}

// TestSlipOfBends: the velocity of a touch at the start of the step is that of its two points,
// obstacles that move included.
func TestSlipOfBends(t *testing.T) {
	path, err := signal.NewTable([]float64{0, 1}, []float64{0, 3})
	if err != nil {
		t.Fatal(err)
	}
	belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{path, signal.Constant(0), signal.Constant(0)}}}
	list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, .1}, Velocity: vec{5, -1}, Spin: vec{0, 0, 2}}, {Shape: bodies.Disc{R: .2}, Mass: 3, Position: vec{0, .4}, Velocity: vec{1, -4}, Spin: vec{0, 0, 7}}}
	s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, list, belt)
	if len(s.touches) != 2 {
		t.Fatalf("%d touches", len(s.touches))
	}
	s.bent = make([]bend, 2)
	for i := range s.touches {
		s.bent[i].frame = [3]vec{{1}, {0, 1}} // any
		want := vec{5 + .2 - 3, -1}           // at the bottom ω×r = (.1ω, 0)
		if s.touches[i].B >= 0 {
			want = vec{5 - .2 - (1 + 7*.2), -1 + 4}
		}
		u := make([]float64, 2)
		s.slipAt(u, i)
		if !(math.Abs(u[0]-want[0]) < 1e-14) || !(math.Abs(u[1]-want[1]) < 1e-14) {
			t.Errorf("touch %d: %v, want %v", i, u, want)
		}
	}
	// What bends a gap of two discs: their turns, and their motion to each other, with the mass
	// m₁m₂/(m₁ + m₂).
	copy(s.x, s.v)
	pair := bodies.PairTouch(0, 1)
	want := .5*s.model.Inertia(&s.model.Bodies[0], 2)*4 + .5*s.model.Inertia(&s.model.Bodies[1], 2)*49 + .5*.75*(16+9)
	if got := s.bendEnergy(&pair); !(math.Abs(got-want) < 1e-13) {
		t.Errorf("energy %g, want %g", got, want)
	}
	// Of the touches of a step the points of the first body too, of which no other is first.
	s.w = append(s.w[:0], 0, 0, 50, 1, 0, 0)
	for i := range s.touches {
		if got := NewReplay(s).fastest(i); !(math.Abs(got-50*s.model.Bodies[0].Lever(2, 2)) < 1e-13) {
			t.Errorf("touch %d: the fastest point goes at %g", i, got)
		}
	}
}

// TestWhatIsNew: contacts that were not there before; sets of contacts that are those of the last
// call; times that are kinks but for rounding; laws that are known.
func TestWhatIsNew(t *testing.T) {
	s := garden(t, 2, Options{})
	s.touches = []bodies.Touch{bodies.FloorTouch(0, 0), bodies.FloorTouch(1, 0), bodies.FloorTouch(2, 0)}
	s.marks = make([]mark, 3)
	for _, c := range []struct {
		list []int
		was  [3]bool
		want bool
	}{{nil, [3]bool{}, false}, {[]int{0, 1}, [3]bool{true, true, false}, false}, {[]int{0, 1}, [3]bool{true, false, true}, true}, {[]int{0}, [3]bool{}, true}, {[]int{0, 1, 2}, [3]bool{true, true, true}, false}} {
		s.p.list = c.list
		for i := range s.marks {
			s.marks[i].was = c.was[i]
		}
		if got := s.comers(); got != c.want {
			t.Errorf("%+v: comers %t", c, got)
		}
	}
	s.keys = nil
	for k, c := range []struct {
		active [3]bool
		same   bool
	}{{[3]bool{true, true, false}, false}, {[3]bool{true, true, false}, true}, {[3]bool{true, false, true}, false}, {[3]bool{true, false, true}, true}, {[3]bool{true}, false}, {[3]bool{true}, true}, {[3]bool{false, true, false}, false},
		{[3]bool{true, true, true}, false}, {[3]bool{true, true, true}, true}, {[3]bool{}, false}, {[3]bool{}, true}} {
		for i := range s.marks {
			s.marks[i].active = c.active[i]
		}
		if got := s.sameContacts(); got != c.same {
			t.Errorf("call %d: the same %t", k, got)
		}
	}
	path, err := signal.NewTable([]float64{0, 1, 2}, []float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{path, signal.Constant(0), signal.Constant(0)}}}
	s = stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: square, Mass: 2, Position: vec{0, .1}}}, belt)
	const h = .01
	for _, c := range []struct {
		off  float64 // over h
		want bool
	}{{.5e-6, true}, {-.5e-6, true}, {2e-6, false}, {-2e-6, false}, {1, false}, {-1, false}, {0, true}} {
		s.t = 1 + c.off*h
		if got := s.hasKink(&s.touches[0], h); got != c.want {
			t.Errorf("%g h beside a kink: %t", c.off, got)
		}
	}
	// The polygon of a cone has its edges at μ cos(π/8); a law is known again by its μ.
	s = stepperOf(t, 3, vec{}, multibody.Setup{}, Options{Friction: Polyhedron, Facets: 8}, []bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 2, Position: vec{0, .1}}}, floorUp)
	known := len(s.p.known)
	for _, mu := range []float64{.3, .5, .3, .5, .3} {
		if l := s.law(mu); math.Abs(lawMu(l)-mu*math.Cos(math.Pi/8)) > 1e-15 {
			t.Errorf("μ = %g: %+v", mu, l)
		}
	}
	if more := len(s.p.known) - known; more != 2 {
		t.Errorf("%d laws of two μ", more)
	}
	// Places in messages are those of the world before it was moved to its origin.
	s.model.Setup.Origin = vec{10, 20, 30}
	if got := s.model.There(vec{1, 2, 3}); got != (vec{11, 22, 33}) {
		t.Errorf("there: %v", got)
	}
}

// TestRestitutionOfDrives: by Newton's law a contact leaves with e times the speed with which it
// approached a floor that moves, at the instant; slow ones do not; and an impulse gives back what
// its contact does.
func TestRestitutionOfDrives(t *testing.T) {
	path, err := signal.NewTable([]float64{0, 1, 2}, []float64{0, 1, 8}) // at 1 m/s, and from 1 s on at 7 m/s
	if err != nil {
		t.Fatal(err)
	}
	lift := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{signal.Constant(0), path, signal.Constant(0)}}}
	s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Restitution: .5}}, Options{RestitutionSpeed: .1}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 2, Position: vec{0, .1}, Velocity: vec{0, -2}}}, lift)
	s.t, s.step.H = .9, .2
	s.p.list, s.p.dim, s.p.b = []int{0}, 2, []float64{10, 20}
	if s.restitution(); !(math.Abs(s.p.b[0]-(10-.5*3)) < 1e-14) || s.p.b[1] != 20 {
		t.Errorf("speeds %v, want 8.5 and 20", s.p.b)
	}
	if s.v[1], s.p.b[0] = .95, 10; s.approach(0, s.v, 0) > -.04 || s.approach(0, s.v, 0) < -.06 {
		t.Fatalf("approach at %g", s.approach(0, s.v, 0))
	}
	if s.restitution(); s.p.b[0] != 10 {
		t.Errorf("slower than the limit: %v", s.p.b)
	}
	s.p.r = []float64{0, 0}
	if least, most := s.springBack(); least != 1 || most != 0 {
		t.Errorf("without an impulse: %g, %g", least, most)
	}
	s.p.r = []float64{4, -1}
	if least, most := s.springBack(); least != .5 || most != .5 || s.back[0] != 2 || s.back[1] != -.5 {
		t.Errorf("of one impulse: %g, %g, back %v", least, most, s.back)
	}
}

// TestLeversOfPins: what a pin adds to the matrix of a body is minus the derivative, by its spin,
// of the moment of its force; of a chain that hangs on one pin too; what is measured are speeds, of
// the past and of what pushes.
func TestLeversOfPins(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	const h, d = .3, 1e-5
	for range 20 {
		l, p := &pinned{}, &pinned{}
		for _, x := range []*pinned{l, p} {
			x.r0, x.w[2] = [2]float64{r.NormFloat64(), r.NormFloat64()}, r.NormFloat64()
		}
		l.f, l.s0 = [2]float64{r.NormFloat64(), r.NormFloat64()}, [2]float64{r.NormFloat64(), r.NormFloat64()}
		set := func(by, other float64) {
			for k, x := range []*pinned{l, p} {
				x.a = .5 * h * (x.w[2] + [2]float64{by, other}[k])
				x.scale = 1 / (1 + x.a*x.a)
				x.d, x.b = [9]float64{}, [3]float64{}
			}
			l.join(p, h)
		}
		moments := func(by, other float64) (own, parent float64) {
			set(by, other)
			return l.b[2], p.b[2]
		}
		more, _ := moments(d, 0)
		less, _ := moments(-d, 0)
		_, above := moments(0, d)
		_, below := moments(0, -d)
		set(0, 0)
		if got, want := l.d[8], -(more-less)/(2*d); !(math.Abs(got-want) < 1e-9) { // d², and rounding over d
			t.Errorf("own: %g, by differences %g", got, want)
		}
		if got, want := p.d[8], -(above-below)/(2*d); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("that it hangs on: %g, by differences %g", got, want)
		}
	}
	for i, c := range []struct {
		l    pinned
		want float64
	}{{pinned{v0: [3]float64{-3, 1, .5}, mass: 4, moment: 8}, 3}, {pinned{v0: [3]float64{0, 0, -2}, mass: 4, moment: 8}, 4}, {pinned{k: [3]float64{-20, 0, 0}, mass: 4, moment: 8}, 5},
		{pinned{k: [3]float64{0, 24, 0}, mass: 4, moment: 8}, 6}, {pinned{k: [3]float64{0, 0, -28}, mass: 4, moment: 8}, 7}} {
		if c.l.measure(2); c.l.size != c.want {
			t.Errorf("body %d: size %g, want %g", i, c.l.size, c.want)
		}
	}
	x := multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: -1}}}
	if s := stepperOf(t, 2, vec{0, -9.81}, x, Options{}, []bodies.Body{{Shape: bodies.Disc{R: .05}, Mass: 1, Position: vec{.4}}}); s.pins == nil {
		t.Error("a single pendulum has no pins")
	}
	x.Forces = []multibody.Force{&multibody.Spring{A: 0, B: -1, Stiffness: 1}}
	if s := stepperOf(t, 2, vec{0, -9.81}, x, Options{}, []bodies.Body{{Shape: bodies.Disc{R: .05}, Mass: 1, Position: vec{.4}}}); s.pins != nil {
		t.Error("a pendulum on a spring is solved without it")
	}
}

// TestOpeningIsKept: what a step begins from when it is made again has the motion that opens its
// contacts, however long.
func TestOpeningIsKept(t *testing.T) {
	s := garden(t, 2, Options{})
	for range 2 {
		if err := s.Step(t.Context(), 1e-3); err != nil {
			t.Fatal(err)
		}
		s.Keep(0)
		if err := s.Step(t.Context(), 1e-3); err != nil {
			t.Fatal(err)
		}
		s.opening = append(s.opening[:0], 1, 2, 3)
		if err := s.Return(0); err != nil {
			t.Fatal(err)
		}
		if len(s.opening) != 3 || s.opening[0] != 1 || s.opening[2] != 3 {
			t.Errorf("opening %v", s.opening)
		}
	}
}

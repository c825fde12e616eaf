package rigid

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// stepperOf makes a stepper of bodies on obstacles.
func stepperOf(t *testing.T, dim int, gravity vec, x multibody.Setup, o Options, list []bodies.Body, obstacles ...bodies.Obstacle) *Stepper {
	t.Helper()
	w, err := bodies.NewWorld(dim, gravity)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range obstacles {
		if _, err := w.AddObstacle(b); err != nil {
			t.Fatal(err)
		}
	}
	return stepperIn(t, w, x, o)
}

var square = bodies.Polygon{Vertices: [][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}

// TestPortionsSumUp: what a step has made is the sum of its portions, each by its own share; on the
// gap grid what contacts take is the step's.
func TestPortionsSumUp(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, inelastic := range []bool{false, true} {
		s := garden(t, 2, Options{})
		if s.mode.grid = FixedGrid; inelastic {
			s.mode.grid = GapGrid
		}
		x, w := &s.worth.Shares, &s.worth
		s.presentShares()
		for i := range w.Portions {
			w.Portions[i] = Portions{}
		}
		var want [portionsCount]float64
		whole := 0.0
		for i := range w.Made.Root {
			for _, l := range x.all() {
				(*l)[i] = r.NormFloat64()
			}
			x.Normal[i] = math.Abs(x.Normal[i]) // taken
			made := x.Friction[i] + x.Taken[i] + x.Springs[i] - x.Work[i]
			whole -= made
			want[byProjection] += x.Projection[i]
			want[byJoints] += x.Joints[i]
			want[byCollisions] -= x.Given[i]
			want[bySprings] -= x.Springs[i]
			if inelastic {
				whole -= x.Normal[i]
			} else {
				want[byContacts] += x.Normal[i]
			}
		}
		want[byStep] = whole - want[byProjection] - want[byJoints] - want[byContacts] - want[byCollisions] - want[bySprings]
		s.shareStep(.01)
		for k := range portionsCount {
			got := 0.0
			for i := range w.Portions {
				got += w.Portions[i][k].Lost - w.Portions[i][k].Made
			}
			if !(math.Abs(got-want[k]) <= 1e-13) {
				t.Errorf("gap grid %t: %s lose %g, want %g", inelastic, portionNames[k], got, want[k])
			}
		}
	}
}

// TestWhatForcesDo: the power of a damper of a turn between two bodies, of which body 0 may be the
// second, and on the ground; a spring of no length has a direction and finite forces.
func TestWhatForcesDo(t *testing.T) {
	s := garden(t, 2, Options{})
	for b := range 5 {
		s.v[s.model.Bodies[b].V+2] = float64(b*b) + 1
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{3, -1, 2 * 100}, {3, 1, 2 * 64}, {3, 0, 2 * 81}, {0, 3, 2 * 81}} {
		if got := (&multibody.Twist{A: c.a, B: c.b, Damping: 2}).Power(&s.snap); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("a twist of %d and %d: %g W, want %g", c.a, c.b, got, c.want)
		}
	}
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		at := s.poses[3].Centre
		x := &multibody.Spring{A: 3, B: -1, AtB: at, Stiffness: 10, RestLength: .3, Damping: 1}
		f := make([]float64, s.model.Bodies[3].N)
		x.Force(f, 0, &s.snap)
		if size := length(f[:dim]); !(math.Abs(size-(3-math.Abs(s.v[s.model.Bodies[3].V+1]))) <= 1e-12+math.Abs(s.v[s.model.Bodies[3].V])) || !finite(f) {
			t.Errorf("a spring of no length pushes with %v", f)
		}
	}
}

// TestStillness: a body is balanced whose impulses change it by no more than the speeds at rest and
// what rounding leaves together; what has neither speed nor forces is slow.
func TestStillness(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{Tolerance: 1e-9})
		p := &s.model.Bodies[4]
		s.rest.noise = make([]float64, 5)
		s.rest.push = make([]float64, len(s.v))
		for k := range p.N {
			s.kick[p.V+k], s.v[p.V+k] = 0, 0
		}
		if !s.slow(4, .1) || !s.slow(4, 0) {
			t.Error("what neither moves nor is pushed is not slow")
		}
		s.kick[p.V] = p.Mass // 1 m/s: at rest below 1e-8
		rest := s.restSpeed(p)
		for _, c := range []struct {
			noise, left float64
			want        bool
		}{{0, .9, true}, {0, 1.1, false}, {.5, 1.4, true}, {.5, 1.6, false}, {.9, .5, true}} {
			s.rest.noise[4] = c.noise * rest
			s.rest.push[p.V] = -p.Mass * (1 - c.left*rest)
			if got := s.balanced(4); got != c.want {
				t.Errorf("%+v: balanced %t", c, got)
			}
			s.rest.push[p.V] = -p.Mass * (1 + c.left*rest)
			if got := s.balanced(4); got != c.want {
				t.Errorf("%+v, the other way: balanced %t", c, got)
			}
		}
	}
}

// TestPushSizes: Σ|H r| of a ball on a floor is that of its normal impulse, of its friction, and R
// times that of its spin; of two in touch those of both.
func TestPushSizes(t *testing.T) {
	s := garden(t, 2, Options{})
	s.touches = []bodies.Touch{bodies.FloorTouch(3, 0), bodies.PairTouch(3, 4)}
	s.touches[0].N, s.touches[0].At = vec{0, 1}, vec3.Add(s.poses[3].Centre, -.1, vec{0, 1})
	s.touches[1].N, s.touches[1].At = vec{-1}, vec3.Add(s.poses[3].Centre, .1, vec{1})
	s.marks = make([]mark, 2)
	for i := range s.marks {
		s.marks[i].transport(s.model, &s.touches[i])
	}
	s.p.dim, s.p.list, s.p.laws = 2, []int{0, 1}, []contact.Law{contact.Coulomb{Mu: .3}, contact.Coulomb{Mu: .3}}
	if err := s.load(1); err != nil {
		t.Fatal(err)
	}
	s.p.r = []float64{5, -2, 7, 3}
	want := make([]float64, len(s.v))
	a, b := s.model.Bodies[3].V, s.model.Bodies[4].V
	want[a], want[a+1], want[a+2] = 2+7, 5+3, .1*2+.1*3
	want[b], want[b+1], want[b+2] = 7, 3, .1*3
	for i, x := range NewReplay(s).pushSizes() {
		if !(math.Abs(x-want[i]) <= 1e-14) {
			t.Errorf("velocity %d: %g, want %g", i, x, want[i])
		}
	}
}

// TestPartners: a body meets others unless it is apart from all of them.
func TestPartners(t *testing.T) {
	for _, c := range []struct {
		apart [][2]int
		want  []bool
	}{{nil, []bool{true, true, true}}, {[][2]int{{0, 1}}, []bool{true, true, true}}, {[][2]int{{0, 2}, {1, 2}}, []bool{true, true, false}}, {[][2]int{{0, 1}, {0, 2}}, []bool{false, true, true}}, {[][2]int{{0, 1}, {0, 2}, {1, 2}}, []bool{false, false, false}}} {
		x := multibody.Setup{Apart: map[[2]int]bool{}}
		for _, p := range c.apart {
			x.Apart[p] = true
		}
		var list []bodies.Body
		for i := range 3 {
			list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{float64(i)}})
		}
		s := stepperOf(t, 2, vec{}, x, Options{}, list)
		s.model.Meets = nil
		s.model.FindPartners()
		for i, want := range c.want {
			if s.model.Meets[i] != want {
				t.Errorf("apart %v: body %d meets others: %t", c.apart, i, !want)
			}
		}
	}
}

// TestPinsConverge: rounds for a chain of pins are Newton's: each change is of the square of the
// one before, the first ones of h; and a change is measured by the largest speed, spins by the
// reach.
func TestPinsConverge(t *testing.T) {
	var list []bodies.Body
	x := multibody.Setup{}
	for i := range 5 {
		a := .7 * float64(i)
		list = append(list, bodies.Body{Shape: bodies.Disc{R: .05}, Mass: 1 + .5*float64(i), Position: vec{.4 * float64(i+1), .1 * math.Sin(a)}, Angle: a, Load: signal.Vector{signal.Constant(1 + a), signal.Constant(-2)}})
		x.Joints = append(x.Joints, multibody.Joint{Kind: multibody.Revolute, A: i, B: i - 1, At: [3]float64{.4*float64(i) + .2, .1 * math.Cos(a)}})
	}
	for _, h := range []float64{1e-3, 1e-4} {
		s := stepperOf(t, 2, vec{.3, -9.81}, x, Options{Alpha: .5}, list)
		for range 3 {
			if err := s.Step(t.Context(), 1e-2); err != nil {
				t.Fatal(err)
			}
		}
		p := s.pins
		if p == nil {
			t.Fatal("no pins")
		}
		clear(s.pull) // the forces are not known
		s.guessVelocity()
		s.leadFriction(s.alpha * h)
		s.impulse(h)
		p.begin(s.mechanics, h)
		var change [4]float64
		var first [][2]float64 // forces after a round
		for k := range change {
			if change[k] = p.round(h); k == 0 {
				for i := range p.list {
					first = append(first, p.list[i].f)
				}
			}
		}
		for i := range p.list { // linear in them but for h
			if f := p.list[i].f; !(math.Hypot(f[0]-first[i][0], f[1]-first[i][1]) <= 20*h*math.Hypot(f[0], f[1])) {
				t.Errorf("h = %g, pin %d: %v N s after a round, %v at last", h, i, first[i], f)
			}
		}
		// Curvature of the equations: of the order of h times the speeds, which are some times
		// those at the beginning.
		if !(change[1] <= 100*h*change[0] && change[2] <= max(1e-13, 1e-4*change[1])) {
			t.Errorf("h = %g: changes %v", h, change)
		}
	}
	l := pinned{reach: 2, size: 1, delta: [3]float64{.1, -.2, .15}, w: [3]float64{0, 0, 3}}
	if got := l.changed(); math.Abs(got-.05) > 1e-16 {
		t.Errorf("changed by %g, want .05", got)
	}
	l.w[0] = -9
	if got := l.changed(); math.Abs(got-.3/9) > 1e-16 {
		t.Errorf("changed by %g", got)
	}
	for _, c := range []struct {
		change, last float64
		want         bool
	}{{1, 2.5, true}, {secantStall, 1.5 * secantStall, true}, {1 + 1e-9, 2.5, false}} {
		if got := pinsDone(c.change, c.last); got != c.want {
			t.Errorf("%g after %g: done %t", c.change, c.last, got)
		}
	}
}

// TestUnitOnCurves: points on curved obstacles alone are measured by these.
func TestUnitOnCurves(t *testing.T) {
	s := stepperOf(t, 3, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Point{}, Mass: 1, Position: vec{0, 0, 3e4}}},
		bodies.Obstacle{Surface: bodies.Ball{R: 2e4}})
	if got := s.model.Unit(); got != 1e6 {
		t.Errorf("unit %g on a ball of 20 km", got)
	}
	s = stepperOf(t, 3, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: bodies.Point{}, Mass: 1, Position: vec{0, 0, 3e4}}},
		bodies.Obstacle{Surface: bodies.Ball{R: 20}})
	if got := s.model.Unit(); !(math.Abs(got/(8*0x1p-52*3e4/multibody.GapGoal)-1) < 1e-12) && got != 1 {
		t.Errorf("unit %g on a ball of 20 m", got)
	}
}

// TestTangentOfSpins: dN/dw is continuous where its closed form takes over from the series, and
// central differences of N.
func TestTangentOfSpins(t *testing.T) {
	p := &multibody.Place{Moments: vec{1, 2, 5}}
	const h, alpha = 1e-2, .5
	o := vec{.02, -.05, .04}
	axis := vec3.Scale(vec{1, 2, -2}, 1./3)
	tangent := func(phi float64) (m [9]float64) {
		p.SpinTangent(&m, o, vec3.Scale(axis, phi/h), h, alpha)
		return m
	}
	below, above := tangent(1e-3*(1-1e-11)), tangent(1e-3*(1+1e-11))
	for i := range below {
		// Of a φ³/24 is left out, times h and a y of .5: 2e-13; the step of φ, 2e-14, makes as
		// much.
		if !(math.Abs(below[i]-above[i]) <= 1e-12) {
			t.Errorf("entry %d jumps by %g", i, below[i]-above[i])
		}
	}
	for _, phi := range []float64{9e-4, 2e-3, .3} {
		m, w := tangent(phi), vec3.Scale(axis, phi/h)
		for c := range 3 {
			const d = 1e-4
			var e vec
			e[c] = d
			plus, minus := p.SpinBalance(o, vec3.Add(w, 1, e), h, alpha), p.SpinBalance(o, vec3.Add(w, -1, e), h, alpha)
			for r := range 3 {
				if diff := (plus[r] - minus[r]) / (2 * d); !(math.Abs(m[3*r+c]-diff) <= 1e-8*(1+phi)) { // rounding 1e-15/d, and d²
					t.Errorf("φ = %g, entry %d %d: %g, by differences %g", phi, r, c, m[3*r+c], diff)
				}
			}
		}
	}
}

// TestNewtonDefect: what the tangent leaves of N is of the square of the change, and nothing
// without one.
func TestNewtonDefect(t *testing.T) {
	for _, drag := range []float64{0, .3} {
		s := garden(t, 3, Options{Alpha: .5})
		s.model.Bodies[2].Drag[1] = drag
		defectOf(t, s)
	}
}

func defectOf(t *testing.T, s *Stepper) {
	p := &s.model.Bodies[2]
	const h = .01
	s.alpha, s.gamma = .5, .5
	for k := range 3 {
		s.v[p.V+3+k] = float64(2*k - 3)
		s.w[p.V+3+k] = s.v[p.V+3+k] + .3*float64(k)
	}
	copy(s.wOld, s.w)
	s.middle(h)
	if err := s.prepare(terms{h, .5, .5}); err != nil {
		t.Fatal(err)
	}
	if x := s.newtonDefect(p, h); x != 0 {
		t.Errorf("%g without a change", x)
	}
	var defect [2]float64
	for i, eps := range []float64{1e-2, 1e-3} {
		copy(s.w, s.wOld)
		s.w[p.V+3] += eps
		s.w[p.V+4] -= 2 * eps
		s.w[p.V+5] += 3 * eps
		defect[i] = s.newtonDefect(p, h)
	}
	if rate := defect[0] / defect[1]; !(rate > 95 && rate < 105) {
		t.Errorf("defects %v: not of second order", defect)
	}
	if !(defect[0] < 1e-5) { // h ε² of spins of 3
		t.Errorf("defect %g", defect[0])
	}
}

// TestBalanceOfJointedBodies: in a step of the secant scheme the impulses of the joints are what
// changes momentum and spins of each body, besides its loads: Mδv = Gᵀc + loads, N(w) = moments.
func TestBalanceOfJointedBodies(t *testing.T) {
	x := multibody.Setup{}
	var list []bodies.Body
	for i := range 3 {
		list = append(list, bodies.Body{Shape: bodies.Box{Size: vec{.2, .1, .05 + .01*float64(i)}}, Mass: 1 + float64(i), Position: vec{.3 * float64(i+1), .02 * float64(i), .1}, Spin: vec{0, 2, 1}, Velocity: vec{0, .3, -.2}})
		x.Joints = append(x.Joints, multibody.Joint{Kind: multibody.Spherical, A: i, B: i - 1, At: [3]float64{.3*float64(i) + .15, .01, .1}})
	}
	for _, alpha := range []float64{.5, .75} {
		s := stepperOf(t, 3, vec{0, 0, -9.81}, x, Options{Alpha: alpha, Uncut: true}, list)
		const h = 4e-3
		for range 3 {
			if err := s.Step(t.Context(), h); err != nil {
				t.Fatal(err)
			}
		}
		before := append([]float64(nil), s.v...)
		if err := s.Step(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		for b := range s.model.Bodies {
			p := &s.model.Bodies[b]
			w := append([]float64(nil), before...)
			for k := range p.N {
				w[p.V+k] += alpha * (s.vEnd[p.V+k] - before[p.V+k])
			}
			n := p.SpinBalance(p.SpinOf(before), p.SpinOf(w), h, alpha)
			for k := range 3 {
				weight := 0.0
				if k == 2 {
					weight = -9.81 * p.Mass * h
				}
				// 1e-13 of the velocities is what rounds leave, and the tangent's digits.
				if got, want := s.joint[p.V+k]+weight, p.Mass*(s.vEnd[p.V+k]-before[p.V+k]); !(math.Abs(got-want) <= 1e-11) {
					t.Errorf("α = %g, body %d: momentum changes by %g, impulses are %g", alpha, b, want, got)
				}
				if got := s.joint[p.V+3+k]; !(math.Abs(got-n[k]) <= 1e-11) {
					t.Errorf("α = %g, body %d: spin changes by %g, moments are %g", alpha, b, n[k], got)
				}
			}
		}
	}
}

// TestStatesAddUp: open, sticking and slipping contacts are all touches, asleep or not.
func TestStatesAddUp(t *testing.T) {
	list := []bodies.Body{{Shape: square, Mass: 1, Position: vec{0, .1}}, {Shape: square, Mass: 1, Position: vec{1, .1}, Velocity: vec{.5}},
		{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{2, .105}, Velocity: vec{0, .1}}}
	s := stepperOf(t, 2, vec{0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: .3}}, Options{}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}})
	slept, slid := 0, 0
	for range 40 {
		if err := s.Step(t.Context(), 5e-3); err != nil {
			t.Fatal(err)
		}
		st := &s.step
		// Of the step: a contact that this state has found is not counted yet.
		if sum := st.Open + st.Stick + st.Slip; sum != len(s.before) && sum != len(s.touches) {
			t.Fatalf("t = %g: %d open, %d stick, %d slip of %d touches", s.t, st.Open, st.Stick, st.Slip, len(s.before))
		}
		slid += st.Slip
		if s.rest.any {
			slept++
			if st.Stick < 2 || st.Open < 0 {
				t.Fatalf("t = %g: a box at rest and %d contacts stick, %d are open", s.t, st.Stick, st.Open)
			}
		}
	}
	if slept == 0 || slid == 0 {
		t.Errorf("%d steps with a box at rest, %d contacts slid: the test looks at nothing", slept, slid)
	}
}

// TestBounceOnGapGrid: the record of a bounce on the gap grid: what was there before less what is
// lost is the energy after, e² of the speed is left, and an obstacle that moves is met with its
// speed of the instant.
func TestBounceOnGapGrid(t *testing.T) {
	s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Restitution: .5}}, Options{Grid: GapGrid}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 2, Position: vec{0, .3}, Velocity: vec{0, -1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}})
	hits := 0
	for range 60 {
		if err := s.Step(t.Context(), 5e-3); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.step.Collisions {
			hits++
			if after := s.kinetic(s.v); !(math.Abs(c.Before-c.Loss-after) <= 1e-14) || !(math.Abs(after-.25) <= 1e-12) || !(math.Abs(c.Loss-.75) <= 1e-12) {
				t.Errorf("before %g, lost %g, after %g", c.Before, c.Loss, after)
			}
		}
	}
	if hits != 1 {
		t.Errorf("%d collisions", hits)
	}
	path, err := signal.NewTable([]float64{0, 1, 2}, []float64{0, 0, -5})
	if err != nil {
		t.Fatal(err)
	}
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{signal.Constant(0), path, signal.Constant(0)}}}
	s = stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Restitution: .5}}, Options{Grid: GapGrid}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 2, Position: vec{0, .1}, Velocity: vec{0, -1}}}, floor)
	s.t = .5
	if s.approaches(); len(s.fresh) != 1 || !s.fresh[0] {
		t.Error("the floor stands still at the instant, and is not met") // within 1 s it goes at 2.5 m/s
	}
	if s.t = 1.5; s.approach(0, s.v, 0) < 0 {
		t.Errorf("a floor that goes at 5 m/s is approached with %g m/s", s.approach(0, s.v, 0))
	}
}

// TestKinks: where an obstacle jumps in velocity, bodies that do not move with it have not jumped
// yet.
func TestKinks(t *testing.T) {
	path, err := signal.NewTable([]float64{0, 1, 1.5, 3}, []float64{0, 1, 2.5, 2.5})
	if err != nil {
		t.Fatal(err)
	}
	belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{path, signal.Constant(0), signal.Constant(0)}}}
	s := stepperOf(t, 2, vec{0, -9.81}, multibody.Setup{Material: multibody.Material{Mu: .3}}, Options{}, []bodies.Body{{Shape: square, Mass: 2, Position: vec{0, .1}}}, belt)
	s.chooseActive()
	if len(s.p.list) != 2 {
		t.Fatalf("%d contacts", len(s.p.list))
	}
	v := s.model.Bodies[0].V
	for _, c := range []struct {
		time, speed float64
		want        bool
	}{{1, 1, true}, {1, 0, true}, {1, -3, true}, {1, 3, false}, {.5, 1, false}, {.5, 0, false}, {1.2, 1, false}, {1, 1.5, true}} {
		s.t, s.v[v] = c.time, c.speed
		if got := s.kinks(.01); got != c.want {
			t.Errorf("%+v: kinks %t", c, got)
		}
	}
}

// TestLoadedByImpacts: after an impact those contacts are loaded that had an impulse, each by its
// own.
func TestLoadedByImpacts(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		up := vec{0, 1}
		var list []bodies.Body
		for i := range 4 {
			b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{float64(i), .1}, Velocity: vec{0, 1 - 2*float64(i%2)}}
			if dim == 3 {
				b.Shape = bodies.Sphere{R: .1}
			}
			list = append(list, b)
		}
		s := stepperOf(t, dim, vec{}, multibody.Setup{Material: multibody.Material{Mu: .3}}, Options{}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: up}})
		for i := range s.marks {
			s.marks[i].active = true
		}
		if err := s.compress(t.Context(), 1, 1); err != nil {
			t.Fatal(err)
		}
		for i := range s.touches {
			if want := s.touches[i].A%2 == 1; s.marks[i].loaded != want {
				t.Errorf("%d dimensions: contact of body %d is loaded: %t", dim, s.touches[i].A, !want)
			}
		}
	}
}

// TestNoMemoryForTouches: a start with more touches than there is memory for is refused before its
// problem is laid out.
func TestNoMemoryForTouches(t *testing.T) {
	w, err := bodies.NewWorld(2, vec{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{.2 * float64(i), .1}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddHalfSpace(vec{}, vec{0, 1}); err != nil {
		t.Fatal(err)
	}
	m, err := multibody.NewModel(w, multibody.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	for limit, most := range map[int64]int{1100: 1, 3500: 3} {
		var e *MemoryError
		if _, err := NewStepper(m, Options{Memory: limit}); !errors.As(err, &e) || e.Need != 0 || e.Contacts < most || e.Limit != limit {
			t.Errorf("%d bytes: %v", limit, err)
		}
	}
}

// TestMethodsEnd: what a method brings to Options.Accept is not tried by another one, and a
// projection that Newton's method has solved is not solved again.
func TestMethodsEnd(t *testing.T) {
	many := func(n int) *solver {
		p := &solver{dim: 2, w: contact.Blocks{D: 2, Ptr: []int{0}}}
		for i := range n {
			p.list, p.laws = append(p.list, i), append(p.laws, contact.Coulomb{Mu: .3})
			for _, c := range [][2]float64{{-1, -.4}, {0, 1}, {1, -.4}} {
				if j := i + int(c[0]); j >= 0 && j < n {
					p.w.Col, p.w.Val = append(p.w.Col, j), append(p.w.Val, c[1], 0, 0, c[1])
				}
			}
			p.w.Ptr = append(p.w.Ptr, len(p.w.Col))
			p.b, p.r = append(p.b, -1-.37*float64(i%3), .1*math.Sin(float64(i))), append(p.r, 0, 0)
		}
		return p
	}
	p := many(6)
	p.normalise()
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	p.opt.Tolerance = 1e-300
	o := Options{Accept: 1e-8}
	if err := p.attempt(t.Context(), &o, false); err == nil || p.iterations > 20 || p.res.Merit > 1e-8 || p.opt.Method != contact.MethodWarm {
		t.Errorf("%v after %d iterations of %v, merit %g", err, p.iterations, p.opt.Method, p.res.Merit)
	}
	p = many(20)
	for i := range p.laws {
		p.laws[i] = contact.Frictionless{}
	}
	if p.open(t.Context(), false, false); p.err != nil || p.opt.Method != contact.MethodNewton || p.opt.MaxIterations != projectNewton {
		t.Errorf("%v: the last method is %v", p.err, p.opt.Method)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = many(20)
	if p.open(ctx, false, false); !errors.Is(p.err, context.Canceled) || p.opt.Method != contact.MethodNewton || p.opt.MaxIterations != projectNewton {
		t.Errorf("canceled: %v, the last method is %v", p.err, p.opt.Method)
	}
}

// TestAtTheEdgeOfFriction: what pulls a box with μ times its weight, to the last digit, does not
// make it slide: its contacts stick with all the friction that they have.
func TestAtTheEdgeOfFriction(t *testing.T) {
	s := stepperOf(t, 2, vec{0, -10}, multibody.Setup{Material: multibody.Material{Mu: .25}}, Options{}, []bodies.Body{{Shape: square, Mass: 2, Position: vec{0, .1}, Load: signal.Vector{signal.Constant(5), signal.Constant(0)}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}})
	for range 3 {
		if err := s.Step(t.Context(), .01); err != nil {
			t.Fatal(err)
		}
		if st := &s.step; st.Slip != 0 || st.Stick == 0 {
			t.Errorf("t = %g: %d stick, %d slip, v = %v", s.t, st.Stick, st.Slip, s.v)
		}
	}
}

// TestBendLeftOut: the bend of a contact is left out where its impulse belongs to a step without
// it; one that parts with it and without keeps it.
func TestBendLeftOut(t *testing.T) {
	for _, c := range []struct {
		speed, more, r float64
		plain          bool
	}{{.5, .1, 0, false}, {.5, .1, 1, true}, {-.5, -.1, 0, true}, {-.5, .1, 0, false}, {.05, .1, 0, false}, {-.2, -.3, 0, true}, {-.1, -.3, 1, true}, {0, -.3, 1, true}, {.6, -.1, 1, false}, {0, 1e-15, 1, false}} {
		s := stepperOf(t, 2, vec{}, multibody.Setup{Material: multibody.Material{Mu: .3}}, Options{}, []bodies.Body{{Shape: bodies.Ellipse{A: .2, B: .1}, Mass: 2, Position: vec{0, .1}, Velocity: vec{0, c.speed}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}})
		s.chooseActive()
		if len(s.p.list) == 0 {
			s.p.list, s.p.laws = []int{0}, []contact.Law{contact.Coulomb{Mu: .3}}
		}
		if err := s.load(1); err != nil {
			t.Fatal(err)
		}
		copy(s.w, s.v)
		s.bent = []bend{{on: true, more: vec{c.more}}}
		s.p.r = []float64{c.r, 0}
		s.bendFound(.01)
		want := bend{on: true, plain: c.plain, more: vec{c.more}}
		if c.plain {
			want.more = vec{}
		}
		if s.bent[0] != want {
			t.Errorf("%+v: %+v", c, s.bent[0])
		}
	}
}

// TestBoundsOfTurns: the second derivative of the place of a point of a body that turns is bounded
// by its motion, the change of its turn and the square of that, of a body in the plane exactly so.
func TestBoundsOfTurns(t *testing.T) {
	s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: square, Mass: 1, Velocity: vec{1, 2}, Spin: vec{0, 0, 3}}})
	for _, h := range []float64{.25, 4} {
		for _, gamma := range []float64{1, .5} {
			s.gamma = gamma
			copy(s.vEnd, []float64{2, 1, 7})
			s.fast(h)
			turn := h * max(3, 3+8*gamma)
			want := math.Hypot(2*gamma*h, 2*gamma*h) + .1*math.Sqrt2*(8*gamma*h+2*turn*turn)
			if got := s.paths[0].bend; !(math.Abs(got-want) <= 1e-13*want) {
				t.Errorf("h = %g, γ = %g: %g, want %g", h, gamma, got, want)
			}
		}
	}
}

// TestWhatIsNamed: the first velocity that is no number names its body, else the largest; what
// touches without depth is not the deepest.
func TestWhatIsNamed(t *testing.T) {
	s := garden(t, 2, Options{})
	s.model.Setup.Names = []string{"a", "b", "c", "d", "e"}
	for want, at := range map[string]map[int]float64{"b": {4: math.NaN(), 7: math.NaN(), 10: math.Inf(1)}, "d": {3: 1e200, 9: -math.Inf(1)}, "c": {7: -1e160, 0: 1e155}} {
		v := make([]float64, len(s.v))
		for i, x := range at {
			v[i] = x
		}
		if err := s.unbounded(v); !strings.Contains(err.Error(), "body \""+want+"\"") {
			t.Errorf("%v: %v", at, err)
		}
	}
	for i := range s.touches {
		s.touches[i].Gap = 0
	}
	if depth, key := s.Deepest(); depth != 0 || key != 0 {
		t.Errorf("the deepest of what only touches: %g m, touch %x", depth, key)
	}
	s.touches[1].Gap, s.touches[2].Gap = -1e-3, -1e-3
	if depth, key := s.Deepest(); depth != 1e-3 || key != s.touches[1].Key {
		t.Errorf("the first of the deepest: %g m, touch %x", depth, key)
	}
}

// TestSunk: a projection opens the gaps of bodies that are tied to one that is sunk, and leaves
// those that only touch.
func TestSunk(t *testing.T) {
	for _, gap := range []float64{0, 1e-13, -1e-13, -1e-6} {
		s := garden(t, 2, Options{})
		s.touches = []bodies.Touch{bodies.FloorTouch(2, 0), bodies.PairTouch(2, 3), bodies.FloorTouch(4, 0)}
		s.touches[1].Gap = gap
		s.p.list, s.p.laws = []int{0, 1, 2}, []contact.Law{contact.Frictionless{}, contact.Coulomb{Mu: .1}, contact.Frictionless{}}
		want := 0
		if gap < -projectGap*s.unit {
			want = 2
		}
		if s.keepSunk(); len(s.p.list) != want || len(s.p.laws) != want {
			t.Errorf("a gap of %g m: %v are opened", gap, s.p.list)
		}
	}
}

// TestPairsOfForces: a force between two bodies, whichever of them is the first, pushes both as its
// Jacobian says.
func TestPairsOfForces(t *testing.T) {
	s := garden(t, 2, Options{})
	for _, c := range [][2]int{{3, 0}, {0, 3}, {4, 1}} {
		for _, f := range []multibody.Force{&multibody.Spring{A: c[0], B: c[1], AtA: vec{.05}, AtB: vec{0, .03}, Stiffness: 10, RestLength: .3, Damping: 1}, &multibody.Twist{A: c[0], B: c[1], Stiffness: 3, Damping: 2}} {
			n := 6
			kq, kv := make([]float64, n*n), make([]float64, n*n)
			f.Jacobian(kq, kv, 0, &s.snap)
			at := func(k int) int { return s.model.Bodies[c[k/3]].V + k%3 }
			force := func(q, v []float64) []float64 {
				x := make([]float64, n)
				f.Force(x, 0, &multibody.Snapshot{M: s.model, Poses: s.model.World.Poses(nil, q), Q: q, V: v})
				return x
			}
			for k := range n {
				const d = 1e-6
				for what, m := range map[string][]float64{"place": kq, "velocity": kv} {
					plus, minus := [2][]float64{append([]float64(nil), s.q...), append([]float64(nil), s.v...)}, [2][]float64{append([]float64(nil), s.q...), append([]float64(nil), s.v...)}
					i := map[string]int{"place": 0, "velocity": 1}[what]
					plus[i][at(k)] += d // coordinates are as many as velocities in the plane
					minus[i][at(k)] -= d
					a, b := force(plus[0], plus[1]), force(minus[0], minus[1])
					for r := range n {
						if diff := (a[r] - b[r]) / (2 * d); !(math.Abs(m[r*n+k]-diff) <= 1e-7) { // d² and rounding over d
							t.Errorf("%T of %v: %s %d, force %d: %g, by differences %g", f, c, what, k, r, m[r*n+k], diff)
						}
					}
				}
			}
		}
	}
}

// TestShareOfBounce: a bounce gives back in each island as much as it would or, where that is more,
// what its contacts have taken, and never more: the energy closes to the digit, with the works of
// obstacles.
func TestShareOfBounce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	whole, part := 0, 0
	for range 100 {
		s := garden(t, 2, Options{})
		s.spring, s.springWorks = make([]float64, len(s.v)), make([]float64, len(s.model.Bodies))
		for i := range s.v {
			s.v[i], s.spring[i] = r.NormFloat64(), r.NormFloat64()
		}
		n := len(s.model.Bodies)
		s.p.list = s.p.list[:0]
		s.openRegain(s.v)
		x := &s.regain
		islands := func(v []float64) []float64 {
			e := make([]float64, n)
			s.energies(e, v)
			return e
		}
		before, all := islands(s.v), append([]float64(nil), s.v...)
		driven := make([]float64, n)
		for i := range s.springWorks {
			s.springWorks[i] = .3 * r.NormFloat64()
			driven[x.ties.Root(i)] += s.springWorks[i]
			x.taken[i] = 0
			if x.ties.Root(i) == i {
				x.taken[i] = 5 * (r.Float64() - .2)
			}
		}
		for i, d := range s.spring {
			all[i] += d
		}
		full := islands(all)
		loads, normal, shares := s.ledger.Loads, s.ledger.Normal, slices.Clone(s.worth.Shares.Normal)
		s.bounce(Collision{A: 0, B: -1})
		after, least, sum := islands(s.v), 1.0, 0.0
		for i := range n {
			if x.ties.Root(i) != i {
				continue
			}
			share, want := x.share[i], full[i]-before[i]-driven[i]
			least = min(least, share)
			if budget := max(0, x.taken[i]); want > budget {
				want = budget
				part++
			} else if whole++; share != 1 {
				t.Errorf("share %g, want all", share)
			}
			gain := after[i] - before[i] - share*driven[i]
			if sum += gain; !(math.Abs(gain-want) <= 1e-12*(1+before[i])) {
				t.Errorf("island %d: %g J are gained, want %g of %g", i, gain, want, x.taken[i])
			}
			if work := share * driven[i]; work != 0 {
				loads += work
			}
		}
		last := s.step.Collisions[len(s.step.Collisions)-1]
		total := 1 + s.kinetic(s.v)
		if last.Withheld != 1-least || !(math.Abs(s.ledger.Loads-loads) <= 1e-12*total) || !(math.Abs(s.ledger.Normal-normal+sum) <= 1e-12*total) {
			t.Errorf("withheld %g, want %g; work %g, want %g; %g J are gained, the ledger has %g", last.Withheld, 1-least, s.ledger.Loads, loads, sum, normal-s.ledger.Normal)
		}
		shared := 0.0
		for i, x := range s.worth.Shares.Normal {
			shared += x - shares[i]
		}
		if !(math.Abs(shared+sum) <= 1e-12*total) {
			t.Errorf("%g J are gained, the bodies give %g to the contacts", sum, shared)
		}
	}
	if whole < 20 || part < 20 {
		t.Errorf("%d whole and %d parts: the test looks at nothing", whole, part)
	}
}

// TestWorksOfObstacles: the work of an obstacle on a body is the sum of its impulses times its
// velocities there.
func TestWorksOfObstacles(t *testing.T) {
	s := garden(t, 2, Options{})
	s.touches = []bodies.Touch{bodies.FloorTouch(2, 0), bodies.FloorTouch(4, 0), bodies.FloorTouch(4, 0)}
	s.p.dim, s.p.list, s.p.r, s.p.drive = 2, []int{0, 1, 2}, []float64{3, -1, 2, 5, 7, .5}, []float64{1, 2, 3, -4, .5, 6}
	want := []float64{0, 0, 3 - 2, 0, 6 - 20 + 3.5 + 3}
	loads := s.ledger.Loads
	if s.springDrive(); !slices.Equal(s.springWorks, want) {
		t.Errorf("works %v, want %v", s.springWorks, want)
	}
	if s.drivenByAll(); s.ledger.Loads-loads != 1-7.5 {
		t.Errorf("all of them %g J", s.ledger.Loads-loads)
	}
}

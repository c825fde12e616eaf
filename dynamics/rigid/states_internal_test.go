package rigid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/signal"
)

// TestSuggestedStates: with W the identity, u = r + b: a contact is open where r_N ≤ u_N, slides
// where its force is within 1e-6 of the cone and it moves by more than 1e-6 of all speeds, with the
// force put on the cone, and sticks otherwise.
func TestSuggestedStates(t *testing.T) {
	const mu, size = .5, 16. // of all b
	for _, c := range []struct {
		name    string
		mu      float64
		r, b    vec
		columns int
		want    vec
	}{
		{"open", mu, vec{.3, .1, 0}, vec{.1}, 0, vec{}},
		{"about to open", mu, vec{.3, .1, 0}, vec{}, 0, vec{}},
		{"slides", mu, vec{2, .6, -.8}, vec{-1, -2, 1}, 1, vec{2, .6, -.8}},
		{"a little inside", mu, vec{2, 1 - .5e-6, 0}, vec{-1, -3}, 1, vec{2, 1, 0}},
		{"too far inside", mu, vec{2, 1 - 1.5e-6, 0}, vec{-1, -3}, 3, vec{2, 1 - 1.5e-6, 0}},
		{"outside", mu, vec{2, 0, 3}, vec{-1, 0, -5}, 1, vec{2, 0, 1}},
		{"moves a little", mu, vec{2, 1, 0}, vec{-1, -1 - 1.5e-6*size}, 1, vec{2, 1, 0}},
		{"does not move", mu, vec{2, 1, 0}, vec{-1, -1 - .5e-6*size}, 3, vec{2, 1, 0}},
		{"no friction", 0, vec{2, .1, .2}, vec{-1}, 1, vec{2}},
		{"no friction, no force along", 0, vec{2}, vec{-1}, 1, vec{2}},
	} {
		for at := range 2 { // beside another one, which makes up for the size of b
			other := 1 - at
			rest := math.Sqrt(size*size - c.b[0]*c.b[0] - c.b[1]*c.b[1] - c.b[2]*c.b[2])
			p := &solver{dim: 3, list: []int{0, 1}, scale: []float64{1, 1}, b: make([]float64, 6), w: contact.Blocks{D: 3, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: slices.Repeat([]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 2)}}
			p.laws = make([]contact.Law, 2)
			p.laws[at], p.laws[other] = contact.Coulomb{Mu: c.mu}, contact.Coulomb{Mu: mu}
			copy(p.b[3*at:], c.b[:])
			p.b[3*other] = rest // open
			r := make([]float64, 6)
			copy(r[3*at:], c.r[:])
			p.polish.u = make([]float64, 6)
			p.suggest(r)
			if n := len(p.polish.column); n != c.columns {
				t.Errorf("%s: %d unknowns, want %d", c.name, n, c.columns)
				continue
			}
			for d, x := range c.want {
				if !(math.Abs(r[3*at+d]-x) <= 1e-15) || r[3*other+d] != 0 {
					t.Errorf("%s: r = %v", c.name, r)
				}
			}
			for k, u := range p.polish.column {
				want := vec{}
				if want[k] = 1; c.columns == 1 {
					want = vec{1, c.want[1] / c.want[0], c.want[2] / c.want[0]}
				}
				if u.i != at || u.d != k || !(math.Abs(u.dir[0]-want[0])+math.Abs(u.dir[1]-want[1])+math.Abs(u.dir[2]-want[2]) <= 1e-15) {
					t.Errorf("%s: unknown %+v, want %v", c.name, u, want)
				}
			}
		}
	}
}

// TestCayley: the rotation of the secant scheme in the plane turns by 2 atan(hω/2) about the third
// axis, in space by as much about the spin, which it leaves; a body that does not spin keeps its
// own.
func TestCayley(t *testing.T) {
	const h = .3
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		p := &s.model.Bodies[3]
		y := s.poses[3].Rotation
		for k := range p.N {
			s.w[p.V+k] = float64(k) + .5
		}
		var r [9]float64
		s.cayley(&r, p, h)
		angle := 2 * math.Atan(.5*h*s.w[p.V+2])
		if dim == 2 {
			a := math.Atan2(y[3], y[0]) + angle
			for i, x := range [9]float64{math.Cos(a), -math.Sin(a), 0, math.Sin(a), math.Cos(a), 0, 0, 0, 1} {
				if !(math.Abs(r[i]-x) <= 1e-15) {
					t.Errorf("entry %d is %g, want %g", i, r[i], x)
				}
			}
			continue
		}
		w := vec{s.w[p.V+3], s.w[p.V+4], s.w[p.V+5]} // with the body
		angle = 2 * math.Atan(.5*h*math.Sqrt(w[0]*w[0]+w[1]*w[1]+w[2]*w[2]))
		var back [9]float64 // Yᵀ R
		for i := range 3 {
			for j := range 3 {
				for k := range 3 {
					back[3*i+j] += y[3*k+i] * r[3*k+j]
				}
			}
		}
		if trace := back[0] + back[4] + back[8]; !(math.Abs(trace-1-2*math.Cos(angle)) <= 1e-14) {
			t.Errorf("turned by %g, want %g", math.Acos((trace-1)/2), angle)
		}
		for i := range 3 {
			if x := back[3*i]*w[0] + back[3*i+1]*w[1] + back[3*i+2]*w[2]; !(math.Abs(x-w[i]) <= 1e-14) {
				t.Errorf("the axis goes to %g, want %g", x, w[i])
			}
		}
	}
}

// clocked is a force that notes when it is asked for Jacobians, and gives any.
type clocked struct {
	loose
	at *float64
	k  float64
}

func (c clocked) Jacobian(q, v []float64, t float64, _ *multibody.Snapshot) {
	*c.at = t
	for i := range q {
		q[i], v[i] = q[i]+c.k, v[i]-c.k
	}
}

// TestTangentsOfForces: Jacobians of forces are those at the end of a step, made anew, of each
// force at its velocities; none where none are asked for, and definite ones without what is not.
func TestTangentsOfForces(t *testing.T) {
	const h, k = .25, 3.
	for _, jacobians := range []multibody.Jacobians{multibody.ExactJacobians, multibody.DefiniteJacobians, multibody.NoJacobians} {
		at := -1.
		s := stepperOf(t, 2, vec{}, multibody.Setup{Forces: []multibody.Force{clocked{loose{1}, &at, k}}}, Options{Jacobians: jacobians}, []bodies.Body{{Shape: square, Mass: 1}, {Shape: square, Mass: 2, Position: vec{3}}})
		s.t = 10
		for range 2 { // twice the same
			s.linearise(h)
		}
		if jacobians == multibody.NoJacobians {
			if at != -1 {
				t.Error("Jacobians that nobody asked for")
			}
			continue
		}
		x := &s.tangents[0]
		if at != 10.25 || len(x.q) != 9 || !slices.Equal(x.at, []int{3, 4, 5}) {
			t.Errorf("%v: at t = %g, %d numbers of the velocities %v", jacobians, at, len(x.q), x.at)
		}
		// All ones, times 3: the eigenvalues are 9 and 0; −3: none is positive.
		for i := range x.q {
			wantV := -k
			if jacobians == multibody.DefiniteJacobians {
				wantV = 0
			}
			if !(math.Abs(x.q[i]-k) <= 1e-14) && !(math.Abs(x.q[i]) <= 1e-14 && jacobians == multibody.DefiniteJacobians) || !(math.Abs(x.v[i]-wantV) <= 1e-14) && !(math.Abs(x.v[i]+k) <= 1e-14) {
				t.Errorf("%v: k̃_q %g, k̃_v %g", jacobians, x.q[i], x.v[i])
			}
		}
		if jacobians == multibody.DefiniteJacobians && (math.Abs(x.q[0]) <= 1e-14) == (math.Abs(x.v[0]) <= 1e-14) {
			t.Errorf("of ±%g one is definite: %g, %g", k, x.q[0], x.v[0])
		}
	}
}

// TestWhoSpins: a body spins that does at the beginning, or, by the secant scheme, at the iterate.
func TestWhoSpins(t *testing.T) {
	for _, scheme := range []Scheme{Secant, Gavrea} {
		s := garden(t, 3, Options{Scheme: scheme})
		p := &s.model.Bodies[4]
		for k := range p.N {
			s.v[p.V+k], s.w[p.V+k] = 0, 0
		}
		s.v[p.V], s.w[p.V] = 1, 1
		if s.spinning(p) {
			t.Error("what only moves spins")
		}
		s.w[p.V+4] = .1
		if s.spinning(p) != (scheme == Secant) {
			t.Errorf("scheme %v: a spin of the iterate alone", scheme)
		}
		s.w[p.V+4], s.v[p.V+3] = 0, -.1
		if !s.spinning(p) {
			t.Errorf("scheme %v: a spin of the beginning alone", scheme)
		}
	}
}

// TestClosingRecord: the record of a contact has its bodies, its speed of approach and its own
// impulse of the problem, or none.
func TestClosingRecord(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		if len(s.touches) < 5 {
			t.Fatalf("%d touches", len(s.touches))
		}
		list, r := []int{4, 1, 3}, make([]float64, 3*dim)
		for i := range r {
			r[i] = float64(i + 1)
		}
		for i := range s.touches {
			s.p.list, s.p.r, s.p.dim = slices.Clone(list), slices.Clone(r), dim // whether it is ambiguous is a problem of its own
			x := &s.touches[i]
			s.v[s.model.Bodies[x.A].V+1] = -float64(i + 1)
			c := s.closing(i)
			want := vec{}
			if k := slices.Index(list, i); k >= 0 {
				copy(want[:], r[k*dim:(k+1)*dim])
			}
			partner := x.B
			if x.B < 0 {
				partner = -1 - x.Floor
			}
			if c.Impulse != want || c.A != x.A || c.B != partner {
				t.Errorf("touch %d of bodies %d and %d: %+v, want the impulse %v", i, x.A, partner, c, want)
			}
			if x.B < 0 && !(math.Abs(c.Speed-float64(i+1)) <= 1e-12) {
				t.Errorf("touch %d comes at %g, want %d", i, c.Speed, i+1)
			}
		}
	}
}

// TestSwayOfTurns: an obstacle that turns moves as fast at the far end of a body's way as its arm
// is long there, from the centre where it is now.
func TestSwayOfTurns(t *testing.T) {
	ramp, err := signal.NewTable([]float64{0, 1}, []float64{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	const h = .1
	for _, shifted := range []bool{false, true} {
		m := signal.Motion{Angle: ramp, Axis: [3]float64{0, 0, 1}, Center: [3]float64{1, 2, 0}}
		centre := [2]float64{1, 2}
		if shifted {
			m.Shift = signal.Vector{ramp, signal.Constant(-3), signal.Constant(0)}
			centre = [2]float64{1 + 2*.5, 2 - 3}
		}
		list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{7, 10}}, {Shape: square, Mass: 1, Position: vec{20, -5}, Velocity: vec{3}}}
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, list, bodies.Obstacle{Surface: bodies.HalfSpace{Point: vec{0, -90}, Normal: vec{0, 1}}, Motion: m}, floorFar)
		s.fast(1)
		s.t = .5
		for i := range list {
			s.paths[i].most = .25
			p := &s.model.Bodies[i]
			c := s.poses[i].Centre
			arm := math.Hypot(c[0]-centre[0], c[1]-centre[1]) + p.Reach + .25
			want := h * m.Fastest(arm)
			if got := s.sway(0, i, h); !(math.Abs(got/want-1) <= 1e-14) || !(want > h*2*arm*(1-1e-12)) {
				t.Errorf("body %d, shifted %t: %g, want %g", i, shifted, got, want)
			}
			if got := s.sway(1, i, h); got != 0 {
				t.Errorf("what does not move sways by %g", got)
			}
		}
	}
}

var floorFar = bodies.Obstacle{Surface: bodies.HalfSpace{Point: vec{0, -100}, Normal: vec{0, 1}}}

// TestJerkOfGrids: a floor that begins to rise under a disc hits it; not on the grid of gaps, where
// the step closes what it finds.
func TestJerkOfGrids(t *testing.T) {
	rise, err := signal.NewTable([]float64{0, .1, 1}, []float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{signal.Constant(0), rise, signal.Constant(0)}}}
	for _, grid := range []Grid{CollisionGrid, GapGrid} {
		s := stepperOf(t, 2, vec{0, -9.81}, multibody.Setup{}, Options{Grid: grid}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{0, .1}}}, floor)
		if err := s.Step(t.Context(), .1); err != nil { // to the kink
			t.Fatal(err)
		}
		before := len(s.step.Collisions)
		if err := s.jerk(t.Context(), .01); err != nil {
			t.Fatal(err)
		}
		hit := grid == CollisionGrid
		if n := len(s.step.Collisions) - before; (n > 0) != hit || (s.v[1] > 1) != hit { // 1/.9 m/s
			t.Errorf("grid %v: %d collisions, velocity %g", grid, n, s.v[1])
		}
	}
}

// TestToKink: a step ends at the first kink of an obstacle that a contact is active with, but for
// the rounding of its ends, 1e-6 of it; one of many kinks, or of contacts that are not active, is
// not cut.
func TestToKink(t *testing.T) {
	const left, end = .01, 2.01
	for _, c := range []struct {
		kinks  []float64
		active bool
		want   float64 // 0: not cut
	}{
		{[]float64{2.005}, true, 2.005},
		{[]float64{2.005}, false, 0},
		{[]float64{2.005, 2.006}, true, 2.005},
		{[]float64{2.001, 2.002, 2.003, 2.004}, true, 2.001},
		{[]float64{2.001, 2.002, 2.003, 2.004, 2.005}, true, 0},
		{[]float64{2 + 2e-8}, true, 2 + 2e-8},
		{[]float64{2 + .5e-8}, true, 0},
		{[]float64{2.01 - 2e-8}, true, 2.01 - 2e-8},
		{[]float64{2.01 - .5e-8}, true, 0},
		{[]float64{1.9}, true, 0},
		{[]float64{2.1}, true, 0},
	} {
		times, values := []float64{0}, []float64{0}
		for i, x := range append(c.kinks, 9) {
			times, values = append(times, x), append(values, values[i]+x*float64(1+i%2))
		}
		path, err := signal.NewTable(times, values)
		if err != nil {
			t.Fatal(err)
		}
		belt := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{path, signal.Constant(0), signal.Constant(0)}}}
		s := stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: square, Mass: 2, Position: vec{0, .1}}}, belt)
		s.t = 2
		for i := range s.marks {
			s.marks[i].active = c.active
		}
		until, part := end, left
		if c.want != 0 {
			until, part = c.want, c.want-2
		}
		if got := s.toKink(left, end); got != part || s.until != until {
			t.Errorf("%+v: a part of %g until %.10g, want %g, %.10g", c, got, s.until, part, until)
		}
	}
}

// TestSleepersAreCounted: contacts that rest are counted as they were: of the touches of which none
// is in the problem, each is once open, sticking or slipping.
func TestSleepersAreCounted(t *testing.T) {
	s := garden(t, 2, Options{})
	n := len(s.touches)
	for seed := range 3 {
		s.p.list = s.p.list[:0]
		s.rest.any, s.rest.asleep = true, []bool{true, true, seed != 1, true, true}
		want, kept := map[ContactState]int{}, 0
		for i := range s.marks {
			m := &s.marks[i]
			m.slept, m.state = (i+seed)%4 > 0, []ContactState{Stick, Slip, Open, Slip}[(i+seed)%4]
			if m.slept && s.rest.asleep[s.touches[i].A] {
				want[m.state]++
				kept++
			}
		}
		want[Open] += n - kept
		s.classify(.01)
		if x := &s.step; x.Open != want[Open] || x.Stick != want[Stick] || x.Slip != want[Slip] {
			t.Errorf("%d open, %d stick, %d slip of %d, want %v", x.Open, x.Stick, x.Slip, n, want)
		}
	}
}

// TestSpeedErrors: the error of impulses is the largest natural residual as a speed, over the
// largest speed of the problem, both in the units of each contact.
func TestSpeedErrors(t *testing.T) {
	scale := []float64{4, .5}
	p := &solver{dim: 3, list: []int{0, 1}, scale: scale, b: []float64{-1, 0, 0, -1, .3, 0}, laws: []contact.Law{contact.Coulomb{}, contact.Coulomb{}}, w: contact.Blocks{D: 3, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: slices.Repeat([]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 2)}}
	for _, c := range []struct {
		r    [2]float64 // normal impulses; one each solves the problem
		want float64
	}{{[2]float64{1, 1}, 0}, {[2]float64{1.25, 1}, .25 / 4 * .5}, {[2]float64{1, .75}, .25}, {[2]float64{1.25, 1.125}, .125}} {
		if got := p.speedError([]float64{c.r[0], 0, 0, c.r[1], 0, 0}); !(math.Abs(got-c.want) <= 1e-15) { // the largest speed is 1/.5
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestWaysOfSteps: the largest difference of an end; bounds of speeds that joints give; an obstacle
// that may pass through a body moves by half its width; the worst of contacts that were not solved
// is named, the first too.
func TestWaysOfSteps(t *testing.T) {
	s := garden(t, 2, Options{})
	s.qNext = append(s.qNext[:0], make([]float64, len(s.q))...)
	for i := range s.qNext {
		s.qNext[i] = float64(i) - 4
	}
	q := slices.Clone(s.qNext)
	q[1], q[4] = q[1]-.5, q[4]+.25
	if got := NewReplay(s).way(q); got != .5 {
		t.Errorf("the way is %g, want .5", got)
	}
	p := &s.model.Bodies[3]
	if got, want := s.speedOf(3, &vec{3, 4}, &vec{}), 5/p.Mass; !(math.Abs(got/want-1) <= 1e-15) {
		t.Errorf("a force gives %g, want %g", got, want)
	}
	if got, want := s.speedOf(3, &vec{}, &vec{0, 0, -7}), 7*p.Arm/s.model.Moment(p, 2); !(math.Abs(got/want-1) <= 1e-15) {
		t.Errorf("a moment gives %g, want %g", got, want)
	}
	for worst := range 2 {
		text := s.unsolved(&contact.Error{Worst: worst}, []int{1, 2}).Error()
		if want := "worst " + s.model.TouchName(&s.touches[1+worst]); !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	for _, worst := range []int{-1, 2} {
		if text := s.unsolved(&contact.Error{Worst: worst}, []int{1, 2}).Error(); strings.Contains(text, "contacts, worst") {
			t.Errorf("%q names a contact", text)
		}
	}
	ramp, err := signal.NewTable([]float64{0, 1}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	lift := bodies.Obstacle{Surface: bodies.HalfSpace{Point: vec{0, -9}, Normal: vec{0, 1}}, Motion: signal.Motion{Shift: signal.Vector{signal.Constant(0), ramp, signal.Constant(0)}}}
	s = stepperOf(t, 2, vec{}, multibody.Setup{}, Options{}, []bodies.Body{{Shape: square, Mass: 1}}, lift, floorFar)
	s.fast(1)
	x := &s.paths[0]
	for _, c := range []struct {
		way, own float64 // in widths
		want     bool
	}{{.45, 0, false}, {.55, 0, true}, {.3, .15, false}, {.3, .25, true}} {
		x.most = c.own * x.width
		if got := s.passes(0, 0, c.way*x.width); got != c.want {
			t.Errorf("%+v: passes %t", c, got)
		}
		if s.passes(1, 0, 100*x.width) {
			t.Error("what does not move passes")
		}
	}
}

// TestSmallTurns: the rotation by a small angle is that of its sine, on both sides of where the
// series ends.
func TestSmallTurns(t *testing.T) {
	for _, l := range []float64{.9e-4, 1.1e-4} {
		var c [9]float64
		multibody.Rotation(&c, vec{0, 0, 2 * l}, .5, false)
		if sin, cos := math.Sincos(l); !(math.Abs(c[3]-sin) <= 1e-19) || !(math.Abs(c[1]+sin) <= 1e-19) || !(math.Abs(c[0]-cos) <= 1e-16) || c[8] != 1 {
			t.Errorf("a turn of %g: %v", l, c)
		}
	}
}

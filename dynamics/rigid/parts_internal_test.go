package rigid

import (
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
)

// TestSpeedsAtRest: what forces give a body in a step, what counts as rest, and what rounding of
// impulses leaves.
func TestSpeedsAtRest(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{Tolerance: 1e-9})
		p := &s.model.Bodies[4]
		p.Idle = [6]bool{} // as of a shape that no axis leaves as it is
		for k := range p.N {
			s.kick[p.V+k], s.v[p.V+k], s.w[p.V+k] = 0, 0, 0
		}
		spin := s.model.Moment(p, p.N-1)
		for _, c := range []struct{ push, moment, want float64 }{{2, 0, 2 / p.Mass}, {-2, 0, 2 / p.Mass}, {0, -3, 3 / spin * p.Arm}, {1e-9, 1, 1 / spin * p.Arm}} {
			s.kick[p.V], s.kick[p.V+p.N-1] = c.push, c.moment
			if got := s.kickSpeed(p); !(math.Abs(got/c.want-1) <= 1e-15) {
				t.Errorf("%+v: %g", c, got)
			}
			if got := s.restSpeed(p); !(math.Abs(got/(1e-8*c.want)-1) <= 1e-12) {
				t.Errorf("%+v: at rest below %g", c, got)
			}
		}
		s.kick[p.V], s.kick[p.V+p.N-1] = p.Mass, 0 // 1 m/s
		s.measureNoise()
		for _, c := range []struct {
			v           float64
			k           int
			still, slow bool
		}{{0, 0, true, true}, {.09, 1, false, true}, {-.09, 0, false, true}, {.11, 0, false, false}, {-.11, 1, false, false}, {.09 / p.Arm, p.N - 1, false, true}, {-.11 / p.Arm, p.N - 1, false, false}} {
			s.v[p.V+c.k] = c.v
			if s.still(4) != c.still || s.slow(4, .1) != c.slow {
				t.Errorf("%+v: still %t, slow %t", c, s.still(4), s.slow(4, .1))
			}
			s.v[p.V+c.k] *= 1e-7 // of the limit 1e-8
			if got := s.quiet(4); got != c.slow {
				t.Errorf("%+v: quiet before %t", c, got)
			}
			s.v[p.V+c.k], s.w[p.V+c.k] = 0, 1e-7*c.v
			if got := s.quiet(4); got != c.slow {
				t.Errorf("%+v: quiet after %t", c, got)
			}
			s.w[p.V+c.k] = 0
		}
		if s.quiet(0) || s.quiet(1) || s.quiet(2) {
			t.Error("what is tied, or feels a spring, is put to rest")
		}
		// Rounding: twice 2⁻⁵² of all impulses on a body; of those that contacts tie the most.
		s.touches = []bodies.Touch{bodies.FloorTouch(3, 0), bodies.PairTouch(3, 4)}
		s.marks = make([]mark, 2)
		s.marks[0].r, s.marks[1].r = vec{3, 4}, vec{0, 12}
		s.p.list = []int{0, 1}
		s.measureNoise()
		size := func(b int) float64 {
			p := &s.model.Bodies[b]
			most := 1 / p.Mass
			for k := dim; k < p.N; k++ {
				most = max(most, p.Reach*p.Arm/s.model.Moment(p, k))
			}
			return most
		}
		noise := []float64{0, 0, 0, 0x1p-51 * 17 * size(3), 0x1p-51 * 12 * size(4)}
		for b, x := range noise {
			if got := s.rest.noise[b]; !(math.Abs(got-x) <= 1e-15*x) {
				t.Errorf("body %d: noise %g, want %g", b, got, x)
			}
		}
		s.tie(s.p.list)
		s.rest.spreadNoise()
		if x := s.rest.noise; x[3] != max(noise[3], noise[4]) && math.Abs(x[3]/max(noise[3], noise[4])-1) > 1e-15 || x[4] != x[3] || x[2] != 0 {
			t.Errorf("noise %v of tied bodies", x)
		}
		// What stops: v^α of v' = 0.
		s.alpha = .75
		for k := range p.N {
			s.v[p.V+k] = float64(k + 1)
		}
		s.stop(4)
		for k := range p.N {
			if s.w[p.V+k] != .25*float64(k+1) {
				t.Errorf("velocity %d stops at %g", k, s.w[p.V+k])
			}
		}
		s.rest.any, s.rest.asleep = true, []bool{false, false, false, false, true}
		x := slices.Repeat([]float64{1}, len(s.v))
		s.stay(x)
		for i, v := range x {
			if (v == 0) != (i >= p.V && i < p.V+p.N) {
				t.Errorf("velocity %d of those that rest is %g", i, v)
			}
		}
	}
}

// TestTouchesOfPairs: the first of a pair by bisection, and whether a touch is inside: active, or
// new in a pair that is.
func TestTouchesOfPairs(t *testing.T) {
	s := garden(t, 2, Options{})
	r := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		s.touches, s.marks = s.touches[:0], s.marks[:0]
		for pair := range 4 {
			for feature := range r.IntN(4) {
				x := bodies.PairTouch(pair, 4)
				x.Key += uint64(feature)
				s.touches, s.marks = append(s.touches, x), append(s.marks, mark{active: r.IntN(3) == 0})
			}
		}
		slices.SortFunc(s.touches, func(a, b bodies.Touch) int { return map[bool]int{true: -1, false: 1}[a.Key < b.Key] })
		for pair := range 5 {
			x := bodies.PairTouch(min(pair, 3), 4)
			if pair == 4 {
				x = bodies.PairTouch(1, 3)
			}
			first := slices.IndexFunc(s.touches, func(y bodies.Touch) bool { return y.Pair() >= x.Pair() })
			if first < 0 {
				first = len(s.touches)
			}
			if got := s.firstOf(x.Pair()); got != first {
				t.Fatalf("the first of a pair is %d, want %d", got, first)
			}
			for feature := range 4 {
				y := x
				y.Key += uint64(feature)
				seen, active, listed := false, false, false
				for i := range s.touches {
					if s.touches[i].Pair() != y.Pair() {
						continue
					}
					listed = listed || s.marks[i].active
					if s.touches[i].Key == y.Key {
						seen, active = true, s.marks[i].active
					}
				}
				if got, want := s.inside(&y, 0.1), active || listed && !seen; got != want {
					t.Fatalf("inside %t, want %t", got, want)
				}
				if got := s.listed(&y); got != listed {
					t.Fatalf("listed %t, want %t", got, listed)
				}
			}
		}
	}
}

// TestFramesTurn: a frame follows its normal by projection, is right-handed and of unit vectors,
// and begins anew beyond 60 degrees.
func TestFramesTurn(t *testing.T) {
	s := garden(t, 3, Options{})
	r := rand.New(rand.NewPCG(6, 1))
	for range 100 {
		n := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		n = vec3.Scale(n, 1/vec3.Norm(n))
		var m mark
		m.transport(s.model, &bodies.Touch{N: n})
		before := m.frame
		if u, w := s.model.World.Tangents(n); before != [3]vec{n, u, w} {
			t.Fatal("a frame of another normal")
		}
		angle := 1.5 * r.Float64() // towards t
		sin, cos := math.Sincos(angle)
		next := vec3.Add(vec3.Scale(n, cos), sin, before[1])
		m.transport(s.model, &bodies.Touch{N: next})
		want := vec3.Add(vec3.Scale(before[1], cos), -sin, n)
		if cos < .5 {
			want, _ = s.model.World.Tangents(next)
		}
		if math.Abs(cos-.5) > 1e-9 && !(vec3.Norm(vec3.Add(m.frame[1], -1, want)) <= 1e-14) || !(vec3.Norm(vec3.Add(vec3.Cross(m.frame[0], m.frame[1]), -1, m.frame[2])) <= 1e-15) {
			t.Errorf("turned by %g: %v, want %v", angle, m.frame, want)
		}
	}
}

// TestAmbiguousCollisions: contacts of two pairs that are coupled and both give back.
func TestAmbiguousCollisions(t *testing.T) {
	s := garden(t, 2, Options{})
	s.model.Setup.Pairs = map[[2]int]multibody.Material{{0, -1}: {Restitution: .5}, {1, 2}: {Restitution: .5}}
	p := &s.p
	p.dim = 2
	s.touches = []bodies.Touch{bodies.FloorTouch(0, 0), bodies.PairTouch(1, 2), bodies.PairTouch(1, 2), bodies.PairTouch(2, 3)}
	for k, c := range []struct {
		list   []int
		r      []float64 // normal ones
		couple float64
		want   bool
	}{{[]int{0, 1}, []float64{1, 1}, .5, true}, {[]int{0, 1}, []float64{1, 1}, -.5, true}, {[]int{0, 1}, []float64{1, 0}, .5, false}, {[]int{0, 1}, []float64{0, 1}, .5, false}, {[]int{0, 1}, []float64{1, 1}, 0, false}, {[]int{1, 2}, []float64{1, 1}, .5, false}, {[]int{1, 3}, []float64{1, 1}, .5, false}, {[]int{3, 0}, []float64{1, 1}, .5, false}} {
		p.list = c.list
		p.r = []float64{c.r[0], 0, c.r[1], 0}
		p.w = contact.Blocks{D: 2, Ptr: []int{0, 2, 4}, Col: []int{0, 1, 1, 0}, Val: []float64{1, 0, 0, 1, c.couple, 0, 0, 0, 1, 0, 0, 1, c.couple, 0, 0, 0}}
		if got := s.ambiguous(); got != c.want {
			t.Errorf("case %d: %t", k, got)
		}
	}
	// An impact of one contact by Moreau's law: 1 + e times what stops it, which the other contact
	// feels by W.
	s.model.Setup.Pairs[[2]int{0, -1}] = multibody.Material{Restitution: .5}
	p.list, p.laws = []int{0, 1}, []contact.Law{contact.Coulomb{Mu: .5}, contact.Coulomb{}}
	p.b = []float64{-2, .5, -3, 7}
	p.w.Val = []float64{2, 0, 0, 4, .25, .5, .75, 1, 1, 0, 0, 1, .25, .75, .5, 1}
	total := []float64{10, 20, 30, 40}
	s.single(0, total)
	r := [2]float64{1.5, -.1875} // 1 and −.125: it sticks
	if want := []float64{10 + r[0], 20 + r[1], 30, 40}; !slices.Equal(total, want) {
		t.Errorf("impulses %v, want %v", total, want)
	}
	if want := []float64{-2 + 2*r[0], .5 + 4*r[1], -3 + .25*r[0] + .75*r[1], 7 + .5*r[0] + r[1]}; !slices.Equal(p.b, want) {
		t.Errorf("speeds %v, want %v", p.b, want)
	}
}

// TestMemoryOfProblems: blocks of each two contacts of a component, S H and six copies of W; as
// much as is allowed is accepted.
func TestMemoryOfProblems(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		s.chooseActive()
		if err := s.load(1); err != nil {
			t.Fatal(err)
		}
		if len(s.p.list) < 3 {
			t.Fatalf("%d contacts", len(s.p.list))
		}
		size, blocks := int64(0), int64(0)
		on := map[int]int64{}
		comps := func(i int) (list []int) {
			t := &s.touches[i]
			list = []int{s.model.Home[t.A]}
			if t.B >= 0 && s.model.Home[t.B] != list[0] {
				list = append(list, s.model.Home[t.B])
			}
			return list
		}
		for _, i := range s.p.list {
			for _, c := range comps(i) {
				on[c]++
				size += int64(len(s.model.Components[c].Index) * dim)
			}
		}
		for _, n := range on {
			blocks += n * n
		}
		need := 8*size + 6*blocks*int64(8*dim*dim+8)
		for limit, ok := range map[int64]bool{0: true, need: true, need - 1: false} {
			s.o.Memory = limit
			err := s.affords(int(size))
			var e *MemoryError
			if errors.As(err, &e) == ok || err != nil && (e.Need != need || e.Limit != limit || e.Contacts != len(s.p.list)) {
				t.Errorf("%d bytes of %d: %v", limit, need, err)
			}
		}
		clear(on)
		for i := range s.touches {
			for _, c := range comps(i) {
				on[c]++
			}
		}
		blocks = 0
		for _, n := range on {
			blocks += n * n
		}
		if got := s.coupled(); got != blocks {
			t.Errorf("%d blocks, want %d", got, blocks)
		}
	}
}

// TestJudgedSteps: what loads and gravity give a body from rest; what a verdict keeps of steps.
func TestJudgedSteps(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		const h = .25
		p := &s.model.Bodies[3]
		for k := range p.N {
			s.loads[p.V+k] = float64(k + 1)
		}
		want := math.Pow(1+h*p.Mass*.1, 2)/(2*p.Mass) + math.Pow(2-h*p.Mass*9.81, 2)/(2*p.Mass)
		if dim == 3 {
			want += 9 / (2 * p.Mass)
		}
		for k := dim; k < p.N; k++ {
			want += float64((k+1)*(k+1)) / (2 * s.model.Moment(p, k))
		}
		if got := s.restEnergy(3, h); !(math.Abs(got/want-1) <= 1e-14) {
			t.Errorf("%g J, want %g", got, want)
		}
		w := &s.worth
		w.Residual, w.Depth, w.Gap = 0, 0, 0
		for k, x := range []struct{ residual, depth, gap float64 }{{1, 2, 3}, {4, 1, 3}, {2, 2, 5}} {
			s.t = float64(k + 1)
			s.step.Residual, s.step.Penetration, s.step.Drift = x.residual, x.depth, x.gap
			if k == 1 {
				s.step.Cuts = []Cut{{T: 6, Reason: "a kink"}, {T: 7, H: .1, Reason: "one"}, {T: 8, H: .1, Reason: "two"}}
				s.step.Collisions = []Collision{{Ambiguous: true, Narrow: 2e-7}, {Narrow: 1e-7}, {Ambiguous: true, Narrow: 3e-7}, {}}
			}
			s.judge(.1)
		}
		if w.Residual != 4 || w.Depth != 2 || w.DepthAt != 1 || w.Gap != 5 || w.GapAt != 3 || w.Ambiguous != 4 || w.Cuts != 4 || w.FirstCut != "t = 7 s, one" {
			t.Errorf("%+v", w)
		}
		if said := s.NotEstimated(); len(said) != 2 || !strings.HasPrefix(said[0], "4 collisions in") || !strings.Contains(said[1], "6 collisions whose") || !strings.Contains(said[1], "the least 1e-07 m") {
			t.Errorf("%q", said)
		}
		if w.Ambiguous = 1; !strings.HasPrefix(s.NotEstimated()[0], "1 collision in") {
			t.Errorf("%q", s.NotEstimated())
		}
		list := s.Solved()
		if len(list) != 3 || list[0].Value != 4 || list[1].Value != 5 || list[2].Value != 2 || list[1].Remedy == "" || !strings.Contains(list[1].Place, "t = 3 s") {
			t.Errorf("%+v", list)
		}
		if s.o.Unstabilised = true; len(s.Solved()) != 1 {
			t.Errorf("%+v", s.Solved())
		}
		if w.Gap, s.o.Unstabilised = 1e-9, false; s.Solved()[1].Remedy != "" {
			t.Errorf("%+v", s.Solved()[1])
		}
	}
}

// TestPortionsOfIslands: of each part of the scheme the worst island is told, over what moves
// there, and a remedy of its own.
func TestPortionsOfIslands(t *testing.T) {
	s := garden(t, 2, Options{})
	w := &s.worth
	s.step.Index = 10
	for i, root := range w.Made.Root {
		if root == i {
			w.Made.Island[i].Start, w.Made.Island[i].Moved = float64(i+1), 0
			for k := range portionsCount {
				w.Portions[i][k] = Portion{Made: .1 * float64(k+1), Most: float64(i), MostAt: 5, Lost: 3}
			}
		}
	}
	for k := range portionsCount {
		m := s.portion(k, .01)
		if want := .1 * float64(k+1); !(math.Abs(m.Value-want) <= 1e-12) || !strings.HasSuffix(m.Place, "most of it 0 J at t = 5 s; destroyed 3 J") {
			t.Errorf("portion %d: %+v, want %g", k, m, want)
		}
		if want := map[int]string{byCollisions: fewDigits, byProjection: "about 110 steps, the error being O(h)"}[k]; want != "" && m.Remedy != want || want == "" && m.Remedy != "shorter steps" {
			t.Errorf("portion %d: %q", k, m.Remedy)
		}
		if m = s.portion(k, 10); m.Remedy != "" || !m.Passed() {
			t.Errorf("portion %d: %+v", k, m)
		}
	}
	w.Made.Whole.Most = 1
	for i := range w.Portions {
		w.Portions[i][byCollisions].Made = 0
	}
	w.Made.Island[0].Most = 1
	for given, other := range map[float64]bool{.4: false, .5: false, .6: true} {
		w.Portions[4][byCollisions].Made, w.Portions[3][byCollisions].Made = given/2, given/2
		if list := s.Accurate(.01); (list[0].Remedy == fewDigits) != other {
			t.Errorf("%g J of collisions: %q", given, list[0].Remedy)
		} else if len(list) != 2+portionsCount-1 {
			t.Errorf("%d measures", len(list))
		}
	}
	s.model.Setup.Forces = nil
	if list := s.Accurate(.01); len(list) != 2+portionsCount-2 {
		t.Errorf("%d measures without springs", len(list))
	}
}

// TestBoundsOfPaths: no point of a body moves farther in a step than its bound, and a body that
// does not turn exactly so far.
func TestBoundsOfPaths(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		s := garden(t, dim, Options{})
		for i, v := range s.v {
			s.vEnd[i] = 1.5*v - .3
		}
		for _, x := range []struct {
			gamma, h float64
			grid     Grid
		}{{1, .5, CollisionGrid}, {.5, .5, CollisionGrid}, {1, .02, CollisionGrid}, {1, .05, CollisionGrid}, {1, .1, CollisionGrid}, {1, .1, GapGrid}, {1, .05, GapGrid}} {
			gamma, h := x.gamma, x.h
			s.gamma, s.mode.grid = gamma, x.grid
			any := s.fast(h)
			fast := false
			for i := range s.model.Bodies {
				p, x := &s.model.Bodies[i], &s.paths[i]
				var b [2]vec
				var spin [2]float64
				change := 0.0
				for k := range 2 {
					for d := range p.N {
						y := h * (s.v[p.V+d] + 2*gamma*float64(k)*(s.vEnd[p.V+d]-s.v[p.V+d]))
						if d < dim {
							b[k][d] = y
						} else {
							spin[k] = math.Hypot(spin[k], y)
							change += float64(k) * 2 * gamma * h * math.Abs(s.vEnd[p.V+d]-s.v[p.V+d])
						}
					}
				}
				lever := s.model.World.Lever(i)
				turn := max(spin[0], spin[1])
				most := max(vec3.Norm(b[0]), vec3.Norm(b[1])) + turn*lever
				bend := vec3.Norm(vec3.Add(b[1], -1, b[0]))
				if lever > 0 {
					bend += s.model.World.Reach(i) * (change + 2*turn*turn)
				}
				for what, y := range map[string][2]float64{"turn": {x.turn, turn * lever}, "most": {x.most, most}, "bend": {x.bend, bend}, "width": {x.width, s.model.World.Width(i)}} {
					if !(math.Abs(y[0]-y[1]) <= 1e-14*(1+y[1])) {
						t.Errorf("γ = %g, body %d: %s is %g, want %g", gamma, i, what, y[0], y[1])
					}
				}
				if least := .5; x.swept != (most > least*x.width) {
					t.Errorf("body %d: swept %t", i, x.swept)
				}
				fast = fast || x.swept
			}
			if any != fast {
				t.Errorf("any is fast: %t", any)
			}
		}
	}
}

// TestLeaps: a projection moves no body by more than a tenth of its size and a hundred times what
// is open.
func TestLeaps(t *testing.T) {
	s := garden(t, 2, Options{})
	for _, c := range []struct {
		deep, move float64
		ok         bool
	}{{1e-5, .009, true}, {1e-5, .011, false}, {1e-3, .011, true}, {1e-5, -.011, false}, {1.2e-4, .0115, true}, {1e-4, .0115, false}} {
		s.touches = s.touches[:1]
		s.touches[0].Gap = -c.deep
		dq := make([]float64, len(s.v))
		dq[s.model.Bodies[3].V+1] = c.move
		dq[s.model.Bodies[4].V+2] = 10 // a turn
		if err := s.leaps(dq); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "body 3") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestCollisionsAreCounted: one step has so many collisions, and so many of one pair; the pair with
// the most is named.
func TestCollisionsAreCounted(t *testing.T) {
	s := garden(t, 2, Options{MaxCollisions: 4})
	a, b := bodies.FloorTouch(0, 0), bodies.PairTouch(2, 3)
	s.touches = []bodies.Touch{a, b}
	s.hits = map[uint64]rattle{a.Pair(): {hits: 3}}
	if err := s.count(&a); err != nil {
		t.Fatal(err)
	}
	s.hits[a.Pair()] = rattle{hits: 4}
	if err := s.count(&b); err != nil {
		t.Fatalf("of another pair: %v", err)
	}
	var e *ZenoError
	if err := s.count(&a); !errors.As(err, &e) || !strings.Contains(e.Contact, "body 0") {
		t.Error(err)
	}
	s.hits = map[uint64]rattle{a.Pair(): {hits: 1}, b.Pair(): {hits: 3}}
	s.step.Collisions = make([]Collision, 6)
	if s.counted = 3; s.count(&a) != nil {
		t.Error("three are too many")
	}
	s.counted = 2 // of another part of the step
	if err := s.count(&a); !errors.As(err, &e) || !strings.Contains(e.Contact, "body 2") || e.Count != 4 {
		t.Error(err)
	}
}

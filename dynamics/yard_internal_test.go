package dynamics

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/signal"
)

// yard is point masses in the plane, (x, z) each, that fall at their own accelerations; a touch is there as long as a mass is
// below the height of its patch.
type yard struct {
	force   []float64 // of each velocity, over its mass
	parts   []int
	touches []yardTouch
	known   map[int]*Patch
	ahead   []float64 // of the questions for friction
	mu      float64   // of places; 0: that of the patches
}

type yardTouch struct {
	key, mass int
	patch     *Patch
	reach     float64 // the highest z at which it is a contact
	bare      bool    // it moves nothing
}

func (y *yard) Size() (nq, nv, dim int) { return len(y.force), len(y.force), 2 }
func (y *yard) Mass(m *Mass, _ []float64) {
	for i := range len(y.force) / 2 {
		m.Diagonal(float64(i+1), float64(i+1))
	}
}
func (y *yard) Force(f []float64, _ float64, _, _ []float64) {
	for i := range f {
		f[i] = float64(i/2+1) * y.force[i]
	}
}
func (y *yard) Parts() []int { return y.parts }
func (y *yard) Contacts(c *Contacts, q []float64) {
	for _, x := range y.touches {
		if q[2*x.mass+1] > x.reach {
			continue
		}
		c.Begin(x.key, x.patch)
		for range x.patch.Elements() {
			c.Element(q[2*x.mass+1])
			if !x.bare {
				c.Row(2*x.mass+1, 1, 0, 0)
				c.Row(2*x.mass, 0, 1, 0)
			}
		}
	}
}
func (y *yard) PatchOf(key int) *Patch { return y.known[key] }
func (y *yard) Friction(_ int, _, ahead float64, q, _ []float64) (mu float64, ok bool) {
	y.ahead = append(y.ahead, ahead)
	return y.mu, y.mu > 0
}

func soft(t *testing.T, k, c float64) *Patch {
	t.Helper()
	p, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{k, 2 * k}, []float64{c, c})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func open(t *testing.T, y *yard, q, v []float64, o Options) *Stepper {
	t.Helper()
	s, err := NewStepper(y, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// hop is three masses that come down on springs of their own and jump off, so that all of them relax.
func hop(t *testing.T) *yard {
	y := &yard{force: make([]float64, 6), parts: []int{0, 0, 1, 1, 2, 2}, known: map[int]*Patch{}}
	for i := range 3 {
		p := soft(t, 100*float64(i+1), 20)
		y.touches = append(y.touches, yardTouch{key: 10 * (i + 1), mass: i, patch: p})
		y.known[10*(i+1)] = p
	}
	return y
}

func hopping(t *testing.T, y *yard) *Stepper {
	s := open(t, y, []float64{0, -1e-3, 0, -1e-3, 0, -1e-3}, []float64{.1, -.5, .2, -.5, .3, -.5}, Options{})
	for range 400 {
		if run(t, s, 2e-3, 1); len(s.contacts.patches) == 0 {
			break
		}
	}
	run(t, s, 2e-3, 1)
	if len(s.contacts.patches) > 0 || s.ghosts != 3 {
		t.Fatalf("%d contacts, %d springs relax", len(s.contacts.patches), s.ghosts)
	}
	return s
}

// TestRelaxingSprings: springs of contacts that were lost relax by (hK + C)δ' = Cδ each, in the step after; also behind a
// checkpoint, where the system knows them, and a slot. One of which nothing is left need not be known.
func TestRelaxingSprings(t *testing.T) {
	s := hopping(t, hop(t))
	var c Checkpoint
	if s.Save(&c); c.Ghosts != 3 || len(c.Keys) != 3 {
		t.Fatalf("%d springs of %d relax", c.Ghosts, len(c.Keys))
	}
	s.Keep(4)
	bytes, err := s.Encode(4)
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(c.Delta)
	const h = 3e-3
	check := func(what string, s *Stepper) {
		t.Helper()
		run(t, s, h, 1)
		for i := range 3 {
			for d, k := range []float64{100 * float64(i+1), 200 * float64(i+1)} {
				if want := 20 * before[2*i+d] / (h*k + 20); !(math.Abs(s.State().Delta[2*i+d]-want) <= 1e-15*math.Abs(before[0])+1e-14*math.Abs(want)) {
					t.Errorf("%s: spring %d is at %g, want %g", what, i, s.State().Delta[2*i+d], want)
				}
			}
		}
		if s.history.ghosts != 3 || len(s.history.patch) != 3 || s.history.patch[2].k[0] != 300 {
			t.Errorf("%s: %d relax, patches %v", what, s.history.ghosts, s.history.patch)
		}
	}
	check("the run", s)
	if err := s.Return(4); err != nil {
		t.Fatal(err)
	}
	check("from a slot", s)
	fresh := func(y *yard) *Stepper { return open(t, y, make([]float64, 6), make([]float64, 6), Options{}) }
	again := fresh(hop(t))
	if err := again.Load(&c); err != nil {
		t.Fatal(err)
	}
	check("from a checkpoint", again)
	again = fresh(hop(t))
	if err := again.Decode(2, bytes); err != nil {
		t.Fatal(err)
	}
	if err := again.Return(2); err != nil {
		t.Fatal(err)
	}
	check("from bytes", again)
	for i := range 3 {
		y := hop(t)
		delete(y.known, 10*(i+1))
		if err := fresh(y).Load(&c); err == nil || !strings.Contains(err.Error(), "springs of contact") {
			t.Errorf("spring %d is not known: %v", i, err)
		}
		x := c
		x.Delta = slices.Clone(c.Delta)
		x.Delta[2*i], x.Delta[2*i+1] = 0, 1e-31
		if err := fresh(y).Load(&x); err != nil {
			t.Errorf("spring %d is gone: %v", i, err)
		}
		y = hop(t)
		general, err := NewGeneral(contact.Coulomb{}, 2, make([][2]float64, 1), []float64{1, 0, 0, 1}, []float64{1, 0, 0, 1}, func(k, c, q []float64) {})
		if err != nil {
			t.Fatal(err)
		}
		if y.known[10*(i+1)] = general; fresh(y).Load(&c) == nil {
			t.Errorf("spring %d depends on the state", i)
		}
	}
	x := c
	if x.Ghosts = 4; fresh(hop(t)).Load(&x) == nil {
		t.Error("more springs relax than there are")
	}
	// By a replay of the step they do too.
	if err := s.Return(4); err != nil {
		t.Fatal(err)
	}
	q, v := slices.Clone(s.now.Q), slices.Clone(s.now.V)
	for i := range q {
		q[i] += h * v[i]
	}
	f, err := s.Replay(h, q, v, func(int) []float64 { return nil })
	if err != nil || f.Motion != 0 || f.Path != 0 || s.history.ghosts != 3 || s.Last().Rounds != 1 {
		t.Errorf("%+v, %v: %d relax", f, err, s.history.ghosts)
	}
}

// TestMatchOfLengths: patches that have changed places, or their numbers of entries, are those of their keys, however many
// entries there are in all.
func TestMatchOfLengths(t *testing.T) {
	one := soft(t, 1, 1)
	two, err := NewPatch(contact.Coulomb{}, HalfSpace{Dim: 2, Elements: 2, Spacing: 1, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	meet := func(keys []int, patches ...*Patch) *Contacts {
		c := &Contacts{}
		c.Reset(2, 1)
		for i, key := range keys {
			c.Begin(key, patches[i])
			for range patches[i].Elements() {
				c.Element(0)
			}
		}
		return c
	}
	begin := func() *history {
		var h history
		var s State
		patches := h.match(&s, meet([]int{1, 2}, one, two), nil)
		for i := range s.Delta {
			s.Delta[i], s.Lambda[i] = float64(i+1), float64(10*(i+1))
		}
		h.keep(&s, patches, []int{0, 0}, 2)
		return &h
	}
	for _, c := range []struct {
		c    *Contacts
		want []float64 // deformations; those that are lost behind
	}{
		{meet([]int{1, 2}, one, two), []float64{1, 2, 3, 4, 5, 6}},
		{meet([]int{2, 1}, two, one), []float64{3, 4, 5, 6, 1, 2}},
		{meet([]int{1, 2}, two, one), []float64{0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6}},
		{meet([]int{1, 2}, one, one), []float64{1, 2, 0, 0, 3, 4, 5, 6}},
		{meet([]int{3, 2}, one, two), []float64{0, 0, 3, 4, 5, 6, 1, 2}},
		{meet([]int{1}, one), []float64{1, 2, 3, 4, 5, 6}},
	} {
		var s State
		if begin().match(&s, c.c, nil); !slices.Equal(s.Delta, c.want) {
			t.Errorf("%v: %v, want %v", c.c.patches, s.Delta, c.want)
		}
	}
}

// TestHomesOfPatches: a patch is at home in the part of the velocity that it names first, one that moves nothing in the first.
func TestHomesOfPatches(t *testing.T) {
	p := soft(t, 100, 1)
	y := &yard{force: make([]float64, 6), parts: []int{0, 0, 1, 1, 2, 2}}
	y.touches = []yardTouch{{key: 1, mass: 1, patch: p}, {key: 2, mass: 0, patch: p, bare: true}, {key: 3, mass: 2, patch: p}}
	s := open(t, y, []float64{0, -1e-3, 0, -1e-3, 0, -1e-3}, make([]float64, 6), Options{})
	run(t, s, 1e-3, 1)
	if !slices.Equal(s.partition.home, []int{1, 0, 2}) {
		t.Errorf("homes %v", s.partition.home)
	}
	// One row, or two of different parts.
	c := &s.contacts
	c.Reset(2, 6)
	c.Begin(1, p)
	c.Element(0)
	c.Row(3, 1, 0, 0)
	c.Begin(2, p)
	c.Element(0)
	c.Row(4, 1, 0, 0)
	c.Row(0, -1, 0, 0)
	s.patches = []*Patch{p, p}
	if s.homes(); !slices.Equal(s.partition.home, []int{1, 2}) {
		t.Errorf("homes %v", s.partition.home)
	}
	// Pairs of elements that share a part, by all pairs, of rows in any order.
	r := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		c.Reset(2, 6)
		var elements []int
		for e := range 6 {
			c.Begin(e, p)
			c.Element(0)
			for part := range 3 { // rows of a part follow each other
				for _, v := range r.Perm(2)[:r.IntN(3)] {
					c.Row(2*part+v, 1, 0, 0)
				}
			}
			elements = append(elements, e)
		}
		want := int64(0)
		for part := range 3 {
			n := int64(0)
			for e := range 6 {
				if slices.ContainsFunc(c.h.Row[c.h.Ptr[e]:c.h.Ptr[e+1]], func(v int) bool { return v/2 == part }) {
					n++
				}
			}
			want += n * n
		}
		if got := s.coupled(elements); got != want {
			t.Fatalf("%d pairs, want %d", got, want)
		}
	}
}

// TestBlocksInAnyOrder: A by blocks is A as a whole, whatever element comes second.
func TestBlocksInAnyOrder(t *testing.T) {
	s := newChain(t, 4, 1, contact.Coulomb{Mu: .3}, true, Options{})
	if err := s.begin(.01); err != nil {
		t.Fatal(err)
	}
	l := &s.local
	l.load(&s.contacts, &s.mass, .01)
	r := rand.New(rand.NewPCG(8, 8))
	var blocks contact.Blocks
	var near neighbours
	for range 40 {
		elements := r.Perm(s.contacts.elements())[:2+r.IntN(5)]
		n := 3 * len(elements)
		a, b := make([]float64, n*n), make([]float64, n*n)
		l.assemble(a, elements)
		l.assembleBlocks(&blocks, elements, &near)
		for i := range elements {
			for k := blocks.Ptr[i]; k < blocks.Ptr[i+1]; k++ {
				for d := range 9 {
					b[(3*i+d/3)*n+3*blocks.Col[k]+d%3] += blocks.Val[9*k+d]
				}
			}
		}
		for i := range a {
			if !(math.Abs(a[i]-b[i]) <= 1e-14*math.Abs(a[0])+1e-15) {
				t.Fatalf("elements %v, entry %d: %g, want %g", elements, i, b[i], a[i])
			}
		}
	}
}

// TestFrictionOfPlaces: μ is asked for at the time of v^θ, and for the present state at once; that of a step is kept in a slot with the
// states of its contacts.
func TestFrictionOfPlaces(t *testing.T) {
	const h = .02
	y := &yard{force: []float64{10, -10}, parts: []int{0, 0}, mu: .25, touches: []yardTouch{{key: 1, patch: soft(t, 1e4, 10)}}}
	s := open(t, y, []float64{0, -1e-3}, []float64{1, 0}, Options{Theta: .25})
	run(t, s, h, 3)
	if want := []float64{.75 * h, .75 * h, .75 * h}; !slices.Equal(y.ahead, want) {
		t.Errorf("asked %v ahead, want %v", y.ahead, want)
	}
	y.ahead = nil
	if mu, _ := s.SmallnessNow(); mu != .25 || !slices.Equal(y.ahead, []float64{0}) {
		t.Errorf("now μ = %g, asked %v ahead", mu, y.ahead)
	}
	x := s.Last()
	states, mus := slices.Clone(x.Contacts), slices.Clone(x.Mu)
	if !slices.Equal(mus, []float64{.25}) || len(states) != 1 || states[0] == Open {
		t.Fatalf("%v, %v", mus, states)
	}
	s.Keep(0)
	y.mu = .5
	run(t, s, h, 2)
	if err := s.Return(0); err != nil {
		t.Fatal(err)
	}
	if x = s.Last(); !slices.Equal(x.Contacts, states) || !slices.Equal(x.Mu, mus) {
		t.Errorf("%v, %v, want %v, %v", x.Contacts, x.Mu, states, mus)
	}
}

// TestFrictionOverTime: two contacts of a mass slide at μ of the time of v^θ in each step, and of the bound of uniqueness too.
func TestFrictionOverTime(t *testing.T) {
	const h, theta = .01, .25
	mu, err := signal.NewTable([]float64{0, 1}, []float64{.1, .6})
	if err != nil {
		t.Fatal(err)
	}
	p := soft(t, 1e4, 100)
	if err := p.ChangeFriction(mu); err != nil {
		t.Fatal(err)
	}
	y := &yard{force: []float64{30, -10}, parts: []int{0, 0}, touches: []yardTouch{{key: 1, patch: p, reach: 1}, {key: 2, patch: p, reach: 1}}}
	s := open(t, y, []float64{0, 0}, []float64{5, 0}, Options{Theta: theta})
	for k := range 20 {
		run(t, s, h, 1)
		want := .1 + .5*h*(float64(k)+1-theta)
		for i := range 2 {
			n, f := s.State().Lambda[2*i], s.State().Lambda[2*i+1]
			if n > 0 && !(math.Abs(f+want*n) <= 1e-9*n) { // solver tolerance
				t.Errorf("step %d: μ = %g, want %g", k, -f/n, want)
			}
		}
		if got, _ := s.SmallnessNow(); s.State().Lambda[0] > 0 && math.Abs(got-want) > 1e-14 {
			t.Errorf("step %d: a bound of μ = %g, want %g", k, got, want)
		}
	}
}

// TestMethodsOfIslands: pressed on springs in the plane, laws of facets are solved by Lemke's method, in full; others of many
// elements by blocks; forces that are no numbers are an unsolved contact problem.
func TestMethodsOfIslands(t *testing.T) {
	for _, c := range []struct {
		law          contact.Law
		lemke, whole bool
	}{{contact.Coulomb{Mu: .3}, true, true}, {contact.Pyramid{Mu: .3}, true, true}, {contact.Tresca{Threshold: 2}, false, false}} {
		p, err := NewPatch(c.law, HalfSpace{Dim: 2, Elements: 30, Spacing: .1, Epsilon: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewStepper(&rows{p, 1}, []float64{0, 0}, []float64{1, -1}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if run(t, s, .01, 1); (s.Last().Pivots > 0) != c.lemke || s.solver.sparse == c.whole || s.Last().Solves != 1 {
			t.Errorf("%T: %d pivots, sparse %t", c.law, s.Last().Pivots, s.solver.sparse)
		}
	}
	y := &yard{force: []float64{0, math.Inf(-1)}, parts: []int{0, 0}, touches: []yardTouch{{key: 1, patch: soft(t, 1e4, 100)}, {key: 2, patch: soft(t, 1e4, 100)}}}
	s := open(t, y, []float64{0, 0}, []float64{0, 0}, Options{})
	if err := s.Step(t.Context(), .1); err == nil || !strings.Contains(err.Error(), "contact problem of 2 elements") {
		t.Errorf("error %v", err)
	}
	// The bound of uniqueness is measured of matrices of order 300 at most.
	p, err := NewPatch(contact.Coulomb{}, HalfSpace{Dim: 2, Elements: 30, Spacing: .1, Epsilon: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	for n, known := range map[int]bool{5: true, 6: false} {
		s, err := NewStepper(&rows{p, n}, []float64{0, 0}, []float64{0, 0}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.begin(.01); err != nil {
			t.Fatal(err)
		}
		s.local.load(&s.contacts, &s.mass, .01)
		s.active = slices.Repeat([]bool{true}, n)
		s.islands.split(&s.contacts, &s.mass, s.active, false)
		if s.measureSmallness(); s.small.MuBar > 0 != known || math.IsInf(s.small.MuBar, 1) {
			t.Errorf("%d elements: %g", 30*n, s.small.MuBar)
		}
	}
}

// TestMassOfOne: the answer of a diagonal entry is the quotient, to the bit.
func TestMassOfOne(t *testing.T) {
	var m Mass
	m.reset()
	m.Diagonal(3, 7)
	if err := m.factor(2); err != nil {
		t.Fatal(err)
	}
	x := []float64{1, 5}
	if m.solve(x); x[0] != 1./3 || x[1] != 5./7 {
		t.Error(x)
	}
}

// spun are two parts, one that does not turn before one of a turn alone.
type spun struct{ sized }

func (spun) Mass(m *Mass, _ []float64)                  { m.Diagonal(1, 2, 5) }
func (spun) Parts() []int                               { return []int{0, 0, 1} }
func (spun) Arms() []float64                            { return []float64{0, 0, .5} }
func (spun) Ball(int) bool                              { return false }
func (spun) Directed(int) bool                          { return false }
func (spun) Deviation(_ int, a, b, _ []float64) float64 { return math.Abs(b[2] - a[2]) }

// TestTurnsOfParts: translations, then turns, of those that turn; where places in a slot differ by more than the way, they count.
func TestTurnsOfParts(t *testing.T) {
	s, err := NewStepper(spun{sized{3, 3, 2}}, make([]float64, 3), []float64{3, 4, 2}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Turns(), []Turn{{}, {}, {Arm: .5, Centre: -1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("turns %+v", got)
	}
	if s.NameParts([]string{"a", "b"}); !slices.Equal(s.PartNames(), []string{"a", "b", "turn of b"}) {
		t.Errorf("names %q", s.PartNames())
	}
	for slot := range 5 {
		s.Keep(slot)
	}
	run(t, s, .5, 1) // the masses 1 and 2: √(1.5² + 2·2²)
	want := []float64{math.Sqrt(1.5*1.5 + 2*4), 0, .5}
	for at := -1; at < 5; at++ {
		for i, x := range s.Distances(nil, at) {
			if math.Abs(x-want[i]) > 1e-15 {
				t.Errorf("slot %d: distance %d is %g, want %g", at, i, x, want[i])
			}
		}
	}
	s.now.Q[2] = 4
	for at := -1; at < 5; at++ {
		want := 2.
		if at < 0 {
			want = .5
		}
		if got := s.Distances(nil, at)[2]; got != want {
			t.Errorf("slot %d: a turn of %g, want %g", at, got, want)
		}
	}
}

// TestRoundingOfReplays: a speed of a closing gap is off by the rounding of places over the step, of places far from the origin by more.
func TestRoundingOfReplays(t *testing.T) {
	const h = 1e-3
	for _, c := range []struct {
		x, off float64
		found  bool
	}{{0, 1e-7, true}, {1e6, 1e-7, false}, {1e6, 1e-5, true}, {1e8, 1e-5, false}} {
		x := &faller{m: 1, g: 10}
		begin := func() *Stepper {
			s := fall(t, x, Options{}, 0, 0, 0, h, 0)
			s.now.Q[0] = c.x
			if err := s.assemble(); err != nil {
				t.Fatal(err)
			}
			return s
		}
		s, again := begin(), begin()
		run(t, s, h, 1)
		q, v, lambda := slices.Clone(s.State().Q), slices.Clone(s.State().V), slices.Clone(s.State().Lambda)
		q[1], v[1] = q[1]-h*c.off, v[1]-c.off
		f, err := again.Replay(h, q, v, func(int) []float64 { return lambda })
		if err != nil || f.Law > 0 != c.found {
			t.Errorf("%+v: %v, a law that is off by %g", c, err, f.Law)
		}
	}
}

// TestRestartKeepsHomes: lists of a restart have as many entries as patches; of a state without patches none.
func TestRestartKeepsHomes(t *testing.T) {
	y := hop(t)
	s := open(t, y, []float64{0, -1e-3, 0, -1e-3, 0, -1e-3}, make([]float64, 6), Options{})
	run(t, s, 1e-3, 2)
	start := s.State().Clone()
	for range 2 {
		if err := s.Restart(start); err != nil {
			t.Fatal(err)
		}
		h := &s.history
		if len(h.patch) != 3 || !slices.Equal(h.age, make([]int, 3)) || !slices.Equal(h.home, make([]int, 3)) || h.ghosts != 0 || !slices.Equal(h.last.Keys, start.Keys) {
			t.Errorf("%+v", h)
		}
	}
	if err := s.Restart(&State{Q: start.Q, V: start.V}); err != nil || len(s.history.last.Keys) != 0 || len(s.State().Ptr) != 1 {
		t.Errorf("%v: %+v", err, s.history.last)
	}
	run(t, s, 1e-3, 1)
}

// TestSavedTwins: both twins beside chosen steps are saved.
func TestSavedTwins(t *testing.T) {
	s := fall(t, &faller{m: 1, g: 10}, Options{}, 1, 3, 1, 1, 0)
	a, err := NewAdaptive(t.Context(), s, AdaptiveOptions{Until: .1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := a.Doubled().Save()
	if err != nil || len(x.Twin[0].State) == 0 || len(x.Twin[1].State) == 0 {
		t.Errorf("%v: %d and %d bytes", err, len(x.Twin[0].State), len(x.Twin[1].State))
	}
}

package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/signal"
)

// TestAllowedErrors: a pair may spend (left/(1.5 k))², k what the profile has from its place on, but at most an eighth
// of what is left, and at least what half a million equal pairs would.
func TestAllowedErrors(t *testing.T) {
	profile := make([]float64, profiles)
	for i := range profile {
		profile[i] = .01 * float64(1+i%3)
	}
	for _, c := range []struct {
		level  int
		at     int64
		budget float64
	}{{6, 0, .3}, {6, 10, .3}, {8, 9, .2}, {8, 255, .2}, {6, 63, .9}, {6, 0, 1e-9}} {
		a := &Adaptive{marks: []float64{0, 1}, state: AdaptiveState{Level: c.level, At: c.at, Profile: profile, Budget: c.budget + .1, Spent: .1}}
		place := profiles * float64(c.at) / float64(int64(1)<<c.level)
		k, whole := 0.0, 0.0
		for i, x := range profile {
			whole += x
			k += x * min(1, max(0, float64(i+1)-place))
		}
		want := max(min(math.Pow(c.budget/(1.5*k), 2), c.budget/8), math.Pow(whole/5e5, 2))
		if got := a.allowed(); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%+v: %g, want %g", c, got, want)
		}
	}
	a := &Adaptive{marks: []float64{0, 1}, state: AdaptiveState{Level: 6, Profile: make([]float64, profiles), Budget: .8}}
	if got := a.allowed(); got != .1 {
		t.Errorf("nothing ahead: %g, want an eighth of .8", got)
	}
}

// TestPlaces: how far a part is off, in metres or, of a turn, as an angle, by the names given, else by those of the stepper.
func TestPlaces(t *testing.T) {
	v := newIdeal(1, make([]float64, 3), make([]float64, 2))
	v.turns, v.names = []Turn{{}, {}, {Arm: .5, Centre: -1}}, []string{"a", "b", "turn of a"}
	type bare struct{ Variable }
	for _, c := range []struct {
		v     Variable
		names []string
		part  int
		want  string
	}{
		{v, []string{"ball", "box", "angle"}, 2, "angle: 2 rad at noon, of 8 rad"}, {v, []string{"ball", "box"}, 1, "box: 1 m at noon, of 4 m"}, {v, []string{"ball", "box"}, 2, "turn of a: 2 rad at noon, of 8 rad"},
		{v, nil, 0, "a: 1 m at noon, of 4 m"}, {bare{v}, nil, 1, "part 1: 1 m at noon, of 4 m"}, {bare{v}, []string{"ball"}, 0, "ball: 1 m at noon, of 4 m"},
	} {
		if got := place(c.v, c.names, c.part, 1, " at noon", 4); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestChosenMeasures: a sum of errors beyond the accuracy has a remedy, one within has none; of no parts nothing is told.
func TestChosenMeasures(t *testing.T) {
	v := newIdeal(1, []float64{0, 0}, []float64{0})
	a := &Adaptive{v: v, o: AdaptiveOptions{Until: 1, Accuracy: .1}, state: AdaptiveState{Sum: []float64{.3, .2}, Moved: []float64{2, 1}, Still: []float64{0, 0}}}
	if m := a.Measures()[0]; m.Value != .2 || m.Remedy != otherSteps || !strings.HasPrefix(m.Place, "part 1: 0.2 m, of 1 m, in 0 steps") {
		t.Errorf("%+v", m)
	}
	a.o.Accuracy = .5
	if m := a.Measures()[0]; m.Remedy != "" {
		t.Errorf("%+v", m)
	}
	none := &Adaptive{v: newIdeal(1, nil, nil), o: AdaptiveOptions{Until: 1, Accuracy: .1}}
	if m := none.Measures()[0]; m.Value != 0 || m.Place != "" || m.Remedy != "" {
		t.Errorf("of nothing: %+v", m)
	}
}

// TestCountedSteps: the shortest and the longest step that was kept.
func TestCountedSteps(t *testing.T) {
	a := &Adaptive{marks: []float64{0, 1}, v: newIdeal(1, []float64{0}, []float64{0}), o: AdaptiveOptions{Until: 1}, state: AdaptiveState{Moved: []float64{0}}}
	for _, level := range []int{7, 5, 6} {
		a.state.Level = level
		a.count()
	}
	if s := a.Stats(); s.Accepted != 3 || s.Least != 1./256 || s.Most != 1./64 {
		t.Errorf("%+v", s)
	}
}

// TestResumesAmidAPair: from a state saved in the middle of a pair each step that follows ends at the same
// time and place; the ends of the ranges of a state are accepted.
func TestResumesAmidAPair(t *testing.T) {
	begin := func() (*Stepper, *Adaptive) { return thrown(t) }
	s, a := begin()
	for range 5 {
		if err := a.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var state AdaptiveState
	var c Checkpoint
	a.Save(&state)
	s.Save(&c)
	if !state.Half {
		t.Fatal("a pair is whole")
	}
	again, _ := begin()
	if err := again.Load(&c); err != nil {
		t.Fatal(err)
	}
	b, err := ResumeAdaptive(again, AdaptiveOptions{Until: .1}, &state)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if err := errors.Join(a.Step(t.Context()), b.Step(t.Context())); err != nil {
			t.Fatal(err)
		}
		if x, y := s.State(), again.State(); x.T != y.T || !slices.Equal(x.Q, y.Q) {
			t.Fatalf("t = %g, q = %v, want %g, %v", y.T, y.Q, x.T, x.Q)
		}
	}
	for _, at := range [][2]int64{{lastLevel, 3}, {6, 64}} {
		x := state
		x.Level, x.At = int(at[0]), at[1]
		if _, err := ResumeAdaptive(again, AdaptiveOptions{Until: .1}, &x); err != nil {
			t.Error(err)
		}
	}
}

// swayer is an ideal stepper whose loads do a work of gain·h besides, in a step of h.
type swayer struct {
	*ideal
	gain float64
}

func (v *swayer) Advance(ctx context.Context, h, t float64) error {
	v.now.Made.Add(0, 0, v.gain*h*h, 0)
	return v.ideal.Advance(ctx, h, t)
}

// TestPilotRuns: pilot runs of 64, 128, … steps end when extents and energies differ by at most a
// quarter of the larger from those of the run before; the smaller is taken.
func TestPilotRuns(t *testing.T) {
	for _, c := range []struct {
		off, gain float64
		runs      int64
		extent    float64
	}{
		{0, 0, 128 + 64, 1}, {64, 0, 128 + 64, 1.5}, {96, 0, 256 + 128 + 64, 1.375}, {0, 640, 1024 + 512 + 256 + 128 + 64, 1}, {0, 64, 128 + 64, 1}, {0, 96, 256 + 128 + 64, 1},
	} {
		v := &swayer{newIdeal(1, []float64{c.off}, []float64{0}), c.gain}
		a, err := newAdaptive(v, AdaptiveOptions{Until: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.sizes(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := &a.state; int64(s.Stats.Pilot) != c.runs || math.Abs(s.Extents[0]-c.extent) > 1e-12 {
			t.Errorf("off %g, gain %g: %d steps, extent %g, want %d, %g", c.off, c.gain, s.Stats.Pilot, s.Extents[0], c.runs, c.extent)
		}
	}
	for _, c := range []struct {
		a, b float64
		want bool
	}{{3, 4, true}, {4, 3, true}, {3, 4.1, false}, {0, 0, true}, {4, 2.9, false}} {
		if alike(c.a, c.b) != c.want {
			t.Errorf("%g and %g: alike %t", c.a, c.b, !c.want)
		}
	}
	v := newIdeal(1, make([]float64, 3), []float64{0}) // parts beyond the islands are those of the first
	v.turns = make([]Turn, 3)
	if got := floors(v, []float64{3, 7000, 5}); !slices.Equal(got, []float64{7, 7, 7}) {
		t.Errorf("floors %v", got)
	}
}

// TestOrderOfTwins: a step of the run, or one of a twin, that is not smooth makes all of first order.
func TestOrderOfTwins(t *testing.T) {
	for name, c := range map[string]struct {
		of    func(rough bool) bool
		rough bool
	}{"run": {func(rough bool) bool { return rough }, true}, "twin": {func(rough bool) bool { return !rough }, true}, "none": {func(bool) bool { return true }, false}} {
		v := newIdeal(2, []float64{2}, []float64{.5})
		v.smoothOf = c.of
		if d := watched(t, v, 8); d.state.Rough != c.rough {
			t.Errorf("%s: rough %t", name, d.state.Rough)
		}
	}
}

// TestTwinsOfUnitSteps: a twin whose step takes a second is made like any other.
func TestTwinsOfUnitSteps(t *testing.T) {
	v := newIdeal(1, []float64{2}, []float64{.5})
	d := NewDoubled(v, 4, 8)
	for k := range 8 {
		at := .5 * float64(k)
		if err := d.Step(t.Context(), at, func() error { return v.Advance(t.Context(), .5, at+.5) }); err != nil {
			t.Fatal(err)
		}
	}
	if d.state.Turns != 4 || v.rough != 4+2 || d.state.Twin[0].Error[0] != 2*4*.5 {
		t.Errorf("%d turns, %d steps of twins, %+v", d.state.Turns, v.rough, d.state.Twin)
	}
}

// TestTwinsTryHalves: where a twin of a small run cannot make its step in quarters it is made in eighths; and one that was put to
// the run keeps energies of its own.
func TestTwinsTryHalves(t *testing.T) {
	const n = 4
	v := newIdeal(1, []float64{2}, []float64{.5})
	v.fails = func(at, h float64) bool { return v.isRough && at < .5 && h > .04 }
	d := watched(t, v, n)
	if steps, _ := d.Unknown(); steps != 2 || v.rough != 2*8+2*4 {
		t.Errorf("%d unknown steps, %d of twins, want 2 and 24", steps, v.rough)
	}
	v = newIdeal(1, []float64{2}, []float64{.5})
	v.fails = func(at, _ float64) bool { return v.isRough && at < .5 }
	d = watched(t, v, n)
	if x := &d.state.Twin[0]; x.Compared != 2 || math.Abs(x.Off[0]-.5*(.25-.0625)*.5) > 1e-15 {
		t.Errorf("%+v", x)
	}
}

// TestPlacesOfErrors: the worst part, its error times the caution, when it was and of what.
func TestPlacesOfErrors(t *testing.T) {
	d := watched(t, newIdeal(1, []float64{.1, 2}, []float64{.1, .5}), 8)
	m := d.Measures(1e-9)[0]
	moved := 2 + 2*.125
	if want := fmt.Sprintf("part 1: %.3g m at t = 1 s, of %.3g m", m.Value*moved, moved); m.Place != want {
		t.Errorf("%q, want %q", m.Place, want)
	}
}

// TestLittleIsTaken: dissipation is judged by what was taken; where that is less than a tenth of the energy that moves in an island
// and off by more than the accuracy, it is said that it is not judged, of the island where it is worst.
func TestLittleIsTaken(t *testing.T) {
	const n, h = 8, 1. / 8
	for _, tie := range []float64{0, .5} {
		v := newIdeal(1, make([]float64, 3), []float64{.5, .1, .2})
		v.now.Made.Begin([]float64{10, 20, 30}, nil, nil, nil)
		v.tie = tie
		d := watched(t, v, n)
		taken, off, where := .25+.5*h, 1.1*.5*h, "in part 0"
		if tie > 0 {
			taken, off, where = .5+.6*h, 1.1*.6*h, "in the island of part 0 and 1 more"
		}
		list := d.Measures(1e-6)
		if want := fmt.Sprintf("%.3g J of %.3g J, off by %.3g J at the end, %s", taken, map[float64]float64{0: 10, .5: 30}[tie], off, where); len(list) != 3 || list[1].Value != 0 || list[2].Basis != NotSaid || list[2].Passed() || list[2].Subject != UnjudgedDissipation || list[2].Place != want {
			t.Errorf("tied at %g: %+v, want %s", tie, list[1:], want)
		}
		if list = d.Measures(.9); len(list) != 2 || !(math.Abs(list[1].Value/(off/taken)-1) <= 1e-12) {
			t.Errorf("tied at %g: %+v, want %g", tie, list, off/taken)
		}
	}
	if (&DoubledState{Taken: []float64{0, 0}}).met() || !(&DoubledState{Taken: []float64{0, 1}}).met() {
		t.Error("what takes nothing is met")
	}
}

// TestRemedyOfTheMean: an error of the energy that is larger in the mean than at the end is brought down by the order in
// which the means fall.
func TestRemedyOfTheMean(t *testing.T) {
	v := newIdeal(1, []float64{0}, []float64{0})
	for _, c := range []struct{ end, coarse, fine float64 }{{.01, .3, .2}, {1, .3, .2}} {
		d := openDoubled(v, 1, 100)
		d.state.Rough, d.state.Fine, d.state.Taken[0] = true, false, 1
		for k, mean := range []float64{c.fine, c.coarse} {
			x := &d.state.Twin[k]
			x.Off[0], x.Sum[0], x.Compared = c.end*(1+.5*float64(k)), 4*mean, 4
		}
		m := d.dissipation(1e-9, [twins]float64{1.1, .55})[0]
		x := m
		want := d.remedy(1.5*c.end, c.end, &x)
		if c.end < c.fine {
			want = d.remedy(c.coarse, c.fine, &x)
		}
		if m.Remedy != want || m.Steps != x.Steps {
			t.Errorf("%+v: %q, want %q", c, m.Remedy, want)
		}
	}
}

// TestTiesOfCreations: of two equal numbers the first is kept; where nothing else is told, no part is named; and
// what the smallest energy is that counts.
func TestTiesOfCreations(t *testing.T) {
	var one Creation
	one.Begin(1)
	one.Add(1, 1, 0)
	one.Add(2, -2, 0) // back to −1
	one.Add(3, 2, 0)
	if one.Most != 1 || one.MostAt != 1 || one.Step != 2 || one.StepAt != 2 {
		t.Errorf("%+v", one)
	}
	var c Creations
	c.Begin([]float64{1, 1}, nil, nil, nil)
	c.Add(0, .5, 0, 0)
	c.Close(1, 1)
	c.Add(1, .5, 0, 0)
	c.Close(2, 1)
	if list := c.Measures(.1, 10, "", []string{"a", "b"}); !strings.HasSuffix(list[0].Place, "t = 1 s of 1 J that move, in a") {
		t.Errorf("%+v", list)
	}
	if c.Link(0, 1); c.Island[0].MostAt != 1 || c.Island[0].StepAt != 1 {
		t.Errorf("%+v", c.Island[0])
	}
	c.Begin([]float64{1, 1, 2}, nil, nil, nil)
	c.Give([]float64{0, 3, -1})
	if c.Total != 2 || c.Whole.Moved != 3 || c.Island[1].Moved != 3 {
		t.Errorf("%+v", c)
	}
	if c.Give([]float64{0, -3, 0}); c.Total != -1 || c.Whole.Moved != 3 {
		t.Errorf("%+v", c)
	}
	c.Begin([]float64{1}, nil, nil, nil)
	if !c.Faint(0x1p-100) || c.Faint(0x1.1p-100) {
		t.Error("a share of 2⁻¹⁰⁰ is heard, or more is not")
	}
}

// TestDyadicEnds: steps from a half of the run to one of 2⁻⁴⁵ of it.
func TestDyadicEnds(t *testing.T) {
	for k, want := range map[int]bool{0: false, 1: true, lastLevel + 1: true, lastLevel + 2: false} {
		h := math.Ldexp(1, -k)
		if got, ok := DyadicStep([]float64{0, 1}, 0, h); ok != want || ok && got != h {
			t.Errorf("2^−%d: %g, %t", k, got, ok)
		}
	}
}

// TestBoundaryGrids: a grid that is none is refused as such.
func TestBoundaryGrids(t *testing.T) {
	p, err := NewLumped(contact.Coulomb{Mu: .3}, sliders["A"].k, sliders["A"].c)
	if err != nil {
		t.Fatal(err)
	}
	start := &State{Q: make([]float64, 3), V: make([]float64, 3)}
	for _, o := range []BoundaryOptions{{H: 0, Steps: 5}, {H: -1, Steps: 5}, {H: math.Inf(1), Steps: 5}, {H: math.NaN(), Steps: 5}, {H: .1, Steps: 0}, {H: .1, Steps: -1}} {
		err := target().Check(&slider{patch: p}, start, o)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), "want positive numbers") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	r, err := newBoundaryRun(&slider{patch: p}, start, target(), BoundaryOptions{H: .1, Steps: 1})
	if err != nil || r.o.MaxIntegrations != 2000 || r.o.Tolerance != 1e-10 {
		t.Errorf("%+v, %v", r, err)
	}
	// Solutions are one if they differ by a millionth of their size, or of 1 m/s.
	v := func(x float64) []float64 { return []float64{x, 0, 0} }
	for _, x := range [][]float64{v(0), v(1e-6), v(-1.5e-6), v(100), v(100 + 5e-5), v(100 + 1.5e-4)} {
		r.keep(x, "a method")
	}
	if want := [][]float64{v(0), v(-1.5e-6), v(100), v(100 + 1.5e-4)}; !slices.EqualFunc(r.res.Solutions, want, slices.Equal) {
		t.Errorf("solutions %v", r.res.Solutions)
	}
	r.consider(v(5), 0, "another") // a solution is known
	if r.res.V0[0] != 0 || r.res.Method != "a method" {
		t.Errorf("%+v", r.res)
	}
	r.found = false
	r.consider(v(1), 3, "first")
	r.consider(v(2), 3, "second")
	if r.consider(v(3), 4, "third"); r.res.V0[0] != 1 || r.res.Method != "first" {
		t.Errorf("%+v", r.res)
	}
}

// flight is a boundary-value problem of free flight: v(0) + 2 q(T) = b is linear in v(0).
func flight(t *testing.T, b float64) *boundaryRun {
	t.Helper()
	x := &faller{m: 1}
	var err error
	if x.patch, err = NewRigid(contact.Coulomb{}, 2); err != nil {
		t.Fatal(err)
	}
	p := &Boundary{MV: []float64{1, 0, 0, 1}, N: []float64{2, 0, 0, 0, 0, 2, 0, 0}, B: []float64{b, 2000}}
	r, err := newBoundaryRun(x, &State{Q: []float64{0, 1000}, V: []float64{0, 0}}, p, BoundaryOptions{H: .25, Steps: 4})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFreeFlightNeedsNoStep: the first start solves it, and no rate is measured; from another the rate is −2, and the
// fixed point is left.
func TestFreeFlightNeedsNoStep(t *testing.T) {
	r := flight(t, 3)
	v := slices.Clone(r.o.Starts[0])
	if done, err := r.fixedPoint(t.Context(), v); !done || err != nil || !math.IsNaN(r.res.Rate) || r.res.Integrations != 1 || v[0] != 1 {
		t.Errorf("%t, %v, rate %g after %d integrations, v = %v", done, err, r.res.Rate, r.res.Integrations, v)
	}
	v = []float64{2, 0}
	if done, err := r.fixedPoint(t.Context(), v); done || err != nil || r.res.Rate != 2 || r.res.Integrations != 3 {
		t.Errorf("%t, %v, rate %g after %d integrations", done, err, r.res.Rate, r.res.Integrations)
	}
}

// TestLineSearch: along s times Newton's step the residual is |1 − τs| of what it was, and must be at
// most 1 − τ/10000: τ = 1, ½, …, twelve times.
func TestLineSearch(t *testing.T) {
	for _, c := range []struct {
		s     float64
		tries int // 0: none of twelve does
		left  float64
	}{{1, 1, 0}, {1.5e-4, 1, 1 - 1.5e-4}, {.5e-4, 0, 0}, {-1, 0, 0}, {3, 2, .5}, {4 - 2e-4, 2, 1 - 1e-4}, {7, 3, .75}, {2 - 1.5e-4, 1, 1 - 1.5e-4}, {2 - .5e-4, 2, .25e-4}} {
		r := flight(t, 3)
		v, res := []float64{2, 0}, make([]float64, 2)
		before, err := r.shoot(t.Context(), res, v)
		if err != nil || before != 3 {
			t.Fatal(before, err)
		}
		jac := mat.NewDense(2, 2, []float64{3 / c.s, 0, 0, 3 / c.s})
		r.res.Integrations = 0
		ok, size, err := r.lineSearch(t.Context(), jac, v, res, make([]float64, 2), make([]float64, 2))
		tries := c.tries
		if tries == 0 {
			tries = 12
		}
		if err != nil || ok != (c.tries > 0) || r.res.Integrations != tries || ok && !(math.Abs(size-3*c.left) <= 1e-12) {
			t.Errorf("s = %g: %t, %g, %d tries, %v", c.s, ok, size, r.res.Integrations, err)
		}
	}
	r := flight(t, 3)
	r.res.Integrations = r.o.MaxIntegrations
	if _, _, err := r.lineSearch(t.Context(), mat.NewDense(2, 2, []float64{1, 0, 0, 1}), []float64{2, 0}, []float64{3, 0}, make([]float64, 2), make([]float64, 2)); !errors.Is(err, errIntegrations) {
		t.Errorf("error %v", err)
	}
}

// TestInvolvedRows: rows with a millionth in a null vector are named.
func TestInvolvedRows(t *testing.T) {
	if got := involved([]float64{1, 1e-6, -1.5e-6, 0}); got != "1, 3" {
		t.Errorf("%q", got)
	}
}

// TestEndsOfRemedies: an error that falls as it should is of the order of the theory; steps are rounded up, but for rounding; and an error
// of one is one that a run may have.
func TestEndsOfRemedies(t *testing.T) {
	if o := observed(2, 1, firstOrder); o != firstOrder {
		t.Errorf("%+v", o)
	}
	for n, want := range map[float64]float64{5500: 5500, 5500 * (1 + .5e-12): 5500, 5500 * (1 + 1.5e-12): 5510, 5501: 5510} {
		if got := roundedUp(n); got != want {
			t.Errorf("%g becomes %g, want %g", n, got, want)
		}
	}
	for value, told := range map[float64]bool{1: true, 1.5: false} {
		m := Measure{Value: value, Steps: 1e6}
		if text := firstOrder.near(10, &m, ""); strings.Contains(text, "at this step") != told || m.Steps != 0 {
			t.Errorf("%g: %q", value, text)
		}
		if m = (Measure{Value: value, Limit: 1e-9}); strings.Contains(firstOrder.moreSteps(10, &m), "at this step") != told {
			t.Errorf("%g: %q", value, firstOrder.moreSteps(10, &m))
		}
	}
}

// TestRefusalsSayWhy: what is wrong with a patch is what is told; and what is right is accepted.
func TestRefusalsSayWhy(t *testing.T) {
	law := contact.Coulomb{}
	for want, o := range map[string]HalfSpace{"spacing": {Dim: 2, Elements: 2, Spacing: math.Inf(1), Epsilon: 1}, "compliance": {Dim: 2, Elements: 2, Spacing: 1, Epsilon: math.Inf(1)}, "compliance of a patch is 0": {Dim: 2, Elements: 2, Spacing: 1}} {
		if _, err := NewPatch(law, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, c := range []struct {
		k, c float64
		ok   bool
	}{{1, 0, true}, {1, 1, true}, {0, 1, false}, {1, math.Inf(1), false}, {math.Inf(1), 1, false}, {1, -1, false}} {
		if _, err := NewLumped(law, []float64{1, c.k}, []float64{1, c.c}); (err == nil) != c.ok {
			t.Errorf("k = %g, c = %g: %v", c.k, c.c, err)
		}
	}
	at, zero := make([][2]float64, 2), make([]float64, 16)
	matrix := func(size, skew float64, i, j int) []float64 {
		m := make([]float64, 16)
		for d := range 4 {
			m[5*d] = 4 * size
		}
		m[4*i+j], m[4*j+i] = size, size*(1+skew)
		return m
	}
	for _, size := range []float64{1, 1e6, 1e-6} {
		for _, c := range []struct {
			skew float64
			ok   bool
		}{{0, true}, {1e-11, true}, {1e-10, true}, {3e-10, false}, {1e-9, false}} {
			for i, j := range map[int]int{1: 0, 3: 2} {
				if _, err := NewGeneral(law, 2, at, matrix(size, c.skew, i, j), zero, nil); (err == nil) != c.ok {
					t.Errorf("size %g, entry (%d, %d) off by %g: %v", size, i, j, c.skew, err)
				}
			}
		}
	}
	for _, bad := range [][]float64{{-1, 0, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, -1}} { // the first pivot, or the second
		if _, err := NewGeneral(law, 2, at[:1], bad, zero[:4], nil); err == nil {
			t.Errorf("K = %v is accepted", bad)
		}
	}
	// hK + C that is positive definite for short steps only: after a failure the matrices of the others are right.
	p, err := NewGeneral(law, 2, at[:1], []float64{-1, 0, 0, 2}, []float64{3, 0, 0, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []float64{1, 2, 1} {
		if p.prepare(0, 100, nil) == nil {
			t.Error("an indefinite patch")
		}
		if err := p.prepare(0, h, nil); err != nil || math.Abs(p.eInv[0]*(3-h)-1) > 1e-15 || math.Abs(p.eInv[3]*(3+2*h)-1) > 1e-15 {
			t.Errorf("h = %g: %v, %v", h, p.eInv, err)
		}
	}
	mu, err := signal.NewTable([]float64{0, 1}, []float64{.2, .4})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := NewRigid(law, 2); err != nil || x.ChangeFriction(mu) != nil || x.law != (contact.Coulomb{Mu: .2}) {
		t.Errorf("%+v, %v", x, err)
	}
	var c Contacts
	c.ResetAt(3, 2, 1)
	if c.Reset(2, 1); c.Time() != 0 {
		t.Errorf("time %g", c.Time())
	}
	for _, g := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if c.gap = []float64{g}; c.validate() == nil {
			t.Errorf("a gap of %g is accepted", g)
		}
	}
	for s, want := range map[ContactState]string{Open: "open", Stick: "stick", Slide: "slide"} {
		if s.String() != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
	var m Mass
	m.reset()
	m.Block(2, 1, 1, 1, 1+0x1.cp-50) // a pivot of 1.55e-15
	if err := m.factor(2); err != nil {
		t.Error(err)
	}
	if !gone([]float64{1e-30, -1e-30}) || gone([]float64{0, 1.5e-30}) || gone([]float64{-1.5e-30}) {
		t.Error("a deformation of 1e-30 m is there, or more is not")
	}
}

// sized is a system of any sizes, at whose start things are wrong.
type sized struct{ nq, nv, dim int }

func (s sized) Size() (nq, nv, dim int)                      { return s.nq, s.nv, s.dim }
func (s sized) Mass(m *Mass, _ []float64)                    { m.Diagonal(slices.Repeat([]float64{1}, max(s.nv, 0))...) }
func (s sized) Force(f []float64, _ float64, _, _ []float64) { clear(f) }
func (s sized) Contacts(*Contacts, []float64)                {}
func (s sized) Rate(dst, _, _ []float64)                     { clear(dst) }

// TestSizes: the least system, and what is less; a start that is no number.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		s  sized
		ok bool
	}{{sized{1, 1, 2}, true}, {sized{0, 1, 2}, false}, {sized{1, 0, 2}, false}, {sized{2, 1, 3}, true}} {
		if _, err := NewStepper(c.s, make([]float64, c.s.nq), make([]float64, c.s.nv), Options{}); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
	for _, x := range [][2]float64{{math.NaN(), 0}, {0, math.NaN()}, {math.Inf(-1), 0}, {0, math.Inf(1)}} {
		if _, err := NewStepper(sized{1, 1, 2}, x[:1], x[1:], Options{}); err == nil || !strings.Contains(err.Error(), "not finite") {
			t.Errorf("%v: %v", x, err)
		}
	}
	s := fall(t, &faller{m: 1, g: 10}, Options{}, 1, 0, 0, 1, 0)
	for _, h := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := s.Step(t.Context(), h); err == nil || !strings.Contains(err.Error(), "want a positive number") {
			t.Errorf("h = %g: %v", h, err)
		}
	}
	run(t, s, .1, 1000)
	if x := s.State().T; !(math.Abs(x-100) <= 3e-14) { // two roundings; a sum of a thousand is off by 1.4e-12
		t.Errorf("t = %.17g", x)
	}
	var exceeded *memory.ExceededError
	if _, err := NewStepper(newChain(t, 2, 2, contact.Coulomb{}, false, Options{}).sys, make([]float64, 6), make([]float64, 6), Options{Limit: memory.Limit{Bytes: 1}}); !errors.As(err, &exceeded) {
		t.Errorf("a limit of one byte: %v", err)
	}
}

// TestResiduals: what is told of a run is the largest residual of its steps.
func TestResiduals(t *testing.T) {
	s := newChain(t, 2, 2, contact.Tresca{Threshold: 2}, false, Options{})
	largest := 0.0
	for range 6 {
		run(t, s, .004, 1)
		largest = max(largest, s.Last().Residual)
	}
	if got := s.Solved()[0].Value; got != largest || largest == 0 {
		t.Errorf("%g, want %g", got, largest)
	}
}

// TestScalesOfProblems: the mean diagonal is the unit, one where there is none; a problem of zeros has no residual; and
// each method hands over to the next.
func TestScalesOfProblems(t *testing.T) {
	var s solver
	s.a, s.b, s.lambda, s.laws = []float64{.5, 0, 0, .5}, make([]float64, 2), make([]float64, 2), []contact.Law{contact.Coulomb{}}
	if u := s.unit(2); u != .5 {
		t.Errorf("unit %g", u)
	}
	if r := s.residual(2, 1); r != 0 {
		t.Errorf("residual %g", r)
	}
	s.b[0] = -.5 // a residual of 1 of forces of 1
	if r := s.residual(2, 1); r != 1 {
		t.Errorf("residual %g", r)
	}
	clear(s.a)
	if u := s.unit(2); u != 1 {
		t.Errorf("unit %g", u)
	}
	s.a = []float64{.5, 0, 0, .5}
	for m, want := range map[method]method{single: exhausted, byLemke: warm, warm: cold, cold: exhausted} {
		if got := m.next(); got != want {
			t.Errorf("%d is followed by %d, want %d", m, got, want)
		}
	}
	x := []float64{1, 2}
	if addScaled(x, 1, []float64{3, 4}); x[0] != 4 || x[1] != 6 {
		t.Error(x)
	}
	if p, _ := newPolygon(contact.Pyramid{Mu: 1, Facets: 4}, 3); !slices.Equal(p.d, box) {
		t.Errorf("%v", p.d)
	}
	var l lemke
	for _, d := range [][2]float64{{0, 1}, {-1, 1}, {1, 0}} { // of the tangents
		if err := l.eliminate([]float64{1, 0, 0, 0, d[0], 0, 0, 0, d[1]}, make([]float64, 3), 3, 1); !errors.Is(err, errTangential) {
			t.Errorf("%v: %v", d, err)
		}
	}
	for _, d := range []float64{1, 0} {
		want := map[float64]float64{1: 1, 0: 0}[d]
		if got := monotonicity([]float64{d, 0, 0, d}, 2); got != want {
			t.Errorf("%g times the identity: %g", d, got)
		}
	}
}

// TestStatesOfElements: an element slides where its slip is more than a share of the fastest and its force is on the
// cone in each direction; sizes of speeds are those of tangents alone.
func TestStatesOfElements(t *testing.T) {
	s := newSlider(t, "A", contact.Coulomb{Mu: .5}, []float64{1, 0, 0}, Options{})
	run(t, s, .001, 3)
	for _, c := range []struct {
		lambda [3]float64
		want   bool
	}{{[3]float64{2, .7, 0}, false}, {[3]float64{2, 0, .7}, false}, {[3]float64{2, 1, 0}, true}, {[3]float64{2, 0, -1}, true}, {[3]float64{2, .6, .8}, true}, {[3]float64{2, .6, .7}, false}, {[3]float64{2, 0, 1 - 1e-8}, false}, {[3]float64{2, 1 - 1e-8, 0}, false}} {
		if got := s.atBound(0, c.lambda[:]); got != c.want {
			t.Errorf("%v: at its bound %t", c.lambda, got)
		}
	}
	for _, c := range []struct {
		b, slip [3]float64
		lambda  float64
		want    ContactState
	}{
		{[3]float64{-1e9, 1, 0}, [3]float64{0, 2e-7, 0}, 2, Slide}, {[3]float64{0, 1, 0}, [3]float64{0, 5e-8, 0}, 2, Stick}, {[3]float64{0, 0, -10}, [3]float64{0, 5e-7, 0}, 2, Stick},
		{[3]float64{0, 0, 10}, [3]float64{0, 0, -2e-6}, 2, Slide}, {[3]float64{0, 1, 1}, [3]float64{9, 0, 0}, 2, Stick}, {[3]float64{0, 1, 0}, [3]float64{0, 1, 0}, 0, Open}, {[3]float64{0, 0, 0}, [3]float64{0, 0, 0}, 2, Stick},
	} {
		copy(s.local.b, c.b[:])
		copy(s.next.Slip, c.slip[:])
		copy(s.next.Lambda, []float64{c.lambda, .5 * c.lambda, 0})
		s.step.counts = [3]int{}
		if s.count(); s.states[0] != c.want || s.step.counts[c.want] != 1 {
			t.Errorf("%+v: %v", c, s.states)
		}
	}
}

// TestNewtonsMatrix: M − hF of blocks, and W(M − hF)⁻¹Wᵀ in all directions, are those of the whole matrices.
func TestNewtonsMatrix(t *testing.T) {
	const h = .3
	s := newChain(t, 3, 1, contact.Coulomb{Mu: .3}, true, Options{})
	r := rand.New(rand.NewPCG(3, 1))
	n, nv := &s.newton, s.nv
	n.slope = make([]float64, nv*nv)
	for i := range n.slope {
		n.slope[i] = .2 * r.NormFloat64()
	}
	whole := mat.NewDense(nv, nv, nil)
	for i := range nv {
		unit, column := make([]float64, nv), make([]float64, nv)
		unit[i] = 1
		s.mass.mulVec(column, unit)
		for j := range nv {
			whole.Set(j, i, column[j]-h*n.slope[j*nv+i])
		}
	}
	if !s.newtonMatrix(h) {
		t.Fatal("singular")
	}
	var inverse mat.Dense
	if err := inverse.Inverse(whole); err != nil {
		t.Fatal(err)
	}
	if err := s.begin(h); err != nil {
		t.Fatal(err)
	}
	l, c := &s.local, &s.contacts
	l.load(c, &s.mass, h)
	l.solver = &n.lu
	elements := []int{}
	for e := range c.elements() {
		if c.patches[l.owner[e]].patch.Rigid() {
			elements = append(elements, e)
		}
	}
	order := 3 * len(elements)
	a, w := make([]float64, order*order), mat.NewDense(order, nv, nil)
	for i, e := range elements {
		for k := c.h.Ptr[e]; k < c.h.Ptr[e+1]; k++ {
			for d := range 3 {
				w.Set(3*i+d, c.h.Row[k], w.At(3*i+d, c.h.Row[k])+c.h.Val[3*k+d])
			}
		}
	}
	var half, want mat.Dense
	half.Mul(w, &inverse)
	want.Mul(&half, w.T())
	l.assemble(a, elements)
	for i := range order {
		for j := range order {
			if x := h * want.At(i, j); !(math.Abs(a[i*order+j]-x) <= 1e-12) { // of numbers of about one
				t.Errorf("entry (%d, %d) is %g, want %g", i, j, a[i*order+j], x)
			}
		}
	}
}

// TestSpeedsOfNewton: the speed that differences are taken by is the largest of a block, 1 where nothing moves.
func TestSpeedsOfNewton(t *testing.T) {
	s := fall(t, &faller{m: 2, g: 10}, Options{}, 5, 0, 0, .1, 0)
	s.newton.vGuess, s.f = make([]float64, 2), make([]float64, 2)
	for _, c := range []struct{ v, guess, f, want float64 }{{0, 0, 0, 1}, {0, .25, 0, .25}, {-3, 0, 4, 3}, {0, 0, -40, 2}, {0, -5, 40, 5}} {
		s.now.V[1], s.newton.vGuess[1], s.f[1] = c.v, c.guess, c.f
		if got := s.speed(0, .1); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
	// Nothing moves and nothing pushes: one round.
	rest, err := NewStepper(sized{1, 1, 2}, []float64{0}, []float64{0}, Options{ImplicitForce: true})
	if err != nil {
		t.Fatal(err)
	}
	if run(t, rest, .1, 1); rest.Last().Rounds != 1 {
		t.Errorf("%d rounds", rest.Last().Rounds)
	}
}

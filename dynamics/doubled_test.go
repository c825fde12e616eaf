package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ideal is a stepper whose errors are known: a step of h puts part p off by off[p]·h^(order+1), and
// its contacts take (rate + lost·h^order)·h from it. It moves with unit speed times its number plus
// one.
type ideal struct {
	order     int
	off, lost []float64
	turns     []Part
	names     []string
	freedoms  int
	smooth    bool
	smoothOf  func(rough bool) bool // whether a step is smooth; nil: all are as smooth says
	tie       float64               // time at which parts 0 and 1 meet; 0: never
	fails     func(t, h float64) bool
	jolt      func(t, h float64) (off, made float64) // of part 0 in a step from t; nil: none
	now       idealState
	slots     [6]idealState
	advances  int
	rough     int // of them, made for a twin
	isRough   bool
}

type idealState struct {
	T    float64
	Off  []float64
	Made Creations
}

func (s *idealState) set(x *idealState) {
	s.T, s.Off = x.T, append(s.Off[:0], x.Off...)
	s.Made.Set(&x.Made)
}

func newIdeal(order int, off, lost []float64) *ideal {
	v := &ideal{order: order, off: off, lost: lost, smooth: order == 2, freedoms: 10000}
	v.now.Off = make([]float64, len(off))
	energy := make([]float64, len(lost))
	for p := range energy {
		energy[p] = float64(p + 1)
	}
	v.now.Made.Begin(energy, nil, nil, nil)
	return v
}

func (v *ideal) power(h float64) float64 { return math.Pow(h, float64(v.order)) }
func (v *ideal) Advance(ctx context.Context, h, t float64) error {
	if v.fails != nil && v.fails(v.now.T, h) {
		return errors.New("no such step")
	}
	if e := math.Abs(v.now.T + h - t); !(e <= 1e-12) {
		return fmt.Errorf("a step of %g from %g to %g", h, v.now.T, t)
	}
	if v.advances++; v.isRough {
		v.rough++
	}
	if v.smoothOf != nil {
		v.smooth = v.smoothOf(v.isRough)
	}
	if v.jolt != nil {
		off, made := v.jolt(v.now.T, h)
		v.now.Off[0] += off
		v.now.Made.Add(0, made, 0, 0)
	}
	v.now.T = t
	for p := range v.off {
		v.now.Off[p] += v.off[p] * h * v.power(h)
	}
	for p, x := range v.lost {
		v.now.Made.Take(p, (.25+x*v.power(h))*h)
	}
	if v.tie > 0 && t >= v.tie {
		v.now.Made.Link(0, 1)
	}
	v.now.Made.Close(t)
	return nil
}
func (v *ideal) Keep(slot int)         { v.slots[slot].set(&v.now) }
func (v *ideal) Return(slot int) error { v.now.set(&v.slots[slot]); return nil }
func (v *ideal) Distances(dst []float64, slot int) []float64 {
	from := idealState{Off: make([]float64, len(v.off))}
	if slot >= 0 {
		from = v.slots[slot]
	}
	dst = dst[:0]
	for p, x := range v.now.Off {
		dst = append(dst, math.Abs(x-from.Off[p]+float64(p+1)*(v.now.T-from.T)))
	}
	return dst
}
func (v *ideal) Reach(dst []float64, time float64) []float64 {
	return append(dst[:0], make([]float64, len(v.off))...)
}
func (v *ideal) Residual() float64     { return 0 }
func (v *ideal) Creations() *Creations { return &v.now.Made }
func (v *ideal) Smooth() bool          { return v.smooth }
func (v *ideal) Rough(on bool)         { v.isRough = on }
func (v *ideal) Freedoms() int         { return v.freedoms }
func (v *ideal) PartNames() []string   { return v.names }
func (v *ideal) Describe() []Part {
	if v.turns == nil {
		return make([]Part, len(v.off))
	}
	return v.turns
}
func (v *ideal) Encode(slot int) ([]byte, error) {
	return EncodeState(&v.slots[slot])
}
func (v *ideal) Decode(slot int, state []byte) error {
	return DecodeState(v, slot, state)
}
func (v *ideal) Save(c *idealState)       { c.set(&v.now) }
func (v *ideal) Load(c *idealState) error { c.Made.now = nil; v.now.set(c); return nil }

var _ Doubling = (*ideal)(nil)

// watched makes n steps to the time 1 beside which twins run.
func watched(t *testing.T, v *ideal, n int) *Doubled {
	t.Helper()
	d := NewDoubled(v, 1, n)
	for k := range n {
		march(t, v, d, n, k)
	}
	return d
}

func march(t *testing.T, v *ideal, d *Doubled, n, k int) {
	t.Helper()
	h := 1 / float64(n)
	at := float64(k) * h
	if err := d.Step(context.Background(), at, func() error { return v.Advance(context.Background(), h, at+h) }); err != nil {
		t.Fatal(err)
	}
	if e := math.Abs(v.now.T - at - h); e > 1e-12 || v.isRough {
		t.Fatalf("the stepper is left at %g, rough %t", v.now.T, v.isRough)
	}
}

// twinsOf are the ends of the steps of a twin in steps of some times the length, of n.
func twinsOf(n, times int) (ends []int) {
	for k := times; k < n; k += times {
		ends = append(ends, k)
	}
	return append(ends, n)
}

// TestDoubledIsRight: errors that are powers of the step are found as they are, times the caution,
// for numbers of steps that are and are not multiples of four; and so are those of the energy
// taken, at the end and in the mean. The steps advised are those that bring the error to the
// accuracy.
func TestDoubledIsRight(t *testing.T) {
	for _, order := range []int{1, 2} {
		for _, n := range []int{8, 9, 10, 11, 12, 17} {
			off, lost := []float64{.3, 2, .1}, []float64{.01, .5, .02}
			v := newIdeal(order, off, lost)
			d := watched(t, v, n)
			// The errors of all three, times 1/h, at the ends of steps.
			h := 1 / float64(n)
			path := func(times int) map[int]float64 {
				at, sum, last := map[int]float64{0: 0}, 0.0, 0
				ends := twinsOf(n, times)
				if times == 1 {
					ends = nil
					for k := range n {
						ends = append(ends, k+1)
					}
				}
				for _, k := range ends {
					x := float64(k-last) * h
					sum += x * v.power(x)
					at[k], last = sum, k
				}
				return at
			}
			run, first, second := path(1), path(2), path(4)
			var far, end, mean [2]float64
			for i, pair := range []struct {
				fine, coarse map[int]float64
				times        int
			}{{run, first, 2}, {first, second, 4}} {
				ends := twinsOf(n, pair.times)
				for _, k := range ends {
					x := pair.coarse[k] - pair.fine[k]
					far[i], end[i] = max(far[i], x), x
					mean[i] += x / float64(len(ends))
				}
			}
			p := math.Pow(2, float64(order))
			share := [2]float64{1.1 / (p - 1), 1.1 / (p * (p - 1))}
			whole, heat := max(share[0]*far[0], share[1]*far[1]), max(share[0]*end[0], share[1]*end[1], share[0]*mean[0], share[1]*mean[1])
			moved := 2 + off[1]*run[n]
			list := d.Measures(1e-5)
			if got, want := list[0].Value, off[1]*whole/moved; !(math.Abs(got/want-1) <= 1e-12) {
				t.Errorf("order %d, %d steps: an error of %.15g, want %.15g", order, n, got, want)
			}
			if taken := max(.25+lost[1]*run[n], .1*2); true {
				if got, want := list[1].Value, lost[1]*heat/taken; !(math.Abs(got/want-1) <= 1e-12) {
					t.Errorf("order %d, %d steps: an error of the heat of %.15g, want %.15g", order, n, got, want)
				}
			}
			for i, m := range list[:2] { // the third says that what part 2 took is not judged
				if m.Limit != 1e-5 || m.Passed() {
					t.Fatalf("%+v", m)
				}
				power := observed(far[1], far[0], map[int]order2{1: firstOrder, 2: secondOrder}[order]).power
				if m.Name == TrajectoryError && n%4 == 0 && !(math.Abs(power-float64(order)) <= 1e-9) {
					t.Errorf("order %g of %d steps, want %d", power, n, order)
				}
				if n%4 == 0 {
					near := d.Measures(m.Value / 4)[i]
					if want := 1.1 * float64(n) * math.Pow(4, 1/float64(order)); !(near.Steps >= want*(1-1e-9) &&
						near.Steps <= 1.0101*want) && near.Steps != math.Ceil(want) {
						t.Errorf("order %d, %d steps: %g are advised, want %g in three digits: %s", order, n, near.Steps, want, near.Remedy)
					}
					if far := order == 1; far != (m.Steps == 0) || far != strings.HasPrefix(m.Remedy, "no number of steps is known") {
						t.Errorf("order %d, %d steps: far from the limit %g are advised: %s", order, n, m.Steps, m.Remedy)
					}
				}
			}
			if !strings.HasPrefix(list[0].Place, "part 1: ") || !strings.HasSuffix(list[1].Place, ", in part 1") {
				t.Errorf("places %q and %q", list[0].Place, list[1].Place)
			}
			if list := d.Measures(1e9); list[0].Remedy != "" || list[1].Remedy != "" || !list[0].Passed() {
				t.Errorf("%+v", list)
			}
			if steps, _ := d.Unknown(); steps != 0 || v.rough != len(twinsOf(n, 2))+len(twinsOf(n, 4)) || v.advances != n+v.rough {
				t.Errorf("%d steps: %d unknown, %d of twins, %d in all", n, steps, v.rough, v.advances)
			}
		}
	}
}

type order2 = order

// TestDoubledOfSmallRuns: what has few steps, or is small, has one twin in quarters of its steps,
// of whose distance d the error is d/(1 − 4^−p).
func TestDoubledOfSmallRuns(t *testing.T) {
	for _, c := range []struct {
		n, freedoms int
		fine        bool
	}{{7, 10000, true}, {8, 10000, false}, {1000, 10, true}, {1001, 10, false}, {20, 3, true}} {
		for _, order := range []int{1, 2} {
			v := newIdeal(order, []float64{.3, 2}, []float64{.1, .5})
			v.freedoms = c.freedoms
			d := watched(t, v, c.n)
			h := 1 / float64(c.n)
			if d.state.Fine != c.fine {
				t.Errorf("%+v: fine %t", c, d.state.Fine)
			}
			if !c.fine {
				continue
			}
			if v.advances != 5*c.n || v.rough != 4*c.n {
				t.Errorf("%d steps: %d in all, %d of twins", c.n, v.advances, v.rough)
			}
			list := d.Measures(1e-9)
			if got, want := list[0].Value, 1.1*2*v.power(h)/(2+2*v.power(h)); !(math.Abs(got-want) <= 1e-12) { // of sums of thousands
				t.Errorf("%+v, order %d: %.15g, want %.15g", c, order, got, want)
			}
			if got, want := list[1].Value, 1.1*.5*v.power(h)/(.25+.5*v.power(h)); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%+v, order %d: heat %.15g, want %.15g", c, order, got, want)
			}
			want := 1.1 * float64(c.n) * math.Pow(list[0].Value/1e-9, 1/float64(order))
			if got := list[0].Steps; want <= 1e7 && !(got >= want*(1-1e-9) && got <= 1.0101*want) || want > 1e7 && got != 0 {
				t.Errorf("%+v, order %d: %g steps, want %g", c, order, got, want)
			}
		}
	}
}

// TestDoubledGoesOn: from a state saved anywhere the estimate goes on to the same bits; one that
// does not fit is refused.
func TestDoubledGoesOn(t *testing.T) {
	for _, n := range []int{5, 9, 12} {
		for stop := 1; stop < n; stop++ {
			begin := func() *ideal {
				v := newIdeal(1, []float64{.3, 2}, []float64{.1, .5, .2})
				v.tie = .6
				return v
			}
			v := begin()
			want := watched(t, v, n)
			a := begin()
			d := NewDoubled(a, 1, n)
			for k := range stop {
				march(t, a, d, n, k)
			}
			s, err := d.Save()
			if err != nil {
				t.Fatal(err)
			}
			b := begin()
			b.now.set(&a.now)
			again, err := ResumeDoubled(b, 1, n, s)
			if err != nil {
				t.Fatal(err)
			}
			for k := stop; k < n; k++ {
				march(t, a, d, n, k) // what was saved is not touched
				march(t, b, again, n, k)
			}
			for _, x := range []*Doubled{d, again} {
				if !reflect.DeepEqual(x.Measures(1e-6), want.Measures(1e-6)) || !reflect.DeepEqual(x.state, want.state) {
					t.Fatalf("%d steps, resumed after %d: %+v, want %+v", n, stop, x.state, want.state)
				}
			}
			for name, spoil := range map[string]func(s *DoubledState){
				"steps":  func(s *DoubledState) { s.Of++ },
				"part":   func(s *DoubledState) { s.Resting.Reach = s.Resting.Reach[1:] },
				"moved":  func(s *DoubledState) { s.Moved = s.Moved[1:] },
				"taken":  func(s *DoubledState) { s.Most[rubbed] = append(s.Most[rubbed], 0) },
				"root":   func(s *DoubledState) { s.Root = s.Root[1:] },
				"island": func(s *DoubledState) { s.Root = []int{0, 1, 3} }, "negative": func(s *DoubledState) { s.Root = []int{0, -1, 2} },
				"error": func(s *DoubledState) { s.Twin[1].Error = s.Twin[1].Error[1:] },
				"at":    func(s *DoubledState) { s.Twin[0].At = nil },
				"off":   func(s *DoubledState) { s.Twin[0].Off = tallies{} },
				"sum":   func(s *DoubledState) { s.Twin[1].Sum[energyTaken] = nil },
				"bytes": func(s *DoubledState) { s.Twin[0].State = []byte{1} },
			} {
				x := *s
				x.Root = slices.Clone(s.Root)
				if spoil(&x); true {
					if _, err := ResumeDoubled(begin(), 1, n, &x); err == nil {
						t.Errorf("another %s is accepted", name)
					}
				}
			}
		}
	}
}

// TestDoubledJoinsIslands: parts that met are one: their heat is compared with what both took.
func TestDoubledJoinsIslands(t *testing.T) {
	const n = 8
	v := newIdeal(1, []float64{0, 0, 0}, []float64{.1, .3, .5})
	v.tie = .5
	d := watched(t, v, n)
	if want := []int{0, 0, 2}; !slices.Equal(d.state.Root, want) {
		t.Fatalf("islands %v, want %v", d.state.Root, want)
	}
	h := 1.0 / n
	// Errors of islands 0 and 2: the ends, .4 h and .5 h, the second over the larger of a quarter
	// and a tenth of what moves.
	m := d.Measures(1e-6)[1]
	if want := max(1.1*.4*h/(.5+.4*h), 1.1*.5*h/max(.25+.5*h, .3)); !(math.Abs(m.Value/want-1) <= 1e-12) {
		t.Errorf("%+v, want %g", m, want)
	}
	one := watched(t, newIdeal(1, []float64{1}, []float64{.6}), n)
	if m := one.Measures(1e-6)[1]; strings.Contains(m.Place, ", in ") {
		t.Errorf("of one island: %+v", m)
	}
	v = newIdeal(1, []float64{0, 0, 0}, []float64{.6, .3, .1})
	v.tie, v.names = .5, []string{"a", "b", "c"}
	d = watched(t, v, n)
	m = d.Measures(1e-6)[1]
	if want := 1.1 * .9 * h / (.5 + .9*h); !(math.Abs(m.Value/want-1) <= 1e-12) ||
		!strings.HasSuffix(m.Place, "in the island of a and 1 more") {
		t.Errorf("%+v, want %g", m, want)
	}
	if got, want := d.state.Most[energyTaken][0], .5+.9*h; !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("%g J taken, want %g", got, want)
	}
}

// TestUnknownSteps: steps that a twin cannot make at its length are made as the run does, and
// counted; the error of the others is taken for theirs, and where they are most nothing is known.
func TestUnknownSteps(t *testing.T) {
	const n = 16
	const h = 1.0 / n
	for some, c := range map[string]struct {
		from    float64 // from when twins fail
		unknown int
	}{"some": {.5, 4}, "most": {.25, 6}, "half": {.375, 5}, "one": {.875, 1}} {
		v := newIdeal(1, []float64{2}, []float64{.5})
		v.fails = func(t, x float64) bool { return t >= c.from-1e-9 && x > 1.5*h }
		d := watched(t, v, n)
		steps, cause := d.Unknown()
		if steps != c.unknown || cause != "no such step" {
			t.Errorf("%s: %d unknown steps, want %d: %s", some, steps, c.unknown, cause)
		}
		m := d.Measures(1e-6)
		if known := 1 - float64(c.unknown)/8; known < .5 {
			if len(m) != 2 || m[0].Name != TrajectoryError || m[1].Name != DissipationError {
				t.Errorf("%s: %+v", some, m)
			}
			for _, x := range d.Measures(1) { // what is not known passes at no accuracy
				if x.Passed() || x.Value != 1 || !strings.Contains(x.Place, "no such step") || x.Remedy != "shorter steps" {
					t.Errorf("%s: %+v", some, x)
				}
			}
		} else if want := 1.1 * 2 * h * known / known / (2*h + 1); len(m) != 2 || !(m[0].Value >= want*(1-1e-12)) ||
			math.IsInf(m[0].Value, 0) {
			t.Errorf("%s: %+v, want at least %g", some, m, want)
		}
	}
	// Where the steps of half the length fail too, the twin is put to the run: nothing is said
	// then.
	v := newIdeal(1, []float64{2}, []float64{.5})
	v.fails = func(_, x float64) bool { return v.isRough }
	d := watched(t, v, n)
	if steps, _ := d.Unknown(); steps != 8 || d.state.Twin[0].Error[0] != 0 || d.state.Twin[0].Compared != 0 ||
		!reflect.DeepEqual(v.slots[0].Off, v.slots[1].Off) || !reflect.DeepEqual(d.tallies[0], d.tallies[1]) {
		t.Errorf("%d unknown steps, %+v", steps, d.state)
	}
}

// TestTurnsAreAngles: a part that is a turn is measured by itself and told as an angle; that of a
// ball by the way of its centre; one that hardly turns by a hundredth; and a part that hardly moves
// by a thousandth of its neighbour.
func TestTurnsAreAngles(t *testing.T) {
	const n = 8
	v := newIdeal(1, []float64{0, 0, 1e-3, 1e-3}, []float64{0, 0})
	v.turns, v.names = []Part{{}, {}, {Arm: .5, Centre: -1}, {Arm: 200, Centre: 1}}, []string{"a", "b", "turn of a", "turn of b"}
	d := watched(t, v, n)
	if got, want := floors(v, []float64{3, 7000, 1e-6, 1e-3}), []float64{.003, 7, .005, 7000}; !reflect.DeepEqual(got, want) {
		t.Errorf("floors %v, want %v", got, want)
	}
	v.now.Made.Link(0, 1)
	if got, want := floors(v, []float64{3, 7000, 1e-6, 1e-3}), []float64{7, 7, .005, 7000}; !reflect.DeepEqual(got, want) {
		t.Errorf("floors of one island %v, want %v", got, want)
	}
	m := d.Measures(1e-9)[0]
	if want := 1.1 * 1e-3 / n / (3 + 1e-3/n); !(math.Abs(m.Value/want-1) <= 1e-9) ||
		!strings.HasPrefix(m.Place, "turn of a: ") || !strings.HasSuffix(m.Place, "of 6 rad") {
		t.Errorf("%+v, want %g", m, want)
	}
}

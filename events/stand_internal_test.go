package events

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// touching is a particle in the air, a contact without friction, and another one over a floor, μ = ½, and beside a wall, μ = ¼, which it touches.
func touching[T Number[T]](t *testing.T) (*Walker[T], *stand[T]) {
	t.Helper()
	var zero T
	one := zero.Of(1)
	f := &Form[T]{N: 4, Ptr: []int{0, 1, 2, 3, 4}, Col: []int{0, 1, 2, 3}, Val: []T{one, one, one, one}, Source: nothing[T]{},
		Contacts: []Contact[T]{{T: -1, N: 0}},
		Corners:  []Corner[T]{{Dof: 1, Faces: []Face[T]{{N: [3]T{zero, zero, one}, Mu: zero.Of(.5)}, {N: [3]T{zero.Of(-1), zero, zero}, Mu: zero.Of(.25)}}}}}
	w, err := NewWalker(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w, &w.stands[0]
}

// onto puts it onto some faces, with a force and what that was added up of.
func (w *Walker[T]) onto(t *testing.T, s *stand[T], r [3]float64, faces ...int) {
	t.Helper()
	if s.at = s.stood(faces); s.at < 0 {
		t.Fatalf("no support by %v", faces)
	}
	var zero T
	for i, v := range r {
		w.r[s.Dof+i], w.size[s.Dof+i], w.dsize[s.Dof+i] = zero.Of(v), 1, 2
	}
	w.load = 1
}

// TestAdmits: a support bears a force if its faces push, friction holds the rest, and no other face that is touched is pressed; up to rounding of what is added up, and what else
// a force may be off by.
func TestAdmits(t *testing.T) {
	const round = rounding * boundary * (1 + 1 + 1.5 + 1)
	floor, wall, both := []int{0}, []int{1}, []int{0, 1}
	for _, c := range []struct {
		name  string
		faces []int
		r     [3]float64
		away  float64 // from the wall
		more  float64
		ok    bool
	}{
		{"stands", floor, [3]float64{0, 0, 1}, 0, 0, true}, {"held", floor, [3]float64{.2, .4, 1}, 0, 0, true}, {"held by all", floor, [3]float64{0, -.5, 1}, 0, 0, true},
		{"held by more", floor, [3]float64{0, .6, 1}, 0, 0, false}, {"held by more, but for an error", floor, [3]float64{0, .6, 1}, 0, .2, true}, {"for a smaller one", floor, [3]float64{0, .6, 1}, 0, .05, false},
		{"by a rounding", floor, [3]float64{0, .5 + .8*round, 1}, 0, 0, true}, {"by more than that", floor, [3]float64{0, .5 + 1.2*round, 1}, 0, 0, false},
		{"pulls", floor, [3]float64{0, 0, -1}, 0, 0, false}, {"presses the wall", floor, [3]float64{-.2, 0, 1}, 0, 0, false}, {"would press it", floor, [3]float64{-.2, 0, 1}, 1, 0, true},
		{"between both", both, [3]float64{-.2, .5, 1}, 0, 0, true}, {"between both, held by more", both, [3]float64{-.2, .56, 1}, 0, 0, false},
		{"pulled off the wall", both, [3]float64{.2, 0, 1}, 0, 0, false}, {"not at the wall", both, [3]float64{-.2, 0, 1}, 1, 0, false},
		{"hangs on the wall", wall, [3]float64{-2, .3, -.4}, 0, 0, true}, {"presses the floor", wall, [3]float64{-2, 0, .1}, 0, 0, false},
		{"in the air", nil, [3]float64{}, 0, 0, true}, {"falls", nil, [3]float64{0, 0, 1}, 0, 0, false}, {"rises", nil, [3]float64{0, 0, -1}, 0, 0, false},
	} {
		w, s := touching[Real](t)
		w.onto(t, s, c.r, c.faces...)
		w.q[1] = Real(-c.away)
		if got := w.admits(s, c.more); got != c.ok {
			t.Errorf("%s: %t", c.name, got)
		}
		if c.more != 0 || math.Abs(c.r[1]-.5) < 1e-9 {
			continue
		}
		x, s2 := touching[Rational](t)
		x.onto(t, s2, c.r, c.faces...)
		x.q[1] = Rational{}.Of(-c.away)
		if got := x.admits(s2, 0); got != c.ok {
			t.Errorf("%s, exactly: %t", c.name, got)
		}
	}
}

// TestPulls: a force along a face is one beyond rounding of what is added up, of all loads, and of the time.
func TestPulls(t *testing.T) {
	for _, at := range []float64{0, -1e9} {
		w, s := touching[Real](t)
		w.t = Real(at)
		round := boundary * rounding * (3.5 + 1 + timeRounding*math.Abs(at)*7)
		for _, x := range []float64{0, .9, 1.1} {
			w.onto(t, s, [3]float64{0, -x * round, 5}, 0)
			if w.pulls(s) != (x > 1) {
				t.Errorf("at %g s, %g of rounding: %t", at, x, x <= 1)
			}
		}
	}
}

// TestLoose: a force that is all that friction holds, or more, lets a corner slip, and no smaller one.
func TestLoose(t *testing.T) {
	const round = rounding * boundary * 4.5
	for _, c := range []struct {
		r    [3]float64
		want bool
	}{{[3]float64{.3, .4, 1}, true}, {[3]float64{0, .6, 1}, true}, {[3]float64{.3, .39, 1}, false}, {[3]float64{0, 0, 1}, false}, {[3]float64{0, 0, 0}, true}} {
		w, s := touching[Real](t)
		w.onto(t, s, c.r, 0)
		x, s2 := touching[Rational](t)
		x.onto(t, s2, c.r, 0)
		if a, b := w.loose(s), x.loose(s2); a != c.want || b != c.want {
			t.Errorf("%v: %t, exactly %t", c.r, a, b)
		}
	}
	for _, less := range []float64{.8, 1.2} {
		w, s := touching[Real](t)
		w.onto(t, s, [3]float64{0, .5 - less*round, 1}, 0)
		if w.loose(s) != (less < 1) {
			t.Errorf("%g of rounding less: %t", less, less >= 1)
		}
	}
}

// TestBroken: a corner bears no force that is missing, beyond 1e-9 of the loads or, in ratios of integers, at all; heights and speeds are no forces.
func TestBroken(t *testing.T) {
	w, s := touching[Real](t)
	x, s2 := touching[Rational](t)
	w.load = 2
	for _, c := range []struct {
		kind        kind
		value       float64
		want, exact bool
	}{
		{pressure, -1, true, true}, {cone, -3e-9, true, true}, {forward, -1e-9, false, true}, {lean, 1, false, false}, {backward, 0, false, false}, {height, -1, false, false}, {onward, -1, false, false},
	} {
		if got := w.broken(condition{contact: s.unit, kind: c.kind}, Real(c.value)); got != c.want {
			t.Errorf("kind %d, %g: %t", c.kind, c.value, got)
		}
		if got := x.broken(condition{contact: s2.unit, kind: c.kind}, Rational{}.Of(c.value)); got != c.exact {
			t.Errorf("kind %d, %g, exactly: %t", c.kind, c.value, got)
		}
		if w.broken(condition{contact: 0, kind: c.kind}, Real(c.value)) {
			t.Errorf("kind %d: a contact is", c.kind)
		}
	}
}

// TestContinuous: forces that no support was found to bear are those of before, but for 1e-7 of what they are added up of and of the loads.
func TestContinuous(t *testing.T) {
	for i := range 4 {
		for _, unborne := range []bool{false, true} {
			for _, off := range []float64{0, .9, -1.1} {
				w, s := touching[Real](t)
				w.onto(t, s, [3]float64{.1, .2, 1}, 0)
				w.load, w.size[i] = 2, 3
				s.unborne = unborne
				p := w.posture()
				w.r[i] += Real(off * 1e-7 * 5)
				if got, want := w.continuous(&p), !unborne || i == 0 || math.Abs(off) < 1; got != want {
					t.Errorf("dof %d, off by %g of what may be, unborne %t: %t", i, off, unborne, got)
				}
			}
		}
	}
	w, s := touching[Rational](t)
	w.onto(t, s, [3]float64{0, 0, 1}, 0)
	s.unborne = true
	p := w.posture()
	if w.r[2] = w.r[2].Add(Rational{}.Of(1e-30)); w.continuous(&p) {
		t.Error("exact forces may change")
	}
}

// TestPressedBy: a contact bears if there is a force, or a rate of it, beyond rounding; open ones do not.
func TestPressedBy(t *testing.T) {
	const round = rounding * boundary * 2
	for _, c := range []struct {
		r, rate float64 // of rounding
		regime  Regime
		want    bool
	}{{0, 0, Stick, false}, {.9, 0, Stick, false}, {1.1, 0, Stick, true}, {-2, 0, Stick, false}, {0, .9, Stick, false}, {0, 1.1, Stick, true}, {9, 99, Open, false}, {2, -99, SlipForward, true}} {
		w, _ := touching[Real](t)
		w.size[0], w.dsize[0], w.regime[0] = 2, 2, c.regime
		w.r[0], w.dr[0] = Real(c.r*round), Real(c.rate*round/boundary)
		if w.Pressed(0) != c.want {
			t.Errorf("%+v: %t", c, !c.want)
		}
	}
}

// TestTurning: of a corner whose force turns the contact of its one face is named.
func TestTurning(t *testing.T) {
	w, s := touching[Real](t)
	for face := range 2 {
		w.onto(t, s, [3]float64{-1, 0, 1}, face)
		if s.lost = false; w.Turning() != nil {
			t.Error("what does not turn does")
		}
		s.lost, w.t = true, 3
		if x := w.Turning(); x == nil || x.Contact != 1+face || x.Time != 3 {
			t.Errorf("face %d: %+v", face, x)
		}
	}
}

// TestBlur: a force that grows along a face has a direction when it is 1/tipForce of what the time is rounded by, in the numbers that are added up.
func TestBlur(t *testing.T) {
	w, s := touching[Real](t)
	w.onto(t, s, [3]float64{}, 0)
	w.t, w.dsize[1], w.dsize[3] = -3, 7, 5
	w.dr[1], w.dr[2], w.dr[3] = .6, -.8, 9
	if got, want := w.blur(s), tipForce*timeRounding*3*7/1.; !(math.Abs(got-want) <= 1e-15*want) {
		t.Errorf("%g s, want %g", got, want)
	}
	if w.dr[1], w.dr[2] = 0, 0; w.blur(s) != 0 {
		t.Error("no force grows")
	}
}

// TestCanonical: the largest component of a direction is positive, of equal ones the first.
func TestCanonical(t *testing.T) {
	for _, v := range [][3]float64{{1, 0, 0}, {-1, 0, 0}, {-1, 1.5, 0}, {1, -1.5, 0}, {-.1, .2, -.3}, {-1, 1, 0}, {1, -1, 1}, {0, -2, 2.1}} {
		largest := 0
		for i := range v {
			if math.Abs(v[i]) > math.Abs(v[largest]) {
				largest = i
			}
		}
		sign := Real(math.Copysign(1, v[largest]))
		got := real3(v)
		if canonical(&got); got != [3]Real{sign * Real(v[0]), sign * Real(v[1]), sign * Real(v[2])} {
			t.Errorf("%v is turned to %v", v, got)
		}
	}
}

// TestKnown: rates are known that differ by rounding of the largest, also where one of them is zero.
func TestKnown(t *testing.T) {
	w, _ := touching[Real](t)
	for i, c := range []struct {
		rates []Real
		known bool
	}{
		{[]Real{3, 1, 0, -2}, true}, {[]Real{3, 1, 2e-11, -2}, true}, {[]Real{3, 1, 4e-11, -2}, false}, {[]Real{3, -1, 0, -2}, false}, {[]Real{3 + 2e-11, 1 - 2e-11, -2e-11, -2}, true}, {[]Real{9, 1, 0, -2}, false},
	} {
		w.v = []Real{3, 1, 0, -2}
		list := []Solution[Real]{{Rates: []Real{5, 5, 5, 5}}, {Rates: c.rates}}
		if w.known(list) != c.known || w.known(list[:1]) {
			t.Errorf("rates %d: %t", i, !c.known)
		}
	}
}

// TestSkyline: A⁻¹x in a skyline, against products, of numbers that round and of ratios; where A is semidefinite what nothing resists keeps its value, and the first load along it that is more than
// rounding is told; and whether a pivot is negative.
func TestSkyline(t *testing.T) {
	skylines[Real](t, func(v float64) Real { return Real(v) }, 1e-11)
	skylines[Rational](t, func(v float64) Rational { return Rational{}.Of(v) }, 0)
}

func skylines[T Number[T]](t *testing.T, of func(v float64) T, tolerance float64) {
	rng := rand.New(rand.NewPCG(5, 9))
	var zero T
	for round := range 60 {
		n := 2 + rng.IntN(6)
		first := make([]int, n)
		for i := range first {
			first[i] = max(0, i-1-rng.IntN(3))
		}
		a := make([][]T, n) // diagonally dominant
		for i := range a {
			a[i] = make([]T, n)
		}
		for i := range n {
			a[i][i] = a[i][i].Add(of(float64(2 + rng.IntN(3))))
			for j := first[i]; j < i; j++ {
				a[i][j], a[j][i] = of(math.Floor(9*rng.Float64()-4)/16), of(math.Floor(9*rng.Float64()-4)/16)
			}
		}
		null, negative := -1, round%3 == 1
		switch round % 3 {
		case 1: // a row and column of the other sign
			k := rng.IntN(n)
			for j := range n {
				a[k][j] = zero.Sub(a[k][j])
			}
		case 2: // a multiple of the row and the column before
			null = 1 + rng.IntN(n-1)
			first[null] = 0
			third := of(.3)
			for j := range n {
				a[null][j] = a[null-1][j].Mul(third)
			}
			for i := range n {
				a[i][null] = a[i][null-1].Mul(third)
			}
			for i := range n { // the profile of both
				first[i] = 0
			}
		}
		var s skyline[T]
		s.resize(first)
		for i := range n {
			for j := range n {
				if a[i][j].Sign() != 0 {
					s.add(i, j, a[i][j])
				}
			}
		}
		s.factor()
		if s.indefinite != negative {
			t.Errorf("round %d: indefinite %t", round, s.indefinite)
		}
		if null >= 0 != slices.Contains(s.null, true) || null >= 0 && !s.null[null] {
			t.Errorf("round %d: without a pivot %v, want %d", round, s.null, null)
		}
		want, b, kept := make([]T, n), make([]T, n), of(7)
		for i := range want {
			want[i] = of(float64(rng.IntN(19) - 9))
		}
		if null >= 0 {
			want[null] = kept
		}
		for i := range n {
			for j := range n {
				b[i] = b[i].Add(a[i][j].Mul(want[j]))
			}
		}
		keep := func(int) T { return kept }
		x := slices.Clone(b)
		if lost := s.solve(x, keep, 100); lost >= 0 {
			t.Errorf("round %d: the load on %d has no answer", round, lost)
		}
		for i := range x {
			if d := x[i].Sub(want[i]); !(math.Abs(d.Float()) <= tolerance) {
				t.Errorf("round %d: x[%d] = %s, want %s", round, i, x[i], want[i])
			}
		}
		if null < 0 {
			continue
		}
		for _, off := range []float64{5e-11, 2e-10, 1} { // beside rounding of 100, 1e-10
			x = slices.Clone(b)
			x[null] = x[null].Add(of(off))
			lost := -1
			if of(1).Exact() || off > 1e-10 {
				lost = null
			}
			if got := s.solve(x, keep, 100); got != lost {
				t.Errorf("round %d: lost %d, want %d, of a load %g", round, got, lost, off)
			}
		}
	}
}

// pullLoads press a particle by 1 N and pull it by t.
type pullLoads struct{ nothing[Real] }

func (pullLoads) Load(f []Real, t Real) Real {
	clear(f)
	f[0], f[1] = t, -1
	return 0
}

func (pullLoads) Rate(df []Real, _ Real) {
	clear(df)
	df[0] = 1
}

// TestNoSolution: a particle that friction alone holds, of the first dof, has no solution when the pull is all of it: neither does it stick, nor does anything hold it.
func TestNoSolution(t *testing.T) {
	const mu = .5
	for _, stiff := range []Real{0, 2} {
		f := &Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{stiff, 1}, Source: pullLoads{}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}}}
		w, err := NewWalker(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Walk(t.Context(), 1, func() error { return nil }); (err == nil) != (stiff > 0) {
			t.Errorf("stiffness %g: %v", stiff, err)
		}
		if stiff > 0 {
			if q := w.Q()[0]; !(math.Abs(float64(q-(1-mu)/stiff)) <= 1e-15) {
				t.Errorf("it is at %g", q)
			}
			continue
		}
		if got := w.Time(); !(math.Abs(float64(got-mu)) <= 1e-15) {
			t.Errorf("the walk ends at %g", got)
		}
		if list, counted := w.Solutions(); len(list) != 0 || !counted {
			t.Errorf("%d solutions, counted %t", len(list), counted)
		}
	}
}

// TestAtTip: a corner begins at the tip of its cone if it slips on one face with friction where nothing presses or pulls it.
func TestAtTip(t *testing.T) {
	const round = rounding * boundary * 4.5
	for _, c := range []struct {
		slip  int
		r     [3]float64
		faces []int
		want  bool
	}{
		{1, [3]float64{}, []int{0}, true}, {-1, [3]float64{0, 0, .9 * round}, []int{0}, true}, {1, [3]float64{0, 0, 1.1 * round}, []int{0}, false}, {1, [3]float64{0, 0, 1}, []int{0}, false},
		{1, [3]float64{0, .2, 0}, []int{0}, false}, {0, [3]float64{}, []int{0}, false}, {1, [3]float64{}, []int{0, 1}, false}, {1, [3]float64{}, nil, false},
	} {
		w, s := touching[Real](t)
		w.onto(t, s, c.r, c.faces...)
		if s.slip = c.slip; w.atTip(s) != c.want {
			t.Errorf("%+v: %t", c, !c.want)
		}
	}
}

// TestPresses: a face presses if it has a force or begins to.
func TestPresses(t *testing.T) {
	for _, c := range []struct {
		r, rate float64
		want    bool
	}{{0, 0, false}, {1, 0, true}, {0, 1, true}, {1e-14, 1e-14, false}, {-1, -1, false}, {1, -1, true}} {
		for face := range 2 {
			w, s := touching[Real](t)
			normal := s.Faces[face].N
			w.onto(t, s, [3]float64{}, face)
			for i, n := range normal {
				w.r[s.Dof+i], w.dr[s.Dof+i] = n*Real(c.r), n*Real(c.rate)
			}
			if w.presses(s, face) != c.want || w.Pressed(1+face) != c.want || w.Pressed(2-face) {
				t.Errorf("face %d, %+v: %t", face, c, !c.want)
			}
		}
	}
}

// TestStanding: of a corner that slips along an edge the face without friction sticks, which bears without work.
func TestStanding(t *testing.T) {
	for slip, want := range map[int]Regime{-1: SlipBackward, 0: Stick, 1: SlipForward} {
		w, s := touching[Real](t)
		w.onto(t, s, [3]float64{-1, 0, 1}, 0, 1)
		s.Faces[1].Mu, s.slip = 0, slip
		if a, b := w.standing(s, 0), w.standing(s, 1); a != want || b != Stick {
			t.Errorf("slip %d: %v and %v", slip, a, b)
		}
		if list := w.axes(s); len(list) != 1 || list[0] != s.support().edge || list[0] == [3]Real{} {
			t.Errorf("slip %d: it may slip along %v", slip, list)
		}
	}
}

// TestNoRate: a particle whose pressure falls by ½ N a metre of slip beside the 1 N that its spring takes jumps where friction is more than 2: the error names it.
func TestNoRate(t *testing.T) {
	for _, mu := range []Real{1, 3} {
		f := &Form[Real]{N: 3, Ptr: []int{0, 2, 4, 5}, Col: []int{0, 1, 0, 1, 2}, Val: []Real{1, -.5, -.5, 2, 1}, Source: pullLoads{}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}, {T: -1, N: 2, Gap: 1}}}
		w, err := NewWalker(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		until := Real(1.8) // before it opens
		if mu > 2 {
			until = 4
		}
		err = w.Walk(t.Context(), until, func() error { return nil })
		var rate *RateError
		if jumps := errors.As(err, &rate); jumps != (mu > 2) || err != nil && !jumps {
			t.Fatalf("μ = %g: %v", mu, err)
		} else if jumps && (rate.Contact != 0 || rate.Undecided != 1 || !rate.None || !(math.Abs(rate.Time-3) <= 1e-15)) {
			t.Errorf("μ = %g: %+v", mu, rate)
		}
		// q = (t − μ)/(1 − ½μ) after it slips
		if q := float64(w.Q()[0]); mu < 2 && !(math.Abs(q-1.6) <= 1e-14) {
			t.Errorf("it is at %g", q)
		}
	}
}

// TestDirectDerivative: where the anchor's way turns with a parameter, so does the direction along which a corner begins to slip.
func TestDirectDerivative(t *testing.T) {
	for _, start := range []float64{0, .5, 2} {
		rate := [3]Dual{{.6, -.8}, {.8, .6}, {-1, 0}}
		w, err := NewWalker(cornerForm[Dual](Dual{V: 2}, Dual{V: .25}, [3]Dual{}, rate), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := &w.stands[0]
		sin, cos := math.Sincos(math.Atan2(.8, .6) + start)
		s.axis = [3]Dual{{V: cos}, {V: sin}, {}}
		w.direct(s)
		for i, want := range rate[:2] {
			if a := s.axis[i]; !(math.Abs(a.V-want.V) <= 1e-12) || !(math.Abs(a.D-want.D) <= 1e-9) { // differences over 1e-4 rad
				t.Errorf("%g off: component %d is %v, want %v", start, i, a, want)
			}
		}
	}
}

// TestErrorsNameThem: errors of a walk carry the numbers that they are about.
func TestErrorsNameThem(t *testing.T) {
	for want, err := range map[string]error{
		"0.25 N at dof 3":                           &UnstableError{Contact: 1, Dof: 3, Force: .25},
		"beyond t=1.5: nothing holds dof 2":         &LossError{Time: 1.5, Dof: 2},
		"of 3 contacts at a bound, first contact 1": &RateError{Time: 2, Contact: 1, Undecided: 3},
		"the rate problem has no solution":          &RateError{None: true},
		"the obstacle of contact 4 turns":           &TurnError{Time: 1, Contact: 4},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if r := NewRational(big.NewRat(3, 7)); r.Rat().Cmp(big.NewRat(3, 7)) != 0 || (Rational{}).Rat().Sign() != 0 {
		t.Errorf("%s", r)
	}
}

// TestTurnsBeyondRounding: a force along a face turns if it, or its rate, has a part across the axis beyond rounding of all three components.
func TestTurnsBeyondRounding(t *testing.T) {
	const round = rounding * boundary * 7
	for _, c := range []struct {
		force, rate float64 // of rounding
		want        bool
	}{{0, 0, false}, {.9, 0, false}, {1.1, 0, true}, {0, -.9, false}, {0, -1.1, true}} {
		w, s := touching[Real](t)
		w.onto(t, s, [3]float64{0, c.force * round, 1}, 0)
		for i, size := range []float64{1, 2, 4} {
			w.size[s.Dof+i], w.dsize[s.Dof+i] = size, 3*size
		}
		s.axis, s.side = [3]Real{1, 0, 0}, [3]Real{0, 1, 0}
		w.dr[s.Dof], w.dr[s.Dof+1] = 9, Real(3*c.rate*round)
		if w.turns(s) != c.want {
			t.Errorf("%+v: %t", c, !c.want)
		}
	}
}

// tornLoads press a particle by 1 N and pull it by a force.
type tornLoads struct {
	nothing[Real]
	pull Real
}

func (l tornLoads) Load(f []Real, _ Real) Real {
	clear(f)
	f[0], f[1] = l.pull, -1
	return 0
}

// TestTornAtStart: a start at which friction does not hold is refused, of the first particle too.
func TestTornAtStart(t *testing.T) {
	for pull, stable := range map[Real]bool{0: true, .5: true, -.5: true, .51: false, -.51: false} {
		_, err := NewWalker(&Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{1, 1}, Source: tornLoads{pull: pull}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: .5}}}, 0)
		var unstable *UnstableError
		if (err == nil) != stable || err != nil && (!errors.As(err, &unstable) || unstable.Dof != 0 || !(math.Abs(unstable.Force-.01) <= 1e-15)) {
			t.Errorf("pull %g: %v", pull, err)
		}
	}
}

// swing are the loads of a spring whose end swings, sin ωt, on a particle that is pressed by 1 N.
type swing struct{ omega Dual }

func (l swing) angle(t Dual) (sin, cos Dual) {
	a := l.omega.Mul(t)
	s, c := math.Sincos(a.V)
	return Dual{s, c * a.D}, Dual{c, -s * a.D}
}

func (l swing) Load(f []Dual, t Dual) Dual {
	sin, _ := l.angle(t)
	f[0], f[1] = sin, Dual{V: -1}
	return sin.Mul(sin).Mul(Dual{V: .5})
}

func (l swing) Rate(df []Dual, t Dual) {
	_, cos := l.angle(t)
	df[0], df[1] = l.omega.Mul(cos), Dual{}
}

func (swing) Breaks() []Dual       { return nil }
func (l swing) Frequency() float64 { return l.omega.V }

// TestSwing: a particle at such a spring slips where sin ωt = μ, until the end turns at ωt = π/2, and back where μ + sin ωt = 1 − μ: times that go with 1/ω, and with μ.
func TestSwing(t *testing.T) {
	const mu, omega = .3, 2.
	for name, d := range map[string][2]float64{"ω": {1, 0}, "μ": {0, 1}} { // derivatives of ω and μ
		f := &Form[Dual]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Dual{{V: 1}, {V: 1}}, Source: swing{Dual{omega, d[0]}}, Contacts: []Contact[Dual]{{T: 0, N: 1, Mu: Dual{mu, d[1]}}}}
		w, err := NewWalker(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		var times []Dual
		if err := w.Walk(t.Context(), Dual{V: 1.5}, func() error {
			for _, e := range w.Changes() {
				times = append(times, e.Time)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		// The particle stops at 1 − μ, and is pulled back where sin ωt = 1 − 2μ on the way down.
		want := []Dual{{math.Asin(mu) / omega, 1 / omega / math.Sqrt(1-mu*mu) * d[1]}, {math.Pi / 2 / omega, 0}, {(math.Pi - math.Asin(1-2*mu)) / omega, 2 / omega / math.Sqrt(1-(1-2*mu)*(1-2*mu)) * d[1]}}
		if len(times) != len(want) {
			t.Fatalf("by %s: %v", name, times)
		}
		for i, x := range want {
			x.D -= x.V / omega * d[0]
			if got := times[i]; !(math.Abs(got.V-x.V) <= 1e-9) || !(math.Abs(got.D-x.D) <= 1e-7) { // a velocity has no rate but by differences
				t.Errorf("by %s: event %d at %v, want %v", name, i, got, x)
			}
		}
	}
}

// TestSlips: a corner slips forward and backward, and what stands does not.
func TestSlips(t *testing.T) {
	w, s := touching[Real](t)
	w.onto(t, s, [3]float64{0, 0, 1}, 0)
	for slip := -1; slip <= 1; slip++ {
		if s.slip = slip; w.slips(s.unit) != (slip != 0) {
			t.Errorf("slip %d: %t", slip, slip == 0)
		}
	}
	s.slip, s.axis = 0, [3]Real{9}
	w.onto(t, s, [3]float64{}, 0)
	if w.face(s); s.slip != 0 || s.axis != [3]Real{9} {
		t.Errorf("without a force it slips by %d along %v", s.slip, s.axis)
	}
	w.onto(t, s, [3]float64{.3, -.4, 1}, 0)
	if w.face(s); s.slip != 1 || !(math.Abs(float64(s.axis[0]+.6)) <= 1e-15) || !(math.Abs(float64(s.axis[1]-.8)) <= 1e-15) {
		t.Errorf("it slips by %d along %v", s.slip, s.axis)
	}
}

// TestOriented: a corner that sticks would slip along its force or along the rate of it, whichever is more of what it is added up of.
func TestOriented(t *testing.T) {
	for _, rate := range []float64{0, .9, 1.1} { // sums of forces are 3, of rates 6
		w, s := touching[Real](t)
		w.onto(t, s, [3]float64{.3, .4, 1}, 0)
		w.dr[s.Dof], w.dr[s.Dof+1] = Real(.96*rate), Real(-.28*rate)
		w.orient(s)
		want := [3]Real{.6, .8}
		if rate > 1 {
			want = [3]Real{.96, -.28}
		}
		for i := range want {
			if d := s.axis[i] - want[i]; !(math.Abs(float64(d)) <= 1e-15) {
				t.Errorf("rate %g: along %v, want %v", rate, s.axis, want)
			}
		}
		if side := [3]Real{-want[1], want[0]}; !(math.Abs(float64(inner(s.side, side)-1)) <= 1e-15) || s.lost {
			t.Errorf("rate %g: aside %v, lost %t", rate, s.side, s.lost)
		}
	}
}

// peak are the loads of a spring whose end goes to 1 m at 1 s and back, on a particle that is pressed by 1 N.
type peak struct{ nothing[Real] }

func (peak) Load(f []Real, t Real) Real {
	x := min(t, 2-t)
	f[0], f[1] = x, -1
	return x * x / 2
}

func (peak) Rate(df []Real, t Real) {
	if df[0], df[1] = 1, 0; t >= 1 {
		df[0] = -1
	}
}

func (peak) Breaks() []Real { return []Real{1} }

// TestOneBreak: a walk stops at the only kink of its loads: what slips up to it sticks behind it, and goes back where 2μ is between.
func TestOneBreak(t *testing.T) {
	const mu = .3
	w, err := NewWalker(&Form[Real]{N: 2, Ptr: []int{0, 1, 2}, Col: []int{0, 1}, Val: []Real{1, 1}, Source: peak{}, Contacts: []Contact[Real]{{T: 0, N: 1, Mu: mu}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Walk(t.Context(), 2, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	// Slip of 1 − μ, and back by as much less 2μ, each at μ N.
	if q, d := float64(w.Q()[0]), float64(w.Dissipation()); !(math.Abs(q-mu) <= 1e-15) || !(math.Abs(d-mu*(1-mu+1-2*mu)) <= 1e-15) || !(math.Abs(float64(w.Balance())) <= 1e-15) {
		t.Errorf("it ends at %g, %g J are dissipated, %g are left", q, d, w.Balance())
	}
}

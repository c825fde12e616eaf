package signal

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
)

// made turns a constructor's results into a Scalar.
func made[S Scalar](t rapid.TB) func(s S, err error) Scalar {
	return func(s S, err error) Scalar {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestValuesByHand(t *testing.T) {
	ramp := made[*Table](t)(NewTable([]float64{-1, 1, 2}, []float64{3, 7, 5}))
	point := made[*Table](t)(NewTable([]float64{1}, []float64{4}))
	sine := made[*Sine](t)(NewSine(1, 2, 0.25, 0)) // period 4
	cosine := made[*Sine](t)(NewSine(0, 1, 1, math.Pi/2))
	sum := made[Sum](t)(NewSum(ramp, sine, Constant(10)))
	for _, tc := range []struct {
		name     string
		s        Scalar
		t        float64
		at, rate float64
	}{
		{"constant", Constant(3), 7, 3, 0},
		{"table before", ramp, -5, 3, 0},
		{"table first", ramp, -1, 3, 2},
		{"table inside", ramp, 0, 5, 2},
		{"table kink: right slope", ramp, 1, 7, -2},
		{"table last", ramp, 2, 5, 0},
		{"table after", ramp, 1e308, 5, 0},
		{"one row before", point, 0, 4, 0},
		{"one row after", point, 2, 4, 0},
		{"sine at 0", sine, 0, 1, math.Pi},
		{"sine top", sine, 1, 3, 0},
		{"sine one period on", sine, 5, 3, 0},
		{"sine backwards", sine, -1, -1, 0},
		{"sine, cycles beyond all numbers", sine, math.MaxFloat64, 1, math.Pi},
		{"phase", cosine, 0, 1, 0},
		{"sum", sum, 1, 7 + 3 + 10, -2},
		{"empty sum", Sum(nil), 1, 0, 0},
	} {
		// π is rounded: cos(π/2) is 6e-17, times 2π·f·amplitude.
		if got := tc.s.At(tc.t); math.Abs(got-tc.at) > 1e-15 {
			t.Errorf("%s: At(%v) = %.17g, want %.17g", tc.name, tc.t, got, tc.at)
		}
		if got := tc.s.Rate(tc.t); math.Abs(got-tc.rate) > 1e-15 {
			t.Errorf("%s: Rate(%v) = %.17g, want %.17g", tc.name, tc.t, got, tc.rate)
		}
	}
	if v := made[*Sine](t)(NewSine(0, 1, 1e300, 0)).At(1e300); v != 0 {
		t.Errorf("a sine of infinitely many cycles is %v, want its value at phase 0", v)
	}
}

func TestPeriodicToTheBit(t *testing.T) {
	s := made[*Sine](t)(NewSine(0.5, 2, 1, 0.3))
	for _, t0 := range []float64{0, 0.125, 0.75} {
		if s.At(t0) != s.At(t0+1024) || s.Rate(t0) != s.Rate(t0+1024) {
			t.Errorf("not periodic at %v", t0)
		}
	}
}

func TestBreaks(t *testing.T) {
	a := made[*Table](t)(NewTable([]float64{0, 1, 2, 3}, []float64{0, 1, 2, 0})) // straight at 1
	b := made[*Table](t)(NewTable([]float64{1, 2}, []float64{0, 5}))
	for _, tc := range []struct {
		name string
		s    interface {
			Breaks([]float64, float64, float64) []float64
		}
		t0, t1 float64
		want   []float64
	}{
		{"all", a.(Breaker), -1, 4, []float64{0, 2, 3}},
		{"ends are outside", a.(Breaker), 0, 3, []float64{2}},
		{"none", a.(Breaker), 2, 3, nil},
		{"sum", Sum{a, b, Constant(1)}, -1, 4, []float64{0, 1, 2, 3}},
		{"vector", Vector{b, a, b}, 0.5, 2.5, []float64{1, 2}},
	} {
		got := tc.s.Breaks([]float64{77}, tc.t0, tc.t1)
		if got[0] != 77 || !slices.Equal(got[1:], tc.want) {
			t.Errorf("%s: %v, want 77 and then %v", tc.name, got, tc.want)
		}
	}
}

// drawScalar draws any signal.
func drawScalar(t *rapid.T) Scalar {
	num := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, "x") }
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return made[Constant](t)(NewConstant(num(-9, 9)))
	case 1:
		return made[*Sine](t)(NewSine(num(-9, 9), num(-9, 9), num(-2, 2), num(-9, 9)))
	case 2:
		n := rapid.IntRange(1, 5).Draw(t, "rows")
		times, values := make([]float64, n), make([]float64, n)
		for i := range times {
			times[i] = float64(i) + num(-0.4, 0.4)
			values[i] = num(-9, 9)
		}
		return made[*Table](t)(NewTable(times, values))
	}
	return made[Sum](t)(NewSum(drawScalar(t), drawScalar(t)))
}

// Rate is the right derivative: between breaks At is smooth, and at every time
// the difference to the right agrees.
func TestRateIsRightDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScalar(t)
		t0 := rapid.Float64Range(-2, 6).Draw(t, "t")
		const h = 1e-6
		if b, ok := s.(Breaker); ok {
			if ks := b.Breaks(nil, t0-1, t0+h); len(ks) > 0 && rapid.Bool().Draw(t, "at a kink") {
				t0 = ks[len(ks)-1]
			}
			if len(b.Breaks(nil, t0, t0+h)) > 0 {
				return
			}
		}
		// |s̈| <= (2π·2)²·9·8 terms at most: h/2 of that is 6e-3; rounding 1e-9.
		if d := (s.At(t0+h) - s.At(t0)) / h; math.Abs(d-s.Rate(t0)) > 6e-3 {
			t.Fatalf("Rate(%v) = %v, difference to the right %v", t0, s.Rate(t0), d)
		}
	})
}

func TestVector(t *testing.T) {
	v, err := NewVectorTable([]float64{0, 2}, [][]float64{{0, 1}, {4, 1}})
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := Fixed(10, 20)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := NewVectorSum(v, fixed)
	if err != nil {
		t.Fatal(err)
	}
	var at, rate [2]float64
	sum.At(at[:], 1)
	sum.Rate(rate[:], 1)
	if at != [2]float64{12, 21} || rate != [2]float64{2, 0} {
		t.Errorf("at %v, rate %v, want [12 21], [2 0]", at, rate)
	}
	if !fixed.IsConstant() || v.IsConstant() {
		t.Error("IsConstant is wrong")
	}
	if empty, err := NewVectorSum(); err != nil || empty != nil {
		t.Errorf("empty sum: %v, %v", empty, err)
	}
	if n := testing.AllocsPerRun(10, func() { sum.At(at[:], 1.5); sum.Rate(rate[:], 1.5) }); n != 0 {
		t.Errorf("At and Rate allocate %v times", n)
	}
}

func TestErrors(t *testing.T) {
	nan, inf, huge := math.NaN(), math.Inf(1), math.MaxFloat64
	table := func(times, values []float64) error { _, err := NewTable(times, values); return err }
	sine := func(o, a, f, p float64) error { _, err := NewSine(o, a, f, p); return err }
	sum := func(s ...Scalar) error { _, err := NewSum(s...); return err }
	constant := func(v float64) error { _, err := NewConstant(v); return err }
	rows := func(times []float64, v [][]float64) error { _, err := NewVectorTable(times, v); return err }
	vsum := func(v ...Vector) error { _, err := NewVectorSum(v...); return err }
	fixed := func(v ...float64) error { _, err := Fixed(v...); return err }
	for _, tc := range []struct {
		err  error
		want string
	}{
		{constant(nan), "NaN"},
		{table(nil, nil), "empty"},
		{table([]float64{0}, nil), "1 times but 0 values"},
		{table([]float64{0, nan}, []float64{0, 0}), "row 1"},
		{table([]float64{0, inf}, []float64{0, 0}), "row 1"},
		{table([]float64{0, 1}, []float64{0, inf}), "row 1"},
		{table([]float64{0, 1, 1}, []float64{0, 1, 2}), "row 2: time 1 does not increase over 1"},
		{table([]float64{0, -1}, []float64{0, 1}), "row 1: time -1"},
		{table([]float64{0, 1}, []float64{-huge, huge}), "overflows"},
		{table([]float64{-huge, huge}, []float64{0, 1}), "overflows"},
		{table([]float64{0, 5e-324}, []float64{0, 1}), "overflows"},
		{sine(nan, 0, 0, 0), "offset"},
		{sine(0, inf, 0, 0), "amplitude"},
		{sine(0, 0, nan, 0), "frequency"},
		{sine(0, 0, 0, inf), "phase"},
		{sine(huge, huge, 0, 0), "overflows"},
		{sine(0, huge, 1, 0), "overflows"},
		{sum(Constant(1), nil), "term 1 is nil"},
		{sum(Constant(huge), Sum{Constant(huge)}), "overflow"},
		{fixed(0, inf), "component 1"},
		{rows(nil, nil), "0 times"},
		{rows([]float64{0, 1}, [][]float64{{1, 2}, {1}}), "row 1 has 1 components"},
		{rows([]float64{1, 0}, [][]float64{{1, 2}, {1, 2}}), "component 0"},
		{vsum(make(Vector, 2), make(Vector, 3)), "term 1 has 3 components"},
		{vsum(make(Vector, 2)), "component 0"},
	} {
		if tc.err == nil || !strings.Contains(tc.err.Error(), tc.want) {
			t.Errorf("error %v, want one with %q", tc.err, tc.want)
		}
	}
}

// Whatever the constructors accept has finite values at finite times.
func FuzzFinite(f *testing.F) {
	f.Add(0.0, 1.0, 2.0, 3.0, 0.5)
	f.Add(-1e308, 1e308, 1e-308, 5e-324, 1e308)
	f.Fuzz(func(t *testing.T, a, b, c, d, at float64) {
		if !finite(at) {
			return
		}
		check := func(s Scalar) {
			if v, r := s.At(at), s.Rate(at); !finite(v) || !finite(r) {
				t.Fatalf("%#v at %v: %v, rate %v", s, at, v, r)
			}
		}
		if s, err := NewSine(a, b, c, d); err == nil {
			check(s)
		}
		if s, err := NewTable([]float64{a, b}, []float64{c, d}); err == nil {
			check(s)
		}
		if s, err := NewSum(Constant(a), Constant(b)); err == nil {
			check(s)
		}
	})
}

// own is a user's signal.
type own struct{}

func (own) At(float64) float64   { return 0 }
func (own) Rate(float64) float64 { return 0 }

// TestDerivativeBound: second differences of values and of rates, where no kink is
// near, stay below the bounds of the second and the third derivative.
func TestDerivativeBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScalar(t)
		at := rapid.Float64Range(-2, 6).Draw(t, "t")
		const h = 1e-3
		if b, ok := s.(Breaker); ok && len(b.Breaks(nil, at-2*h, at+2*h)) > 0 {
			return
		}
		second, ok := DerivativeBound(s, 2)
		third, ok3 := DerivativeBound(s, 3)
		if !ok || !ok3 {
			t.Fatal("not known")
		}
		// Values up to 100 leave 1e-14·4/h², rates 1e-12·2/h.
		if d := (s.At(at+h) - 2*s.At(at) + s.At(at-h)) / (h * h); math.Abs(d) > second*(1+1e-9)+1e-7 {
			t.Fatalf("second derivative %g, bound %g", d, second)
		}
		if d := (s.Rate(at+h) - 2*s.Rate(at) + s.Rate(at-h)) / (h * h); math.Abs(d) > third*(1+1e-9)+1e-5 {
			t.Fatalf("third derivative %g, bound %g", d, third)
		}
	})
	if b, _ := DerivativeBound(made[*Sine](t)(NewSine(5, -2, 1, 0)), 3); math.Abs(b-2*math.Pow(2*math.Pi, 3)) > 1e-12*b {
		t.Errorf("bound %g", b)
	}
	if _, ok := DerivativeBound(made[Sum](t)(NewSum(Constant(1), own{})), 2); ok {
		t.Error("a user's signal is known")
	}
}

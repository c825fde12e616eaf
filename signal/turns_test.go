package signal_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/signal"
)

// TestTurns: kinks and crests by hand, to the rounding of the angle; the crest of a sine on a slope
// is where the slope of the sine is that, with the other sign.
func TestTurns(t *testing.T) {
	sine := func(offset, amplitude, frequency, phase float64) signal.Scalar {
		s, err := signal.NewSine(offset, amplitude, frequency, phase)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	rows := func(times, values []float64) signal.Scalar {
		s, err := signal.NewTable(times, values)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	sum := func(terms ...signal.Scalar) signal.Scalar {
		s, err := signal.NewSum(terms...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	slope := math.Acos(-1/math.Pi) / (2 * math.Pi) // 2π cos 2πt = −2
	for _, c := range []struct {
		name   string
		s      signal.Scalar
		t0, t1 float64
		want   []float64
	}{
		{"constant", signal.Constant(3), 0, 1, nil},
		{"cycle", sine(1, 2, 1, 0), 0, 1, []float64{0.25, 0.75}},
		{"between crests", sine(0, -2, 1, 0), 0.26, 0.74, nil},
		{"tiny", sine(0, 1e-200, 1, 0), 0, 0.5, []float64{0.25}},
		{"shifted", sine(0, 1, 0.5, math.Pi/2), 0.5, 2.5, []float64{1, 2}},
		{"backwards", sine(0, 1, -1, 0), 2, 3, []float64{2.25, 2.75}},
		{"no amplitude", sine(1, 0, 1, 0), 0, 1, nil},
		{"table", rows([]float64{0, 0.3, 0.6, 2}, []float64{0, 1, -1, 3}), 0, 0.6, []float64{0.3}},
		{"on a slope", sum(sine(0, 1, 1, 0), rows([]float64{0, 1}, []float64{0, 2})), 0, 1, []float64{slope, 1 - slope}},
		{"too steep to turn", sum(sine(0, 1, 1, 0), rows([]float64{0, 1}, []float64{0, 7})), 0, 1, nil},
		{"turns at a kink alone", sum(sine(0, 1e-3, 1, 0), rows([]float64{0, 0.4, 1}, []float64{0, 1, 0})), 0, 1, []float64{0.4}},
	} {
		got := signal.Turns(nil, c.s, c.t0, c.t1, 16)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTurnsOfMany: of a million half cycles a few are found, each at a crest and both kinds among
// them; of so many that no time tells them apart none.
func TestTurnsOfMany(t *testing.T) {
	s, err := signal.NewSine(0, 1, 5e5, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	got := signal.Turns(nil, s, 0, 1, 8)
	if len(got) < 4 || len(got) > 12 {
		t.Fatalf("%d turns, want about 8", len(got))
	}
	high, low := 0, 0
	for _, at := range got {
		switch v := s.At(at); {
		case v > 1-1e-6:
			high++
		case v < -1+1e-6:
			low++
		default:
			t.Errorf("at %v it is %v, no crest", at, v)
		}
	}
	if high == 0 || low == 0 {
		t.Errorf("%d high and %d low", high, low)
	}
	if s, err = signal.NewSine(0, 1, 1e20, 0); err != nil {
		t.Fatal(err)
	}
	if got := signal.Turns(nil, s, 0, 1, 8); len(got) > 1 {
		t.Errorf("%d turns of what has none", len(got))
	}
}

package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
)

// TestSeriesKeepsExtremes: however long the run, each interval holds the smallest and the
// largest value of its nodes, no node is outside all intervals, and there are at most as
// many intervals as allowed.
func TestSeriesKeepsExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := 2 * rapid.IntRange(1, 20).Draw(t, "half the limit")
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 700).Draw(t, "values")
		s := newSeries(2, limit)
		for i, v := range values {
			s.Add(float64(i), []float64{v, -v})
		}
		if len(s.Spans) > limit {
			t.Fatalf("%d intervals, want at most %d", len(s.Spans), limit)
		}
		next := 0
		for k, x := range s.Spans {
			if int(x.From) != next {
				t.Fatalf("interval %d begins with node %g, want %d", k, x.From, next)
			}
			low, high := math.Inf(1), math.Inf(-1)
			for ; next <= int(x.To); next++ {
				low, high = min(low, values[next]), max(high, values[next])
			}
			if c := s.Channels[0]; c.Low[k] != low || c.High[k] != high {
				t.Fatalf("interval %d has %g … %g, want %g … %g", k, c.Low[k], c.High[k], low, high)
			}
			if c := s.Channels[1]; c.Low[k] != -high || c.High[k] != -low {
				t.Fatalf("interval %d of the second channel has %g … %g", k, c.Low[k], c.High[k])
			}
		}
		if next != len(values) {
			t.Fatalf("the intervals end with node %d of %d", next, len(values))
		}
	})
}

// TestTicksAreNice: the marks of an axis are multiples of 1, 2 or 5 times a power of ten inside
// it, three to eight, and their labels are their values.
func TestTicksAreNice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e7, 1e7).Draw(t, "low")
		width := math.Pow(10, rapid.Float64Range(-3, 5).Draw(t, "log10 of the width"))
		ticks := (even{}).Ticks(low, low+width)
		if n := len(ticks); n < 3 || n > 8 {
			t.Fatalf("%d marks", n)
		}
		step := ticks[1].Value - ticks[0].Value
		mantissa := step / math.Pow(10, math.Floor(math.Log10(step*(1+1e-6))))
		if m := math.Round(mantissa); m != 1 && m != 2 && m != 5 ||
			math.Abs(mantissa-m) > 1e-3 { // a difference of values up to 1e11 steps large: 1e-5
			t.Fatalf("the marks are %g apart", step)
		}
		for _, x := range ticks {
			if x.Value < low-1e-5*step || x.Value > low+width+1e-5*step {
				t.Fatalf("a mark at %g is outside of %g … %g", x.Value, low, low+width)
			}
			v, err := strconv.ParseFloat(x.Label, 64)
			if err != nil || math.Abs(v-x.Value) > 0.1*step { // the last digit of a label is below its step

				t.Fatalf("the mark at %g is called %q", x.Value, x.Label)
			}
			if strings.HasPrefix(x.Label, "-") && v == 0 {
				t.Fatalf("a mark is called %q", x.Label)
			}
		}
	})
}

// TestChannel: a value comes back within half of a step of the 65535.
func TestChannel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 50).Draw(t, "values")
		c := NewChannel(values)
		got, err := c.values()
		if err != nil || len(got) != len(values) {
			t.Fatalf("%d values, error %v", len(got), err)
		}
		for i, v := range values {
			if math.Abs(got[i]-v) > 0.501*(c.High-c.Low)/math.MaxUint16+1e-15*math.Abs(v) { // and rounding
				t.Fatalf("value %d is %g, want %g", i, got[i], v)
			}
		}
	})
}

// TestColumnErrorNames: the folder and the column that it has not.
func TestColumnErrorNames(t *testing.T) {
	err := &ColumnError{Dir: "a run", Column: "trajectory.csv:x"}
	if got := err.Error(); !strings.Contains(got, "a run") || !strings.Contains(got, "trajectory.csv:x") {
		t.Error(got)
	}
}

// TestReferenceAtTheStart: what a column is off at the start of a run counts, but of what a step has, of which
// the first row has no value.
func TestReferenceAtTheStart(t *testing.T) {
	for _, c := range []struct {
		ofStep bool
		off    float64
	}{{false, 1}, {true, 0.25}} {
		x := compared{Reference: Reference{At: func(float64) float64 { return 1 }}, series: NewSeries(2), off: -1, skip: c.ofStep}
		x.take(0, 0)
		x.take(1, 0.75)
		if x.off != c.off {
			t.Errorf("of a step: %v: off by %g, want %g", c.ofStep, x.off, c.off)
		}
	}
}

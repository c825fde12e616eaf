package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
			s.add(float64(i), []float64{v, -v})
		}
		if len(s.spans) > limit {
			t.Fatalf("%d intervals, want at most %d", len(s.spans), limit)
		}
		next := 0
		for k, x := range s.spans {
			if int(x.from) != next {
				t.Fatalf("interval %d begins with node %g, want %d", k, x.from, next)
			}
			low, high := math.Inf(1), math.Inf(-1)
			for ; next <= int(x.to); next++ {
				low, high = min(low, values[next]), max(high, values[next])
			}
			if c := s.channels[0]; c.low[k] != low || c.high[k] != high {
				t.Fatalf("interval %d has %g … %g, want %g … %g", k, c.low[k], c.high[k], low, high)
			}
			if c := s.channels[1]; c.low[k] != -high || c.high[k] != -low {
				t.Fatalf("interval %d of the second channel has %g … %g", k, c.low[k], c.high[k])
			}
		}
		if next != len(values) {
			t.Fatalf("the intervals end with node %d of %d", next, len(values))
		}
	})
}

// TestFilmKeepsTurningPoints: the frames of a run of one particle are ordered, at most as
// many as allowed and the two ends, and among them are the ends and the furthest points.
func TestFilmKeepsTurningPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(4, 40).Draw(t, "limit")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-64, 64), func(n int) float64 { return float64(n) / 64 }), 1, 400).Draw(t, "x") // differences are exact
		f := newFilm(1, limit)
		src := frameAt(0, 0)
		for k := range x {
			src.T, src.X[0] = float64(k), x[k]
			f.add(k, src)
		}
		list := f.frames()
		if len(list) > limit+2 {
			t.Fatalf("%d frames, want at most %d and the ends", len(list), limit)
		}
		seen := map[float64]float64{}
		low, high := math.Inf(1), math.Inf(-1)
		for i, frame := range list {
			if i > 0 && !(frame.T > list[i-1].T) {
				t.Fatalf("frame %d is at %g after %g", i, frame.T, list[i-1].T)
			}
			seen[frame.T] = frame.X[0]
			low, high = min(low, frame.X[0]), max(high, frame.X[0])
		}
		for _, k := range []int{0, len(x) - 1} {
			if v, ok := seen[float64(k)]; !ok || v != x[k] {
				t.Fatalf("node %d is missing, or at %g, want %g", k, v, x[k])
			}
		}
		for _, v := range x {
			if v < low || v > high {
				t.Fatalf("the frames reach from %g to %g, but a node is at %g", low, high, v)
			}
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
		if m := math.Round(mantissa); m != 1 && m != 2 && m != 5 || math.Abs(mantissa-m) > 1e-3 { // a difference of values up to 1e11 steps large: 1e-5
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

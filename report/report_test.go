package report

import (
	"math"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0, 1}, {-0.3, 0.7}, {0, 1e-12}, {1e9, 2e9}, {5, 5}, {-1e300, 1e300}} {
		ticks := even{}.Ticks(c.low, c.high)
		if c.high > c.low && (len(ticks) < 3 || len(ticks) > 12) {
			t.Errorf("%+v: %d ticks", c, len(ticks))
		}
		for _, tick := range ticks {
			if math.IsNaN(tick.Value) || tick.Label == "" {
				t.Errorf("%+v: %+v", c, tick)
			}
		}
	}
}

// TestLines: how numbers of sentences are set.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"by 1.1e-07 J; that":          "by 1.1·10⁻⁷\u00a0J; that",
		"did −7e-05 J of":             "did −7·10⁻⁵\u00a0J of",
		"2.5e+12 N, 1e+00 m/s":        "2.5·10¹²\u00a0N, 1·10⁰\u00a0m/s",
		"2.1 % of it, 3 more, 10 min": "2.1\u00a0% of it, 3 more, 10 min",
		"node2e5 stays":               "node2e5 stays",
	} {
		if got := (Verdict{Sentences: []string{text}}).Lines()[0]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

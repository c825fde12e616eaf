package events

import (
	"math"
	"testing"
)

// TestShort: cosines of right triangles of integers are the ratios that they were, decimals are the decimals written, and others are
// what they are in 15 digits.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-1, "-1"}, {0.6, "3/5"}, {math.Nextafter(-0.28, 0), "-7/25"}, {20. / 29, "20/29"}, {-21. / math.Sqrt(841), "-21/29"},
		{math.Nextafter(5./13, 1), "5/13"}, {9999. / 10000, "9999/10000"}, {4059. / 5741, "4059/5741"}, {1. / 3, "1/3"},
		{math.Sqrt2 / 2, "176776695296637/250000000000000"}, // no ratio of four digits is as near
		{1. / 10007, "24982512241431/250000000000000000"},
	} {
		if got := short(c.v).String(); got != c.want {
			t.Errorf("%.17g: %s, want %s", c.v, got, c.want)
		}
	}
}

package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are the endings of sizes; the longer ones first, for they are tried in
// this order.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Parse reads a size like 4GB, 512MiB, "1.5 GB" or 4000000000 (bytes).
func Parse(text string) (int64, error) {
	s := strings.TrimSpace(text)
	for _, u := range units {
		head, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(head), 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) || strings.ContainsAny(head, "xXpP_") {
			break
		}
		if x*u.bytes < 1 {
			return 0, fmt.Errorf("found %q, want at least one byte", text)
		}
		return fromFloat(x * u.bytes), nil
	}
	return 0, fmt.Errorf("found %q, want a size > 0 like 4GB or 512MiB", text)
}

// Format writes bytes with three digits: 4.29 GB.
func Format(bytes int64) string {
	x := float64(bytes)
	switch {
	case bytes == math.MaxInt64:
		return "more than 9.22 EB"
	case x >= 1e12:
		return fmt.Sprintf("%.4g TB", x/1e12)
	case x >= 0.9995e9:
		return fmt.Sprintf("%.3g GB", x/1e9)
	case x >= 0.9995e6:
		return fmt.Sprintf("%.3g MB", x/1e6)
	case x >= 0.9995e3:
		return fmt.Sprintf("%.3g kB", x/1e3)
	}
	return fmt.Sprintf("%d B", bytes)
}

package run

import (
	"math"
	"strings"
	"testing"
)

// TestParts: a body that moves 1 m and is off by .02 m is not hidden by one that moves 100 m; what
// hardly moves is measured by a thousandth of that, a small angle by a hundredth of a radian, and a
// wheel of three revolutions by these.
func TestParts(t *testing.T) {
	parts := []Part{{Name: "far", From: 0, To: 2}, {Name: "near", From: 2, To: 4},
		{Name: "turn of near", From: 4, To: 5, Turn: true}, {Name: "turn of wheel", From: 5, To: 9, Turn: true}}
	const n, phase = 30, 1e-3
	state := func(s, near, still, angle, phase float64) []float64 {
		turn := 6*math.Pi*s + phase
		return []float64{100 * s, 0, s + near, still, angle, math.Cos(turn / 2), 0, 0, math.Sin(turn / 2)}
	}
	for _, c := range []struct {
		near, angle, phase float64
		want               float64
		who                string
	}{{.02, 0, 0, .02, "near: "}, {0, 5e-4, 0, .05, "turn of near"}, {0, 0, phase, phase / (6 * math.Pi), "turn of wheel"}} {
		a, b := &Task{plan: &Plan{Accuracy: .01}, path: &path{every: 1}}, &Task{path: &path{every: 2}}
		for k := range n + 1 {
			s, last := float64(k)/n, 0.0
			if k == n {
				last = 1
			}
			a.path.steps, a.path.at = append(a.path.steps, k), append(a.path.at, state(s, c.near*last, 0, c.angle*last, c.phase*last))
			b.path.steps, b.path.at = append(b.path.steps, 2*k), append(b.path.at, state(s, 0, 0, 0, 0))
		}
		f := a.compareParts(b, parts)
		// The chord of a small angle is it to its cube.
		if math.Abs(f.Value-c.want) > 1e-6*c.want || f.Passed != (c.want <= .01) || !strings.HasPrefix(f.Place, c.who) {
			t.Errorf("%+v, want %g of %s", f, c.want, c.who)
		}
	}
}

package study

import (
	"math"
	"testing"
)

// TestBetween: the boundary of x + y < 1 on a grid is closed, but at the ends of the map: every
// corner inside has two of its sides; it is within half a step of the line, and does not
// depend on the order of the axes' values.
func TestBetween(t *testing.T) {
	x, y := []float64{0.75, 0, 0.25, 1, 0.5}, []float64{0, 0.25, 0.5, 0.75, 1}
	names := map[[2]int]string{}
	for i, a := range x {
		for j, b := range y {
			names[[2]int{i, j}] = map[bool]string{true: "in", false: "out"}[a+b < 1]
		}
	}
	list := between(x, y, names)
	ends := map[[2]float64]int{}
	for _, s := range list {
		for _, p := range s {
			ends[[2]float64{p.X, p.Y}]++
			if d := math.Abs(p.X+p.Y-1) / math.Sqrt2; d > 0.25 {
				t.Errorf("(%g, %g) is %g off the line", p.X, p.Y, d)
			}
		}
	}
	open := 0
	for p, n := range ends {
		switch {
		case n == 1 && (p[0] == 0 || p[0] == 1 || p[1] == 0 || p[1] == 1):
			open++
		case n != 2:
			t.Errorf("%d sides at (%g, %g)", n, p[0], p[1])
		}
	}
	if open != 2 || len(list) != 8 {
		t.Errorf("%d sides with %d open ends: %v", len(list), open, list)
	}
	delete(names, [2]int{1, 4}) // (0, 1) is not made: its side to (0, .75) goes, and that to (.25, 1) never was
	if n := len(between(x, y, names)); n != 7 {
		t.Errorf("%d sides without a run, want 7", n)
	}
	if n := len(between(nil, nil, nil)); n != 0 {
		t.Errorf("%d sides of nothing", n)
	}
}

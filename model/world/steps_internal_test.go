package world

import "testing"

// TestShorter: of two lengths the shorter; 0 is none.
func TestShorter(t *testing.T) {
	for _, c := range [][3]float64{{0, 0, 0}, {0, 2, 2}, {2, 0, 2}, {2, 3, 2}, {3, 2, 2}, {2, 2, 2}} {
		if got := shorter(c[0], c[1]); got != c[2] {
			t.Errorf("of %g and %g: %g", c[0], c[1], got)
		}
	}
}

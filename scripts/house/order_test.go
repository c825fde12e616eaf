package main

import (
	"fmt"
	"testing"
)

// TestBackwards: no arrow of an order runs back, one of a ring does, and one of each pair that
// know each other.
func TestBackwards(t *testing.T) {
	const n = 9
	chain, ring, pairs := map[[2]string]bool{}, map[[2]string]bool{}, map[[2]string]bool{}
	name := func(i int) string { return fmt.Sprint("file", i) }
	for i := range n {
		for j := range i {
			chain[[2]string{name(i), name(j)}] = true
		}
		ring[[2]string{name(i), name((i + 1) % n)}] = true
		pairs[[2]string{name(i), name(i ^ 1)}] = true
	}
	for want, arrows := range []map[[2]string]bool{chain, ring} {
		if back := backwards(arrows); len(back) != want {
			t.Errorf("%d arrows run back, want %d: %v", len(back), want, back)
		}
	}
	if back := backwards(pairs); len(back) != (n-1)/2 {
		t.Errorf("%d arrows of pairs run back, want %d: %v", len(back), (n-1)/2, back)
	}
}

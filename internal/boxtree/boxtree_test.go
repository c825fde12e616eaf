package boxtree_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/boxtree"
)

// TestWithin: each thing whose box meets another box is visited, once, and few of the others are.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(size float64) (low, high [3]float64) {
		for k := range low {
			low[k] = r.Float64()
			high[k] = low[k] + size*r.Float64()
		}
		return low, high
	}
	for _, n := range []int{0, 1, 4, 5, 400} {
		things := make([]boxtree.Thing, n)
		for i := range things {
			x := &things[i]
			x.Low, x.High = draw(0.1)
			for k := range x.Low {
				x.Middle[k] = (x.Low[k] + x.High[k]) / 2
			}
		}
		tree, looked := boxtree.New(things), 0
		for range 50 {
			low, high := draw(0.2)
			var seen []int
			tree.Within(low, high, func(i int) { seen = append(seen, i) })
			looked += len(seen)
			slices.Sort(seen)
			if len(slices.Compact(slices.Clone(seen))) != len(seen) {
				t.Fatalf("%d things: some are visited twice in %v", n, seen)
			}
			for i := range things {
				meets := true
				for k := range low {
					meets = meets && things[i].Low[k] <= high[k] && things[i].High[k] >= low[k]
				}
				if _, visited := slices.BinarySearch(seen, i); meets && !visited {
					t.Errorf("%d things: %d meets the box and is not visited", n, i)
				}
			}
		}
		if looked > 50*(4+n/4) {
			t.Errorf("%d things: %d are visited for 50 boxes", n, looked)
		}
	}
}

package energetic

import (
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
)

// TestSearchedFrom: a node that is searched is kept with the one before, whether that is kept or
// not, and the start with none; a run that begins again forgets.
func TestSearchedFrom(t *testing.T) {
	g := globalTest{active: true, every: 0.2}
	z := make([]float64, 3)
	for range 2 {
		for k := range 9 {
			z[0] = float64(k)
			g.observe(&energetic.Node{K: k, T: 0.1 * float64(k), Z: z})
		}
		want := []float64{0, 2, 4, 6, 8}
		if len(g.states) != len(want) || len(g.from) != len(want) {
			t.Fatalf("%d states from %d, want %d", len(g.states), len(g.from), len(want))
		}
		if g.from[0].Z != nil || !slices.Equal(g.states[0], []float64{0, 0, 0}) {
			t.Errorf("the start %v is from %v", g.states[0], g.from[0])
		}
		for i, k := range want[1:] {
			if s, f := g.states[i+1], g.from[i+1]; s[0] != k || f.T != 0.1*(k-1) || len(f.Z) != 3 || f.Z[0] != k-1 {
				t.Errorf("state %v from %v", s, f)
			}
		}
	}
}

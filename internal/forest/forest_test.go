package forest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/forest"
)

// TestNumber: the sets of random pairs, in any order, are those of labels that spread until
// nothing changes.
func TestNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(30)
		pairs := make([][2]int, r.IntN(40))
		label := make([]int, n)
		for i := range label {
			label[i] = i
		}
		for i := range pairs {
			pairs[i] = [2]int{r.IntN(n), r.IntN(n)}
		}
		for changed := true; changed; {
			changed = false
			for _, p := range pairs {
				if a, b := label[p[0]], label[p[1]]; a != b {
					label[p[0]], label[p[1]], changed = min(a, b), min(a, b), true
				}
			}
		}
		want, firsts := make([]int, n), []int{}
		for i, l := range label {
			k := slices.Index(firsts, l)
			if k < 0 {
				k, firsts = len(firsts), append(firsts, l)
			}
			want[i] = k
		}
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		s := forest.New(n)
		for _, p := range pairs {
			s.Join(p[0], p[1])
		}
		if of, count := s.Number(); !slices.Equal(of, want) || count != len(firsts) {
			t.Fatalf("%v: %v, %d sets, want %v, %d", pairs, of, count, want, len(firsts))
		}
	}
}

package factor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddPieces has pieces of one and three numbers, in runs that the ends of the range cut.
func TestAddPieces(t *testing.T) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(31, 32))
	for range 200 {
		n, width, shift := 1+rng.IntN(30), 1+2*rng.IntN(2), rng.IntN(4)
		var place []int32
		for q := range int32(2 * n) {
			if len(place) < n && rng.IntN(4) > 0 {
				place = append(place, q+4)
			}
		}
		values, dst := randomMatrix(rng, 1, width*n).v, randomMatrix(rng, 1, width*(2*n+5)).v
		from := rng.IntN(len(place) + 1)
		end := from + rng.IntN(len(place)-from+1)
		want := slices.Clone(dst)
		for k := from; k < end; k++ {
			for c := range width {
				want[width*int(place[k])-shift+c] += values[width*k+c]
			}
		}
		for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
			got := slices.Clone(dst)
			if addPieces(got, place, runs(nil, place), from, end, width, values, shift); !slices.Equal(got, want) {
				t.Fatalf("wide=%t, %v from %d to %d by %d: %v, want %v", wideTiles, place, from, end, width, got, want)
			}
		}
	}
}

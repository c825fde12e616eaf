package energetic

import (
	"strings"
	"testing"
)

// FuzzMatrixMarket does the same for matrices.
func FuzzMatrixMarket(f *testing.F) {
	f.Add("%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 2\n")
	f.Add("%%MatrixMarket matrix array integer general\n1 1\n1\n")
	f.Fuzz(func(t *testing.T, text string) {
		order, entries, err := readMatrixMarket(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.Row < 0 || e.Row >= order || e.Col < 0 || e.Col >= order {
				t.Errorf("entry %v of a matrix of order %d", e, order)
			}
		}
	})
}

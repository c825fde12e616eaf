package factor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// blockRow is a row of n blocks in columns below m, one of them twice, with blocks of C for them.
func blockRow(rng *rand.Rand, n, m int) (col []int32, b, c []mat3, l mat3) {
	random := func(v *mat3) {
		for i := range v {
			v[i] = 2*rng.Float64() - 1
		}
	}
	b, c = make([]mat3, n), make([]mat3, m)
	for k := range b {
		random(&b[k])
		col = append(col, int32(rng.IntN(m)))
	}
	for k := range c {
		random(&c[k])
	}
	if random(&l); n > 2 {
		col[1] = col[0]
	}
	return col, b, c, l
}

// TestSubProducts has rows of no to twelve blocks by the formula: the same bits with and without
// vectors.
func TestSubProducts(t *testing.T) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(21, 22))
	for n := range 13 {
		col, b, c, l := blockRow(rng, n, 9)
		want := slices.Clone(c)
		for k, j := range col {
			for e := range want[j] {
				i, q := e/3*3, e%3
				want[j][e] -= l[i]*b[k][q] + l[i+1]*b[k][3+q] + l[i+2]*b[k][6+q]
			}
		}
		for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
			got := slices.Clone(c)
			if SubProducts(got, col, &l, b); !slices.Equal(got, want) {
				t.Errorf("%d blocks, wide=%t: %v, want %v", n, wideTiles, got, want)
			}
		}
	}
}

func BenchmarkSubProducts(b *testing.B) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(21, 22))
	for _, n := range []int{2, 4, 11, 30} {
		col, u, c, _ := blockRow(rng, n, 40)
		l := mat3{0: 1e-9, 4: 1e-9, 8: 1e-9} // stays finite
		for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
			b.Run(fmt.Sprintf("%d/wide=%t", n, wideTiles), func(b *testing.B) {
				for b.Loop() {
					SubProducts(c, col, &l, u)
				}
			})
		}
	}
}

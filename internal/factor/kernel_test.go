package factor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestSubMulTrans(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		m, n, k := 1+rng.IntN(140), 1+rng.IntN(140), 1+rng.IntN(300)
		a, b, c := randomMatrix(rng, m, k), randomMatrix(rng, n, k), randomMatrix(rng, m, n)
		want := make([]float64, m*n)
		for i := range m {
			for j := range n {
				s := c.v[i*n+j]
				for l := range k {
					s -= a.v[i*k+l] * b.v[j*k+l]
				}
				want[i*n+j] = s
			}
		}
		diagonal := rng.IntN(n + 1)
		subMulTrans(c, a, b, m, n, k, diagonal)
		for i := range m {
			for j := range n {
				if d := math.Abs(c.v[i*n+j] - want[i*n+j]); !(d < 1e-12) && j <= i+diagonal {
					t.Fatalf("m=%d n=%d k=%d diagonal=%d: (%d, %d) is off by %g", m, n, k, diagonal, i, j, d)
				}
			}
		}
	}
}

func randomMatrix(rng *rand.Rand, m, n int) matrix {
	a := matrix{make([]float64, m*n), n}
	for i := range a.v {
		a.v[i] = 2*rng.Float64() - 1
	}
	return a
}

func TestTileGeneric(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for k := 1; k <= depth; k++ {
		a, b := randomMatrix(rng, tileRows, k), randomMatrix(rng, tileCols, k)
		var c, want [tileRows * tileCols]float64
		tile(c[:], tileCols, a.v, k, b.v, k, k)
		tileGeneric(want[:], tileCols, a.v, k, b.v, k, k)
		for i := range c {
			if c[i] != want[i] { // to the bit: factors are the same on all processors
				t.Fatalf("k=%d: entry %d is %g, want %g", k, i, c[i], want[i])
			}
		}
	}
}

func BenchmarkSubMulTrans(b *testing.B) {
	for _, k := range []int{8, 32, 128, 512} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(5, 6))
			m := 480
			x, c := randomMatrix(rng, m, k), randomMatrix(rng, m, m)
			for b.Loop() {
				subMulTrans(c, x, x, m, m, k, m)
			}
			b.ReportMetric(float64(2*m*m*k)*float64(b.N)/b.Elapsed().Seconds()*1e-9, "GFLOPS")
		})
	}
}

package factor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// kernel says what products use.
type kernel struct {
	name      string
	wide, fma bool
}

// kernels are those of this processor.
func kernels() []kernel {
	all := []kernel{{"AVX-512", true, true}, {"AVX2", false, true}, {"Go", false, false}}
	return slices.DeleteFunc(all, func(k kernel) bool { return k.wide && !hasWide || k.fma && !machineFMA })
}

// TestWideTiles has products by all kernels: AVX-512 where there is one, AVX2 and Go. Each entry
// that is wanted has the bits of dotFused in passes of depth columns, and nothing outside of C is
// written.
func TestWideTiles(t *testing.T) {
	defer func(wide, fma bool) { wideTiles, hasFMA = wide, fma }(wideTiles, hasFMA)
	rng := rand.New(rand.NewPCG(9, 10))
	sizes := [][4]int{{1, 4, 1, 0}, {7, 8, 4, 1}, {6, 9, 3, 9}, {3, 16, 5, 16}, {13, 17, 12, 2}, {4, 33, depth, 40},
		{5, 20, depth + 1, 0}, {40, 40, 8, 0}}
	for range 300 {
		sizes = append(sizes, [4]int{1 + rng.IntN(40), 4 + rng.IntN(40), 1 + rng.IntN(30), rng.IntN(50)})
	}
	for _, size := range sizes {
		m, n, k, diagonal := size[0], size[1], size[2], size[3]
		pad := rng.IntN(4)
		a, b, c := randomMatrix(rng, m, k+pad), randomMatrix(rng, n, k+pad), randomMatrix(rng, m, n+pad)
		for i := range c.v {
			if rng.IntN(4) == 0 { // to a row of zeros nothing is added, not even to -0
				c.v[i] = math.Copysign(0, -1)
			}
		}
		clear(a.v[(m-1)*a.ld:][:k])
		want := matrix{slices.Clone(c.v), c.ld}
		for l := 0; l < k; l += depth {
			for i := range m {
				for j := range n {
					want.v[i*c.ld+j] -= dotFused(a.v[i*a.ld+l:][:min(depth, k-l)], b.v[j*b.ld+l:][:min(depth, k-l)])
				}
			}
		}
		for _, kernel := range kernels() {
			wideTiles, hasFMA = kernel.wide, kernel.fma
			got := matrix{slices.Clone(c.v), c.ld}
			subMulTrans(got, a, b, m, n, k, diagonal)
			for i := range m {
				for j := range c.ld {
					g, w, before := got.v[i*c.ld+j], want.v[i*c.ld+j], c.v[min(i*c.ld+j, len(c.v)-1)]
					if j >= n {
						w = before
					} else if j > i+diagonal {
						continue
					}
					if math.Float64bits(g) != math.Float64bits(w) {
						t.Fatalf("%s, m=%d n=%d k=%d diagonal=%d: (%d, %d) is %g, want %g", kernel.name, m, n, k, diagonal, i, j, g, w)
					}
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

// BenchmarkKernels is the table of docs/decisions/0007-dense-kernels.md: C −= A Bᵀ of m rows, n
// columns and depth k by each kernel and by gonum; the best of many short turns, which is what a
// busy machine leaves alone.
func BenchmarkKernels(b *testing.B) {
	defer func(wide, fma bool) { wideTiles, hasFMA = wide, fma }(wideTiles, hasFMA)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][3]int{{60, 12, 12}, {120, 8, 8}, {120, 64, 16}, {60, 24, 24}, {100, 48, 48}, {120, 480, 64}, {480, 480, 256}} {
		m, n, k := size[0], size[1], size[2]
		x, y, c := randomMatrix(rng, m, k), randomMatrix(rng, n, k), randomMatrix(rng, m, n)
		run := func(name string, product func()) {
			b.Run(fmt.Sprintf("%dx%dx%d/%s", m, n, k, name), func(b *testing.B) {
				turns := 1 + 1000000/(m*n*k)
				least := time.Hour
				for b.Loop() {
					start := time.Now()
					for range turns {
						product()
					}
					least = min(least, time.Since(start))
				}
				b.ReportMetric(float64(2*m*n*k*turns)/float64(least), "GFLOPS")
			})
		}
		for _, kernel := range kernels() {
			wideTiles, hasFMA = kernel.wide, kernel.fma
			run(kernel.name, func() { subMulTrans(c, x, y, m, n, k, n) })
		}
		run("gonum", func() {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.Trans, m, n, k, -1, x.v, k, y.v, k, 1, c.v, n)
		})
	}
}

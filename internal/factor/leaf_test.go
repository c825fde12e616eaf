package factor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLeafRows has the rows below leaves of one to four block columns, by AVX-512 and by Go: the
// bits of the formulas block by block, and nothing outside of the leaf touched.
func TestLeafRows(t *testing.T) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(11, 12))
	for blocks := 1; blocks <= leafBlocks; blocks++ {
		for rows := 0; rows <= 19; rows++ {
			ld := blockOrder*blocks + rng.IntN(6)
			x, y, inv := randomMatrix(rng, rows, ld), randomMatrix(rng, blockOrder*blocks, ld), make([]mat3, blocks)
			for k := range inv {
				for l := range inv[k] {
					inv[k][l] = rng.Float64() - .5
				}
			}
			var table leafTable
			table.set(y, inv)
			for _, scaled := range []bool{false, true} {
				want := slices.Clone(x.v)
				for i := range rows {
					entry := func(k, c int) *float64 { return &want[i*ld+blockOrder*k+c] }
					for k := range blocks {
						if v := [3]float64{*entry(k, 0), *entry(k, 1), *entry(k, 2)}; scaled {
							for c := range blockOrder {
								*entry(k, c) = v[0]*inv[k][c] + v[1]*inv[k][3+c] + v[2]*inv[k][6+c]
							}
						}
						for j := k + 1; j < blocks; j++ {
							for c := range blockOrder {
								w := y.v[(blockOrder*j+c)*ld+blockOrder*k:]
								*entry(j, c) -= *entry(k, 0)*w[0] + *entry(k, 1)*w[1] + *entry(k, 2)*w[2]
							}
						}
					}
				}
				for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
					got := matrix{slices.Clone(x.v), ld}
					leafRows(got, rows, blocks, &table, scaled)
					if !slices.Equal(got.v, want) {
						t.Fatalf("%d blocks, %d rows, scaled=%t, wide=%t: other bits", blocks, rows, scaled, wideTiles)
					}
				}
			}
		}
	}
}

// TestSubRows has the columns of Uᵀ below panels of one to twelve blocks, by AVX-512 and by Go.
func TestSubRows(t *testing.T) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(13, 14))
	for width := 1; width <= 12; width++ {
		for count := range 5 {
			ld := blockOrder*width + rng.IntN(3)
			u, x, own := randomMatrix(rng, blockOrder*count, ld), make([]vec3, 9), make([]vec3, width+1)
			for _, v := range [][]vec3{x, own} {
				for i := range v {
					v[i] = vec3{rng.Float64(), rng.Float64(), rng.Float64()}
				}
			}
			rows := make([]int32, count)
			for q := range rows {
				rows[q] = int32(rng.IntN(len(x)))
			}
			want := slices.Clone(own)
			for q, r := range rows {
				for k := range width {
					for c := range blockOrder {
						at := u.v[blockOrder*q*ld+blockOrder*k+c:]
						want[k][c] -= at[0]*x[r][0] + at[ld]*x[r][1] + at[2*ld]*x[r][2]
					}
				}
			}
			for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
				got := slices.Clone(own)
				if subRows(got[:width], u, rows, x); !slices.Equal(got, want) {
					t.Fatalf("width %d, %d rows, wide=%t: other bits", width, count, wideTiles)
				}
			}
		}
	}
}

// TestSubProductRows has the rows of L below panels of one to nine blocks, no to eleven of them:
// each is reached once.
func TestSubProductRows(t *testing.T) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(15, 16))
	for width := 1; width <= 9; width++ {
		for count := range 20 {
			ld := blockOrder*width + rng.IntN(3)
			l, x, y := randomMatrix(rng, blockOrder*count, ld), make([]vec3, width), make([]vec3, 30)
			for _, v := range [][]vec3{x, y} {
				for i := range v {
					v[i] = vec3{rng.Float64(), rng.Float64(), rng.Float64()}
				}
			}
			var rows []int32
			for _, r := range rng.Perm(len(y))[:count] {
				rows = append(rows, int32(r))
			}
			want := slices.Clone(y)
			for q, r := range rows {
				for k := range width {
					for c := range blockOrder {
						at := l.v[(blockOrder*q+c)*ld+blockOrder*k:]
						want[r][c] -= at[0]*x[k][0] + at[1]*x[k][1] + at[2]*x[k][2]
					}
				}
			}
			for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
				got := slices.Clone(y)
				if subProductRows(got, l, rows, x); !slices.Equal(got, want) {
					t.Fatalf("width %d, %d rows, wide=%t: other bits", width, count, wideTiles)
				}
			}
		}
	}
}

// BenchmarkSolveRows has both substitutions below a panel of so many blocks, 40 rows of blocks.
func BenchmarkSolveRows(b *testing.B) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(15, 16))
	for _, width := range []int{2, 4, 8} {
		l, x, y := randomMatrix(rng, blockOrder*40, blockOrder*width), make([]vec3, width), make([]vec3, 60)
		var rows []int32
		for _, r := range rng.Perm(len(y))[:40] {
			rows = append(rows, int32(r))
		}
		for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
			b.Run(fmt.Sprintf("forward/%d/wide=%t", width, wideTiles), func(b *testing.B) {
				for b.Loop() {
					subProductRows(y, l, rows, x)
				}
			})
			b.Run(fmt.Sprintf("backward/%d/wide=%t", width, wideTiles), func(b *testing.B) {
				for b.Loop() {
					subRows(x, l, rows, y)
				}
			})
		}
	}
}

func BenchmarkLeafRows(b *testing.B) {
	defer func(w bool) { wideTiles = w }(wideTiles)
	rng := rand.New(rand.NewPCG(11, 12))
	x := randomMatrix(rng, 96, 12)
	var table leafTable
	for _, wideTiles = range slices.Compact([]bool{false, hasWide}) {
		b.Run(map[bool]string{false: "Go", true: "AVX-512"}[wideTiles], func(b *testing.B) {
			for b.Loop() {
				leafRows(x, 96, 4, &table, true)
			}
		})
	}
}

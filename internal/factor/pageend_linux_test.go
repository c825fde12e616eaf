package factor

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// TestKernelsAtPageEnd has all that the kernels read and write end where memory ends: a masked load
// or store looks at nothing beyond, but not every instruction with a mask does so (VEXTRACTF64X4 to
// memory does not). The same numbers as elsewhere.
func TestKernelsAtPageEnd(t *testing.T) {
	defer func(wide, fma bool) { wideTiles, hasFMA = wide, fma }(wideTiles, hasFMA)
	rng := rand.New(rand.NewPCG(41, 42))
	p := [...]pages{newPages(t), newPages(t), newPages(t), newPages(t)}
	check := func(what string, size ...int) func(got, want []float64) {
		return func(got, want []float64) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Fatalf("%s of %v, wide=%t: other numbers at the end of a page", what, size, wideTiles)
			}
		}
	}
	for _, kernel := range kernels() {
		wideTiles, hasFMA = kernel.wide, kernel.fma
		for _, m := range []int{1, 2, 3, 6, 7} {
			for _, n := range []int{3, 4, 7, 8, 9, 16, 17} {
				for _, k := range []int{1, 3, 8, 11} {
					a, b, c := randomMatrix(rng, m, k), randomMatrix(rng, n, k), randomMatrix(rng, m, n)
					got := matrix{atEnd(p[0], c.v), n}
					subMulTrans(got, matrix{atEnd(p[1], a.v), k}, matrix{atEnd(p[2], b.v), k}, m, n, k, n)
					subMulTrans(c, a, b, m, n, k, n)
					check("product", m, n, k)(got.v, c.v)
				}
			}
		}
		for blocks := 1; blocks <= leafBlocks; blocks++ {
			for rows := 1; rows <= 2*8+1; rows++ {
				x, table := randomMatrix(rng, rows, blockOrder*blocks), new(leafTable)
				copy(table[:], randomMatrix(rng, 1, len(table)).v)
				got := matrix{atEnd(p[0], x.v), x.ld}
				leafRows(got, rows, blocks, (*leafTable)(atEnd(p[1], table[:])), true)
				leafRows(x, rows, blocks, table, true)
				check("leaf", rows, blocks)(got.v, x.v)
			}
		}
		for width := 2; width <= 7; width++ {
			for count := 1; count <= 9; count++ {
				l, x, y := randomMatrix(rng, blockOrder*count, blockOrder*width), randomVectors(rng, width), randomVectors(rng, count)
				rows := make([]int32, count)
				for q := range rows {
					rows[q] = int32(q)
				}
				lEnd, xEnd, yEnd, rowsEnd := matrix{atEnd(p[0], l.v), l.ld}, atEnd(p[1], x), atEnd(p[2], y), atEnd(p[3], rows)
				subProductRows(yEnd, lEnd, rowsEnd, xEnd)
				subProductRows(y, l, rows, x)
				check("forward", width, count)(numbers(yEnd), numbers(y))
				subRows(xEnd, lEnd, rowsEnd, yEnd)
				subRows(x, l, rows, y)
				check("back", width, count)(numbers(xEnd), numbers(x))
			}
		}
		for n := 1; n <= 5; n++ {
			col, b, c, l := blockRow(rng, n, n)
			col[n-1] = int32(n - 1)
			got := atEnd(p[0], c)
			SubProducts(got, atEnd(p[1], col), &atEnd(p[2], []mat3{l})[0], atEnd(p[3], b))
			SubProducts(c, col, &l, b)
			check("row of blocks", n)(numbers(got), numbers(c))
		}
		for n := 1; n <= 2*8+1; n++ {
			dst, src := randomMatrix(rng, 1, n).v, randomMatrix(rng, 1, n).v
			got := atEnd(p[0], dst)
			addNumbers(got, atEnd(p[1], src))
			addNumbers(dst, src)
			check("sum", n)(got, dst)
		}
	}
}

// pages are memory that ends at a page that must not be touched.
type pages []byte

func newPages(t *testing.T) pages {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(m) }) // the memory of a test
	if err := syscall.Mprotect(m[2*page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return m[:2*page]
}

// atEnd copies v to the end of p, over what was there.
func atEnd[T any](p pages, v []T) []T {
	size := len(v) * int(unsafe.Sizeof(v[0]))
	end := unsafe.Slice((*T)(unsafe.Pointer(&p[len(p)-size])), len(v))
	copy(end, v)
	return end
}

// numbers are the entries of vectors or blocks.
func numbers[T vec3 | mat3](v []T) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0]))/8)
}

func randomVectors(rng *rand.Rand, n int) []vec3 {
	v := make([]vec3, n)
	copy(numbers(v), randomMatrix(rng, 3, n).v)
	return v
}

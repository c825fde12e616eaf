package factor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// randomBlocks is a matrix of n block rows with about the given share of the
// blocks, its pattern unsymmetric, diagonally dominant.
func randomBlocks(rng *rand.Rand, n int, share float64) (ptr []int, col []int32, val []mat3) {
	ptr = []int{0}
	for i := range n {
		for j := range n {
			if i != j && rng.Float64() > share {
				continue
			}
			var v mat3
			for k := range v {
				v[k] = rng.NormFloat64()
			}
			if i == j {
				for k := range 3 {
					v[4*k] += 6 * (1 + share*float64(n))
				}
			}
			col, val = append(col, int32(j)), append(val, v)
		}
		ptr = append(ptr, len(col))
	}
	return ptr, col, val
}

// invertDominant inverts without pivoting.
func invertDominant(dst, a *mat3) {
	m, v := *a, mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for k := range 3 {
		f := 1 / m[4*k]
		for j := range 3 {
			m[3*k+j] *= f
			v[3*k+j] *= f
		}
		for i := range 3 {
			g := m[3*i+k]
			for j := 0; j < 3 && i != k; j++ {
				m[3*i+j] -= g * m[3*k+j]
				v[3*i+j] -= g * v[3*k+j]
			}
		}
	}
	*dst = v
}

// TestBlockLU solves for a known x: from diagonal matrices to full ones, on
// both sides of the width of a leaf, twice with the same memory.
func TestBlockLU(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 4, 5, 9, 30, 64} {
		for _, share := range []float64{0, 0.05, 0.3, 1} {
			t.Run(fmt.Sprintf("%d/%g", n, share), func(t *testing.T) {
				ptr, col, val := randomBlocks(rng, n, share)
				plan := planBlocks(t, ptr, col)
				f := NewBlockLU(plan, ptr, col)
				for range 2 {
					f.Clear()
					for k := range val {
						f.Set(k, &val[k])
					}
					f.Factor(t.Context(), invertDominant)
				}
				want, x := make([]vec3, n), make([]vec3, n)
				for i := range want {
					want[i] = vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
				}
				for i := range n {
					for k := ptr[i]; k < ptr[i+1]; k++ {
						for r := range 3 {
							for c := range 3 {
								x[i][r] += val[k][3*r+c] * want[col[k]][c]
							}
						}
					}
				}
				f.Solve(x)
				for i := range x {
					for k := range 3 {
						if d := math.Abs(x[i][k] - want[i][k]); d > 1e-12 { // dominant: cond below 1e2
							t.Fatalf("x[%d] = %v, want %v", i, x[i], want[i])
						}
					}
				}
			})
		}
	}
}

// TestBlockLUAllocates nothing after the analysis.
func TestBlockLUAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ptr, col, val := randomBlocks(rng, 40, 0.1)
	f := NewBlockLU(planBlocks(t, ptr, col), ptr, col)
	x := make([]vec3, 40)
	if n := testing.AllocsPerRun(5, func() {
		f.Clear()
		for k := range val {
			f.Set(k, &val[k])
		}
		f.Factor(t.Context(), invertDominant)
		f.Solve(x)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestBlockLUStops: under a context that is done no front is begun, and the same factors come
// after it as if nothing had been.
func TestBlockLUStops(t *testing.T) {
	ptr, col := []int{0}, []int32{}
	const n = 300
	for i := range n {
		for _, j := range []int{i - 1, i, i + 1} {
			if j >= 0 && j < n {
				col = append(col, int32(j))
			}
		}
		ptr = append(ptr, len(col))
	}
	pivots := 0
	count := func(dst, a *[9]float64) { pivots++; invertDominant(dst, a) }
	fill := func(f *BlockLU) {
		f.Clear()
		for i := range n {
			for k := ptr[i]; k < ptr[i+1]; k++ {
				v := [9]float64{-1, 0.1, 0, 0, -1, 0, 0.2, 0, -1}
				if int(col[k]) == i {
					v = [9]float64{4, 0.3, 0, 0, 5, 0, 0, 0.1, 6}
				}
				f.Set(k, &v)
			}
		}
	}
	f := NewBlockLU(planBlocks(t, ptr, col), ptr, col)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	fill(f)
	if f.Factor(done, count); pivots > 0 {
		t.Errorf("%d pivots under a context that is done", pivots)
	}
	solve := func(f *BlockLU) [][3]float64 {
		fill(f)
		f.Factor(t.Context(), count)
		x := make([][3]float64, n)
		for i := range x {
			x[i] = [3]float64{1, float64(i), -2}
		}
		f.Solve(x)
		return x
	}
	if a, b := solve(f), solve(NewBlockLU(planBlocks(t, ptr, col), ptr, col)); !slices.Equal(a, b) || pivots != 2*n {
		t.Errorf("%d pivots, other numbers after a stop", pivots)
	}
	// Amid the work: the context ends at the tenth pivot.
	amid, stop := context.WithCancel(t.Context())
	pivots = 0
	fill(f)
	f.Factor(amid, func(dst, a *[9]float64) {
		if count(dst, a); pivots == 10 {
			stop()
		}
	})
	if pivots < 10 || pivots >= n/2 {
		t.Errorf("%d of %d pivots, stopped at the tenth", pivots, n)
	}
}

// TestBlockLUWorkers: factors that are shared among goroutines, by subtrees and by the rows of
// large fronts, have the same bits with any number of them.
func TestBlockLUWorkers(t *testing.T) {
	ptr, col, val := gridBlocks(rand.New(rand.NewPCG(5, 6)), 11)
	plan := planBlocks(t, ptr, col)
	factors := func(workers int) *BlockLU {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		f := NewBlockLU(plan, ptr, col)
		f.Clear()
		for k := range val {
			f.Set(k, &val[k])
		}
		f.Factor(t.Context(), invertDominant)
		return f
	}
	one, f := factors(1), factors(3)
	if len(f.tasks) == 0 {
		t.Fatal("nothing is shared")
	}
	if !slices.Equal(f.lower, one.lower) || !slices.Equal(f.upper, one.upper) || !slices.Equal(f.inv, one.inv) {
		t.Error("three workers have other factors than one")
	}
}

// gridBlocks is a matrix of the neighbours in a cube with n cells along an edge.
func gridBlocks(rng *rand.Rand, n int) (ptr []int, col []int32, val []mat3) {
	ptr = []int{0}
	for i := range n * n * n {
		x, y, z := i%n, i/n%n, i/(n*n)
		for j := range n * n * n {
			a, b, c := x-j%n, y-j/n%n, z-j/(n*n)
			if a*a+b*b+c*c > 1 {
				continue
			}
			var v mat3
			for k := range v {
				v[k] = rng.NormFloat64()
			}
			if i == j {
				v[0], v[4], v[8] = 30, 30, 30 // dominant: 18 others of about 1
			}
			col, val = append(col, int32(j)), append(val, v)
		}
		ptr = append(ptr, len(col))
	}
	return ptr, col, val
}

// planBlocks is NewBlockPlan with nothing that stops it.
func planBlocks(t interface{ Fatal(args ...any) }, ptr []int, col []int32) *BlockPlan {
	p, err := NewBlockPlan(context.Background(), ptr, col)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

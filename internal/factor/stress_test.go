package factor

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

// drawStructure draws a pattern of parts that do not couple: chains, trees, full
// blocks, dense rows, single columns, none at all; and shuffles the numbers.
func drawStructure(t *rapid.T) *sparse.Sym {
	type pair struct{ i, j int }
	var pairs []pair
	n := 0
	for range rapid.IntRange(0, 4).Draw(t, "parts") {
		size := rapid.IntRange(1, 25).Draw(t, "size")
		kind := rapid.SampledFrom([]string{"lone", "chain", "tree", "full", "star", "random"}).Draw(t, "kind")
		for i := 1; i < size; i++ {
			switch kind {
			case "chain":
				pairs = append(pairs, pair{n + i, n + i - 1})
			case "tree":
				pairs = append(pairs, pair{n + i, n + (i-1)/2})
			case "full":
				for j := range i {
					pairs = append(pairs, pair{n + i, n + j})
				}
			case "star":
				pairs = append(pairs, pair{n + i, n})
			case "random":
				pairs = append(pairs, pair{n + i, n + rapid.IntRange(0, size-1).Draw(t, "to")})
			}
		}
		n += size
	}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
	perm := rng.Perm(n)
	b := sparse.NewBuilder(n)
	for _, p := range pairs {
		b.Add(perm[p.i], perm[p.j])
	}
	a := b.Build()
	makeSPD(rng, a)
	return a
}

// drawOptions draws a way to factor.
func drawOptions(t *rapid.T) Options {
	o := rapid.SampledFrom(every()).Draw(t, "options")
	o.Workers = rapid.IntRange(1, 4).Draw(t, "workers")
	return o
}

// A factor solves with any values of its pattern, one after the other, failures in
// between included, and to the same bits as a new factor.
func TestRefactorProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawStructure(t)
		o := drawOptions(t)
		f := Analyse(a, o)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 3))
		for range 3 {
			if a.N > 0 && rng.IntN(3) == 0 { // a matrix that fails
				a.Val[a.Ptr[rng.IntN(a.N)]] = -1
				if f.Refactor(a) == nil {
					t.Fatal("a negative diagonal entry passes")
				}
			}
			makeSPD(rng, a)
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			b := randomVector(rng, a.N)
			x, y := make([]float64, a.N), make([]float64, a.N)
			f.Solve(x, b)
			if a.N == 0 {
				continue
			}
			if r := residual(a, x, b); !(r < 1e-12) { // dominant: see TestResidualProperty
				t.Fatalf("residual %g", r)
			}
			other := Analyse(a, o)
			if err := other.Refactor(a); err != nil {
				t.Fatal(err)
			}
			if other.Solve(y, b); !slices.Equal(x, y) {
				t.Fatal("a used factor gives other bits than a new one")
			}
		}
	})
}

// depends reports whether the elimination of column j can have seen column i: they
// are in one part of the pattern.
func depends(a *sparse.Sym, i, j int) bool {
	part := make([]int, a.N)
	for k := range part {
		part[k] = k
	}
	var find func(k int) int
	find = func(k int) int {
		if part[k] != k {
			part[k] = find(part[k])
		}
		return part[k]
	}
	for c := range a.N {
		for _, r := range a.Row[a.Ptr[c]:a.Ptr[c+1]] {
			part[find(r)] = find(c)
		}
	}
	return find(i) == find(j)
}

// One entry that is not a number, infinite, or makes the matrix indefinite or
// singular is an error that names a column of its part of the matrix, the same at
// any number of workers; what does not couple with it is not blamed.
func TestBadEntryProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawStructure(t)
		if a.N == 0 {
			return
		}
		k := rapid.IntRange(0, len(a.Val)-1).Draw(t, "entry")
		j := 0
		for a.Ptr[j+1] <= k {
			j++
		}
		kind := rapid.SampledFrom([]string{"nan", "inf", "negative", "huge"}).Draw(t, "kind")
		switch i := a.Row[k]; {
		case kind == "nan":
			a.Val[k] = math.NaN()
		case kind == "inf":
			a.Val[k] = math.Inf(1)
		case i == j:
			a.Val[k] = -a.Val[k]
		case kind == "huge":
			a.Val[k] = 1e300 // its square is not finite
		default: // the block of i and j has the eigenvalue d − 2d
			a.Val[k] = 2 * max(a.Val[a.Ptr[i]], a.Val[a.Ptr[j]])
		}
		o := drawOptions(t)
		first := -1
		for _, o.Workers = range []int{1, 4} {
			err := Analyse(a, o).Refactor(a)
			bad, ok := errors.AsType[*NotPositiveDefiniteError](err)
			if !ok {
				t.Fatalf("%s at (%d, %d): error %v", kind, a.Row[k], j, err)
			}
			if !depends(a, j, bad.Column) {
				t.Fatalf("%s at (%d, %d): column %d is named, of another part", kind, a.Row[k], j, bad.Column)
			}
			if first < 0 {
				first = bad.Column
			}
			if bad.Column != first {
				t.Fatalf("%d workers name column %d, one %d", o.Workers, bad.Column, first)
			}
		}
	})
}

// Σ (x_i − x_j)² over the edges of a part vanishes for equal x: the Laplacian of
// each part is singular by one. Its last pivot is roundoff, of at most n²·2⁻⁵² of
// the diagonal, 3e-12 for the sizes here, which a tolerance above refuses. With 1e-6
// on the diagonal, entries of which are below 50, no pivot is that small: none is
// below the least eigenvalue.
func TestSingularProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawStructure(t)
		if a.N == 0 {
			return
		}
		a.Zero()
		for j := range a.N {
			for k := a.Ptr[j] + 1; k < a.Ptr[j+1]; k++ {
				a.Val[k] = -1
				a.Val[a.Ptr[j]]++
				a.Val[a.Ptr[a.Row[k]]]++
			}
		}
		o := drawOptions(t)
		o.PivotTolerance = 1e-9
		if Analyse(a, o).Refactor(a) == nil {
			t.Fatal("a singular matrix passes")
		}
		for j := range a.N {
			a.Val[a.Ptr[j]] += 1e-6
		}
		if err := Analyse(a, o).Refactor(a); err != nil {
			t.Fatal(err)
		}
	})
}

// A run that is resumed on fewer or more cores must go on to the same bits.
func TestSameBitsAtAnyGOMAXPROCS(t *testing.T) {
	thorough.Seconds(t)
	a := gridMatrix(13, 13, 13, 2, true)
	kept := make([]int, 300)
	for i := range kept {
		kept[i] = i
	}
	rng := rand.New(rand.NewPCG(6, 6))
	b := randomVector(rng, a.N)
	var first [][]float64
	for _, procs := range []int{1, 2, 4} {
		got := withProcs(procs, func() [][]float64 {
			f := Analyse(a, Options{}) // workers by GOMAXPROCS
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			s, err := NewSchur(a, kept)
			if err != nil {
				t.Fatal(err)
			}
			x, y := make([]float64, a.N), make([]float64, a.N)
			f.Solve(x, b)
			s.Solve(y, b)
			c := s.Complement()
			d := NewDense(len(kept))
			for i := range kept {
				copy(d.Row(i), c[i*len(kept):i*len(kept)+i+1])
			}
			if err := d.Factor(t.Context()); err != nil {
				t.Fatal(err)
			}
			z := slices.Clone(b[:len(kept)])
			d.Solve(z, z)
			return [][]float64{x, y, c, z}
		})
		if first == nil {
			first = got
		}
		for k, name := range []string{"factor", "Schur", "complement", "dense"} {
			if !slices.Equal(got[k], first[k]) {
				t.Errorf("%s: other bits with GOMAXPROCS %d", name, procs)
			}
		}
	}
}

func withProcs(procs int, f func() [][]float64) [][]float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	return f()
}

// Factors of one plan work at the same time, each with goroutines of its own.
func TestConcurrentFactors(t *testing.T) {
	a := gridMatrix(9, 9, 9, 3, true)
	p := NewPlan(a, Options{Workers: 3})
	var want []float64
	results := make([][]float64, 4)
	var done sync.WaitGroup
	for k := range results {
		done.Go(func() {
			f := p.Factor()
			for range 2 {
				if err := f.Refactor(a); err != nil {
					t.Error(err)
					return
				}
				x := make([]float64, a.N)
				x[7] = 1
				f.Solve(x, x)
				results[k] = x
			}
		})
	}
	done.Wait()
	for _, x := range results {
		if want == nil {
			want = x
		}
		if !slices.Equal(x, want) {
			t.Error("other bits")
		}
	}
}

// Entries of L and operations grow with the side of a grid as theory says: s² log s
// and s³ in the plane, s⁴ and s⁶ in space [George73]. Half a power is for the
// logarithm and for boundaries, which small grids have more of.
func TestGrowthOfFill(t *testing.T) {
	plan := func(x, y, z int) *Plan { return NewPlan(gridMatrix(x+1, y+1, z+1, 2, true), Options{}) } // cells
	for _, test := range []struct {
		name           string
		small, large   *Plan
		ratio          float64 // of their sides
		entries, flops float64 // exponents of the side
	}{
		{"plane", plan(40, 40, 0), plan(160, 160, 0), 4, 2.5, 3.5},
		{"space", plan(7, 7, 7), plan(14, 14, 14), 2, 4.5, 6.5},
	} {
		entries := math.Log(float64(test.large.NNZ())/float64(test.small.NNZ())) / math.Log(test.ratio)
		flops := math.Log(test.large.Flops()/test.small.Flops()) / math.Log(test.ratio)
		t.Logf("%s: entries ∝ side^%.2f, operations ∝ side^%.2f", test.name, entries, flops)
		if entries > test.entries || flops > test.flops {
			t.Errorf("%s: entries ∝ side^%.2f, operations ∝ side^%.2f, want at most %g and %g", test.name, entries,
				flops, test.entries, test.flops)
		}
	}
}

// A block LU solves for a known x with any pattern, one value after the other, to
// the same bits as a new one.
func TestBlockLUProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		ptr, col, val := randomBlocks(rng, n, share)
		plan := planBlocks(t, ptr, col)
		f := NewBlockLU(plan, ptr, col)
		solve := func(f *BlockLU, b []vec3) []vec3 {
			f.Clear()
			for k := range val {
				f.Set(k, &val[k])
			}
			f.Factor(t.Context(), invertDominant)
			x := slices.Clone(b)
			f.Solve(x)
			return x
		}
		for range 2 {
			want, b := make([]vec3, n), make([]vec3, n)
			for i := range n {
				want[i] = vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			}
			for i := range n {
				for k := ptr[i]; k < ptr[i+1]; k++ {
					for r := range 3 {
						for c := range 3 {
							b[i][r] += val[k][3*r+c] * want[col[k]][c]
						}
					}
				}
			}
			x := solve(f, b)
			for i := range x {
				for k := range 3 {
					if d := math.Abs(x[i][k] - want[i][k]); !(d < 1e-11) { // dominant in the mean: cond below 1e3
						t.Fatalf("x[%d] = %v, want %v", i, x[i], want[i])
					}
				}
			}
			if y := solve(NewBlockLU(plan, ptr, col), b); !slices.Equal(x, y) {
				t.Fatal("a used factor gives other bits than a new one")
			}
			for k := range val { // the next values: a multiple is as dominant
				for e := range val[k] {
					val[k][e] *= 0.75
				}
			}
		}
	})
}

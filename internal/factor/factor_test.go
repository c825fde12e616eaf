package factor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/sparse"
)

// every lists all ways to factor.
func every() []Options {
	var list []Options
	for _, m := range []Method{Simplicial, Supernodal} {
		for _, o := range []Ordering{MinimumDegree, NestedDissection, Natural} {
			list = append(list, Options{Method: m, Ordering: o, Workers: 2})
		}
	}
	return append(list, Options{})
}

// dense returns the matrix in gonum's form.
func dense(a *sparse.Sym) *mat.SymDense {
	d := mat.NewSymDense(a.N, nil)
	for j := range a.N {
		for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
			d.SetSym(a.Row[p], j, a.Val[p])
		}
	}
	return d
}

func randomVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func TestAgainstDenseCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		a := randomSPD(rng, 1+rng.IntN(40), 1+rng.IntN(3), rng.Float64()*rng.Float64())
		var chol mat.Cholesky
		if !chol.Factorize(dense(a)) {
			t.Fatal("the reference fails")
		}
		b := randomVector(rng, a.N)
		var want mat.VecDense
		if err := chol.SolveVecTo(&want, mat.NewVecDense(a.N, b)); err != nil {
			t.Fatal(err)
		}
		for _, o := range every() {
			f := Analyse(a, o)
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			x := slices.Clone(b)
			f.Solve(x, x) // dst may be b
			for i := range x {
				if d := math.Abs(x[i] - want.AtVec(i)); !(d < 1e-10) {
					t.Fatalf("n=%d %+v: x[%d] is off by %g", a.N, o, i, d)
				}
			}
		}
	}
}

// The backward error of Cholesky is a small multiple of n·2⁻⁵³ whatever the
// pattern; diagonal dominance bounds the condition.
func TestResidualProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawMatrix(t)
		o := rapid.SampledFrom(every()).Draw(t, "options")
		f := Analyse(a, o)
		if err := f.Refactor(a); err != nil {
			t.Fatal(err)
		}
		b := rapid.SliceOfN(rapid.Float64Range(-1, 1), a.N, a.N).Draw(t, "b")
		b[0] += 2
		x := make([]float64, a.N)
		f.Solve(x, b)
		if r := residual(a, x, b); !(r < 1e-12) {
			t.Fatalf("residual %g", r)
		}
	})
}

// drawMatrix draws a pattern from a list of pairs and values of a diagonally
// dominant matrix.
func drawMatrix(t *rapid.T) *sparse.Sym {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	b := sparse.NewBuilder(n)
	index := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 4*n).Draw(t, "pairs") {
		b.Add(index.Draw(t, "i"), index.Draw(t, "j"))
	}
	a := b.Build()
	makeSPD(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), a)
	return a
}

// hard lists patterns that orderings trip over.
func hard() map[string]*sparse.Sym {
	rng := rand.New(rand.NewPCG(9, 9))
	return map[string]*sparse.Sym{
		"one":        sparse.NewBuilder(1).Build(),
		"diagonal":   sparse.NewBuilder(50).Build(),
		"arrow":      pattern(3000, func(b *sparse.Builder, i int) { b.Add(0, i) }),
		"dense rows": pattern(3000, func(b *sparse.Builder, i int) { b.Add(17, i); b.Add(2900, i); b.Add(i, max(i-1, 0)) }),
		"components": pattern(3000, func(b *sparse.Builder, i int) { b.Add(i, i-i%7); b.Add(i, i-i%3) }),
		"full":       pattern(200, func(b *sparse.Builder, i int) { row(b, i, i) }),
		"banded":     pattern(500, func(b *sparse.Builder, i int) { row(b, i, 20) }),
		"plane":      gridMatrix(30, 30, 1, 2, true),
		"space":      gridMatrix(8, 8, 8, 1, false),
		"random":     randomSPD(rng, 400, 1, 0.03),
	}
}

func pattern(n int, add func(b *sparse.Builder, i int)) *sparse.Sym {
	b := sparse.NewBuilder(n)
	for i := range n {
		add(b, i)
	}
	return b.Build()
}

// row couples i with the width columns before it.
func row(b *sparse.Builder, i, width int) {
	for j := max(0, i-width); j < i; j++ {
		b.Add(i, j)
	}
}

func TestHardPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for name, a := range hard() {
		makeSPD(rng, a)
		b := randomVector(rng, a.N)
		x := make([]float64, a.N)
		for _, o := range every() {
			p := NewPlan(a, o)
			if p.Ordering() == Natural && p.Flops() > 1e9 {
				continue
			}
			f := p.Factor()
			if err := f.Refactor(a); err != nil {
				t.Fatalf("%s %+v: %v", name, o, err)
			}
			f.Solve(x, b)
			if r := residual(a, x, b); !(r < 1e-11) {
				t.Errorf("%s %+v: residual %g", name, o, r)
			}
			if p.Method() == Simplicial && f.NNZ() != p.NNZ() || f.NNZ() < p.NNZ() {
				t.Errorf("%s %+v: %d entries, predicted %d", name, o, f.NNZ(), p.NNZ())
			}
		}
	}
}

func TestSameBitsAtAnyNumberOfWorkers(t *testing.T) {
	for _, a := range []*sparse.Sym{gridMatrix(60, 60, 1, 3, true), gridMatrix(14, 14, 14, 1, false),
		pattern(700, func(b *sparse.Builder, i int) { row(b, i, i) })} {
		makeSPD(rand.New(rand.NewPCG(2, 2)), a)
		var want []float64
		for _, w := range []int{1, 7} {
			f := Analyse(a, Options{Method: Supernodal, Ordering: NestedDissection, Workers: w})
			for range 2 {
				if err := f.Refactor(a); err != nil {
					t.Fatal(err)
				}
				x := make([]float64, a.N)
				x[a.N/2] = 1
				f.Solve(x, x)
				if want == nil {
					want = x
				}
				if !slices.Equal(x, want) {
					t.Errorf("n=%d: %d workers: other bits", a.N, w)
				}
			}
		}
	}
}

// Factors of one Plan share indices only.
func TestFactorsOfOnePlan(t *testing.T) {
	a := gridMatrix(60, 60, 1, 3, true)
	p := NewPlan(a, Options{Workers: 2})
	done := make(chan error)
	for range 2 {
		go func() { done <- p.Factor().Refactor(a) }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	a := gridMatrix(20, 20, 1, 3, true)
	x := make([]float64, a.N)
	for _, o := range every() {
		o.Workers = 1
		f := Analyse(a, o)
		if n := testing.AllocsPerRun(5, func() {
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			x[0] = 1
			f.Solve(x, x)
		}); n > 0 {
			t.Errorf("%+v: %g allocations", o, n)
		}
	}
}

// heapBytes returns what the heap holds after all garbage is collected.
func heapBytes() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// Bytes is what Factor keeps, WorkBytes what Release gives back; a tenth is for
// what the prediction leaves out: slice headers, size classes of the heap.
func TestPredictedBytes(t *testing.T) {
	for _, a := range []*sparse.Sym{gridMatrix(50, 50, 1, 3, true), gridMatrix(8, 8, 8, 3, true)} {
		for _, m := range []Method{Simplicial, Supernodal} {
			p := NewPlan(a, Options{Method: m})
			before := heapBytes()
			f := p.Factor()
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			full := heapBytes()
			f.Release()
			kept := heapBytes()
			if got, want := full-before, float64(p.Bytes()); math.Abs(got-want) > 0.1*want {
				t.Errorf("n=%d, method %d: %g bytes, predicted %g", a.N, m, got, want)
			}
			if got, want := kept-before, float64(p.Bytes()-p.WorkBytes()); math.Abs(got-want) > 0.1*want {
				t.Errorf("n=%d, method %d: %g bytes after Release, predicted %g", a.N, m, got, want)
			}
			x := make([]float64, a.N)
			x[0] = 1
			f.Solve(x, x) // the factor is still there
			if err := f.Refactor(a); err != nil {
				t.Fatal(err)
			}
			y := make([]float64, a.N)
			y[0] = 1
			if f.Solve(y, y); !slices.Equal(x, y) {
				t.Errorf("n=%d, method %d: other bits after Release", a.N, m)
			}
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, o := range every() {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []Options{{Method: 3}, {Method: -1}, {Ordering: 4}, {Workers: -1}, {PivotTolerance: -1},
		{PivotTolerance: math.NaN()}} {
		if o.Validate() == nil {
			t.Errorf("%#v passes", o)
		}
		mustPanic(t, func() { NewPlan(sparse.NewBuilder(1).Build(), o) })
	}
}

func TestOrderZero(t *testing.T) {
	a := sparse.NewBuilder(0).Build()
	for _, o := range every() {
		f := Analyse(a, o)
		if err := f.Refactor(a); err != nil || f.NNZ() != 0 {
			t.Errorf("%+v: %v", o, err)
		}
		f.Solve(nil, nil)
	}
}

func FuzzFactor(f *testing.F) {
	f.Add(uint8(3), []byte{0, 1, 200, 2, 1, 10})
	f.Add(uint8(9), []byte{0, 8, 255, 7, 3, 0, 3, 3, 128})
	f.Fuzz(func(t *testing.T, size uint8, data []byte) {
		n := int(size)%24 + 1
		b := sparse.NewBuilder(n)
		for k := 0; k+2 < len(data); k += 3 {
			b.Add(int(data[k])%n, int(data[k+1])%n)
		}
		a := b.Build()
		for j := range n {
			a.AddAt(j, j, 1)
		}
		for k := 0; k+2 < len(data); k += 3 {
			a.AddAt(int(data[k])%n, int(data[k+1])%n, float64(int8(data[k+2]))/16)
		}
		checkVerdicts(t, a)
	})
}

// checkVerdicts compares all methods on any symmetric matrix: if the smallest
// eigenvalue is clear of zero they must all tell its sign, and solve.
func checkVerdicts(t *testing.T, a *sparse.Sym) {
	var eigen mat.EigenSym
	if !eigen.Factorize(dense(a), false) {
		return
	}
	values := eigen.Values(nil)
	least, scale := values[0], math.Abs(values[0])+math.Abs(values[len(values)-1])
	b := make([]float64, a.N)
	for i := range b {
		b[i] = 1 + float64(i%3)
	}
	for _, o := range every() {
		f := Analyse(a, o)
		err := f.Refactor(a)
		if math.Abs(least) > 1e-10*scale && (err == nil) != (least > 0) {
			t.Fatalf("%+v: smallest eigenvalue %g, error %v", o, least, err)
		}
		if err == nil && least > 1e-3*scale {
			x := make([]float64, a.N)
			f.Solve(x, b)
			if r := residual(a, x, b); !(r < 1e-10) {
				t.Fatalf("%+v: residual %g", o, r)
			}
		}
	}
}

func ExampleAnalyse() {
	b := sparse.NewBuilder(3)
	b.Add(0, 1)
	b.Add(1, 2)
	a := b.Build()
	for j := range 3 {
		a.AddAt(j, j, 2)
	}
	a.AddAt(0, 1, -1)
	a.AddAt(1, 2, -1)
	f := Analyse(a, Options{})
	if err := f.Refactor(a); err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{1, 0, 1}
	f.Solve(x, x)
	fmt.Printf("%.3f\n", x)
	// Output: [1.000 1.000 1.000]
}

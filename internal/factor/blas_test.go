package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// counted is a BLAS of its own type that counts the products it is asked for.
type counted struct {
	gonum.Implementation
	calls *atomic.Int64
}

func (c counted) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, dst []float64, ldc int) {
	c.calls.Add(1)
	c.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, dst, ldc)
}

// swap puts a counted BLAS in the place of gonum's for the time of a test.
func swap(t *testing.T) *atomic.Int64 {
	calls := new(atomic.Int64)
	blas64.Use(counted{calls: calls})
	t.Cleanup(func() { blas64.Use(gonum.Implementation{}) })
	return calls
}

// A BLAS that blas64.Use puts in place does the large products of all
// factorisations; results agree within rounding, and do not depend on the number
// of workers.
func TestSwappedBLAS(t *testing.T) {
	thorough.Seconds(t)
	a := gridMatrix(11, 11, 11, 3, true)
	rng := rand.New(rand.NewPCG(4, 4))
	b := randomVector(rng, a.N)
	solve := func(workers int) []float64 {
		f := Analyse(a, Options{Method: Supernodal, Workers: workers})
		if err := f.Refactor(a); err != nil {
			t.Fatal(err)
		}
		x := make([]float64, a.N)
		f.Solve(x, b)
		return x
	}
	own := solve(2)
	calls := swap(t)
	var first []float64
	for _, workers := range []int{1, 2, 4} {
		calls.Store(0)
		x := solve(workers)
		if calls.Load() == 0 {
			t.Fatal("the swapped BLAS was not asked")
		}
		if first == nil {
			first = x
		}
		if !slices.Equal(x, first) {
			t.Errorf("%d workers: other bits", workers)
		}
		for i := range x {
			if d := math.Abs(x[i] - own[i]); !(d < 1e-12) { // dominant: cond below 1e3
				t.Fatalf("x[%d] differs by %g", i, d)
			}
		}
	}
}

func TestSwappedBLASElsewhere(t *testing.T) {
	calls := swap(t)
	rng := rand.New(rand.NewPCG(5, 5))
	d := NewDense(300)
	for i := range 300 {
		row := d.Row(i)
		for j := range i {
			row[j] = rng.Float64() - 0.5
		}
		row[i] = 300
	}
	if err := d.Factor(t.Context()); err != nil || calls.Load() == 0 {
		t.Errorf("dense: %v, %d calls", err, calls.Load())
	}
	calls.Store(0)
	ptr, col, val := randomBlocks(rng, 64, 1)
	f := NewBlockLU(planBlocks(t, ptr, col), ptr, col)
	f.Clear()
	for k := range val {
		f.Set(k, &val[k])
	}
	if f.Factor(t.Context(), invertDominant); calls.Load() == 0 {
		t.Error("block LU: not asked")
	}
}

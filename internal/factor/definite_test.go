package factor

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// twoByTwo is [[1, c], [c, 1]], with eigenvalues 1±c, in columns 2 and 4 of an
// identity of order 6.
func twoByTwo(c float64) *sparse.Sym {
	b := sparse.NewBuilder(6)
	b.Add(4, 2)
	a := b.Build()
	for j := range a.N {
		a.AddAt(j, j, 1)
	}
	a.AddAt(2, 4, c)
	return a
}

func TestNotPositiveDefinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name string
		a    *sparse.Sym
		bad  []int // columns that may be named
	}{
		{"singular", twoByTwo(1), []int{2, 4}},
		{"singular to rounding", twoByTwo(1 - 0x1p-53), []int{2, 4}},
		{"indefinite", twoByTwo(2), []int{2, 4}},
		{"entry not a number", twoByTwo(nan), []int{2, 4}},
		{"entry infinite", twoByTwo(inf), []int{2, 4}},
		{"overflow", twoByTwo(1e200), []int{2, 4}},
		{"zero diagonal", withDiagonal(3, 0), []int{3}},
		{"negative diagonal", withDiagonal(3, -1), []int{3}},
		{"diagonal not a number", withDiagonal(3, nan), []int{3}},
		{"diagonal infinite", withDiagonal(3, inf), []int{3}},
	} {
		for _, o := range every() {
			f := Analyse(test.a, o)
			var bad *NotPositiveDefiniteError
			if err := f.Refactor(test.a); !errors.As(err, &bad) || !slices.Contains(test.bad, bad.Column) {
				t.Errorf("%s %+v: error %v, want column %v", test.name, o, err, test.bad)
			}
			if bad != nil && bad.Pivot > 1e-15 && bad.Pivot < inf {
				t.Errorf("%s %+v: pivot %g", test.name, o, bad.Pivot)
			}
			mustPanic(t, func() { f.Solve(make([]float64, 6), make([]float64, 6)) })
			checkRecovery(t, f)
		}
	}
	for _, o := range every() { // definite, if barely
		a := twoByTwo(1 - 1e-14)
		if err := Analyse(a, o).Refactor(a); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		o.PivotTolerance = 1e-10
		if Analyse(a, o).Refactor(a) == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// checkRecovery refactors with [[1, ½], [½, 1]] after a failure.
func checkRecovery(t *testing.T, f Factor) {
	t.Helper()
	a := twoByTwo(0.5)
	if err := f.Refactor(a); err != nil {
		t.Fatal(err)
	}
	x := []float64{1, 2, 3, 4, 5, 6}
	f.Solve(x, x)
	want := []float64{1, 2, (3 - 2.5) / 0.75, 4, (5 - 1.5) / 0.75, 6}
	for i := range x {
		if math.Abs(x[i]-want[i]) > 1e-14 {
			t.Errorf("x[%d] = %g, want %g", i, x[i], want[i])
		}
	}
}

func withDiagonal(j int, v float64) *sparse.Sym {
	a := twoByTwo(0.5)
	a.Val[a.Ptr[j]] = v
	return a
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

// An indefinite matrix must be refused by every method, in large fronts too,
// and at the same column however many workers there are.
func TestIndefiniteGrid(t *testing.T) {
	a := gridMatrix(40, 40, 2, 3, true)
	a.Val[a.Ptr[2000]] *= -1
	a.Val[a.Ptr[777]] *= -1
	var columns []int
	for w := 1; w <= 4; w++ {
		var bad *NotPositiveDefiniteError
		if err := Analyse(a, Options{Method: Supernodal, Workers: w}).Refactor(a); !errors.As(err, &bad) {
			t.Fatal(err)
		}
		columns = append(columns, bad.Column)
	}
	if slices.Max(columns) != slices.Min(columns) {
		t.Errorf("columns %v", columns)
	}
}

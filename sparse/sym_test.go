package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestBuilder(t *testing.T) {
	b := NewBuilder(4)
	b.Add(3, 1)
	b.Add(1, 3)
	b.Add(0, 2)
	b.Add(2, 2)
	b.Add(3, 1)
	b.Add(1, 2)
	a := b.Build()
	if want := []int{0, 2, 5, 6, 7}; !slices.Equal(a.Ptr, want) {
		t.Errorf("Ptr %v, want %v", a.Ptr, want)
	}
	if want := []int{0, 2, 1, 2, 3, 2, 3}; !slices.Equal(a.Row, want) {
		t.Errorf("Row %v, want %v", a.Row, want)
	}
	if err := a.Validate(); err != nil {
		t.Error(err)
	}
	mustPanic(t, func() { b.Add(4, 0) })
	mustPanic(t, func() { b.Add(0, -1) })
	mustPanic(t, func() { NewBuilder(-1) })
}

func TestIndex(t *testing.T) {
	a := random(rand.New(rand.NewPCG(1, 1)), 30)
	d := dense(a)
	for i := range a.N {
		for j := range a.N {
			v := 0.0
			if p := a.Index(i, j); p >= 0 {
				v = a.Val[p]
			}
			if v != d[i][j] {
				t.Errorf("(%d, %d): %g, want %g", i, j, v, d[i][j])
			}
		}
	}
	mustPanic(t, func() { NewBuilder(2).Build().AddAt(0, 1, 1) })
}

func TestMulVec(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := random(rng, 60)
	d := dense(a)
	x, y := make([]float64, a.N), make([]float64, a.N)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	a.MulVec(y, x)
	for i := range y {
		want := 0.0
		for j := range x {
			want += d[i][j] * x[j]
		}
		if math.Abs(y[i]-want) > 1e-13 {
			t.Errorf("y[%d] = %g, want %g", i, y[i], want)
		}
	}
	mustPanic(t, func() { a.MulVec(y, x[1:]) })
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		spoil func(a *Sym)
		want  string
	}{
		{func(a *Sym) { a.N = 3 }, "3 columns with 3 pointers"},
		{func(a *Sym) { a.Val = a.Val[1:] }, "3 rows and 2 values for 3 entries"},
		{func(a *Sym) { a.Row[0] = 1 }, "column 0 does not begin with its diagonal"},
		{func(a *Sym) { a.Row[1] = 0 }, "column 0: row 0 is out of order"},
		{func(a *Sym) { a.Row[1] = 2 }, "row 2 is out of order or beyond 1"},
		{func(a *Sym) { a.Val[1] = math.NaN() }, "entry (1, 0) is NaN"},
	} {
		b := NewBuilder(2)
		b.Add(1, 0)
		a := b.Build()
		test.spoil(a)
		if err := a.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// random returns a matrix with a fifth of its entries drawn from N(0, 1).
func random(rng *rand.Rand, n int) *Sym {
	b := NewBuilder(n)
	for i := range n {
		for j := range i {
			if rng.Float64() < .2 {
				b.Add(i, j)
			}
		}
	}
	a := b.Build()
	for p := range a.Val {
		a.Val[p] = rng.NormFloat64()
	}
	return a
}

// dense returns both triangles.
func dense(a *Sym) [][]float64 {
	d := make([][]float64, a.N)
	for i := range d {
		d[i] = make([]float64, a.N)
	}
	for j := range a.N {
		for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
			d[a.Row[p]][j], d[j][a.Row[p]] = a.Val[p], a.Val[p]
		}
	}
	return d
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

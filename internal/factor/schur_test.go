package factor

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// TestSchur compares with the definition by dense elimination, and solves.
func TestSchur(t *testing.T) {
	for _, size := range []int{1, 5, 9} {
		a := laplace3(size)
		rng := rand.New(rand.NewPCG(7, uint64(size)))
		kept := rng.Perm(a.N)[:(a.N+2)/3]
		s, err := NewSchur(a, kept)
		if err != nil {
			t.Fatal(err)
		}
		x, b := make([]float64, a.N), make([]float64, a.N)
		for i := range x {
			x[i] = rng.Float64()
		}
		a.MulVec(b, x)
		s.Solve(b, b)
		for i := range x {
			if math.Abs(b[i]-x[i]) > 1e-12 { // conditioning below 1e3
				t.Fatalf("solve: x[%d] = %g, want %g", i, b[i], x[i])
			}
		}
		// Split at the kept columns, with a load r on them that comes later, it is the same.
		r, low, work, few := make([]float64, len(kept)), make([]float64, a.N), make([]float64, a.N), make([]float64, len(kept))
		a.MulVec(b, x)
		for k, col := range kept {
			r[k] = rng.Float64()
			b[col] -= r[k]
		}
		s.Reduce(low, b)
		s.Kept(few, work, low, r)
		s.Resolve(b, work, low, r)
		for i := range x {
			if math.Abs(b[i]-x[i]) > 1e-12 {
				t.Fatalf("split: x[%d] = %g, want %g", i, b[i], x[i])
			}
		}
		for k, col := range kept {
			if math.Abs(few[k]-x[col]) > 1e-12 {
				t.Fatalf("kept: x[%d] = %g, want %g", col, few[k], x[col])
			}
		}
		// S⁻¹ is the kept block of A⁻¹: S times it is the identity.
		comp, n := s.Complement(), len(kept)
		for c, col := range kept {
			clear(b)
			b[col] = 1
			s.Solve(b, b)
			for i := range n {
				sum := 0.0
				for j, row := range kept {
					sum += comp[i*n+j] * b[row]
				}
				want := 0.0
				if i == c {
					want = 1
				}
				if math.Abs(sum-want) > 1e-11 {
					t.Fatalf("size %d: (S·W)[%d][%d] = %g", size, i, c, sum)
				}
			}
		}
	}
}

// A Schur keeps what its plan says, within a tenth for slice headers and size
// classes; its complement comes on top.
func TestSchurBytes(t *testing.T) {
	a := laplace3(20)
	kept := make([]int, 400)
	for i := range kept {
		kept[i] = i
	}
	p, err := PlanSchur(context.Background(), a, kept)
	if err != nil {
		t.Fatal(err)
	}
	before := heapBytes()
	s, err := p.Factor(a)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := heapBytes()-before, float64(p.Bytes()); math.Abs(got-want) > 0.1*want {
		t.Errorf("%g bytes, predicted %g", got, want)
	}
	before = heapBytes()
	c := s.Complement()
	if got, want := heapBytes()-before, float64(p.ComplementBytes()); math.Abs(got-want) > 0.1*want {
		t.Errorf("complement: %g bytes, predicted %g", got, want)
	}
	runtime.KeepAlive(c)
	runtime.KeepAlive(s)
}

// An error names the column of the matrix as given.
func TestSchurIndefinite(t *testing.T) {
	for _, bad := range []int{0, 63, 124} {
		a := laplace3(5)
		a.Val[a.Ptr[bad]] = -1
		_, err := NewSchur(a, []int{3, 60, 124})
		npd, ok := errors.AsType[*NotPositiveDefiniteError](err)
		if !ok {
			t.Fatalf("column %d: %v", bad, err)
		}
		// The pivot that fails is that column or one eliminated later, coupled to it.
		if npd.Column != bad && a.Index(npd.Column, bad) < 0 {
			t.Errorf("column %d named for the negative entry at %d", npd.Column, bad)
		}
	}
}

// laplace3 is the Laplacian of a cube of size³ nodes plus half the identity.
func laplace3(size int) *sparse.Sym {
	at := func(i, j, k int) int { return (k*size+j)*size + i }
	b := sparse.NewBuilder(size * size * size)
	link := func(visit func(p, q int)) {
		for k := range size {
			for j := range size {
				for i := range size {
					if i > 0 {
						visit(at(i, j, k), at(i-1, j, k))
					}
					if j > 0 {
						visit(at(i, j, k), at(i, j-1, k))
					}
					if k > 0 {
						visit(at(i, j, k), at(i, j, k-1))
					}
				}
			}
		}
	}
	link(func(p, q int) { b.Add(p, q) })
	a := b.Build()
	for p := range a.N {
		a.AddAt(p, p, 0.5)
	}
	link(func(p, q int) {
		a.AddAt(p, q, -1)
		a.AddAt(p, p, 1)
		a.AddAt(q, q, 1)
	})
	return a
}

func TestDense(t *testing.T) {
	d := NewDense(1)
	for _, n := range []int{1, 3, 50, 131} {
		d.Resize(n)
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		full := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				v := rng.Float64() - 0.5
				if i == j {
					v += float64(n)
				}
				full[i*n+j], full[j*n+i] = v, v
			}
			copy(d.Row(i), full[i*n:i*n+i+1])
		}
		if err := d.Factor(t.Context()); err != nil {
			t.Fatal(err)
		}
		x, b := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()
		}
		for i := range b {
			b[i] = dot(full[i*n:(i+1)*n], x)
		}
		d.Solve(b, b)
		for i := range x {
			if math.Abs(b[i]-x[i]) > 1e-13 {
				t.Fatalf("n = %d: x[%d] = %g, want %g", n, i, b[i], x[i])
			}
		}
	}
	d.Resize(2)
	copy(d.Row(0), []float64{1, 0})
	copy(d.Row(1), []float64{2, 1})
	if d.Factor(t.Context()) == nil {
		t.Error("an indefinite matrix was factorised")
	}
}

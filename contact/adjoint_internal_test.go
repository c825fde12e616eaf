package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAdjoint: v·H r = Hᵀv·r in the plane, in space and with moments, and d·W x = Wᵀd·x of a W of
// blocks that is not symmetric, which is the same as a full matrix.
func TestAdjoint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	product := func(x, y []float64) (sum float64) {
		for i, v := range x {
			sum += v * y[i]
		}
		return sum
	}
	for _, dim := range []int{2, 3, 4, 5, 6} {
		h := &Jacobian{Dim: dim, Rows: 7, Ptr: []int{0}}
		for range 4 {
			for range 1 + r.IntN(3) {
				h.Row, h.Val = append(h.Row, r.IntN(7)), append(h.Val, normal(dim)...)
			}
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		v, x := normal(7), normal(4*dim)
		f, u := make([]float64, 7), make([]float64, 4*dim)
		h.MulAdd(f, x)
		h.MulTransAdd(u, v)
		if a, b := product(v, f), product(u, x); !(math.Abs(a-b) <= 1e-13*(1+math.Abs(a))) {
			t.Errorf("dimension %d: v·H r = %g, Hᵀv·r = %g", dim, a, b)
		}
	}
	for _, dim := range []int{2, 3} {
		const nc = 4
		n := dim * nc
		b := &Blocks{D: dim, Ptr: []int{0}}
		full := &Dense{D: dim, N: n, Val: make([]float64, n*n)}
		for i := range nc {
			for j := range nc {
				if i != j && r.IntN(3) == 0 {
					continue
				}
				val := normal(dim * dim)
				b.Col, b.Val = append(b.Col, j), append(b.Val, val...)
				for k, x := range val {
					full.Val[(dim*i+k/dim)*n+dim*j+k%dim] = x
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
		}
		if one, two := form.Steps(nil, b), form.Steps(nil, full); !slices.Equal(one, two) {
			t.Errorf("dimension %d: steps %v of blocks, %v of the full matrix", dim, one, two)
		}
		d, x := normal(n), normal(n)
		for name, w := range map[string]Operator{"blocks": b, "full": full} {
			y, wx := make([]float64, n), make([]float64, n)
			mulTrans(w, y, d)
			for i := range n {
				wx[i] = product(full.Val[i*n:i*n+n], x)
			}
			if a, c := product(d, wx), product(y, x); !(math.Abs(a-c) <= 1e-13*(1+math.Abs(a))) {
				t.Errorf("dimension %d, %s: d·W x = %g, Wᵀd·x = %g", dim, name, a, c)
			}
		}
	}
}

// TestNaturalResidual: where the projection is the tip of the cone it is the length of r.
func TestNaturalResidual(t *testing.T) {
	r, u := vec3{1, 2, -2}, vec3{10, 0, 0}
	if got := NaturalResidual(Coulomb{Mu: 0.5}, &r, &u, 10); math.Abs(got-3) > 1e-15 || u != (vec3{}) {
		t.Errorf("%g, projection %v", got, u)
	}
}

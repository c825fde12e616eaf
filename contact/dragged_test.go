package contact_test

import (
	"context"
	"math"
	"testing"

	. "github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestDraggedRow: a row of contacts that stiff springs join, each pressed by 1 N and on a soft tangential spring k, whose ground
// moves by w: they stick with the force −k w, less than μ. That all slip is the first guess, with −μ; then the springs drive them
// back, and the second guess is that all slip backwards, with +μ, from which the first follows. The way between is to stick.
func TestDraggedRow(t *testing.T) {
	const n, k, stiff, mu, w = 40, 0.2, 100.0, 0.3, 1.0
	b := sparse.NewBuilder(2 * n)
	p := &Global{F: make([]float64, 2*n), H: &Jacobian{Dim: 2, Rows: 2 * n, Ptr: []int{0}}}
	for i := range n {
		if i > 0 {
			b.Add(2*i+1, 2*i-1)
		}
		p.F[2*i] = -1
		p.H.Row, p.H.Val = append(p.H.Row, 2*i, 2*i+1), append(p.H.Val, 1, 0, 0, 1)
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.W, p.Laws = append(p.W, 0, w), append(p.Laws, Coulomb{Mu: mu})
	}
	p.M = b.Build()
	for i := range n {
		p.M.AddAt(2*i, 2*i, 10)
		p.M.AddAt(2*i+1, 2*i+1, k)
		if i > 0 {
			p.M.AddAt(2*i+1, 2*i+1, stiff)
			p.M.AddAt(2*i-1, 2*i-1, stiff)
			p.M.AddAt(2*i+1, 2*i-1, -stiff)
		}
	}
	c, err := NewCondensed(context.Background(), p.M, p.H)
	if err != nil {
		t.Fatal(err)
	}
	var x Result
	if err := c.Solve(context.Background(), p, 0, nil, &x); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if math.Abs(x.R[2*i]-1) > 1e-12 || math.Abs(x.R[2*i+1]+k*w) > 1e-12 {
			t.Fatalf("contact %d: %g, %g, want 1, %g", i, x.R[2*i], x.R[2*i+1], -k*w)
		}
	}
	if x.Iterations > 4 {
		t.Errorf("%d iterations", x.Iterations)
	}
}

package conic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// TestClosedForms: programs whose answers are known.
func TestClosedForms(t *testing.T) {
	// min x_0 with x in the cone and x_1 = 3, x_2 = 4: 5, and the gradient of the norm.
	p := &conic.Problem{B: []float64{3, 4}, C: []float64{1, 0, 0}, Cones: []int{3}}
	p.A.Rows = 2
	p.A.Column(nil, nil)
	p.A.Column([]int{0}, []float64{1})
	p.A.Column([]int{1}, []float64{1})
	r, err := conic.Solve(t.Context(), p, nil)
	if err != nil || r.Status != conic.Optimal {
		t.Fatalf("%v, %v", r.Status, err)
	}
	for _, v := range [][3]float64{{r.Value, 5, 1e-8}, {r.Bound, 5, 1e-8}, {r.X[0], 5, 1e-8}, {r.Y[0], .6, 1e-5}, {r.Y[1], .8, 1e-5}} {
		if math.Abs(v[0]-v[1]) > v[2] { // round cones have directions to the root of the tolerance
			t.Errorf("found %v, want %v", v[0], v[1])
		}
	}
	// x_1 + x_2 = 1, x_1 − x_2 = 3 of half-lines: no solution, and a ray that shows it.
	p = &conic.Problem{B: []float64{1, 3}, C: []float64{0, 0}, Cones: []int{1, 1}}
	p.A.Rows = 2
	p.A.Column([]int{0, 1}, []float64{1, 1})
	p.A.Column([]int{0, 1}, []float64{1, -1})
	r, _ = conic.Solve(t.Context(), p, nil)
	if r.Status != conic.Infeasible {
		t.Fatal(r.Status)
	}
	if by := r.Y[0] + 3*r.Y[1]; by < .99 || r.Y[0]+r.Y[1] > 1e-9 || r.Y[0]-r.Y[1] > 1e-9 {
		t.Errorf("ray %v", r.Y)
	}
	// min −x_1 of x_1 = x_2: unbounded.
	p = &conic.Problem{B: []float64{0}, C: []float64{-1, 0}, Cones: []int{1, 1}}
	p.A.Rows = 1
	p.A.Column([]int{0}, []float64{1})
	p.A.Column([]int{0}, []float64{-1})
	if r, _ = conic.Solve(t.Context(), p, nil); r.Status != conic.Unbounded {
		t.Error(r.Status)
	}
}

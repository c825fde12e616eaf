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

// TestWideColumns: of columns that touch all of 1,500 rows, max λ with x_i + d_i λ − e_i ν = b_i of half-lines is
// the least of b_i/d_i, with e_i = 0; with e_i = d_i/2 and ν ≤ 1, it is larger by a half.
func TestWideColumns(t *testing.T) {
	const m = 1500
	for _, more := range []float64{0, .5} {
		rows, d, e := make([]int, m), make([]float64, m), make([]float64, m)
		p := &conic.Problem{B: make([]float64, m+1)}
		p.A.Rows, p.B[m] = m+1, 1
		least := math.Inf(1)
		for i := range m {
			rows[i], d[i], p.B[i] = i, 1+math.Sin(float64(i))/2, 2+math.Cos(3*float64(i))
			e[i] = -more * d[i]
			least = min(least, p.B[i]/d[i])
			p.A.Column([]int{i}, []float64{1})
			p.Cones = append(p.Cones, 1)
		}
		p.A.Column(rows, d)
		p.A.Column(append(rows, m), append(e, 1))
		p.A.Column([]int{m}, []float64{1})
		p.Cones, p.C = append(p.Cones, 1, 1, 1), append(make([]float64, m), -1, 0, 0)
		r, err := conic.Solve(t.Context(), p, nil)
		if err != nil || r.Status != conic.Optimal || math.Abs(-r.Bound-least-more) > 1e-8 {
			t.Errorf("%v %v %.10g, want %.10g", err, r.Status, -r.Bound, least+more)
		}
	}
}

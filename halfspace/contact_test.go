package halfspace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
)

func sphere(g Grid, curvature float64) []float64 {
	h := make([]float64, g.Len())
	for k := range h {
		x, y := g.At(k)
		h[k] = curvature * (x*x + y*y)
	}
	return h
}

func constant(n int, v float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = v
	}
	return x
}

func pair(t testing.TB, upper, lower Elastic) Compliance {
	c, err := ElasticPair(upper, lower)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newTestOperator(t testing.TB, g Grid, inf Influence) *Operator {
	o, err := NewOperator(g, inf)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCattaneoOfCONTACT: the example of Vollebregt's CONTACT, its digits.
func TestCattaneoOfCONTACT(t *testing.T) {
	body := Elastic{Young: 2 * 200 * 1.42, Poisson: 0.42}
	g := Centred(19, 19, 0.13333, 0.13333)
	op := newTestOperator(t, g, Patches{pair(t, body, body)})
	s := NewSolver(op, nil)
	p := &Problem{Gap: sphere(g, 0.01), Coefficient: constant(g.Len(), 0.4)}
	p.Control[MoveN] = Control{true, 9.1954}
	p.Control[MoveX] = Control{true, 0.875 * 0.4 * 9.1954}
	p.Control[MoveY] = Control{true, 0}
	var r Result
	err := s.Solve(context.Background(), p, &r)
	t.Logf("%+v %v", r.Verdict, r.Move)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Products, r.Sweeps)
	pmax := 0.0
	for _, v := range r.P[N] {
		pmax = max(pmax, v)
	}
	near(t, "approach", -r.Move[MoveN], 0.01998, 2e-6)
	near(t, "shift", -r.Move[MoveX], 0.008155, 2e-6)
	near(t, "largest pressure", pmax, 4.393, 5e-4)
	if r.Contacts != 177 || r.Sticking != 45 {
		t.Errorf("%d elements in contact, %d sticking, want 177 and 45", r.Contacts, r.Sticking)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

// TestNothingTouchesYet: a body that was not in contact is found to be by an approach,
// and a single element under load is not inside the other body.
func TestNothingTouchesYet(t *testing.T) {
	c, _ := ElasticOnRigid(Elastic{Young: 1})
	g := Centred(9, 9, 1, 1)
	for _, force := range []bool{false, true} {
		e := NewEvolution(newTestOperator(t, g, Patches{c}), Problem{Gap: sphere(g, 0.01), Coefficient: constant(g.Len(), 0.3)}, nil)
		for k, v := range []float64{0, 1e-3, 0.2, 1e-6, 0} {
			var d Drive
			if d.Control[MoveN] = (Control{Value: -v}); force {
				d.Control[MoveN] = Control{true, v}
			}
			if err := e.Step(context.Background(), d); err != nil {
				t.Fatal(err)
			}
			r := e.Result()
			if touches := r.Contacts > 0; touches != (v > 0) || r.Penetration > 1e-9 || r.Gap > 2e-8*r.Energy {
				t.Errorf("force %v, step %d: %d in contact, %+v", force, k, r.Contacts, r.Verdict)
			}
		}
	}
}

// spence presses a sphere onto a rigid plane with friction in 35 stages.
func spence(t testing.TB, n, workers int) (e *Evolution, products int) {
	g := Centred(n, n, 9/float64(n), 9/float64(n))
	c, err := ElasticOnRigid(Elastic{Young: 1, Poisson: 0})
	if err != nil {
		t.Fatal(err)
	}
	op := newTestOperator(t, g, Patches{c})
	op.Workers = workers
	e = NewEvolution(op, Problem{Gap: sphere(g, 0.004116), Coefficient: constant(g.Len(), 0.2986)}, &Options{Gap: 1e-7})
	for k := 1; k <= 35; k++ {
		var d Drive
		d.Control[MoveN] = Control{true, math.Pow(float64(k)/45, 3)}
		d.Control[MoveX], d.Control[MoveY] = Control{true, 0}, Control{true, 0}
		if err := e.Step(context.Background(), d); err != nil {
			t.Fatalf("stage %d: %v", k, err)
		}
		products += e.Result().Products
	}
	return e, products
}

// TestSpence: the numbers of CONTACT for the last of 35 stages of 45×45 elements.
func TestSpence(t *testing.T) {
	e, _ := spence(t, 45, 1)
	r := e.Result()
	near(t, "approach", -r.Move[MoveN], 0.09874, 5e-6)
	if r.Contacts != 917 || r.Sticking < 223 || r.Sticking > 227 { // elements at the edge are decided by tolerances
		t.Errorf("%d elements in contact, %d sticking, want 917 and 225", r.Contacts, r.Sticking)
	}
}

func BenchmarkSpence(b *testing.B) {
	for _, n := range []int{45, 91, 181} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, products := spence(b, n, 1)
				b.ReportMetric(float64(products)/35, "products/step")
			}
		})
	}
}

// TestForgottenLoad: after a load 1e30 times as large slips are differences of displacements whose
// rounding does more than the step's energy: it is refused after some products, not after all
// sweeps.
func TestForgottenLoad(t *testing.T) {
	g := Centred(15, 15, 1, 1)
	c, _ := ElasticOnRigid(Elastic{Young: 1})
	e := NewEvolution(newTestOperator(t, g, Patches{c}), Problem{Gap: sphere(g, 0.01), Coefficient: constant(g.Len(), 0.3)}, nil)
	for k, load := range []float64{0.3, 1e28, 0.3} {
		var d Drive
		d.Control[MoveN], d.Control[MoveX].Force, d.Control[MoveY].Force = Control{true, load}, true, true
		err := e.Step(t.Context(), d)
		if refused, _ := errors.AsType[*Unsolved](err); (refused != nil) != (k == 2) || k == 2 && refused.Products > 400 {
			t.Errorf("load %g: %v", load, err)
		}
	}
}

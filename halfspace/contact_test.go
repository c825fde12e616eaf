package halfspace

import (
	"context"
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

func TestSpence(t *testing.T) {
	for _, n := range []int{45} {
		g := Centred(n, n, 9/float64(n), 9/float64(n))
		c, _ := ElasticOnRigid(Elastic{Young: 1, Poisson: 0})
		op := newTestOperator(t, g, Patches{c})
		s := NewSolver(op, &Options{Gap: 1e-7})
		p := &Problem{Gap: sphere(g, 0.004116), Coefficient: constant(g.Len(), 0.2986)}
		p.Control[MoveX], p.Control[MoveY] = Control{true, 0}, Control{true, 0}
		p.Before = NewField(g.Len())
		var r Result
		total := 0
		for k := 1; k <= 35; k++ {
			p.Control[MoveN] = Control{true, math.Pow(float64(k)/45, 3)}
			if err := s.Solve(context.Background(), p, &r); err != nil {
				t.Fatal(k, err)
			}
			total += r.Products
			if k%5 == 0 {
				t.Log(k, r.Products, r.Sweeps, r.Verdict)
			}
			copy(p.Before[X], r.U[X])
			copy(p.Before[Y], r.U[Y])
		}
		t.Log("products", total, r.Move)
	}
}

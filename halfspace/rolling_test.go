package halfspace

import (
	"context"
	"testing"
)

// TestCarter: steady rolling of cylinders as CONTACT's example carter2d has it, 50
// elements in contact, 30 of them sticking and FX/(μFN) = .6480; the exact answer
// is .64.
func TestCarter(t *testing.T) {
	body := Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28}
	g := Grid{NX: 55, NY: 1, DX: 0.04, DY: 200, X0: -1.05}
	op := newTestOperator(t, g, Patches{pair(t, body, body)})
	gap := make([]float64, g.Len())
	for k := range gap {
		x, _ := g.At(k)
		gap[k] = 0.001 * x * x
	}
	e := NewEvolution(op, Problem{Gap: gap, Coefficient: constant(g.Len(), 0.3)}, nil)
	c := Creep{Roll: [2]float64{0.0401}}
	c.Control[MoveN] = Control{true, 35780}
	c.Control[MoveX].Value = -0.00024
	if err := e.Steady(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	r := e.Result()
	t.Log(r.Products, r.Verdict, r.Force)
	near(t, "FX/(mu FN)", r.Force[MoveX]/(0.3*35780), 0.6480, 5e-5)
	if r.Contacts != 50 || r.Sticking != 30 {
		t.Errorf("%d elements in contact, %d sticking, want 50 and 30", r.Contacts, r.Sticking)
	}
	near(t, "theory", r.Force[MoveX]/(0.3*35780), 0.64, 0.01)
}

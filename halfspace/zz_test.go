package halfspace

import (
	"context"
	"testing"
)

func TestZZ(t *testing.T) {
	body := Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28}
	g := Grid{NX: 55, NY: 1, DX: 0.04, DY: 200, X0: -1.05}
	op := newTestOperator(t, g, Patches{pair(t, body, body)})
	gap := make([]float64, g.Len())
	for k := range gap {
		x, _ := g.At(k)
		gap[k] = 0.001 * x * x
	}
	e := NewEvolution(op, Problem{Gap: gap, Coefficient: constant(g.Len(), 0.3)}, nil)
	for k := range 100 {
		d := Drive{Roll: [2]float64{.0401}}
		d.Control[MoveN] = Control{true, 35780}
		d.Control[MoveX] = Control{Value: -0.00024 * .0401 * float64(k+1)}
		err := e.Step(context.Background(), d)
		r := e.Result()
		if k%5 == 0 || err != nil {
			t.Log(k, r.Products, r.Sweeps, r.Verdict, r.Force[0]/.3/35780)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

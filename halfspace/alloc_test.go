package halfspace

import (
	"context"
	"testing"
)

// TestWarmStepsAllocateNothing: steps of small evolutions, of similar and dissimilar bodies,
// under a load and by moves, once their sizes have been met.
func TestWarmStepsAllocateNothing(t *testing.T) {
	g := Centred(15, 13, 0.1, 0.1)
	for name, bodies := range map[string]Compliance{
		"similar":    pair(t, Elastic{Young: 2, Poisson: 0.3}, Elastic{Young: 2, Poisson: 0.3}),
		"dissimilar": pair(t, Elastic{Young: 2, Poisson: 0.3}, Elastic{Young: 9}),
	} {
		op := newTestOperator(t, g, Patches{bodies})
		op.Workers = 1
		e := NewEvolution(op, Problem{Gap: sphere(g, 0.05), Coefficient: constant(g.Len(), 0.3)}, nil)
		k := 0
		step := func() {
			k++
			var d Drive
			d.Control[MoveN] = Control{true, 0.01}
			d.Control[MoveX].Value = 1e-4 * float64(1+k%2)
			if err := e.Step(context.Background(), d); err != nil {
				t.Fatal(err)
			}
		}
		for range 6 {
			step()
		}
		if n := testing.AllocsPerRun(6, step); n != 0 {
			t.Errorf("%s bodies: %v allocations a step", name, n)
		}
	}
}

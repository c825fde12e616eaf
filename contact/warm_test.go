package contact

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestWarm: two steps of a pile, the second started from the impulses of the first.
func TestWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	at := cannonballs(4)
	v := make([]float64, 6*len(at))
	first := spherePile(at, 1e-9, 0.4, v)
	for i := range v { // the step gives speeds of 1e-2 m/s
		v[i] = 1e-4 * rng.NormFloat64()
	}
	second := spherePile(at, 1e-9, 0.4, v)
	var ws LocalWorkspace
	var res Result
	if err := SolveLocal(context.Background(), first, nil, &ws, &res); err != nil {
		t.Fatal(err)
	}
	if err := SolveLocal(context.Background(), second, &Options{Method: MethodWarm}, &ws, &res); err != nil {
		t.Errorf("%v, %v", err, res.Stages)
	}
	if res.Iterations == 0 {
		t.Error("nothing was to be done")
	}
}

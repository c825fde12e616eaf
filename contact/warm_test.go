package contact

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestWarm: two steps of a pile, the second started from the impulses of the first, by
// Newton's method with a long memory and by turns of sweeps and Newton's method.
func TestWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	at := cannonballs(4)
	v := make([]float64, 6*len(at))
	first := spherePile(at, 1e-9, 0.4, v)
	for i := range v { // the step gives speeds of 1e-2 m/s
		v[i] = 1e-4 * rng.NormFloat64()
	}
	second := spherePile(at, 1e-9, 0.4, v)
	for name, run := range map[string]localMethod{"newton": (*localRun).warm, "turns": (*localRun).turns} {
		var ws LocalWorkspace
		var res Result
		if err := SolveLocal(context.Background(), first, nil, &ws, &res); err != nil {
			t.Fatal(err)
		}
		if err := solveLocalBy(context.Background(), second, &Options{Method: MethodWarm}, &ws, &res, run); err != nil {
			t.Errorf("%s: %v, %v", name, err, res.Stages)
		}
		if res.Iterations == 0 {
			t.Errorf("%s: nothing was to be done", name)
		}
	}
}

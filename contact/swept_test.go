package contact

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestSwept: a pyramid of spheres that is shaken, from the reactions at rest. With sweeps after its
// steps Newton's method solves what it does not without them.
func TestSwept(t *testing.T) {
	at := cannonballs(4)
	v := make([]float64, 6*len(at))
	var ws LocalWorkspace
	var res Result
	if err := SolveLocal(context.Background(), spherePile(at, 1e-9, .4, v), nil, &ws, &res); err != nil {
		t.Fatal(err)
	}
	start := append([]float64(nil), res.R...)
	solved := 0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 7))
		for i := range v {
			v[i] = 1e-2 * rng.NormFloat64()
		}
		p := spherePile(at, 1e-9, .4, v)
		ws.WarmStart(start)
		if err := SolveLocal(context.Background(), p,
			&Options{Method: MethodSwept, MaxIterations: 30, NoCertificate: true}, &ws, &res); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		ws.WarmStart(start)
		if err := SolveLocal(context.Background(), p,
			&Options{Method: MethodWarm, MaxIterations: 30, NoCertificate: true}, &ws, &res); err == nil {
			solved++
		}
	}
	if solved == 3 {
		t.Error("solved without sweeps, too: this test tells nothing")
	}
}

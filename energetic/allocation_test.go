package energetic_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestWarmStepsAllocateNothing: a step that is made and certified takes no memory, on one obstacle
// and on several, flat or curved or moving, once the states that its contacts take have been met.
func TestWarmStepsAllocateNothing(t *testing.T) {
	sine, err := particles.Sine(0, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	along := particles.At(0, -.2, -.3)
	along[0] = sine
	rub := func(int) dissipation.Matrix { return dissipation.Isotropic{Mu: 0.3} }
	for _, tc := range []struct {
		name string
		ex   reference.Example
		step float64
	}{
		{"chain", reference.Chain(4, 1e9), 0.01},
		{"corner", reference.Example{Psi: driven(t,
			[]particles.Frame{particles.Floor(), obstacle(t, [3]float64{}, [3]float64{0, 1, 0}),
				obstacle(t, [3]float64{-5, 0, 0}, [3]float64{1, 0, 0})}, 0.4, [3]float64{2, 2, 5}, along),
			Start: make([]float64, 3)}, 0.01},
		{"bent", reference.Bent(rub), 0.01},
	} {
		for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
			e, err := energetic.Start(t.Context(), tc.ex.Psi, tc.ex.Start,
				energetic.Options{Step: incremental.Options{Threshold: mode}, Equilibrate: true})
			if err != nil {
				t.Fatal(err)
			}
			k := 0
			step := func() {
				k++
				if err := e.Step(t.Context(), tc.step*float64(k)); err != nil {
					t.Fatalf("%s: %v", tc.name, err)
				}
			}
			for range 150 {
				step()
			}
			if n := testing.AllocsPerRun(10, step); n != 0 {
				t.Errorf("%s, %s: %g allocations a step, want none", tc.name, [...]string{"lagged", "implicit"}[mode], n)
			}
		}
	}
}

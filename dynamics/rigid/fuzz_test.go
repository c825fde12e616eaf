package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"
)

// try runs a scene: each step ends with a verdict, and what it leaves is finite.
func try(t *testing.T, seed uint64) string {
	s, err := scene(rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		return "refused: " + err.Error()
	}
	for range 20 {
		err := s.Step(t.Context(), 0.005)
		_, q, v, va := s.State()
		for _, x := range [][]float64{q, v, va} {
			for _, y := range x {
				if math.IsNaN(y) || math.IsInf(y, 0) {
					t.Fatalf("seed %d: the state holds %g after %v", seed, y, err)
				}
			}
		}
		if err != nil {
			return err.Error()
		}
	}
	return "ran"
}

func TestRandomScenes(t *testing.T) {
	n, ran := 25, 0
	for seed := range n {
		verdict := try(t, uint64(seed))
		if verdict == "ran" {
			ran++
		} else {
			t.Logf("seed %d: %s", seed, verdict)
		}
	}
	t.Logf("%d of %d ran", ran, n)
	if ran < n/2 {
		t.Errorf("only %d of %d scenes ran", ran, n)
	}
}

func FuzzScenes(f *testing.F) {
	f.Add(uint64(7))
	f.Fuzz(func(t *testing.T, seed uint64) { try(t, seed) })
}

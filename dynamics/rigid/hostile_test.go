package rigid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestHostileScenes steps random scenes by 1e-6 s, 5 ms and .1 s, with one worker and with
// several: the same bits, numbers that are finite, and a ledger that closes, so that
// what the scheme makes is in its verdict.
func TestHostileScenes(t *testing.T) {
	seeds, steps := 6, 10
	if thorough.Asked() {
		seeds, steps = 60, 200
	}
	ran := 0
	for seed := range seeds {
		h := []float64{1e-6, 5e-3, 0.1}[seed%3]
		first, again := hostile(t, uint64(1000+seed), h, steps, 1), hostile(t, uint64(1000+seed), h, steps, 4)
		if first == nil || again == nil {
			continue
		}
		ran++
		_, q1, v1, _ := first.State()
		_, q2, v2, _ := again.State()
		if !slices.Equal(q1, q2) || !slices.Equal(v1, v2) {
			t.Errorf("seed %d: other bits with other workers", seed)
		}
		e := first.Energy()
		size := 0.0
		for _, x := range []float64{e.Kinetic, e.Potential, e.Friction, e.Normal, e.Impact, e.Joints, e.Scheme, e.Projection, e.Loads} {
			size = max(size, math.Abs(x))
		}
		if !(math.Abs(e.Residual) <= 1e-9*float64(steps)*size) { // a rounding of each term a step, and what solves of 1e-11 leave
			t.Errorf("seed %d: %g J of %g J are in no part of the ledger", seed, e.Residual, size)
		}
	}
	if ran < seeds/3 {
		t.Errorf("%d of %d scenes ran", ran, seeds)
	}
}

// hostile runs a scene to its end, or to a step that fails, with so many workers; nil where it
// is refused, or takes minutes, as some of the long form do.
func hostile(t *testing.T, seed uint64, h float64, steps, workers int) *rigid.Stepper {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	s, err := scene(rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		return nil
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for range steps {
		if err := s.Step(ctx, h); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			break
		}
		_, q, v, _ := s.State()
		for _, x := range [][]float64{q, v} {
			for _, y := range x {
				if math.IsNaN(y) || math.IsInf(y, 0) {
					t.Fatalf("seed %d: the state holds %g", seed, y)
				}
			}
		}
	}
	return s
}

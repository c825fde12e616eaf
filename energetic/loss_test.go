package energetic_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// TestLoss: a block pressed by a force N(t) and pulled along the floor by F(t), nothing else,
// is held while |F| <= μN. The time at which it is not is that of the closed form, the
// direction that of F; a pull that grows with N alone is never lost, though the thresholds
// before a step are too small for it.
func TestLoss(t *testing.T) {
	for _, tc := range []struct {
		name        string
		press, pull float64 // rates; both are 10 and 0 at the start
		want        float64
		mode        incremental.ThresholdMode
	}{
		{"pull", 0, 1, 4, incremental.Implicit},
		{"unload", -1, 1, 4 / 1.4, incremental.Implicit},
		{"both grow", 100, 39, math.Inf(1), incremental.Implicit},
		{"both grow, lost", 1, 2, 4 / 1.6, incremental.Implicit},
		{"lagged", 0, 1, 4, incremental.Lagged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ramp := func(from, rate float64) particles.Signal {
				path, err := particles.PiecewiseLinear([]float64{0, 10}, [][3]float64{{from}, {from + 10*rate}})
				if err != nil {
					t.Fatal(err)
				}
				return path[0]
			}
			loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.Path{ramp(0, .6*tc.pull), ramp(0, .8*tc.pull), ramp(-10, -tc.press)}})
			if err != nil {
				t.Fatal(err)
			}
			sys, err := particles.NewSystem(particles.Floors(1), loads)
			if err != nil {
				t.Fatal(err)
			}
			psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: .4}})
			if err != nil {
				t.Fatal(err)
			}
			e, err := energetic.Start(t.Context(), psi, make([]float64, 3), energetic.Options{Step: incremental.Options{Threshold: tc.mode}})
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= 30; k++ {
				at := float64(k) / 3
				err := e.Step(t.Context(), at)
				var lost *incremental.LossError
				switch {
				case err == nil:
					continue
				case !errors.As(err, &lost):
					t.Fatal(err)
				}
				loss, err := e.LocateLoss(t.Context(), at, lost)
				if err != nil {
					t.Fatal(err)
				}
				// The forces left over are 3e-13 of some 10 N, and change by about 1 N/s.
				if math.Abs(loss.From-tc.want) > 1e-11*tc.want {
					t.Errorf("lost at t = %.15g, want %.15g", loss.From, tc.want)
				}
				// What drives, just after, is some 1e-12 N, solved to parts of 1e-12 of 10 N over many
				// roundings: a few digits of its direction are left.
				for c, want := range []float64{.6, .8, 0} {
					if math.Abs(loss.Direction[c]-want) > 1e-4 {
						t.Errorf("slides away along %v", loss.Direction)
					}
				}
				if s := e.Summary(); !s.Certified {
					t.Errorf("not certified: %s", s.First)
				}
				return
			}
			if !math.IsInf(tc.want, 1) {
				t.Errorf("held, want lost at t = %g", tc.want)
			}
		})
	}
}

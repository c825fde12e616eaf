package energetic_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
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
			loads, err := particles.NewLoads(particles.Load{Particle: 0,
				Force: particles.Path{ramp(0, .6*tc.pull), ramp(0, .8*tc.pull), ramp(-10, -tc.press)}})
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
			e, err := energetic.Start(t.Context(), psi, make([]float64, 3),
				energetic.Options{Step: incremental.Options{Threshold: tc.mode}})
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
				// What drives, just after, is some 1e-12 N, solved to parts of 1e-12 of 10 N over
				// many roundings: a few digits of its direction are left.
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

// TestLossOfPair: a pair of particles that a bond holds to each other is lost where the pull on
// both exceeds the friction of both. On the way there the one that is not pulled begins to slide,
// and, as the directions of both become one, it goes as far as the root of what is left of the
// time: states are not found to the end, and the solver's direction is good to 1e-4.
func TestLossOfPair(t *testing.T) {
	// u of a step of 1/4 in which the pull is (fx, fy) + u (dx, dy) and friction holds s + u ds: a
	// quadratic equation.
	root := func(fx, dx, fy, dy, s, ds float64) float64 {
		a, b, c := dx*dx+dy*dy-ds*ds, fx*dx+fy*dy-s*ds, fx*fx+fy*fy-s*s
		return (-b + math.Sqrt(b*b-a*c)) / a
	}
	for mode, want := range map[incremental.ThresholdMode]float64{
		incremental.Implicit: 0.75 + root(1, 2, 0.5, 1.5, 0.4*5, -0.4)/4,
		incremental.Lagged:   0.25 + root(1, 0.7, 0.5, 0.5, 0.4*4, 0)/4,
	} {
		ex := reference.Loose()
		e, err := energetic.Start(t.Context(), ex.Psi, ex.Start, energetic.Options{Step: incremental.Options{Threshold: mode}})
		if err != nil {
			t.Fatal(err)
		}
		var lost *incremental.LossError
		at := 0.0
		for err == nil && at < 1 {
			at += 0.25
			err = e.Step(t.Context(), at)
		}
		if !errors.As(err, &lost) {
			t.Fatalf("mode %d: %v", mode, err)
		}
		l, err := e.LocateLoss(t.Context(), at, lost)
		if err != nil {
			t.Fatal(err)
		}
		// Rounding of forces of 2 N that change by 2 N/s, and the bracket of 1e-13.
		if math.Abs(l.Time-want) > 1e-12 || l.To < l.Time || l.From > l.Time || l.From < l.Time-1e-6 || e.Node().T != l.From {
			t.Errorf("mode %d: lost at t = %.15g, want %.15g, from %.15g to %.15g", mode, l.Time, want, l.From, l.To)
		}
		// Of the last step, whose way is long and turns, the friction is as exact as the step is
		// short; its state is as exact as ever.
		if s := e.Summary(); !s.Solved {
			t.Errorf("mode %d: not solved: %s", mode, s.First)
		}
	}
}

// TestLocateOffTheBall: a particle on a ball, pressed by W and pulled by 2Wt across, is lost at t =
// μ/2, which is located to 1e-9 in one step, as is its direction; the last node is before it, at
// rest. In the plane of the ball with a force at an angle a to the horizontal it is at 2t (cos a +
// μ sin a) = μ.
func TestLocateOffTheBall(t *testing.T) {
	const w, mu, r = 5., 0.4, 0.3
	for _, angle := range []float64{-0.5, 0, 0.7} {
		ball, err := particles.NewSphere([3]float64{0, 0, -r}, r, false, [3]float64{0, 0, 1})
		if err != nil {
			t.Fatal(err)
		}
		chart, err := particles.NewChart(ball, particles.Motion{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := particles.PiecewiseLinear([]float64{0, 1},
			[][3]float64{{0, 0, -w}, {0, 2 * w * math.Cos(angle), -w + 2*w*math.Sin(angle)}})
		if err != nil {
			t.Fatal(err)
		}
		law, err := dissipation.NewStretched(mu, ball)
		if err != nil {
			t.Fatal(err)
		}
		psi := reference.Model([]particles.Frame{particles.Charted(chart, [3]float64{})}, []dissipation.Matrix{law},
			reference.Loads(particles.Load{Force: path}))
		e, err := energetic.Start(t.Context(), psi, []float64{0, 0, 0},
			energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
		if err != nil {
			t.Fatal(err)
		}
		var lost *incremental.LossError
		if err := e.Step(t.Context(), 0.5); !errors.As(err, &lost) {
			t.Fatalf("%v, want a loss", err)
		}
		loss, err := e.LocateLoss(t.Context(), 0.5, lost)
		if err != nil {
			t.Fatal(err)
		}
		want := mu / (2 * (math.Cos(angle) + mu*math.Sin(angle)))
		// The step that is solved to 1e-10 of W tells.
		if math.Abs(loss.Time-want) > 1e-9 || !(loss.From < want) || want-loss.From > 1e-5 {
			t.Errorf("angle %g: lost at t = %.12g, the last node at %.12g, want %.12g", angle, loss.Time, loss.From, want)
		}
		if n := e.Node(); n.T != loss.From || n.Z[0] != 0 || n.Z[1] != 0 || n.Dissipation != 0 {
			t.Errorf("angle %g: the last node, t = %g, is at %v, and has dissipated %g J", angle, n.T, n.Z, n.Dissipation)
		}
		if d := loss.Direction; math.Abs(d[0]) > 1e-6 || !(d[1] > 1-1e-6) || math.Abs(d[2]) > 1e-3 {
			t.Errorf("angle %g: along %v, want o", angle, d)
		}
	}
}

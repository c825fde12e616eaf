package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// grained is a material of coefficients along and across an axis.
func grained(along, across float64, axis [3]float64, ofBody bool) multibody.Material {
	mu := max(along, across)
	return multibody.Material{Mu: mu, Grain: &multibody.Grain{Axis: axis, OfBody: ofBody, Along: along / mu, Across: across / mu}}
}

// TestGrain: a point that slides has m u_k' = −μ_k² N u_k/‖(μ_1 u_1, μ_2 u_2)‖ along the axes, so that u_1
// goes with u_2^((μ_1/μ_2)²), and friction takes its kinetic energy.
func TestGrain(t *testing.T) {
	between := draws()
	for range 10 {
		mu := [2]float64{between(.1, .5), between(.1, .5)}
		angle, heading, speed := between(0, 6), between(.3, 1.2), between(1, 2)
		e := [2][3]float64{{math.Cos(angle), math.Sin(angle)}, {-math.Sin(angle), math.Cos(angle)}}
		u := [2]float64{speed * math.Cos(heading), speed * math.Sin(heading)}
		var v [3]float64
		for k := range v {
			v[k] = u[0]*e[0][k] + u[1]*e[1][k]
		}
		axis := e[0]
		axis[2] = between(-1, 1) // the grain is what of it lies in the surface
		s := onObstacles(t, 3, [3]float64{0, 0, -10}, grained(mu[0], mu[1], axis, false), rigid.Options{Alpha: .5},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 2, Velocity: v}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}})
		run(t, s, speed/(max(mu[0], mu[1])*10)/500, 400)
		_, _, now, _ := s.State()
		got := [2]float64{now[0]*e[0][0] + now[1]*e[0][1], now[0]*e[1][0] + now[1]*e[1][1]}
		ratio := mu[0] / mu[1]
		near(t, "the way of the velocity", got[0]/u[0], math.Pow(got[1]/u[1], ratio*ratio), 1e-4)
		near(t, "heat", s.Energy().Friction, speed*speed-got[0]*got[0]-got[1]*got[1], 1e-9)
	}
}

// TestGrainHolds: a block on an incline holds where the pull is in the ellipse, (g_1/μ_1)² + (g_2/μ_2)² ≤
// g_n², wherever that points, with its grain or that of the floor.
func TestGrainHolds(t *testing.T) {
	between := draws()
	for k := range 24 {
		along, across, angle := between(.1, .6), between(.1, .6), between(0, 6)
		pull := [2]float64{10 * along * math.Cos(angle), 10 * across * math.Sin(angle)}
		share := .98
		if k%2 == 1 {
			share = 1.02
		}
		s := onObstacles(t, 3, [3]float64{share * pull[0], share * pull[1], -10},
			grained(along, across, [3]float64{1, 0, 0}, k%4 < 2), rigid.Options{Alpha: .5},
			[]bodies.Body{{Shape: bodies.Box{Size: [3]float64{1, 1, .01}}, Mass: 1, Position: [3]float64{0, 0, .005}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}})
		run(t, s, 1e-2, 20)
		_, q, _, _ := s.State()
		if moved := math.Hypot(q[0], q[1]) > 1e-6; moved != (share > 1) {
			t.Errorf("%.3g of what the ellipse holds: moved by %g", share, math.Hypot(q[0], q[1]))
		}
	}
}

// TestGrainTurns: a box that slides and spins, with a grain of its own or of a floor that turns: its steps
// are played again by their forces, and a run that goes on from a checkpoint has the same bits.
func TestGrainTurns(t *testing.T) {
	for _, ofBody := range []bool{false, true} {
		make := func() *rigid.Stepper {
			m := along(nil, nil, nil)
			m.Axis, m.Angle = [3]float64{0, 0, 1}, ramp(t, []float64{0, 1}, []float64{0, 2})
			return onObstacles(t, 3, [3]float64{0, 0, -10}, grained(.5, .2, [3]float64{1, .3, 0}, ofBody), rigid.Options{Alpha: .5},
				[]bodies.Body{{Shape: bodies.Box{Size: [3]float64{.4, .2, .1}}, Mass: 1,
					Position: [3]float64{.1, 0, .05}, Velocity: [3]float64{1, .5}, Spin: [3]float64{0, 0, 5}}},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, Motion: m})
		}
		if n := replays(t, make(), make(), 5e-3, 40); n < 30 {
			t.Errorf("%d of 40 steps are played again", n)
		}
		a, b := make(), make()
		run(t, a, 5e-3, 20)
		var c rigid.Checkpoint
		a.Save(&c)
		if err := b.Load(&c); err != nil {
			t.Fatal(err)
		}
		run(t, a, 5e-3, 20)
		run(t, b, 5e-3, 20)
		_, qa, _, _ := a.State()
		_, qb, _, _ := b.State()
		for i := range qa {
			if qa[i] != qb[i] {
				t.Fatalf("coordinate %d: %v and %v", i, qa[i], qb[i])
			}
		}
	}
}

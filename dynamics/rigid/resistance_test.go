package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// resisting is a material of friction and a resistance.
func resisting(mu float64, r multibody.Resistance) multibody.Material {
	return multibody.Material{Mu: mu, Resistance: &r}
}

// onFloor is a body over the plane z = 0, or y = 0, with what pulls in place of gravity.
func onFloor(t testing.TB, dim int, pull [3]float64, m multibody.Material, alpha float64, b bodies.Body) *rigid.Stepper {
	normal := [3]float64{0, 0, 1}
	if dim == 2 {
		normal = [3]float64{0, 1, 0}
	}
	return onObstacles(t, dim, pull, m, rigid.Options{Alpha: alpha}, []bodies.Body{b},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: normal}})
}

// TestRollsToRest: a ball or disc of moment of inertia k m r² that rolls is slowed by μ_R g/(r(1 + k)): it
// comes to rest after v²r(1 + k)/(2μ_R g), in which the moment takes all of its energy.
func TestRollsToRest(t *testing.T) {
	between := draws()
	for k := range 12 {
		r, mass, v, angle := between(.05, 2), between(.1, 10), between(.1, 3), between(0, 6)
		arm := between(.005, .1) * r
		dim, share := 2+k%2, .4
		b := bodies.Body{Shape: bodies.Sphere{R: r}, Mass: mass, Position: [3]float64{0, 0, r},
			Velocity: [3]float64{v * math.Cos(angle), v * math.Sin(angle)},
			Spin:     [3]float64{-v / r * math.Sin(angle), v / r * math.Cos(angle), 0}}
		pull := [3]float64{0, 0, -10}
		if dim == 2 {
			share, pull = .5, [3]float64{0, -10, 0}
			b.Shape, b.Position, b.Velocity, b.Spin = bodies.Disc{R: r}, [3]float64{0, r}, [3]float64{v}, [3]float64{0, 0, -v / r}
		}
		stops := v * r * (1 + share) / (10 * arm)
		s := onFloor(t, dim, pull, resisting(.5, multibody.Resistance{Rolling: arm}), .5, b)
		run(t, s, stops/157.3, 200)
		_, q, now, _ := s.State()
		near(t, "way", math.Hypot(q[0], q[1]*float64(dim-2)), v*stops/2, 1e-4*v*stops)
		near(t, "energy", s.Energy().Friction, .5*mass*v*v*(1+share), 1e-8*mass*v*v)
		for _, x := range now {
			near(t, "velocity", x, 0, 1e-12*v)
		}
	}
}

// TestSpinsToRest: a ball that spins about the normal is slowed by the moment μ_S mg, with drilling by
// εμ mg, and stands still then.
func TestSpinsToRest(t *testing.T) {
	between := draws()
	for k := range 10 {
		r, mass, spin, arm, mu := between(.05, 2), between(.1, 10), between(1, 30), between(.001, .02), between(.1, 1)
		x := multibody.Resistance{Spinning: arm}
		moment := arm * mass * 10
		if k%2 == 1 {
			x, moment = multibody.Resistance{Drilling: arm}, arm*mu*mass*10
		}
		stops := .4 * mass * r * r * spin / moment
		s := onFloor(t, 3, [3]float64{0, 0, -10}, resisting(mu, x), .5,
			bodies.Body{Shape: bodies.Sphere{R: r}, Mass: mass, Position: [3]float64{0, 0, r}, Spin: [3]float64{0, 0, spin}})
		run(t, s, stops/100, 50)
		_, _, now, _ := s.State()
		near(t, "spin halfway", now[5], spin/2, 1e-8*spin)
		run(t, s, stops/93.7, 60)
		_, _, now, _ = s.State()
		near(t, "spin", now[5], 0, 1e-9*spin)
		near(t, "energy", s.Energy().Friction, .2*mass*r*r*spin*spin, 1e-8*mass*r*r*spin*spin)
	}
}

// TestRollingHolds: on a slope a ball stands still up to tan θ = μ_R/r, and rolls beyond; drilling
// does not hold it.
func TestRollingHolds(t *testing.T) {
	between := draws()
	for k := range 12 {
		r, tan := between(.05, 2), between(.01, .2)
		share := .99
		if k%2 == 1 {
			share = 1.01
		}
		s := onFloor(t, 3, [3]float64{10 * share * tan, 0, -10},
			resisting(.5, multibody.Resistance{Rolling: tan * r, Spinning: .01}), []float64{.5, 1}[k/2%2],
			bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1, Position: [3]float64{0, 0, r}})
		run(t, s, 1e-2, 30)
		_, q, _, _ := s.State()
		want := 0.0
		if share > 1 {
			want = .5 * .3 * .3 * .01 * 10 * tan / 1.4
		}
		near(t, "way", q[0], want, .05*want+1e-12)
	}
}

// TestAdheres: a box hangs from a ceiling by four corners, and its friction is in proportion to what presses and adheres.
func TestAdheres(t *testing.T) {
	between := draws()
	for range 8 {
		mass, share := between(.5, 2), between(.2, .8)
		pull := mass * 10 / 4 / share // of what the corners bear the weight is a share
		make := func(side float64) *rigid.Stepper {
			m := resisting(.5, multibody.Resistance{Adhesion: pull})
			return onObstacles(t, 3, [3]float64{side, 0, -10}, m, rigid.Options{Alpha: .5},
				[]bodies.Body{{Shape: bodies.Box{Size: [3]float64{1, 1, .01}}, Mass: mass,
					Position: [3]float64{0, 0, -.005}}}, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, -1}}})
		}
		for _, x := range []float64{.98, 1.02} {
			s := make(x * .5 * (4*pull - mass*10) / mass)
			run(t, s, 1e-2, 20)
			_, q, _, _ := s.State()
			if moved := math.Abs(q[0]) > 1e-8; moved != (x > 1) || math.Abs(q[2]+.005) > 1e-10 {
				t.Errorf("%g of what friction holds: at %v", x, q[:3])
			}
		}
	}
}

// TestResistanceReplays: boxes and balls that slide, spin and roll with moments, on a plate that turns
// and on each other: their steps are played again by their forces, and a run that goes on from a
// checkpoint has the same bits.
func TestResistanceReplays(t *testing.T) {
	thorough.Seconds(t)
	plate := along(nil, nil, nil)
	plate.Axis, plate.Angle = [3]float64{0, 0, 1}, ramp(t, []float64{0, 1}, []float64{0, 2})
	for k, x := range []multibody.Resistance{{Rolling: .01, Spinning: .02}, {Drilling: .03, Rolling: .002},
		{Adhesion: 2, Spinning: .01}, {Adhesion: 1, Drilling: .01}} {
		make := func() *rigid.Stepper {
			return onObstacles(t, 3, [3]float64{0, 0, -10}, resisting(.4, x), rigid.Options{Alpha: .5},
				[]bodies.Body{
					{Shape: bodies.Box{Size: [3]float64{.4, .3, .1}}, Mass: 1, Position: [3]float64{.1, 0, .05},
						Velocity: [3]float64{1, .5}, Spin: [3]float64{0, 0, 5}},
					{Shape: bodies.Sphere{R: .1}, Mass: .5, Position: [3]float64{.1, 0, .2},
						Velocity: [3]float64{1, .5}, Spin: [3]float64{0, 3, 5}},
				},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, Motion: plate})
		}
		if n := replays(t, make(), make(), 5e-3, 40); n < 25 {
			t.Errorf("resistance %d: %d of 40 steps are played again", k, n)
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

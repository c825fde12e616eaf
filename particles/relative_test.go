package particles_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
	"github.com/quasistatic/quasistatic/signal"
)

// relativeSystem has three particles that others are measured from, one on an obstacle that leans,
// with a shift, and a follower; energies are linear in their forces or not.
func relativeSystem(t *testing.T, linear, follows bool) *particles.System {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	half, err := particles.NewHalfSpace([3]float64{}, [3]float64{0.6, 0, 0.8})
	check(err)
	wave, err := signal.NewSine(0.1, 0.2, 0.7, 0.3)
	check(err)
	frames := []particles.Frame{particles.NoObstacle(), particles.Floor(), half.Frame(), particles.NoObstacle(), particles.NoObstacle()}
	var relative []particles.Relative
	for c := range 3 {
		relative = append(relative, particles.Relative{Dof: 6 + c, Own: 1.3,
			Terms: []particles.Term{{Dof: c, Weight: 0.7}, {Dof: 3 + c, Weight: 0.5, From: 0.3}, {Dof: 12 + c, Weight: -0.2}},
			Shift: []particles.Share{{Factor: float64(c) - 0.5, Signal: wave}, {Factor: 2, Signal: signal.Constant(0.3)}}})
		if follows {
			relative = append(relative, particles.Relative{Dof: 9 + c,
				Terms: []particles.Term{{Dof: c, Weight: 0.4}, {Dof: 3 + c, Weight: 0.6}}, Follower: 7})
		}
	}
	ref := make([]float64, 15)
	for i := range ref {
		ref[i] = math.Sin(float64(i))
	}
	k := particles.Stiffness{5, 1, 0, 1, 4, 0.5, 0, 0.5, 3}
	bonds, err := particles.NewBonds(ref, particles.Bond{I: 0, J: 2, Stiffness: k},
		particles.Bond{I: 2, J: 3, Stiffness: particles.Isotropic(2)}, particles.Bond{I: 3, J: 4, Stiffness: k},
		particles.Bond{I: 1, J: 4, Stiffness: particles.Isotropic(3)})
	check(err)
	tethers, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(1, 0, 1), Stiffness: k},
		particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 1), Stiffness: k})
	check(err)
	energies := []particles.Energy{bonds, tethers}
	if !linear {
		springs, err := particles.NewSprings(particles.Spring{I: 2, J: 1, Law: particles.Linear{K: 2, Rest: 0.6}},
			particles.Spring{I: 3, J: 2, Law: particles.Linear{K: 2, Rest: 0.4}})
		check(err)
		energies = append(energies, springs)
	}
	sys, err := particles.NewRelativeSystem(frames, relative, energies...)
	check(err)
	return sys
}

// TestRelative: derivatives of E in relative coordinates are those of differences, places are found
// from coordinates and back, and forces of a term are the gradient of its energy at the places.
func TestRelative(t *testing.T) {
	for _, linear := range []bool{true, false} {
		for _, follows := range []bool{false, true} {
			sys := relativeSystem(t, linear, follows)
			r := rand.New(rand.NewPCG(1, 2))
			for range 5 {
				z, x, back := make([]float64, 15), make([]float64, 15), make([]float64, 15)
				for i := range z {
					z[i] = r.NormFloat64()
				}
				if err := energytest.CheckSystem(sys, 0.4, z); err != nil {
					t.Errorf("linear %t, follows %t: %v", linear, follows, err)
				}
				sys.ToGlobalAt(0.4, x, z)
				sys.ToLocalAt(0.4, back, x)
				for i := range z {
					if follows && i/3 == 3 {
						continue // it has no effect on places
					}
					if p := sys.Position(0.4, i/3, z)[i%3]; math.Abs(back[i]-z[i]) > 1e-14 || math.Abs(p-x[i]) > 1e-14 {
						t.Errorf("dof %d: %g comes back as %g; position %g, want %g", i, z[i], back[i], p, x[i])
					}
				}
				if e, _ := sys.Value(0.4, z); !follows {
					sum := 0.0
					for _, f := range sys.Energies() {
						v, _ := f.Value(0.4, x)
						sum += v
					}
					if math.Abs(e-sum) > 1e-13*math.Abs(sum) {
						t.Errorf("E = %g, of the places %g", e, sum)
					}
				}
			}
		}
	}
}

// TestRelativeBounds: |∂t²DE| is below its bound, and nearly so at some time; forces that bend have none.
func TestRelativeBounds(t *testing.T) {
	sys := relativeSystem(t, true, true)
	bound, z := make([]float64, 15), make([]float64, 15)
	if !sys.TimeBound(bound, 2) || relativeSystem(t, false, true).TimeBound(make([]float64, 15), 2) {
		t.Fatal("want a bound where D²E is constant, and none else")
	}
	const h = 1e-3
	most := make([]float64, 15)
	var g [3][]float64
	for k := range g {
		g[k] = make([]float64, 15)
	}
	for time := 0.0; time < 2; time += 0.01 {
		for k := range g {
			sys.Gradient(g[k], nil, time+h*float64(k-1), z)
		}
		for i := range most {
			most[i] = max(most[i], math.Abs(g[0][i]-2*g[1][i]+g[2][i])/(h*h))
		}
	}
	for i, b := range bound {
		// The three components swing in phase: the sum of moduli is reached but for signs.
		if most[i] > b*(1+1e-4) || most[i] < 0.1*b {
			t.Errorf("dof %d: |∂t²DE| reaches %g, bound %g", i, most[i], b)
		}
	}
}

// TestRelativeRefused: coordinates that are measured from relative ones, twice, or from none.
func TestRelativeRefused(t *testing.T) {
	term := func(dof int) []particles.Term { return []particles.Term{{Dof: dof, Weight: 1}} }
	for _, list := range [][]particles.Relative{{{Dof: 0, Terms: term(0)}},
		{{Dof: 0, Terms: term(3)}, {Dof: 0, Terms: term(3)}}, {{Dof: 0, Terms: term(9)}}, {{Dof: 6, Terms: term(3)}},
		{{Dof: 0, Terms: term(3), Follower: 1}}, {{Dof: 0, Own: -1, Terms: term(3)}}} {
		if _, err := particles.NewRelativeSystem(particles.Floors(2), list); err == nil {
			t.Errorf("%v is taken", list)
		}
	}
}

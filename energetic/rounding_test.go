package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// far is the example play with all positions moved by x.
func far(t *testing.T, x float64) reference.Example {
	t.Helper()
	table, err := signal.NewTable([]float64{0, 1, 2}, []float64{x, x + 1, x - 1})
	if err != nil {
		t.Fatal(err)
	}
	anchor := particles.Path{table, signal.Constant(x), signal.Constant(-0.3)}
	tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: anchor, Stiffness: particles.Diagonal(2, 2, 5)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), tethers)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}})
	if err != nil {
		t.Fatal(err)
	}
	return reference.Example{Psi: psi, Start: []float64{x, x, 0}, Until: 2}
}

// TestFarFromTheOrigin: where forces are differences of large numbers, steps are
// solved to what their rounding leaves, and no further.
func TestFarFromTheOrigin(t *testing.T) {
	for _, x := range []float64{0, 1e3, -1e6, 1e9} {
		var last float64
		s := evolve(t, far(t, x), 200, lagged, func(n *energetic.Node) { last = n.Z[0] - x })
		// The play ends 0.3 behind the turning point -1; positions are rounded to 2⁻⁵³x.
		near(t, "end", last, -0.7, 1e-12+4e-16*math.Abs(x))
		// 1e-12 of the forces, 2 N/m times a few roundings
		if s.MaxForce > 1.5e-12+8e-15*math.Abs(x) {
			t.Errorf("x = %g: (DI) %g N", x, s.MaxForce)
		}
		if s.ForceScale > 1.5*(1+1e-6) {
			t.Errorf("x = %g: rounding counts as a force: %g N", x, s.ForceScale)
		}
	}
}

// TestTamperedFar: rounding excuses no more than it is.
func TestTamperedFar(t *testing.T) {
	const x = 1e6
	ex := far(t, x)
	var states [][]float64
	evolve(t, ex, 40, lagged, func(n *energetic.Node) { states = append(states, append([]float64(nil), n.Z...)) })
	for _, off := range []float64{0, 1e-7, -1e-8} {
		c, err := energetic.NewCertifier(ex.Psi, lagged)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Begin(context.Background(), 0, states[0]); err != nil {
			t.Fatal(err)
		}
		states[10][0] += off
		for k := 1; k < len(states); k++ {
			if err := c.Observe(context.Background(), ex.Until*float64(k)/40, states[k]); err != nil {
				t.Fatal(err)
			}
		}
		states[10][0] -= off
		if got := c.Summary().Certified; got != (off == 0) {
			t.Errorf("moved by %g: certified %v", off, got)
		}
	}
}

// TestUnloaded: particles that nothing pulls, on a slope whose rotation leaves
// forces of 1e-16 N, start, stand still and are taken by a load that comes later.
func TestUnloaded(t *testing.T) {
	slope, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0.6, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	for _, height := range []float64{0, 0.36} {
		frame := slope.Frame()
		at := frame.ToGlobal([3]float64{0.1, -0.2, height})
		tethers, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(at[0], at[1], at[2]),
			Stiffness: particles.Isotropic(2)})
		if err != nil {
			t.Fatal(err)
		}
		push, err := signal.NewTable([]float64{0, 0.5, 1}, []float64{0, 0, -3})
		if err != nil {
			t.Fatal(err)
		}
		loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.Path{signal.Constant(0), signal.Constant(0), push}})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem([]particles.Frame{frame}, tethers, loads)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.3}})
		if err != nil {
			t.Fatal(err)
		}
		ex := reference.Example{Psi: psi, Start: []float64{0.1, -0.2, height}, Until: 1}
		if a, err := assume.Examine(t.Context(), psi, ex.Start, assume.Options{}); err != nil ||
			a.N3.Verdict != assume.Holds || len(a.Members(particles.Contact)) > 0 {
			t.Errorf("height %g: %+v, %v", height, a, err)
		}
		var end []float64
		evolve(t, ex, 10, lagged, func(n *energetic.Node) {
			if n.T < 0.5 && n.K > 0 && n.SinceEvent == 0 {
				t.Errorf("height %g: an event at t=%g", height, n.T)
			}
			end = append(end[:0], n.Z...)
		})
		// At the end the load −3 e_z has the normal part −2.4 N and the tangential one
		// 1.8 N; the floor takes 2.4 − 2·height, friction at most 0.3 of it, and the
		// tether the rest. Lagged thresholds: those of t = 0.9 hold at the end.
		force := 0.3 * (2.4*0.8 - 2*height)
		if height == 0 {
			near(t, "slides by", math.Abs(end[1]+0.2), (1.8-force)/2, 1e-12)
		} else if end[2] != 0 {
			t.Errorf("stays at height %g", end[2])
		}
	}
}

// TestFloating: without any force a state is as good as all others, and stays.
func TestFloating(t *testing.T) {
	loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), loads)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	evolve(t, reference.Example{Psi: psi, Start: []float64{1, 2, 0.3}, Until: 1}, 3, lagged, func(n *energetic.Node) {
		if n.Z[2] != 0.3 {
			t.Errorf("t=%g: the particle is at height %g", n.T, n.Z[2])
		}
	})
}

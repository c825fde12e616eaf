package events_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// scene draws a net of particles in the plane x, z: springs that couple both axes, bonds,
// and loads that press and pull up and down. Numbers have two digits, so that their
// decimals are what they are.
func scene(t testing.TB, r *rand.Rand, mu float64) (psi *dissipation.Coulomb, z0 []float64) {
	n := 1 + r.IntN(5)
	digits := func(lo, hi float64) float64 { return math.Round(100*(lo+(hi-lo)*r.Float64())) / 100 }
	table := func(lo, hi float64) signal.Scalar {
		points := []float64{0, 0}
		for k := 1; k <= 6; k++ {
			points = append(points, float64(k), digits(lo, hi))
		}
		return ramp(t, points...)
	}
	z0 = make([]float64, 3*n)
	var tethers []particles.Tether
	var bonds []particles.Bond
	var loads []particles.Load
	for j := range n {
		z0[3*j] = float64(j)
		c := digits(-.4, .4)
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: particles.At(float64(j), 0, 0),
			Stiffness: particles.Stiffness{digits(1, 3), 0, c, 0, 1, 0, c, 0, digits(1, 3)}})
		loads = append(loads, particles.Load{Particle: j, Force: particles.Path{table(-3, 3), signal.Constant(0), table(-4, 1)}})
		if j > 0 {
			bonds = append(bonds, particles.Bond{I: j - 1, J: j, Stiffness: particles.Diagonal(digits(0, 2), 0, digits(0, 1))})
		}
	}
	a, err := particles.NewTethers(tethers...)
	if err != nil {
		t.Fatal(err)
	}
	b, err := particles.NewBonds(z0, bonds...)
	if err != nil {
		t.Fatal(err)
	}
	l, err := particles.NewLoads(loads...)
	if err != nil {
		t.Fatal(err)
	}
	return system(t, mu, z0, a, b, l), z0
}

// TestExact: the walk in float64 and that in ratios of integers meet the same events and
// states, and the latter proves each piece by (S), (DI) and (E).
func TestExact(t *testing.T) {
	const until = 6
	met, count, scenes := 0, 0, uint64(20)
	if thorough.Asked() {
		scenes = 1000
	}
	for seed := range scenes {
		r := rand.New(rand.NewPCG(seed, 7))
		psi, z0 := scene(t, r, 0.1*float64(r.IntN(8)))
		plane, err := events.NewPlane(psi, z0, until)
		if err != nil {
			t.Fatal(err)
		}
		form, err := plane.Exact(z0)
		if err != nil {
			t.Fatal(err)
		}
		x, err := events.NewIntegrator(form, 0)
		if err != nil {
			t.Fatal(err)
		}
		var exact []events.Event[events.Rational]
		err = events.Prove(context.Background(), x, events.Rational{}.Of(until), func() error {
			exact = append(exact, x.Changes()...)
			return nil
		})
		var jump *events.RateError
		if errors.As(err, &jump) {
			continue // (N4) fails
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w := walk(t, psi, z0, until)
		var list []events.Event[events.Real]
		if err := w.Integrate(context.Background(), until, func() error { list = append(list, w.Changes()...); return nil }); err != nil {
			t.Fatalf("seed %d: in float64: %v, exactly not", seed, err)
		}
		met++
		count += len(list)
		if len(list) != len(exact) {
			t.Errorf("seed %d: %d events, exactly %d", seed, len(list), len(exact))
			continue
		}
		for i, e := range list {
			f := exact[i]
			// Loads change by a few N/s, so that forces rounded at 1e-15 move events by that.
			if e.Contact != f.Contact || e.From != f.From || e.To != f.To || math.Abs(float64(e.Time)-f.Time.Float()) > 1e-12 {
				t.Fatalf("seed %d: event %d: %v, exactly %v", seed, i, e, f)
			}
		}
		for i, q := range w.Q() {
			if d := math.Abs(float64(q) - x.Q()[i].Float()); d > 1e-12 {
				t.Fatalf("seed %d: dof %d is off by %g", seed, i, d)
			}
		}
		near(t, "D", w.Dissipation(), x.Dissipation().Float(), 1e-12)
	}
	if met < int(scenes)*3/4 || count < 10*met {
		t.Errorf("%d scenes with %d events", met, count)
	}
}

package global_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// globally goes through the times by global minimisers and returns the jumps.
func globally(t *testing.T, psi *dissipation.Coulomb, z0 []float64, times []float64) (*global.Evolution, []*global.Jump) {
	t.Helper()
	g, err := global.Start(psi, 0, z0, incremental.Options{Threshold: incremental.Implicit})
	if err != nil {
		t.Fatal(err)
	}
	var jumps []*global.Jump
	for _, at := range times {
		if err := g.Advance(context.Background(), at, func(j *global.Jump) error { jumps = append(jumps, j); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return g, jumps
}

func linspace(until float64, n int) []float64 {
	list := make([]float64, n)
	for k := range list {
		list[k] = until * float64(k+1) / float64(n)
	}
	return list
}

// twoWells is the case two-wells in other units of length and force, at another origin and with
// another direction: a spring that pulls along (cos a, sin a).
func twoWells(t *testing.T, length, force, origin, angle float64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	k := force / length
	law, err := particles.NewPiecewise([]float64{length, 1.5 * length, 2.5 * length, 3 * length}, []float64{0, 2 * force, -force, force})
	if err != nil {
		t.Fatal(err)
	}
	e := [3]float64{math.Cos(angle), math.Sin(angle), 0}
	wall := [3]float64{origin, -origin, 0}
	across := particles.Stiffness{0, 0, 0, 0, 0, 0, 0, 0, 5 * k}
	for r := range 2 { // 5k across the way
		for c := range 2 {
			n := [2]float64{-e[1], e[0]}
			across[3*r+c] = 5 * k * n[r] * n[c]
		}
	}
	tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(wall[0], wall[1], 0), Stiffness: across})
	if err != nil {
		t.Fatal(err)
	}
	var rows [][3]float64
	for _, f := range []float64{0, 3, -.2} {
		rows = append(rows, [3]float64{f * force * e[0], f * force * e[1], -force})
	}
	path, err := particles.PiecewiseLinear([]float64{0, 1, 2}, rows)
	if err != nil {
		t.Fatal(err)
	}
	start := [3]float64{wall[0] + length*e[0], wall[1] + length*e[1], 0}
	floor, err := particles.NewHalfSpace(start, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	psi := reference.Model([]particles.Frame{floor.Frame()}, []dissipation.Matrix{dissipation.Isotropic{Mu: .5}},
		reference.Springs(particles.Spring{Anchor: particles.At(wall[0], wall[1], 0), Law: law}), tether,
		reference.Loads(particles.Load{Force: path}))
	return psi, []float64{0, 0, 0}
}

// TestTwoWells holds the Maxwell line of a spring with two wells: both jumps, in several units,
// places and directions. Times are met to the rounding of the positions.
func TestTwoWells(t *testing.T) {
	for _, c := range []struct{ length, force, origin, angle, tol float64 }{
		{1, 1, 0, 0, 1e-13}, {1e-6, 1, 0, .3, 1e-12}, {1e6, 1e-3, 0, 0, 1e-12}, {1, 1e6, 1000, 1, 1e-8},
	} {
		psi, z0 := twoWells(t, c.length, c.force, c.origin*c.length, c.angle)
		g, jumps := globally(t, psi, z0, linspace(2, 25))
		if len(jumps) != 2 {
			t.Fatalf("%v: %d jumps, want 2", c, len(jumps))
		}
		for i, want := range []float64{1. / 3, 1.9375} {
			j := jumps[i]
			if math.Abs(j.Time-want) > c.tol || math.Abs(j.Friction/(.875*c.force*c.length)-1) > c.tol {
				t.Errorf("%v: jump at t=%.16g taking %g J, want %.16g and %g", c, j.Time, j.Friction, want, .875*c.force*c.length)
			}
			if math.Abs(j.Residual()) > c.tol*c.force*c.length {
				t.Errorf("%v: (E) lacks %g J", c, j.Residual())
			}
		}
		if g.Stats.Proven != g.Stats.Nodes || g.Stats.Varies {
			t.Errorf("%v: %d of %d nodes proven, %s", c, g.Stats.Proven, g.Stats.Nodes, g.Stats.Reason)
		}
	}
}

// TestKlarbringGlobally: the floor presses by 1 − x/2, of which friction takes 5/2 J on the way to
// where it ends; the free state (2t − ½, t/2 − 1)/(7/4) has the energy −(2t² − t + 1)/(7/2), and
// both cost the same at t = (1 + √63)/4, before the fold at 5/2. No jump below the critical
// friction.
func TestKlarbringGlobally(t *testing.T) {
	build := func(mu float64) *dissipation.Coulomb {
		entries, err := particles.DenseEntries([][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}})
		if err != nil {
			t.Fatal(err)
		}
		force, err := particles.PiecewiseLinear([]float64{0, 3}, [][3]float64{{0, 0, -1}, {3, 0, -1}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := particles.NewQuadratic([]int{0}, []float64{0, 0, 0}, entries, force)
		if err != nil {
			t.Fatal(err)
		}
		return reference.Model(particles.Floors(1), []dissipation.Matrix{dissipation.Isotropic{Mu: mu}}, e)
	}
	g, jumps := globally(t, build(2.5), []float64{0, 0, 0}, linspace(3, 60))
	if len(jumps) != 1 {
		t.Fatalf("%d jumps, want 1", len(jumps))
	}
	// Simpson's rule is exact but at the kink, to 2^-44 of the way.
	if j := jumps[0]; math.Abs(j.Time-(1+math.Sqrt(63))/4) > 1e-10 || math.Abs(j.Friction-2.5) > 1e-10 || math.Abs(j.Residual()) > 1e-12 {
		t.Errorf("jump at t=%.12g taking %.12g J, residual %g", j.Time, j.Friction, j.Residual())
	}
	if !g.Stats.Varies {
		t.Error("friction varies on the way")
	}
	if _, jumps := globally(t, build(1.5), []float64{0, 0, 0}, linspace(3, 60)); len(jumps) != 0 {
		t.Errorf("below the critical friction: %d jumps at t=%g", len(jumps), jumps[0].Time)
	}
}

// TestSnapThroughGlobally: without friction the truss jumps as soon as it is loaded.
func TestSnapThroughGlobally(t *testing.T) {
	_, jumps := globally(t, truss(t, .6), []float64{0, 0, 1}, []float64{.01})
	if len(jumps) > 1 {
		t.Errorf("%d jumps, want one", len(jumps))
	}
}

// TestSearchOfMorseWell: wells of a Morse pair, so narrow that no force leads there, are found
// wherever they are, by the geometry of the case.
func TestSearchOfMorseWell(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 5 {
		d := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		l := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		far := particles.At(3*d[0]/l, 3*d[1]/l, 3*d[2]/l)
		tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(.1)})
		if err != nil {
			t.Fatal(err)
		}
		psi := reference.Model([]particles.Frame{particles.NoObstacle()}, nil, tether,
			reference.Springs(particles.Spring{Anchor: far, Law: particles.Morse{Depth: 3, Distance: .1, Decay: 40}}))
		z := []float64{0, 0, 0}
		r := search(t, psi, z, global.SearchOptions{})
		// The best point of the well is nearly the nearest: ½·.1·2.9².
		if want := 3 - .05*2.9*2.9; !r.Better || math.Abs(r.Gain-want) > 1e-4 {
			t.Errorf("towards %v: better %v, gain %g, want %g", d, r.Better, r.Gain, want)
		}
		p, err := global.NewProver(psi)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := p.Run(context.Background(), 0, z, 1e-9, nil)
		if err != nil || proof.Proven || proof.Better == nil {
			t.Errorf("branch and bound: %+v, %v", proof, err)
		}
		// At the well itself it gives up: all around the anchor, on a sphere, states cost nearly
		// the same.
	}
}

// TestProver compares branch and bound with a fine grid, for random springs of several laws, loads
// and friction.
func TestProver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	proven, better := 0, 0
	for trial := range 30 {
		law := randomLaw(t, rng)
		tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Stiffness{.2, 0, 0, 0, 3, 0, 0, 0, 3}})
		if err != nil {
			t.Fatal(err)
		}
		psi := reference.Model(particles.Floors(1), []dissipation.Matrix{dissipation.Isotropic{Mu: .4}}, tether,
			reference.Springs(particles.Spring{Anchor: particles.At(.3, .1, -.2), Law: law},
				particles.Spring{Anchor: particles.At(-2, 0, 0), Law: particles.Linear{K: .5, Rest: 1}}),
			reference.Loads(particles.Load{Force: particles.At(rng.NormFloat64(), .3*rng.NormFloat64(), -2)}))
		s, err := incremental.New(psi, 0, []float64{2 * rng.NormFloat64(), 0, 0}, incremental.Options{Threshold: incremental.Implicit})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Equilibrate(context.Background()); err != nil {
			continue
		}
		z := s.State()
		p, err := global.NewProver(psi)
		if err != nil {
			t.Fatal(err)
		}
		const margin = 1e-9
		proof, err := p.Run(context.Background(), 0, z, margin, nil)
		if err != nil {
			t.Fatal(err)
		}
		least := gridGain(psi, z)
		switch {
		case proof.Proven && least > proof.Margin:
			t.Errorf("trial %d, %T: proven in %d boxes, but the grid has %g J less", trial, law, proof.Boxes, least)
		case proof.Better != nil && gain(psi, z, proof.Better) <= margin:
			t.Errorf("trial %d: the better state is not better", trial)
		case proof.Proven:
			proven++
		case proof.Better != nil:
			better++
		default:
			t.Logf("trial %d, %T: %s", trial, law, proof.Reason)
		}
	}
	if t.Logf("%d proven, %d better", proven, better); proven < 15 || better < 4 {
		t.Errorf("%d proven and %d better of 30: the test says little", proven, better)
	}
}

func randomLaw(t *testing.T, rng *rand.Rand) particles.Law {
	switch rng.IntN(3) {
	case 0:
		return particles.Morse{Depth: 2 * rng.Float64(), Distance: .3 + rng.Float64(), Decay: 1 + 5*rng.Float64()}
	case 1:
		return particles.Linear{K: 2, Rest: 2 * rng.Float64()}
	}
	law, err := particles.NewPiecewise([]float64{.5, 1, 1.5 + rng.Float64(), 3},
		[]float64{rng.NormFloat64(), 1 + rng.Float64(), -rng.Float64(), 1})
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// gain is E(z) − E(y) − Ψ(z, y − z).
func gain(psi *dissipation.Coulomb, z, y []float64) float64 {
	g, v := make([]float64, 3), make([]float64, 3)
	psi.System.Gradient(g, nil, 0, z)
	for i := range v {
		v[i] = y[i] - z[i]
	}
	here, _ := psi.System.Value(0, z)
	there, _ := psi.System.Value(0, y)
	return here - there - psi.Value(0, g, z, v)
}

func gridGain(psi *dissipation.Coulomb, z []float64) float64 {
	most := math.Inf(-1)
	for i := -30; i <= 30; i++ {
		for k := -10; k <= 10; k++ {
			for h := range 6 {
				most = max(most, gain(psi, z, []float64{float64(i) / 5, float64(k) / 5, float64(h) / 5}))
			}
		}
	}
	return most
}

package energetic_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// pulled is a particle on a tether of stiffness diag(k, k, kn), whose end is at (a(t), 0,
// h(t)): in steps of any length it is stopped by play, by hand. Friction is μ(t)·rough(x).
type pulled struct {
	k, kn   float64
	mu      func(t float64) float64
	rough   func(x float64) float64
	a, h    func(t float64) float64
	x, z, n float64 // where it is, and μ(t) times the force that presses it
	lost    float64
}

// to makes a step: pressed, the particle is kept within μ(t)·rough(x)·N/k of the end, where x is
// after the step; lifted, it is there.
func (p *pulled) to(t float64) {
	a, h := p.a(t), p.h(t)
	n, z, x := p.mu(t)*p.kn*max(-h, 0), max(h, 0), a
	if h < 0 {
		x = p.x
		if off := a - p.x; math.Abs(off) > n*p.rough(p.x)/p.k {
			for range 200 { // contracts by half: see the amplitude
				x = a - math.Copysign(n*p.rough(x)/p.k, off)
			}
		}
	}
	if z == 0 && p.z == 0 {
		p.lost += 0.5 * (p.n + n) * p.rough(0.5*(x+p.x)) * math.Abs(x-p.x)
	}
	p.x, p.z, p.n = x, z, n
}

// TestTwin: where the evolution is known step by step, the measures are twice what it does in the
// parts of the steps beside what it does in the steps: what it dissipates, where it is at nodes; 2.4
// times where it is between them, and its friction; pressed, sliding, in the air, with friction
// that ages and friction that varies along the way, which is looked at in eighths of its waves.
func TestTwin(t *testing.T) {
	gauss := [3]float64{0.5 - math.Sqrt(3)/6, 0.5 + math.Sqrt(3)/6, 1}
	lifted := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := pulled{k: 1 + r.Float64(), kn: 1 + 4*r.Float64()}
		mu, ageing := 0.2+r.Float64(), 0.4*float64(seed%2)
		f, g, depth := 0.5+r.Float64(), 0.5+r.Float64(), 0.3+r.Float64()
		height := depth * 1.4 * r.Float64()
		p.a = func(t float64) float64 { return 2 * math.Sin(2*math.Pi*f*t) }
		p.mu = func(t float64) float64 { return mu * (1 + ageing*math.Sin(t)) }
		p.h = func(t float64) float64 { return height*math.Sin(2*math.Pi*g*t) - depth }
		// Half of what (N4) allows: μ N |rough'| <= k/2.
		const wave = 2.
		ripple := min(0.5, 0.5*p.k/(mu*p.kn*(depth+height)*2*math.Pi/wave)/(1+ageing)) * float64(seed/2%2)
		p.rough = func(x float64) float64 { return 1 + ripple*math.Sin(2*math.Pi*x/wave) }
		a, err := signal.NewSine(0, 2, f, 0)
		if err != nil {
			t.Fatal(err)
		}
		h, err := signal.NewSine(-depth, height, g, 0)
		if err != nil {
			t.Fatal(err)
		}
		tethers, err := particles.NewTethers(particles.Tether{Particle: 0,
			Anchor: particles.Path{a, signal.Constant(0), h}, Stiffness: particles.Diagonal(p.k, p.k, p.kn)})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(particles.Floors(1), tethers)
		if err != nil {
			t.Fatal(err)
		}
		var m dissipation.Matrix = dissipation.Isotropic{Mu: mu}
		if ripple > 0 {
			if m, err = dissipation.NewRippled(m, ripple, wave, [2]float64{1, 0}, 0); err != nil {
				t.Fatal(err)
			}
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{m})
		if err != nil {
			t.Fatal(err)
		}
		older, err := signal.NewSine(1, ageing, 0.5/math.Pi, 0)
		if err == nil && ageing > 0 {
			err = psi.SetFactors([]signal.Scalar{older})
		}
		if err != nil {
			t.Fatal(err)
		}
		e, err := energetic.Start(t.Context(), psi, make([]float64, 3), implicit)
		if err != nil {
			t.Fatal(err)
		}
		p.n = mu * p.kn * depth
		run, twin := p, p
		steps := 5 + r.IntN(40)
		lost, position, force := 0.0, 0.0, 0.0
		for k := 1; k <= steps; k++ {
			from, to := 2*float64(k-1)/float64(steps), 2*float64(k)/float64(steps)
			before := run
			run.to(to)
			if err := e.Step(t.Context(), to); err != nil {
				t.Fatal(err)
			}
			parts := gauss[:]
			if eighths := math.Ceil(8 * math.Abs(run.x-before.x) / wave); ripple > 0 && (run.z == 0 || before.z == 0) && eighths > 1 {
				parts = slices.Clone(parts)
				for k := 1.; k < eighths; k++ {
					parts = append(parts, k/eighths)
				}
				slices.Sort(parts)
			}
			for _, part := range parts {
				twin.to(from + part*(to-from))
				times := 2.
				if part < 1 {
					times = 2.4
				}
				position = max(position, times*math.Hypot(twin.x-before.x-part*(run.x-before.x), twin.z-before.z-part*(run.z-before.z)))
			}
			lost = max(lost, 2*math.Abs(twin.lost-e.Node().Dissipation))
			force = max(force, 2.4*p.k*math.Abs(twin.x-run.x))
			if run.z > 0 {
				lifted++
			}
		}
		got := map[string]float64{}
		for _, m := range e.Measures() {
			got[m.Name] = m.Value
		}
		// The twin's thresholds are consistent to 1e-6 of the forces, in each part.
		tolerance := 3e-6 * float64(3*steps) * max(p.k, 1) * (1 + p.kn)
		for name, want := range map[string]float64{"dissipation": lost, "position": position, "force": force} {
			if math.Abs(got[name]-want) > tolerance {
				t.Errorf("seed %d, %d steps: %s is %.9g, want %.9g", seed, steps, name, got[name], want)
			}
		}
	}
	if lifted < 20 {
		t.Errorf("%d nodes in the air, want more to see", lifted)
	}
}

// TestTwinSeesKinks: what a table does inside a step is in the measures, though nothing moves
// from node to node: a particle that is lifted by .1 m between them is .1 m from the polygon.
func TestTwinSeesKinks(t *testing.T) {
	h, err := signal.NewTable([]float64{0, 0.4, 0.5, 0.6, 1}, []float64{-1, -1, 0.1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	psi := driven(t, []particles.Frame{particles.Floor()}, 0.4, [3]float64{2, 2, 5},
		particles.Path{signal.Constant(0), signal.Constant(0), h})
	e, err := energetic.Start(t.Context(), psi, make([]float64, 3), implicit)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Step(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, m := range e.Measures() {
		if m.Name == "position" && math.Abs(m.Value-0.24) > 1e-9 {
			t.Errorf("%s, want 2.4 times 0.1 m", m.String())
		}
	}
}

// TestAccurateAtAllTimes: the end of a spring goes from 0 to 1 m, and what it pulls follows .24 m
// behind once it slides: on the steps that are chosen it is there at all times within the accuracy,
// where the onset falls amid a step, too.
func TestAccurateAtAllTimes(t *testing.T) {
	u, err := signal.NewTable([]float64{0, 1}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	psi := driven(t, []particles.Frame{particles.Floor()}, 0.4, [3]float64{2, 2, 4},
		particles.Path{u, signal.Constant(0), signal.Constant(-.3)})
	for _, accuracy := range []float64{1e-2, 1e-3} {
		o := implicit
		o.Accuracy = accuracy
		p, err := energetic.ChoosePartition(t.Context(), psi, make([]float64, 3), o, 1)
		if err != nil || !p.Accurate {
			t.Fatal(err, p.Reason)
		}
		e, err := energetic.Start(t.Context(), psi, make([]float64, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range p.Times[1:] {
			from, x := e.Node().T, e.Node().Z[0]
			if err := e.Step(t.Context(), to); err != nil {
				t.Fatal(err)
			}
			for part := range 100 {
				s := float64(part) / 100
				at := from + s*(to-from)
				if off := math.Abs(x + s*(e.Node().Z[0]-x) - max(0, at-.24)); off > accuracy*.76 {
					t.Fatalf("accurate to %g: %g m off at t = %g s, within the step from %g to %g s", accuracy, off, at, from, to)
				}
			}
		}
	}
}

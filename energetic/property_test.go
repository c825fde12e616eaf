package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// scene draws up to four particles on a floor or planes of their own, some bonded to
// each other, each on a tether whose end moves by sines or tables along its obstacle and
// across it, some under loads, with friction that is isotropic, orthotropic, varies along
// the way, or is none; in a unit of length of its own.
func scene(t *testing.T, rng *rand.Rand) reference.Example {
	t.Helper()
	uniform := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	n, unit := 1+rng.IntN(4), math.Pow(10, uniform(-3, 3))
	frames := make([]particles.Frame, n)
	var tethers []particles.Tether
	var bonds []particles.Bond
	var weights []particles.Load
	matrices := make([]dissipation.Matrix, n)
	z := make([]float64, 3*n)
	for j := range n {
		frames[j] = particles.Floor()
		if rng.IntN(3) == 0 {
			h, err := particles.NewHalfSpace([3]float64{uniform(-1, 1) * unit, uniform(-1, 1) * unit, 0},
				[3]float64{uniform(-1, 1), uniform(-1, 1), 1})
			must(err)
			frames[j] = h.Frame()
		}
		// The end of the tether, by components along t, o, n of the frame, scaled.
		local := make([]func(scale float64) signal.Scalar, 3)
		for c, amplitude := range [3]float64{1, 0.6, 0.15} {
			times, values := make([]float64, 5), make([]float64, 5)
			for k := range times {
				times[k] = float64(k) + uniform(0, 0.5)
				values[k] = uniform(-amplitude, amplitude) * unit
			}
			times[0], values[0] = 0, 0
			frequency, table := uniform(0.1, 0.6), rng.IntN(3) == 0
			local[c] = func(scale float64) signal.Scalar {
				if table {
					scaled := make([]float64, len(values))
					for k, v := range values {
						scaled[k] = scale * v
					}
					s, err := signal.NewTable(times, scaled)
					must(err)
					return s
				}
				s, err := signal.NewSine(0, scale*amplitude*unit, frequency, 0)
				must(err)
				return s
			}
		}
		depth := -uniform(0.1, 0.4) * unit
		f, path := &frames[j], make(particles.Path, 3)
		for c := range path {
			s, err := signal.NewSum(local[0](f.T[c]), local[1](f.O[c]), local[2](f.N[c]), signal.Constant(f.P[c]+depth*f.N[c]))
			must(err)
			path[c] = s
		}
		kt := uniform(1, 3)
		k := particles.Isotropic(kt)
		if f.N[2] == 1 {
			k = particles.Diagonal(kt, kt*uniform(0.8, 1.2), uniform(2, 6))
		}
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: path, Stiffness: k})
		if j > 0 && rng.IntN(2) == 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 1, Stiffness: particles.Isotropic(uniform(0.2, 1))})
		}
		if rng.IntN(4) == 0 { // a load that comes and goes beside the tether
			push := make(particles.Path, 3)
			frequency := uniform(0.1, 0.5)
			for c := range push {
				s, err := signal.NewSine(0, 0.2*unit*f.T[c]-0.3*unit*f.N[c], frequency, 0)
				must(err)
				push[c] = s
			}
			weights = append(weights, particles.Load{Particle: j, Force: push})
		}
		switch rng.IntN(5) {
		case 3: // friction that varies along t, slowly enough for (N4)
			base, err := dissipation.NewIsotropic(uniform(0.1, 0.4))
			must(err)
			m, err := dissipation.NewRippled(base, 0.2, 4*unit, [2]float64{1, 0}, 0)
			must(err)
			matrices[j] = m
		case 0:
			m, err := dissipation.NewOrthotropic([2]float64{uniform(0.1, 0.5), uniform(0.1, 0.5)}, [2]float64{math.Cos(1), math.Sin(1)})
			must(err)
			matrices[j] = m
		case 1, 2:
			m, err := dissipation.NewIsotropic(uniform(0.05, 0.6))
			must(err)
			matrices[j] = m
		}
	}
	energies := []particles.Energy{}
	e, err := particles.NewTethers(tethers...)
	must(err)
	energies = append(energies, e)
	if len(bonds) > 0 {
		x := make([]float64, 3*n)
		for j := range n {
			copy(x[3*j:], frames[j].P[:])
		}
		b, err := particles.NewBonds(x, bonds...)
		must(err)
		energies = append(energies, b)
	}
	if len(weights) > 0 {
		l, err := particles.NewLoads(weights...)
		must(err)
		energies = append(energies, l)
	}
	sys, err := particles.NewSystem(frames, energies...)
	must(err)
	psi, err := dissipation.New(sys, matrices)
	must(err)
	return reference.Example{Psi: psi, Start: z}
}

// TestCertifiedIsTrue: of random scenes, runs in a random number of steps that are certified,
// lagged or implicit, with γ or without, agree with a run that is five times as accurate, in
// positions and dissipation, to the accuracy; there are runs that are not, and they are among those
// that do not agree. By default the scenes end at t = ½, before the first knot of their tables or
// behind it, and up to a quarter of a period of their sines.
func TestCertifiedIsTrue(t *testing.T) {
	ctx, scenes, until := context.Background(), 2, 0.5
	if thorough.Asked() {
		scenes, until = 400, 4
	}
	const accuracy = 1e-2
	certified, refused, missed := 0, 0, 0
	worstPosition, worstDissipation := 0.0, 0.0
	for seed := range uint64(scenes) {
		rng := rand.New(rand.NewPCG(seed, 12))
		ex := scene(t, rng)
		ex.Until = until
		fine := implicit
		fine.Accuracy = accuracy / 5
		p, err := energetic.ChoosePartition(ctx, ex.Psi, ex.Start, fine, ex.Until)
		if err != nil || !p.Accurate {
			t.Fatalf("seed %d: %v, %s in %d steps", seed, err, p.Reason, len(p.Times))
		}
		o := []energetic.Options{implicit, lagged, implicit}[rng.IntN(3)]
		if rng.IntN(4) == 0 {
			o.Step.Rule.Gamma = math.Pow(10, -4*rng.Float64()) * 0.3
		}
		n := int(math.Pow(10, 2.3+1.3*rng.Float64()) * until / 4)
		e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := energetic.Start(ctx, ex.Psi, ex.Start, fine)
		if err != nil {
			t.Fatal(err)
		}
		size, off, next := 0.0, 0.0, 1
		for k := 1; k <= n; k++ {
			to := ex.Until * float64(k) / float64(n)
			if err := e.Step(ctx, to); err != nil {
				t.Fatal(err)
			}
			for ; next < len(p.Times) && p.Times[next] < to; next++ {
				if err := f.Step(ctx, p.Times[next]); err != nil {
					t.Fatal(err)
				}
				size = max(size, floats.Norm(f.Node().Z, math.Inf(1)))
			}
			if err := f.Step(ctx, to); err != nil {
				t.Fatal(err)
			}
			off = max(off, floats.Distance(e.Node().Z, f.Node().Z, math.Inf(1)))
			size = max(size, floats.Norm(f.Node().Z, math.Inf(1)))
		}
		s, d := e.Summary(), math.Abs(e.Node().Dissipation-f.Node().Dissipation)/max(f.Node().Dissipation, math.SmallestNonzeroFloat64)
		if f.Node().Dissipation == 0 && e.Node().Dissipation == 0 {
			d = 0
		}
		agrees := off <= 1.2*accuracy*size // the fine run is accurate to a fifth
		switch {
		case s.Certified:
			certified++
			worstPosition, worstDissipation = max(worstPosition, off/size), max(worstDissipation, d)
			if !agrees {
				t.Errorf("seed %d, %d steps, threshold %v, γ %g: certified, and off by %g of %g m", seed, n,
					o.Step.Threshold, o.Step.Rule.Gamma, off, size)
			}
			if d > 1.2*accuracy {
				t.Errorf("seed %d, %d steps, threshold %v, γ %g: certified, and the dissipation is off by %g of %g J",
					seed, n, o.Step.Threshold, o.Step.Rule.Gamma, d*f.Node().Dissipation, f.Node().Dissipation)
			}
		default:
			refused++
			if off <= accuracy/10*size && d <= accuracy/10 {
				missed++
			}
		}
	}
	t.Logf("%d certified, positions off by %.2g at most, dissipation by %.2g; %d refused, %d of them right to a tenth of the accuracy",
		certified, worstPosition, worstDissipation, refused, missed)
	if certified < scenes/10 || refused < scenes/10 || missed > refused/4 {
		t.Errorf("%d certified, %d refused, %d of them wrongly, of %d", certified, refused, missed, scenes)
	}
}

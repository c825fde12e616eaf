package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// scene draws up to four particles on a floor, some bonded to each other, each on a
// tether whose end moves by sines or a table along the floor and across it, with
// isotropic or orthotropic friction; in a unit of length of its own.
func scene(t *testing.T, rng *rand.Rand) reference.Example {
	t.Helper()
	uniform := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	n, unit := 1+rng.IntN(4), math.Pow(10, uniform(-3, 3))
	var tethers []particles.Tether
	var bonds []particles.Bond
	matrices := make([]dissipation.Matrix, n)
	z := make([]float64, 3*n)
	for j := range n {
		path := make(particles.Path, 3)
		for c, amplitude := range [3]float64{1, 0.6, 0.15} {
			if rng.IntN(3) == 0 {
				times, values := make([]float64, 5), make([]float64, 5)
				for k := range times {
					times[k] = float64(k) + uniform(0, 0.5)
					values[k] = uniform(-amplitude, amplitude) * unit
				}
				times[0], values[0] = 0, 0
				s, err := signal.NewTable(times, values)
				must(err)
				path[c] = s
				continue
			}
			s, err := signal.NewSine(0, amplitude*unit, uniform(0.1, 0.6), 0)
			must(err)
			path[c] = s
		}
		depth := signal.Constant(-uniform(0.1, 0.4) * unit)
		height, err := signal.NewSum(path[2], depth)
		must(err)
		path[2] = height
		kt := uniform(1, 3)
		k := particles.Diagonal(kt, kt*uniform(0.8, 1.2), uniform(2, 6))
		tethers = append(tethers, particles.Tether{Particle: j, Anchor: path, Stiffness: k})
		if j > 0 && rng.IntN(2) == 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 1, Stiffness: particles.Isotropic(uniform(0.2, 1))})
		}
		switch rng.IntN(4) {
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
		b, err := particles.NewBonds(z, bonds...)
		must(err)
		energies = append(energies, b)
	}
	sys, err := particles.NewSystem(particles.Floors(n), energies...)
	must(err)
	psi, err := dissipation.New(sys, matrices)
	must(err)
	return reference.Example{Psi: psi, Start: z, Until: 4}
}

// TestCertifiedIsTrue: of random scenes, runs in a random number of steps that are
// certified, lagged or implicit, with γ or without, agree with a run that is twenty
// times as accurate, in positions and dissipation, to a few times the accuracy; there
// are runs that are not, and they are among those that do not agree.
func TestCertifiedIsTrue(t *testing.T) {
	ctx, scenes := context.Background(), 20
	if os.Getenv("QUASISTATIC_LONG") != "" {
		scenes = 400
	}
	const accuracy = 1e-2
	certified, refused, missed := 0, 0, 0
	worstPosition, worstDissipation := 0.0, 0.0
	for seed := range uint64(scenes) {
		rng := rand.New(rand.NewPCG(seed, 12))
		ex := scene(t, rng)
		fine := implicit
		fine.Accuracy = accuracy / 20
		p, err := energetic.ChoosePartition(ctx, ex.Psi, ex.Start, fine, ex.Until)
		if err != nil || !p.Accurate {
			t.Fatalf("seed %d: %v, %+v", seed, err, p)
		}
		o := []energetic.Options{implicit, lagged, implicit}[rng.IntN(3)]
		if rng.IntN(4) == 0 {
			o.Step.Rule.Gamma = math.Pow(10, -4*rng.Float64()) * 0.3
		}
		n := int(math.Pow(10, 0.7+2.3*rng.Float64()))
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
		agrees := off <= 2*accuracy*size
		switch {
		case s.Certified:
			certified++
			worstPosition, worstDissipation = max(worstPosition, off/size), max(worstDissipation, d)
			if !agrees {
				t.Errorf("seed %d, %d steps, threshold %v, γ %g: certified, and off by %g of %g m", seed, n, o.Step.Threshold, o.Step.Rule.Gamma, off, size)
			}
			if d > 3*accuracy {
				t.Errorf("seed %d, %d steps, threshold %v, γ %g: certified, and the dissipation is off by %g of %g J", seed, n, o.Step.Threshold, o.Step.Rule.Gamma, d*f.Node().Dissipation, f.Node().Dissipation)
			}
		default:
			refused++
			if off <= accuracy/10*size && d <= accuracy/10 {
				missed++
			}
		}
	}
	t.Logf("%d certified, positions off by %.2g at most, dissipation by %.2g; %d refused, %d of them right to a tenth of the accuracy", certified, worstPosition, worstDissipation, refused, missed)
	if certified < scenes/5 || refused < scenes/5 || missed > refused/4 {
		t.Errorf("%d certified, %d refused, %d of them wrongly, of %d", certified, refused, missed, scenes)
	}
}

package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// turning is a particle on the floor under friction mu, on a tether that presses it down and stiffens,
// with a spring of a law, whose other end goes by sines from a place beside it.
func turning(t *testing.T, mu float64, law particles.Law, stiffening float64, start, amplitude [3]float64) reference.Example {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	path := make(particles.Path, 3)
	for c := range path {
		s, err := particles.Sine(start[c], amplitude[c], .5, 0)
		must(err)
		path[c] = s
	}
	springs, err := particles.NewSprings(particles.Spring{I: 0, Anchor: path, Law: law})
	must(err)
	down := particles.Tether{Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(3), Stiffening: stiffening}
	tethers, err := particles.NewTethers(down)
	must(err)
	sys, err := particles.NewSystem([]particles.Frame{particles.Floor()}, springs, tethers)
	must(err)
	m, err := dissipation.NewIsotropic(mu)
	must(err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{m})
	must(err)
	return reference.Example{Psi: psi, Start: make([]float64, 3), Until: 1}
}

// unheld runs an example in n steps, and returns the largest force along its obstacle that friction
// does not hold at 201 times of each, with what the run says of it.
func unheld(t *testing.T, ex reference.Example, n int) (worst float64, says energetic.Residuals, m []energetic.Measure) {
	t.Helper()
	ctx := context.Background()
	e, err := energetic.Start(ctx, ex.Psi, ex.Start, implicit)
	if err != nil {
		t.Fatal(err)
	}
	old, from := append([]float64(nil), ex.Start...), 0.0
	z, grad := make([]float64, len(old)), make([]float64, len(old))
	for k := 1; k <= n; k++ {
		to := ex.Until * float64(k) / float64(n)
		if err := e.Step(ctx, to); err != nil {
			t.Fatal(err)
		}
		for p := range 201 {
			s := float64(p) / 200
			for i := range z {
				z[i] = old[i] + s*(e.Node().Z[i]-old[i])
			}
			now := from + s*(to-from)
			ex.Psi.System.Gradient(grad, nil, now, z)
			a, b := ex.Psi.Excess(now, 0, max(grad[2], 0), z, [2]float64{grad[0], grad[1]})
			worst = max(worst, math.Hypot(a, b))
		}
		copy(old, e.Node().Z)
		from = to
	}
	return worst, e.Residuals()[0], e.Measures()
}

// TestProvenWhereSpringsTurn: where springs turn, pair potentials act and tethers stiffen, stability is
// proven between nodes; and the force that friction does not hold is then at no time of the polygon
// larger than the measure, which a tenth of the accuracy, twice for its halves, makes larger.
func TestProvenWhereSpringsTurn(t *testing.T) {
	laws := []particles.Law{particles.Linear{K: 2, Rest: .7}, particles.Cubic{K: 1, K3: 1, Rest: .5},
		particles.Morse{Depth: .5, Distance: 1, Decay: 2}, particles.LennardJones{Depth: .05, Distance: 1}}
	proven, slid := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 33))
		u := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
		ex := turning(t, u(.05, .5), laws[seed%4], u(0, 2), [3]float64{0, 0, -u(.9, 1.3)}, [3]float64{u(-1, 1), u(-1, 1), u(-.2, .1)})
		worst, says, m := unheld(t, ex, 5+rng.IntN(40))
		if says.Lost > 0 {
			slid++
		}
		if says.Sampled {
			continue
		}
		proven++
		if m[0].Name != "stability" || m[0].Basis != energetic.Proven {
			t.Errorf("seed %d: %s is %s", seed, m[0].Name, m[0].Basis)
		}
		if worst > says.Along.Force*(1+1e-9)+1e-12 || says.Along.Force > worst+.006*says.ForceAlong {
			t.Errorf("seed %d: friction does not hold %.9g N of %.9g N, %.9g N are proven", seed, worst, says.ForceAlong, says.Along.Force)
		}
	}
	if proven < 36 || slid < 5 {
		t.Errorf("%d of 40 proven, %d slide", proven, slid)
	}
}

// TestViolationHiddenBetweenNodes: the anchor (x, 0, −1) of a tether that stiffens goes to and fro. Its
// force on the particle is along the tether, so that |F_T| = |x| F_N, and friction holds it at the nodes
// and at nine places between, but not at the turning point amid those: the measure has it.
func TestViolationHiddenBetweenNodes(t *testing.T) {
	const amplitude, turning = .3, .347 // of the way from node to node; the places next to it are .25 and .444
	x, err := particles.Sine(0, amplitude, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	below := particles.At(0, 0, -1)
	below[0] = x
	tethers, err := particles.NewTethers(particles.Tether{Anchor: below, Stiffness: particles.Isotropic(3), Stiffening: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]particles.Energy{nil, {unknown{}}} {
		sys, err := particles.NewSystem([]particles.Frame{particles.Floor()}, append(more, tethers)...)
		if err != nil {
			t.Fatal(err)
		}
		m, err := dissipation.NewIsotropic(.985 * amplitude)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{m})
		if err != nil {
			t.Fatal(err)
		}
		worst, says, list := unheld(t, reference.Example{Psi: psi, Start: make([]float64, 3), Until: .25 / turning}, 1)
		stability := &list[0]
		if more == nil && (says.Sampled || says.Along.Force < worst || stability.Passed()) {
			t.Errorf("%.6g N of %.6g N are not held, the run says %.6g N, sampled: %t, passed: %t", worst,
				says.ForceAlong, says.Along.Force, says.Sampled, stability.Passed())
		}
		// where an energy bounds nothing the turning point is not seen, and the energy is named
		if more != nil && (!says.Sampled || !stability.Passed() || !strings.Contains(stability.What, "energy 0")) {
			t.Errorf("sampled: %t, passed: %t, %s", says.Sampled, stability.Passed(), stability.What)
		}
	}
}

// unknown is an energy without forces that says nothing of itself.
type unknown struct{}

func (unknown) Pattern(*particles.Pattern)                           {}
func (unknown) Value(float64, []float64) (e, rate float64)           { return 0, 0 }
func (unknown) Gradient(_, _ []float64, _ float64, _ []float64)      {}
func (unknown) Hessian(_ *particles.Hessian, _ float64, _ []float64) {}

package energetic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestFrictionOverSlip: a particle that goes forth and back four times is, at each node, where the
// return of one scalar has it, x = x₀ + d Δ with 2 (u − x) d = 1.5 μ(s + Δ), which has one Δ ≥ 0; what
// it has slipped is Σ Δ, the polygon dissipates 1.5 ∫μ ds, (S) holds at nodes, and the evolution is
// accurate though it turns between nodes.
func TestFrictionOverSlip(t *testing.T) {
	ex := reference.Wearing()
	mu := func(s float64) float64 { return max(0.4-0.1*min(s, 3), 0.1) + 0.05*min(max(s-3, 0), 2) }
	const n = 600
	x, s, lost, last := 0.0, 0.0, 0.0, 0.0
	sum := evolve(t, ex, n, implicit, func(n *energetic.Node) {
		u := math.Sin(2 * math.Pi * n.T)
		d := math.Copysign(1, u-x)
		excess := func(delta float64) float64 { return 2*d*(u-x-d*delta) - 1.5*mu(s+delta) }
		delta := 0.0
		if excess(0) > 0 {
			lo, hi := 0.0, 4.0
			for range 100 {
				if delta = (lo + hi) / 2; excess(delta) > 0 {
					lo = delta
				} else {
					hi = delta
				}
			}
		}
		const parts = 1000 // of the trapezoidal rule, whose cell the kink of μ lies in: 1e-8
		for k := range parts {
			lost += 1.5 * delta / parts * (mu(s+delta*float64(k)/parts) + mu(s+delta*float64(k+1)/parts)) / 2
		}
		x, s = x+d*delta, s+delta
		if math.Abs(n.Z[0]-x) > 1e-9 || math.Abs(n.Slipped[0]-s) > 1e-9 || n.Gap.Upper > 1e-12 || math.Abs(n.Dissipation-lost) > 1e-7 {
			t.Fatalf("t=%g: x = %.12g, slipped %.12g, dissipated %.9g, gap %g; want %.12g, %.12g, %.9g", n.T, n.Z[0],
				n.Slipped[0], n.Dissipation, n.Gap.Upper, x, s, lost)
		}
		last = n.T
	})
	if last != ex.Until || !sum.Certified || s < 5 {
		t.Errorf("ended at %g with %g m slipped: %+v", last, s, sum.First)
	}
}

// TestFrictionThatRisesSteeply: a particle that is drawn from rest by a spring of k = 2 N/m, with 1.5 N
// on it and μ = .2 + m s: 2 (u − x) = 1.5 (.2 + m x) in closed form, at ρ = 1.5 m/2 of what holds the slip
// up to 60, where thresholds that go half of the way to what they lead to do not settle.
func TestFrictionThatRisesSteeply(t *testing.T) {
	u, err := signal.NewTable([]float64{0, 1}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, rise := range []float64{1, 4, 8, 80} {
		psi := driven(t, []particles.Frame{particles.Floor()}, 0.2, [3]float64{2, 2, 5},
			particles.Path{u, signal.Constant(0), signal.Constant(-.3)})
		mu, err := dissipation.NewSlipping([]float64{0, 2}, []float64{.2, .2 + 2*rise})
		if err != nil {
			t.Fatal(err)
		}
		if psi, err = dissipation.New(psi.System, []dissipation.Matrix{mu}); err != nil {
			t.Fatal(err)
		}
		e, err := energetic.Start(t.Context(), psi, make([]float64, 3), implicit)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 37 { // the onset falls amid a step
			at := float64(k+1) / 37
			if err := e.Step(t.Context(), at); err != nil {
				t.Fatal(err)
			}
			if x, want := e.Node().Z[0], max(0, (2*at-.3)/(2+1.5*rise)); math.Abs(x-want) > 1e-9 {
				t.Fatalf("μ rises by %g a metre, t = %g s: x = %.12g, want %.12g m", rise, at, x, want)
			}
		}
		if s := e.Summary(); !s.Solved {
			t.Errorf("μ rises by %g a metre: %s", rise, s.First)
		}
	}
}

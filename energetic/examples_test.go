package energetic_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

var (
	lagged   = energetic.Options{}
	implicit = energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}}
)

func regularised(gamma float64) energetic.Options {
	return energetic.Options{Step: incremental.Options{Rule: dissipation.Rule{Gamma: gamma}}}
}

// evolve runs an example in n equal steps and returns its verdict; visit sees
// every node.
func evolve(t testing.TB, ex reference.Example, n int, o energetic.Options, visit func(*energetic.Node)) energetic.Summary {
	t.Helper()
	ctx := context.Background()
	e, err := energetic.Start(ctx, ex.Psi, ex.Start, o)
	if err != nil {
		t.Fatal(err)
	}
	if visit != nil {
		visit(e.Node())
	}
	for k := 1; k <= n; k++ {
		if err := e.Step(ctx, ex.Until*float64(k)/float64(n)); err != nil {
			t.Fatal(err)
		}
		if visit != nil {
			visit(e.Node())
		}
	}
	s := e.Summary()
	if !s.Solved {
		t.Errorf("not solved: %s", s.First)
	}
	return s
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g ± %g (off by %.3g)", what, got, want, tol, got-want)
	}
}

// exactGap is what a gap that the theory makes zero may be, over the energies.
const exactGap = 1e-12

// TestGapIsExactWhereTheorySays: (S) holds at the nodes for constant thresholds,
// for implicit ones, and where γ exceeds the change of σ over a step.
func TestGapIsExactWhereTheorySays(t *testing.T) {
	for name, c := range map[string]struct {
		ex reference.Example
		o  energetic.Options
	}{
		"play, constant":       {reference.Play(), lagged},
		"chain, constant":      {reference.Chain(8, 20), lagged},
		"anisotropic":          {reference.Anisotropic(), lagged},
		"net":                  {reference.Net(5, 5), lagged},
		"pulsing, implicit":    {reference.PlayPulsing(), implicit},
		"grazing, implicit":    {reference.Grazing(), implicit},
		"klarbring, implicit":  {reference.Klarbring(1.5), implicit},
		"ripple, implicit":     {reference.Ripple(2), implicit},
		"pulsing, large gamma": {reference.PlayPulsing(), regularised(0.05)},
		"grazing, large gamma": {reference.Grazing(), regularised(0.05)},
	} {
		t.Run(name, func(t *testing.T) {
			s := evolve(t, c.ex, 400, c.o, nil)
			if s.MaxGap > exactGap*s.EnergyScale || s.MaxStepGap > exactGap*s.EnergyScale {
				t.Errorf("gap %g, of the step %g, at energies of %g", s.MaxGap, s.MaxStepGap, s.EnergyScale)
			}
			if s.FellBack > 0 {
				t.Errorf("%d steps fell back", s.FellBack)
			}
			// The two-sided energy inequality of the incremental problem.
			if limit := exactGap * s.EnergyScale; s.MinUpper < -limit || s.MinLower < -limit {
				t.Errorf("upper estimate %g, lower estimate %g", s.MinUpper, s.MinLower)
			}
		})
	}
}

// TestObservedOrders halves the step: gap at nodes and residual of (E), the
// table of the reference sheet. A ratio 2^p means order p.
func TestObservedOrders(t *testing.T) {
	type orders struct{ gap, balance float64 } // 0: exact to roundoff
	for name, c := range map[string]struct {
		ex   reference.Example
		o    energetic.Options
		want orders
	}{
		"pulsing, lagged":       {reference.PlayPulsing(), lagged, orders{2, 1}},
		"grazing, no gamma":     {reference.Grazing(), lagged, orders{2, 1}},
		"klarbring, lagged":     {reference.Klarbring(1.5), lagged, orders{2, 1}},
		"ripple, lagged":        {reference.Ripple(2), lagged, orders{2, 1}},
		"ripple, implicit":      {reference.Ripple(2), implicit, orders{0, 2}},
		"anisotropic, implicit": {reference.Anisotropic(), implicit, orders{0, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			var last energetic.Summary
			for i, n := range []int{400, 800, 1600} {
				s := evolve(t, c.ex, n, c.o, nil)
				if i > 0 {
					t.Logf("n = %d: gap %.3e, ratio %.2f; balance %.3e, ratio %.2f", n, s.MaxGap, last.MaxGap/s.MaxGap,
						s.MaxBalance, last.MaxBalance/s.MaxBalance)
					checkOrder(t, "gap", last.MaxGap/s.MaxGap, c.want.gap)
					checkOrder(t, "balance", last.MaxBalance/s.MaxBalance, c.want.balance)
				}
				last = s
			}
		})
	}
}

// checkOrder allows a quarter of an order: events fall anywhere in a step.
func checkOrder(t *testing.T, what string, ratio, order float64) {
	t.Helper()
	if order > 0 && math.Abs(math.Log2(ratio)-order) > 0.25 {
		t.Errorf("%s: observed order %.2f, want %g", what, math.Log2(ratio), order)
	}
}

// TestDissipation compares with closed forms and integrals of the reference
// sheet.
func TestDissipation(t *testing.T) {
	at := func(ex reference.Example, n int, o energetic.Options, times ...float64) []float64 {
		var d []float64
		evolve(t, ex, n, o, func(node *energetic.Node) {
			if len(d) < len(times) && node.T >= times[len(d)]-1e-12 {
				d = append(d, node.Dissipation)
			}
		})
		return d
	}
	d := at(reference.Play(), 800, lagged, 1, 2)
	near(t, "play, first cycle", d[0], 1.5, 1e-12) // turning points are nodes: exact
	near(t, "play, second cycle", d[1]-d[0], 1.68, 1e-12)

	// Implicit thresholds: second order in smooth phases, and the two onsets of
	// slip a cycle fall inside a step, which leaves about h²·|x″| ~ 1e-6.
	d = at(reference.PlayPulsing(), 8000, implicit, 1, 2)
	near(t, "pulsing, first cycle", d[0], 1.812653147832, 2e-6)
	near(t, "pulsing, second cycle", d[1]-d[0], 2.028806471735, 2e-6)

	d = at(reference.Grazing(), 8000, implicit, 1)
	near(t, "grazing, a press phase", d[0], 0.04897853107, 2e-6)

	d = at(reference.Klarbring(1.5), 1200, implicit, 3)
	// lift-off at t = 2 is a node, the last contact step is exact; onset of order h²
	near(t, "klarbring", d[0], 1.5, 1e-5)

	d = at(reference.Anisotropic(), 12000, implicit, 3)
	near(t, "anisotropic", d[0], 1.2806681808, 1e-5) // first order in the turning of the direction
}

func TestLipschitz(t *testing.T) {
	// Play slides with |ẋ| <= 2π, c_lip; Klarbring with c_lip = 4, sharp.
	s := evolve(t, reference.Play(), 8000, lagged, nil)
	near(t, "play", s.MaxLipschitz, 2*math.Pi, 1e-3)
	s = evolve(t, reference.Klarbring(1.5), 1200, implicit, nil)
	near(t, "klarbring", s.MaxLipschitz, 4, 1e-9) // differences over h of positions exact to 1e-13
}

func TestUnstableStart(t *testing.T) {
	ex := reference.Play()
	ex.Start = []float64{1, 0, 0} // the spring pulls with 2 N, friction holds 0.6 N
	_, err := energetic.Start(context.Background(), ex.Psi, ex.Start, lagged)
	var unstable *energetic.UnstableError
	if !errors.As(err, &unstable) {
		t.Fatalf("got %v", err)
	}
	near(t, "force", unstable.Force, 1.4, 1e-12)
	near(t, "gap", unstable.Gap, 1.4*1.4/4, 1e-12) // ½F²/k
	e, err := energetic.Start(context.Background(), ex.Psi, ex.Start, energetic.Options{Equilibrate: true})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "settled", e.Node().Z[0], 0.3, 1e-12) // where the spring pulls with 0.6 N
	near(t, "moved", e.Settled, 0.7, 1e-12)
}

// TestTampered: a certifier that only sees positions finds what was changed.
func TestTampered(t *testing.T) {
	var times []float64
	var states [][]float64
	ex := reference.Chain(8, 20)
	evolve(t, ex, 200, lagged, func(n *energetic.Node) {
		times, states = append(times, n.T), append(states, append([]float64(nil), n.Z...))
	})
	certify := func() energetic.Summary {
		c, err := energetic.NewCertifier(ex.Psi, lagged)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Begin(context.Background(), times[0], states[0]); err != nil {
			t.Fatal(err)
		}
		for k := 1; k < len(times); k++ {
			if err := c.Observe(context.Background(), times[k], states[k]); err != nil {
				t.Fatal(err)
			}
		}
		return c.Summary()
	}
	if s := certify(); !s.Certified {
		t.Fatalf("untouched: %s", s.First)
	}
	for _, particle := range []int{0, 3, 7} { // sliding, about to slide, sticking inside the cone
		for _, change := range []float64{1e-3, -1e-6} {
			states[60][3*particle] += change
			if s := certify(); s.Certified {
				t.Errorf("particle %d moved by %g: not seen", particle, change)
			}
			states[60][3*particle] -= change
		}
	}
}

package contact_test

import (
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
)

// TestEnough: who asks ends any method at the first iterate that is taken, whatever its merit, and
// is asked of no iterate whose merit is far from the tolerance; who takes none changes no bit.
func TestEnough(t *testing.T) {
	const tol = 1e-6
	p := pile(t, 60, families.Parameters{Seed: 3, Mu: 0.3, Rest: true})
	for _, m := range contact.Methods() {
		var plain, never, enough contact.Result
		if m == contact.MethodLemke || contact.SolveLocal(t.Context(), p, &contact.Options{Tolerance: tol, Method: m}, nil, &plain) != nil {
			continue
		}
		asked := 0
		o := contact.Options{Tolerance: tol, Method: m, Enough: func(r []float64) bool {
			asked++
			u, residuals := make([]float64, len(r)), make([]float64, len(r)/3)
			// A hundred: the merit of scaled units against that of the problem.
			if merit, _ := p.Merit(u, residuals, r); len(r) != len(p.Q) || merit > 100*20*tol {
				t.Errorf("%v: asked of %d numbers of merit %g", m, len(r), merit)
			}
			return false
		}}
		err := contact.SolveLocal(t.Context(), p, &o, nil, &never)
		if err != nil || asked == 0 || never.Iterations != plain.Iterations || !slices.Equal(never.R, plain.R) {
			t.Errorf("%v: taken by none (%d asked): %v, %d iterations, %d without", m, asked, err, never.Iterations, plain.Iterations)
		}
		var taken []float64
		o.Enough = func(r []float64) bool {
			taken = append(taken[:0], r...)
			return true
		}
		err = contact.SolveLocal(t.Context(), p, &o, nil, &enough)
		if err != nil || enough.Status != contact.Converged || enough.Iterations > plain.Iterations ||
			!slices.Equal(enough.R, taken) || enough.Merit < plain.Merit {
			t.Errorf("%v: %v, %v after %d of %d iterations, merit %g of %g", m, err, enough.Status, enough.Iterations,
				plain.Iterations, enough.Merit, plain.Merit)
		}
		var ws contact.LocalWorkspace
		ws.WarmStart(taken)
		if contact.SolveLocal(t.Context(), p, &o, &ws, &enough) != nil || enough.Iterations != 0 || !slices.Equal(enough.R, taken) {
			t.Errorf("%v: a start that is enough takes %d iterations", m, enough.Iterations)
		}
	}
}

// TestSufficing: what is enough of a large pile ends its sweeps, in a fraction of what the
// tolerance takes; where nothing is, rounds of sweeps and regions end at the limit or with the
// solution.
func TestSufficing(t *testing.T) {
	const share = 1e-4
	p := pile(t, 1200, families.Parameters{Seed: 1, Mu: 0.3, Rest: true})
	u, residuals := make([]float64, len(p.Q)), make([]float64, len(p.Laws))
	o := contact.Options{Tolerance: share / 5, Method: contact.MethodWarm, MaxIterations: 2000, Enough: func(r []float64) bool {
		merit, _ := p.Merit(u, residuals, r)
		return merit <= share
	}}
	var res contact.Result
	if err := contact.SolveLocal(t.Context(), p, &o, nil, &res); err != nil ||
		!(res.Merit <= share && res.Merit > o.Tolerance) || res.Factors != 0 || res.Iterations > 400 {
		t.Errorf("%v, merit %g, %d iterations, %d factorisations", err, res.Merit, res.Iterations, res.Factors)
	}
	o.Enough, o.MaxIterations = func([]float64) bool { return false }, 900
	asked := 0.0
	o.Enough = func(r []float64) bool {
		merit, _ := p.Merit(u, residuals, r)
		asked = max(asked, merit)
		return false
	}
	if err := contact.SolveLocal(t.Context(), p, &o, nil, &res); (err == nil) != (res.Merit <= o.Tolerance) || res.Iterations > 2000 {
		t.Errorf("%v, merit %g, %d iterations", err, res.Merit, res.Iterations)
	}
	if !(asked > 100*o.Tolerance) { // sweeps are asked of from a thousand times the tolerance on, other methods from twenty
		t.Errorf("asked of merits up to %g", asked)
	}
}

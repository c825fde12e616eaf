package contact

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// degenerateSpace draws what degenerate draws in the plane: an integer W = GᵀG of any rank
// with 1 to 3 contacts, integer q and simple coefficients of friction.
func degenerateSpace(rng *rand.Rand) *Local {
	nc := 1 + rng.IntN(3)
	n := 3 * nc
	g := make([]float64, rng.IntN(n+1)*n)
	for k := range g {
		g[k] = float64(rng.IntN(5) - 2)
	}
	d := &Dense{D: 3, N: n, Val: make([]float64, n*n)}
	p := &Local{W: d, Q: make([]float64, n)}
	for i := range n {
		for j := range n {
			for k := 0; k < len(g); k += n {
				d.Val[i*n+j] += g[k+i] * g[k+j]
			}
		}
		p.Q[i] = float64(rng.IntN(5) - 2)
	}
	for range nc {
		p.Laws = append(p.Laws, Coulomb{Mu: []float64{0, 0.5, 0.5, 1, 2}[rng.IntN(5)]})
	}
	return p
}

// exactDistance is the largest distance of a contact to the law, with u = W r + q in
// rational arithmetic, of r as it is: the larger of the violation of the cone, of
// u_N ≥ 0, of r_N u_N = 0 as the smaller factor, and of friction as the smaller of
// ‖u_T‖ and ‖r_T + μ r_N u_T/‖u_T‖‖.
func exactDistance(p *Local, r []float64) (worst float64) {
	n, w := len(r), p.W.(*Dense).Val
	u := make([]float64, n)
	for i := range n {
		sum := new(big.Rat).SetFloat64(p.Q[i])
		for j := range n {
			sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(w[i*n+j]), new(big.Rat).SetFloat64(r[j])))
		}
		u[i], _ = sum.Float64()
	}
	for j := 0; j < n; j += 3 {
		mu := p.Laws[j/3].(Coulomb).Mu
		slip, rub := math.Hypot(u[j+1], u[j+2]), math.Hypot(r[j+1], r[j+2])
		worst = max(worst, -r[j], -u[j], min(math.Abs(r[j]), math.Abs(u[j])), rub-mu*r[j])
		if slip > 0 {
			worst = max(worst, min(slip, math.Hypot(r[j+1]+mu*r[j]*u[j+1]/slip, r[j+2]+mu*r[j]*u[j+2]/slip)))
		}
	}
	return worst
}

// TestVerdictsInSpace: what converged solves the problem to the tolerance in rational
// arithmetic, with reactions that are not far out; of what is infeasible, no method finds
// a solution from any of many starts; and hardly anything is undecided. In space there is no
// finite number of modes to enumerate.
func TestVerdictsInSpace(t *testing.T) {
	count, starts := 400, 2
	if thorough.Asked() {
		count, starts = 100000, 4
	}
	rng := rand.New(rand.NewPCG(201, 202))
	var solved, infeasible, undecided int
	for k := range count {
		p := degenerateSpace(rng)
		var res Result
		err := SolveLocal(context.Background(), p, nil, nil, &res)
		switch {
		case err == nil:
			solved++
			// The limit is 1e-6 of ‖ρ^½q‖, at most 6 here, over √ρ ≥ 1/6. Far reactions are many
			// times the inverse of the least eigenvalue of an integer W of this size.
			if e := exactDistance(p, res.R); !(e <= 5e-5) || num.Norm(res.R) > 1e5 {
				t.Errorf("problem %d: converged at a distance of %g with ‖r‖ = %g: %v", k, e, num.Norm(res.R), p)
			}
		case res.Status == Infeasible:
			infeasible++
			if k%7 == 0 {
				elsewhere(t, k, p, rng, starts)
			}
		default:
			undecided++
			elsewhere(t, k, p, rng, starts)
		}
	}
	t.Logf("%d problems: %d solved, %d without a solution, %d undecided", count, solved, infeasible, undecided)
	if undecided*100 > count {
		t.Errorf("%d of %d undecided", undecided, count)
	}
}

// elsewhere looks for a solution of a problem that the default did not solve.
func elsewhere(t *testing.T, k int, p *Local, rng *rand.Rand, starts int) {
	for _, m := range []Method{MethodNewton, MethodGaussSeidel, MethodProximal, MethodInterior} {
		for range starts {
			var ws LocalWorkspace
			start := make([]float64, len(p.Q))
			for i := range start {
				start[i] = 3 * rng.NormFloat64()
			}
			ws.WarmStart(start)
			var res Result
			if SolveLocal(context.Background(), p, &Options{Method: m, MaxIterations: 2000}, &ws, &res) == nil && num.Norm(res.R) < 1e5 {
				t.Errorf("problem %d is solvable: %v finds r = %v; W %v q %v laws %v", k, m, res.R, p.W.(*Dense).Val, p.Q, p.Laws)
				return
			}
		}
	}
}

// TestReactionsToInfinity: W = a aᵀ with a = (1, 0, 1), q = (−1, 0, 1) and μ = 1 leave
// u_T = (0, a·r + 1), so that a closed contact has a·r = 1, slips along o and has
// r = (x, t, 1 − x), which Coulomb's law wants as (x, 0, −x). With t = −√(2x) the distance
// to a complementary pair falls as √(8/x), and the power is 2 for every x: there is no
// solution, and reactions of 7e13 pass for one in any measure that they divide.
func TestReactionsToInfinity(t *testing.T) {
	p := &Local{
		W: &Dense{D: 3, N: 3, Val: []float64{1, 0, 1, 0, 0, 0, 1, 0, 1}}, Q: []float64{-1, 0, 1}, Laws: []Law{Coulomb{Mu: 1}},
	}
	x := float64(1 << 46)
	start := []float64{x, -math.Sqrt(2 * x), 1 - x}
	res := new(Result)
	res.Allocate(3, 1)
	copy(res.R, start)
	p.Assess(new([3]vec3), form.Steps(nil, p.W), res, form.DataFactor*form.LocalTolerance)
	if res.Merit > form.LocalTolerance || res.Primal > res.PrimalLimit {
		t.Errorf("merit %g, primal %g: the reactions are not what was meant", res.Merit, res.Primal)
	}
	// Q² ρ = 3: ρ = 1/(2/3), ‖q‖² = 2.
	if math.Abs(res.Gap-2.0/3) > 1e-6 || res.Passes(form.LocalTolerance) {
		t.Errorf("power %g with limit %g, want 2/3 and a limit far below", res.Gap, res.GapLimit)
	}
	for _, m := range form.Methods() {
		var ws LocalWorkspace
		ws.WarmStart(start)
		if err := SolveLocal(context.Background(), p, &Options{Method: m, MaxIterations: 3000}, &ws, nil); err == nil {
			t.Errorf("%v converged", m)
		}
	}
}

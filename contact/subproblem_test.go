package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSubproblems: the problems that outer iterations pose are solved, with the proximal term, with thresholds of the iterate, with
// cones and their frozen correction; and the problem itself is as it was after each method, whatever came of it.
func TestSubproblems(t *testing.T) {
	solved := map[string]int{}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 201))
		p := randomProblem(rng, 3, 5, 17, func() Law {
			return []Law{Coulomb{Mu: 0.5}, Coulomb{Mu: 0.2}, Frictionless{}, Associated{Mu: 0.3}}[rng.IntN(4)]
		})
		p.Laws[0], p.Laws[1] = Coulomb{Mu: 0.6}, Coulomb{Mu: 0.4}
		s := startRun(p, 1e-9)
		c, ws := s.c, s.ws
		n := c.nc
		kept := reduced{kind: slices.Clone(c.kind), mu: slices.Clone(c.mu), q: slices.Clone(c.q), blk: slices.Clone(c.blk)}
		same := func(what string) {
			t.Helper()
			if !slices.Equal(kept.kind, c.kind) || !slices.Equal(kept.mu, c.mu) || !slices.Equal(kept.q, c.q) || !slices.Equal(kept.blk, c.blk) {
				t.Fatalf("%s leaves another problem", what)
			}
		}
		center := make([]vec3, n)
		for j := range center {
			center[j] = vec3{rng.Float64(), 0.1 * rng.NormFloat64(), 0.1 * rng.NormFloat64()}
		}
		const alpha = 0.4
		copy(ws.r, center)
		outer := s.bestMerit
		if s.proximalRound(alpha, 1e-10) == Converged {
			solved["proximal"]++
			if !slices.Equal(ws.held.centre, center) {
				t.Error("another centre")
			}
			u := make([]vec3, n)
			c.velocity(u, ws.r)
			for j := range u {
				for k := range 3 {
					u[j][k] += alpha * (ws.r[j][k] - center[j][k])
				}
			}
			if m := c.meritAt(u, ws.r); m > 1e-8 { // in units of the q of that problem
				t.Errorf("problem %d: proximal problem with merit %g", seed, m)
			}
		}
		same("a proximal round")
		if s.bestMerit != outer {
			t.Error("the merit of a subproblem is kept")
		}
		// Tresca's problem with the thresholds μ r_N of the iterate.
		copy(ws.r, center)
		s.evaluate()
		u := slices.Clone(ws.u)
		status := s.trescaSolve(1e-10, 200)
		same("thresholds")
		if status == Converged {
			solved["tresca"]++
			q := &Local{W: p.W, Q: p.Q, Laws: slices.Clone(p.Laws)}
			for j := range q.Laws {
				if l, ok := q.Laws[j].(Coulomb); ok {
					q.Laws[j] = Tresca{Threshold: l.Mu * max(center[j][0], 0) * c.sigma[j] * c.q0}
				}
			}
			r := make([]float64, 3*n)
			c.expand(r, ws.r)
			if m := q.UnitFreeMerit(make([]float64, 3*n), r); m > 1e-8 {
				t.Errorf("problem %d: thresholds with merit %g", seed, m)
			}
		}
		// Associated cones with the correction of the iterate.
		copy(ws.u, u)
		s.tol = 1e-3 // merit goes as the root of the barrier
		status = s.coneSolve(60)
		s.tol = 1e-9
		same("cones")
		if status == Converged {
			solved["cones"]++
			v := make([]vec3, n)
			c.velocity(v, ws.r)
			worst := 0.0
			for j := range v {
				if kept.kind[j] == form.KindCoulomb {
					v[j][0] += c.mu[j] * math.Hypot(u[j][1], u[j][2])
				}
				x := vec3{ws.r[j][0] - v[j][0], ws.r[j][1] - v[j][1], ws.r[j][2] - v[j][2]}
				if kept.kind[j] == form.KindFrictionless {
					x = vec3{max(x[0], 0)}
				} else {
					Associated{Mu: c.mu[j]}.Project(&x, nil, &x)
				}
				for k := range 3 {
					worst = max(worst, math.Abs(x[k]-ws.r[j][k]))
				}
			}
			if worst > 1e-4 {
				t.Errorf("problem %d: cones with a residual of %g", seed, worst)
			}
		}
		for k, method := range []localMethod{(*localRun).proximal, (*localRun).fixedPoint, (*localRun).coneFixedPoint, (*localRun).kick, (*localRun).continuation, (*localRun).centredSweeps, (*localRun).centralPath, (*localRun).admm} {
			for _, limit := range []int{1, 3, 40} {
				copy(ws.r, center)
				s.bestMerit, s.iterations = num.Inf, 0
				if status := method(s, limit); status == Converged {
					if m := s.evaluate(); m > s.tol {
						t.Errorf("problem %d: method %d, limit %d: converged with merit %g", seed, k, limit, m)
					}
				}
				same("a method")
			}
		}
	}
	for what, least := range map[string]int{"proximal": 8, "tresca": 8, "cones": 3} { // the interior-point method by itself loses some to rounding
		if solved[what] < least {
			t.Errorf("%s: %d of 12 solved", what, solved[what])
		}
	}
}

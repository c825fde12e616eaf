package contact

import (
	"context"
	"github.com/quasistatic/quasistatic/internal/num"
	"math/rand/v2"
	"slices"
	"testing"
)

// splittingSteps runs a method on a problem and returns the residuals of its alternating directions and how many other steps
// there were.
func splittingSteps(p *Local, tol float64, run func(s *localRun) Status) (status Status, residuals []float64, others int) {
	s := startRun(p, tol)
	s.o = &Options{OnIteration: func(i Iteration) {
		if i.Solver == splittingName {
			residuals = append(residuals, i.Residual)
		} else {
			others++
		}
	}}
	status = run(s)
	return status, residuals, others
}

// TestSplittingRounds: the rounds are one sequence of iterates, to the last bit, whatever Newton's method does in between; the
// limit holds for both together.
func TestSplittingRounds(t *testing.T) {
	const never = -1 // a tolerance that no merit meets
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 77))
		p := randomProblem(rng, 3, 9, 14, func() Law { return Coulomb{Mu: 0.2 + rng.Float64()} })
		total := 0
		for _, n := range splittingRounds {
			total += n
		}
		status, whole, _ := splittingSteps(p, never, func(s *localRun) Status {
			lu := s.ws.factors(s.ctx)
			s.admmBegin(splittingRho)
			s.admmFactor(lu, splittingRho)
			return s.splittingRound(lu, total)
		})
		if status != IterationLimit || len(whole) != total {
			t.Fatalf("seed %d: %v after %d", seed, status, len(whole))
		}
		status, rounds, newton := splittingSteps(p, never, func(s *localRun) Status { return s.splitting(10 * total) })
		if status != NoProgress || newton == 0 || !slices.Equal(rounds, whole) {
			t.Errorf("seed %d: %v, %d steps and %d of Newton's method: the same %t", seed, status, len(rounds), newton, slices.Equal(rounds, whole))
		}
		for _, limit := range []int{1, splittingRounds[0] - 1, splittingRounds[0], splittingRounds[0] + 2} {
			status, rounds, newton := splittingSteps(p, never, func(s *localRun) Status { return s.splitting(limit) })
			if status != IterationLimit || len(rounds) != min(limit, splittingRounds[0]) || len(rounds)+newton != limit {
				t.Errorf("seed %d: %v after %d steps and %d of Newton's method, limit %d", seed, status, len(rounds), newton, limit)
			}
		}
		// A merit that the alternating directions reach leaves nothing to Newton's method.
		best := num.Inf
		splittingSteps(p, never, func(s *localRun) Status {
			status := s.splitting(splittingRounds[0])
			best = s.bestMerit
			return status
		})
		status, rounds, newton = splittingSteps(p, best, func(s *localRun) Status { return s.splitting(total) })
		if status != Converged || newton != 0 || len(rounds) > splittingRounds[0] || !slices.Equal(rounds, whole[:len(rounds)]) {
			t.Errorf("seed %d: %v after %d steps and %d of Newton's method", seed, status, len(rounds), newton)
		}
	}
}

// TestSplittingSolves: what Newton's method does not solve from zero in sixty steps it does from where the
// alternating directions end.
func TestSplittingSolves(t *testing.T) {
	at := cannonballs(5)
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 5))
		v := make([]float64, 6*len(at))
		for i := range v {
			v[i] = 0.3 * rng.NormFloat64()
		}
		p := spherePile(at, 1e-9, 0.5, v)
		var res, plain Result
		err := solveLocalBy(context.Background(), p, &Options{Method: MethodWarm, NoCertificate: true}, new(LocalWorkspace), &res, (*localRun).splitting)
		failed := solveLocalBy(context.Background(), p, &Options{Method: MethodWarm, NoCertificate: true, MaxIterations: 60}, new(LocalWorkspace), &plain, (*localRun).newton)
		t.Logf("seed %d, %d contacts: %v, %d steps, %d factorisations; newton alone: %v", seed, len(p.Laws), err, res.Iterations, res.Factors, failed)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestWarmSplits: from a thousand contacts on MethodWarm ends by alternating directions.
func TestWarmSplits(t *testing.T) {
	for _, c := range []struct {
		nc   int
		want bool
	}{{autoLarge - 1, false}, {autoLarge, true}} {
		rng := rand.New(rand.NewPCG(3, 3))
		w := &Blocks{D: 3, Ptr: []int{0}}
		p := &Local{W: w}
		for i := range c.nc { // none is coupled to another
			w.Col, w.Ptr = append(w.Col, i), append(w.Ptr, i+1)
			w.Val = append(w.Val, 1, .3, 0, .3, 1, 0, 0, 0, 1)
			p.Q = append(p.Q, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			p.Laws = append(p.Laws, Coulomb{Mu: 0.4})
		}
		_, steps, _ := splittingSteps(p, -1, func(s *localRun) Status { return s.warm(700) })
		if (len(steps) > 0) != c.want {
			t.Errorf("%d contacts: %d steps of alternating directions", c.nc, len(steps))
		}
	}
}

package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSplittingLooks: the residual of an iteration is the larger of ‖x − y‖ and ρ‖Δy‖; merits are looked at every twenty iterations, at the last one and where the solve has to stop, and nowhere else.
func TestSplittingLooks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 77))
	p := randomProblem(rng, 3, 9, 14, func() Law { return Coulomb{Mu: 0.2 + rng.Float64()} })
	const n = 65
	begin := func(tol float64) (*localRun, *blockLU) {
		s := startRun(p, tol)
		lu := s.ws.factors(s.ctx)
		s.admmBegin(splittingRho)
		s.admmFactor(lu, splittingRho)
		return s, lu
	}
	var merits, residuals []float64
	primals, duals := 0, 0
	s, lu := begin(-1)
	for range n {
		s.admmSolve(lu, splittingRho)
		primal, dual := s.admmProject(splittingRho)
		residuals = append(residuals, max(primal, dual))
		if merits = append(merits, s.evaluate()); primal > dual {
			primals++
		} else if dual > primal {
			duals++
		}
	}
	if primals == 0 || duals == 0 {
		t.Errorf("‖x − y‖ is the larger one %d times, ρ‖Δy‖ %d times", primals, duals)
	}
	for _, limit := range []int{7, 20, 33, n} {
		for _, most := range []int{20000, 19, 27} { // of the whole solve
			for _, tol := range []float64{-1, merits[6], merits[18], merits[19], merits[26], merits[39], merits[60], merits[n-1]} {
				want, end := IterationLimit, min(limit, most)
				for k := 1; k <= end; k++ {
					if (k%admmPeriod == 0 || k == end) && merits[k-1] <= tol {
						want, end = Converged, k
					}
				}
				var got []float64
				s, lu := begin(tol)
				s.limit = most
				s.o = &Options{OnIteration: func(x Iteration) {
					if got = append(got, x.Residual); x.Step != 1 || x.Solver != splittingName {
						t.Errorf("%+v", x)
					}
				}}
				if status := s.splittingRound(lu, limit); status != want || !slices.Equal(got, residuals[:end]) {
					t.Fatalf("limits %d and %d, tolerance %g: %v after %d, want %v after %d", limit, most, tol, status, len(got), want, end)
				}
			}
		}
	}
}

// TestSplittingEnds: the limit counts from where a solve has come to; where all of it is used up, or a number is none, Newton's method is not asked, and where that converges there is no other round.
func TestSplittingEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 77))
	p := randomProblem(rng, 3, 9, 14, func() Law { return Coulomb{Mu: 0.2 + rng.Float64()} })
	for _, c := range []struct {
		name           string
		tol            float64
		limit, before  int
		most           int
		spoil          bool
		want           Status
		steps, leaves  int
		newtonConverge bool
	}{
		{"after others", -1, 100, 10, 20000, false, IterationLimit, 100, 0, false},
		{"the solve ends after a round", -1, 5000, 0, splittingRounds[0], false, IterationLimit, splittingRounds[0], 0, false},
		{"the solve ends in a round", -1, 5000, 3, 40, false, IterationLimit, 37, 0, false},
		{"no number", -1, 5000, 0, 20000, true, NumericalFailure, 1, 0, false},
		{"converges", 1e-11, 5000, 0, 20000, false, Converged, splittingRounds[0], 1, true},
	} {
		status, steps, others := splittingSteps(p, c.tol, func(s *localRun) Status {
			s.iterations, s.limit = c.before, c.most
			if c.spoil {
				s.c.q[0][0] = math.NaN()
			}
			return s.splitting(c.limit)
		})
		if status != c.want || len(steps) != c.steps || (others > 0) != c.newtonConverge {
			t.Errorf("%s: %v after %d steps and %d of Newton's method", c.name, status, len(steps), others)
		}
	}
}

// TestInsideResiduals: the residual of a sweep is its change over the size of the reactions, if that is above one.
func TestInsideResiduals(t *testing.T) {
	p := spherePile(heap(24, 3), 0.03, 0.5, nil)
	for _, scale := range []float64{1e-3, 30} {
		begin := func() *localRun {
			s := startRun(p, 1e-9)
			s.freezeInside()
			for j := range s.ws.r {
				s.ws.r[j] = vec3{scale, .1 * scale, 0}
			}
			s.c.kappa = 1e-9
			return s
		}
		twin := begin()
		change, size := twin.sweep(slices.Clone(twin.ws.r))
		if scale == 30 && size < 2 || scale < 1 && size > .5 {
			t.Fatalf("scale %g: of the size %g", scale, size)
		}
		s := begin()
		s.limit = 1
		s.o = &Options{OnIteration: func(x Iteration) {
			if want := change / max(size, 1); x.Residual != want || x.Step != 1 {
				t.Errorf("scale %g: %+v, want %g", scale, x, want)
			}
		}}
		if status := s.sweepLevel(1e-9); status != IterationLimit || s.iterations != 1 {
			t.Errorf("%v after %d", status, s.iterations)
		}
	}
}

// TestCentredEnds: what a centre leaves of a limit is for its sweeps, one at least; a limit that is reached ends it, be the merit what was asked for by then; and where sweeps inside the cones are called off no centre is looked for.
func TestCentredEnds(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(75, 1)), 3, 8, 20, func() Law { return Coulomb{Mu: 0.6} })
	run := func(want, tol float64, limit int) (s *localRun, status Status, centres, sweeps int) {
		s = startRun(p, tol)
		s.want = want
		s.o = &Options{OnIteration: func(x Iteration) {
			if x.Solver == interiorName {
				centres++
			} else {
				sweeps++
			}
		}}
		for j := range s.ws.r {
			s.ws.r[j] = vec3{1, .2, -.3}
		}
		status = s.centredSweeps(limit)
		return s, status, centres, sweeps
	}
	_, _, steps, _ := run(1e-9, 1e-9, 20000)
	if steps < 3 || steps >= centredSteps {
		t.Fatalf("%d steps of the interior-point method", steps)
	}
	for _, limit := range []int{steps, steps - 1} { // the centre needs them all, and one more to find out
		if _, status, centres, sweeps := run(1e-9, 1e-300, limit); status != IterationLimit || centres != limit || sweeps != 1 {
			t.Errorf("limit %d: %v after %d steps and %d sweeps", limit, status, centres, sweeps)
		}
	}
	if _, status, centres, sweeps := run(1e-9, 1e-300, 0); status != IterationLimit || centres != 1 || sweeps != 1 {
		t.Errorf("no limit: %v after %d steps and %d sweeps", status, centres, sweeps)
	}
	for _, more := range []int{1, 5} {
		s, status, centres, sweeps := run(1, 1e-300, steps+more)
		if status != IterationLimit || centres != steps || sweeps != more || !(s.bestMerit < 1) {
			t.Errorf("%d more: %v after %d steps and %d sweeps, merit %g", more, status, centres, sweeps, s.bestMerit)
		}
	}
}

// TestCentredRoundsEnd: a round that does not halve the merit is the last one, and the third in any case, but for one more where the merit is twice what was asked for or less.
func TestCentredRoundsEnd(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(75, 1)), 3, 8, 20, func() Law { return Coulomb{Mu: 0.6} })
	const scale = 1e-20 // below what any merit is
	for _, c := range []struct {
		name   string
		merits []float64 // at the ends of rounds, times scale
		want   float64
		rounds int
	}{
		{"three", []float64{1, .4, .15, .05, .02}, 1e-3, 3},
		{"less than a half", []float64{1, .6, .3, .1, .04}, 1e-3, 2},
		{"about a half", []float64{1, .49, .3, .1, .04}, 1e-3, 3},
		{"close", []float64{1, .4, .15, .07, .03, .01}, .1, 4},
		{"not as close", []float64{1, .4, .15, .05, .02, .01}, .07, 3},
		{"close before", []float64{1, .14, .06, .02, .01}, .1, 4},
		{"close, and no better", []float64{1, .4, .15, .14, .05, .01}, .1, 4},
	} {
		s := startRun(p, 1e-300)
		s.want = c.want * scale
		rounds, inside := 0, false
		s.o = &Options{OnIteration: func(x Iteration) {
			if x.Solver == interiorName {
				if !inside {
					rounds++
				}
				inside = true
				return
			}
			inside = false
			s.bestMerit = c.merits[min(rounds, len(c.merits))-1] * scale
		}}
		if status := s.centredSweeps(100000); status != NoProgress || rounds != c.rounds {
			t.Errorf("%s: %v after %d rounds, want %d", c.name, status, rounds, c.rounds)
		}
	}
}

// TestIntoCones: the path begins √κ inside: above the plane and above what friction needs, and without friction along the normal; what is held stays.
func TestIntoCones(t *testing.T) {
	const kappa = 1e-4
	s := startRun(mixedPile(), 1e-9)
	c := s.c
	kinds, mu := slices.Clone(c.kind), slices.Clone(c.mu)
	var want []vec3
	for j := range s.ws.r {
		r := vec3{.3 * float64(j%5-2), .1 * float64(j%4), -.2 * float64(j%3)}
		s.ws.r[j] = r
		friction := c.mu[j]
		if kinds[j] == form.KindFrictionless {
			friction = 0
		}
		switch {
		case kinds[j] == form.KindBilateral:
		case friction == 0:
			r = vec3{max(r[0], 0) + .01}
		default:
			r[0] = max(r[0], 0, math.Hypot(r[1], r[2])/friction) + .01
		}
		want = append(want, r)
	}
	s.limit = 1
	if status := s.followInside(kappa); status != IterationLimit {
		t.Fatal(status)
	}
	for j, r := range s.ws.r {
		for d := range r {
			if !(math.Abs(r[d]-want[j][d]) <= 1e-15*10) {
				t.Errorf("contact %d of kind %d, μ = %g: begins at %v, want %v", j, kinds[j], mu[j], r, want[j])
				break
			}
		}
	}
	s = startRun(mixedPile(), 1e-9) // reactions out of hand, though each sweep changes them by a number
	s.freezeInside()
	for j := range s.ws.r {
		s.ws.r[j] = vec3{1e3 * math.Sqrt(runaway2)}
	}
	if status := s.sweepLevel(kappa); status != NumericalFailure || s.iterations != 1 {
		t.Errorf("out of hand: %v after %d", status, s.iterations)
	}
}

// TestPatientSweeps: sweeps after the centre of a very large pile are those with momentum.
func TestPatientSweeps(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(75, 2)), 3, 8, 20, func() Law { return Coulomb{Mu: 0.6} })
	s, twin := startRun(p, 1e-9), startRun(p, 1e-9)
	if status := s.patientSweeps(2000); status != Converged || twin.momentumWithin(2000, centredPatience, false) != status || !slices.Equal(s.ws.r, twin.ws.r) || s.iterations != twin.iterations {
		t.Errorf("%v after %d, and %d", status, s.iterations, twin.iterations)
	}
}

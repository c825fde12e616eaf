package contact

import (
	"context"
	"math"
)

const (
	autoFirst  = 4   // sweeps before the first look at the rate of Gauss-Seidel
	autoStart  = 12  // sweeps that prepare the first Newton phase
	autoNewton = 100 // Newton steps of a phase
	autoPoint  = 80  // steps of the interior-point phase
	autoCycles = 12  // cycles of sweeps and Newton; the sweeps double
	autoEager  = 0.3 // Newton's method is tried if its cost is below that of the sweeps by this factor or less
)

// SolveLocal solves a [Local] problem by whatever works, and is the solver to
// use. It sweeps by Gauss-Seidel as long as that promises to be cheaper than
// Newton's method, judged by the observed rate and by the operations of both;
// hands over to Newton's method; and, where that stalls, goes through
// [ConeFixedPoint], [ProximalNewton], [InteriorPoint] and cycles of more sweeps
// and Newton's method, each from the sweeps before. It ends when the merit passes, when the iterations
// run out, or when the cycles do; an unsolved problem is then searched for a
// certificate that no solution exists (see [Local.Certifies]).
func SolveLocal(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error {
	return solveLocal(ctx, p, o, ws, res, "auto", (*localRun).auto)
}

// final reports whether a verdict ends the solve.
func (s *localRun) final(status Status) bool {
	return status == Converged || status == Canceled || s.iterations >= s.limit
}

func (s *localRun) auto(limit int) Status {
	ws := s.ws
	status := s.autoSweeps()
	sweeps := autoStart
	for cycle := range autoCycles {
		if s.final(status) {
			return status
		}
		// Sweeps go on from the sweeps, not from where Newton strayed to.
		ws.spare = append(ws.spare[:0], ws.r...)
		if status = s.autoNewton(cycle); s.final(status) {
			return status
		}
		switch cycle {
		case 0:
			status = s.autoCold()
		case 1:
			status = s.stage(coneName, (*localRun).coneFixedPoint, s.limit)
		case 2:
			copy(ws.r, ws.spare)
			status = s.stage(proximalName, (*localRun).proximal, s.limit)
		case 3:
			status = s.autoInterior()
		}
		if s.final(status) {
			return status
		}
		if s.enough() {
			return Converged
		}
		copy(ws.r, ws.spare)
		sweeps *= 2
		status = s.stage(gaussSeidelName, (*localRun).gaussSeidel, sweeps)
	}
	return NoProgress
}

// autoSweeps sweeps until Newton's method is the better choice.
func (s *localRun) autoSweeps() Status {
	status := s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
	for total := autoFirst; status == IterationLimit && !s.final(status); {
		before := s.bestMerit
		status = s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
		total += autoFirst
		if s.final(status) || status != IterationLimit {
			break
		}
		rate := math.Log(before / s.bestMerit) // per autoFirst sweeps
		need := autoFirst * math.Log(s.bestMerit/s.tol) / max(rate, 1e-3)
		if total >= autoStart && need*s.sweepCost() > autoEager*s.newtonCost() {
			break
		}
	}
	return status
}

// sweepCost and newtonCost count products of blocks.
func (s *localRun) sweepCost() float64 {
	return 0.5*float64(len(s.c.col)) + 6*float64(s.c.nc)
}

// The fill is guessed: the decision must not depend on what the workspace knows.
func (s *localRun) newtonCost() float64 {
	n, nb := float64(s.c.nc), float64(len(s.c.col))
	factor := 1.5 * nb * nb / n
	return 6*(factor+3*nb+15*n) + 30*nb
}

// autoNewton runs both forms of Newton's method, in turn the one first and
// the other.
func (s *localRun) autoNewton(cycle int) Status {
	first, second := (*localRun).newton, (*localRun).naturalNewton
	if cycle%2 == 1 {
		first, second = second, first
	}
	status := s.stage(newtonName, first, autoNewton)
	if s.final(status) || cycle == 0 {
		return status
	}
	copy(s.ws.r, s.ws.spare)
	return s.stage(newtonName, second, autoNewton)
}

// autoCold starts Newton's method from zero: with little friction that is
// often a better start than a few sweeps.
func (s *localRun) autoCold() Status {
	clear(s.ws.r)
	status := s.stage(newtonName, (*localRun).newton, autoNewton)
	if s.final(status) {
		return status
	}
	return s.stage(newtonName, (*localRun).naturalNewton, autoNewton)
}

func (s *localRun) autoInterior() Status {
	status := s.stage(interiorName, (*localRun).interiorPoint, autoPoint)
	if s.final(status) || status == Unsolved {
		return status
	}
	copy(s.ws.r, s.ws.best)
	return s.stage(newtonName, (*localRun).naturalNewton, autoNewton)
}

package local

import (
	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	splittingName = "splitting"

	// splittingRho is ρ over the unit diagonal of W, splittingNewton the steps of Newton's method
	// after a round. Of 23 problems of 280 to 470 contacts of a pile of 200 spheres in motion,
	// which Newton's method had not solved from the step before, ρ of .02 and .035 solved 20 and
	// 18.
	splittingRho    = 0.02
	splittingNewton = 30
)

// splittingRounds are the iterations before Newton's method is tried.
var splittingRounds = [...]int{150, 150, 300}

// splitting solves a problem in motion by rounds of [localRun.admm] with one ρ, each followed by
// Newton's method from where it has ended. Sweeps hardly move chains of contacts, and Newton's
// method stands still where too many states are wrong. A small ρ leaves reactions free to move as
// far as the chains are long, so that merits are large for long, but states are nearly those of a
// solution by then. A round is one factorisation, and its iterations are two triangular solves
// each.
func (s *localRun) splitting(limit int) form.Status {
	ws := s.ws
	lu := ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	end := s.iterations + limit
	s.admmBegin(splittingRho)
	for _, steps := range splittingRounds {
		s.admmFactor(lu, splittingRho)
		status := s.splittingRound(lu, min(steps, end-s.iterations))
		if status != form.IterationLimit || s.iterations >= min(end, s.limit) {
			return status
		}
		y, w := append(ws.split.y[:0], ws.r...), append(ws.split.w[:0], ws.f...)
		ws.split = split{y, w}
		status = s.newtonAs(min(splittingNewton, end-s.iterations), true, &newtonLonger)
		if s.final(status) || s.iterations >= end {
			return status
		}
		copy(ws.r, y)
		copy(ws.f, w)
	}
	return form.NoProgress
}

// split keeps the iterates of a round.
type split struct{ y, w []vec3 }

// splittingRound goes on with ρ as it is.
func (s *localRun) splittingRound(lu *block.LU, limit int) form.Status {
	for k := 1; k <= limit; k++ {
		s.admmSolve(lu, splittingRho)
		primal, dual := s.admmProject(splittingRho)
		status, stop := s.step(splittingName, max(primal, dual), 1)
		if num.Bad(primal) {
			return form.NumericalFailure
		}
		if k%admmPeriod == 0 || k == limit || stop {
			if s.evaluate() <= s.tol {
				return form.Converged
			}
		}
		if stop {
			return status
		}
	}
	return form.IterationLimit
}

package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// trescaPointOptions are the numbers of the fixed point over Tresca's thresholds.
type trescaPointOptions struct {
	inner   int     // sweeps or Newton steps on one Tresca problem
	factor  float64 // an inner problem is solved to this part of the outer residual
	outside int     // outer iterations
}

// trescaPointDefault are the values of all solves.
var trescaPointDefault = trescaPointOptions{
	inner:   200,
	factor:  0.1,
	outside: 500,
}

// fixedPoint solves a [form.Local] problem by a sequence of convex ones:
// Coulomb's law becomes Tresca's with the threshold μ r_N of the last
// iterate, any other law keeps its correction g frozen. The map is a
// contraction for small friction ([DoyenErn11], Theorem 4; [PangKumarSong05], Lemma 4);
// for large friction it may cycle, with the verdict NoProgress.
func (s *localRun) fixedPoint(limit int) form.Status {
	least, stale, end := num.Inf, 0, s.iterations+limit
	for range trescaPointDefault.outside {
		m := s.evaluate()
		if m <= s.tol {
			return form.Converged
		}
		if num.Bad(m) {
			return form.NumericalFailure
		}
		if stale++; m < newtonGain*least {
			least, stale = m, 0
		}
		if stale > newtonDefault.patience {
			return form.NoProgress
		}
		if status := s.trescaSolve(max(trescaPointDefault.factor*m, 0.1*s.tol),
			min(limit, trescaPointDefault.inner)); status == form.Canceled || s.iterations >= s.limit {
			s.evaluate()
			return status
		}
		if s.iterations >= end {
			return form.IterationLimit
		}
	}
	return form.NoProgress
}

// trescaSolve solves the convex problem of the present thresholds to tol.
func (s *localRun) trescaSolve(tol float64, limit int) form.Status {
	ws, c := s.ws, s.c
	c.hold(&ws.held)
	for j, kind := range c.Kind {
		switch kind {
		case form.KindCoulomb:
			c.Mu[j] *= math.Max(ws.r[j][0], 0)
			c.Kind[j] = form.KindTrescaOf
		case form.KindPyramid:
			c.freeze(j, &ws.u[j], form.KindPyramidFrozen)
		case form.KindGeneral:
			c.freeze(j, &ws.u[j], form.KindFrozen)
		}
	}
	status := s.subproblem(tol, func() form.Status {
		status := s.gaussSeidel(min(limit, 20))
		if status == form.IterationLimit && s.iterations < s.limit {
			status = s.naturalNewton(limit)
		}
		return status
	})
	c.release(&ws.held)
	return status
}

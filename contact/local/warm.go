package local

import "github.com/quasistatic/quasistatic/contact/form"

// warmSteps are the steps that Newton's method has before sweeps take over: from the solution of the
// last time step it either converges in a few dozen or not at all.
const warmSteps = 60

// warm solves a problem from the solution of a similar one: of a pile in motion, that of the last
// time step. From one step to the next a few contacts change between open, stick and slip, and on the
// way to the new states the residual of Newton's method grows before it falls. The line search must
// allow that: with one that compares with the worst of the last 20 residuals and a regularisation ε
// that starts at 1e-2 ([newtonWarm]), 153 of 176 problems of a pile that settles (100 to 170 contacts)
// were solved, with the six residuals and the 1e-6 of [newtonDefault] 131. What it leaves, Gauss-Seidel
// with momentum solves from the best iterate.
//
// Problems of a thousand contacts and more whose caller accepts a loose solution, see
// [form.Options.Enough], have the sweeps alone: they reach the first digits as fast as any method, and
// one costs a two-hundredth of a factorisation.
func (s *localRun) warm(limit int) form.Status {
	end := s.iterations + limit
	if s.o.Enough == nil || !s.c.large() {
		status := s.newtonAs(min(limit, warmSteps), true, &newtonWarm)
		if s.final(status) || s.iterations >= end {
			return status
		}
		copy(s.ws.r, s.ws.best)
	} else {
		s.sweeping = true
		defer func() { s.sweeping = false }()
	}
	return s.momentumSweeps(end - s.iterations)
}

package local

import "github.com/quasistatic/quasistatic/contact/form"

// warmSteps are those of Newton's method before sweeps: what it solves from the solution of the step
// before it solves in a few dozen.
const warmSteps = 60

// warm solves a problem from the solution of a similar one, that of the step before: piles in
// motion. A few contacts change their states in each step, and Newton's method has to go through
// points that are worse to find them: in Alart and Curnier's form, with a line search that remembers
// 20 steps and a regularisation that starts at 1e-2 ([newtonWarm]), it solved 153 of 176 problems of
// 100 to 170 contacts of a pile that settles, where a memory of six and ε = 1e-6 solved 131. Sweeps
// with momentum go on from there. Of a thousand contacts whose solution is judged by the caller, see
// [form.Options.Enough], they come first: far from the last digits a sweep does as much as anywhere,
// and costs a two-hundredth of a factorisation.
func (s *localRun) warm(limit int) form.Status {
	end := s.iterations + limit
	if s.o.Enough == nil || !s.large() {
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

package local

const (
	// enoughFrom times the tolerance is the merit from which on [form.Options.Enough] is asked,
	// enoughFar that of sweeps: Newton's steps are few once they are near, and what they end
	// with is then far better than what is asked for.
	enoughFrom, enoughFar = 20, 1000
)

// suffices calls Options.Enough, the caller's own test, near the tolerance; if it accepts the
// iterate, of merit m, this becomes the best.
func (s *localRun) suffices(m float64) bool {
	if s.o.Enough == nil || s.ws.judge != nil || s.within > 0 || !(m <= s.askFrom()*s.want) {
		return false
	}
	s.c.Expand(s.res.R, s.ws.r)
	if s.enough = s.o.Enough(s.res.R); s.enough {
		s.bestMerit = m
		copy(s.ws.best, s.ws.r)
	}
	return s.enough
}

// askFrom is the factor of the tolerance from which Options.Enough is asked.
func (s *localRun) askFrom() float64 {
	if s.sweeping {
		return enoughFar
	}
	return enoughFrom
}

package dynamics

// stops reports whether a contact of a rigid patch stops, in the step just solved, what moved at its
// start: it presses what approached, holds what slid, or turns a slip round. The law of [Pang05],
// (16), is one of v^θ = θv + (1−θ)v': with v^θ = 0 it leaves v' = −θ/(1−θ) v, a rebound that no
// law says, and a sticking contact that goes to and fro. A stop is inelastic. So such a step is
// made anew with θ = 0, as impulsive parts of a motion are by time-stepping schemes; the order of a
// step with a jump is one in any case.
func (s *Stepper) stops() bool {
	if s.step.Theta == 0 {
		return false
	}
	dim, c := s.dim, &s.contacts
	s.before = grow(s.before, dim*c.elements())
	clear(s.before)
	c.relative(s.before, s.now.V)
	limit := slideSpeed * max(infNorm(s.before), infNorm(s.local.b[:len(s.before)])) // as that of count
	limit = max(limit, 64*0x1p-53*max(infNorm(s.now.V), infNorm(c.drive)))           // rounding of sums of steps
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch.k != nil {
			continue // its springs do
		}
		for e := p.first; e < p.last; e++ {
			u, now := s.before[dim*e:dim*e+dim], s.next.Slip[dim*e:dim*e+dim]
			switch s.states[e] {
			case Open:
				continue
			case Stick:
				if slides(u, limit) {
					return true
				}
			case Slide:
				along := 0.0
				for k := 1; k < dim; k++ {
					along += u[k] * now[k]
				}
				if along < 0 && slides(u, limit) && slides(now, limit) {
					return true
				}
			}
			if u[0] < -limit {
				return true
			}
		}
	}
	return false
}

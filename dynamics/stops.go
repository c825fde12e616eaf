package dynamics

// stops reports whether a contact of a rigid patch stops, in the step just solved, what moved at its
// start: it presses what approached, or its friction drives on what it had to bring to rest.
//
// The law of [Pang05], (16), is one of v^θ = θv + (1−θ)v'. With v^θ = 0 along the normal it leaves v'
// = −θ/(1−θ) v, a rebound that no law says; and where a slip ends within the step, friction by the
// direction of v^θ turns it round, by as much at all steps that end there. A stop is inelastic, and
// rests: such a step is made anew with θ = 0, as impulsive parts of a motion are by time-stepping
// schemes. The order of a step with a kink is one in any case.
func (s *Stepper) stops() bool {
	if s.step.Theta == 0 {
		return false
	}
	dim, c := s.dim, &s.contacts
	n := dim * c.elements()
	s.ends = grow(s.ends, 2*n)
	clear(s.ends)
	before, after := s.ends[:n], s.ends[n:]
	c.relative(before, s.now.V)
	c.relative(after, s.next.V)
	limit := slideSpeed * max(infNorm(before), infNorm(s.local.b[:n]))     // as that of count
	limit = max(limit, 64*0x1p-53*max(infNorm(s.now.V), infNorm(c.drive))) // rounding of sums of steps
	for i := range c.patches {
		p := &c.patches[i]
		for e := p.first; e < p.last && p.patch.k == nil; e++ {
			u, slip := after[dim*e:dim*e+dim], s.next.Slip[dim*e:dim*e+dim]
			switch {
			case s.states[e] == Open:
			case before[dim*e] < -limit, s.states[e] == Slide && slides(u, limit) && turned(u, slip):
				return true
			}
		}
	}
	return false
}

// turned reports whether a speed at the end of a step is against the slip, of which friction is.
func turned(end, slip []float64) bool {
	along := 0.0
	for k := 1; k < len(slip); k++ {
		along += end[k] * slip[k]
	}
	return along < 0
}

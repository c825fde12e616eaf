package dynamics

// stops reports whether a contact stops, in the step just solved, what moved at its start: a rigid
// patch presses what approached, or its friction drives on what it had to bring to rest; a compliant
// one turns round what has just met it, as its swing takes less than two steps.
//
// The law of [Pang05], (16), is one of v^θ = θv + (1−θ)v'. With v^θ = 0 along the normal it leaves v'
// = −θ/(1−θ) v, a rebound that no law says; and where a slip ends within the step, friction by the
// direction of v^θ turns it round, by as much at all steps that end there. A stop is inelastic, and
// rests: such a step is made anew with θ = 0, as impulsive parts of a motion are by time-stepping
// schemes. The order of a step with a kink is one in any case. A compliant patch is one for such a
// step: for h²k/m → ∞ v^θ = 0 leaves the same rebound, whatever its damper takes. The energy that the
// implicit step takes of it instead is the scheme's, by which it is judged.
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
		rigid := p.patch.k == nil
		for e := p.first; e < p.last; e++ {
			u, slip := after[dim*e:dim*e+dim], s.next.Slip[dim*e:dim*e+dim]
			switch {
			case s.states[e] == Open:
			case before[dim*e] < -limit && (rigid || u[0] >= 0 && s.meets(p, e)):
				return true
			case rigid && s.states[e] == Slide && slides(u, limit) && turned(u, slip):
				return true
			}
		}
	}
	return false
}

// meets reports whether an element of a patch carried less than half as much in the step before. One
// that turns round what it met some steps ago carries about as much then.
func (s *Stepper) meets(p *placed, e int) bool {
	first, last := s.now.Patch(p.key)
	at := first + s.dim*(e-p.first)
	return at >= last || s.now.Lambda[at] < s.next.Lambda[s.dim*e]/2
}

// turned reports whether a speed at the end of a step is against the slip, of which friction is.
func turned(end, slip []float64) bool {
	along := 0.0
	for k := 1; k < len(slip); k++ {
		along += end[k] * slip[k]
	}
	return along < 0
}

package dynamics

// stops reports whether a contact stops, in the step just solved, what moved at its start: a rigid
// patch presses what approached, or its friction drives on, or holds, what it had to bring to rest; a
// compliant one turns round what has just met it, or come to stick, as its swing takes less than two steps.
//
// The law of [Pang05], (16), is one of v^θ = θv + (1−θ)v'. With v^θ = 0 it leaves v' = −θ/(1−θ) v: along
// the normal a rebound that no law says; where a slip ends within the step, friction by the
// direction of v^θ turns it round, by as much at all steps that end there; and what sticks at v^θ = 0
// would go on so from step to step, with θ = ½ for ever, ‖v‖ to and fro. A stop is inelastic, and
// rests: such a step is made anew with θ = 0, as impulsive parts of a motion are by time-stepping
// schemes, and those behind a jump of the data by [Rannacher84]. The order of a step with a kink is one in
// any case. A compliant patch is one for such a
// step: for h²k/m → ∞ v^θ = 0 leaves the same rebound, whatever its damper takes. The energy that the
// implicit step takes of it instead is the scheme's, by which it is judged.
//
//   - [Rannacher84] R. Rannacher, Finite element solution of diffusion problems with irregular data,
//     Numer. Math. 43, 1984.
func (s *Stepper) stops(h float64) bool {
	if s.step.Theta == 0 {
		return false
	}
	dim, c := s.dim, &s.contacts
	n := dim * c.elements()
	s.moved = grow(s.moved, 2*n)
	clear(s.moved)
	before, after := s.moved[:n], s.moved[n:]
	c.relative(before, s.now.V)
	c.relative(after, s.next.V)
	limit := max(slideSpeed*max(infNorm(before), infNorm(s.local.b[:n])), s.speedRounding()) // as that of count
	slips := s.slipsBefore(h)
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
			case s.states[e] == Stick && s.mayCatch(p, slips[dim*e:dim*e+dim], limit, h) && s.catches(p, e, before, after, limit, h):
				return true
			}
		}
	}
	return false
}

// mayCatch reports whether an element that sticks slid in the step before, or is on something the
// velocity of which may have jumped: at the end of the step before, to the rounding of times in steps.
func (s *Stepper) mayCatch(p *placed, slip []float64, limit, h float64) bool {
	return slides(slip, limit) || len(s.contacts.drive) > 0 && s.driven.Kinked(p.key, s.now.T, 1e-6*h)
}

// catches reports whether an element of a patch moves along the surface at the start of a step in which it
// sticks; before and after are the speeds at its ends relative to what it touches in its mean. One on springs has to turn
// round.
func (s *Stepper) catches(p *placed, e int, before, after []float64, limit, h float64) bool {
	dim := s.dim
	var from, to [3]float64
	copy(from[:], before[dim*e:dim*e+dim])
	copy(to[:], after[dim*e:dim*e+dim])
	if drive := s.contacts.drive; len(drive) > 0 {
		_, first, last := s.drivesAtEnds(p.key, dim*(p.last-p.first), h)
		for k := range dim {
			at := dim*(e-p.first) + k
			from[k] += drive[dim*e+k] - first[at]
			to[k] += drive[dim*e+k] - last[at]
		}
	}
	return slides(from[:], limit) && (p.patch.k == nil || turned(to[:], from[:]))
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

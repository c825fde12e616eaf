package dynamics

import "context"

// solveContacts solves the contact problem of the free velocity s.free on a
// growing set of active patches: those that would close without force or
// carried one. A patch outside has λ = 0; its speeds are checked afterwards,
// and if one closes, the patch joins and the problem is solved once more.
func (s *Stepper) solveContacts(ctx context.Context, h float64) error {
	l := &s.local
	l.load(&s.contacts, &s.mass, h*(1-s.step.Theta))
	s.weigh(s.free, h)
	s.slipLimit()
	waiting := s.chooseActive()
	for {
		if err := s.solveActive(ctx); err != nil {
			return err
		}
		s.velocities(h)
		if waiting == 0 {
			return nil
		}
		l.check = grow(l.check, len(l.b))
		l.rightSide(l.check, s.mean, s.next.Delta, h, !s.o.VelocityForm)
		joined := s.joinActive(l.check)
		if joined == 0 {
			return nil
		}
		waiting -= joined
	}
}

// weigh sets v^θ and b of the contact problem for velocities at the end of the step.
func (s *Stepper) weigh(end []float64, h float64) {
	theta := s.step.Theta
	for i, v := range s.now.V {
		s.mean[i] = theta*v + (1-theta)*end[i]
	}
	s.local.rightSide(s.local.b, s.mean, s.next.Delta, h, !s.o.VelocityForm)
}

// chooseActive marks the patches that take part and returns the number of
// those that wait.
func (s *Stepper) chooseActive() (waiting int) {
	s.active = grow(s.active, len(s.contacts.patches))
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		s.active[i] = s.candidate(i)
		if s.active[i] {
			continue
		}
		clear(s.next.Lambda[s.dim*p.first : s.dim*p.last])
		if !s.o.VelocityForm {
			waiting++
		}
	}
	return waiting
}

// candidate: in the velocity form a patch in contact; in the gap form one with
// b_n < 0 or with a force in the last step. Zero is the answer to b_n ≥ 0 only
// for cones without tension: any other law always takes part.
func (s *Stepper) candidate(i int) bool {
	p := &s.contacts.patches[i]
	if s.o.VelocityForm {
		return s.closed(i)
	}
	for at := s.dim * p.first; at < s.dim*p.last; at += s.dim {
		if s.local.b[at] < 0 {
			return true
		}
	}
	return s.carried[i] || s.solver.section(p) == nil && !coulomb(p.law)
}

// joinActive activates the patches that close at the speeds b of the others,
// and returns their number.
func (s *Stepper) joinActive(b []float64) (joined int) {
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		for at := s.dim * p.first; at < s.dim*p.last && !s.active[i]; at += s.dim {
			if b[at] < 0 {
				s.active[i] = true
				joined++
			}
		}
	}
	return joined
}

// solveActive solves island by island.
func (s *Stepper) solveActive(ctx context.Context) error {
	s.islands.split(&s.contacts, &s.mass, s.active, s.local.solver != nil)
	s.step.Residual = 0
	for i := range s.islands.count() {
		if err := s.affords(s.islands.elements(i)); err != nil {
			return err
		}
		residual, err := s.solver.island(ctx, &s.local, s.islands.elements(i), s.next.Lambda, s.o.Tolerance)
		s.step.Solves++
		s.step.Residual = max(s.step.Residual, residual)
		if err != nil {
			return err
		}
	}
	s.step.Pivots = s.solver.pivots
	return nil
}

// markCarried notes which patches carried a force in the last step.
func (s *Stepper) markCarried() {
	s.carried = grow(s.carried, len(s.contacts.patches))
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		s.carried[i] = false
		for at := s.dim * p.first; at < s.dim*p.last; at += s.dim {
			s.carried[i] = s.carried[i] || s.next.Lambda[at] > 0
		}
	}
}

// closed: the patch carried a force, or the gap of an element is not open.
func (s *Stepper) closed(i int) bool {
	p := &s.contacts.patches[i]
	touch := gapRounding * infNorm(s.now.Q)
	for e := p.first; e < p.last; e++ {
		if s.contacts.gap[e]+s.next.Delta[s.dim*e] <= touch {
			return true
		}
	}
	return s.carried[i]
}

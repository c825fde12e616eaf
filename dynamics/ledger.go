package dynamics

// Energy is the ledger of one step, or of a run [J]. The balance
//
//	ΔKinetic + ΔPotential + ΔStored + Viscous + Friction + Impact − Loads = Residual
//
// is exact for the motion; a step leaves O(h²), a run O(h). Viscous and
// Friction are never negative: contacts do no positive work but what they
// have stored.
type Energy struct {
	Kinetic   float64 // ½ vᵀMv at the end
	Potential float64 // U at the end; 0 without a [Potential]
	Stored    float64 // ½ δᵀKδ of all patches at the end
	Viscous   float64 // ∫ δ̇ᵀCδ̇: the dampers
	Friction  float64 // −∫ λ_T·s_T: slip
	Impact    float64 // what rigid patches lose besides: impacts, ½‖Δv‖² in M
	Loads     float64 // ∫ f·v of the forces without potential, and the work of what moves by itself, see [Driven]
	Residual  float64 // of the balance
}

// contactWork adds the terms of the contacts; the patches are those at q.
func (s *Stepper) contactWork(h float64) {
	dim, rigid := s.dim, false
	for i := range s.contacts.patches {
		p, friction := &s.contacts.patches[i], 0.0
		for k := dim * p.first; k < dim*p.last; k++ {
			if k%dim > 0 {
				friction -= h * s.next.Lambda[k] * s.next.Slip[k]
			}
		}
		s.step.Energy.Friction += friction
		s.partition.lost[s.partition.home[i]] += friction
		s.partition.taken[s.partition.home[i]] += friction
		s.rubs(i, friction)
		if len(s.contacts.drive) > 0 {
			s.driveWork(i, h)
		}
		rigid = rigid || p.patch.k == nil
	}
	s.tie()
	if rigid {
		s.impactWork(h)
	}
}

// rubs takes what friction between two parts has taken in patch i.
func (s *Stepper) rubs(i int, friction float64) {
	f := &s.frames
	if f.system == nil || friction == 0 {
		return
	}
	if x := f.system.PairOf(s.contacts.patches[i].key); x.B >= 0 {
		s.partition.rubbed[s.partition.home[i]] += friction / min(f.motion[x.A].mass(), f.motion[x.B].mass())
	}
}

// driveWork adds hλ·s₀ of patch i.
func (s *Stepper) driveWork(i int, h float64) {
	p, work := &s.contacts.patches[i], 0.0
	for k := s.dim * p.first; k < s.dim*p.last; k++ {
		work += h * s.next.Lambda[k] * s.contacts.drive[k]
	}
	s.step.Energy.Loads += work
	s.partition.driven[s.partition.home[i]] += work
}

// drives finds the speeds of what the elements of a step touch.
func (s *Stepper) drives(h float64) {
	c := &s.contacts
	c.drive = c.drive[:0]
	if s.driven == nil || !s.driven.Drives() {
		return
	}
	n := s.dim * c.elements()
	c.drive = grow(c.drive, n)
	for i := range c.patches {
		p := &c.patches[i]
		drive := c.drive[s.dim*p.first : s.dim*p.last]
		s.driven.Drive(drive, p.key, s.now.T, h, s.now.Q, s.now.V)
		if s.step.Theta < s.o.Theta && p.patch.k == nil {
			s.driveAtEnd(drive, p.key, h)
		}
	}
}

// driveAtEnd puts the speed at the end of the step along a surface in place of its mean: that is what
// a step which stops, see stops, leaves a body with, and what the next one, of v^θ, goes on from.
func (s *Stepper) driveAtEnd(drive []float64, key int, h float64) {
	_, _, last := s.drivesAtEnds(key, len(drive), h)
	for k, x := range last {
		if k%s.dim != 0 {
			drive[k] = x
		}
	}
}

// drivesAtEnds are the speeds of what the elements of the patch of a key touch at both ends of a step, and before it.
func (s *Stepper) drivesAtEnds(key, n int, h float64) (before, first, last []float64) {
	s.ends = grow(s.ends, 3*n)
	before, first, last = s.ends[:n], s.ends[n:2*n], s.ends[2*n:]
	if clear(s.ends); len(s.contacts.drive) == 0 { // nothing moves
		return before, first, last
	}
	s.driven.DriveAtEnds(before, first, last, key, s.now.T, h, s.now.Q)
	return before, first, last
}

// impactWork adds −h λ·W(v + v')/2 of the rigid patches beyond their friction. Some of it is that
// of an impact, the rest what the scheme has gained or lost, see [Stepper.impactOf].
func (s *Stepper) impactWork(h float64) {
	for i, v := range s.now.V {
		s.scratch[i] = 0.5 * (v + s.next.V[i])
	}
	c := &s.contacts
	n := s.dim * c.elements()
	s.relatives = grow(s.relatives, 3*n)
	clear(s.relatives)
	mean, before, free := s.relatives[:n], s.relatives[n:2*n], s.relatives[2*n:]
	c.relative(mean, s.scratch)
	c.relative(before, s.now.V)
	c.relative(free, s.free)
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch.k != nil {
			continue
		}
		lost, hit := 0.0, 0.0
		for k := s.dim * p.first; k < s.dim*p.last; k += s.dim {
			normal, along := s.elementLoss(h, k, mean)
			lost += normal + along
			hit += normal + along*impactShare(before[k], mean[k], free[k])
		}
		s.step.Energy.Impact += lost
		s.partition.taken[s.partition.home[i]] += lost
		if s.history.ages[i] <= 1 && hit >= 0 {
			s.partition.lost[s.partition.home[i]] += hit
		}
	}
}

// elementLoss is what the element of entry k has taken beyond friction along its normal, and
// across.
func (s *Stepper) elementLoss(h float64, k int, mean []float64) (normal, along float64) {
	normal = -h * s.next.Lambda[k] * mean[k]
	for j := k + 1; j < k+s.dim; j++ {
		along += h * s.next.Lambda[j] * (s.next.Slip[j] - mean[j])
	}
	return normal, along
}

// impactShare is the share of an impulse that an impact has in it: the normal speed that it changes
// over the one that it has to take, with that of loads in the step; of their speed before, in the
// mean, and without contacts. The gap form takes an impact in one step or in two, first the speed
// that would lead beyond the surface, then the rest. An impact takes ½(u + u') of an impulse
// across; what slides under a load loses that by friction on its way, and what the way of the
// scheme is off by is made.
func impactShare(before, mean, free float64) float64 {
	after := 2*mean - before
	hit, all := max(0, after-before), after-free
	if hit < all {
		return hit / all
	}
	return 1
}

// loadWork adds the work of the forces without potential: the force of the
// step and the mean velocity.
func (s *Stepper) loadWork(h float64) {
	f := s.f
	if s.energy != nil {
		f = s.fNext
		if s.o.ImplicitForce {
			s.loadOf(f, s.next.T, h, s.qMean, s.mean)
		} else {
			s.loadOf(f, s.now.T, h, s.now.Q, s.now.V)
		}
	}
	s.load = f
	for i, v := range s.now.V {
		s.step.Energy.Loads += h * f[i] * 0.5 * (v + s.next.V[i])
	}
}

// balance closes the ledger at the new state, with M and U at the new q.
func (s *Stepper) balance() {
	e, sum := &s.step.Energy, &s.ledger
	e.Kinetic = s.mass.energy(s.now.V)
	if s.energy != nil {
		e.Potential = s.energy.Potential(s.now.T, s.now.Q)
	}
	s.motion()
	before := sum.Kinetic + sum.Potential + sum.Stored
	e.Residual = e.Kinetic + e.Potential + e.Stored - before + e.Viscous + e.Friction + e.Impact - e.Loads
	sum.Kinetic, sum.Potential, sum.Stored = e.Kinetic, e.Potential, e.Stored
	sum.Viscous += e.Viscous
	sum.Friction += e.Friction
	sum.Impact += e.Impact
	sum.Loads += e.Loads
	sum.Residual += e.Residual
	s.residual = max(s.residual, s.step.Residual)
	s.weakening.observe(s.solver.share, s.solver.steepest, s.step.H, !s.yielding())
	s.share()
}

// openLedger starts a ledger at the present state.
func (s *Stepper) openLedger() {
	s.ledger = Energy{Kinetic: s.mass.energy(s.now.V)}
	if s.energy != nil {
		s.ledger.Potential = s.energy.Potential(s.now.T, s.now.Q)
	}
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		if first, last := s.now.Patch(p.key); p.patch.k != nil {
			s.ledger.Stored += 0.5 * quadratic(p.patch.k, s.now.Delta[first:last])
		}
	}
	s.residual, s.weakening = 0, Weakening{}
	s.motion()
	s.began, s.begins = s.now.T, append(s.begins[:0], s.now.V...)
	p := &s.partition
	clear(p.stored)
	p.stored[0] = s.ledger.Stored
	s.made.Begin(p.kinetic, p.stored, s.frames.motion, s.frames.velocities)
	for k := 1; k < p.count && (p.whole || s.ledger.Stored > 0); k++ { // whose the springs are is not known
		s.made.Link(0, k)
	}
}

// Creation returns the energy that the scheme has made or destroyed since the start, of
// all parts together.
func (s *Stepper) Creation() Creation { return s.made.Whole }

// Creations returns the energy that the scheme has made or destroyed since the start; it
// belongs to the stepper.
func (s *Stepper) Creations() *Creations { return &s.made }

// Solved says whether the contact problem of each step was solved: its natural residual,
// relative to its largest force.
func (s *Stepper) Solved() []Measure {
	list := []Measure{{Name: "residual of contact problems, of their forces", Value: s.residual, Limit: solvedLimit,
		Unit: "-", Basis: Computed}}
	if s.bySlip {
		list = append(list, s.unique())
	}
	return list
}

// solvedLimit is the default tolerance of a contact problem: what a caller allows beyond
// it is not solved.
const solvedLimit = 1e-8

// Accurate says whether the energy is kept: what the scheme makes or destroys, against
// what moves, is at most accuracy in each island, see [Creations].
func (s *Stepper) Accurate(accuracy float64) []Measure {
	return s.made.Measures(accuracy, s.step.Index, "", s.names)
}

// Ledger returns the energies summed since the start.
func (s *Stepper) Ledger() Energy { return s.ledger }

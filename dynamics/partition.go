package dynamics

// Divisible is a [Potential] that says which part has how much of it, see [Grouped].
// Without it the parts of a System are one island, whether they meet or not.
type Divisible interface {
	// Potentials overwrites dst with the potential of each part [J].
	Potentials(dst []float64, t float64, q []float64)
}

// partition splits the ledger among the parts of a system; what a patch stores, loses and
// makes is that of the first part that it touches.
type partition struct {
	of        []int // of each velocity
	count     int
	divisible Divisible // nil: the potential is all of part 0
	whole     bool      // the parts are one island
	kinetic   []float64 // of each part, at the present state [J]
	potential []float64
	stored    []float64
	before    []float64 // their sum at the state before [J]
	height    []float64 // potential at the state before [J]
	lost      []float64 // by contacts in the step, and not made [J]
	taken     []float64 // by contacts in the step [J]
	rubbed    []float64 // by friction with others in the step, over the lighter mass [J/kg]
	driven    []float64 // work of what moves by itself, in the step [J]
	home      []int     // of the patches of the present step
}

// open makes the partition of a system of nv velocities.
func (p *partition) open(sys System, parts []int, nv int) {
	p.of, p.count = parts, 1
	if parts == nil {
		p.of = make([]int, nv)
	}
	for _, k := range p.of {
		p.count = max(p.count, k+1)
	}
	p.divisible, _ = sys.(Divisible)
	_, potential := sys.(Potential)
	p.whole = potential && p.divisible == nil
	for _, x := range []*[]float64{&p.kinetic, &p.potential, &p.stored, &p.before, &p.height, &p.lost, &p.driven, &p.taken, &p.rubbed} {
		*x = make([]float64, p.count)
	}
}

// begin keeps the energies of the present state, and forgets what contacts did.
func (p *partition) begin() {
	for k := range p.before {
		p.before[k], p.height[k] = p.kinetic[k]+p.potential[k]+p.stored[k], p.potential[k]
	}
	clear(p.stored)
	clear(p.lost)
	clear(p.taken)
	clear(p.rubbed)
	clear(p.driven)
}

// motion takes kinetic and potential energy of the present state.
func (s *Stepper) motion() {
	p := &s.partition
	s.momentum = grow(s.momentum, s.nv)
	s.mass.mulVec(s.momentum, s.now.V)
	clear(p.kinetic)
	for i, m := range s.momentum {
		p.kinetic[p.of[i]] += 0.5 * m * s.now.V[i]
	}
	s.frames.moves(s.momentum, &s.mass, p.of)
	switch {
	case p.divisible != nil:
		p.divisible.Potentials(p.potential, s.now.T, s.now.Q)
	case s.energy != nil:
		p.potential[0] = s.energy.Potential(s.now.T, s.now.Q)
	}
}

// homes finds the part of each patch of the step, and ties the parts that one with a force
// touches.
func (s *Stepper) homes() {
	c, p := &s.contacts, &s.partition
	p.home = grow(p.home, len(s.patches))
	for i := range s.patches {
		if p.home[i] = 0; i >= len(c.patches) { // it relaxes
			p.home[i] = s.history.lost[i-len(c.patches)]
			continue
		}
		if rows := c.rows(i); len(rows) > 0 {
			p.home[i] = p.of[rows[0]]
		}
	}
}

// tie makes one island of the parts that a patch with a force touches.
func (s *Stepper) tie() {
	for i := range s.contacts.patches {
		if !s.next.forced(i) {
			continue
		}
		for _, row := range s.contacts.rows(i) {
			s.made.Link(s.partition.home[i], s.partition.of[row])
		}
		if f := s.frames.touched(s.contacts.patches[i].key); f >= 0 {
			s.made.Touch(s.partition.home[i], f)
		}
	}
}

// share takes the step into the energies made by islands: at each part what its energies
// have gained and contacts have lost, less the work of loads.
func (s *Stepper) share() {
	p, x := &s.partition, s.scratch
	copy(x, s.f)
	s.mass.solve(x)
	h := s.step.H
	for i, v := range s.next.V { // the velocity before the step
		w := h * s.load[i] * 0.5 * (v + s.now.V[i])
		s.made.Add(p.of[i], -w, w, Unsolved(s.step.Residual, 0.5*h*h*s.f[i]*x[i]))
	}
	for k, before := range p.before {
		now := p.kinetic[k] + p.potential[k] + p.stored[k]
		s.made.Add(k, now-before+p.lost[k]-p.driven[k], p.height[k]-p.potential[k]+p.driven[k], 0)
		s.made.Take(k, p.taken[k])
		s.made.Rub(k, p.rubbed[k])
		s.made.Move(k, s.frames.of(k), p.kinetic[k], p.stored[k])
	}
	s.made.Close(s.now.T)
}

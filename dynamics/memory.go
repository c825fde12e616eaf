package dynamics

import "github.com/quasistatic/quasistatic/memory"

// elementBytes bounds what a contact element takes in all vectors of a step [bytes]: its
// rows on two bodies, 12 of an index and three numbers, and some thirty triples of speeds,
// forces and deformations in the states, the history and the solvers.
const elementBytes = 12*(8+24) + 30*24

// solverCopies is how often the solvers hold what A holds: A, scaled, by islands, and the
// factors of Newton's method, with fill.
const solverCopies = 6

// limit sets how many elements the contacts of a step may have; 0: any number.
func (c *Contacts) limit(bytes int64) {
	c.most, c.beyond = 0, 0
	if bytes > 0 {
		c.most = int(max(1, bytes/elementBytes))
	}
}

// affordable refuses contacts of which some were left out.
func (s *Stepper) affordable() error {
	if s.contacts.beyond == 0 {
		return nil
	}
	var need memory.Estimate
	need.Add("contacts", memory.Product(int64(s.contacts.elements()+s.contacts.beyond), elementBytes))
	return s.exceeded(need)
}

// exceeded is nil if the need is within [Options.Limit].
func (s *Stepper) exceeded(need memory.Estimate) error {
	if s.o.Limit.Bytes == 0 {
		return nil
	}
	return s.o.Limit.Check(need, "bodies that overlap meet each other all at once")
}

// Need predicts what steps from the present state take: its vectors, its contacts, and the
// problem of the patches that touch.
func (s *Stepper) Need() memory.Estimate {
	var e memory.Estimate
	e.Add("bodies", memory.Product(int64(s.nv), velocityBytes))
	e.Join(s.need(s.touching()))
	return e
}

// velocityBytes bounds what a velocity takes [bytes]: some twenty vectors, and its row of
// the mass matrix, twice.
const velocityBytes = 20*8 + 2*6*8

// affordsStart refuses a start at which the patches that touch could not be solved for.
func (s *Stepper) affordsStart() error {
	return s.affords(s.touching())
}

// touching lists the elements of the patches that touch.
func (s *Stepper) touching() []int {
	var closed []int
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		touches := false
		for e := p.first; e < p.last; e++ {
			touches = touches || s.contacts.gap[e] <= 0
		}
		for e := p.first; e < p.last && touches; e++ {
			closed = append(closed, e)
		}
	}
	return closed
}

// affords refuses the problem of an island before it is assembled.
func (s *Stepper) affords(elements []int) error {
	if s.o.Limit.Bytes == 0 || len(elements) <= lemkeOrder {
		return nil
	}
	return s.exceeded(s.need(elements))
}

// need predicts the problem of some elements: full where a method takes it so, else with a
// block for every two elements that share a body.
func (s *Stepper) need(elements []int) (need memory.Estimate) {
	need.Add("contacts", memory.Product(int64(s.contacts.elements()), elementBytes))
	dim := int64(s.dim)
	blocks := memory.Product(int64(len(elements)), int64(len(elements)))
	if s.local.solver == nil {
		blocks = min(blocks, s.coupled(elements))
	}
	need.Add("Delassus operator", memory.Product(solverCopies, blocks, 8*dim*dim+8))
	return need
}

// coupled bounds the pairs of elements that share a block of M, Σ_b n_b² over the bodies b
// or, where the system names none, over the blocks.
func (s *Stepper) coupled(elements []int) int64 {
	of, h := s.part, &s.contacts.h
	if of == nil {
		of = s.mass.of
	}
	s.sharing = grow(s.sharing, s.nv)
	clear(s.sharing)
	for _, e := range elements {
		last := -1
		for _, row := range h.Row[h.Ptr[e]:h.Ptr[e+1]] {
			if of[row] != last { // the rows of a body follow each other
				last = of[row]
				s.sharing[last]++
			}
		}
	}
	pairs := int64(0)
	for _, n := range s.sharing {
		pairs = memory.Sum(pairs, memory.Product(n, n))
	}
	return pairs
}

package rigid

import "math"

// Joints that say nothing new where they start (two hinges of a door, a gear between bearings) are
// consistent if that stays so as the bodies move: then all of them hold in every motion, and only
// how they share a load is open. Else, as of two hinges whose axes are not one or of a linkage that
// lies flat, what they leave at the start is no motion, or one of several: with G v = 0 the rows at
// q + εv depend up to
//
//	O(ε²)  where they stay dependent,   O(ε)  where one of them says something new,
//
// which for ε = 1e-4 is well below and above what [multibody] takes for rounding, 1e-6.

// trialMotion is ε, of the unit of length and of a radian.
const trialMotion = 1e-4

// lastingRank reports whether the rows that say nothing new say nothing new after a small motion
// either, one that moves all that the joints leave free.
func (s *Stepper) lastingRank() bool {
	gone := s.gone()
	w := make([]float64, len(s.v))
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range p.N {
			// The fractional parts of multiples of the golden ratio: no relation of lengths is theirs.
			_, w[p.V+k] = math.Modf(float64(p.V+k+1) * math.Phi)
			if w[p.V+k] -= 0.5; k < s.model.Dim {
				w[p.V+k] *= s.unit
			}
		}
	}
	s.holdAll(w)
	most := 0.0
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		most = max(most, largest(w[p.V:p.V+s.model.Dim])/s.unit, largest(w[p.V+s.model.Dim:p.V+p.N]))
	}
	if !(most > trialMotion) { // of numbers up to ½: the joints leave no motion
		return true
	}
	for i := range w {
		w[i] *= trialMotion / most
	}
	q := append([]float64(nil), s.q...)
	s.model.World.Move(s.q, s.q, w, 1)
	s.relook()
	lasting := s.prepare(terms{}) == nil && s.gone() == gone
	copy(s.q, q)
	s.relook()
	return s.prepare(terms{}) == nil && lasting
}

// gone is the number of rows of joints that say nothing new, of those that were prepared last.
func (s *mechanics) gone() (n int) {
	for c := range s.inv {
		n += len(s.inv[c].Gone)
	}
	return n
}

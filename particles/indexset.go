package particles

import "fmt"

// IndexSet says to which of the disjoint index sets a particle belongs.
type IndexSet uint8

// The sets of [Schmid08], section 2.
const (
	Free      IndexSet = iota // I_f: out of contact, z₃ > 0, or without an obstacle
	Contact                   // I_c: in contact and pressed, σ > 0
	Switching                 // I_s: in contact and not pressed (grazing)
)

// String returns the name used in reports.
func (s IndexSet) String() string {
	switch s {
	case Free:
		return "free"
	case Contact:
		return "contact"
	case Switching:
		return "switching"
	}
	return fmt.Sprintf("IndexSet(%d)", uint8(s))
}

// IndexTolerance is what counts as zero. The zero value is the definition of the
// paper to the letter.
type IndexTolerance struct {
	Height float64 // [m] contact is z₃ <= Height
	Force  float64 // [N] pressed is σ > Force
}

// IndexSets classifies the particles by the state z and the gradient DE(t, z):
//
//	I_f = {z₃ > height},  I_c = {z₃ <= height, σ > force},  I_s = the others
//
// A state that fulfils (S) has σ = 0 wherever z₃ > 0. Elsewhere, where the
// paper's I_c and I_f would overlap, height decides, because Ψ is zero there.
// A contact that pulls (σ < −force), which no stable state has, is in I_s: it
// is about to leave. A nil dst is allocated.
func (s *System) IndexSets(dst []IndexSet, z, grad []float64, tol IndexTolerance) []IndexSet {
	s.mustLen(z, "IndexSets")
	s.mustLen(grad, "IndexSets")
	if dst == nil {
		dst = make([]IndexSet, len(s.frames))
	}
	for j := range s.frames {
		switch {
		case s.frames[j].Free || z[3*j+2] > tol.Height:
			dst[j] = Free
		case grad[3*j+2] > tol.Force:
			dst[j] = Contact
		default:
			dst[j] = Switching
		}
	}
	return dst
}

// Members appends the particles of one set, ascending.
func Members(dst []int, sets []IndexSet, which IndexSet) []int {
	for j, s := range sets {
		if s == which {
			dst = append(dst, j)
		}
	}
	return dst
}

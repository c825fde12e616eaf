package elastic

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
)

var (
	_ dynamics.Paired    = (*Stepper)(nil)
	_ dynamics.Described = (*Stepper)(nil)
)

// Meet implements [dynamics.Paired]: a part of the mesh presses on an obstacle that moves, of which
// the first contact has the number.
func (s *Stepper) Meet() {
	of, dim := s.findParts().of, max(s.a.dim, 2)
	for k, n := range s.a.normal {
		if m := s.a.motion(k); m != nil && s.now.R[dim*k] > 0 {
			s.pairs.Meet(dynamics.Pair{A: of[n/s.a.dim], B: -1, Obstacle: slices.Index(s.a.model.Motions, m)}, s.step)
		}
	}
}

// Describe implements [dynamics.Described].
func (s *Stepper) Describe() []dynamics.Part {
	return s.pairs.Parts(make([]dynamics.Part, len(s.findParts().whole)))
}

// PartNames implements [dynamics.Doubling].
func (s *Stepper) PartNames() (names []string) {
	for p := range s.findParts().whole {
		names = append(names, fmt.Sprintf("part %d", p))
	}
	return s.pairs.Names(names, func(int) string { return "the obstacle that it touches" })
}

// apart appends the distances of pairs to those of the parts: of the parts alone from a slot, since
// obstacles are where they are; and from the start as seen from the shift of the obstacle.
func (s *Stepper) apart(dst []float64, at int) []float64 {
	p := s.findParts()
	for _, x := range s.pairs.List {
		if at >= 0 {
			dst = append(dst, dst[x.A])
			continue
		}
		for i, u := range s.now.U {
			s.work[i] = u - s.origin[i]
		}
		for k, shift := range s.a.motion(x.Obstacle).Shift[:min(s.a.dim, len(s.a.motion(x.Obstacle).Shift))] {
			way := shift.At(s.now.T) - shift.At(0)
			for i, e := range s.frames.unit[k] {
				s.work[i] -= way * e
			}
		}
		s.ways = p.norms(s.ways, s.work, s.a.dim)
		dst = append(dst, s.ways[x.A])
	}
	return dst
}

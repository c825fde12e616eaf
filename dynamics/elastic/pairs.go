package elastic

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

var (
	_ dynamics.Paired    = (*Stepper)(nil)
	_ dynamics.Described = (*Stepper)(nil)
)

// Meet implements [dynamics.Paired]: a part of the mesh presses on an obstacle, of which the first
// contact has the number, or on another part.
func (s *Stepper) Meet() {
	of, dim := s.findParts().of, max(s.a.dim, 2)
	for k, n := range s.a.normal {
		if !(s.now.R[dim*k] > 0) {
			continue
		}
		part := of[n/s.a.dim]
		if x := s.a.met[k]; x != nil {
			for _, j := range x.Masters {
				s.pairs.Meet(dynamics.Pair{A: part, B: of[j], Obstacle: -1}, s.step)
			}
			continue
		}
		if m := s.a.motion(k); m != nil {
			s.pairs.Meet(dynamics.Pair{A: part, B: -1, Obstacle: slices.Index(s.a.model.Motions, m)}, s.step)
		}
		if s.a.dim > 1 { // else there is no other way
			s.pairs.MeetHalfSpace(part, s.a.plane(k), s.a.outward(k))
		}
	}
}

// Describe implements [dynamics.Described].
func (s *Stepper) Describe() []dynamics.Part {
	parts := make([]dynamics.Part, len(s.findParts().whole))
	for _, x := range s.frames.met {
		for k, p := range x {
			parts[p].Beside = append(parts[p].Beside, x[1-k])
		}
	}
	return s.pairs.Parts(parts)
}

// PartNames implements [dynamics.Doubling].
func (s *Stepper) PartNames() (names []string) {
	of := s.findParts()
	for p := range of.whole {
		name := fmt.Sprintf("part %d", p)
		if id := s.a.model.bodyOf(slices.Index(of.of, p)).ID; id != "" {
			name += ", of " + id
		}
		names = append(names, name)
	}
	return s.pairs.Names(names, func(int) string { return "the obstacle that it touches" })
}

// tieShapes makes a pair of each part and its centre: what it goes relative to that is its shape,
// and how it turns.
func (s *Stepper) tieShapes() {
	for k := range s.findParts().whole {
		s.pairs.Meet(dynamics.Pair{A: k, B: -1, Obstacle: -1}, s.step)
	}
}

// apart appends the distances of pairs to those of the parts, from the displacements of a slot or
// of the start: of shapes, without what the centre goes; of what touches an obstacle from a slot of
// the part alone, since obstacles are where they are, and from the start as seen from the shift of
// the obstacle; along a normal, what each node goes that way; of two parts what their centres go from each other.
func (s *Stepper) apart(dst, from []float64, at int) []float64 {
	p := s.findParts()
	s.moved(from)
	s.centred(s.work)
	s.shapes = p.norms(s.shapes, s.work, s.a.dim)
	for _, x := range s.pairs.List {
		switch {
		case x.B >= 0:
			s.moved(from)
			s.middles = s.centres(s.middles, s.work)
			d := vec3.Add(s.middles[x.A], -1, s.middles[x.B])
			dst = append(dst, vec3.Norm(d))
			continue
		case x.Obstacle < 0:
			dst = append(dst, s.shapes[x.A])
			continue
		case at >= 0 && x.Normal == [3]float64{}:
			dst = append(dst, dst[x.A])
			continue
		}
		s.moved(from)
		if at < 0 {
			s.seenFrom(x.Obstacle)
		}
		if x.Normal != [3]float64{} {
			s.along(x.Normal)
		}
		s.ways = p.norms(s.ways, s.work, s.a.dim)
		dst = append(dst, s.ways[x.A])
	}
	return dst
}

// seenFrom takes the shift of an obstacle since the start out of the displacements in work.
func (s *Stepper) seenFrom(obstacle int) {
	m := s.a.motion(obstacle)
	if m == nil {
		return
	}
	for k, shift := range m.Shift[:min(s.a.dim, len(m.Shift))] {
		way := shift.At(s.now.T) - shift.At(0)
		for i, e := range s.frames.unit[k] {
			s.work[i] -= way * e
		}
	}
}

// along leaves of the displacements in work what they have along a normal, in one component each.
func (s *Stepper) along(normal [3]float64) {
	dim := s.a.dim
	for first := 0; first < len(s.work); first += dim {
		sum := 0.0
		for k := range dim {
			for i := first; i < first+dim; i++ {
				sum += normal[k] * s.frames.unit[k][i] * s.work[i]
			}
		}
		clear(s.work[first : first+dim])
		s.work[first] = sum
	}
}

// moved stores in work the displacements since those given, measured from nothing.
func (s *Stepper) moved(from []float64) {
	for i, u := range s.now.U {
		s.work[i] = u - from[i]
	}
	s.a.absolute(s.work)
}

// centres stores how far the centre of each part goes by displacements x, along the axes [m].
func (s *Stepper) centres(dst [][3]float64, x []float64) [][3]float64 {
	p := s.findParts()
	dst = append(dst[:0], make([][3]float64, len(p.whole))...)
	for k := range s.a.dim {
		for i, e := range s.frames.unit[k] {
			part := p.of[i/s.a.dim]
			dst[part][k] += p.mass[i] * e * x[i] * float64(s.a.dim) / p.whole[part]
		}
	}
	return dst
}

// centred takes what the centres go out of displacements.
func (s *Stepper) centred(x []float64) {
	p := s.findParts()
	s.middles = s.centres(s.middles, x)
	for k := range s.a.dim {
		for i, e := range s.frames.unit[k] {
			x[i] -= e * s.middles[p.of[i/s.a.dim]][k]
		}
	}
}

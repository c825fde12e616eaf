package rigid

import (
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Where two faces share no more than a sliver, or an edge lies on an edge, touches of a pair
// coincide two by two, and say the same up to a turn of the bodies about what is between them: W
// has an eigenvalue of 1e-11, and impulses are what rounding of gaps makes of it. The nearer of the
// two takes part for both; the projection of the step opens the other one, if at all.

// coincidentShare of the size of a body is a distance of two touches in which they are one.
const coincidentShare = 3e-5

// dropCoincident leaves the nearer of touches that coincide in the list.
func (s *assembly) dropCoincident() {
	p := &s.p
	p.coincident = p.coincident[:0]
	n := 0
	for k, i := range p.list {
		if j := s.coincidentWith(k); j >= 0 {
			p.coincident = append(p.coincident, [2]int{i, j})
			continue
		}
		p.list[n], p.laws[n] = i, p.laws[k]
		n++
	}
	p.list, p.laws = p.list[:n], p.laws[:n]
}

// loadCoincident has those that were left out stay as long as what stands for them, as if they had
// its force.
func (s *assembly) loadCoincident() {
	for _, x := range s.p.coincident {
		s.marks[x[0]].loaded = s.marks[x[1]].loaded
	}
}

// coincidentWith returns the touch of the list that stands for the one at k, −1 for none.
func (s *assembly) coincidentWith(k int) int {
	list := s.p.list
	t := &s.touches[list[k]]
	if t.B < 0 {
		return -1
	}
	near := coincidentShare * min(s.model.World.Reach(t.A), s.model.World.Reach(t.B))
	for step := -1; step <= 1; step += 2 {
		for j := k + step; j >= 0 && j < len(list) && s.touches[list[j]].Pair() == t.Pair(); j += step {
			x := &s.touches[list[j]]
			if (x.Gap < t.Gap || x.Gap == t.Gap && list[j] < list[k]) && vec3.Norm(vec3.Add(x.At, -1, t.At)) <= near {
				return list[j]
			}
		}
	}
	return -1
}

package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// rub is the speed of the slip of touch i by the velocities v, at the beginning of the step, if one
// of its bodies has a spin that may be free; else 0: of other bodies all velocities count anyway.
func (s *solution) rub(i int, v []float64) float64 {
	t := &s.touches[i]
	if !s.turns(t.A) && (t.B < 0 || !s.turns(t.B)) {
		return 0
	}
	return vec3.Norm(s.relativeSpeed(i, v))
}

// worn is rub of a touch at the beginning of a step, 0 where it was part of the step before and had
// no force.
func (s *solution) worn(i int) float64 {
	if s.marks[i].state == Active {
		return 0
	}
	return s.rub(i, s.v)
}

// wear sets worn to what the spins of the bodies of some contacts count in V: the speed of their
// surface at the contact where it is largest, unless that is neither slip nor rolling.
func (s *solution) wear(members []int) {
	x, dim := &s.p.islands, s.model.Dim
	x.worn = grow(x.worn, len(s.model.Bodies))
	clear(x.worn)
	for _, k := range members {
		i := s.p.list[k]
		t := &s.touches[i]
		if s.marks[i].state == Active || !s.turns(t.A) && (t.B < 0 || !s.turns(t.B)) {
			continue
		}
		slip := vec3.Norm(s.relativeSpeed(i, s.v))
		for _, b := range [...]int{t.A, t.B} {
			if b < 0 || !s.turns(b) {
				continue
			}
			p := &s.model.Bodies[b]
			most := max(slip, wearRoll*length(s.v[p.V:p.V+dim]))
			if most <= x.worn[b] {
				continue
			}
			var centre vec
			copy(centre[:dim], s.v[p.V:])
			x.worn[b] = max(x.worn[b], min(vec3.Norm(vec3.Add(s.pointSpeed(b, t.At, s.v), -1, centre)), most))
		}
	}
}

// slow reports whether a body moves, but for a spin that may be free, by no more than a share of
// the speed that its forces give it.
func (s *solution) slow(b int, share float64) bool {
	p := &s.model.Bodies[b]
	limit := share * s.kickSpeed(p)
	for k := range p.N {
		if !p.Idle[k] && !(math.Abs(s.v[p.V+k])*p.Lever(k, s.model.Dim) <= limit) {
			return false
		}
	}
	return true
}

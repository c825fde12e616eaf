package assembly

import (
	"context"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// partMotion looks for a set of blocks that moves while the others rest. From each block on: its
// motion by Coulomb's law between the others at rest, then forces with which these balance the loads and
// the reactions of the set. Where they do not, the ray of that program says which of them give way, and
// they join the set. What is found is checked as a whole by motionOf.
func (s *statics) partMotion(ctx context.Context, f []float64, limit time.Duration) *Motion {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for first := range s.mass {
		set := make([]bool, len(s.mass))
		set[first] = true
		for size, grown := 1, true; grown && 2*size <= len(s.mass)+1 && ctx.Err() == nil; {
			m, rest := s.tryPart(ctx, f, set)
			if m != nil {
				return m
			}
			grown = false
			for b, joins := range rest {
				if joins && !set[b] {
					set[b], grown = true, true
					size++
				}
			}
		}
	}
	return nil
}

// tryPart finds the motion of a set, or the blocks beside it that do not rest when it moves.
func (s *statics) tryPart(ctx context.Context, f []float64, set []bool) (m *Motion, giving []bool) {
	part, places := s.part(set, nil)
	local := part.someMotion(ctx, part.gather(f), time.Second)
	if local == nil {
		return nil, nil
	}
	v, r := make([]float64, s.nv), make([]float64, s.dim*len(s.contacts))
	part.scatter(v, local.Accelerations)
	for k, j := range places {
		copy(r[j*s.dim:(j+1)*s.dim], local.Reactions[k*s.dim:(k+1)*s.dim])
	}
	load := append([]float64(nil), f...)
	s.resultant(load, r)
	others := make([]bool, len(set))
	for b := range set {
		others[b] = !set[b]
	}
	rest, places := s.part(others, set)
	if rest.nv > 0 {
		answer, err := conic.Solve(ctx, rest.program(rest.gather(load), own), &conic.Options{Enough: 1e-8})
		if err != nil || answer.Status == conic.Undecided {
			return nil, nil
		}
		if answer.Status == conic.Infeasible {
			return nil, rest.moved(answer.Y, len(set))
		}
		held := rest.reactions(answer.X, own)
		for k, j := range places {
			copy(r[j*s.dim:(j+1)*s.dim], held[k*s.dim:(k+1)*s.dim])
		}
	}
	return s.motionOf(f, v, r, 1), nil
}

// moved are the free blocks that a velocity of the part moves as much as a tenth of the one that it moves most.
func (s *statics) moved(v []float64, blocks int) []bool {
	all := make([]bool, blocks)
	most := largest(v)
	for k, b := range s.free {
		all[b] = largest(v[k*s.per:(k+1)*s.per]) > most/10
	}
	return all
}

// part is the assembly of the blocks of a set between all others at rest, without the contacts of the
// blocks in without; places are those of its contacts in s. Loads are gathered from those of s.
func (s *statics) part(set, without []bool) (p *statics, places []int) {
	p = &statics{a: s.a, dim: s.dim, per: s.per, length: s.length, force: s.force, index: s.index}
	at := make([]int, len(set))
	for b, in := range set {
		at[b] = -1
		if in {
			at[b] = p.nv
			p.nv += s.per
			p.free = append(p.free, b)
			p.mass, p.inverse = append(p.mass, s.mass[b]), append(p.inverse, s.inverse[b])
		}
	}
	for j := range s.contacts {
		c := &s.contacts[j]
		mine := corner{face: c.face, point: c.point, frame: c.frame, mu: c.mu}
		barred := false
		for k := 0; k < len(c.rows); k += s.per {
			b := c.rows[k] / s.per
			barred = barred || without != nil && without[b]
			if at[b] < 0 {
				continue
			}
			for i := range s.per {
				mine.rows = append(mine.rows, at[b]+i)
			}
			for e := range s.dim {
				mine.cols[e] = append(mine.cols[e], c.cols[e][k:k+s.per]...)
			}
		}
		if len(mine.rows) > 0 && !barred {
			p.contacts, places = append(p.contacts, mine), append(places, j)
		}
	}
	return p, places
}

// gather takes what a part has of the rows of the whole, scatter gives it back.
func (s *statics) gather(whole []float64) []float64 {
	var x []float64
	for _, b := range s.free {
		x = append(x, whole[b*s.per:(b+1)*s.per]...)
	}
	return x
}

func (s *statics) scatter(whole, x []float64) {
	for k, b := range s.free {
		copy(whole[b*s.per:(b+1)*s.per], x[k*s.per:(k+1)*s.per])
	}
}

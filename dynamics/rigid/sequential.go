package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// sequences bounds the single impacts of one collision, for each contact; what still approaches
// then is compressed at once without rebound.
const sequences = 1000

// sequence solves a collision as a sequence of impacts at single contacts, each time the one that
// approaches fastest: the wave through a row of balls. One impact obeys Moreau's law, (1+e)r with
// the compression r, and loses
//
//	−(1+e) r·û + ½(1−e²) r·W r ≥ 0,
//
// so that energy falls until no contact approaches faster than RestitutionSpeed; the rest is
// compressed at once. The order of equals is that of the touches. On entry W and b are loaded; the
// impulses come to r.
func (s *impacts) sequence(ctx context.Context) error {
	p := &s.p
	nc, dim := len(p.list), p.dim
	total := append(s.total[:0], p.r...)
	s.total = total
	clear(total)
	clear(p.r)
	for range sequences * nc {
		k, speed := -1, -s.o.RestitutionSpeed
		for i := range nc {
			if u := p.b[i*dim]; u < speed {
				k, speed = i, u
			}
		}
		if k < 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.single(k, total)
	}
	copy(p.r, total)
	s.push(s.w, 1)
	if !s.approaching() {
		return nil
	}
	return s.solveAfter(ctx, total)
}

// solveAfter solves the impact that follows those of the impulses total, at the velocities that
// they left, and adds them to its own.
func (s *impacts) solveAfter(ctx context.Context, total []float64) error {
	p := &s.p
	s.relative(p.b, s.w)
	clear(p.r)
	p.resistance.forgetMoments()
	if err := s.solve(ctx); err != nil {
		return err
	}
	s.pushSolved(s.w)
	for i := range p.r {
		p.r[i] += total[i]
	}
	return nil
}

// single makes the impact of contact k: adds its impulse to total and what it does to the speeds of
// all contacts to b.
func (s *impacts) single(k int, total []float64) {
	p := &s.p
	o, dim := &p.one, p.dim
	o.w, o.b = [9]float64{}, [3]float64{}
	for d := range dim {
		o.b[d] = p.b[k*dim+d]
	}
	var w [9]float64
	s.blockOf(&w, k)
	for i := range dim * dim {
		o.w[3*(i/dim)+i%dim] = w[i]
	}
	contact.SolveOne(&o.r, dim, &o.w, &o.b, lawMu(p.laws[k]))
	e := s.model.MaterialOf(&s.touches[p.list[k]]).Restitution
	for d := range dim {
		o.r[d] *= 1 + e
		total[k*dim+d] += o.r[d]
	}
	if p.augmented {
		s.strikeAugmented(k, o.r[:dim])
		return
	}
	for i := range p.list {
		for j := p.w.Ptr[i]; j < p.w.Ptr[i+1]; j++ {
			if p.w.Col[j] != k {
				continue
			}
			for a := range dim {
				for c := range dim {
					p.b[i*dim+a] += p.w.Val[(j*dim+a)*dim+c] * o.r[c]
				}
			}
		}
	}
}

// ambiguous reports whether contacts of several pairs, coupled by W, rebound in the collision of
// p.r: then each law of impact has another outcome.
func (s *impacts) ambiguous() bool {
	p := &s.p
	if p.augmented {
		return s.ambiguousAugmented()
	}
	for k := range p.list {
		if !s.rebounds(k) {
			continue
		}
		for j := p.w.Ptr[k]; j < p.w.Ptr[k+1]; j++ {
			c := p.w.Col[j]
			if s.rebounds(c) && s.touches[p.list[c]].Pair() != s.touches[p.list[k]].Pair() && math.Abs(p.w.Val[j*p.dim*p.dim]) > 0 {
				return true
			}
		}
	}
	return false
}

// narrowGap is about what bodies of steel give way in an impact, and what the best of surfaces are
// rough: whether a gap below it is closed no one knows, and rigid bodies rebound at once if it is,
// one after the other if it is not [m, of the unit of length].
const narrowGap = 1e-6

// narrow returns [Collision.Narrow] of the collision of p.r from v to w.
func (s *impacts) narrow() (least float64) {
	for i := range s.touches {
		t := &s.touches[i]
		if s.marks[i].active || !(t.Gap <= s.unit*narrowGap) || least > 0 && t.Gap >= least || !(s.model.MaterialOf(t).Restitution > 0) ||
			min(s.approach(i, s.v, 0), s.approach(i, s.w, 0)) >= -s.o.RestitutionSpeed {
			continue
		}
		for k, j := range s.p.list {
			if x := &s.touches[j]; s.rebounds(k) && x.Pair() != t.Pair() && s.tied(x, t) {
				least = t.Gap
				break
			}
		}
	}
	return least
}

// tied reports whether two touches have a body in common, or bodies of one mechanism.
func (s *impacts) tied(x, y *bodies.Touch) bool {
	for _, a := range [2]int{x.A, x.B} {
		for _, b := range [2]int{y.A, y.B} {
			if a >= 0 && b >= 0 && s.model.Home[a] == s.model.Home[b] {
				return true
			}
		}
	}
	return false
}

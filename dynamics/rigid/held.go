package rigid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// A contact whose normal is held by joints, SH e_n = 0, has the u_N that the joints give it,
// whatever its impulse: the two together are redundant. Where u_N >= 0 the impulse zero solves its
// law, and is the least of all that do; any other one would be taken up by the joints. Such
// contacts are left out of the problem, in which their rows would be rounding, and what is left of
// their law, that they do not close, is judged by the motion.

// heldShare: a normal that gives by less than this share of what the free bodies would is held. S
// of five links keeps 1e-13 of that by rounding; a body that weighs 1e-11 of what it is fixed to is
// held, too.
const heldShare = 1e-11

// heldPerhaps is a share as large as the rounding of the blocks of a tree.
const heldPerhaps = 1e-6

// loadFree is a load of the list without the contacts that joints hold.
func (s *solution) loadFree(load func() error) error {
	p := &s.p
	p.held = p.held[:0]
	if err := load(); err != nil || len(s.model.Rows) == 0 {
		return err
	}
	n := 0
	for k, i := range p.list {
		if s.isHeld(k) {
			p.held = append(p.held, i)
			continue
		}
		p.list[n], p.laws[n] = i, p.laws[k]
		n++
	}
	if n == len(p.list) {
		return nil
	}
	p.list, p.laws = p.list[:n], p.laws[:n]
	return load()
}

// isHeld reports whether joints hold the normal of contact k of the list. Of long chains the blocks
// of the tree, which have lost digits, say of which it is worth to ask.
func (s *solution) isHeld(k int) bool {
	p := &s.p
	free := 0.0
	for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
		inv := &s.inv[x.comp]
		if inv.M == 0 {
			return false
		}
		b := &inv.Blocks[x.slot]
		for i := range x.n {
			h := p.h[x.at+i*p.dim]
			free += h * h / b.A[i*b.N+i]
		}
	}
	if p.bare {
		var w [9]float64
		if s.ownBlock(&w, k); w[0] > heldPerhaps*free {
			return false
		}
	}
	return s.givesNormal(k) <= heldShare*free
}

// givesNormal is e_n·HᵀSH e_n of contact k.
func (s *solution) givesNormal(k int) (sum float64) {
	p := &s.p
	parts := p.part[p.ptr[k]:p.ptr[k+1]]
	for i, x := range parts {
		if i > 0 && x.comp == parts[0].comp {
			continue
		}
		column := grow(p.column, s.inv[x.comp].N)
		p.column = column
		clear(column)
		for _, y := range parts {
			for r := 0; r < y.n && y.comp == x.comp; r++ {
				column[y.local+r] = p.h[y.at+r*p.dim]
			}
		}
		s.inv[x.comp].Respond(column)
		for _, y := range parts {
			for r := 0; r < y.n && y.comp == x.comp; r++ {
				sum += column[y.local+r] * p.h[y.at+r*p.dim]
			}
		}
	}
	return sum
}

// closesHeld reports whether a step closes a touch that joints hold by more than projections leave.
func (s *solution) closesHeld(i int, h float64) bool {
	return min(s.touches[i].Gap, 0)+h*s.approach(i, s.w, h) < -s.unit*projectDeep-s.depth
}

// heldOpen is the error of a step that does so.
func (s *solution) heldOpen(h float64) error {
	for _, i := range s.p.held {
		if t := &s.touches[i]; s.closesHeld(i, h) {
			return fmt.Errorf("%s meet at %s, and joints let neither give way", s.model.TouchName(t), multibody.Where(s.model.There(t.At)))
		}
	}
	return nil
}

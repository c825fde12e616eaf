package rigid

import (
	"slices"
)

// Chatter (Zeno): bodies that fall flat on each other close one corner and open another, ever
// slower and ever sooner, at times that accumulate; so does what bounces with e < 1. When a pair
// has collided several times in a step and comes no faster than the forces of the step make it go,
// what is left is less than a step of first order resolves: till its end the touches that these
// forces could close take part as if they were closed, in impacts and, with Φ/h + u_N ≥ 0, in parts
// of the step. Both take energy and give none.

// chatter is what is known of a pair that collides.
type chatter struct {
	hits    int     // in this step
	fastest float64 // approach [m/s]
	near    float64 // its touches nearer than that take part; 0: none do [m]
	settled bool    // in this step
}

const (
	// chatterHits tell a pair that chatters from one of which two corners land.
	chatterHits = 3
	// chatterShare of the speed is what e leaves of it after so many collisions when a pair may
	// settle: a hundredth of the energy.
	chatterShare = 0.1
)

// chatters reports whether touch i takes part because its pair chatters.
func (s *contactSet) chatters(i int) bool {
	return len(s.hits) > 0 && s.touches[i].Gap <= s.hits[s.touches[i].Pair()].near
}

// admitChatter leaves to a part of length h those touches of pairs that chatter which may close in
// it: Φ/h of the others is beyond all speeds of the problem, which is solved to digits of the
// largest. For α < 1 what closes so is compressed where it does, as the weighted velocity would
// have it turn round in each step that follows.
func (s *contactSet) admitChatter(h float64) {
	if len(s.hits) == 0 {
		return
	}
	for i := range s.touches {
		m, gap := &s.marks[i], s.touches[i].Gap
		if !m.active || gap <= s.unit*touchGap || !s.chatters(i) {
			continue
		}
		if m.soft = s.mode.alpha < 1; !m.loaded {
			m.active = gap <= h*s.hits[s.touches[i].Pair()].fastest
		}
	}
}

// endChatter ends chatter with a step: its end is projected with the touches that are closed.
func (s *contactSet) endChatter() {
	for pair, x := range s.hits {
		x.near = 0
		s.hits[pair] = x
	}
}

// recount begins to count collisions. A pair that chattered before does so at its first one.
func (s *contactSet) recount() {
	s.counted = len(s.step.Collisions)
	for pair, x := range s.hits {
		if x.settled {
			s.hits[pair] = chatter{hits: chatterHits - 1}
		} else {
			delete(s.hits, pair)
		}
	}
}

// chattering lists the pairs that did so in the last step.
func (s *contactSet) chattering(dst []uint64) []uint64 {
	for pair, x := range s.hits {
		if x.settled {
			dst = append(dst, pair)
		}
	}
	slices.Sort(dst)
	return dst
}

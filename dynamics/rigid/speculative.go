package rigid

import (
	"cmp"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// On the gap grid a step holds Φ + h u_N ≥ 0 of the touches that it knows, those up to
// Options.Margin. What comes faster than that in a step, of pairs that would overlap at its end if
// they flew, is looked for before it: of others the linear row may see a collision that is none.

// flight is how far a body goes in a step by its velocity [m].
type flight struct {
	at, v vec     // of its centre [m, m/s]
	turn  float64 // of its points by its spin [m]
	most  float64 // of its points [m]
	reach float64 // of all of it, from where its centre is [m]
	left  float64 // along x [m]
}

// speculate adds to the touches those further away than Options.Margin that may close in a step of
// length h.
func (s *detection) speculate(h float64) {
	if s.mode.grid != GapGrid || s.alone || !s.mayOutrun(h) {
		return
	}
	w := s.model.World
	s.speculative = s.speculative[:0]
	s.flyFree(h)
	for i := range s.flights {
		for f := range w.Obstacles() {
			if s.flights[i].most > s.o.Margin || s.driven && s.motions[f].Moves() {
				s.speculatePair(bodies.FloorTouch(i, f), h)
			}
		}
	}
	s.speculatePairs(h)
	s.addSpeculative()
}

// speculatePairs looks at the pairs of bodies, from the left to the right.
func (s *detection) speculatePairs(h float64) {
	if len(s.order) != len(s.flights) {
		s.order = s.order[:0]
		for i := range s.flights {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(i, j int) int { return cmp.Compare(s.flights[i].left, s.flights[j].left) })
	for k, i := range s.order {
		x := &s.flights[i]
		for _, j := range s.order[k+1:] {
			y := &s.flights[j]
			if y.left > x.at[0]+x.reach {
				break
			}
			reach := x.reach + y.reach
			if dy, dz := x.at[1]-y.at[1], x.at[2]-y.at[2]; dz*dz > reach*reach || dy*dy > reach*reach {
				continue // as most, of a pile
			}
			d := vec3.Add(x.at, -1, y.at)
			if vec3.Dot(d, d) > reach*reach {
				continue
			}
			u, slack := vec3.Add(x.v, -1, y.v), s.o.Margin-x.turn-y.turn
			if slack > 0 && h*h*vec3.Dot(u, u) <= slack*slack { // by its own motion none is beyond the margin
				continue
			}
			if a, b := min(i, j), max(i, j); !s.model.Apart(a, b) {
				s.speculatePair(bodies.PairTouch(a, b), h)
			}
		}
	}
}

// mayOutrun reports whether there may be such touches, and takes how far all bodies go.
func (s *detection) mayOutrun(h float64) bool {
	m := s.model
	s.flights = grow(s.flights, len(m.Bodies))
	var most [2]float64 // the two largest ways
	fall := h * h * vec3.Norm(m.World.GravityOver(s.t, h))
	for i := range m.Bodies {
		p := &m.Bodies[i]
		x := flight{turn: h * length(s.v[p.V+m.Dim:p.V+p.N]) * m.World.Lever(i)}
		copy(x.v[:m.Dim], s.v[p.V:])
		x.at, x.most = s.poses[i].Centre, h*vec3.Norm(x.v)+x.turn+fall
		x.reach = m.World.Reach(i) + x.most
		x.left = x.at[0] - x.reach
		s.flights[i] = x
		if x.most > most[0] {
			most[0], most[1] = x.most, most[0]
		} else {
			most[1] = max(most[1], x.most)
		}
	}
	return s.driven || most[0]+most[1] > s.o.Margin
}

// flyFree sets qNext to where the velocities and the weight lead in a step of length h.
func (s *detection) flyFree(h float64) {
	g := s.model.World.GravityOver(s.t, h)
	copy(s.x, s.v)
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for d := range s.model.Dim {
			s.x[p.V+d] += h * g[d]
		}
	}
	s.move(s.qNext, s.q, s.x, h)
}

// speculatePair looks at the touches of a pair.
func (s *detection) speculatePair(t bodies.Touch, h float64) {
	s.again = s.find.Again(s.again[:0], s.t+h, s.qNext, &t)
	if !slices.ContainsFunc(s.again, func(x bodies.Touch) bool { return x.Gap < 0 }) {
		return
	}
	s.again = s.find.Again(s.again[:0], s.t, s.q, &t)
	for i := range s.again {
		if x := &s.again[i]; x.Gap > s.o.Margin && s.mayClose(x, h) {
			s.speculative = append(s.speculative, *x)
		}
	}
}

// mayClose reports whether a touch may close in a step of length h: what is on its way by half more
// than its speed, or by its weight, as contacts and turns change speeds.
func (s *detection) mayClose(t *bodies.Touch, h float64) bool {
	u := s.pointSpeed(t.A, t.At, s.v)
	if t.B >= 0 {
		u = vec3.Add(u, -1, s.pointSpeed(t.B, t.At, s.v))
	} else if s.driven && s.motions[t.Floor].Moves() {
		u = vec3.Add(u, -1, s.motions[t.Floor].Rate(s.t, t.At))
	}
	return t.Gap < -1.5*h*vec3.Dot(u, t.N)+h*h*vec3.Norm(s.model.World.GravityOver(s.t, h))
}

// addSpeculative puts what was found into its places.
func (s *detection) addSpeculative() {
	if len(s.speculative) == 0 {
		return
	}
	slices.SortFunc(s.speculative, func(a, b bodies.Touch) int { return cmp.Compare(a.Key, b.Key) })
	for i := range s.speculative {
		t := &s.speculative[i]
		k, found := slices.BinarySearchFunc(s.touches, t.Key, func(x bodies.Touch, key uint64) int { return cmp.Compare(x.Key, key) })
		if found {
			continue
		}
		m := mark{speculative: true}
		s.takeFrame(&m, t)
		s.touches, s.marks = slices.Insert(s.touches, k, *t), slices.Insert(s.marks, k, m)
	}
}

package rigid

import (
	"cmp"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// On the gap grid a step holds Φ + h u_N ≥ 0 of the touches that it knows, those up to
// Options.Margin: a tenth of the largest body. What comes faster than that in a step was not among
// them. It entered by up to h|u_N|, a corner at 5.6 m/s and h = 10 ms by 29 mm, and a projection
// lifted the body out: .27 J of energy in one step. Now such touches are looked for before the
// step, of pairs that would overlap at its end if they flew: of others the linear row may see a
// collision that is none.

// outrun is how far a body goes in a step by its velocity [m].
type outrun struct {
	at, v vec     // of its centre [m, m/s]
	turn  float64 // of its points by its spin [m]
	most  float64 // of its points [m]
	reach float64 // of all of it, from where its centre is [m]
	left  float64 // along x [m]
}

// foresee adds to the touches those further away than Options.Margin that may close in a step of
// length h.
func (s *detection) foresee(h float64) {
	if s.mode.grid != GapGrid || s.alone || !s.outruns(h) {
		return
	}
	w := s.model.World
	s.coming = s.coming[:0]
	s.fly(h)
	for i := range s.runs {
		for f := range w.Obstacles() {
			if s.runs[i].most > s.o.Margin || s.driven && s.motions[f].Moves() {
				s.foreseePair(bodies.FloorTouch(i, f), h)
			}
		}
	}
	s.foreseePairs(h)
	s.addComing()
}

// foreseePairs looks at the pairs of bodies, from the left to the right.
func (s *detection) foreseePairs(h float64) {
	if len(s.order) != len(s.runs) {
		s.order = s.order[:0]
		for i := range s.runs {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(i, j int) int { return cmp.Compare(s.runs[i].left, s.runs[j].left) })
	for k, i := range s.order {
		x := &s.runs[i]
		for _, j := range s.order[k+1:] {
			y := &s.runs[j]
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
				s.foreseePair(bodies.PairTouch(a, b), h)
			}
		}
	}
}

// outruns reports whether there may be such touches, and takes how far all bodies go.
func (s *detection) outruns(h float64) bool {
	m := s.model
	s.runs = grow(s.runs, len(m.Bodies))
	var most [2]float64 // the two largest ways
	fall := h * h * vec3.Norm(m.World.Gravity())
	for i := range m.Bodies {
		p := &m.Bodies[i]
		x := outrun{turn: h * length(s.v[p.V+m.Dim:p.V+p.N]) * m.World.Lever(i)}
		copy(x.v[:m.Dim], s.v[p.V:])
		x.at, x.most = s.poses[i].Centre, h*vec3.Norm(x.v)+x.turn+fall
		x.reach = m.World.Reach(i) + x.most
		x.left = x.at[0] - x.reach
		s.runs[i] = x
		if x.most > most[0] {
			most[0], most[1] = x.most, most[0]
		} else {
			most[1] = max(most[1], x.most)
		}
	}
	return s.driven || most[0]+most[1] > s.o.Margin
}

// fly sets qNext to where the velocities and the weight lead in a step of length h.
func (s *detection) fly(h float64) {
	g := s.model.World.Gravity()
	copy(s.x, s.v)
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for d := range s.model.Dim {
			s.x[p.V+d] += h * g[d]
		}
	}
	s.move(s.qNext, s.q, s.x, h)
}

// foreseePair looks at the touches of a pair.
func (s *detection) foreseePair(t bodies.Touch, h float64) {
	s.again = s.find.Again(s.again[:0], s.t+h, s.qNext, &t)
	if !slices.ContainsFunc(s.again, func(x bodies.Touch) bool { return x.Gap < 0 }) {
		return
	}
	s.again = s.find.Again(s.again[:0], s.t, s.q, &t)
	for i := range s.again {
		if x := &s.again[i]; x.Gap > s.o.Margin && s.nears(x, h) {
			s.coming = append(s.coming, *x)
		}
	}
}

// nears reports whether a touch may close in a step of length h: what is on its way by half more
// than its speed, or by its weight, as contacts and turns change speeds.
func (s *detection) nears(t *bodies.Touch, h float64) bool {
	u := s.pointSpeed(t.A, t.At, s.v)
	if t.B >= 0 {
		u = vec3.Add(u, -1, s.pointSpeed(t.B, t.At, s.v))
	} else if s.driven && s.motions[t.Floor].Moves() {
		u = vec3.Add(u, -1, s.motions[t.Floor].Rate(s.t, t.At))
	}
	return t.Gap < -1.5*h*vec3.Dot(u, t.N)+h*h*vec3.Norm(s.model.World.Gravity())
}

// addComing puts what was found into its places.
func (s *detection) addComing() {
	if len(s.coming) == 0 {
		return
	}
	slices.SortFunc(s.coming, func(a, b bodies.Touch) int { return cmp.Compare(a.Key, b.Key) })
	for i := range s.coming {
		t := &s.coming[i]
		k, found := slices.BinarySearchFunc(s.touches, t.Key, func(x bodies.Touch, key uint64) int { return cmp.Compare(x.Key, key) })
		if found {
			continue
		}
		m := mark{far: true}
		m.transport(s.model, t)
		s.touches, s.marks = slices.Insert(s.touches, k, *t), slices.Insert(s.marks, k, m)
	}
}

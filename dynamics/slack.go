package dynamics

import (
	"math"
	"slices"
)

// Slack. Within a step of h velocities change from v to v'. When they do nothing of the step tells:
// where a body comes to rest, at the start of the step or at its end, its way is anything from hv'
// to hv, the scheme takes hv^θ, and
//
//	hm‖v' − v‖, m = max(θ, 1 − θ),
//
// bounds what that is off by, as long as the change has one sign. While forces are smooth this is
// O(h²), and next to nothing beside the errors that add up. But a block that stops within the first
// step of a run stops there in steps of twice and of a quarter of the length, too: they all agree
// that it does not move. Here the bound is hv, and tells.
//
// So it is asked for along the surfaces where bodies rub: across them gaps say where a body may be.

// Rubbing is a [Variable] whose parts rub.
type Rubbing interface {
	// Slack stores, for each of the parts of Distances, what the last step leaves open of its way
	// along the surfaces that it rubs on [m].
	Slack(dst []float64) []float64
}

// slackOf is that of a step of v; nil: nothing is known.
func slackOf(v Variable, dst []float64) []float64 {
	if r, ok := v.(Rubbing); ok {
		return r.Slack(dst)
	}
	return nil
}

// Slack implements [Rubbing].
func (s *Stepper) Slack(dst []float64) []float64 { return append(dst[:0], s.slack...) }

// openWays finds the slack of a step, before the state changes: of each part by its velocity along
// the surfaces, or by how much its slips have changed, whichever is less. What sticks to something
// that shakes goes its way, and what spins in its place goes none.
func (s *Stepper) openWays(h float64) {
	p, t, c := &s.partition, &s.turns, &s.contacts
	s.slips = grow(s.slips, p.count)
	clear(s.slips)
	x := s.scratch
	m := h * max(s.step.Theta, 1-s.step.Theta)
	for i, v := range s.now.V {
		x[i] = m * (s.next.V[i] - v)
	}
	before := s.slipsBefore(h)
	for e := range c.elements() {
		force := s.next.Lambda[s.dim*e : s.dim*(e+1)]
		if force[0] == 0 {
			continue
		}
		change := 0.0
		if norm(force[1:]) > 0 {
			for k := s.dim*e + 1; k < s.dim*(e+1); k++ {
				change += (s.next.Slip[k] - before[k]) * (s.next.Slip[k] - before[k])
			}
		}
		rows := c.h.Row[c.h.Ptr[e]:c.h.Ptr[e+1]]
		normals := c.h.Val[s.dim*c.h.Ptr[e]:]
		for first := 0; first < len(rows); {
			part, last := p.of[rows[first]], first
			for last < len(rows) && p.of[rows[last]] == part {
				last++
			}
			s.slips[part] = max(s.slips[part], m*math.Sqrt(change))
			t.across(x, rows[first:last], normals[s.dim*first:], s.dim)
			first = last
		}
	}
	s.slack = s.norms(s.slack, x)
	for k := range s.slack {
		if k < p.count {
			s.slack[k] = min(s.slack[k], s.slips[k])
		} else {
			s.slack[k] = 0 // turns
		}
	}
	for range t.directed {
		s.slack = append(s.slack, 0)
	}
}

// slipsBefore are the slips of the elements in the step before one of h, or, of patches that are new, at its
// end: what goes with something that speeds up does not slip by ha/2.
func (s *Stepper) slipsBefore(h float64) []float64 {
	c := &s.contacts
	n := s.dim * c.elements()
	s.relatives = grow(s.relatives, n)
	slips := s.relatives
	clear(slips)
	c.h.MulTransAdd(slips, s.now.V)
	same := slices.Equal(s.now.Keys, s.next.Keys)
	for i := range c.patches {
		p := &c.patches[i]
		first, last := s.next.Ptr[i], s.next.Ptr[i+1]
		if !same {
			first, last = s.now.Patch(p.key)
		}
		own := slips[s.dim*p.first : s.dim*p.last]
		if slip := s.now.Slip[first:last]; len(slip) == len(own) {
			copy(own, slip)
		} else if len(c.drive) > 0 {
			_, first, _ := s.drivesAtEnds(p.key, len(own), h)
			copy(own, s.slipsTo(p, first))
		}
	}
	return slips
}

// slipsTo are the speeds of the elements of a patch at the start of a step, relative to speeds of what they touch.
func (s *Stepper) slipsTo(p *placed, speeds []float64) []float64 {
	c := &s.contacts
	s.own = grow(s.own, len(speeds))
	for k, x := range speeds {
		s.own[k] = -x
	}
	for e := p.first; e < p.last; e++ {
		for k := c.h.Ptr[e]; k < c.h.Ptr[e+1]; k++ {
			for d := range s.dim {
				s.own[s.dim*(e-p.first)+d] += c.h.Val[s.dim*k+d] * s.now.V[c.h.Row[k]]
			}
		}
	}
	return s.own
}

// across takes from x what it has along the normal of an element, of the translations of a part in
// its rows.
func (t *turns) across(x []float64, rows []int, normals []float64, dim int) {
	along, size := 0.0, 0.0
	translates := func(row int) bool { return t.arms == nil || t.arms[row] == 0 }
	for k, row := range rows {
		if n := normals[dim*k]; translates(row) {
			along, size = along+n*x[row], size+n*n
		}
	}
	if size == 0 {
		return
	}
	for k, row := range rows {
		if translates(row) {
			x[row] -= along / size * normals[dim*k]
		}
	}
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

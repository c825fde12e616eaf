package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

var _ dynamics.Rubbing = (*Stepper)(nil)

// Slack implements [dynamics.Rubbing]: the largest of a part of the last step.
func (s *Stepper) Slack(dst []float64) []float64 { return append(dst[:0], s.slack...) }

// findSlack finds what a part of a step leaves open of the ways of the bodies that begin or go on to
// slide in it: h max(γ, 1−γ) times the change of their velocity along the surfaces, see
// [dynamics.Rubbing]. It is called before the state changes. A part of second order that ends where
// a slip does ([scheme.untilReversal]) leaves nothing open: velocities change as the forces do.
func (s *Stepper) findSlack(h float64) {
	m, p := s.model, &s.p
	if s.alpha < 1 && s.seesReversals() && len(p.list) <= reversalContacts {
		return
	}
	s.rubs = grow(s.rubs, len(m.Bodies))
	clear(s.rubs)
	for _, i := range p.list {
		if k := &s.marks[i]; i < len(s.slid) && s.slid[i] && length(k.r[1:p.dim]) > 0 {
			s.rubs[s.touches[i].A] = true
			if b := s.touches[i].B; b >= 0 {
				s.rubs[b] = true
			}
		}
	}
	s.jumps = grow(s.jumps, len(m.Bodies))
	for b, rubs := range s.rubs {
		if s.jumps[b] = (vec{}); rubs {
			v := m.Bodies[b].V
			for k := range m.Dim {
				s.jumps[b][k] = s.vEnd[v+k] - s.v[v+k]
			}
		}
	}
	for _, i := range p.list {
		t, n := &s.touches[i], s.marks[i].frame[0]
		for _, b := range [2]int{t.A, t.B} {
			if b >= 0 && s.marks[i].pressed() > 0 {
				s.jumps[b] = vec3.Add(s.jumps[b], -vec3.Dot(s.jumps[b], n), n)
			}
		}
	}
	for b := range s.jumps {
		s.slack[b] = max(s.slack[b], h*max(s.gamma, 1-s.gamma)*vec3.Norm(s.jumps[b]))
	}
}

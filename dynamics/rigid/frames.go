package rigid

import (
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
)

var _ dynamics.Framed = (*Stepper)(nil)

// openFrames finds the frames of the obstacles.
func (s *accounts) openFrames() [][3]float64 {
	s.frames, s.frameOf = s.model.World.Frames(s.o.Until)
	if len(s.grounded()) > 0 && !slices.Contains(s.frames, [3]float64{}) {
		s.frames = append(s.frames, [3]float64{})
	}
	s.first = append(s.first[:0], s.v...)
	return s.frames
}

// grounded are bodies that joints or forces tie to the ground, or drag to what is at rest around them.
func (s *accounts) grounded() (list []int) {
	for i := range s.model.rows {
		if r := &s.model.rows[i]; r.b < 0 {
			list = append(list, r.a)
		}
	}
	for _, f := range s.model.setup.Forces {
		if b := f.Bodies(); slices.Min(b) < 0 && slices.Max(b) >= 0 {
			list = append(list, slices.Max(b))
		}
	}
	for i := range s.model.body {
		if drag, _ := s.model.World.Drag(i); drag > 0 {
			list = append(list, i)
		}
	}
	return list
}

// tieGround says whose islands are tied to the ground.
func (s *accounts) tieGround() {
	at := slices.Index(s.frames, [3]float64{})
	for _, b := range s.grounded() {
		s.worth.Made.Touch(b, at)
	}
}

// momentumOf is that of a body.
func (s *accounts) momentumOf(i int, v []float64) dynamics.Momentum {
	p := &s.model.body[i]
	return dynamics.PointMass(p.mass, v[p.v:p.v+s.model.dim])
}

// storedNow returns the energies of the springs as they were last found, at their first bodies.
func (s *accounts) storedNow() []float64 {
	s.stored = grow(s.stored, len(s.model.body))
	clear(s.stored)
	for i, f := range s.model.setup.Forces {
		s.stored[s.model.first(f)] += s.worth.Shares.Elastic[i]
	}
	return s.stored
}

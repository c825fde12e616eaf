package rigid

import (
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
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

// grounded are bodies that joints or forces tie to the ground, or drag to what is at rest around
// them.
func (s *accounts) grounded() (list []int) {
	for i := range s.model.Rows {
		if r := &s.model.Rows[i]; r.B < 0 {
			list = append(list, r.A)
		}
	}
	for _, f := range s.model.Setup.Forces {
		_, load := f.(multibody.Averaged)
		if b := f.Bodies(); len(b) == 1 && !load {
			list = append(list, b[0])
		}
	}
	for i := range s.model.Bodies {
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
	p := &s.model.Bodies[i]
	return dynamics.PointMass(p.Mass, v[p.V:p.V+s.model.Dim])
}

// storedNow returns the energies of the springs as they were last found, at their first bodies.
func (s *accounts) storedNow() []float64 {
	s.stored = grow(s.stored, len(s.model.Bodies))
	clear(s.stored)
	for i, f := range s.model.Setup.Forces {
		s.stored[s.model.FirstBody(f)] += s.worth.Shares.Elastic[i]
	}
	return s.stored
}

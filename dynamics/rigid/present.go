package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// ContactState is what a touch did in the last part of the last step.
type ContactState uint8

// The states.
const (
	Open   ContactState = iota // near, but no part of the contact problem
	Active                     // part of it, without a force
	Stick
	Slip
)

func (s ContactState) String() string { return [...]string{"open", "active", "stick", "slip"}[s] }

// Present is a touch near the present state.
type Present struct {
	*bodies.Touch
	State ContactState
	Frame [3][3]float64 // n, t, o in global components; t follows n continuously
	Mu    float64       // that bounded it
	Force [3]float64    // on the first body, in the frame [N]
}

// Contacts visits the touches near the present state, sorted by key, with their states and forces
// in the last part of the last step. p is valid during the call.
func (s *Stepper) Contacts(visit func(p *Present)) {
	p := &s.present
	for i := range s.touches {
		m := &s.marks[i]
		*p = Present{Touch: &s.touches[i], State: m.state, Frame: m.frame, Mu: m.mu}
		r := m.r
		if s.model.MaterialOf(&s.touches[i]).Grain != nil {
			p.Frame, r = m.unstretch()
		}
		if m.h > 0 {
			p.Force = vec3.Scale(r, 1/m.h)
		}
		visit(p)
	}
}

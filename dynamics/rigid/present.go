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
	Mu    float64       // that bounded it; of a brake of a joint its bound, over the length of a radian [N]
	Force [3]float64    // on the first body, in the frame [N]
	Pull  float64       // of adhesion, that Force[0] is less by than what presses [N]
	// Moment on the first body, beyond that of Force at its place, in space [N m].
	Moment [3]float64
}

// Contacts visits the touches near the present state, sorted by key, with their states and forces
// in the last part of the last step. p is valid during the call.
func (s *Stepper) Contacts(visit func(p *Present)) {
	p := &s.present
	for i := range s.touches {
		m := &s.marks[i]
		*p = Present{Touch: &s.touches[i], State: m.state, Frame: m.frame, Mu: m.mu}
		if x := s.brakeOf(p.Touch); x != nil {
			p.Mu = x.Brake.Force / x.Scale
		}
		r := m.r
		if s.model.MaterialOf(&s.touches[i]).Grain != nil {
			p.Frame, r = m.unstretch()
		}
		if m.h > 0 {
			p.Force, p.Pull, p.Moment = vec3.Scale(r, 1/m.h), m.pull/m.h, s.coupleOf(m, 1/m.h)
		}
		visit(p)
	}
}

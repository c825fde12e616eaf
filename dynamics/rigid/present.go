package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
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
	// Turn is how fast a body turns on what it sticks to, across the normal, times its size [m/s]; 0: it
	// does not. Place is where it touches, on its axes [m].
	Turn  float64
	Place [3]float64
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
		if s.brakeOf(p.Touch) != nil {
			p.Mu = s.brakeBound(i, 1)
		}
		r := m.r
		if s.model.MaterialOf(&s.touches[i]).Grain != nil {
			p.Frame, r = m.unstretch()
		}
		if m.h > 0 {
			p.Force, p.Pull, p.Moment = vec3.Scale(r, 1/m.h), m.pull/m.h, s.coupleOf(m, 1/m.h)
		}
		if m.state == Stick && s.model.StopOf(p.Touch) == nil {
			at := &s.poses[p.A]
			p.Turn, p.Place = s.turnAt(p.Touch), multibody.ToBody(at, vec3.Add(p.At, -1, at.Centre))
		}
		visit(p)
	}
}

// turnsFrom is the speed from which on a body turns, over that of the size of the bodies a second: 1e-6
// is below what is seen and above what contact problems of 1e-8 leave.
const turnsFrom = 1e-6

// turnAt is how fast the first body of a touch turns on the other across the normal, times its size
// [m/s]; 0 below turnsFrom.
func (s *Stepper) turnAt(t *bodies.Touch) float64 {
	w := s.spinOf(t.A, s.v)
	switch {
	case t.B >= 0:
		w = vec3.Add(w, -1, s.spinOf(t.B, s.v))
	case s.driven && s.motions[t.Floor].Moves():
		w = vec3.Add(w, -s.motions[t.Floor].Spin(s.t, 0), s.motions[t.Floor].Axis)
	}
	if w == ([3]float64{}) {
		return 0
	}
	if turn := vec3.Norm(vec3.Add(w, -vec3.Dot(w, t.N), t.N)) * s.model.Bodies[t.A].Arm; turn > turnsFrom*s.pace {
		return turn
	}
	return 0
}

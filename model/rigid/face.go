package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// turning is the angle between the frictions of two corners of a face from which on it turns [rad]:
// in a slide they are parallel, to the digits of the solver.
const turning = 1e-3

// turnOnFace remembers the first pair of which a face slides and turns. Its corners carry it, and
// the torque that resists the turn is theirs: another pressure has another one, as one spread evenly
// about half of it on a box of 2 by 1. Rigid bodies say nothing of the pressure; that it was chosen
// is told.
func (r *Run) turnOnFace() {
	m := r.sum.Multibody
	if m.Face != "" || r.c.World.Dim() == 2 {
		return
	}
	var meeting uint64
	var normal, first vec3.Vec
	corners, turns := 0, false
	r.stepper.Contacts(func(p *rigid.Present) {
		rub := vec3.Add(vec3.Scale(p.Frame[1], p.Force[1]), p.Force[2], p.Frame[2])
		size := vec3.Norm(rub)
		if p.State != rigid.Slip || size == 0 || m.Face != "" {
			return
		}
		rub = vec3.Scale(rub, 1/size)
		if now := bodies.MeetingOf(p.Key); corners == 0 || now != meeting || vec3.Dot(p.N, normal) < 1-turning {
			meeting, normal, first, corners, turns = now, p.N, rub, 1, false
			return
		}
		corners, turns = corners+1, turns || vec3.Dot(rub, first) < math.Cos(turning)
		if corners >= leastCorners && turns {
			m.Face = r.c.IDs[p.A] + " on " + r.c.second(p.B, p.Floor)
		}
	})
}

// leastCorners make a face.
const leastCorners = 3

package rigid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// keepPull remembers the joint forces of a part of length h, the guess of the part that follows.
// What is left of a step after a collision may be 1e-14 s: its forces are what solvers leave over
// that, 1e4 N and more, which take the definiteness from A in a whole step; those before are kept.
func (s *sleeping) keepPull(h float64) {
	if h < shortPart*s.step.H {
		return
	}
	for c := range s.inv {
		if s.isCandidate(c) {
			continue
		}
		for k, i := range s.model.Components[c].Rows {
			s.pull[i] = s.inv[c].Bands[k].Impulse / h
		}
	}
}

// measureImpulses solves for the joint impulses in v^α = w, where contacts have changed them, as
// jointImpulse does for all joints together.
func (s *sleeping) measureImpulses(w []float64) {
	for i, v := range s.v {
		s.vEnd[i] = v + (w[i]-v)/s.alpha
	}
	if len(s.model.Rows) == 0 || len(s.p.list) == 0 && s.o.Scheme == Secant {
		return
	}
	s.measureJoints()
}

// measureJoints solves for the joint impulses of vEnd and the impulses of the contacts.
func (s *sleeping) measureJoints() {
	clear(s.f0)
	s.pushImpulses(s.f0)
	for c := range s.inv {
		if inv := &s.inv[c]; inv.M > 0 && !s.isCandidate(c) {
			j := s.column[:inv.N]
			s.impulsesOf(c, j)
			s.measure(c, j)
		}
	}
}

// freeVelocity sets w to v^α without contacts, the joints held.
func (s *sleeping) freeVelocity(h float64) {
	a := s.alpha
	s.impulse(h)
	if s.o.Scheme == Secant {
		for i := range s.model.Bodies {
			if p := &s.model.Bodies[i]; p.Tied {
				s.geometricImpulse(s.kick, p, s.v, 1)
			}
		}
	}
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.Components[c].Index
		if s.isCandidate(c) { // w is zero
			continue
		}
		if inv.M > 0 && s.o.Scheme == Secant {
			s.newton(c)
			continue
		}
		x := s.x[:inv.N]
		for i, v := range index {
			x[i] = s.kick[v]
		}
		inv.Solve(x)
		for i, v := range index {
			x[i] = s.v[v] + a*x[i]
		}
		inv.Hold(x, nil)
		for i, v := range index {
			s.w[v] = x[i]
		}
	}
}

// prepare factorises M̃ of (4.5) with the joints for all components: at the present poses and
// velocities, or in a step of the secant scheme at the poses between its ends and the tangent at
// the present w.
func (s *sleeping) prepare(x terms) error {
	if x.h > 0 {
		s.linearise(x.h)
	}
	poses := s.poses
	if s.secant(x) {
		poses = s.between
	}
	s.rowPoses = poses
	for c := range s.model.Components {
		comp, inv := &s.model.Components[c], &s.inv[c]
		inv.Resize(len(comp.Index), len(comp.Rows))
		if x.h > 0 && s.isCandidate(c) {
			s.jointRows(comp, inv, s.poses)
			continue
		}
		s.jointRows(comp, inv, poses)
		if s.secant(x) {
			s.tilt(comp, inv, x.h)
			s.geometric(comp, inv, x)
		}
		s.bodyBlocks(comp, inv, x)
		inv.Dense = nil
		if x.h > 0 && len(comp.Forces) > 0 && s.o.Jacobians != multibody.NoJacobians {
			s.full(comp, inv, x)
		}
		s.masses(comp, inv)
		if err := inv.Factor(); err != nil {
			return fmt.Errorf("%s and what is tied to it: %w", s.model.BodyName(comp.Bodies[0]), err)
		}
	}
	return nil
}

// impulsesOf sets j to Gᵀc of a component; f0 holds Hr.
func (s *sleeping) impulsesOf(c int, j []float64) {
	inv, index := &s.inv[c], s.model.Components[c].Index
	dv := s.f1[:inv.N]
	for i, v := range index {
		dv[i] = s.vEnd[v] - s.v[v]
	}
	inv.Mul(j, dv)
	for i, v := range index {
		j[i] -= s.kick[v] + s.f0[v]
	}
}

// measure sets the c of the bands of a component to those of j = Gᵀc, which it overwrites.
func (s *sleeping) measure(c int, j []float64) {
	inv := &s.inv[c]
	if inv.Dense != nil {
		inv.Whole(j, nil)
	} else {
		inv.Solve(j)
		inv.Hold(j, nil)
	}
	for k := range inv.Bands {
		inv.Bands[k].Impulse = inv.Bands[k].Multiplier
	}
}

package rigid

import (
	"fmt"
)

// keepPull remembers the joint forces of a part of length h, the guess of the part that follows. What is left of
// a step after a collision may be 1e-14 s: its forces are what solvers leave over that, 1e4 N and more, which take the
// definiteness from A in a whole step; those before are kept.
func (s *sleeping) keepPull(h float64) {
	if h < shortPart*s.step.H {
		return
	}
	for c := range s.inv {
		if s.dozes(c) {
			continue
		}
		for k, i := range s.model.comps[c].rows {
			s.pull[i] = s.inv[c].bands[k].impulse / h
		}
	}
}

// measureImpulses solves for the joint impulses in w, where contacts have changed them, as
// jointImpulse does for all joints together.
func (s *sleeping) measureImpulses() {
	for i, v := range s.v {
		s.vEnd[i] = v + (s.w[i]-v)/s.alpha
	}
	if len(s.model.rows) == 0 || len(s.p.list) == 0 && s.o.Scheme == Secant {
		return
	}
	clear(s.f0)
	s.pushImpulses(s.f0)
	for c := range s.inv {
		if inv := &s.inv[c]; inv.m > 0 && !s.dozes(c) {
			j := s.column[:inv.n]
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
		for i := range s.model.body {
			if p := &s.model.body[i]; p.tied {
				s.geometricImpulse(s.kick, p, s.v, 1)
			}
		}
	}
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.comps[c].index
		if s.dozes(c) { // w is zero
			continue
		}
		if inv.m > 0 && s.o.Scheme == Secant {
			s.newton(c)
			continue
		}
		x := s.x[:inv.n]
		for i, v := range index {
			x[i] = s.kick[v]
		}
		inv.solve(x)
		for i, v := range index {
			x[i] = s.v[v] + a*x[i]
		}
		inv.hold(x, nil)
		for i, v := range index {
			s.w[v] = x[i]
		}
	}
}

// prepare factorises M̃ of (4.5) with the joints for all components: at the
// present poses and velocities, or in a step of the secant scheme at the poses
// between its ends and the tangent at the present w.
func (s *sleeping) prepare(x terms) error {
	if x.h > 0 {
		s.linearise(x.h)
	}
	poses := s.poses
	if s.secant(x) {
		poses = s.between
	}
	for c := range s.model.comps {
		comp, inv := &s.model.comps[c], &s.inv[c]
		inv.resize(len(comp.index), len(comp.rows))
		if x.h > 0 && s.dozes(c) {
			s.jointRows(comp, inv, s.poses)
			continue
		}
		s.jointRows(comp, inv, poses)
		if s.secant(x) {
			s.tilt(comp, inv, x.h)
			s.geometric(comp, inv, x)
		}
		s.bodyBlocks(comp, inv, x)
		inv.dense = nil
		if x.h > 0 && len(comp.forces) > 0 && s.o.Jacobians != NoJacobians {
			s.full(comp, inv, x)
		}
		s.masses(comp, inv)
		if err := inv.factor(); err != nil {
			return fmt.Errorf("%s and what is tied to it: %w", s.model.bodyName(comp.bodies[0]), err)
		}
	}
	return nil
}

// impulsesOf sets j to Gᵀc of a component; f0 holds Hr.
func (s *sleeping) impulsesOf(c int, j []float64) {
	inv, index := &s.inv[c], s.model.comps[c].index
	dv := s.f1[:inv.n]
	for i, v := range index {
		dv[i] = s.vEnd[v] - s.v[v]
	}
	inv.mul(j, dv)
	for i, v := range index {
		j[i] -= s.kick[v] + s.f0[v]
	}
}

// measure sets the c of the bands of a component to those of j = Gᵀc, which it overwrites.
func (s *sleeping) measure(c int, j []float64) {
	inv := &s.inv[c]
	if inv.dense != nil {
		inv.whole(j, nil)
	} else {
		inv.solve(j)
		inv.hold(j, nil)
	}
	for k := range inv.bands {
		inv.bands[k].impulse = inv.bands[k].multiplier
	}
}

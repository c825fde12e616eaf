package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Joint forces turn their levers within a step: in the secant scheme G depends
// on w, and without the derivative of Gᵀc the rounds converge only as long as
// h²c/(mℓ) is small, which chains of heavy short links are not. The parts that a
// body has of it alone,
//
//	−∂(r × f)/∂w = h/2 ((f·r)I − r fᵀ)      for a force f at the lever r,
//	−∂(c d/ℓ)/∂w = −h/2 c/ℓ I               for a distance,
//	−∂(c a × b)/∂w = −h/2 c a bᵀ            for an angle,
//
// are kept in A: all of it for pins, and enough for the others.

// geometric sets the geometric stiffness of the bodies of a component, at the
// poses of the middle and the joint impulses of the round before.
func (s *Stepper) geometric(comp *component, inv *inverse, x terms) {
	for i := range inv.blocks {
		b := &inv.blocks[i]
		b.geo, b.pull, b.turned = [9]float64{}, 0, false
	}
	for k, i := range comp.rows {
		b := &inv.bands[k]
		if b.impulse == 0 {
			continue
		}
		r := &s.model.rows[i]
		c := 0.5 * x.h * b.impulse
		s.stiffen(&inv.blocks[b.a], r, r.a, c, b, r.pa, r.da, 1)
		if r.b >= 0 {
			s.stiffen(&inv.blocks[b.b], r, r.b, c, b, r.pb, r.db, -1)
		}
	}
}

// stiffen adds what a row with h/2 times its impulse, c, does to a body that
// feels it with the sign.
func (s *Stepper) stiffen(k *block, r *row, body int, c float64, b *band, at, dir vec, sign float64) {
	if r.kind == rowDistance {
		k.pull += max(0, -c/r.c)
	}
	p := &s.model.body[body]
	if !p.spins || r.kind == rowHeading {
		return
	}
	k.turned = true
	home, mid := &s.poses[body], &s.between[body]
	if r.kind == rowAngle {
		if s.model.dim == 3 {
			x, y := back(home, turn(mid, dir)), s.other(r, body, home)
			outer(&k.geo, -c, x, y)
		}
		return
	}
	f, arm := back(home, vec3.Scale(b.lever.lin, sign*c)), back(home, turn(mid, at))
	if s.model.dim == 2 {
		k.geo[8] += vec3.Dot(f, arm)
		return
	}
	outer(&k.geo, -1, arm, f)
	for i := range 3 {
		k.geo[4*i] += vec3.Dot(f, arm)
	}
}

// other is the direction of an angle on the other body, on the axes home.
func (s *Stepper) other(r *row, body int, home *bodies.Pose) vec {
	if body == r.a {
		return back(home, turn(poseOf(s.between, r.b), r.db))
	}
	return back(home, turn(poseOf(s.between, r.a), r.da))
}

// outer adds f x yᵀ.
func outer(m *[9]float64, f float64, x, y vec) {
	for i := range 3 {
		for j := range 3 {
			m[3*i+j] += f * x[i] * y[j]
		}
	}
}

// geometricImpulse is the geometric stiffness of a body times w − v, which the
// kick takes so that A(v' − v) is the tangent at w.
func (s *Stepper) geometricImpulse(p *place) {
	k := &s.inv[s.model.home[p.body]].blocks[p.slot]
	for d := range s.model.dim {
		s.kick[p.v+d] += k.pull * (s.w[p.v+d] - s.v[p.v+d])
	}
	if !k.turned {
		return
	}
	if s.model.dim == 2 {
		s.kick[p.v+2] += k.geo[8] * (s.w[p.v+2] - s.v[p.v+2])
		return
	}
	x := mulVec(&k.geo, vec3.Add(p.spinOf(s.w), -1, p.spinOf(s.v)))
	for d := range 3 {
		s.kick[p.v+3+d] += x[d]
	}
}

// forgetImpulses and measureImpulses keep the joint impulses of the rounds.
func (s *Stepper) forgetImpulses() {
	for c := range s.inv {
		for k := range s.inv[c].bands {
			s.inv[c].bands[k].impulse = 0
		}
	}
}

// measureImpulses solves for the joint impulses of the round in w, as
// [Stepper.jointImpulse] does for those of the step.
func (s *Stepper) measureImpulses() {
	for i, v := range s.v {
		s.vEnd[i] = v + (s.w[i]-v)/s.alpha
	}
	if len(s.model.rows) == 0 {
		return
	}
	clear(s.f0)
	s.pushImpulses(s.f0)
	for c := range s.inv {
		if inv := &s.inv[c]; inv.m > 0 {
			s.multipliers(c, s.column[:inv.n])
			for k := range inv.bands {
				inv.bands[k].impulse = inv.bands[k].multiplier
			}
		}
	}
}

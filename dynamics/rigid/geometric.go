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
// are kept in A: all of it for pins, and enough for the others. What the equations of the
// joints feel of a turn is in G̃, see tilt: Newton's method is exact for pins.

// geometric sets the geometric stiffness of the bodies of a component, at the
// poses of the middle and the joint impulses of the round before.
func (s *mechanics) geometric(comp *component, inv *inverse, x terms) {
	for i := range inv.blocks {
		b := &inv.blocks[i]
		b.geo, b.pull, b.turned, b.weight = [9]float64{}, 0, false, x.alpha
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
func (s *mechanics) stiffen(k *block, r *row, body int, c float64, b *band, at, dir vec, sign float64) {
	if r.kind == rowDistance {
		k.pull += max(0, -c/r.c)
	}
	p := &s.model.body[body]
	if !p.spins || r.kind == rowHeading {
		return
	}
	k.turned = true
	home, mid := &s.poses[body], &s.between[body]
	if s.model.dim == 2 && r.kind == rowPinned {
		k.geo[8] += sign * c * (along(mid, &at, r.axis) - mid.Centre[r.axis])
		return
	}
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
func (s *mechanics) other(r *row, body int, home *bodies.Pose) vec {
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

// geometricImpulse adds f times the geometric stiffness of a body times w − from to dst. For
// from = v it is what the kick takes so that A(v' − v) is the tangent at w.
func (s *mechanics) geometricImpulse(dst []float64, p *place, from []float64, f float64) {
	k := &s.inv[s.model.home[p.body]].blocks[p.slot]
	for d := range s.model.dim {
		dst[p.v+d] += f * k.pull * (s.w[p.v+d] - from[p.v+d])
	}
	if !k.turned {
		return
	}
	if s.model.dim == 2 {
		dst[p.v+2] += f * k.geo[8] * (s.w[p.v+2] - from[p.v+2])
		return
	}
	x := mulVec(&k.geo, vec3.Add(p.spinOf(s.w), -1, p.spinOf(from)))
	for d := range 3 {
		dst[p.v+3+d] += f * x[d]
	}
}

const shortPart = 1e-2 // of a step

// guessImpulses begins with the joint forces of the part before, with none for h = 0.
func (s *mechanics) guessImpulses(h float64) {
	for c := range s.inv {
		for k, i := range s.model.comps[c].rows {
			s.inv[c].bands[k].impulse = h * s.pull[i]
		}
	}
}

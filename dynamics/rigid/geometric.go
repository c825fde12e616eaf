package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Joint forces turn their levers within a step: in the secant scheme G depends on w, and without
// the derivative of Gᵀc the rounds converge only as long as h²c/(mℓ) is small, which chains of
// heavy short links are not. The parts that a body has of it alone,
//
//	−∂(r × f)/∂w = h/2 ((f·r)I − r fᵀ)      for a vector r that turns with it,
//	−∂(c d/ℓ)/∂w = −h/2 c/ℓ I               for a distance,
//
// are kept in A, see [multibody.Turning]: all of it for pins, and enough for the others. What the equations of the joints
// feel of a turn is in G̃, see tilt: Newton's method is exact for pins.

// geometric sets the geometric stiffness of the bodies of a component, at the poses of the middle
// and the joint impulses of the round before.
func (s *mechanics) geometric(comp *multibody.Component, inv *multibody.Inverse, x terms) {
	for i := range inv.Blocks {
		b := &inv.Blocks[i]
		b.Geo, b.Pull, b.Turned, b.Weight = [9]float64{}, 0, false, x.alpha
	}
	for k, i := range comp.Rows {
		b := &inv.Bands[k]
		if b.Impulse == 0 {
			continue
		}
		r := &s.model.Rows[i]
		c := 0.5 * x.h * b.Impulse
		t := r.Turning(multibody.PoseOf(s.between, r.A), multibody.PoseOf(s.between, r.B))
		s.stiffen(&inv.Blocks[b.A], r.A, c, &t.OnA, t.Pull)
		if r.B >= 0 {
			s.stiffen(&inv.Blocks[b.B], r.B, c, &t.OnB, t.Pull)
		}
	}
}

// stiffen adds what a row with h/2 times its impulse, c, does to a body that it turns by the moment
// on[0] × on[1], in space.
func (s *mechanics) stiffen(k *multibody.Block, body int, c float64, on *[2]vec, pull float64) {
	k.Pull += max(0, -c*pull)
	p := &s.model.Bodies[body]
	if !p.Spins || on[1] == (vec{}) {
		return
	}
	k.Turned = true
	home := &s.poses[body]
	arm, f := multibody.ToBody(home, on[0]), multibody.ToBody(home, vec3.Scale(on[1], c))
	if s.model.Dim == 2 {
		k.Geo[8] += vec3.Dot(f, arm)
		return
	}
	outer(&k.Geo, -1, arm, f)
	for i := range 3 {
		k.Geo[4*i] += vec3.Dot(f, arm)
	}
}

// outer adds f x yᵀ.
func outer(m *[9]float64, f float64, x, y vec) {
	for i := range 3 {
		for j := range 3 {
			m[3*i+j] += f * x[i] * y[j]
		}
	}
}

// geometricImpulse adds f times the geometric stiffness of a body times w − from to dst. For from =
// v it is what the kick takes so that A(v' − v) is the tangent at w.
func (s *mechanics) geometricImpulse(dst []float64, p *multibody.Place, from []float64, f float64) {
	k := &s.inv[s.model.Home[p.Body]].Blocks[p.Slot]
	for d := range s.model.Dim {
		dst[p.V+d] += f * k.Pull * (s.w[p.V+d] - from[p.V+d])
	}
	if !k.Turned {
		return
	}
	if s.model.Dim == 2 {
		dst[p.V+2] += f * k.Geo[8] * (s.w[p.V+2] - from[p.V+2])
		return
	}
	x := multibody.MulVec(&k.Geo, vec3.Add(p.SpinOf(s.w), -1, p.SpinOf(from)))
	for d := range 3 {
		dst[p.V+3+d] += f * x[d]
	}
}

const shortPart = 1e-2 // of a step

// guessImpulses begins with the joint forces of the part before, with none for h = 0.
func (s *mechanics) guessImpulses(h float64) {
	for c := range s.inv {
		for k, i := range s.model.Components[c].Rows {
			s.inv[c].Bands[k].Impulse = h * s.pull[i]
		}
	}
}

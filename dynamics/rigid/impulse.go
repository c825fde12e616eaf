package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// touched reports whether a contact may push in the step.
func (s *mechanics) touched() bool {
	for i := range s.marks {
		if s.marks[i].active {
			return true
		}
	}
	return false
}

// newton is a step of Newton's method for a component with joints, from the present w and c to
// those without contacts: with N for what the secant scheme puts in the place of M,
//
//	A d + Gᵀλ = α(k̃ + Ḡᵀc) − A(w − v),  G̃ d = −Ḡw + shift,
//	w ← w + d,  c ← c − λ/α.
//
// The tangent of N at w is part of k̃, see impulse and geometricImpulse.
func (s *mechanics) newton(c int) {
	inv, index, a := &s.inv[c], s.model.Components[c].Index, s.alpha
	x, w := s.x[:inv.N], s.column[:inv.N]
	for i, v := range index {
		w[i] = s.w[v] - s.v[v]
	}
	inv.Mul(x, w)
	for i, v := range index {
		x[i] = a*s.kick[v] - x[i]
		w[i] = s.w[v]
	}
	inv.Target = grow(inv.Target, inv.M)
	for k := range inv.Bands {
		b := &inv.Bands[k]
		b.Push(x, a*b.Impulse)
		inv.Target[k] = inv.Shift[k] - b.Rate(w)
	}
	inv.Advance(x, inv.Target, s.touched()) // the impulses of contacts are in w, not in x
	for i, v := range index {
		s.w[v] += x[i]
	}
	for k := range inv.Bands {
		inv.Bands[k].Impulse -= inv.Bands[k].Multiplier / a
	}
}

// shifts are the speeds of the joints in a step, nil for none.
func (s *mechanics) shifts(inv *multibody.Inverse) []float64 {
	if s.o.Scheme == Gavrea {
		return nil
	}
	return inv.Shift[:inv.M]
}

// impulse sets kick to k̃ of (4.5), with hF(v)v in place of (1−α)hF(v)v: see the package page; and
// loads to its part without gravity and Coriolis terms.
func (s *mechanics) impulse(h float64) {
	a := s.alpha
	s.forces(s.f0, s.t, h)
	s.forces(s.f1, s.t+h, h)
	for i := range s.loads {
		s.loads[i] = h * ((1-a)*s.f0[i] + a*s.f1[i])
	}
	for i := range s.tangents {
		k := &s.tangents[i]
		k.mul(s.loads, a*h*h, k.q, s.v)
	}
	for i, l := range s.loads {
		s.kick[i] = l + s.lead[i]
	}
	g := s.model.World.Gravity()
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range s.model.Dim {
			s.kick[p.V+k] += h * p.Mass * g[k]
		}
		if p.Gyro {
			f := vec3.Scale(p.Coriolis(s.v, s.v), h)
			if s.o.Scheme == Secant {
				f = s.spinImpulse(p, h)
			}
			for k := range 3 {
				s.kick[p.V+3+k] += f[k]
			}
		}
	}
}

// spinImpulse is what makes M̃(v' − v) the tangent of N at the present w, T(w − ω) − N(w), for the
// matrix αT of the prepared step.
func (s *mechanics) spinImpulse(p *multibody.Place, h float64) vec {
	o, w := p.SpinOf(s.v), p.SpinOf(s.w)
	if o == (vec{}) && w == (vec{}) {
		return vec{}
	}
	var t [9]float64
	p.SpinTangent(&t, o, w, h, s.alpha)
	return vec3.Add(multibody.MulVec(&t, vec3.Add(w, -1, o)), -1, p.SpinBalance(o, w, h, s.alpha))
}

// loadImpulse completes loads by what the linearisation (4.3) adds at the new velocity, (αhk̃_v +
// αγh²k̃_q)(v^{l+1} − v^l).
func (s *mechanics) loadImpulse(h float64) {
	if s.o.Jacobians == multibody.NoJacobians {
		return
	}
	ah := s.alpha * h
	for i, v := range s.v {
		s.f0[i] = s.vEnd[i] - v
	}
	for i := range s.tangents {
		k := &s.tangents[i]
		k.mul(s.loads, ah, k.v, s.f0)
		k.mul(s.loads, ah*s.gamma*h, k.q, s.f0)
	}
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range p.N {
			d := p.Drag[0]
			if k >= s.model.Dim {
				d = p.Drag[1]
			}
			s.loads[p.V+k] -= ah * d * s.f0[p.V+k]
		}
	}
}

// forces overwrites f with k₁(t, q, v) without gravity. Loads enter by their mean in a step of h,
// so that their impulse is exact; but at t where there is no step, and in the scheme of [Gavrea06],
// as published.
func (s *mechanics) forces(f []float64, t, h float64) {
	from := s.t
	if s.o.Scheme == Gavrea {
		from, h = t, 0
	}
	if s.endLoads {
		from, h = s.t+h, 0
	}
	s.loadsOver(f, from, h)
	for i, force := range s.model.Setup.Forces {
		if _, mean := force.(multibody.Averaged); !mean {
			s.addForce(f, i, func(x []float64) { force.Force(x, t, &s.snap) })
		}
	}
}

// loadsOver overwrites f with loads and drag, these by their mean from a time on over h.
func (s *mechanics) loadsOver(f []float64, from, h float64) {
	s.model.World.External(f, from, h, s.v)
	for i, force := range s.model.Setup.Forces {
		if mean, ok := force.(multibody.Averaged); ok {
			s.addForce(f, i, func(x []float64) { mean.MeanForce(x, from, h, &s.snap) })
		}
	}
}

// addForce adds force i, as k₁ gives it, to f.
func (s *mechanics) addForce(f []float64, i int, k1 func(x []float64)) {
	k := &s.tangents[i]
	x := grow(s.own, len(k.at))
	s.own = x
	clear(x)
	k1(x)
	for j, v := range k.at {
		f[v] += x[j]
	}
}

package rigid

import "fmt"

// terms say which matrix a component needs.
type terms struct {
	h, alpha, gamma float64 // h = 0: M alone
}

// prepare factorises M̃ of (4.5) with the joints for all components, at the
// present poses and velocities.
func (s *Stepper) prepare(x terms) error {
	if x.h > 0 {
		s.linearise(x.h)
	}
	for c := range s.model.comps {
		comp, inv := &s.model.comps[c], &s.inv[c]
		n := len(comp.index)
		inv.resize(n, len(comp.rows))
		if x.h == 0 || !s.couples(comp) {
			s.diagonal(comp, inv, x)
		} else {
			s.full(comp, inv, x)
		}
		s.jointRows(comp, inv)
		s.masses(comp, inv)
		if err := inv.factor(len(comp.forces) > 0); err != nil {
			return fmt.Errorf("%s and what is tied to it: %w", s.model.bodyName(comp.bodies[0]), err)
		}
	}
	return nil
}

// couples reports whether M̃ of a component is not diagonal now.
func (s *Stepper) couples(comp *component) bool {
	if len(comp.forces) > 0 && s.o.Jacobians != NoJacobians {
		return true
	}
	for _, b := range comp.bodies {
		if p := &s.model.body[b]; p.gyro && (s.v[p.v+3] != 0 || s.v[p.v+4] != 0 || s.v[p.v+5] != 0) {
			return true
		}
	}
	return false
}

// diagonal sets A to M + αh·drag.
func (s *Stepper) diagonal(comp *component, inv *inverse, x terms) {
	inv.diag = grow(inv.diag, inv.n)
	drag := x.alpha * x.h
	if s.o.Jacobians == NoJacobians {
		drag = 0
	}
	for _, b := range comp.bodies {
		p := &s.model.body[b]
		d := inv.diag[p.local : p.local+p.n]
		for k := range d {
			if k < s.model.dim {
				d[k] = p.mass + drag*p.drag[0]
			} else {
				d[k] = s.model.moment(p, k) + drag*p.drag[1]
			}
		}
	}
}

// masses sets m to the diagonal of M.
func (s *Stepper) masses(comp *component, inv *inverse) {
	if inv.m == 0 {
		return
	}
	for _, b := range comp.bodies {
		p := &s.model.body[b]
		for k := range p.n {
			inv.mass[p.local+k] = s.model.inertia(p, k)
		}
	}
}

func (m *Model) moment(p *place, k int) float64 {
	if m.dim == 2 {
		return p.j[2]
	}
	return p.j[k-3]
}

// full sets A to M − αh(F + k̃_v) − αγh²k̃_q, F = [Iω]×, which is skew.
func (s *Stepper) full(comp *component, inv *inverse, x terms) {
	s.diagonal(comp, inv, x)
	n := inv.n
	inv.a = grow(inv.a, n*n)
	clear(inv.a)
	for i, d := range inv.diag {
		inv.a[i*n+i] = d
	}
	inv.diag = inv.diag[:0]
	ah := x.alpha * x.h
	for _, b := range comp.bodies {
		p := &s.model.body[b]
		if !p.gyro {
			continue
		}
		l := vec{p.j[0] * s.v[p.v+3], p.j[1] * s.v[p.v+4], p.j[2] * s.v[p.v+5]}
		at := p.local + 3
		f := [9]float64{0, -l[2], l[1], l[2], 0, -l[0], -l[1], l[0], 0}
		for i := range 3 {
			for j := range 3 {
				inv.a[(at+i)*n+at+j] -= ah * f[3*i+j]
			}
		}
	}
	if s.o.Jacobians == NoJacobians {
		return
	}
	for _, i := range comp.forces {
		k := &s.tangents[i]
		for r, row := range k.local {
			for c, col := range k.local {
				e := r*len(k.at) + c
				inv.a[row*n+col] -= ah*k.v[e] + ah*x.gamma*x.h*k.q[e]
			}
		}
	}
}

// jointRows evaluates Θ and G at the present poses.
func (s *Stepper) jointRows(comp *component, inv *inverse) {
	clear(inv.g)
	for k, i := range comp.rows {
		r := &s.model.rows[i]
		theta, l := r.gradient(s.model, s.poses, s.q)
		inv.theta[k], inv.levers[k] = theta, l
		at := inv.g[k*inv.n:]
		s.model.put(at[s.model.body[r.a].local:], 1, r.a, &s.poses[r.a], 1, &l.lin, &l.angA)
		if r.b >= 0 {
			minus := scale(l.lin, -1)
			s.model.put(at[s.model.body[r.b].local:], 1, r.b, &s.poses[r.b], 1, &minus, &l.vB)
		}
	}
}

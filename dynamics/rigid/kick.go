package rigid

// freeVelocity sets w to v^α without contacts, the joints held.
func (s *Stepper) freeVelocity(h float64) {
	a := s.o.Alpha
	s.impulse(h)
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.comps[c].index
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

// impulse sets kick to k̃ of (4.5), with hF(v)v in place of (1−α)hF(v)v: see
// the package page.
func (s *Stepper) impulse(h float64) {
	a := s.o.Alpha
	s.forces(s.f0, s.t, true)
	s.forces(s.f1, s.t+h, true)
	for i := range s.kick {
		s.kick[i] = h * ((1-a)*s.f0[i] + a*s.f1[i])
	}
	for i := range s.model.body {
		if p := &s.model.body[i]; p.gyro {
			o := vec{s.v[p.v+3], s.v[p.v+4], s.v[p.v+5]}
			m := cross(vec{p.j[0] * o[0], p.j[1] * o[1], p.j[2] * o[2]}, o)
			for k := range 3 {
				s.kick[p.v+3+k] += h * m[k]
			}
		}
	}
	if s.o.Jacobians == NoJacobians {
		return
	}
	for c := range s.model.comps {
		comp := &s.model.comps[c]
		for _, i := range comp.forces {
			s.forceJacobian(i)
			s.scatter(i, func(r, col int, kq, _ float64) {
				s.kick[comp.index[r]] += a * h * h * kq * s.v[comp.index[col]]
			})
		}
	}
}

// forces overwrites f with k₁(t, q, v), with or without gravity.
func (s *Stepper) forces(f []float64, t float64, gravity bool) {
	s.model.World.External(f, t, s.v, gravity)
	for i, force := range s.model.setup.Forces {
		s.gather(i, func(n int) { force.Force(s.kq[:n], t, &s.snap) }, f)
	}
}

// gather calls fill for force i, which writes n numbers to s.kq, and adds them
// to f.
func (s *Stepper) gather(i int, fill func(n int), f []float64) {
	s.at = s.at[:0]
	for _, b := range s.model.setup.Forces[i].Bodies() {
		if b >= 0 {
			p := &s.model.body[b]
			for k := range p.n {
				s.at = append(s.at, p.v+k)
			}
		}
	}
	s.kq = grow(s.kq, len(s.at))
	clear(s.kq)
	fill(len(s.at))
	for k, v := range s.at {
		f[v] += s.kq[k]
	}
}

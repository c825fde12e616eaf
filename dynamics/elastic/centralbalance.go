package elastic

// CentralBalance is the energy balance of central differences by their own identity.
// With d^{n+½} = u^{n+1} − u^n, multiplying the step M_*(d^{n+½} − d^{n−½})/Δt² + A u^n = F^n
// by ½(d^{n+½} + d^{n−½}) gives
//
//	Ẽ^{n+½} − Ẽ^{n−½} = ½ F^n·(d^{n−½} + d^{n+½}),
//	Ẽ^{n+½} = ½ d^{n+½}·M_* d^{n+½}/Δt² + ½ u^n·A u^{n+1},
//
// to rounding, where F^n has loads, supports, friction and the normal reactions; for
// normals without mass it says A u^n = F^n. Ẽ differs from E by the O((ωΔt)²) that the
// scheme exchanges back and forth; what normal reactions add to Ẽ is made by the scheme.
type CentralBalance struct {
	Move   []float64 // d^{n−½} [m]
	Energy []float64 // Ẽ^{n−½} of each part of the mesh [J]
	Most   float64   // largest E^n so far [J]
	Steps  int
}

func (b *CentralBalance) set(x *CentralBalance) {
	move, energy := append(b.Move[:0], x.Move...), append(b.Energy[:0], x.Energy...)
	*b = *x
	b.Move, b.Energy = move, energy
}

// accountCentral adds the last step to the balance of central differences: now is n+1,
// prev is n.
func (s *Stepper) accountCentral() {
	b, a, now, prev, dt := &s.central.balance, s.a, &s.now, &s.prev, s.opt.Step
	part, dim := s.findParts().of, a.dim
	a.elastic(s.work, prev.U)
	a.load(s.loadNow, prev.T)
	energy := s.before
	clear(energy)
	clear(s.works)
	for i, m := range s.central.mass {
		d, p := now.U[i]-prev.U[i], part[i/dim]
		energy[p] += 0.5*m*d*d/(dt*dt) + 0.5*s.work[i]*now.U[i]
		s.works[p] += 0.5 * s.loadNow[i] * (b.Move[i] + d)
	}
	for _, i := range a.split.Fixed { // the force that the step asks for there
		d := now.U[i] - prev.U[i]
		force := s.central.mass[i]*(d-b.Move[i])/(dt*dt) + s.work[i] - s.loadNow[i]
		s.works[part[i/dim]] += 0.5 * force * (b.Move[i] + d)
	}
	s.made.Forget()
	s.frames.sums = s.partEnergies(s.frames.sums)
	s.move()
	if b.Steps > 0 {
		for p, e := range energy {
			s.made.Add(p, e-b.Energy[p]-s.works[p], s.works[p], 0)
		}
		s.slideCentral()
		s.made.Close(now.T)
	}
	for i := range b.Move {
		b.Move[i] = now.U[i] - prev.U[i]
	}
	b.Energy = append(b.Energy[:0], energy...)
	b.Most = max(b.Most, s.Energies().Total())
	b.Steps++
}

// slideCentral takes what friction took in the last step.
func (s *Stepper) slideCentral() {
	b, a, part := &s.central.balance, s.a, s.findParts().of
	each := max(a.dim, 2)
	for k, n := range a.normal {
		slip := 0.0
		for c := 1; c < a.dim; c++ {
			i := n - a.dim + c
			slip += 0.5 * s.prev.R[each*k+c] * (b.Move[i] + s.now.U[i] - s.prev.U[i])
		}
		s.made.Add(part[n/a.dim], -min(slip, 0), 0, 0)
		s.made.Take(part[n/a.dim], -slip)
	}
}

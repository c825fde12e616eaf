package rigid

// Energy is the ledger of a run [J]:
//
//	ΔKinetic + ΔPotential + Friction + Normal + Impact + Joints − Loads = Residual.
//
// Normal is what the normal impulses lose between collisions and Joints what
// the joints do: both vanish for α = ½ and smooth motion.
type Energy struct {
	Kinetic   float64
	Potential float64 // of gravity and forces
	Friction  float64 // −Σ r_T·(u_T + u_T')/2
	Normal    float64 // −Σ r_N (u_N + u_N')/2
	Impact    float64 // lost in compressions
	Joints    float64 // −Σ c·G(v + v')/2
	Loads     float64 // work of the forces without potential
	Residual  float64 // of the balance
	start     float64
}

func (s *Stepper) kinetic(v []float64) float64 {
	e := 0.0
	for i := range s.model.body {
		p := &s.model.body[i]
		for k := range p.n {
			m := p.mass
			if k >= s.model.dim {
				m = s.model.moment(p, k)
			}
			e += 0.5 * m * v[p.v+k] * v[p.v+k]
		}
	}
	return e
}

func (s *Stepper) potential() float64 {
	u := s.model.World.Potential(s.t, s.q)
	for _, f := range s.model.setup.Forces {
		u += f.Energy(&s.snap)
	}
	return u
}

func (s *Stepper) openLedger() {
	e := &s.ledger
	e.Kinetic, e.Potential = s.kinetic(s.v), s.potential()
	e.start = e.Kinetic + e.Potential
}

// account adds the works of the step from (q, v) to (qNext, vNext); called
// before the state changes, with the impulses of the step in the marks.
func (s *Stepper) account(h float64) {
	if len(s.p.list) > 0 {
		s.contactWork()
	}
	s.loadWork(h)
}

// contactWork adds the work of the impulses at the mean velocity.
func (s *Stepper) contactWork() {
	p, e := &s.p, &s.ledger
	for i, v := range s.v {
		s.x[i] = 0.5 * (v + s.vNext[i])
	}
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.speeds(u, s.x)
	for k, i := range p.list {
		m := &s.marks[i]
		e.Normal -= m.r[0] * u[k*p.dim]
		for d := 1; d < p.dim; d++ {
			e.Friction -= m.r[d] * u[k*p.dim+d]
		}
	}
}

// loadWork adds the work of loads and drag at the mean velocity.
func (s *Stepper) loadWork(h float64) {
	a := s.o.Alpha
	s.forces(s.f0, s.t)
	s.forces(s.f1, s.t+h)
	for i, v := range s.v {
		s.ledger.Loads += h * ((1-a)*s.f0[i] + a*s.f1[i]) * 0.5 * (v + s.vNext[i])
	}
}

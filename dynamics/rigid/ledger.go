package rigid

// Energy is the ledger of a run [J]:
//
//	ΔKinetic + ΔPotential + Friction + Normal + Impact + Joints − Loads = Residual.
//
// Normal is what the normal impulses lose between collisions and Joints what
// the joints do: both vanish for α = ½ and smooth motion.
type Energy struct {
	Kinetic   float64
	Potential float64 // of gravity
	Elastic   float64 // of the forces, for information: their work is in Loads
	Friction  float64 // −Σ r_T·u_T^α ≥ 0
	Normal    float64 // −Σ r·(u + u')/2 beyond Friction
	Impact    float64 // lost in compressions
	Joints    float64 // −Σ c·G(v + v')/2
	Loads     float64 // work of loads, drag and forces
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

func (s *Stepper) elastic() float64 {
	u := 0.0
	for _, f := range s.model.setup.Forces {
		u += f.Energy(&s.snap)
	}
	return u
}

func (s *Stepper) openLedger() {
	e := &s.ledger
	e.Kinetic, e.Potential = s.kinetic(s.v), s.model.World.Potential(s.t, s.q)
	e.start = e.Kinetic + e.Potential
}

// settle closes the balance at the present state.
func (s *Stepper) settle() {
	e := &s.ledger
	e.Kinetic, e.Potential, e.Elastic = s.kinetic(s.v), s.model.World.Potential(s.t, s.q), s.elastic()
	e.Residual = e.Kinetic + e.Potential - e.start + e.Friction + e.Normal + e.Impact + e.Joints - e.Loads
}

// account adds the works of the step from (q, v) to (qNext, vNext), at the
// mean velocity; called before the state changes, with the impulses of the
// step in the marks and in joint.
func (s *Stepper) account(h float64) {
	for i, v := range s.v {
		s.x[i] = 0.5 * (v + s.vNext[i])
	}
	for i, j := range s.joint {
		s.ledger.Joints -= j * s.x[i]
	}
	if len(s.p.list) > 0 {
		s.contactWork()
	}
	s.loadWork(h)
}

// contactWork splits the work of the impulses into friction at v^α, which is
// never positive, and the rest.
func (s *Stepper) contactWork() {
	p, e := &s.p, &s.ledger
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.speeds(u, s.x)
	for k, i := range p.list {
		for d, r := range s.marks[i].r[:p.dim] {
			e.Normal -= r * u[k*p.dim+d]
		}
	}
	s.speeds(u, s.w)
	for k, i := range p.list {
		for d := 1; d < p.dim; d++ {
			work := s.marks[i].r[d] * u[k*p.dim+d]
			e.Friction -= work
			e.Normal += work
		}
	}
}

// loadWork adds the work of loads, drag and forces: all but gravity.
func (s *Stepper) loadWork(h float64) {
	a := s.o.Alpha
	s.forces(s.f0, s.t, false)
	s.forces(s.f1, s.t+h, false)
	for i, x := range s.x {
		s.ledger.Loads += h * ((1-a)*s.f0[i] + a*s.f1[i]) * x
	}
}

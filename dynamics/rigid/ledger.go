package rigid

import (
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Energy is the ledger of a run [J]:
//
//	ΔKinetic + ΔPotential + Friction + Normal + Impact + Joints + Scheme + Projection − Loads = Residual.
//
// Each term is computed from its own forces, so that Residual is rounding and the tolerance of the
// contact problems: it says that the equations of motion hold. What the step length costs is in
// Scheme and Projection, both O(h). Normal and Joints vanish for α = ½ where contacts and joints
// are smooth.
type Energy struct {
	Kinetic    float64
	Potential  float64    // of gravity
	Elastic    float64    // of springs: their work is in Loads
	Friction   float64    // −Σ r_T·u_T^α ≥ 0
	Normal     float64    // −Σ r·(u + u')/2 beyond Friction
	Impact     float64    // lost in compressions
	Joints     float64    // −Σ c·G(v + v')/2
	Start      float64    // of Joints: of a velocity at the start that joints do not admit
	Loads      float64    // work of loads, drag and forces as the scheme linearises them, and of obstacles that move
	Pulls      float64    // of it, of springs and dampers
	Drag       float64    // taken by drag, whose work in Loads is the opposite
	Damped     float64    // taken by dampers
	Springs    float64    // made by springs and dampers: ΔElastic + Pulls + Damped, O(h)
	Scheme     float64    // lost to the step length: gravity at v^γ, Coriolis, interpolation
	Projection float64    // of the potential, lost by the projections
	Residual   float64    // of the balance
	start      [2]float64 // kinetic and potential energy, and that of springs
}

// Impacts is what contacts and joints take beyond friction, at impacts: joints only at a start that
// they do not admit, as G(v + v')/2 = 0 where both velocities have Gv = 0.
func (e *Energy) Impacts() float64 { return e.Impact + e.Normal + e.Start }

// Taken is what friction, dampers and impacts have taken.
func (e *Energy) Taken() float64 { return e.Friction + e.Viscous() + e.Normal + e.Impact }

// Numerical is what the step length takes, O(h).
func (e *Energy) Numerical() float64 {
	return e.Joints - e.Start + e.Scheme + e.Projection - e.Springs
}

// External is the work of loads and of obstacles that move, without springs, dampers and drag.
func (e *Energy) External() float64 { return e.Loads - e.Pulls + e.Drag }

// Viscous is what dampers and drag take.
func (e *Energy) Viscous() float64 { return e.Drag + e.Damped }

// book takes an energy of a body into a term of the ledger and into the share of the body [J].
func book(term *float64, shares []float64, body int, energy float64) {
	*term += energy
	shares[body] += energy
}

// lost is what the mechanical energy has lost but for the projections and works of loads.
func (e *Energy) lost() float64 { return e.Friction + e.Normal + e.Impact + e.Joints + e.Scheme }

func (s *accounts) openLedger() {
	e := &s.ledger
	e.Kinetic, e.Potential = s.kinetic(s.v), s.model.World.Potential(s.t, s.q)
	e.Elastic = s.elastic()
	e.start = [2]float64{e.Kinetic + e.Potential, e.Elastic}
}

// settle closes the balance at the present state.
func (s *accounts) settle() {
	e := &s.ledger
	e.Kinetic, e.Potential, e.Elastic = s.kinetic(s.v), s.model.World.Potential(s.t, s.q), s.elastic()
	e.Springs = e.Elastic - e.start[1] + e.Pulls + e.Damped
	e.Residual = e.Kinetic + e.Potential - e.start[0] + e.Friction + e.Normal + e.Impact + e.Joints + e.Scheme + e.Projection - e.Loads
}

// account adds the works of the step from (q, v) to (qNext, vNext), at the mean velocity; called
// before the state changes, with the impulses of the step in the marks, in joint and in loads.
// Where an interpolant takes the place of the step, what its velocity has beyond the impulses is
// Scheme's.
func (s *accounts) account(h float64, interpolated bool) {
	for i, v := range s.v {
		s.x[i] = 0.5 * (v + s.vEnd[i])
	}
	s.age(h)
	s.loadWork(h)
	if s.startBreaks() {
		s.ledger.Start = s.broken.taken
	}
	if len(s.p.list) > 0 {
		s.contactWork()
	}
	s.gravityWork(h)
	if interpolated {
		s.defectWork(h)
	} else {
		s.coriolisWork(h)
	}
}

// gravityWork adds to Scheme what the potential loses, m g·Δx, beyond what gravity does at the mean
// velocity.
func (s *accounts) gravityWork(h float64) {
	g := s.model.World.Gravity()
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		q, _ := s.model.World.Coordinates(i)
		for k := range s.model.Dim {
			s.ledger.Scheme += p.Mass * g[k] * (s.qNext[q+k] - s.q[q+k] - h*s.x[p.V+k])
		}
	}
}

// coriolisWork adds −h v̄·F(v)v^α, or what takes its place in the secant scheme; both are zero for
// α = ½.
func (s *accounts) coriolisWork(h float64) {
	for i := range s.model.Bodies {
		if p := &s.model.Bodies[i]; p.Gyro {
			f := vec3.Scale(p.Coriolis(s.v, s.w), h)
			if s.o.Scheme == Secant { // J(ω' − ω) − N(w)
				o, w := p.SpinOf(s.v), p.SpinOf(s.w)
				f = vec3.Add(p.Momentum(vec3.Add(p.SpinOf(s.vEnd), -1, o)), -1, p.SpinBalance(o, w, h, s.alpha))
			}
			for k := range 3 {
				s.ledger.Scheme -= f[k] * s.x[p.V+3+k]
			}
		}
	}
}

// defectWork adds −v̄·(MΔv − impulses).
func (s *accounts) defectWork(h float64) {
	clear(s.f0)
	for k, i := range s.p.list {
		copy(s.p.r[k*s.p.dim:(k+1)*s.p.dim], s.marks[i].r[:s.p.dim])
		s.takeMoments(k, 1)
	}
	s.pushImpulses(s.f0)
	g := s.model.World.Gravity()
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range p.N {
			v := p.V + k
			d := s.model.Inertia(p, k)*(s.vEnd[v]-s.v[v]) - s.f0[v] - s.joint[v] - s.loads[v]
			if k < s.model.Dim {
				d -= h * p.Mass * g[k]
			}
			s.ledger.Scheme -= d * s.x[v]
		}
	}
}

// contactWork splits the work of the impulses into friction at v^α, which is never positive, and
// the rest, and ties the bodies that push.
func (s *accounts) contactWork() {
	p, e, w := &s.p, &s.ledger, &s.worth.Shares
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.relative(u, s.x)
	for k, i := range p.list {
		t := &s.touches[i]
		for d, r := range s.marks[i].r[:p.dim] {
			book(&e.Normal, w.Normal, t.A, -r*u[k*p.dim+d])
			if len(p.drive) > 0 {
				s.drivenBy(t.A, r*p.drive[k*p.dim+d])
			}
		}
		if s.marks[i].r != (vec{}) {
			s.linkTouch(t)
		}
	}
	s.momentWork()
	s.relative(u, s.w)
	s.curveTerms(u)
	if s.o.Pressure == UniformPressure {
		s.faceFriction(u)
	}
	for k, i := range p.list {
		brake := s.brakeOf(&s.touches[i])
		w.Slid[s.touches[i].A] += vec3.Norm(s.marks[i].r) * length(u[k*p.dim+1:(k+1)*p.dim])
		for d := 1; d < p.dim; d++ {
			work := s.marks[i].r[d] * u[k*p.dim+d]
			t := &s.touches[i]
			if brake != nil && brake.Brake.Position != nil { // nothing slips on what its controller wants
				s.drivenBy(t.A, work)
			} else {
				book(&e.Friction, w.Friction, t.A, -work)
			}
			book(&e.Normal, w.Normal, t.A, work)
			if t.B >= 0 {
				w.Rubbed[t.A] -= work / min(s.model.Bodies[t.A].Mass, s.model.Bodies[t.B].Mass)
			}
		}
	}
}

// accounts keeps the books: of energy by its causes, for all and by bodies, and the frames in which
// it is measured.
type accounts struct {
	*motion
	*contactSet
	*mechanics
	*assembly
	*solution

	ledger   Energy
	worth    Worth
	frames   [][3]float64             // of obstacles, and of the ground if bodies are tied to it, see [dynamics.View]
	frameOf  []int                    // of each obstacle
	first    []float64                // velocities at the start
	stored   []float64                // energies of springs, at their first bodies [J]
	tensions []spring                 // of the present part of a step
	sums     []float64                // scratch, of contacts or bodies
	portions [][portionsCount]float64 // scratch, of islands
	travel   []float64                // ∫v^γ dt, of turns of places in space those [m, rad]
	wayOf    []float64                // of a step, scratch
	slack    []float64                // see Slack …
	rubs     []bool                   // … bodies that rub in a part of a step …
	jumps    []vec                    // … and how their velocities change along what they rub on [m/s]
	broken   brokenStart
	face     rubbingFace // that is looked at
	blur     float64     // of places that are given, see [Replay.Blur] [m]
}

// remember keeps the impulses in the marks.
func (s *accounts) remember(h float64) {
	p := &s.p
	for i := range s.marks {
		if m := &s.marks[i]; !m.slept { // those are not in the list
			m.r, m.moment, m.pull, m.loaded, m.left, m.h = vec{}, vec{}, 0, false, false, h
		}
	}
	for k, i := range p.list {
		m := &s.marks[i]
		copy(m.r[:], p.r[k*p.dim:(k+1)*p.dim])
		s.keepMoments(k)
		m.loaded, m.mu = m.pressed() > 0, s.mu(i)
	}
	s.loadCoincident()
	if !s.rough {
		s.markFree()
	}
}

// drivenBy takes a work of obstacles on a body.
func (s *accounts) drivenBy(body int, work float64) {
	book(&s.ledger.Loads, s.worth.Shares.Work, body, work)
}

// drivenByAll takes the work of obstacles by the impulses in p.r.
func (s *accounts) drivenByAll() {
	for k, i := range s.p.list {
		if len(s.p.drive) > 0 {
			s.drivenBy(s.touches[i].A, s.driveWorkOf(k))
		}
	}
}

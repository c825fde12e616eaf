package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Shares are the terms of the ledger that the present step adds, by bodies, for the islands of
// [dynamics.Creations]; what a contact does is its first body's [J].
type Shares struct {
	Energy     []float64 // kinetic and potential, at the end of the last step
	Potential  []float64 // of it, of gravity
	Work       []float64 // of loads, drag and springs
	Pulls      []float64 // of springs, at their first body
	Friction   []float64
	Normal     []float64 // of contact forces beyond friction, lost
	Joints     []float64 // lost
	Projection []float64 // of the potential, lost
	Taken      []float64 // by collisions, each island's where it lost energy …
	Given      []float64 // … and where it gained some
	Springs    []float64 // made by springs, at their first body
	Viscous    []float64 // taken by dampers, at their first body, and by drag
	Rubbed     []float64 // by friction between bodies, at the first one, over the mass of the lighter one [J/kg]
	Slid       []float64 // Σ‖r‖‖u_T‖: what friction takes is known to the residual of the forces times that [J]
	Elastic    []float64 // energy of each spring
}

// all lists the shares of a step.
func (s *Shares) all() [12]*[]float64 {
	return [12]*[]float64{&s.Work, &s.Pulls, &s.Friction, &s.Normal, &s.Joints, &s.Projection, &s.Taken, &s.Given,
		&s.Springs, &s.Viscous, &s.Rubbed, &s.Slid}
}

func (s *Shares) open(bodies, springs int) {
	for _, x := range s.all() {
		*x = make([]float64, bodies)
	}
	s.Energy, s.Potential, s.Elastic = make([]float64, bodies), make([]float64, bodies), make([]float64, springs)
}

// set makes s a copy of x.
func (s *Shares) set(x *Shares) {
	to, from := s.all(), x.all()
	for i, f := range from {
		*to[i] = append((*to[i])[:0], *f...)
	}
	s.Energy, s.Potential, s.Elastic = append(s.Energy[:0], x.Energy...), append(s.Potential[:0], x.Potential...),
		append(s.Elastic[:0], x.Elastic...)
}

// spring is what a [Dissipative] force does in a part of a step: its work by the scheme, and the
// power of its dampers at the beginning.
type spring struct{ work, power float64 }

// loadWork takes the works of joints, loads and forces in a part of a step, h long, at the mean
// velocity x; the state is that at its beginning.
func (s *accounts) loadWork(h float64) {
	w := &s.worth.Shares
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for v := p.V; v < p.V+p.N; v++ {
			book(&s.ledger.Joints, w.Joints, i, -s.joint[v]*s.x[v])
			book(&s.ledger.Loads, w.Work, i, s.loads[v]*s.x[v])
			if p.Sprung && s.o.Scheme == Secant { // what turns the moments of springs is theirs
				work := s.cutAt * s.lead[v] * s.x[v]
				book(&s.ledger.Pulls, w.Pulls, i, work)
				w.Springs[i] += work
			}
		}
	}
	s.dragWork(h)
	s.tensions = grow(s.tensions, len(s.model.Setup.Forces))
	for i, f := range s.model.Setup.Forces {
		if d, ok := f.(multibody.Dissipative); ok {
			s.tensions[i] = spring{s.pullWork(i, f, h), d.Power(&s.snap)}
			book(&s.ledger.Pulls, w.Pulls, s.model.FirstBody(f), s.tensions[i].work)
		}
	}
}

// dragWork takes what drag does in a part of a step, by the impulse −h d (v + αΔv) that loadImpulse
// gives it.
func (s *accounts) dragWork(h float64) {
	ahead := s.alpha / s.cutAt
	if s.o.Jacobians == multibody.NoJacobians {
		ahead = 0
	}
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range p.N {
			d, v := p.Drag[0], p.V+k
			if k >= s.model.Dim {
				d = p.Drag[1]
			}
			if d > 0 {
				book(&s.ledger.Drag, s.worth.Shares.Viscous, i, h*d*(s.v[v]+ahead*(s.vEnd[v]-s.v[v]))*s.x[v])
			}
		}
	}
}

// pullWork is the work of force i in a part of a step, of the impulse that the scheme gives it in
// the whole of it, h k₁ + αh k_v Δv + αh² k_q(v + γΔv), see impulse and loadImpulse, the share of
// it up to the collision that ends the part.
func (s *accounts) pullWork(i int, f multibody.Force, h float64) (work float64) {
	k := &s.tangents[i]
	n := len(k.at)
	h /= s.cutAt
	own := grow(s.own, n)
	s.own = own
	clear(own)
	f.Force(own, s.t, &s.snap)
	for r, v := range k.at {
		impulse := h * own[r]
		for c, u := range k.at {
			dv := (s.vEnd[u] - s.v[u]) / s.cutAt
			impulse += s.alpha*h*h*k.q[r*n+c]*(s.v[u]+s.gamma*dv) + s.alpha*h*k.v[r*n+c]*dv
		}
		work += s.cutAt * impulse * s.x[v]
	}
	return work
}

// splitSprings takes what springs have done in the part that has ended, which they have or dampers
// have taken: these by the trapezoidal rule, which overrates those that come to rest within a step.
func (s *accounts) splitSprings(h float64) {
	w := &s.worth.Shares
	for i, f := range s.model.Setup.Forces {
		d, ok := f.(multibody.Dissipative)
		if !ok {
			continue
		}
		energy := d.Energy(&s.snap)
		made := s.tensions[i].work + energy - w.Elastic[i]
		w.Elastic[i] = energy
		taken := min(0.5*h*(s.tensions[i].power+d.Power(&s.snap)), max(0, -made))
		w.Springs[s.model.FirstBody(f)] += made + taken
		book(&s.ledger.Damped, w.Viscous, s.model.FirstBody(f), taken)
	}
}

// splitCollision takes what the present collision does to the bodies, from v to w: islands by
// themselves, which may collide at one time.
func (s *accounts) splitCollision() {
	p, w := &s.p, &s.worth.Shares
	for k, i := range p.list {
		if p.r[k*p.dim] > 0 {
			s.linkTouch(&s.touches[i])
		}
	}
	loss := grow(s.sums, len(s.model.Bodies))
	s.sums = loss
	clear(loss)
	for i := range s.model.Bodies {
		loss[s.worth.Made.Root[i]] += s.kineticOf(i, s.v) - s.kineticOf(i, s.w)
	}
	if len(p.drive) > 0 {
		for k, i := range p.list {
			loss[s.worth.Made.Root[s.touches[i].A]] += s.driveWorkOf(k)
		}
	}
	for i, x := range loss {
		w.Taken[i] += max(0, x)
		w.Given[i] -= min(0, x)
	}
}

// linkTouch ties what meets at a touch.
func (s *accounts) linkTouch(t *bodies.Touch) {
	if s.model.StopOf(t) != nil {
		return // its bodies have a joint
	}
	if s.link(t.A, t.B); t.B < 0 {
		s.worth.Made.Touch(t.A, s.frameOf[t.Floor])
	}
}

// link makes one island of two bodies.
func (s *accounts) link(a, b int) {
	stays, goes, two := s.worth.Made.Link(a, b)
	if !two {
		return
	}
	for k := range portionsCount {
		x, y := &s.worth.Portions[stays][k], &s.worth.Portions[goes][k]
		if y.Most > x.Most {
			x.Most, x.MostAt = y.Most, y.MostAt
		}
		x.Made, x.Lost = x.Made+y.Made, x.Lost+y.Lost
		*y = Portion{}
	}
}

// potentials overwrites the scratch of bodies by their potentials.
func (s *accounts) potentials() []float64 {
	s.sums = grow(s.sums, len(s.model.Bodies))
	for i := range s.sums {
		s.sums[i] = s.potentialOf(i, s.q)
	}
	return s.sums
}

// kineticOf is the kinetic energy of a body.
func (s *accounts) kineticOf(i int, v []float64) (e float64) {
	p := &s.model.Bodies[i]
	for k := range p.N {
		e += 0.5 * s.model.Inertia(p, k) * v[p.V+k] * v[p.V+k]
	}
	return e
}

// weight is mg of a body, summed over the axes [N].
func (s *accounts) weight(i int) (f float64) {
	for _, g := range s.model.World.Gravity() {
		f += s.model.Bodies[i].Mass * math.Abs(g)
	}
	return f
}

// blurSprings visits the springs with what places may be off by, by a length: off δ,
// zero of turns, with the force F and the stiffness K, n×n row by row, over the velocities at.
func (s *accounts) blurSprings(length float64, visit func(f multibody.Force, at []int, force, stiffness, off []float64)) {
	for i, f := range s.model.Setup.Forces {
		if _, stores := f.(multibody.Dissipative); !stores || length == 0 {
			continue
		}
		var off []float64
		for _, b := range f.Bodies() {
			for k := 0; b >= 0 && k < s.model.Bodies[b].N; k++ {
				if off = append(off, 0); k < s.model.Dim {
					off[len(off)-1] = length
				}
			}
		}
		n := len(off)
		force, kq, kv := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
		f.Force(force, s.t, &s.snap)
		f.Jacobian(kq, kv, s.t, &s.snap)
		visit(f, s.tangents[i].at, force, kq, off)
	}
}

// storedRounding is what the rounding of places that are given, see [Replay.Blur], leaves of their
// energies, at their first bodies: Σ|F|δ + ½ Σ|K|δδ [J].
func (s *accounts) storedRounding() []float64 {
	sums := make([]float64, len(s.model.Bodies))
	s.blurSprings(s.blur, func(f multibody.Force, _ []int, force, stiffness, off []float64) {
		for r, x := range off {
			for c, y := range off {
				sums[s.model.FirstBody(f)] += 0.5 * math.Abs(stiffness[r*len(off)+c]) * x * y
			}
			sums[s.model.FirstBody(f)] += math.Abs(force[r]) * x
		}
	})
	return sums
}

// placeRounding is what the rounding of the place of a body that moves is worth in gravity [J]: a step
// ends at the next number of each coordinate, and so does the projection after it, by half a unit of
// its last place each; m g x has as much at both ends of the step. Of a way that is shorter than that
// no more than the way itself is lost: by the potential, or as the velocity has it.
func (s *accounts) placeRounding(i int, h, gained float64) float64 {
	const units = 2 * 0x1p-52
	p, g := &s.model.Bodies[i], s.model.World.Gravity()
	at, _ := s.model.World.Coordinates(i)
	last, way := 0.0, math.Abs(gained)
	for k, x := range s.q[at : at+s.model.Dim] {
		last += units * p.Mass * math.Abs(g[k]*x)
		way += h * p.Mass * math.Abs(g[k]*s.v[p.V+k])
	}
	return min(last, way)
}

// potentialOf is that of gravity of a body.
func (s *accounts) potentialOf(i int, q []float64) (u float64) {
	at, _ := s.model.World.Coordinates(i)
	gravity, mass := s.model.World.Gravity(), s.model.Bodies[i].Mass
	for k, x := range q[at : at+s.model.Dim] {
		if g := gravity[k]; g != 0 {
			u -= mass * g * x
		}
	}
	return u
}

package elastic

import (
	"math"

	"github.com/quasistatic/quasistatic/fem"
)

// Energies are the parts of E^n, (49) [J].
type Energies struct{ Kinetic, Elastic float64 }

// Total returns E^n.
func (e Energies) Total() float64 { return e.Kinetic + e.Elastic }

// Balance is the energy balance since the start [J]: the identity (51), which
// holds to roundoff, and the terms of (27).
type Balance struct {
	Initial  float64 // E^0
	External float64 // work of loads, of prescribed displacements and of obstacles that move
	Contact  float64 // −½Σ(λ_c^n + λ_c^{n+1})·Δu: tends to 0 with Δt; here and below Δu is relative to the obstacle
	Friction float64 // −½Σ(λ_f^n + λ_f^{n+1})·Δu, never positive in (27)
	Identity float64 // largest |E^{n+1} − E^n − External − Contact − Friction| of a step so far
	Drift    float64 // E^n − E^0 − External − Contact − Friction now
	// Dissipation is ∫ j(u, u̇_f) dt by the rectangle rule of the scheme:
	// Σ μλ_c^{n+1}|v_f^{n+1}| Δt, and Residual what (27) leaves:
	// E^n − E^0 − External + Dissipation.
	Dissipation float64
	Residual    float64
	Penetration float64 // largest so far [m]
	MaxFriction float64 // largest −λ_f^{n+1}·v_f^{n+1} of a contact so far [W], ≤ 0
}

// Energies returns the parts of E^n.
func (s *Stepper) Energies() (e Energies) {
	s.a.mass.MulVec(s.work, s.now.V)
	e.Kinetic = 0.5 * dot(s.work, s.now.V)
	s.a.elastic(s.work, s.now.U)
	e.Elastic = 0.5 * dot(s.work, s.now.U)
	return e
}

// Balance returns the energy balance since the start.
func (s *Stepper) Balance() Balance { return s.balance }

func (s *Stepper) beginBalance() {
	s.total = s.Energies().Total()
	s.frames.open(s)
	s.energies = s.partEnergies(nil)
	s.before = append(s.before[:0], s.energies...)
	s.works = make([]float64, len(s.energies))
	s.openFrames()
	s.link(true)
	s.tieShapes()
	s.balance = Balance{Initial: s.total, MaxFriction: math.Inf(-1)}
	if len(s.a.normal) == 0 {
		s.balance.MaxFriction = 0
	}
}

// account adds the last step to the balance.
func (s *Stepper) account() {
	b, a, now, prev := &s.balance, s.a, &s.now, &s.prev
	part := s.findParts().of
	s.link(false)
	clear(s.works)
	external := s.loadWork(prev, now) + s.obstacleWork(prev, now)
	for p, w := range s.works {
		s.made.Add(p, -w, w, 0)
	}
	b.External += external
	dim := max(a.dim, 2)
	for k, n := range a.normal {
		r0, r1 := prev.R[dim*k:dim*k+dim], now.R[dim*k:dim*k+dim]
		if r1[0] > 0 && a.met[k] == nil {
			s.made.Touch(part[n/a.dim], s.frames.at[k])
		}
		carried, w := a.carry(k, prev.T, now.T), a.speed(k, now.T)
		b.Contact += 0.5 * (r0[0] + r1[0]) * (now.U[n] - prev.U[n] - carried[a.dim-1])
		b.Penetration = max(b.Penetration, -now.U[n]-a.gapAt(k, now.T))
		power, speed, slip := 0.0, 0.0, 0.0
		for c := 1; c < a.dim; c++ {
			i := n - a.dim + c
			slip += 0.5 * (r0[c] + r1[c]) * (now.U[i] - prev.U[i] - carried[c-1])
			power += r1[c] * (now.V[i] - w[c-1])
			speed = math.Hypot(speed, now.V[i]-w[c-1])
		}
		b.Friction += slip
		if s.central == nil {
			s.made.Add(part[n/a.dim], -min(slip, 0), 0, 0)
		}
		taken := a.model.muAt(k, now, speed) * r1[0] * speed * s.opt.Step
		b.Dissipation += taken
		if s.central == nil {
			s.made.Take(part[n/a.dim], taken)
		}
		b.MaxFriction = max(b.MaxFriction, power)
	}
	e, before := s.Energies().Total(), b.Drift
	b.Drift = e - b.Initial - b.External - b.Contact - b.Friction
	b.Identity = max(b.Identity, math.Abs(b.Drift-before))
	b.Residual = e - b.Initial - b.External + b.Dissipation
	if s.central != nil {
		s.accountCentral()
		return
	}
	s.energies, s.before = s.partEnergies(s.before), s.energies
	s.move()
	for p, e := range s.energies {
		s.made.Add(p, e-s.before[p], 0, 0)
	}
	s.made.Close(now.T)
	s.total = e
}

// partEnergies stores E^n of each part of the mesh, and its parts and the momenta in the frames.
func (s *Stepper) partEnergies(dst []float64) []float64 {
	p := s.findParts()
	f := &s.frames
	clear(f.kinetic)
	clear(f.stored)
	s.a.mass.MulVec(s.work, s.now.V)
	s.a.acting(s.work)
	f.momenta(s.work, p.of)
	for i, v := range s.measured(s.now.V) {
		f.kinetic[p.of[i/s.a.dim]] += 0.5 * s.work[i] * v
	}
	s.a.elastic(s.work, s.now.U)
	s.a.acting(s.work)
	for i, u := range s.measured(s.now.U) {
		f.stored[p.of[i/s.a.dim]] += 0.5 * s.work[i] * u
	}
	dst = dst[:0]
	for k, e := range f.kinetic {
		dst = append(dst, e+f.stored[k])
	}
	return dst
}

// measured returns displacements x of the package page as they are measured from nothing; the result belongs to s.
func (s *Stepper) measured(x []float64) []float64 { return s.changed(x, s.a.absolute) }

// acted returns forces f of the package page as they act on what is measured from nothing; the result belongs to s.
func (s *Stepper) acted(f []float64) []float64 { return s.changed(f, s.a.acting) }

// changed returns a changed copy of a vector where bodies meet; elsewhere it is the same.
func (s *Stepper) changed(x []float64, change func([]float64)) []float64 {
	if s.a.relative == nil {
		return x
	}
	s.places = append(s.places[:0], x...)
	change(s.places)
	return s.places
}

// link makes one island of bodies that press on each other, or, at the start, are tied.
func (s *Stepper) link(start bool) {
	part := s.findParts().of
	join := func(n *fem.MortarNode) {
		for _, j := range n.Masters {
			s.made.Link(part[n.Node], part[j])
		}
	}
	for k, n := range s.a.met {
		if n != nil && s.Reactions(k)[0] > 0 {
			join(n)
		}
	}
	for _, t := range s.a.model.Ties {
		for _, x := range t.Masters {
			if start {
				s.made.Link(part[t.Dof/s.a.dim], part[x.Dof/s.a.dim])
			}
		}
	}
	for k := range s.a.model.Meetings {
		if x := &s.a.model.Meetings[k]; x.Tied && start {
			for i := range x.Nodes {
				join(&x.Nodes[i])
			}
		}
	}
}

// obstacleWork returns the work of the obstacles that move, and adds it to the works of the parts.
func (s *Stepper) obstacleWork(prev, now *State) (work float64) {
	if s.a.model.Motions == nil {
		return 0
	}
	part, dim := s.findParts().of, max(s.a.dim, 2)
	for k, n := range s.a.normal {
		w := pushed(prev.R[dim*k:dim*k+dim], now.R[dim*k:dim*k+dim], s.a.carry(k, prev.T, now.T), s.a.dim)
		work += w
		s.works[part[n/s.a.dim]] += w
	}
	return work
}

// pushed is ½(r + r')·Δs of reactions, normal first, on a way, normal last.
func pushed(r0, r1 []float64, way [3]float64, dim int) float64 {
	w := 0.5 * (r0[0] + r1[0]) * way[dim-1]
	for c := 1; c < dim; c++ {
		w += 0.5 * (r0[c] + r1[c]) * way[c-1]
	}
	return w
}

// loadWork returns ½(L^n + L^{n+1})·Δu and the work of the support reactions M a + A u − L at prescribed dofs, and adds
// it to the works of the parts. That of the mean of A u − L is on Δu, and that of the mean of M a, M Δv/Δt, on
// ½(v^n + v^{n+1}) Δt, which is Δu but where the velocity jumps.
func (s *Stepper) loadWork(prev, now *State) float64 {
	work, part, dim := 0.0, s.findParts().of, s.a.dim
	s.moved(prev.U)
	s.ways = append(s.ways[:0], s.work...)
	add := func(i int, w float64) {
		work += w
		s.works[part[i/dim]] += w
	}
	for _, state := range []*State{prev, now} {
		s.a.load(s.loadNow, state.T)
		for i, l := range s.acted(s.loadNow) {
			add(i, l*(0.5*s.ways[i]))
		}
		if len(s.a.split.Fixed) == 0 {
			continue
		}
		s.a.elastic(s.work, state.U)
		for _, i := range s.a.split.Fixed {
			add(i, (s.work[i]-s.loadNow[i])*(0.5*(now.U[i]-prev.U[i])))
		}
	}
	if len(s.a.split.Fixed) == 0 || s.central != nil { // central differences have no accelerations there
		return work
	}
	impulse := s.inertia(prev, now)
	for _, i := range s.a.split.Fixed {
		add(i, 0.5*impulse[i]*(prev.V[i]+now.V[i]))
	}
	return work
}

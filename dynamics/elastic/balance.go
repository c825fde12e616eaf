package elastic

import "math"

// Energies are the parts of E^n, (49) [J].
type Energies struct{ Kinetic, Elastic float64 }

// Total returns E^n.
func (e Energies) Total() float64 { return e.Kinetic + e.Elastic }

// Balance is the energy balance since the start [J]: the identity (51), which
// holds to roundoff, and the terms of (27).
type Balance struct {
	Initial  float64 // E^0
	External float64 // work of loads and of prescribed displacements
	Contact  float64 // −½Σ(λ_c^n + λ_c^{n+1})·Δu: tends to 0 with Δt
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
	s.made.Begin(s.total)
	s.balance = Balance{Initial: s.total, MaxFriction: math.Inf(-1)}
	if len(s.a.normal) == 0 {
		s.balance.MaxFriction = 0
	}
}

// account adds the last step to the balance.
func (s *Stepper) account() {
	b, a, now, prev := &s.balance, s.a, &s.now, &s.prev
	external, friction := s.loadWork(prev, now), 0.0
	b.External += external
	dim := max(a.dim, 2)
	for k, n := range a.normal {
		r0, r1 := prev.R[dim*k:dim*k+dim], now.R[dim*k:dim*k+dim]
		b.Contact += 0.5 * (r0[0] + r1[0]) * (now.U[n] - prev.U[n])
		b.Penetration = max(b.Penetration, -now.U[n]-a.gap[k])
		power, speed, slip := 0.0, 0.0, 0.0
		for c := 1; c < a.dim; c++ {
			i := n - a.dim + c
			slip += 0.5 * (r0[c] + r1[c]) * (now.U[i] - prev.U[i])
			power += r1[c] * now.V[i]
			speed = math.Hypot(speed, now.V[i])
		}
		b.Friction += slip
		friction += min(slip, 0)
		b.Dissipation += a.model.mu(k) * r1[0] * speed * s.opt.Step
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
	s.made.Add(now.T, e-s.total-external-friction, b.External)
	s.total = e
}

// loadWork returns ½(L^n + L^{n+1})·Δu and the same of the support reactions
// M a + A u − L at prescribed dofs.
func (s *Stepper) loadWork(prev, now *State) float64 {
	work := 0.0
	for _, state := range []*State{prev, now} {
		s.a.load(s.loadNow, state.T)
		for i, l := range s.loadNow {
			work += 0.5 * l * (now.U[i] - prev.U[i])
		}
		if len(s.a.split.Fixed) == 0 {
			continue
		}
		s.a.elastic(s.work, state.U)
		for _, i := range s.a.split.Fixed {
			work += 0.5 * (s.work[i] - s.loadNow[i]) * (now.U[i] - prev.U[i])
		}
		s.a.mass.MulVec(s.work, state.A)
		for _, i := range s.a.split.Fixed {
			work += 0.5 * s.work[i] * (now.U[i] - prev.U[i])
		}
	}
	return work
}

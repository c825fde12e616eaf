package dynamics

import (
	"context"
	"fmt"
	"math"
)

// newton keeps what the iteration for an implicit force needs.
type newton struct {
	lu     denseLU
	slope  []float64 // F = ∂f/∂v', nv×nv
	vGuess []float64
	moved  []float64
}

const (
	fixedRounds  = 12  // of the fixed point; at a rate below ½ they give 1e-4
	newtonRounds = 25  // Newton converges in a few or not at all
	slowRate     = 0.5 // of the fixed point: Newton's method is cheaper
)

// implicitForce solves (16) of [Pang05] with f at (t+h, q^θ, v^θ), or its mean in time, see [Loaded]: the map of
// Proposition 3 by its fixed point (a contraction for small h, whose rate is
// reported) and by Newton's method where that is slow.
func (s *Stepper) implicitForce(ctx context.Context, h float64) error {
	copy(s.next.V, s.now.V)
	s.forceAt(s.f, h, s.next.V)
	last := math.Inf(1)
	for round := 1; round <= fixedRounds; round++ {
		if err := s.contactRound(ctx, h); err != nil {
			return err
		}
		s.forceAt(s.fNext, h, s.next.V)
		s.step.Rounds = round
		if !finite(s.fNext) {
			break
		}
		change := s.forceChange(h)
		s.f, s.fNext = s.fNext, s.f
		if change <= s.o.ForceTolerance {
			return nil
		}
		rate := change / last
		s.small.ForceRate = max(s.small.ForceRate, rate)
		if rate > slowRate {
			break
		}
		last = change
	}
	copy(s.next.V, s.now.V) // the fixed point may have strayed far
	return s.newtonForce(ctx, h)
}

// forceAt overwrites f with f(t+h, q^θ, v^θ) for the end velocity v.
func (s *Stepper) forceAt(f []float64, h float64, v []float64) {
	theta := s.step.Theta
	for i, a := range s.now.V {
		s.mean[i] = theta*a + (1-theta)*v[i]
	}
	s.qDot(s.qRate, s.mean)
	for i, q := range s.now.Q {
		s.qMean[i] = q + (1-theta)*h*s.qRate[i]
	}
	s.force(f, s.now.T+h, h, s.qMean, s.mean)
}

// forceChange returns the largest h|f_next − f| of a component relative to its momentum p_i,
// to h|f_i|, and to a share of what momentum it would have with all of the energy, so that
// forces and torques are never compared and no unit matters.
func (s *Stepper) forceChange(h float64) float64 {
	p := s.scratch
	s.mass.mulVec(p, s.next.V)
	energy := 0.0
	for i, v := range s.next.V {
		energy += p[i] * v
	}
	worst := 0.0
	for i, f := range s.fNext {
		if change := h * math.Abs(f-s.f[i]); change > 0 {
			worst = max(worst, change/max(h*math.Abs(f), math.Abs(p[i]), smallMomentum*math.Sqrt(s.mass.diagonal(i)*energy)))
		}
	}
	return worst
}

// smallMomentum: a component with less than this share of the energy is as good as at rest;
// its force need not be known better.
const smallMomentum = 1e-3

// newtonForce linearises f at v': with F = ∂f/∂v' (q^θ depends on v' too),
//
//	(M − hF) v' = M v + h(f − F v'_k) + h Wᵀ λ,
//
// a contact problem with M − hF for M, which need not be symmetric.
func (s *Stepper) newtonForce(ctx context.Context, h float64) error {
	n := &s.newton
	n.slope, n.vGuess, n.moved = grow(n.slope, s.nv*s.nv), grow(n.vGuess, s.nv), grow(n.moved, s.nv)
	for round := range newtonRounds {
		s.step.Rounds++
		copy(n.vGuess, s.next.V)
		s.forceAt(s.f, h, n.vGuess)
		s.slopes(h)
		if !s.newtonMatrix(h) {
			return fmt.Errorf("the matrix M − h ∂f/∂v' is singular in round %d of Newton's method", round+1)
		}
		s.mass.mulVec(s.free, s.now.V)
		for i := range s.free {
			d := 0.0
			for j, v := range n.vGuess {
				d += n.slope[i*s.nv+j] * v
			}
			s.free[i] += h * (s.f[i] - d)
		}
		n.lu.solve(s.free)
		s.local.solver = &n.lu
		if err := s.solveContacts(ctx, h); err != nil {
			return err
		}
		s.forceAt(s.fNext, h, s.next.V)
		for i := range s.f { // the linear model of the force at v'
			for j, v := range n.vGuess {
				s.f[i] += n.slope[i*s.nv+j] * (s.next.V[j] - v)
			}
		}
		change := s.forceChange(h)
		s.f, s.fNext = s.fNext, s.f
		if change <= s.o.ForceTolerance {
			return nil
		}
	}
	return fmt.Errorf("the implicit force did not converge in %d rounds of Newton's method: a smaller step may help", newtonRounds)
}

// slopes overwrites n.slope with central differences of f in v'.
func (s *Stepper) slopes(h float64) {
	n := &s.newton
	copy(n.moved, n.vGuess)
	for j := range n.vGuess {
		v, d := n.vGuess[j], 6e-6*s.speed(j, h) // cube root of the rounding unit
		n.moved[j] = v + d
		s.forceAt(s.fNext, h, n.moved)
		for i, f := range s.fNext {
			n.slope[i*s.nv+j] = f
		}
		n.moved[j] = v - d
		s.forceAt(s.fNext, h, n.moved)
		for i, f := range s.fNext {
			n.slope[i*s.nv+j] = (n.slope[i*s.nv+j] - f) / (2 * d)
		}
		n.moved[j] = v
	}
}

// speed is the size of the velocities of the block of velocity j: those at the start of the
// step, their present guess, or what the force gives them; 1 if nothing moves.
func (s *Stepper) speed(j int, h float64) float64 {
	m, size := &s.mass, 0.0
	b := m.of[j]
	for i := m.first[b]; i < m.first[b+1]; i++ {
		size = max(size, math.Abs(s.now.V[i]), math.Abs(s.newton.vGuess[i]), h*math.Abs(s.f[i])/m.diagonal(i))
	}
	if size == 0 {
		return 1
	}
	return size
}

// newtonMatrix factorises M − hF.
func (s *Stepper) newtonMatrix(h float64) bool {
	n, m := &s.newton, &s.mass
	a := n.lu.resize(s.nv)
	for i, f := range n.slope[:s.nv*s.nv] {
		a[i] = -h * f
	}
	for b := range len(m.first) - 1 {
		first, last := m.first[b], m.first[b+1]
		for r := first; r < last; r++ {
			for c := first; c < last; c++ {
				a[r*s.nv+c] += m.val[m.ptr[b]+(r-first)*(last-first)+c-first]
			}
		}
	}
	return n.lu.factor()
}

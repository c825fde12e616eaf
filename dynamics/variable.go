package dynamics

import (
	"context"
	"fmt"
	"math"
)

var _ Variable = (*Stepper)(nil)

// slot is a state kept by [Stepper.Keep].
type slot struct {
	c      Checkpoint
	patch  []*Patch
	step   Step
	states []ContactState
}

// Advance is [Stepper.Step] to a given time, for [Adaptive]; OnStep is not called.
func (s *Stepper) Advance(ctx context.Context, h, t float64) error {
	if err := s.advance(ctx, h); err != nil {
		return fmt.Errorf("dynamics: t = %.9g s, a step of %.3g s: %w", s.now.T, h, err)
	}
	s.now.T, s.lost = t, 0
	return nil
}

// Keep implements [Variable].
func (s *Stepper) Keep(at int) {
	k := &s.slots[at]
	s.Save(&k.c)
	k.patch = append(k.patch[:0], s.history.patch...)
	k.step, k.states = s.step, append(k.states[:0], s.states...)
}

// Return implements [Variable].
func (s *Stepper) Return(at int) error {
	k, h := &s.slots[at], &s.history
	c := &k.c
	copyState(&s.now, &c.State)
	s.push = c.Push
	copy(s.travel, c.Path)
	h.last.Keys, h.last.Ptr = append(h.last.Keys[:0], c.Keys...), append(h.last.Ptr[:0], c.Ptr...)
	h.last.Delta, h.last.Lambda = append(h.last.Delta[:0], c.Delta...), append(h.last.Lambda[:0], c.Lambda...)
	h.patch, h.ghosts = append(h.patch[:0], k.patch...), c.Ghosts
	h.age = append(h.age[:0], c.Age...)
	s.lost, s.small, s.ledger = c.Lost, c.Smallness, c.Ledger
	s.made, s.potential0, s.residual = c.Made, c.Potential, c.Residual
	s.step, s.states = k.step, append(s.states[:0], k.states...)
	s.step.State, s.step.Contacts = &s.now, s.states
	return s.assemble()
}

// follow adds the last step to the paths; next is the state before it.
func (s *Stepper) follow(h float64) {
	theta := s.o.Theta
	for i, v := range s.now.V {
		s.travel[i] += h * (theta*s.next.V[i] + (1-theta)*v)
	}
}

// Distances implements [Variable]: the parts are the blocks of the mass matrix, measured
// in their norms over the mass of their first velocity.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	x := s.scratch
	copy(x, s.travel)
	if at >= 0 {
		for i, p := range s.slots[at].c.Path {
			x[i] -= p
		}
	}
	return s.mass.norms(dst, x)
}

// Reach implements [Variable]: ½T²M⁻¹f.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	x := s.scratch
	s.sys.Force(x, s.now.T, s.now.Q, s.now.V)
	s.mass.solve(x)
	for i := range x {
		x[i] *= 0.5 * time * time
	}
	return s.mass.norms(dst, x)
}

// norms stores √(xᵀMx/M_11) of each block.
func (m *Mass) norms(dst, x []float64) []float64 {
	dst = dst[:0]
	for b := range len(m.first) - 1 {
		i, j := m.first[b], m.first[b+1]
		block := m.val[m.ptr[b]:m.ptr[b+1]]
		dst = append(dst, math.Sqrt(max(0, quadratic(block, x[i:j]))/block[0]))
	}
	return dst
}

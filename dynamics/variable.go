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
	h.age, h.home = append(h.age[:0], c.Age...), append(h.home[:0], c.Home...)
	s.lost, s.small, s.ledger = c.Lost, c.Smallness, c.Ledger
	s.residual = c.Residual
	s.made.Set(&c.Made)
	copy(s.partition.stored, c.Stored)
	s.step, s.states = k.step, append(s.states[:0], k.states...)
	s.step.State, s.step.Contacts = &s.now, s.states
	if err := s.assemble(); err != nil {
		return err
	}
	s.motion()
	return nil
}

// follow adds the last step to the paths; next is the state before it.
func (s *Stepper) follow(h float64) {
	theta := s.o.Theta
	for i, v := range s.now.V {
		s.travel[i] += h * (theta*s.next.V[i] + (1-theta)*v)
	}
}

// Distances implements [Variable]: the parts are those of a [Grouped] system, else all is
// one, measured in the norm of the mass over that of the first velocity of the part.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	x := s.scratch
	copy(x, s.travel)
	if at >= 0 {
		for i, p := range s.slots[at].c.Path {
			x[i] -= p
		}
	}
	return s.norms(dst, x)
}

// Reach implements [Variable]: ½T²M⁻¹f.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	x := s.scratch
	s.sys.Force(x, s.now.T, s.now.Q, s.now.V)
	s.mass.solve(x)
	for i := range x {
		x[i] *= 0.5 * time * time
	}
	return s.norms(dst, x)
}

// norms stores √(xᵀMx/M_11) of each part.
func (s *Stepper) norms(dst, x []float64) []float64 {
	m := &s.mass
	s.momentum = grow(s.momentum, s.nv)
	m.mulVec(s.momentum, x)
	dst = dst[:0]
	for i, p := range s.momentum {
		if i == 0 || s.part != nil && s.part[i] != s.part[i-1] {
			dst = append(dst, 0)
		}
		dst[len(dst)-1] += x[i] * p
	}
	k := 0
	for i := range s.momentum {
		if i == 0 || s.part != nil && s.part[i] != s.part[i-1] {
			dst[k] = math.Sqrt(max(0, dst[k]) / m.diagonal(i))
			k++
		}
	}
	return dst
}

// diagonal returns entry (i, i).
func (m *Mass) diagonal(i int) float64 {
	b := m.of[i]
	n, r := m.first[b+1]-m.first[b], i-m.first[b]
	return m.val[m.ptr[b]+r*n+r]
}

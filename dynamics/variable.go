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
	mu     []float64
	slack  []float64

	changes []Change
}

// Advance is [Stepper.Step] to a given time, for [Adaptive]; OnStep is not called.
func (s *Stepper) Advance(ctx context.Context, h, t float64) error {
	if err := s.advance(ctx, h); err != nil {
		return fmt.Errorf("dynamics: t = %.9g s, a step of %.3g s: %w", s.now.T, h, err)
	}
	s.now.T, s.lost = t, 0
	return nil
}

// Probe implements [Probed].
func (s *Stepper) Probe(ctx context.Context, tau, t float64) error {
	form := s.o.VelocityForm
	s.now.T, s.o.VelocityForm = t-tau, true
	err := s.Advance(ctx, tau, t)
	s.o.VelocityForm = form
	return err
}

// Keep implements [Variable].
func (s *Stepper) Keep(at int) {
	k := &s.slots[at]
	s.Save(&k.c)
	k.patch = append(k.patch[:0], s.history.patch...)
	k.changes = append(k.changes[:0], s.timing.changes...)
	k.slack = append(k.slack[:0], s.slack...)
	k.step, k.states, k.mu = s.step, append(k.states[:0], s.states...), append(k.mu[:0], s.mu...)
}

// Return implements [Variable].
func (s *Stepper) Return(at int) error {
	k, h := &s.slots[at], &s.history
	c := &k.c
	copyState(&s.now, &c.State)
	c.Timing.copyTo(&s.timing)
	s.timing.changes = append(s.timing.changes[:0], k.changes...)
	s.push = c.Push
	copy(s.travel, c.Path)
	h.last.Keys, h.last.Ptr = append(h.last.Keys[:0], c.Keys...), append(h.last.Ptr[:0], c.Ptr...)
	h.last.Delta, h.last.Lambda = append(h.last.Delta[:0], c.Delta...), append(h.last.Lambda[:0], c.Lambda...)
	h.patch, h.ghosts = append(h.patch[:0], k.patch...), c.Ghosts
	h.age, h.home = append(h.age[:0], c.Age...), append(h.home[:0], c.Home...)
	s.lost, s.small, s.ledger = c.Lost, c.Smallness, c.Ledger
	s.residual, s.bySlip, s.weakening = c.Residual, c.Slips, c.Weakening
	s.made.Set(&c.Made)
	copy(s.partition.stored, c.Stored)
	s.step, s.states, s.mu = k.step, append(s.states[:0], k.states...), append(s.mu[:0], k.mu...)
	s.slack = append(s.slack[:0], k.slack...)
	s.step.State, s.step.Contacts, s.step.Mu = &s.now, s.states, s.mu
	if err := s.assemble(); err != nil {
		return err
	}
	s.motion()
	return nil
}

// follow adds the last step to the paths; next is the state before it.
func (s *Stepper) follow(h float64) {
	theta, way := s.step.Theta, s.scratch
	for i, v := range s.now.V {
		way[i] = h * (theta*s.next.V[i] + (1-theta)*v)
	}
	if s.turns.of != nil {
		s.turns.of.Rolled(way, s.next.Q, s.now.Q)
	}
	for i, x := range way {
		s.travel[i] += x
	}
}

// Distances implements [Variable]: the parts are those of a [Grouped] system, else all is one,
// measured in the norm of the mass over that of the first velocity of the part. Of a [Turned]
// system that is their translation; their turns follow, in full, times their arms, or by how much
// their places in a slot differ, if that is more: what coordinates of a turn (quaternions) are off
// by is no part of ∫v. Then come the directions of those that have one, without the turn about the
// axis of the present spin: of a fast top that is large, and the direction is what counts.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	x := s.scratch
	copy(x, s.travel)
	from := s.origin
	if at >= 0 {
		for i, p := range s.slots[at].c.Path {
			x[i] -= p
		}
		from = s.slots[at].c.State.Q
	}
	dst = s.norms(dst, x)
	for part, k := range s.turns.at {
		if at >= 0 && k > 0 {
			dst[k] = max(dst[k], s.turns.size[part]*s.turns.of.Deviation(part, from, s.now.Q, nil))
		}
	}
	for k, part := range s.turns.directed {
		dst = append(dst, s.turns.arm[k]*s.turns.of.Deviation(part, from, s.now.Q, s.now.V))
	}
	return s.apart(dst, x, at)
}

// Reach implements [Variable]: ½T²M⁻¹f.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	x := s.scratch
	s.sys.Force(x, s.now.T, s.now.Q, s.now.V)
	s.mass.solve(x)
	for i := range x {
		x[i] *= 0.5 * time * time
	}
	dst = s.norms(dst, x)
	for _, part := range s.turns.directed {
		dst = append(dst, dst[s.turns.at[part]])
	}
	return dst
}

// Residual implements [Variable].
func (s *Stepper) Residual() float64 { return s.residual }

// Farthest implements [Placed]: by parts where each velocity is that of a coordinate, else of all.
func (s *Stepper) Farthest(dst []float64) []float64 {
	p, t := &s.partition, &s.turns
	dst = grow(dst, p.count+t.count+len(t.directed))
	clear(dst)
	if s.rate != nil {
		most := 0.0
		for _, x := range s.now.Q {
			most = max(most, math.Abs(x))
		}
		for k := range p.count {
			dst[k] = most
		}
		return dst
	}
	for i, x := range s.now.Q {
		dst[p.of[i]] = max(dst[p.of[i]], math.Abs(x))
	}
	return dst
}

// norms stores √(xᵀMx/M_11) of each part, of its translation if the system is [Turned]; and
// behind that the turns, times their arms.
func (s *Stepper) norms(dst, x []float64) []float64 {
	m, t := &s.mass, &s.turns
	s.momentum = grow(s.momentum, s.nv)
	s.shift = append(s.shift[:0], x...)
	for i, arm := range t.arms {
		if arm > 0 {
			s.shift[i] = 0
		}
	}
	m.mulVec(s.momentum, s.shift)
	p := &s.partition
	dst = grow(dst, p.count+t.count)
	clear(dst)
	for i, v := range s.momentum {
		dst[p.of[i]] += s.shift[i] * v
	}
	for i := s.nv - 1; i >= 0; i-- { // the first velocity of a part is the last of it to be met
		if k := p.of[i]; i == 0 || p.of[i-1] != k {
			dst[k] = math.Sqrt(max(0, dst[k]) / m.diagonal(i))
		}
	}
	for i, arm := range t.arms {
		if arm > 0 {
			dst[t.at[p.of[i]]] += arm * arm * x[i] * x[i]
		}
	}
	for k := p.count; k < len(dst); k++ {
		dst[k] = math.Sqrt(dst[k])
	}
	return dst
}

// diagonal returns entry (i, i).
func (m *Mass) diagonal(i int) float64 {
	first, row := m.row(i)
	return row[i-first]
}

// row is that of velocity i within its block, which begins at velocity first.
func (m *Mass) row(i int) (first int, row []float64) {
	b := m.of[i]
	n, at := m.first[b+1]-m.first[b], m.ptr[b]+(i-m.first[b])*(m.first[b+1]-m.first[b])
	return m.first[b], m.val[at : at+n]
}

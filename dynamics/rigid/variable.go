package rigid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
)

var _ dynamics.Variable = (*Stepper)(nil)

// slot is a state kept by [Stepper.Keep].
type slot struct {
	c    Checkpoint
	step Step
}

// Advance is [Stepper.Step] to a given time, for [dynamics.Adaptive]. A step that fails is
// not cut: its halves would be the pair that it is compared with. OnStep is not
// called and the cone not tested: see [Stepper.TestCone].
func (s *Stepper) Advance(ctx context.Context, h, t float64) error {
	s.lost = 0
	if err := s.take(ctx, h, false); err != nil {
		return err
	}
	s.t, s.lost = t, 0
	s.step.T = t
	return nil
}

// Keep implements [dynamics.Variable].
func (s *Stepper) Keep(at int) {
	k := &s.slots[at]
	s.Save(&k.c)
	collisions, impulses, cuts := append(k.step.Collisions[:0], s.step.Collisions...), append(k.step.Impulses[:0], s.step.Impulses...), append(k.step.Cuts[:0], s.step.Cuts...)
	k.step = s.step
	k.step.Collisions, k.step.Impulses, k.step.Cuts, k.step.Dependent = collisions, impulses, cuts, slices.Clone(s.step.Dependent)
}

// Return implements [dynamics.Variable]. What is known of the cone is that of the last
// test, wherever the stepper goes back to.
func (s *Stepper) Return(at int) error {
	k := &s.slots[at]
	collisions, impulses, cuts := s.step.Collisions[:0], s.step.Impulses[:0], s.step.Cuts[:0]
	k.c.Keys, k.c.Pointed, k.c.Tested = append(k.c.Keys[:0], s.keys...), s.pointed, s.tested
	k.c.Opening = append(k.c.Opening[:0], s.opening...)
	if err := s.Load(&k.c); err != nil {
		return err
	}
	q, v, w := s.step.Q, s.step.V, s.step.Alpha
	s.step = k.step
	s.step.Q, s.step.V, s.step.Alpha = q, v, w
	s.step.Collisions, s.step.Impulses, s.step.Cuts = append(collisions, k.step.Collisions...), append(impulses, k.step.Impulses...), append(cuts, k.step.Cuts...)
	s.step.Dependent = slices.Clone(k.step.Dependent)
	return nil
}

// follow adds a part of a step to the paths.
func (s *Stepper) follow(h float64) {
	for i, v := range s.v {
		s.travel[i] += h * ((1-s.gamma)*v + s.gamma*s.vEnd[i])
	}
}

// Distances implements [dynamics.Variable]: the parts are the bodies, measured at
// their centres and, by the turn times their size, at their surfaces.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	dst = grow(dst, len(s.model.body))
	for i := range s.model.body {
		p, sum := &s.model.body[i], 0.0
		for k := range p.n {
			d := s.travel[p.v+k]
			if at >= 0 {
				d -= s.slots[at].c.Travel[p.v+k]
			}
			if k >= s.model.dim {
				d *= p.reach
			}
			sum += d * d
		}
		dst[i] = math.Sqrt(sum)
	}
	return dst
}

// Reach implements [dynamics.Variable]: ½T²M⁻¹f, of gravity, loads and forces.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	dst = grow(dst, len(s.model.body))
	s.forces(s.f0, s.t)
	g := s.model.World.Gravity()
	for i := range s.model.body {
		p, sum := &s.model.body[i], 0.0
		for k := range p.n {
			a := s.f0[p.v+k] / s.model.inertia(p, k)
			if k < s.model.dim {
				a += g[k]
			} else {
				a *= p.reach
			}
			sum += a * a
		}
		dst[i] = 0.5 * time * time * math.Sqrt(sum)
	}
	return dst
}

// take makes a step, which may be cut, and its records.
func (s *Stepper) take(ctx context.Context, h float64, cut bool) error {
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("rigid: the step is %g s, want a positive number", h)
	}
	s.begin(h)
	var err error
	if cut {
		err = s.advance(ctx, h, s.o.MaxCuts)
	} else {
		s.mayCut, s.depth = true, s.deepest() // who called tries a shorter one
		err = s.whole(ctx, h)
	}
	if err != nil {
		return fmt.Errorf("rigid: step %d, t = %.9g s: %w", s.step.Index+1, s.t, err)
	}
	s.finish(h)
	s.judge(h)
	return nil
}

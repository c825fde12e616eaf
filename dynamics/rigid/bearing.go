package rigid

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Friction in joints by a coefficient, see [multibody.Bearing]: the bounds of the brakes are a fixed
// point about the contact problem of a step, as the friction over speed of slipfriction.go is,
//
//	b̄ = hF + μ r Σ‖N(c)‖,  c the impulses of the joints that the step has for the bounds b̄.
//
// It is one of μ r ∂‖N‖/∂b, for a journal of the order of μ r over the distance of what it carries, and
// does not depend on h: forces and reactions are both in proportion to it. From 1 on the laws leave a
// step several solutions or none, as those of Painlevé do.

// bearings are the brakes of the problem whose bounds are such.
type bearings struct {
	friction.Rounds
	list []int      // contacts of the problem
	open openForces // see sharedContacts
}

// solveBearings is solveClinging with the bounds that belong to the reactions of the joints.
func (s *impacts) solveBearings(ctx context.Context, h float64) error {
	x := &s.bearings
	x.list = x.list[:0]
	x.Clear()
	for k, i := range s.p.list {
		if b := s.brakeOf(&s.touches[i]); b != nil && b.Brake.Bearing != nil {
			x.list = append(x.list, k)
			x.Add(s.holdOf(k)) // of the c of the round before, or of the step
		}
	}
	if len(x.list) == 0 {
		return s.solveClinging(ctx, h)
	}
	if err := s.sharedLoad(); err != nil {
		return err
	}
	for x.Open(); ; {
		for n, k := range x.list {
			s.setBearing(k, x.At(n), h)
		}
		if err := s.solveClinging(ctx, h); err != nil {
			return err
		}
		copy(s.x, s.w)
		s.pushSolved(s.x)
		s.measureImpulses(s.x)
		size := 0.0
		for _, r := range s.p.r[:len(s.p.list)*s.p.dim] {
			size = max(size, math.Abs(r))
		}
		for n, k := range x.list {
			next := s.holdOf(k)
			x.See(n, next, math.Abs(next-x.At(n)))
			size = max(size, next)
		}
		outcome, off := x.Next(size, s.o.Tolerance, s.o.Accept, false)
		switch outcome {
		case friction.Found:
			s.step.Residual = max(s.step.Residual, off)
			if k, share := s.ambiguity(); share >= 1 {
				return s.jammed(k, fmt.Sprintf("the friction of its bearing grows by %.3g of itself through the force that it makes in the joint, want less than 1: the step has several solutions",
					share))
			}
			return s.sharedContacts(s.x)
		case friction.Lost:
			return s.jammed(x.list[0], "the friction of its bearing has not been found")
		}
	}
}

// jammed is the error of the joint of contact k.
func (s *assembly) jammed(k int, why string) error {
	return fmt.Errorf("%s: %s", s.model.JointName(s.stopAt(k).Joint), why)
}

// stopAt is the stop that contact k is.
func (s *assembly) stopAt(k int) *multibody.Stop { return s.model.StopOf(&s.touches[s.p.list[k]]) }

// setBearing sets what a bearing adds to the bound of contact k, an impulse of a step of h over L.
func (s *assembly) setBearing(k int, hold, h float64) {
	i := s.p.list[k]
	s.marks[i].bearing = hold / h
	s.p.laws[k] = s.brakeLaw(i)
}

// pressing are the N_i of contact k for impulses of the joints by their rows, and b of the brake.
func (s *assembly) pressing(k int, impulse func(*multibody.Band) float64, b float64) (n [2]vec) {
	var by multibody.Reaction
	x := s.stopAt(k)
	c := s.model.Home[x.A]
	for r, i := range s.model.Components[c].Rows {
		if s.model.Rows[i].Joint == x.Joint {
			band := &s.inv[c].Bands[r]
			by.Add(&band.Lever, impulse(band))
		}
	}
	return x.Pressing(multibody.ToSpace(multibody.PoseOf(s.rowPoses, x.B), x.Axis), &by, b)
}

// borne are the N_i of contact k by the c of the bands and the impulses p.r.
func (s *assembly) borne(k int) [2]vec {
	return s.pressing(k, func(b *multibody.Band) float64 { return b.Impulse }, s.p.r[k*s.p.dim+1]*s.stopAt(k).Scale)
}

// holdOf is what they add to the bound, over L.
func (s *assembly) holdOf(k int) float64 {
	x, n := s.stopAt(k), s.borne(k)
	return x.Hold(&n) / x.Scale
}

// ambiguity returns the bearing that is nearest to having several solutions, and the largest sum of a row of
// the derivatives of their bounds by the bounds of those that slide: below 1 there is one.
func (s *assembly) ambiguity() (at int, share float64) {
	x, p := &s.bearings, &s.p
	sums := make([]float64, len(x.list))
	for m, l := range x.list {
		r := p.r[l*p.dim+1]
		if math.Abs(r) < s.brakeBound(p.list[l], s.frictionSpan)*(1-1e-6) || r == 0 { // solver tolerance, see stateOf
			continue
		}
		s.respondTo(l, s.model.Home[s.stopAt(l).A], &vec{1: 1})
		for n, k := range x.list {
			if s.model.Home[s.stopAt(k).A] != s.model.Home[s.stopAt(l).A] {
				continue
			}
			rate := s.growth(k, l)
			if sums[n] += rate; m != n {
				sums[n] += math.Abs(rate) - rate
			}
		}
	}
	for n, sum := range sums {
		if sum > share {
			at, share = x.list[n], sum
		}
	}
	return at, share
}

// growth is by how much the bound of contact k grows with the friction of contact l, to which the joints have
// responded.
func (s *assembly) growth(k, l int) float64 {
	by, b := s.stopAt(k), 0.0
	if k == l {
		b = by.Scale
	}
	was, d := s.borne(k), s.pressing(k, func(b *multibody.Band) float64 { return -b.Multiplier }, b)
	return math.Copysign(1, s.p.r[l*s.p.dim+1]) * by.HoldRate(&was, &d) / by.Scale
}

// seizes reports whether the friction of the bearing at contact k, if it slides, grows by more than itself through
// the force that it makes in the joint: no bounded friction moves on with it.
func (s *assembly) seizes(k int) bool {
	b := s.brakeOf(&s.touches[s.p.list[k]])
	if b == nil || b.Brake.Bearing == nil || s.p.r[k*s.p.dim+1] == 0 {
		return false
	}
	s.respondTo(k, s.model.Home[s.stopAt(k).A], &vec{1: 1})
	return s.growth(k, k) >= 1
}

// respondTo sets the multipliers of the joints of component c to what a force along dir at contact k takes of
// them, and reports whether it is on that component.
func (s *assembly) respondTo(k, c int, dir *[3]float64) bool {
	p := &s.p
	for _, share := range p.share[p.from[k]:p.from[k+1]] {
		if share.comp != c {
			continue
		}
		p.column = grow(p.column, share.n)
		clear(p.column)
		for _, part := range p.part[p.ptr[k]:p.ptr[k+1]] {
			for r := 0; r < part.n && part.comp == c; r++ {
				for d := range p.dim {
					p.column[part.local+r] += p.h[part.at+r*p.dim+d] * dir[d]
				}
			}
		}
		s.inv[c].Respond(p.column)
		return true
	}
	return false
}

// imposeBearings takes what bearings add to the bounds of brakes from the impulses that a step is given.
func (s *Replay) imposeBearings(h float64) {
	measured := false
	for k, i := range s.p.list {
		if b := s.brakeOf(&s.touches[i]); b == nil || b.Brake.Bearing == nil {
			continue
		}
		if !measured {
			measured = true
			s.measureJoints()
		}
		s.setBearing(k, s.holdOf(k), h)
		s.marks[i].state = s.brakeState(i, h, math.Inf(1))
	}
}

package rigid

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
)

// Impact chooses what restitution means.
type Impact int

// The laws of impact; without restitution they are one. u⁻ and u⁺ are the relative velocities of
// the contacts before and after, r their impulses. What each keeps:
//
//	law         u_N⁺ = −e u_N⁻       energy       friction  row of balls, e = 1
//	Newton      where T allows it    never grows  |r_T| ≤ μ r_N  (−.6, .4, .4, .4, .4)
//	Moreau      one e for all        never grows  |r_T| ≤ μ r_N  (−.6, .4, .4, .4, .4)
//	Poisson     a single contact     never grows  in each phase  (−.6, .4, .4, .4, .4)
//	sequential  no, a single one is  never grows  |r_T| ≤ μ r_N  (0, 0, 0, 0, 1)
//
// Momentum is kept by all. Where several contacts rebound at once none of them is wrong for rigid
// bodies, and the outcomes differ: [Collision.Ambiguous].
const (
	// NewtonImpact is u_N⁺ = −e u_N⁻ where a contact closes, with Coulomb's law for r and u_T⁺.
	// With friction, or contacts of different e, kinetic energy would grow in some collisions:
	// r_T·u_T⁺ ≤ 0 says nothing of r_T·(u_T⁺ + u_T⁻)/2, what friction does (Kane's paradox). These
	// give back the largest share that makes none, see boundRestitution and [Collision.Withheld].
	NewtonImpact Impact = iota
	// MoreauImpact is Moreau's law: the laws of contact and friction hold for û = (u⁺ + e u⁻)/(1 +
	// e). No collision gains energy, see restitute.
	MoreauImpact
	// PoissonImpact gives back e times the normal impulses of the compression, as far as the energy
	// that it took allows, with friction of its own, see restitute.
	PoissonImpact
	// SequentialImpact takes simultaneous contacts one after the other, by Moreau's law each, the
	// fastest first, see sequence.
	SequentialImpact
)

// impact solves the collision that is loaded, by its law: w and the impulses r.
func (s *impacts) impact(ctx context.Context, speed float64) error {
	rebounds := speed > s.o.RestitutionSpeed
	if s.o.Impact == SequentialImpact && rebounds {
		return s.sequence(ctx)
	}
	if rebounds {
		s.openRestitution(s.w)
	}
	s.bed.forget()
	if err := s.solve(ctx); err != nil {
		return err
	}
	s.pushSolved(s.w)
	switch {
	case !rebounds:
		return nil
	case s.o.Impact == MoreauImpact || s.o.Impact == PoissonImpact:
		return s.restitute(ctx)
	}
	return s.boundRestitution(ctx)
}

// restitution adds e u_N⁻ to the speeds of the problem: Newton's law.
func (s *impacts) restitution() {
	for k, i := range s.p.list {
		if e := s.model.MaterialOf(&s.touches[i]).Restitution; e > 0 {
			if u := s.approach(i, s.v, 0); u < -s.o.RestitutionSpeed {
				s.p.b[k*s.p.dim] += e * u
			}
		}
	}
}

// restitute gives back, after a compression whose impulses r are in p.r and whose velocities are in w,
// what Moreau's law or Poisson's hypothesis say.
//
// Moreau: with u⁺ = u⁻ + W r_all and one e for all contacts, û = u⁻ + W r_all/(1+e), so that
// r_all/(1+e) = r solves the compression, and (u⁺ + u⁻)/2 = û − ½(1−e) W r changes the kinetic
// energy by
//
//	r_all·(u⁺ + u⁻)/2 = (1+e) r·û − ½(1−e²) r·W r ≤ 0,
//
// as r·û ≤ 0 in the laws of contact. Contacts of different e rebound with s e_i r_i, in their
// cones, s ≤ 1 the largest share that gives back no more than the compression has taken, T⁻ − T,
// island by island, see energylimit.go:
//
//	½ s² B + s A ≤ T⁻ − T,   A = û·E r,  B = E r·W E r.
//
// s = 0 always does. If contacts approach after that, as a pair may that was about to part before,
// they are compressed without rebound, which takes energy. Where a contact sticks in the
// compression, its tangential velocity turns round with e, too.
//
// Poisson: contacts give back e r_N, bounded by energy in the same way, and friction acts on what
// that leaves, within μ times the normal impulses of this phase; it only takes energy.
func (s *impacts) restitute(ctx context.Context) error {
	p, poisson := &s.p, s.o.Impact == PoissonImpact
	least, most := s.storeImpulses()
	if most == 0 {
		return nil
	}
	total := append(s.total[:0], p.r...)
	s.total = total
	s.measureTaken()
	copy(p.r, s.backR)
	for i := range p.r {
		if poisson && i%p.dim != 0 {
			p.r[i] = 0
		}
	}
	if poisson || least < most {
		s.limitRestitution()
	}
	p.resistance.forgetMoments()
	s.push(s.w, 1)
	for i, r := range p.r {
		total[i] += r
	}
	switch {
	case poisson:
		laws := append(s.spareLaws[:0], p.laws...)
		s.spareLaws = laws
		defer func() { copy(p.laws, laws) }()
		for k := range p.list {
			p.laws[k] = contact.Tresca{Threshold: lawMu(laws[k]) * p.r[k*p.dim]}
		}
	case !s.approaching():
		copy(p.r, total)
		return nil
	}
	if err := s.loadImpact(); err != nil { // the solve before has scaled W
		return err
	}
	if err := s.solveAfter(ctx, total); err != nil {
		return fmt.Errorf("after the rebound: %w", err)
	}
	return nil
}

// storeImpulses sets back to E r and returns the least and the largest e of the contacts with an
// impulse.
func (s *impacts) storeImpulses() (least, most float64) {
	p := &s.p
	s.backR = grow(s.backR, len(p.r))
	least = 1
	for k, i := range p.list {
		e := s.model.MaterialOf(&s.touches[i]).Restitution
		for d := k * p.dim; d < (k+1)*p.dim; d++ {
			s.backR[d] = e * p.r[d]
		}
		if p.r[k*p.dim] > 0 {
			least, most = min(least, e), max(most, e)
		}
	}
	return least, most
}

// approaching reports whether a contact of the problem approaches under w.
func (s *impacts) approaching() bool {
	for _, i := range s.p.list {
		if s.approach(i, s.w, 0) < -s.pace*approachTolerance {
			return true
		}
	}
	return false
}

package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// interpolate makes the state at a share of the step the trial's. w stays that of the whole trial,
// against which its friction works.
func (s *scheme) interpolate(h, share float64) {
	s.cutAt = share
	s.along(h, share, s.x)
	copy(s.qNext, s.qMid)
	copy(s.vEnd, s.x)
	copy(s.vNext, s.x)
	if s.o.Scheme == Secant {
		for i := range s.model.Bodies {
			if p := &s.model.Bodies[i]; p.Round {
				s.turnSpin(p, s.f1, h)
			}
		}
	}
	for i := range s.joint {
		s.joint[i] *= share
		s.loads[i] *= share
	}
	for i := range s.marks { // the impulses of the part of the step
		m := &s.marks[i]
		m.moment, m.pull = vec3.Scale(m.moment, share), m.pull*share
		if m.r, m.h = vec3.Scale(m.r, share), m.h*share; m.h < noPart {
			m.r, m.moment, m.pull, m.h = vec{}, vec{}, 0, 0
		}
	}
}

// meet compresses the contacts that have come, hit among them, if not nil. One that closes without
// speed is a collision too, without an impulse: the step has been cut there.
func (s *scheme) meet(ctx context.Context, hit *bodies.Touch) error {
	before := len(s.step.Collisions)
	if err := s.compressNew(ctx); err != nil || hit == nil || len(s.step.Collisions) > before {
		return err
	}
	s.note(hit)
	return nil
}

// compressNew solves the compression M(v⁺ − v⁻) = Gᵀc + Hr of a collision, L(q⁻, v⁻, 0, 0, 1, 1),
// if a contact that was not active approaches.
func (s *scheme) compressNew(ctx context.Context) error {
	if s.mode.grid == GapGrid {
		return nil
	}
	worst, speed := -1, -s.pace*approachTolerance
	for i := range s.touches {
		m := &s.marks[i]
		if !m.active || m.was {
			continue
		}
		if u := s.approach(i, s.v, 0); u < speed {
			worst, speed = i, u
		}
		m.was = true
	}
	if worst < 0 {
		return nil
	}
	return s.compress(ctx, worst, -speed)
}

func (s *scheme) compress(ctx context.Context, hit int, speed float64) error {
	if err := s.prepare(terms{}); err != nil {
		return err
	}
	copy(s.w, s.v)
	s.holdAll(s.w)
	s.spanFriction(0, 0)
	s.slipBefore()
	s.chooseActive()
	if err := s.loadImpact(); err != nil {
		return err
	}
	s.drive(0)
	s.relative(s.p.b, s.w)
	if s.o.Impact == NewtonImpact {
		s.restitution()
	}
	clear(s.p.r)
	s.resist(0, s.w)
	s.restitutionLimit.least = 1
	if err := s.impact(ctx, speed); err != nil {
		return err
	}
	if !finite(s.w) {
		return s.unbounded(s.w)
	}
	s.collide(hit, speed)
	copy(s.v, s.w)
	s.vary()
	for k, i := range s.p.list { // loaded, but no guess for the next step
		m := &s.marks[i]
		m.loaded = s.p.r[k*s.p.dim] > 0
		m.left = !m.loaded || s.model.MaterialOf(&s.touches[i]).Resistance.Pull() == 0 // what adheres presses without falling back
		m.r, m.moment, m.pull, m.h, m.slept = vec{}, vec{}, 0, 0, false
	}
	return nil
}

// jerk is the impact of an obstacle that jumps in velocity towards bodies that are in contact with
// it.
func (s *scheme) jerk(ctx context.Context, h float64) error {
	if !s.driven || s.mode.grid == GapGrid {
		return nil
	}
	worst, speed := -1, -s.pace*approachTolerance
	for i := range s.touches {
		if t := &s.touches[i]; s.marks[i].active && s.hasKink(t, h) {
			if u := s.approach(i, s.v, 0); u < speed {
				worst, speed = i, u
			}
		}
	}
	if worst < 0 {
		return nil
	}
	return s.compress(ctx, worst, -speed)
}

// countImpact counts the collision of a pair, the touches of which are those at its time, and has
// it take part if it chatters; the forces in s.kick are those of a part of the step of the length
// kick.
func (s *scheme) countImpact(hit *bodies.Touch, kick float64) {
	x := s.hits[hit.Pair()]
	x.hits++
	speed, push := 0.0, 0.0
	for i := s.firstOf(hit.Pair()); i < len(s.touches) && s.touches[i].Pair() == hit.Pair(); i++ {
		push = s.pairKick(i) * s.step.H / kick
		if s.marks[i].active {
			speed = max(speed, -s.approach(i, s.v, 0))
		}
	}
	x.fastest = max(x.fastest, speed)
	if x.hits >= chatterHits && speed <= max(push, chatterShare*x.fastest) &&
		math.Pow(s.model.MaterialOf(hit).Restitution, float64(x.hits)) <= chatterShare {
		x.near, x.settled = max(push*s.step.H, s.releaseGap()), true
	}
	s.hits[hit.Pair()] = x
}

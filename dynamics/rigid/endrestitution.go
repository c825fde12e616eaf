package rigid

import (
	"context"

	"github.com/quasistatic/quasistatic/contact"
)

// On the gap grid a contact that closes within a step is slowed so that it touches at its end, u_N
// = −Φ/h. Where it came with u_N⁻ faster than RestitutionSpeed it leaves then: an impact at the end
// of the step with u_N⁺ ≥ −e u_N⁻, Newton's law, as far as there is no more energy at the end of
// the step than at its beginning, but for the work of loads. Of the laws of impact only
// [SequentialImpact] differs there, see reboundInTurn.

// markFast marks the contacts that are not loaded and come fast enough to leave again; called
// before the impulses of the step are known.
func (s *impacts) markFast() {
	s.fastTouch = grow(s.fastTouch, len(s.touches))
	for i := range s.touches {
		s.fastTouch[i] = !s.marks[i].loaded && s.model.MaterialOf(&s.touches[i]).Restitution > 0 &&
			s.approach(i, s.v, 0) < -s.o.RestitutionSpeed
	}
}

// prepareRebound sets backV to what the impacts at the end of a step do to the velocities, and
// restitutionLimit.taken to the mechanical energy that each island has lost in the step, of length
// h, from v to w, and loads have brought; the problem of the step is still loaded. It returns the
// fastest of the contacts that leave again, −1 for none.
func (s *impacts) prepareRebound(ctx context.Context, h float64) (first int, err error) {
	if s.mode.grid != GapGrid || s.model.Restitution() == 0 {
		return -1, nil
	}
	p, most := &s.p, 0.0
	first = -1
	for k, i := range p.list {
		if u := -s.approach(i, s.v, 0); s.fastTouch[i] && p.r[k*p.dim] > 0 && u > most {
			first, most = i, u
		}
	}
	if first < 0 {
		return -1, nil
	}
	s.openRestitution(s.v)
	s.measureTaken()
	s.takeWorks(h)
	copy(s.f0, s.w)
	s.push(s.f0, -s.alpha)
	s.backR = append(s.backR[:0], p.r...)
	if s.o.Impact == SequentialImpact {
		err = s.reboundInTurn(ctx)
	} else {
		err = s.reboundAtOnce(ctx)
	}
	if err != nil {
		return -1, err
	}
	copy(p.r, s.backR)
	return first, nil
}

// takeWorks adds to what the bodies have lost in a step of length h from the velocities v what
// gravity and loads have done.
func (s *impacts) takeWorks(h float64) {
	x, g := &s.restitutionLimit, s.model.World.Gravity()
	for i := range s.model.Bodies {
		p, k := &s.model.Bodies[i], x.ties.Root(i)
		for d := range p.N {
			v := p.V + d
			if x.taken[k] += 0.5 * s.loads[v] * (s.v[v] + s.w[v]); d < s.model.Dim {
				x.taken[k] += h * p.Mass * g[d] * s.w[v]
			}
		}
	}
}

// reboundAtOnce sets backV to one impact of all contacts that came fast.
func (s *impacts) reboundAtOnce(ctx context.Context) error {
	p := &s.p
	if err := s.loadImpact(); err != nil { // the solve of the step may have scaled W
		return err
	}
	s.relative(p.b, s.w)
	for k, i := range p.list {
		if s.fastTouch[i] && s.backR[k*p.dim] > 0 {
			p.b[k*p.dim] += s.model.MaterialOf(&s.touches[i]).Restitution * s.approach(i, s.v, 0)
		}
	}
	clear(p.r)
	if err := s.solve(ctx); err != nil {
		return err
	}
	clear(s.backV)
	s.pushSolved(s.backV)
	s.reboundDrive()
	return nil
}

// reboundInTurn sets backV to what a sequence of impacts from the velocities at the beginning of
// the step, at the contacts that push in it, makes of the velocities at its end: these have lost
// who struck whom. The forces of the step come after the impacts, and push without a rebound. On
// entry f0 is the free velocity and back the impulses r of the step.
func (s *impacts) reboundInTurn(ctx context.Context) error {
	p, dim := &s.p, s.p.dim
	x := &s.inTurn
	x.free, x.end = append(x.free[:0], s.f0...), append(x.end[:0], s.w...)
	x.list, x.r = append(x.list[:0], p.list...), x.r[:0]
	x.drive = append(x.drive[:0], p.drive...)
	p.list, p.laws, p.drive = p.list[:0], p.laws[:0], p.drive[:0]
	for k, i := range x.list {
		if r := s.backR[k*dim : (k+1)*dim]; r[0] > 0 {
			p.list, p.laws = append(p.list, i), append(p.laws, s.lawOf(i))
			x.r = append(x.r, r...)
			if len(x.drive) > 0 {
				p.drive = append(p.drive, x.drive[k*dim:(k+1)*dim]...)
			}
		}
	}
	defer copy(s.w, x.end)
	copy(s.w, s.v)
	if err := s.loadImpact(); err != nil {
		return err
	}
	s.relative(p.b, s.w)
	if err := s.sequence(ctx); err != nil {
		return err
	}
	for i, v := range x.free {
		s.w[i] += v - s.v[i]
	}
	if s.approaching() {
		s.total = append(s.total[:0], p.r...)
		if err := s.loadImpact(); err != nil {
			return err
		}
		if err := s.solveAfter(ctx, s.total); err != nil {
			return err
		}
	}
	for i, v := range x.end {
		s.backV[i] = s.w[i] - v
	}
	for i, r := range x.r {
		p.r[i] -= r
	}
	s.reboundDrive()
	p.list, p.laws, p.drive = append(p.list[:0], x.list...), p.laws[:0], append(p.drive[:0], x.drive...)
	for _, i := range p.list {
		p.laws = append(p.laws, s.lawOf(i))
	}
	return s.loadImpact()
}

// inTurn is the memory of reboundInTurn.
type inTurn struct {
	free, end []float64 // velocities of the step without contacts, and at its end
	list      []int     // contacts of the step
	drive     []float64 // s₀ of these
	r         []float64 // impulses of those that push
}

// reboundAtEnd adds backV to the velocities at the end of the step, as far as the energy lost by
// each island allows, see energylimit.go; A = v·Mδ less what obstacles do, B = δ·Mδ. The record of
// the collision is that of the contact given.
func (s *impacts) reboundAtEnd(c Collision) {
	x, before, regained, taken := &s.restitutionLimit, s.kinetic(s.v), 0.0, 0.0
	s.instant(s.v)
	clear(x.a)
	clear(x.b)
	for i := range s.model.Bodies {
		p, k := &s.model.Bodies[i], x.ties.Root(i)
		for d := range p.N {
			m, change := s.model.Inertia(p, d), s.backV[p.V+d]
			x.a[k] += m * s.v[p.V+d] * change
			x.b[k] += m * change * change
		}
		x.a[k] -= s.reboundWorks[i]
	}
	x.shares()
	for i := range s.model.Bodies {
		p, share, was := &s.model.Bodies[i], x.share[x.ties.Root(i)], s.kineticOf(i, s.v)
		for v := p.V; v < p.V+p.N; v++ {
			s.v[v] += share * s.backV[v]
		}
		work := share * s.reboundWorks[i]
		gain := s.kineticOf(i, s.v) - was - work
		regained, taken = regained+gain, taken+x.taken[i]
		book(&s.ledger.Normal, s.worth.Shares.Normal, i, -gain)
		s.drivenBy(i, work)
	}
	p := &s.model.Bodies[c.A]
	c.T, c.Before, c.Loss, c.Withheld = s.t, before+taken, taken-regained, 1-x.least
	c.After = append([]float64(nil), s.v[p.V:p.V+p.N]...)
	s.step.Collisions = append(s.step.Collisions, c)
}

// closing is the record of a contact at the beginning of a step.
func (s *impacts) closing(i int) Collision {
	t := &s.touches[i]
	c := Collision{A: t.A, B: t.B, Speed: -s.approach(i, s.v, 0)}
	if t.B < 0 {
		c.B = -1 - t.Floor
	}
	for k, j := range s.p.list {
		if i == j {
			copy(c.Impulse[:], s.p.r[k*s.p.dim:(k+1)*s.p.dim])
		}
	}
	c.Ambiguous = s.ambiguous()
	return c
}

// impacts are the laws of collisions and what bounds the energy of their restitution.
type impacts struct {
	*motion
	*contactSet
	*drives
	*mechanics
	*assembly
	*solution
	*accounts
	*sleeping

	backR            []float64 // impulses of a rebound [N s]
	total            []float64
	backV            []float64 // what their impacts give back
	fastTouch        []bool    // touches that come fast on the gap grid
	inTurn           inTurn
	restitutionLimit restitutionLimit // of a collision
	spareLaws        []contact.Law
	reboundWorks     []float64 // of obstacles in a rebound, or as velocities are put back, of the bodies [J]
}

// contacts solves for the impulses of a trial step and adds their part to w.
func (s *impacts) contacts(ctx context.Context, h float64) error {
	if s.mode.grid == GapGrid {
		s.markFast()
	}
	s.choose(h)
	s.slip.list = s.slip.list[:0] // until it is known who does not rest
	for rough := s.mode.grid == GapGrid && s.o.Friction == ExactCone && (s.comers() || s.piled()); ; {
		if s.sleep(h); s.rest.woken {
			return nil
		}
		if rough && len(s.p.list) >= manyContacts && !s.faced() { // which contacts join is known long before their forces
			if err := s.predict(h); err != nil || s.rest.woken {
				return err
			}
			rough = false
		}
		if err := s.loadProblem(s.alpha); err != nil {
			return err
		}
		if len(s.p.list) == 0 {
			s.stay(s.w)
			s.classify(h)
			return nil
		}
		s.drive(h)
		s.relative(s.p.b, s.w)
		s.gapTerms(h)
		s.guess(h)
		if err := s.solveBearings(ctx, h); err != nil {
			return err
		}
		if s.mode.grid != GapGrid || !s.joins(h) {
			break
		}
	}
	s.pushSolved(s.w)
	s.stay(s.w)
	s.remember(h)
	s.fallAsleep(h)
	s.classify(h)
	return nil
}

// reboundDrive sets reboundWorks to the works of obstacles by the impulses in p.r.
func (s *impacts) reboundDrive() {
	s.reboundWorks = grow(s.reboundWorks, len(s.model.Bodies))
	clear(s.reboundWorks)
	for k, i := range s.p.list {
		if len(s.p.drive) > 0 {
			s.reboundWorks[s.touches[i].A] += s.driveWorkOf(k)
		}
	}
}

package rigid

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// scheme makes a part of a step: the trial, its rounds, and where slip ends or a collision
// compresses.
type scheme struct {
	*motion
	*contactSet
	*drives
	*mechanics
	*curvature
	*assembly
	*solution
	*accounts
	*sleeping
	*impacts
	*detection
	*projection

	sway      []float64  // of the bodies, see measureSway [m/s]
	reversals int        // of slip that have cut the step
	freed     bool       // the part before was cut where something came loose, which is not to be searched for again
	dateOff   float64    // where slip changes, what the time of that is known to [s]
	tried     trialStart // of the present part
	gaps      bool       // a part of the step was taken on the gap grid, see toGaps
	mayRetake bool       // … as bodies are deep in each other at its end
	variation [2]float64
	started   bool
}

// toGaps takes what is left of a step on the gap grid, if it had a problem that ended with a
// fallback.
func (s *scheme) toGaps(left float64) {
	if s.mode.grid != CollisionGrid || s.step.Inexact.Solves == 0 {
		return
	}
	s.mode, s.gaps = stepMode{GapGrid, 1, 1}, true
	s.speculate(left)
}

// assess takes the step that has changed the ledger, of length h.
func (s *scheme) assess(h float64) {
	w, t := &s.worth, s.t
	for i := range s.step.Collisions {
		c := &s.step.Collisions[i]
		if c.Ambiguous {
			w.Ambiguous++
		}
		if c.Narrow > 0 {
			if w.Narrow++; w.Narrow == 1 || c.Narrow < w.Narrowest {
				w.Narrowest = c.Narrow
			}
		}
	}
	s.shareStep(h)
	w.Residual = max(w.Residual, s.step.Residual)
	if l := &s.step.Inexact; l.Solves > 0 {
		if l.Share > w.Inexact.Share {
			w.InexactAt = t
		}
		w.Inexact.add(l)
	}
	for i := range s.step.Cuts {
		c := &s.step.Cuts[i]
		if c.H == 0 { // nothing failed
			continue
		}
		if w.Cuts == 0 {
			w.FirstCut = fmt.Sprintf("t = %.6g s, %s", c.T, c.Reason)
		}
		w.Cuts++
	}
	if x := s.step.Weakening; x > w.Weakening {
		w.Weakening, w.WeakeningAt, w.Longest = x, t, h/x
	}
	if s.step.Penetration > w.Depth {
		w.Depth, w.DepthAt = s.step.Penetration, t
	}
	if s.step.Drift > w.Gap {
		w.Gap, w.GapAt = s.step.Drift, t
	}
}

// shareStep takes the energy that the step has made in each island: what the energies of its bodies
// and springs have gained, friction, dampers and collisions have taken, less the work of loads. On
// the gap grid, in configurations of Painlevé and where the velocity of an obstacle jumps,
// inelastic impacts are part of the steps: what contact forces take is theirs.
func (s *scheme) shareStep(h float64) {
	w, root := &s.worth, s.worth.Made.Root
	x := &w.Shares
	stored := s.storedNow()
	var blurred []float64
	if s.blur > 0 {
		blurred = s.storedRounding()
	}
	sums := grow(s.portions, len(root))
	s.portions = sums
	clear(sums)
	for i := range root {
		potential, r := s.potentialOf(i, s.q), root[i]
		kinetic, motion := s.kineticOf(i, s.v), s.momentumOf(i, s.v)
		e := kinetic + potential
		w.Made.Move(i, &motion, kinetic, stored[i])
		made := e - x.Energy[i] - x.Work[i] + x.Friction[i] + x.Taken[i] + x.Springs[i]
		rounded := s.placeRounding(i, h, potential-x.Potential[i])
		if s.blur > 0 { // at both ends
			rounded += 2 * (s.blur*s.weight(i) + blurred[i])
		}
		w.Made.Add(i, made, x.Work[i]-x.Pulls[i]+x.Potential[i]-potential,
			rounded+dynamics.Unsolved(s.step.Residual, s.restEnergy(i, h)+x.Slid[i]))
		w.Made.Take(i, x.Friction[i]+x.Viscous[i]+x.Normal[i]+x.Taken[i]-x.Given[i])
		w.Made.Rub(i, x.Rubbed[i])
		l := &sums[r]
		l[byProjection] += x.Projection[i]
		l[byJoints] += x.Joints[i]
		l[byContacts] += x.Normal[i]
		l[byStep] -= made
		l[byCollisions] -= x.Given[i]
		l[bySprings] -= x.Springs[i]
	}
	inelastic := s.mode.grid == GapGrid || s.gaps || s.step.Painleve > 0 || s.kinked
	for r := range root {
		if root[r] != r {
			continue
		}
		l := &sums[r]
		if taken := max(0, l[byContacts]); inelastic && taken > 0 {
			w.Made.Add(r, taken, 0, 0)
			l[byContacts], l[byStep] = 0, l[byStep]-taken
		}
		l[byStep] -= l[byProjection] + l[byJoints] + l[byContacts] + l[byCollisions] + l[bySprings]
		for k, lost := range l {
			w.Portions[r][k].add(lost, s.t)
		}
	}
	w.Made.Close(s.t)
	s.presentShares()
}

// stabilise moves q by the least ‖dq‖ in the mass metric to Θ = 0 and Φ ≥ 0,
//
//	min ½ dqᵀM dq,  G dq = −Θ,  n·dq ≥ −Φ,
//
// by Newton's method; each step is a contact problem without friction.
func (s *scheme) stabilise(ctx context.Context) error {
	s.step.Correction = s.drift()
	if s.o.Unstabilised {
		return nil
	}
	if err := s.roundEdge(s.touches, s.t, s.q); err != nil {
		return err
	}
	if err := s.endsDeep(); err != nil {
		return err
	}
	before := s.potentials()
	err := s.project(ctx, s.step.Correction)
	for i, was := range before {
		book(&s.ledger.Projection, s.worth.Shares.Projection, i, was-s.potentialOf(i, s.q))
	}
	return err
}

// vary adds the jump to the present velocities to the variations of v and of v^{l,α}; the functions
// (4.9) and (4.11) have one value for each interval between grid points, and no v^{0,α}.
func (s *scheme) vary() {
	for i := range s.v {
		s.x[i] = s.v[i] - s.shift[i]
	}
	s.variation[0] += length(s.x)
	for i := range s.w {
		s.x[i] = s.w[i] - s.wLast[i]
	}
	if s.started {
		s.variation[1] += length(s.x)
	}
	s.started = true
	copy(s.shift, s.v)
	copy(s.wLast, s.w)
}

// trial solves (4.4) for a step of the given length: w, vNext and qNext. In a configuration of
// Painlevé the contact may stop by an impulse without a collision. For α < 1 the constraints hold
// of the mean of the velocities before and after, so that it would reflect them, as e = (1−α)/α
// does; such a step is taken with α = γ = 1, as compressions are. So is the first one after an
// impact in which what this has left opening falls back, and, in the secant scheme, a step in which a
// sliding contact comes to stick, one in which the velocity of an obstacle jumps,
// and the first of velocities that joints do not admit: else its velocity would turn round in every
// step that follows.
func (s *scheme) trial(ctx context.Context, h float64) error {
	s.alpha, s.gamma, s.cutAt, s.ends = s.mode.alpha, s.mode.gamma, 1, false
	s.sliding()
	err := s.solveStep(ctx, h)
	kink := err == nil && (s.kinks(h) || s.startBreaks())
	s.kinked = s.kinked || kink
	if err != nil || s.alpha == 1 {
		return err
	}
	caught, half := s.catches(h)
	if kink = kink || s.step.Painleve > 0; kink || caught {
		s.alpha, s.gamma, s.ends = 1, 1, s.driven
		if !kink && half {
			s.gamma = 0.5
		}
		err = s.solveStep(ctx, h)
	}
	return err
}

// sliding remembers which touches slid in the step before, or were not there, and which an impact
// after it may have left opening.
func (s *scheme) sliding() {
	s.slid, s.left, s.turned = grow(s.slid, len(s.marks)), grow(s.left, len(s.marks)), grow(s.turned, len(s.marks))
	for i := range s.marks {
		s.slid[i], s.left[i], s.turned[i] = s.marks[i].state != Stick, s.marks[i].left, s.marks[i].turns
	}
}

// catches reports whether a contact that slid in the step before, and does so at the beginning of
// this one, sticks in it, or one that an impact has left opening falls back and presses; and whether
// it does so on an obstacle whose velocity changes.
func (s *scheme) catches(h float64) (caught, half bool) {
	p := &s.p
	if s.o.Scheme == Gavrea || len(p.list) == 0 {
		return false, false
	}
	caught = s.catchesSpin()
	s.measureSway()
	for k, i := range p.list {
		falls := s.left[i] && p.r[k*p.dim] > 0
		sticks := s.slid[i] && s.marks[i].state == Stick
		if !falls && !sticks {
			continue
		}
		x := s.speedAtStart(k)
		if falls && x[0] > s.pace*slides {
			caught = true
		}
		if sticks && (length(x[1:s.model.Dim]) > max(s.pace*slides, s.swayOf(i)) || s.drills(i)) {
			caught, half = true, half || len(s.curves) > 0 || s.hurries(&s.touches[i], h)
		}
	}
	return caught, half
}

// speedAtStart is u of contact k of the problem at q and v, where the step begins: H may be that of
// its middle.
func (s *scheme) speedAtStart(k int) (u vec) {
	i := s.p.list[k]
	v, frame := s.relativeSpeed(i, s.v), &s.marks[i].frame
	if len(s.curves) > 0 && s.curves[i].on {
		frame = &s.curves[i].frame
	}
	for d := range s.model.Dim {
		u[d] = vec3.Dot(v, frame[d])
	}
	return u
}

// measureSway sets sway of the bodies to the speed that their velocities have where they stuck in the
// step before and do in this one: α < 1 holds the mean of two velocities, and they sway about what
// sticks by what a chord differs from that, O(h²).
func (s *scheme) measureSway() {
	s.sway = grow(s.sway, len(s.model.Bodies))
	clear(s.sway)
	for k, i := range s.p.list {
		if s.slid[i] || s.marks[i].state != Stick {
			continue
		}
		u, t := s.speedAtStart(k), &s.touches[i]
		x := vec3.Norm(u)
		s.sway[t.A] = max(s.sway[t.A], x)
		if t.B >= 0 {
			s.sway[t.B] = max(s.sway[t.B], x)
		}
	}
}

// swayOf is the slip that touch i may have by the sway of its bodies: where one of several contacts
// whose forces the laws leave open gets a force again, nothing has slid.
func (s *scheme) swayOf(i int) float64 {
	t := &s.touches[i]
	x := s.sway[t.A]
	if t.B >= 0 {
		x += s.sway[t.B]
	}
	return x
}

// solveStep solves (4.4) with the present α and γ; the secant scheme in rounds, each of them a step
// of the kind (4.7) at the velocities of the round before.
func (s *scheme) solveStep(ctx context.Context, h float64) error {
	s.forgetCurves()
	s.straight = false
	clear(s.limits)
	s.limitMotors(h, s.v)
	for range limitRounds {
		err := s.solveRounds(ctx, h)
		if err != nil {
			s.forgetCurves()
		}
		if err != nil || !s.limitMotors(h, s.w) {
			return err
		}
	}
	return errLimits
}

// solveRounds is solveStep for touches that are straight.
func (s *scheme) solveRounds(ctx context.Context, h float64) error {
	s.presumeAsleep()
	err := s.rounds(ctx, h)
	if s.rest.woken {
		s.rest.wake()
		err = s.rounds(ctx, h)
	}
	return err
}

// rounds solves them one after the other, up to the first one in which a component that was taken
// to rest does not.
func (s *scheme) rounds(ctx context.Context, h float64) error {
	s.guessVelocity()
	s.carry(h)
	s.p.forgetJoints() // what is not in a checkpoint does not outlive a step …
	s.bed.forget()     // … nor do shares
	if s.spanFriction(h, s.alpha); s.endLoads {
		s.frictionTime = s.t + h
	}
	s.byPins = false
	if !s.linear() {
		clear(s.lead)
		if s.byPins = s.solvePins(h); s.byPins {
			if err := s.contacts(ctx, h); err != nil || s.rest.woken { // none: they are counted
				return err
			}
			return s.endStep(h)
		}
		s.openShifts(h)
		s.guessImpulses(h)
	}
	last, lastBend := roundChange{math.Inf(1), math.Inf(1)}, math.Inf(1)
	for round := 0; ; round++ {
		if !s.linear() {
			s.middle(h)
		}
		copy(s.wOld, s.w)
		if err := s.prepare(terms{h, s.alpha, s.gamma}); err != nil {
			return err
		}
		s.freeVelocity(h)
		if err := s.contacts(ctx, h); err != nil || s.rest.woken {
			return err
		}
		if !finite(s.w) {
			return s.unbounded(s.w)
		}
		straight, err := s.updateCurves(h, round, &lastBend)
		if err != nil {
			return err
		}
		if s.linear() {
			if straight {
				break
			}
			continue
		}
		done, err := s.settled(h, &last)
		if err != nil {
			return err
		}
		s.measureImpulses(s.w)
		if done && straight {
			break
		}
		s.leadForces(h)
		if round == secantRounds {
			return s.steep(s.turning, h)
		}
	}
	return s.endStep(h)
}

// endStep sets vNext and qNext from w.
func (s *scheme) endStep(h float64) error {
	s.endVelocities(h)
	if !finite(s.vNext) {
		return s.unbounded(s.vNext)
	}
	s.loadImpulse(h)
	for i, x := range s.lead {
		s.loads[i] += x
	}
	s.jointImpulse(h, s.o.Scheme == Secant)
	s.keepPull(h)
	for i, v := range s.v {
		s.x[i] = (1-s.gamma)*v + s.gamma*s.vEnd[i]
	}
	s.move(s.qNext, s.q, s.x, h)
	if !finite(s.qNext) {
		return s.unbounded(s.vNext)
	}
	return nil
}

// jointImpulse sets joint to Gᵀc = M̃(v^{l+1} − v^l) − k̃ − Hr, and the reactions of the joints
// from the c of the bands, which it solves for if they are not known.
func (s *scheme) jointImpulse(h float64, known bool) {
	if len(s.model.Rows) == 0 {
		return
	}
	if s.byPins {
		s.pins.endImpulses(s.mechanics, h)
		return
	}
	clear(s.f0)
	s.pushImpulses(s.f0)
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.Components[c].Index
		if inv.M == 0 {
			continue
		}
		if s.isCandidate(c) {
			for _, v := range index {
				s.joint[v] = 0
			}
			s.jointPush(s.joint, c, h)
			for k, i := range s.model.Components[c].Rows {
				inv.Bands[k].Impulse = h * s.pull[i]
			}
			s.react(c, h)
			continue
		}
		j := s.column[:inv.N]
		s.impulsesOf(c, j)
		for i, v := range index {
			s.joint[v] = j[i]
		}
		if !known {
			s.measure(c, j)
		}
		s.react(c, h)
	}
	if s.o.Scheme == Gavrea {
		return
	}
	for i := range s.model.Bodies { // the last round took them at the velocities of the one before
		if p := &s.model.Bodies[i]; p.Tied {
			s.geometricImpulse(s.joint, p, s.wOld, -1)
		}
	}
}

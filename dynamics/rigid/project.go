package rigid

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

const (
	projectGap    = 1e-10 // on −Φ [m]
	projectRounds = 12    // Newton's method; two or three do
	projectDeep   = 1e-8  // of −Φ [m], from which on a shorter step is tried
	projectWider  = 3     // rounds of Newton's method, after which what is left goes to and fro between pairs …
	projectWide   = 4     // … of gaps up to so many times the deepest
	projectStuck  = 0.999 // of the deepest gap is left by a round that opens next to nothing
	projectLost   = 1e-6  // left after the rounds: the joints contradict each other

	// At a dead point next to nothing of Θ takes a move of far more than Θ, and of energy with it.
	// Joints that are apart by no more than projectWait wait until they close by less than
	// projectLever times that.
	projectWait  = 1e-9 // [m, rad]
	projectLever = 1e3

	projectTolerance = 1e-6  // of each round, relative: the rounds correct the rest
	settleTolerance  = 1e-12 // the same at the start: what a round opens too far no later one closes
	// projectIterations bound the proof that a round is solved. Most need a hundredth of them;
	// beside a body 1e12 times as light no number of them brings it.
	projectIterations = 1000
	projectLeft       = 1e-2 // merit of a round that does: the next ones go on
	projectAugmented  = 1e-3 // of the tolerance, by V: the impulses of the joints are beside those that move something
	projectNewton     = 30   // steps of Newton's method, which solves nearly all in a few
)

// manyTouches is as many as most problems have, in some megabytes.
const manyTouches = 1 << 16

// detectStart is detect at the start. Bodies in one place touch each other in more points than
// there is memory for: where they overlap and must not, the first of them tell.
func (s *projection) detectStart() error {
	most := s.mostTouches()
	s.find = newFinder(s.model)
	if s.find.Most = manyTouches; most > 0 {
		s.find.Most = min(most, manyTouches)
	}
	s.detect()
	if len(s.touches) < s.find.Most {
		s.find.Most = most
		return nil
	}
	if err := s.overlapping(); err != nil {
		return err
	}
	if most == 0 || most > manyTouches {
		s.find = newFinder(s.model)
		s.find.Most = most
		s.touches, s.marks = s.touches[:0], s.marks[:0]
		s.detect()
	}
	return s.crowded()
}

// touchMemory is less than what a touch takes while it is found, kept for the next step and given
// rows of H, before any block of W is made [bytes].
const touchMemory = 1 << 10

// mostTouches is the number of touches from which on there is no memory for them; 0: no bound. Of n
// that are closed, n_c at the component c, W has Σ n_c² ≥ n² / bodies blocks or more; as many again
// may be open.
func (s *projection) mostTouches() int {
	limit := float64(s.o.Memory)
	blocks := limit / (solverCopies * blockMemory(s.model.Dim))
	return int(min(limit/touchMemory, 2*math.Sqrt(blocks*float64(len(s.model.Bodies)))))
}

// overlapping is the error of bodies that overlap at the start and must not.
func (s *projection) overlapping() error {
	if s.o.Settle || s.o.Unstabilised || s.deepest() <= s.unit*projectDeep {
		return nil
	}
	e := &OverlapError{Depth: s.deepest(), text: "rigid: at the start " + strings.TrimPrefix(s.overlap(s.unit*projectDeep), ": ")}
	for i := range s.touches {
		if t := &s.touches[i]; -t.Gap == e.Depth {
			if e.Body, e.Other = t.A, t.B; t.B < 0 {
				e.Other = -1 - t.Floor
			}
			break
		}
	}
	return e
}

// settleStart refuses bodies that overlap at the start, or moves them apart.
func (s *projection) settleStart(ctx context.Context) error {
	if err := s.overlapping(); err != nil || s.o.Unstabilised || s.deepest() <= s.unit*projectDeep {
		return err
	}
	s.settling = true
	defer func() { s.settling = false }()
	for range 50 { // bodies deep in each other open their gaps round by round
		if err := s.project(ctx, s.drift()); err != nil {
			return fmt.Errorf("rigid: settling the start: %w", err)
		}
		if s.deepest() <= s.unit*projectDeep {
			return s.prepare(terms{})
		}
	}
	return fmt.Errorf("rigid: the start cannot be settled%s", s.overlap(s.unit*projectDeep))
}

// project is stabilise without its accounts; joints is the present drift.
func (s *projection) project(ctx context.Context, joints float64) error {
	against, before := "", math.Inf(1)
	for round := range projectRounds {
		gaps := s.deepest()
		if joints <= s.unit*multibody.GapGoal && s.opened(gaps, before, round) {
			return nil
		}
		before = gaps
		if round >= projectRounds-2 && joints > s.unit*projectLost && against == "" { // rounds alternate between the two
			against = s.overlap(s.unit * projectLost)
		}
		if round == projectRounds-1 {
			if gaps > s.unit*projectDeep && gaps > s.entry.depth && s.mayCut {
				return fmt.Errorf("the gaps cannot be opened%s", s.overlap(s.unit*projectDeep))
			}
			if joints > s.unit*projectLost {
				return fmt.Errorf("the joints are apart by %.3g after the step: %s cannot close; a smaller step helps, unless joints or gaps contradict each other%s",
					joints, s.worstJoint(), against)
			}
			return nil
		}
		moved, err := s.correct(ctx, round, joints)
		if err != nil || !moved {
			return err
		}
		joints = s.drift()
	}
	return nil
}

// opened reports whether a round has nothing to open. Gaps that contradict each other, as those of
// a peg that is wider than its hole, stay as they are, up to projectDeep: a step that makes them no
// deeper does not try, and one that does ends with the round that opens next to nothing.
func (s *projection) opened(gaps, before float64, round int) bool {
	least := s.unit * projectGap
	if gaps <= least || s.settling || gaps > s.unit*projectDeep {
		return gaps <= least
	}
	return gaps <= s.entry.depth/projectStuck || round >= 2*projectWider && gaps > projectStuck*before
}

// overlap says which bodies overlap most; "" if by no more than little.
func (s *projection) overlap(little float64) string {
	most := s.deepest()
	for i := range s.touches {
		if t := &s.touches[i]; most > little && -t.Gap == most {
			return fmt.Sprintf(": %s overlap by %.3g m at %s", s.model.TouchName(t), most, multibody.Where(s.model.There(t.At)))
		}
	}
	return ""
}

// correct is one Newton step. The marks keep the impulses of the time step. It moves nothing where
// joints, which is |Θ|, are to wait.
func (s *projection) correct(ctx context.Context, round int, joints float64) (moved bool, err error) {
	if err := s.prepare(terms{}); err != nil {
		return false, err
	}
	dq := s.f0
	clear(dq)
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.Components[c].Index
		if inv.M == 0 || s.isCandidate(c) {
			continue
		}
		inv.Target = grow(inv.Target, inv.M)
		for k := range inv.Bands {
			inv.Target[k] = -inv.Bands[k].Theta
		}
		x := s.x[:inv.N]
		clear(x)
		inv.Hold(x, inv.Target)
		for i, v := range index {
			dq[v] = x[i]
		}
	}
	if joints <= s.unit*projectWait && largest(dq) > projectLever*joints && s.deepest() <= s.unit*projectGap {
		return false, nil
	}
	if err := s.unpenetrate(ctx, dq, round); err != nil {
		return false, err
	}
	if !finite(dq) {
		return false, s.unbounded(dq)
	}
	s.model.World.Move(s.q, s.q, dq, 1)
	s.relook()
	return true, nil
}

// largest is the largest of the numbers, whatever their signs.
func largest(x []float64) (most float64) {
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}

// unpenetrate adds to dq the least move that opens the gaps. From the round projectWider on those
// that this might close are in it, too: else one round opens what the one before closed, and each
// leaves half of that.
func (s *projection) unpenetrate(ctx context.Context, dq []float64, round int) error {
	p := &s.p
	near := s.unit * projectGap
	if round >= projectWider {
		near = max(near, projectWide*s.deepest())
	}
	p.list, p.laws = p.list[:0], p.laws[:0]
	for i := range s.touches {
		if (s.marks[i].active || s.touches[i].Gap < near) && s.brakeOf(&s.touches[i]) == nil {
			p.list = append(p.list, i)
			p.laws = append(p.laws, contact.Frictionless{})
		}
	}
	if len(p.list) == 0 || s.deepest() <= s.unit*projectGap {
		return nil
	}
	s.keepDeep()
	load := s.loadImpact
	if s.settling { // to more digits than the joints of V keep
		load = func() error { return s.load(1) }
	}
	if err := load(); err != nil || len(p.list) == 0 {
		return err
	}
	s.speeds(p.b, dq)
	scale := 1 / max(s.deepest(), s.unit*1e-12) // gaps as numbers of the order of one
	for k, i := range p.list {
		p.b[k*p.dim] = (p.b[k*p.dim] + s.touches[i].Gap) * scale
		for d := 1; d < p.dim; d++ {
			p.b[k*p.dim+d] = 0
		}
	}
	clear(p.r)
	if err := s.openIslands(ctx); err != nil {
		return fmt.Errorf("projection of gaps: %w", err)
	}
	for i := range p.r {
		p.r[i] /= scale
	}
	s.push(dq, 1)
	return s.leaps(dq)
}

// openIslands sets p.r to what opens the gaps, island by island.
func (s *projection) openIslands(ctx context.Context) error {
	if s.p.augmented {
		if done, err := s.openAugmented(ctx); done || err != nil {
			return err
		}
	}
	x := &s.p.islands
	s.openAll(ctx)
	for k := range x.outcome {
		s.putIsland(k)
		if err := x.outcome[k].err; err != nil {
			return s.unsolved(err, s.touchesOf(k))
		}
	}
	return nil
}

// open solves an island of the projection, without friction.
func (p *solver) open(ctx context.Context, settling, tied bool) {
	p.outcome = outcome{}
	p.normalise()
	p.local = contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	p.opt.Tolerance = projectTolerance
	if settling {
		p.opt.Tolerance = settleTolerance
	}
	if p.augmented {
		p.opt.Tolerance *= projectAugmented
	}
	method, limit := contact.MethodAuto, projectIterations
	if p.augmented || !tied && len(p.list) >= fewContacts { // joints may leave nothing to move, of which Newton's method makes much
		method, limit = contact.MethodNewton, projectNewton
	}
	err := p.try(ctx, method, limit, nil)
	if err != nil && ctx.Err() == nil && method == contact.MethodNewton && !beyondMemory(err) {
		err = p.try(ctx, contact.MethodAuto, projectIterations, nil)
	}
	if err != nil && ctx.Err() == nil && p.res.Merit > projectTolerance && !beyondMemory(err) {
		p.opt.MaxIterations = 0 // as many as it likes, but no proof
		p.ws.Forget()
		err = contact.SolveLocal(ctx, &p.local, &p.opt, &p.ws, &p.res)
	}
	if err != nil && (ctx.Err() != nil || p.res.Merit > projectLeft) {
		p.err = err
		return
	}
	p.restore(p.res.R)
}

// keepDeep leaves the touches in the list that are tied to one that is to be opened: the others
// stay where they are.
func (s *projection) keepDeep() {
	p := &s.p
	p.tied, p.deep = grow(p.tied, len(s.model.Components)), grow(p.deep, len(s.model.Components))
	p.tied.Part()
	clear(p.deep)
	first := func(body int) int { return p.tied.Root(s.model.Home[body]) }
	for _, i := range p.list {
		if t := &s.touches[i]; t.B >= 0 {
			p.tied.Join(s.model.Home[t.A], s.model.Home[t.B])
		}
	}
	for _, i := range p.list {
		if t := &s.touches[i]; t.Gap < -s.unit*projectGap {
			p.deep[first(t.A)] = true
		}
	}
	n := 0
	for k, i := range p.list {
		if p.deep[first(s.touches[i].A)] {
			p.list[n], p.laws[n] = i, p.laws[k]
			n++
		}
	}
	p.list, p.laws = p.list[:n], p.laws[:n]
}

// leaps refuses a projection that moves a body by more than a tenth of its size and far more than
// bodies overlap: it would part them on another side.
func (s *projection) leaps(dq []float64) error {
	deep := s.deepest()
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		if move := length(dq[p.V : p.V+s.model.Dim]); move > 0.1*p.Reach && move > 100*deep {
			return fmt.Errorf("%s would move by %.3g m to open a gap of %.3g m: a smaller step helps", s.model.BodyName(i), move, -deep)
		}
	}
	return nil
}

// projection moves the bodies to Θ = 0, Φ ≥ 0.
type projection struct {
	*motion
	*contactSet
	*mechanics
	*assembly
	*solution
	*sleeping
}

// unbounded is errNotFinite with the body that is fastest under the velocities w.
func (s *projection) unbounded(w []float64) error {
	worst, at := -1.0, 0
	for i := range s.model.Bodies {
		b := &s.model.Bodies[i]
		for _, v := range w[b.V : b.V+b.N] {
			if v = math.Abs(v); v > worst || math.IsNaN(v) && !math.IsNaN(worst) {
				worst, at = v, i
			}
		}
	}
	return fmt.Errorf("%s: %w", s.model.BodyName(at), errNotFinite)
}

// drift is the largest |Θ| at the present state.
func (s *projection) drift() float64 {
	worst, _ := s.Drift()
	return worst
}

// worstJoint names the joint that is open most.
func (s *projection) worstJoint() string {
	_, joint := s.Drift()
	return s.model.JointName(joint)
}

// Drift returns the largest |Θ| of the joints at the present state [m, rad], and the number of the
// joint.
func (s *projection) Drift() (worst float64, joint int) {
	for i := range s.model.Rows {
		if theta := s.model.Rows[i].Value(s.poses); math.Abs(theta) > worst {
			worst, joint = math.Abs(theta), s.model.Rows[i].Joint
		}
	}
	return worst, joint
}

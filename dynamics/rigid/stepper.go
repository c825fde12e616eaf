package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Stepper advances a [Model]. It is not safe for concurrent use.
type Stepper struct {
	model *Model
	o     Options
	find  *bodies.Toucher
	alone bool // nothing meets anything

	unit         float64 // of length, see [Model.Unit] [m]
	pace         float64 // of speeds, the size of the bodies a second, wherever they are [m/s]
	alpha, gamma float64 // of the present trial
	t            float64
	lost         float64   // of t by rounding
	q, v, w      []float64 // w is v^{l,α} of (4.10)
	poses        []bodies.Pose
	snap         Snapshot
	touches      []bodies.Touch
	marks        []mark
	bent         []bend    // of the touches, see [Stepper.bends]; none before a step
	qBend        []float64 // where it takes H
	qHalf        []float64 // where it takes the slip
	straight     bool      // the present step is taken without
	inv          []inverse
	pins         *pins // of a model of pins alone
	hung         bool  // the present part was solved by them
	p            problem
	predictor    predictor

	qNext, vNext []float64
	vEnd         []float64     // vNext on the axes of the beginning
	wOld         []float64     // of the round before
	lead         []float64     // moments of forces on the axes of the beginning, see leadForces [N m s]
	between      []bodies.Pose // of the middle of the step …
	ended        []bodies.Pose // … and of its end, of bodies with joints
	pull         []float64     // c/h of the last part of a step, by the rows of the joints
	turning      int           // the body that changed most in the last round
	x            []float64     // scratch, nv
	f0, f1, kick []float64
	before       []bodies.Touch
	beforeMarks  []mark
	next, again  []bodies.Touch
	wLast        []float64
	own          []float64 // of one force
	tangents     []tangent
	loads        []float64 // impulse of loads, drag and forces [N s]
	qMid, uMean  []float64
	paths        []path
	runs         []outrun       // of the bodies, see [Stepper.foresee]
	order        []int          // of the bodies from the left to the right, there
	coming       []bodies.Touch // that it has found
	swept        []bodies.Touch
	ahead        bool // next has the touches of qNext
	arrives      bool // contacts are closed at the end of the trial, to rounding, that were apart
	shift        []float64
	joint        []float64 // Gᵀc of the step [N s]
	reactions    []Reaction
	column       []float64
	back, total  []float64 // impulses of a rebound [N s]
	spareLaws    []contact.Law
	met          bodies.Touch // that has closed within the step
	come         newcomer     // the last touch of a pair that met elsewhere
	slid         []bool       // touches that slid in the step before, or were open
	fresh        []bool       // touches that come fast on the gap grid
	spring       []float64    // what their impacts give back
	regain       regain       // of a collision
	inTurn       inTurn
	hits         map[uint64]rattle // of a step, by pair
	slowHits     int               // collisions of a step no faster than its forces, see clatters
	counted      int               // collisions of the step before the present part of it
	step         Step
	rescue       []Checkpoint    // states to go back to, by cuts
	imposed      Checkpoint      // the beginning of a step that is played again
	mayCut       bool            // the present part may be cut …
	maySink      bool            // … as bodies are deep in each other at its end
	curved       bool            // the present step is taken with the bends of all touches, see sink.go
	driven       bool            // obstacles move
	motions      []signal.Motion // of the obstacles
	breaks       []float64       // of a motion
	ends         bool            // the step has α = 1 in place of a smaller one: s₀ is that of the end
	reversals    int             // of slip that have cut the step
	tried        trialStart      // of the present part
	kinked       bool            // an obstacle of a contact had a kink in the step
	springWorks  []float64       // of obstacles in a rebound, of the bodies [J]
	until        float64         // end of the present part [s]
	frictionTime float64         // at which μ is taken [s] …
	frictionLead float64         // … which is so much after the beginning of the step [s]
	depth        float64         // penetration at its beginning [m]
	present      Present
	rest         rest
	ledger       Energy
	worth        Worth
	frames       [][3]float64             // of obstacles, and of the ground if bodies are tied to it, see [dynamics.View]
	frameOf      []int                    // of each obstacle
	first        []float64                // velocities at the start
	stored       []float64                // energies of springs, at their first bodies [J]
	cutAt        float64                  // share of the trial that is accepted, below 1 up to a collision
	tensions     []spring                 // of the present part of a step
	sums         []float64                // scratch, of contacts or bodies
	portions     [][portionsCount]float64 // scratch, of islands
	travel       []float64                // ∫v^γ dt [m, rad]
	start        []float64                // q at the start
	slots        [6]slot
	rough        bool    // see Rough
	late         bool    // the present round is one of many, see lateRound
	blur         float64 // see Blur
	variation    [2]float64
	keys         []uint64  // of the active set whose cone was last tested
	opening      []float64 // the motion that opens its contacts
	cones        []contact.Law
	coneSpace    coneSpace
	tested       bool // the cone has been
	pointed      Pointedness
	started      bool
	settling     bool    // the start is
	solved       float64 // residual of the last problem
	conceded     float64 // and its merit, if its impulses were conceded
	gaps         bool    // a part of the step was taken on the gap grid, see toGaps
	broken       brokenStart
}

// trialStart is what a trial begins with and changes.
type trialStart struct {
	marks []mark
	w     []float64
}

// mark is what the scheme remembers of a touch.
type mark struct {
	active bool
	was    bool    // active in the step before
	loaded bool    // carried a force in the last solve
	slept  bool    // its bodies rest, see [Stepper.sleep]
	met    bool    // has collided in this step
	far    bool    // was found for the step, see [Stepper.foresee]
	soft   bool    // takes part in the part of the step though it is open, see [Stepper.settleIn]
	frame  [3]vec  // n, t, o
	mu     float64 // of the last solve
	r      vec     // last impulse, in the frame [N s]
	h      float64 // of the step that r belongs to
	state  ContactState
}

// NewStepper starts at the start of the model's world.
func NewStepper(m *Model, o Options) (*Stepper, error) {
	return NewStepperContext(context.Background(), m, o)
}

// NewStepperContext is [NewStepper] under a context: to settle a start ([Options.Settle]) takes up to fifty projections.
func NewStepperContext(ctx context.Context, m *Model, o Options) (*Stepper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("rigid: a model is required, from NewModel")
	}
	s := &Stepper{model: m, o: o.withDefaults(len(m.body)), hits: map[uint64]rattle{}, unit: m.Unit(), pace: million(m.size())}
	if s.o.Margin == 0 {
		for i := range m.body {
			s.o.Margin = max(s.o.Margin, 0.1*m.World.Reach(i))
		}
		for f := range m.World.Obstacles() { // a step along the tangent leaves a curved one
			s.o.Margin = max(s.o.Margin, 0.1*m.World.Bend(f))
		}
		s.o.Margin = max(s.o.Margin, s.unit*1e-6)
	}
	m.findPartners()
	s.alone = m.World.Obstacles() == 0 && !slices.Contains(m.meets, true)
	if s.openDrives(); s.driven && s.o.Grid == FixedGrid {
		return nil, errors.New("rigid: Options.Grid is FixedGrid with obstacles that move, want CollisionGrid or GapGrid: at the end of a step with a collision they are elsewhere")
	}
	s.q, s.v = m.World.Start()
	s.start = append(s.start, s.q...)
	nv := len(s.v)
	s.qNext = make([]float64, len(s.q))
	for _, x := range []*[]float64{&s.vNext, &s.w, &s.x, &s.f0, &s.f1, &s.kick, &s.wLast, &s.shift, &s.joint, &s.column, &s.loads, &s.opening, &s.vEnd, &s.wOld, &s.lead, &s.travel, &s.spring} {
		*x = make([]float64, nv)
	}
	copy(s.w, s.v)
	copy(s.shift, s.v)
	copy(s.wLast, s.v)
	s.inv = make([]inverse, len(m.comps))
	for c := range s.inv {
		s.inv[c].open(m, &m.comps[c])
	}
	s.pins = newPins(m, s.inv)
	s.reactions = make([]Reaction, len(m.setup.Joints))
	s.pull = make([]float64, len(m.rows))
	s.p.on = make([][]reference, len(m.comps))
	s.openTangents()
	if err := s.detectStart(); err != nil {
		return nil, err
	}
	if err := s.prepare(terms{}); err != nil {
		return nil, err
	}
	if d := s.drift(); d > startDrift {
		return nil, fmt.Errorf("rigid: the joints are apart by %g at the start: %s", d, s.worstJoint())
	}
	if err := s.settleStart(ctx); err != nil {
		return nil, err
	}
	s.openBroken()
	s.openLedger()
	s.report()
	s.openWorth()
	return s, nil
}

const startDrift = 1e-6 // of typed digits [m, rad]

// State returns time, coordinates, velocities and v^{l,α}.
func (s *Stepper) State() (t float64, q, v, alpha []float64) { return s.t, s.q, s.v, s.w }

// Last returns what the last step did.
func (s *Stepper) Last() *Step { return &s.step }

// Step advances by h [s]; what fails is cut and tried again, see [Options.MaxCuts].
// On an error the state is that at the beginning of the last part or at its last
// collision.
func (s *Stepper) Step(ctx context.Context, h float64) error {
	if err := s.take(ctx, h, true); err != nil {
		return err
	}
	s.TestCone(ctx)
	if s.o.OnStep != nil {
		s.o.OnStep(&s.step)
	}
	return nil
}

func (s *Stepper) begin(h float64) {
	i := s.step.Index
	collisions, impulses, cuts := s.step.Collisions[:0], s.step.Impulses[:0], s.step.Cuts[:0]
	s.step = Step{Index: i, H: h, Collisions: collisions, Impulses: impulses, Cuts: cuts}
	for i := range s.marks {
		s.marks[i].met = false
	}
	s.curved, s.maySink = false, false
	s.rest.any, s.kinked, s.reversals, s.slowHits = false, false, 0, 0
	s.gaps = false
	s.rest.rouse()
}

// whole is the main loop: steps from collision to collision.
func (s *Stepper) whole(ctx context.Context, h float64) error {
	s.recount()
	more := h - s.lost
	s.foresee(more)
	left, end := h, s.t+more
	lost := end - s.t - more // of the time by rounding: times are k·h, not a sum of roundings
	defer s.regrid(s.o.Grid, s.o.Alpha, s.o.Gamma)
	var met *bodies.Touch
	for left > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.meet(ctx, met); err != nil {
			return err
		}
		s.toGaps(left)
		if err := s.jerk(ctx, left); err != nil {
			return err
		}
		kink := s.toKink(left, end)
		s.settleIn(kink)
		s.keepTrial()
		if err := s.trial(ctx, kink); err != nil {
			return err
		}
		part, err := s.untilReversal(ctx, kink)
		if err != nil {
			return err
		}
		hit, at, err := s.collision(part)
		if err != nil {
			return err
		}
		if hit == nil && part < left {
			if s.accept(part, false); part < kink {
				s.step.Cuts = append(s.step.Cuts, Cut{T: s.t, Reason: "the slip of a contact ends"})
			} else {
				s.recordKink()
			}
			left, met = end-s.t, nil
			continue
		}
		if hit == nil {
			return s.lastPart(ctx, left, end, lost)
		}
		if err := s.count(hit); err != nil {
			return err
		}
		s.interpolate(part, at)
		s.met, met = *hit, &s.met // accept overwrites what hit is in
		s.accept(at*part, true)
		s.force(met)
		s.rattles(met, part)
		s.clatters(part)
		if part == left {
			left *= 1 - at
		} else {
			left -= at * part
		}
		if s.o.Grid == FixedGrid {
			break
		}
	}
	s.t, s.lost = end, lost // the collision ends the step
	s.unsettle()
	if err := s.meet(ctx, met); err != nil {
		return err
	}
	return s.stabilise(ctx)
}

// lastPart ends a step at end, after a part of the length left in which nothing is met.
func (s *Stepper) lastPart(ctx context.Context, left, end, lost float64) error {
	if len(s.step.Collisions) == 0 && len(s.step.Cuts) == 0 {
		s.record()
	}
	struck, err := s.prepareBounce(ctx, left)
	if err != nil {
		return err
	}
	var c Collision
	if struck >= 0 {
		c = s.closing(struck)
		s.step.Impulses = s.step.Impulses[:0]
	}
	s.unsettle()
	before := s.ledger.lost()
	s.accept(left, false)
	s.t, s.lost = end, lost
	if err := s.gives(before); err != nil {
		return err
	}
	if struck >= 0 {
		s.bounce(c)
	}
	if err := s.stabilise(ctx); err != nil || !s.arrives {
		return err
	}
	return s.compressNew(ctx)
}

// count refuses steps with too many collisions.
func (s *Stepper) count(hit *bodies.Touch) error {
	if len(s.step.Collisions)-s.counted < s.o.MaxCollisions && s.hits[hit.Pair()].hits < s.o.MaxCollisions {
		return nil
	}
	most := hit
	for i := range s.touches {
		t := &s.touches[i]
		if s.hits[t.Pair()].hits > s.hits[most.Pair()].hits {
			most = t
		}
	}
	return &ZenoError{s.model.name(most), s.model.there(most.At), len(s.step.Collisions) - s.counted, s.t, s.model.material(most).Restitution}
}

// trial solves (4.4) for a step of the given length: w, vNext and qNext. In a
// configuration of Painlevé the contact may stop by an impulse without a
// collision. For α < 1 the constraints hold of the mean of the velocities before
// and after, so that it would reflect them, as e = (1−α)/α does; such a step is
// taken with α = γ = 1, as compressions are. So is, in the secant scheme, a step in
// which a sliding contact comes to stick, and one in which the velocity of an obstacle
// jumps: else its velocity would turn round in every step that follows.
func (s *Stepper) trial(ctx context.Context, h float64) error {
	s.alpha, s.gamma, s.cutAt, s.ends = s.o.Alpha, s.o.Gamma, 1, false
	s.sliding()
	err := s.solveStep(ctx, h)
	kink := err == nil && s.kinks(h)
	s.kinked = s.kinked || kink
	if err != nil || s.alpha == 1 {
		return err
	}
	caught, goes := s.catches()
	if kink = kink || s.step.Painleve > 0; kink || caught {
		s.alpha, s.gamma, s.ends = 1, 1, s.driven
		if !kink && (goes || len(s.bent) > 0) {
			s.gamma = 0.5
		}
		err = s.solveStep(ctx, h)
	}
	return err
}

// sliding remembers which touches slid in the step before, or were not there.
func (s *Stepper) sliding() {
	s.slid = grow(s.slid, len(s.marks))
	for i := range s.marks {
		s.slid[i] = s.marks[i].state != Stick
	}
}

// catches reports whether a contact that slid in the step before, and does so at the
// beginning of this one, sticks in it; and whether it does so on an obstacle that moves.
func (s *Stepper) catches() (caught, goes bool) {
	p := &s.p
	if s.o.Scheme == Gavrea || len(p.list) == 0 {
		return false, false
	}
	u := grow(s.uMean, len(p.list)*p.dim)
	s.uMean = u
	s.speeds(u, s.v)
	for k, i := range p.list {
		if !s.slid[i] || s.marks[i].state != Stick {
			continue
		}
		x := u[k*p.dim : (k+1)*p.dim]
		if s.driven {
			v := s.obstacleSpeed(i, 0)
			for d := range x {
				x[d] -= vec3.Dot(v, s.marks[i].frame[d])
			}
		}
		if len(s.bent) > 0 && s.bent[i].on {
			s.slipAt(x, i)
		}
		if length(x[1:]) > s.pace*slides {
			caught = true
			goes = goes || s.onMoving(&s.touches[i])
		}
	}
	return caught, goes
}

// slipAt sets u to the velocity of a touch that bends at q, where the step begins: H is that of its middle.
func (s *Stepper) slipAt(u []float64, i int) {
	t := &s.touches[i]
	v := vec3.Add(s.pointSpeed(t.A, t.At, s.v), -1, s.obstacleSpeed(i, 0))
	if t.B >= 0 {
		v = vec3.Add(v, -1, s.pointSpeed(t.B, t.At, s.v))
	}
	for d := range u {
		u[d] = vec3.Dot(v, s.bent[i].frame[d])
	}
}

// solveStep solves (4.4) with the present α and γ; the secant scheme in rounds,
// each of them a step of the kind (4.7) at the velocities of the round before.
func (s *Stepper) solveStep(ctx context.Context, h float64) error {
	s.straighten()
	s.straight = false
	err := s.solveRounds(ctx, h)
	if err != nil {
		s.straighten()
	}
	return err
}

// solveRounds is solveStep for touches that are straight.
func (s *Stepper) solveRounds(ctx context.Context, h float64) error {
	s.presume()
	err := s.rounds(ctx, h)
	if s.rest.roused {
		s.rest.rouse()
		err = s.rounds(ctx, h)
	}
	return err
}

// lateRound is a round from which on the impulses of the one before are kept as long as they are right to Options.Accept: where contacts are redundant, or jam,
// rounds go to and fro between solutions that a smaller merit does not tell apart, and their velocities by a thousandth.
const lateRound = 12

// rounds solves them one after the other, up to the first one in which a component that was taken to rest
// does not.
func (s *Stepper) rounds(ctx context.Context, h float64) error {
	s.guessVelocity()
	s.p.forgetJoints() // what is not in a checkpoint does not outlive a step
	s.leadFriction(s.alpha * h)
	s.hung = false
	if !s.linear() {
		clear(s.lead)
		if s.hung = s.hang(h); s.hung {
			if err := s.contacts(ctx, h); err != nil || s.rest.roused { // none: they are counted
				return err
			}
			return s.endStep(h)
		}
		s.openShifts(h)
		s.guessImpulses(h)
	}
	last, lastBend := math.Inf(1), math.Inf(1)
	defer func() { s.late = false }()
	for round := 0; ; round++ {
		s.late = round >= lateRound
		if !s.linear() {
			s.middle(h)
		}
		copy(s.wOld, s.w)
		if err := s.prepare(terms{h, s.alpha, s.gamma}); err != nil {
			return err
		}
		s.freeVelocity(h)
		if err := s.contacts(ctx, h); err != nil || s.rest.roused {
			return err
		}
		if !finite(s.w) {
			return s.unbounded(s.w)
		}
		straight, err := s.bendAll(h, round, &lastBend)
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
		s.measureImpulses()
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
func (s *Stepper) endStep(h float64) error {
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
func (s *Stepper) jointImpulse(h float64, known bool) {
	if len(s.model.rows) == 0 {
		return
	}
	if s.hung {
		s.pins.endImpulses(s, h)
		return
	}
	clear(s.f0)
	s.pushImpulses(s.f0)
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.comps[c].index
		if inv.m == 0 {
			continue
		}
		if s.dozes(c) {
			for _, v := range index {
				s.joint[v] = 0
			}
			s.jointPush(s.joint, c, h)
			for k, i := range s.model.comps[c].rows {
				inv.bands[k].impulse = h * s.pull[i]
			}
			s.react(c, h)
			continue
		}
		j := s.column[:inv.n]
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
	for i := range s.model.body { // the last round took them at the velocities of the one before
		if p := &s.model.body[i]; p.tied {
			s.geometricImpulse(s.joint, p, s.wOld, -1)
		}
	}
}

// impulsesOf sets j to Gᵀc of a component; f0 holds Hr.
func (s *Stepper) impulsesOf(c int, j []float64) {
	inv, index := &s.inv[c], s.model.comps[c].index
	dv := s.f1[:inv.n]
	for i, v := range index {
		dv[i] = s.vEnd[v] - s.v[v]
	}
	inv.mul(j, dv)
	for i, v := range index {
		j[i] -= s.kick[v] + s.f0[v]
	}
}

// measure sets the c of the bands of a component to those of j = Gᵀc, which it overwrites.
func (s *Stepper) measure(c int, j []float64) {
	inv := &s.inv[c]
	if inv.dense != nil {
		inv.whole(j, nil)
	} else {
		inv.solve(j)
		inv.hold(j, nil)
	}
	for k := range inv.bands {
		inv.bands[k].impulse = inv.bands[k].multiplier
	}
}

func finite(x []float64) bool {
	for _, v := range x {
		if !(math.Abs(v) < 1e150) { // squares are numbers
			return false
		}
	}
	return true
}

// accept makes the trial (or the interpolated state) the present one, after h.
func (s *Stepper) accept(h float64, interpolated bool) {
	s.account(h, interpolated)
	s.follow(h)
	s.ahead = s.ahead && !interpolated
	copy(s.q, s.qNext)
	copy(s.v, s.vNext)
	if s.t += h; !interpolated {
		s.t = s.until
	}
	s.detect()
	s.splitSprings(h)
}

// detectAnew is detect at a state that no step has led to.
func (s *Stepper) detectAnew() {
	s.ahead = false
	s.detect()
}

// detect finds the touches at q and gives them the marks of the last ones.
func (s *Stepper) detect() {
	s.poses = s.model.World.Poses(s.poses, s.q)
	s.snap = Snapshot{s.model, s.poses, s.q, s.v}
	s.before, s.touches = s.touches, s.before
	s.beforeMarks, s.marks = s.marks, s.beforeMarks
	if s.ahead { // found already, when the step was searched for collisions
		s.touches, s.next, s.ahead = s.next, s.touches, false
	} else {
		s.touches = s.find.Find(s.touches, s.t, s.q, s.o.Margin)
	}
	s.marks, s.bent = grow(s.marks, len(s.touches)), s.bent[:0]
	k := 0
	for i := range s.touches {
		t := &s.touches[i]
		for k < len(s.before) && s.before[k].Key < t.Key {
			k++
		}
		m := mark{}
		if k < len(s.before) && s.before[k].Key == t.Key {
			m = s.beforeMarks[k]
			m.was, m.soft, m.far = m.active && !m.soft, false, false
		}
		m.transport(s.model, t)
		s.marks[i] = m
	}
	s.activate()
}

// transport turns the frame with the normal n to n', by the rotation about n × n',
//
//	t' = t − (n'·t)/(1 + n·n') (n + n'),
//
// so that it is continuous in time, and what a force along t and o becomes does not depend on where in the plane
// these began.
func (m *mark) transport(x *Model, t *bodies.Touch) {
	if m.frame[0] == t.N {
		return
	}
	if c := vec3.Dot(m.frame[0], t.N); x.dim == 3 && c > 0.5 {
		n := vec3.Add(m.frame[0], 1, t.N)
		u := vec3.Add(m.frame[1], -vec3.Dot(t.N, m.frame[1])/(1+c), n)
		u = vec3.Add(u, -vec3.Dot(u, t.N), t.N) // rounding
		u = vec3.Scale(u, 1/vec3.Norm(u))
		m.frame = [3]vec{t.N, u, vec3.Cross(t.N, u)}
		return
	}
	u, w := x.World.Tangents(t.N) // new, or turned by more than 60 degrees
	m.frame = [3]vec{t.N, u, w}
}

// touchGap is rounding of a gap of coordinates of the order of the unit of length.
const touchGap = 1e-10

// activate marks the touches that take part: closed ones, loaded ones as
// long as they have not left by more than a millionth of the margin, and those of thin bodies that have met in this step and glide
// along each other.
func (s *Stepper) activate() {
	for i := range s.touches {
		m, gap := &s.marks[i], s.touches[i].Gap
		m.active = gap <= s.unit*touchGap || m.loaded && gap <= s.releaseGap() || m.met && gap <= s.unit*glide || s.settles(i)
	}
}

func (s *Stepper) releaseGap() float64 { return 1e-3 * s.o.Margin }

// force activates the touches of the pair of a collision that are closed to
// rounding of the interpolation, or the one that is nearest where features have changed on the way.
func (s *Stepper) force(hit *bodies.Touch) {
	nearest, least, found := -1, math.Inf(1), false
	thin := hit.B >= 0 && min(s.model.World.Width(hit.A), s.model.World.Width(hit.B)) <= s.unit*glide
	for i := s.firstOf(hit.Pair()); i < len(s.touches) && s.touches[i].Pair() == hit.Pair(); i++ {
		t := &s.touches[i]
		if t.Key == hit.Key || t.Gap <= s.unit*1e-9 {
			found = found || t.Key == hit.Key || !s.marks[i].active
			s.marks[i].active, s.marks[i].met = true, thin
		}
		if d := vec3.Norm(vec3.Add(t.At, -1, hit.At)); d < least {
			nearest, least = i, d
		}
	}
	if !found && nearest >= 0 {
		s.marks[nearest].active, s.marks[nearest].met = true, thin
	}
}

package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Stepper advances a [Model]. It is not safe for concurrent use. Each of its parts sees those
// before it only.
type Stepper struct {
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
	*coneTest
	*scheme

	present Present
	open    openForces
	slots   [6]slot
	start   []float64 // q at the start
	timing  timing
	pairs   dynamics.Pairs
	ties    []multibody.Tie
	lengths [2][]bodies.Pose // now and in a place, for the lengths of ties
	lately  [2]partForces    // of the last part of the last step, and of the one before
	rescue  []Checkpoint     // states to go back to, by cuts
	beside  beside           // see Beside
}

// compose makes the parts of a stepper and says to each which others it uses.
func compose() *Stepper {
	s := &Stepper{}
	s.motion = &motion{}
	s.contactSet = &contactSet{motion: s.motion}
	s.drives = &drives{motion: s.motion, contactSet: s.contactSet}
	s.mechanics = &mechanics{motion: s.motion, contactSet: s.contactSet}
	s.curvature = &curvature{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics,
	}
	s.assembly = &assembly{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics, curvature: s.curvature,
	}
	s.solution = &solution{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics, curvature: s.curvature, assembly: s.assembly,
	}
	s.accounts = &accounts{motion: s.motion, contactSet: s.contactSet, mechanics: s.mechanics,
		assembly: s.assembly, solution: s.solution,
	}
	s.sleeping = &sleeping{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics, assembly: s.assembly, solution: s.solution, accounts: s.accounts,
	}
	s.impacts = &impacts{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics, assembly: s.assembly, solution: s.solution, accounts: s.accounts,
		sleeping: s.sleeping,
	}
	s.detection = &detection{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		assembly: s.assembly, accounts: s.accounts, impacts: s.impacts,
	}
	s.projection = &projection{motion: s.motion, contactSet: s.contactSet, mechanics: s.mechanics,
		assembly: s.assembly, solution: s.solution, sleeping: s.sleeping,
	}
	s.coneTest = &coneTest{motion: s.motion, contactSet: s.contactSet, mechanics: s.mechanics,
		assembly: s.assembly, sleeping: s.sleeping,
	}
	s.scheme = &scheme{motion: s.motion, contactSet: s.contactSet, drives: s.drives,
		mechanics: s.mechanics, curvature: s.curvature, assembly: s.assembly, solution: s.solution,
		accounts: s.accounts, sleeping: s.sleeping, impacts: s.impacts, detection: s.detection,
		projection: s.projection,
	}
	return s
}

// trialStart is what a trial begins with and changes.
type trialStart struct {
	marks []mark
	v, w  []float64
	put   bool // its velocities were put back
}

// mark is what the scheme remembers of a touch.
type mark struct {
	active      bool
	was         bool    // active in the step before
	loaded      bool    // carried a force in the last solve
	left        bool    // … which was an impact, that may have left it opening
	slept       bool    // its bodies rest, see sleep
	met         bool    // has collided in this step
	speculative bool    // was found for the step, see speculate
	soft        bool    // takes part in the part of the step though it is open, see admitChatter
	frame       [3]vec  // n, t, o
	mu          float64 // of the last solve
	r           vec     // last impulse, in the frame [N s]
	h           float64 // of the step that r belongs to
	state       ContactState
	clings      bool    // a pull of its material acts in the step that follows, see resistance.go
	loose       bool    // it has come off in the trial
	pull        float64 // of it, hA [N s]
	moment      vec     // last moments, about the frame or e_z [N m s]
	theta       float64 // state of its friction, see [friction.Stateful]; 0: that of a new one [s, m]
	bearing     float64 // what the reaction of its joint adds to the bound of a brake, over L [N]
	turns       [2]bool // of these, spin and roll were on their bounds
	line        line    // along which it slides
	lag         vec     // slip with which the last step began, in the frame [m/s] …
	lags        bool    // … if it is known
}

// line is that along which a contact slides in space, where friction falls as slip begins.
type line struct {
	slip  [2]float64 // the last one, in the frame [m/s]
	bent  bool       // slips went along no line
	loose bool       // it came to rest from that, see [friction.Start]
}

// NewStepper starts at the start of the model's world.
func NewStepper(m *multibody.Model, o Options) (*Stepper, error) {
	return NewStepperContext(context.Background(), m, o)
}

// NewStepperContext is [NewStepper] under a context: to settle a start ([Options.Settle]) takes up
// to fifty projections.
func NewStepperContext(ctx context.Context, m *multibody.Model, o Options) (*Stepper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("rigid: a model is required, from NewModel")
	}
	s := compose()
	s.model, s.o, s.unit, s.pace, s.hits = m, o.withDefaults(len(m.Bodies)), m.Unit(),
		multibody.PowerOfMillion(m.Size()), map[uint64]chatter{}
	s.mode, s.clings = s.o.stepMode(), s.moments()
	if s.o.Margin == 0 {
		for i := range m.Bodies {
			s.o.Margin = max(s.o.Margin, 0.1*m.World.Reach(i))
		}
		for f := range m.World.Obstacles() { // a step along the tangent leaves a curved one
			s.o.Margin = max(s.o.Margin, 0.1*m.World.Bend(f))
		}
		s.o.Margin = max(s.o.Margin, s.unit*1e-6)
	}
	m.FindPartners()
	s.alone = m.World.Obstacles() == 0 && len(m.Stops) == 0 && !slices.Contains(m.Meets, true)
	if s.openDrives(); slices.ContainsFunc(s.motions, func(x signal.Motion) bool { return x.Moves() }) && s.o.Grid == FixedGrid {
		return nil, errors.New("rigid: Options.Grid is FixedGrid with obstacles that move, want CollisionGrid or GapGrid: at the end of a step with a collision they are elsewhere")
	}
	s.q, s.v = m.World.Start()
	s.start = append(s.start, s.q...)
	s.tieUp()
	nv := len(s.v)
	s.qNext = make([]float64, len(s.q))
	for _, x := range []*[]float64{&s.vNext, &s.w, &s.x, &s.f0, &s.f1, &s.kick, &s.wLast, &s.shift, &s.joint, &s.column,
		&s.loads, &s.opening, &s.vEnd, &s.wOld, &s.lead, &s.travel, &s.wayOf, &s.backV} {
		*x = make([]float64, nv)
	}
	s.slack = make([]float64, len(m.Bodies)+len(m.Spinning)+len(m.Directed))
	copy(s.w, s.v)
	copy(s.shift, s.v)
	copy(s.wLast, s.v)
	s.inv = make([]multibody.Inverse, len(m.Components))
	for c := range s.inv {
		s.inv[c].Open(m, &m.Components[c])
	}
	s.pins = newPins(m, s.inv)
	s.reactions = make([]Reaction, len(m.Setup.Joints))
	s.pull = make([]float64, len(m.Rows))
	s.p.on = make([][]reference, len(m.Components))
	s.slip.on = m.Slips()
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

// Step advances by h [s]; what fails is cut and tried again, see [Options.MaxCuts]. On an error the
// state is that at the beginning of the last part or at its last collision.
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
	s.step = Step{Index: i, H: h, Collisions: collisions, Impulses: impulses, Cuts: cuts, Instants: s.step.Instants[:0],
		Changes: s.step.Changes[:0]}
	for i := range s.marks {
		s.marks[i].met = false
	}
	s.curved, s.mayRetake = false, false
	s.rest.any, s.kinked, s.freed, s.reversals = false, false, false, 0
	s.gaps = false
	clear(s.slack)
	s.rest.wake()
}

// takeParts is the main loop: steps from collision to collision.
func (s *Stepper) takeParts(ctx context.Context, h float64) error {
	s.recount()
	if s.timing.opens = opensStep; s.t == 0 && s.step.Index == 0 {
		s.timing.opens = opensStart
	}
	more := h - s.lost
	s.speculate(more)
	left, end := h, s.t+more
	lost := end - s.t - more // of the time by rounding: times are k·h, not a sum of roundings
	defer func() { s.mode = s.o.stepMode() }()
	var met *bodies.Touch
	s.beside.begin()
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
		whole := kink
		if kink = s.beside.next(kink); kink < whole {
			s.until = s.t + kink
		}
		s.admitChatter(kink)
		s.keepTrial()
		if err := s.trial(ctx, kink); err != nil {
			return err
		}
		if err := s.holdPressed(ctx, kink); err != nil {
			return err
		}
		part, why, err := s.untilSlipChanges(ctx, kink)
		if err != nil {
			return err
		}
		hit, at, err := s.collision(part)
		if err != nil {
			return err
		}
		if hit == nil && part < kink && !s.tried.put && s.beside.divides(part) { // what ends at an event
			s.backToTrial()
			s.reversals, s.freed, met = s.reversals-1, false, nil
			continue
		}
		if hit == nil && part < left {
			if s.accept(part, false); part < kink {
				s.step.Cuts = append(s.step.Cuts, Cut{T: s.t, Reason: why, Slip: true})
				s.timing.opens, s.timing.dateOff = opensSlip, s.dateOff
				s.beside.event()
			} else if kink == whole {
				s.recordKink()
			}
			s.instant(s.v)
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
		s.beside.event()
		s.accept(at*part, true)
		s.timing.opens, s.timing.pair = opensHit, met.Pair()
		s.force(met)
		s.countImpact(met, part)
		if part == left {
			left *= 1 - at
		} else {
			left -= at * part
		}
		if s.mode.grid == FixedGrid {
			break
		}
	}
	s.t, s.lost = end, lost // the collision ends the step
	s.endChatter()
	if err := s.meet(ctx, met); err != nil {
		return err
	}
	return s.stabilise(ctx)
}

// lastPart ends a step at end, after a part of the length left in which nothing is met.
func (s *Stepper) lastPart(ctx context.Context, left, end, lost float64) error {
	if s.step.Mode = s.taken(); len(s.step.Collisions) == 0 && len(s.step.Cuts) == 0 {
		s.record()
	}
	struck, err := s.prepareRebound(ctx, left)
	if err != nil {
		return err
	}
	var c Collision
	if struck >= 0 {
		c = s.closing(struck)
		s.step.Impulses = s.step.Impulses[:0]
	}
	s.endChatter()
	before := s.ledger.lost()
	s.accept(left, false)
	s.t, s.lost = end, lost
	if err := s.makesEnergy(before); err != nil {
		return err
	}
	if struck >= 0 {
		s.reboundAtEnd(c)
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
	return &ZenoError{s.model.TouchName(most), s.model.There(most.At), len(s.step.Collisions) - s.counted, s.t,
		s.model.MaterialOf(most).Restitution}
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
	s.keepLags(interpolated)
	s.follow(h)
	s.findSlack(h)
	s.ahead = s.ahead && !interpolated
	copy(s.q, s.qNext)
	copy(s.v, s.vNext)
	if s.t += h; !interpolated {
		s.t = s.until
	}
	s.detect()
	s.keepForces(h)
	s.dateChanges(h)
	s.splitSprings(h)
}

// transport turns the frame with the normal n to n', by the rotation about n × n',
//
//	t' = t − (n'·t)/(1 + n·n') (n + n'),
//
// so that it is continuous in time, and what a force along t and o becomes does not depend on where
// in the plane these began.
func (m *mark) transport(x *multibody.Model, t *bodies.Touch) {
	if m.frame[0] == t.N {
		return
	}
	if c := vec3.Dot(m.frame[0], t.N); x.Dim == 3 && c > 0.5 {
		n := vec3.Add(m.frame[0], 1, t.N)
		u := vec3.Add(m.frame[1], -vec3.Dot(t.N, m.frame[1])/(1+c), n)
		u = vec3.Add(u, -vec3.Dot(u, t.N), t.N)                       // rounding
		along, across := vec3.Norm(m.frame[1]), vec3.Norm(m.frame[2]) // one but for a grain
		u = vec3.Scale(u, 1/vec3.Norm(u))
		m.frame = [3]vec{t.N, u, vec3.Cross(t.N, u)}
		if x.Grained {
			m.frame[1], m.frame[2] = vec3.Scale(u, along), vec3.Scale(m.frame[2], across)
		}
		return
	}
	u, w := x.World.Tangents(t.N) // new, or turned by more than 60 degrees
	m.frame = [3]vec{t.N, u, w}
}

// touchGap is rounding of a gap of coordinates of the order of the unit of length.
const touchGap = 1e-10

// force activates the touches of the pair of a collision that are closed to rounding of the
// interpolation, or the one that is nearest where features have changed on the way; and of a face
// that met when the part of the step began all that are within what loaded points may have left by:
// these leap, and the point on which it has turned until now goes by other names.
func (s *Stepper) force(hit *bodies.Touch) {
	nearest, least, found := -1, math.Inf(1), false
	thin := hit.B >= 0 && min(s.model.World.Width(hit.A), s.model.World.Width(hit.B)) <= s.unit*glide
	first, turns := s.firstOf(hit.Pair()), false
	for i := first; i < len(s.touches) && s.touches[i].Pair() == hit.Pair(); i++ {
		turns = turns || s.touches[i].Leaps && s.marks[i].was
	}
	for i := first; i < len(s.touches) && s.touches[i].Pair() == hit.Pair(); i++ {
		t := &s.touches[i]
		if t.Key == hit.Key || t.Gap <= s.unit*1e-9 || turns && t.Leaps && t.Gap <= s.releaseGap() {
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

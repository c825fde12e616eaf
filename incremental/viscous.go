package incremental

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/anderson"
)

// Steps from which a particle on a curved obstacle has no equilibrium nearby. What is convex
// presses it away from where it is: a normal force λ takes λ/R from the stiffness along a ball of
// the radius R, and where friction holds no longer it slides until springs hold it, or leaves the
// ball and goes where nothing does. The step is then followed as a viscous one would be, in a chain
//
//	v⁺ = argmin { model of E + Ψ at v + ½c|x(z + v⁺) − x(z + v)|² },
//
// |.| in space, c as small as E + Ψ falls; a particle that has left its obstacle is followed in global coordinates, in which it either
// finds an equilibrium or a direction of recession.

const (
	// continuationLimit is the number of parts of a continuation: one that begins with a force of
	// 1e-10 grows by a half or more in each.
	continuationLimit = 2000
	// softens and stiffens the chain after a part that was taken, and one that was not.
	softens, stiffens = 0.25, 4
	// creeps is softens where a continuation has all but come to rest: its last digits come by a
	// geometric series, or a fold is near.
	creeps = 0.9
	// patience is the number of parts after which a continuation that has not come to rest is
	// hastened: few take so many.
	patience = 200
	// clearance is the number of places on a straight way at which obstacles are looked for.
	clearance = 64
	// hovering: a particle that is off its obstacle by this part of the way that it came has left
	// it.
	hovering = 1e-6
)

// continueViscously solves a step that has no solution near to its base, on curved obstacles, or
// returns a LossError. Each part has the thresholds of where it begins, which so are those of where
// the continuation ends; lagged ones stay what they are.
func (s *Stepper) continueViscously(ctx context.Context, t float64, cause error) error {
	m := s.min
	if m.condensed != nil {
		return cause
	}
	f := continuation{s: s, t: t, start: slices.Clone(s.force), y: slices.Clone(s.z),
		c: m.softestAt(s.t, s.z) / regular, frozen: s.stats.Lagged}
	err := f.follow(ctx, cause)
	if err != nil {
		f.freeze(f.start, s.t, s.z)
	}
	return err
}

// jumpReach is the way of a particle on a curved obstacle, of the size of that, in one step that is
// looked at again, and nearerShare is what it must come to in parts for that to be the step.
const (
	jumpReach   = 0.1
	nearerShare = 0.5
)

// reconsiderJump follows a step again by which a particle that is pressed onto a curved obstacle
// has leapt: the thresholds of before the step may be lost where those on the way hold. The nearer
// state is taken.
func (s *Stepper) reconsiderJump(ctx context.Context, t float64) error {
	z, grad, force, stats := slices.Clone(s.zNext), slices.Clone(s.gradNext), slices.Clone(s.force), s.stats
	err := s.continueViscously(ctx, t, errMoving)
	if err == nil {
		err = s.settleThresholds(ctx, t)
	}
	if ctx.Err() != nil || err == nil && !s.stats.FellBack && floats.Distance(s.zNext, s.z, 2) < nearerShare*floats.Distance(z, s.z, 2) {
		return err
	}
	copy(s.zNext, z)
	copy(s.gradNext, grad)
	s.stats = stats
	(&continuation{s: s}).freeze(force, s.t, s.z)
	return nil
}

// jumped reports whether a particle has leapt.
func (s *Stepper) jumped(t float64) bool {
	sys := s.psi.System
	for j := range sys.N() {
		if !sys.Curved(j) || !(s.grad[3*j+2] > 0) || !sys.Touches(s.t, j, s.z) {
			continue
		}
		if floats.Distance(s.zNext[3*j:3*j+3], s.z[3*j:3*j+3], 2) > jumpReach*sys.Frame(j).Chart.Reach() {
			return true
		}
	}
	return false
}

// continuation is a step that is followed.
type continuation struct {
	s      *Stepper
	t      float64
	y      []float64 // where it is
	start  []float64 // thresholds before it
	c      float64
	first  []float64 // what its first part moved …
	driven float64   // … and what drove along that beyond friction
	frozen bool      // thresholds stay, and parts count from the base
}

// follow makes parts until one stands still, or until what has left its obstacle comes to rest or
// recedes.
func (f *continuation) follow(ctx context.Context, cause error) error {
	s, m := f.s, f.s.min
	next, soft, from := 0.0, softens, make([]float64, len(f.y))
	for k := range continuationLimit {
		if k%patience == patience-1 {
			if rests, err := f.accelerate(ctx, f.c*stiffens); rests || err != nil {
				return err
			}
		}
		floats.SubTo(m.v, f.y, s.z)
		copy(from, m.v)
		m.begin(f.t, s.z)
		if !f.frozen {
			f.thresholds(f.y)
		}
		copy(m.floors, s.floors)
		m.gradient(f.t)
		slope := slices.Clone(m.grad)
		taken, err := m.viscousPart(ctx, f.t, f.c)
		if err != nil {
			return err
		}
		if taken && m.residual <= targetResidual && (f.frozen || f.consistent()) {
			copy(s.zNext, m.y)
			copy(s.gradNext, m.grad)
			s.stats.Newton, s.stats.Residual, s.continued = 1, m.residual, true
			return nil
		}
		// held by rounding of the energies, and not to the tolerance
		if taken && floats.Distance(m.v, from, 2) == 0 {
			if rests, err := f.accelerate(ctx, f.c); rests || err != nil {
				return err
			}
			return cause
		}
		if taken && f.first == nil {
			f.noteFirstPart(slope)
		}
		if taken && !f.frozen && f.overshoots(from) {
			taken, soft = false, creeps
			// from both sides
			if floats.Distance(m.v, from, 2) <= standing*floats.Distance(f.y, s.z, 2) {
				taken = true
				f.c *= 2
			}
		}
		if !taken {
			f.c *= stiffens
			continue
		}
		f.c *= soft
		soft = max(creeps*soft, softens)
		copy(f.y, m.y)
		if far := m.farthest(f.t); far > next {
			next = 2 * far
			if err := f.detach(ctx); err != errMoving {
				if _, lost := errors.AsType[*LossError](err); lost {
					return f.lost(cause)
				}
				return err
			}
		}
	}
	return cause
}

const (
	// accelerationLimit is the number of parts of an acceleration, of which one that has n
	// directions to find takes n and some more, and accelerationReach how far it may go, over its
	// first part: where parts shrink by a thousandth, ten thousand of them are ahead.
	accelerationLimit = 60
	accelerationReach = 1e4
)

// accelerate goes on from where a continuation comes to rest slowly by parts of one stiffness c,
// mixed by the secants between them: where friction grows along the way, and nothing else makes the
// rest a stable one, c cannot be small, and parts shrink by as little as a hundredth; far from the
// origin, or near to the end, energies are too rounded to tell what falls. It ends in a point that
// a part does not leave, and whose thresholds are its own; false, and where it was, if there is
// none that near.
func (f *continuation) accelerate(ctx context.Context, c float64) (rests bool, err error) {
	s, m := f.s, f.s.min
	if f.frozen {
		return false, nil // a minimiser of E + Ψ, which energies do tell
	}
	at, far := make([]float64, len(f.y)), math.Inf(1)
	var mixer anderson.Mixer
	mixer.Resize(len(at))
	mixer.Reset()
	floats.SubTo(at, f.y, s.z)
	start := slices.Clone(at)
	for range accelerationLimit {
		copy(m.v, at)
		m.begin(f.t, s.z)
		f.thresholds(m.y)
		copy(m.floors, s.floors)
		m.gradient(f.t)
		if solved, err := m.viscousModel(ctx, f.t, c); !solved {
			return false, err
		}
		copy(m.v, m.next)
		m.arrive(f.t)
		if math.IsInf(far, 1) {
			far = accelerationReach * floats.Distance(m.v, start, 2)
		}
		if !(floats.Distance(m.v, start, 2) <= far) {
			return false, nil
		}
		copy(s.zNext, m.y)
		copy(s.gradNext, m.grad)
		if m.residual <= targetResidual && s.consistency(f.t) <= s.opt.Consistency {
			s.stats.Newton, s.stats.Residual, s.continued = 1, m.residual, true
			return true, nil
		}
		mixer.Free(at, m.v)
	}
	return false, nil
}

// noteFirstPart notes the direction of the first part, and what drives along it where the forces
// are slope.
func (f *continuation) noteFirstPart(slope []float64) {
	m := f.s.min
	f.first = slices.Clone(m.v)
	if _, ok := unit(f.first); ok {
		f.driven = -(floats.Dot(slope, f.first) + m.Dissipation(f.first))
	}
}

// standing: a part of a continuation that would go on by less than this part of the way comes to
// rest.
const standing = 1e-6

// overshoots reports whether a part from the displacements before has gone further than the
// friction on its way lets it: more is pressed there than where it began. It is asked for at a few
// places, for an unstable equilibrium may follow a stable one.
func (f *continuation) overshoots(before []float64) bool {
	s, m := f.s, f.s.min
	end, grad := slices.Clone(m.v), make([]float64, len(before))
	part := make([]float64, len(before))
	floats.SubTo(part, end, before)
	held := false
	const places = 4
	for k := 1; k <= places && !held; k++ {
		floats.AddScaledTo(m.v, before, float64(k)/places, part)
		m.place(m.v)
		f.thresholds(m.y)
		s.psi.System.Gradient(grad, nil, f.t, m.y)
		held = floats.Dot(grad, part)+m.frictionSlope(m.v, part) > 0
	}
	copy(m.v, end)
	m.place(m.v)
	return held
}

// consistent reports whether the thresholds of where the continuation is are those that it had on
// the last part.
func (f *continuation) consistent() bool {
	s := f.s
	force := slices.Clone(s.force)
	f.thresholds(s.min.y)
	for c, r := range force {
		if math.Abs(s.force[c]-r) > implicitTolerance*s.size(c) {
			return false
		}
	}
	return true
}

// thresholds freezes those of a state.
func (f *continuation) thresholds(z []float64) {
	s, t := f.s, f.t
	grad := s.gradNext
	s.psi.System.Gradient(grad, nil, t, z)
	from := dissipation.Origin{T: s.t, Z: s.z}
	for c, slot := range s.min.slot {
		s.force[c] = s.opt.Rule.Threshold(s.psi.Pressure(t, slot, z, grad, from), s.switching[slot]) * s.psi.Factor(slot, t)
		s.min.SetThreshold(c, s.force[c], t, z)
	}
}

// freeze takes thresholds back.
func (f *continuation) freeze(force []float64, t float64, z []float64) {
	copy(f.s.force, force)
	for c := range f.s.force {
		f.s.min.SetThreshold(c, f.s.force[c], t, z)
	}
}

// settle solves the step from where the continuation has come to rest.
func (f *continuation) settle(ctx context.Context) error {
	s, m := f.s, f.s.min
	if !f.frozen {
		f.thresholds(f.y)
	}
	floats.SubTo(m.v, f.y, s.z)
	clear(m.res.R)
	m.warm(m.v, m.res.R)
	err := m.descendFrom(ctx, f.t, s.z, s.zNext, s.gradNext, 0)
	if ctx.Err() != nil {
		return err
	}
	if err != nil || m.pulledAway(f.t) {
		return errMoving
	}
	s.stats.Newton, s.stats.Residual, s.continued = m.newton, m.residual, true
	return nil
}

// errMoving: a continuation has not come to where it ends.
var errMoving = errors.New("incremental: a flight goes on")

// detach looks from a state of a continuation, in which particles have left their curved obstacles,
// where these go without them: to an equilibrium that the straight way to leads through no
// obstacle, which then is the solution of the step, or along a direction of recession. Else
// errStays.
func (f *continuation) detach(ctx context.Context) error {
	s, m, sys, t := f.s, f.s.min, f.s.min.sys, f.t
	off := make([]bool, sys.N())
	for j := range off {
		off[j] = sys.Curved(j) && m.y[3*j+2] > hovering*m.travelled(t, j)
	}
	if !slices.Contains(off, true) {
		if lost, ok := errors.AsType[*LossError](s.recession(t, m.lastMove(), nil)); ok {
			return lost
		}
		return errMoving
	}
	released, err := sys.Released(func(j int) bool { return off[j] })
	if err != nil {
		return err
	}
	global := func(z []float64) []float64 {
		x := slices.Clone(z)
		for j, o := range off {
			if o {
				p := sys.Position(t, j, z)
				copy(x[3*j:], p[:])
			}
		}
		return x
	}
	from := global(m.y)
	free, err := New(s.psi.On(released), t, from, Options{Tolerance: s.opt.Tolerance, Threshold: Implicit})
	if err != nil {
		return errMoving
	}
	err = free.Step(ctx, t)
	if ctx.Err() != nil {
		return err
	}
	if lost, ok := errors.AsType[*LossError](err); ok {
		if len(lost.Closing) == 0 && s.clearWay(t, off, from, lost.Direction, m.farthest(t)*clearance) {
			return lost
		}
		return errMoving
	}
	if err != nil {
		return errMoving
	}
	to := free.State()
	way := make([]float64, len(to))
	floats.SubTo(way, to, from)
	if !s.clearWay(t, off, from, way, 1) {
		return errMoving
	}
	return f.placeDetached(ctx, off, to)
}

// clearWay reports whether particles that have left their obstacles meet none on the straight way
// along d, as far as it is long.
func (s *Stepper) clearWay(t float64, off []bool, from, d []float64, long float64) bool {
	sys := s.min.sys
	for j, o := range off {
		if !o {
			continue
		}
		c := sys.Frame(j).Chart
		for k := range clearance {
			by := long * float64(k+1) / clearance
			var x [3]float64
			for i := range x {
				x[i] = from[3*j+i] + by*d[3*j+i]
			}
			if c.Coordinates(t, x)[2] < 0 {
				return false
			}
		}
	}
	return true
}

// placeDetached makes a state in which particles have left their obstacles, whose coordinates are
// global, the solution of the step.
func (f *continuation) placeDetached(ctx context.Context, off []bool, x []float64) error {
	m, sys := f.s.min, f.s.min.sys
	before, force := slices.Clone(f.y), slices.Clone(f.s.force)
	copy(f.y, x)
	for j, o := range off {
		if o {
			p := sys.Frame(j).Chart.Coordinates(f.t, [3]float64(x[3*j:3*j+3]))
			copy(f.y[3*j:], p[:])
		}
	}
	if f.frozen { // nothing rubs in the air
		for c, slot := range m.slot {
			if slot < sys.N() && off[slot] {
				f.s.force[c] = 0
				m.SetThreshold(c, 0, f.t, f.y)
			}
		}
	}
	err := f.settle(ctx)
	if err == errMoving {
		copy(f.y, before)
		f.freeze(force, f.t, before)
	}
	return err
}

// lost makes the LossError of a continuation: the direction is that in which it begins, driven by
// what friction does not hold at the start.
func (f *continuation) lost(cause error) error {
	worst, ok := unit(f.first)
	if !ok {
		return cause
	}
	return &LossError{Time: f.t, Direction: f.first, Particle: worst, Force: max(f.driven, 0), cause: cause}
}

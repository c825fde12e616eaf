package energetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/incremental"
)

// Loss is the end of an evolution: what friction, obstacles and weight alone held is held no
// longer, and no state is in equilibrium. Its time is located by bisection, and that there
// is none beyond is shown by a direction, see [incremental.LossError].
type Loss struct {
	Time float64 // until which nothing drives along Direction beyond what friction holds [s]
	// time of the last equilibrium that was found, first without [s]; the way to rest may grow
	// without bound towards Time
	From, To  float64
	Particle  int       // that moves most along Direction
	Direction []float64 // local coordinates, that particle by 1
	Force     float64   // that drives along it beyond what friction holds, at To [N]
	// Closing are the contacts whose obstacles leave Particle no place, in place of a direction; at
	// the time Closed any place is at least Depth inside one of them [m].
	Closing       []int
	Closed, Depth float64
}

// Error implements error.
func (l *Loss) Error() string {
	if len(l.Closing) > 0 {
		return fmt.Sprintf("energetic: no equilibrium beyond t=%.10g: %d obstacles leave no place around particle %d",
			l.Time, len(l.Closing), l.Particle)
	}
	return fmt.Sprintf("energetic: no equilibrium beyond t=%.10g: particle %d slides away", l.Time, l.Particle)
}

// lossTolerance is the bracket of the time of a loss, relative to it; below, the forces of a
// state differ by rounding. lossLevels bisections reach it from any step.
const (
	lossTolerance = 1e-13
	lossLevels    = 60
	// within which the steepest direction decides on a step that is not solved: away from it states
	// are found
	lossNear = 1e-6
)

// LocateLoss bisects the step to t, which was lost, and makes the one to the last time at
// which there is an equilibrium, if that is later than the present node.
func (e *Evolution) LocateLoss(ctx context.Context, t float64, lost *incremental.LossError) (*Loss, error) {
	return LocateLoss(ctx, e.stepper, t, lost, func(t float64) error { return e.Step(ctx, t) })
}

// LocateLoss is that of an Evolution for any stepper; step makes the step to the last equilibrium.
func LocateLoss(ctx context.Context, s *incremental.Stepper, t float64, lost *incremental.LossError,
	step func(t float64) error) (*Loss, error) {
	l, err := locateLoss(ctx, s, t, lost)
	if err != nil {
		return nil, err
	}
	return l, l.reach(s.Time(), t, s.System().AnyCurved(), step)
}

// narrow are the parts of a step by which an evolution stays before obstacles close, or before
// friction is at its bound: the last room is as wide as rounding, and a solver may not find into
// it.
var narrow = [...]float64{0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 5e-7}

// loose are those where obstacles are curved: there a step that is solved to 1e-10 of the forces
// tells the time of the loss, and near to it nothing holds what has begun to slide. They are parts
// of the step that was lost: the loss may follow its start as closely as its time is known.
var loose = [...]float64{1e-5, 1e-4, 1e-3}

// reach makes the step from the time t to the last time with an equilibrium; none if that is t. The
// step that was lost led to the time end.
func (l *Loss) reach(t, end float64, curved bool, step func(t float64) error) error {
	last, length := l.From, l.To-t
	if len(l.Closing) > 0 {
		defer func() { l.Time = l.From }()
	}
	parts := narrow[:]
	if curved {
		parts, length = loose[:], end-t
	}
	var err error
	for _, part := range parts {
		if l.From = last - part*length; l.From <= t {
			l.From = t
			return nil
		}
		if err = step(l.From); err == nil {
			return nil
		}
	}
	return err
}

// bracket are two times, of which the first has an equilibrium and the second has none.
type bracket struct {
	lo, hi       float64
	below, above float64 // what drives at them, < 0 and > 0 [N]; NaN: not known
	first, least float64 // its width at the start, and half of that which ends the search
	rounds       int
	wary         bool // a secant came so near to the loss that the step was not solved: first the ends do
}

func newBracket(lo, hi, above float64) *bracket {
	return &bracket{lo: lo, hi: hi, below: math.NaN(), above: above, first: hi - lo, least: lossTolerance * hi / 2}
}

// next is the time to look at next: by the ITP method of Oliveira and Takahashi (An enhancement of the bisection
// method average performance preserving minmax optimality, ACM Trans. Math. Softw. 47, 2020), with their κ₁ =
// .2/(hi − lo), κ₂ = 2 and n₀ = 1: a secant, moved towards the middle so that both ends come nearer, but no
// further from the middle than lets bisections end one round late. What drives is all but linear in
// time near to a loss, so that some ten rounds do for the forty of bisection.
func (b *bracket) next() float64 {
	width, middle := b.hi-b.lo, b.lo+(b.hi-b.lo)/2
	latest := math.Ceil(math.Log2(b.first/(2*b.least))) + 1
	room := math.Ldexp(b.least, max(int(latest)-b.rounds, 0)) - width/2
	b.rounds++
	if !(b.below < 0 && b.above > 0 && room > 0) || b.wary && !b.near() {
		return middle
	}
	off := b.lo - b.below/(b.above-b.below)*width - middle
	side := math.Copysign(1, off)
	off = min(max(math.Abs(off)-.2*width/b.first*width, 0), room)
	return middle + side*off
}

// near reports whether the steepest direction decides on a step that is not solved.
func (b *bracket) near() bool { return b.hi-b.lo <= lossNear*b.hi }

// locateLoss narrows down the step to t of a stepper, which stays where it is. A step that is solved has
// a solution unless something drives along the direction of recession.
func locateLoss(ctx context.Context, s *incremental.Stepper, t float64, lost *incremental.LossError) (*Loss, error) {
	if len(lost.Closing) > 0 {
		return locateClosing(s, t, lost), nil
	}
	var before incremental.Checkpoint
	s.Save(&before)
	if l, err := locateSwept(ctx, s, t, lost, &before); l != nil || err != nil {
		return l, err
	}
	b := newBracket(s.Time(), t, lost.Force)
	// a flight ends far from where its direction is that of the loss
	curved := s.System().AnyCurved()
	s.Sharpen(true)
	defer s.Sharpen(false)
	for range lossLevels {
		if b.hi-b.lo <= lossTolerance*b.hi {
			break
		}
		mid := b.next()
		err := s.Step(ctx, mid)
		if err != nil && errors.Is(err, ctx.Err()) {
			return nil, cmp.Or(s.Load(&before), err)
		}
		drive := 0.0
		if !curved {
			drive = s.Steepest(mid, lost.Direction) + s.DriveError()
		}
		if back := s.Load(&before); back != nil {
			return nil, back
		}
		var again *incremental.LossError
		switch {
		case err == nil && drive > 0: // held by the tolerance alone
			b.hi, b.above = mid, drive
		case err == nil:
			b.lo, b.below = mid, drive
		case errors.As(err, &again):
			b.hi, b.above, lost = mid, again.Force, again
		case ctx.Err() == nil && drive > 0: // the solver came neither to a state nor to a direction
			b.hi, b.above = mid, drive
		case ctx.Err() == nil && b.near():
			b.lo, b.below = mid, drive
		case ctx.Err() == nil && !b.wary:
			b.wary = true
		default:
			return nil, err
		}
	}
	l := &Loss{Time: b.lo, From: b.lo, To: b.hi, Particle: lost.Particle, Direction: lost.Direction, Force: lost.Force}
	if b.lo == s.Time() || curved || s.System().ConstantHessian() {
		return l, nil
	}
	_, err := l.stay(ctx, s, &before)
	return l, err
}

// swept are the parts of the time of a loss by which an evolution of springs that turn, or of
// bodies that change their shape, stays before it where the state at that time is not near to that:
// what has to come in line with the pull goes as far as the inverse of their roots.
var swept = [...]float64{5e-7, 1e-7, 1e-8}

// near: of the way to the state before, the one at the time of a loss may be so much further.
const near = 1e-4

// brink is the part of a time after which loads that are at the limit of friction are beyond it.
const brink = 1e-9

// locateSwept locates the loss of an island that loads pull along its obstacles, which these alone
// tell, and looks for a state shortly before; nil if loads do not pull beyond friction at t, or
// there is no such state: then something else is lost before.
func locateSwept(ctx context.Context, s *incremental.Stepper, t float64, lost *incremental.LossError,
	before *incremental.Checkpoint) (*Loss, error) {
	lo, hi := s.Time(), t
	if s.Overdriven(lo) {
		return nil, nil
	}
	if !s.Overdriven(hi) { // at the limit, as a step says that was not solved there
		if !s.Overdriven(hi * (1 + brink)) {
			return nil, nil
		}
		lo = hi
	}
	for range lossLevels {
		mid := lo + (hi-lo)/2
		if !(mid > lo && mid < hi) {
			break
		}
		if s.Overdriven(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	l := &Loss{Time: lo, From: s.Time(), To: hi, Particle: lost.Particle, Direction: lost.Direction, Force: lost.Force}
	if held, err := l.stay(ctx, s, before); held || err != nil {
		return l, err
	}
	return nil, nil
}

// stay sets l.From: the time of the loss, if the state there is near to those shortly before, else
// that of the first of these that there is, but not before the stepper; false, and as it was, if
// there is none.
func (l *Loss) stay(ctx context.Context, s *incremental.Stepper, before *incremental.Checkpoint) (bool, error) {
	for _, part := range swept {
		from := l.Time * (1 - part)
		if from <= s.Time() {
			l.From = s.Time()
			return true, nil
		}
		z, err := stateAt(ctx, s, from, before)
		if err != nil {
			return false, err
		}
		if z == nil {
			continue
		}
		l.From = from
		limit, err := stateAt(ctx, s, l.Time, before)
		if limit != nil && floats.Distance(limit, z, 2) <= near*floats.Distance(z, before.Z, 2) {
			l.From = l.Time
		}
		return true, err
	}
	return false, nil
}

// stateAt is the state to which a stepper steps, which then is back where it was; nil if there is
// none.
func stateAt(ctx context.Context, s *incremental.Stepper, t float64, before *incremental.Checkpoint) (z []float64, err error) {
	err = s.Step(ctx, t)
	if ctx.Err() != nil {
		return nil, cmp.Or(s.Load(before), err)
	}
	if err == nil {
		z = slices.Clone(s.State())
	}
	return z, s.Load(before)
}

// locateClosing bisects the time at which obstacles close: there is an equilibrium, however narrow
// the room, until there is none.
func locateClosing(s *incremental.Stepper, t float64, lost *incremental.LossError) *Loss {
	lo, hi := s.Time(), t
	s.Sharpen(true)
	defer s.Sharpen(false)
	for range lossLevels {
		mid := lo + (hi-lo)/2
		if !(mid > lo && mid < hi) || hi-lo <= lossTolerance*hi {
			break
		}
		if s.Closing(mid) != nil {
			hi = mid
		} else {
			lo = mid
		}
	}
	return &Loss{From: lo, To: hi, Particle: lost.Particle, Closing: lost.Closing, Closed: lost.Time, Depth: lost.Depth}
}

// lookahead is the time after a state in which it must be lost, relative to the whole; longer where
// loads change by less in it than a step resolves.
const lookahead = 1e-6

// Lost reports whether there is no equilibrium a little after a state of an evolution that
// was to go on until a time. The error is the cause of the context.
func (c *Certifier) Lost(ctx context.Context, until float64) (bool, error) {
	n := &c.node
	s, err := incremental.New(c.psi, n.T, n.Z, c.opt.Step)
	if err != nil {
		return false, nil
	}
	ahead := lookahead * until
	for most := until - n.T; ahead < most && !c.loadsChange(ahead); {
		ahead = min(4*ahead, most)
	}
	var lost *incremental.LossError
	err = s.Step(ctx, n.T+ahead)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return errors.As(err, &lost), nil
}

// loadsChange reports whether forces at the present state change in a time by what a step resolves.
func (c *Certifier) loadsChange(ahead float64) bool {
	n, g := &c.node, make([]float64, len(c.node.Z))
	c.sys.Gradient(g, nil, n.T+ahead, n.Z)
	return floats.Distance(g, n.Grad, math.Inf(1)) > c.opt.Tolerance*floats.Norm(n.Grad, math.Inf(1))
}

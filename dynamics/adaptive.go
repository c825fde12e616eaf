package dynamics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/signal"
)

// Variable is a stepper whose steps may have any length: what [Adaptive] asks of it.
type Variable interface {
	// Advance makes one step of h [s] that ends at t [s].
	Advance(ctx context.Context, h, t float64) error
	// Keep stores the present state in a slot, 0 to 5; Return goes back to it, so that
	// the steps after it have the same bits.
	Keep(slot int)
	Return(slot int) error
	// Distances stores, for each part of the system (a body, a mesh), how far it is from
	// where it was in a slot, or from its start if slot is negative [m], along the paths
	// that its steps took: turns count in full.
	Distances(dst []float64, slot int) []float64
	// Reach stores how far the present forces would carry each part from rest in a time [m].
	Reach(dst []float64, time float64) []float64
	// Residual is the largest of a contact problem since the start, of its forces [-].
	Residual() float64
	// Creations returns the energy made or destroyed since the start.
	Creations() *Creations
}

// Phased is a [Variable] that ends a part of a step at an event: slip that begins or ends, a contact that closes.
// What lies between two events, or between one and the end of a step, is one part of the run and of all that is
// compared with it, whose distances do not show what it is off by. So steps beside the run make it in several pieces.
//
// With f(t) linear in it, of length s, the place of a scheme of second order is off by s³ḟ/12m in one part, by
// φ³ + (1−φ)³ of that, a quarter at least, where a step of the run ends within it, and by 1/n² of it in n: of n = 4
// the distance is 3/4 to 15/16 of what the run is off by, and of n = 2 it may be zero.
type Phased interface {
	// Beside makes the next steps those beside a run, in so many pieces, or, for 0, those of the run.
	Beside(pieces int)
}

// beside makes steps that the run is compared with.
func beside(v Variable, steps func() error) error {
	if x, ok := v.(Phased); ok {
		x.Beside(kinkLimits.pieces)
		defer x.Beside(0)
	}
	return steps()
}

// Described is a [Variable] that says of what its parts are. Some are turns of bodies, which follow
// the others: they are measured by themselves, whatever way the body has made; but those of balls,
// which look the same from everywhere, by the way of their centre too, if that is longer. Then
// come [Pairs].
type Described interface {
	Describe() []Part // each part
}

// Part says how a part is measured.
type Part struct {
	Arm    float64 // by which a turn was multiplied [m]; 0: it is none
	Centre int     // the part of the centre, if the turn is that of a ball, else −1
	Turn   int     // the part of the turn of this direction; 0: not a direction
	Body   int     // the part of the body that turns
	Pair   *Pair   // whose relative motion it is; nil: of one body
	Beside []int   // the parts with which it shares rows of a matrix, whose rounding its places have
}

// home is the part whose island it is of, it being part p.
func (x *Part) home(p int) int {
	switch {
	case x.Pair != nil:
		return x.Pair.A
	case x.Arm > 0:
		return x.Body
	}
	return p
}

// AdaptiveOptions are the wishes for an [Adaptive] run.
type AdaptiveOptions struct {
	// Until is the end of the run [s], > 0. Required.
	Until float64
	// Accuracy of the trajectory, relative to how far each part moves, and of the energy,
	// relative to what moves [-]; 0 means 1e-2. Range [1e-8, 1).
	Accuracy float64
	// Asked is the accuracy that the measures are judged by, which may be one that no steps are
	// chosen for; 0 means Accuracy.
	Asked float64
	// Longest step [s]; 0: Until/64. Of a sine within a step no more than the mean is seen, see
	// [signal.Course].
	Longest float64
	// Names of the parts, for people; nil: part 0, part 1 and so on.
	Names []string
	// OnProgress is told where the run or one of its pilot runs is, after 64, 128 and so on steps of
	// these and twice a second; nil: nobody.
	OnProgress func(Progress)
	// Breaks are times at which loads are not smooth [s]: steps end there, and those of the twin
	// too.
	Breaks []float64
}

// Adaptive advances a [Variable] by steps that it chooses so that the trajectory is
// accurate: by step doubling on dyadic steps.
//
// The run is made in stretches between breaks, where steps end. A pair of steps of h = T/2^k, T the
// length of a stretch, is made twice, as one step of 2h and as two of h, which are kept. Their
// distance d estimates the error of the two, for schemes of first order exactly in the limit; with
// the energy c that the two made it gives the error
//
//	e = max(d_p/L_p, |c|/S)/a
//
// in units of the accuracy a, where L_p is how far part p moves in the run and S the energy that
// moves, each island for itself. All errors together may be .8: the rest of a is left for what
// estimates miss.
//
// A method of first order makes e = C(t)h², and the fewest steps with Σe given make the same error
// e_0 each: with K = ∫√C dt = Σ√e, N = K/√e_0 and e_0 = (Σe/K)². A pilot run finds L_p and S,
// another one K, as a profile over time; the run spends what is left of .8 on what is left of K,
// and on no pair more than an eighth of it. So the errors add up to no more than .8, whatever
// happens, in a run of up to a million steps. Errors of steps grow where neighbouring motions part,
// and the dissipated energy has one of its own: beside both runs goes a twin, in one step for each
// pair, see [Doubled]. What it says of the pilot run is a multiple of Σe there, of first order
// both; where that is more than 1, .8 is divided by it. At an impact, where halving a step halves
// its error at best, steps are as short as e_0 asks; behind it they grow again.
//
// The same case makes the same steps, bit by bit. Rejected steps are as costly as kept ones.
//
// # Limits
//
// Errors are added up, which is right where motions neither converge nor diverge. Where they
// diverge (a rod on its tip, chaos of many impacts) no local estimate bounds what an error
// grows to; converging motions are computed too well. An event shorter than a step that
// leaves no trace in either of the two runs is not seen: see [AdaptiveOptions.Longest].
type Adaptive struct {
	v      Variable
	ways   ways
	o      AdaptiveOptions
	coarse int       // level of the longest pairs of a run without breaks
	marks  []float64 // the start, breaks and the end

	state    AdaptiveState
	slots    [3]int // of the start of the pair, its middle, its end (the coarse one before)
	parts    []float64
	open     []float64 // what steps of the pair leave open, see [Rubbing] [m]
	loose    []float64 // of the pair, see [Loosening] [m/s]
	slack    []float64
	resting  Resting
	sums     []float64 // energies made by the islands before the pair [J]
	rates    [3]rates  // at the end of the pair, its middle, its end by the coarse step
	farthest int       // part that the last pair was off by most in; −1: the energy
	ended    bool      // the end of the pair is in its slot
	twin     *Doubled  // nil: v is no [Doubling]
	pilot    float64   // e_0 of the pilot run
	refused  refusal   // the last pair that was too long
	holding  holding
	told     time.Time // when OnProgress was told last
}

// AdaptiveState is what a checkpoint keeps beside the state of the stepper.
type AdaptiveState struct {
	Stretch int       // between two breaks
	Unseen  int       // levels by which the longest pairs are shorter than asked for, see [Adaptive.unseen]
	Even    int       // levels by which equal steps are shorter than these; 0: they are chosen, see [Adaptive.evenly]
	Level   int       // the present or next pair has the length of the stretch over 2^Level
	At      int64     // it is number At of these
	Half    bool      // its first half is made
	Grow    bool      // the next pair may be longer
	Extents []float64 // L_p [m]
	Still   []float64 // a part that moves less does not move [m]
	Energy  []float64 // S of the island of each part [J]
	Paces   []float64 // V_p, see [Paced] [m/s]
	Calm    float64   // until when no velocity is asked for, see kinks.go [s]
	Quiet   float64   // how long that was the last time, 0: nothing was in vain since [s]
	Profile []float64 // K of equal parts of the run
	Pace    float64   // K of such a part at the last pair
	Budget  float64   // of Σe
	Spent   float64   // Σe so far
	Sum     []float64 // of the estimated errors of each part [m]
	Moved   []float64 // farthest that each part was from its start, see ways [m]
	Stats   AdaptiveStats
}

// AdaptiveStats is what the choice of steps cost, and what it is worth.
type AdaptiveStats struct {
	Accepted int     // steps kept
	Rejected int     // steps made in vain: those that were too long, and one for each pair
	Pilot    int     // steps of the pilot run
	Least    float64 // shortest step kept [s]
	Most     float64 // longest one [s]
}

const (
	startLevel = 5  // pairs are at most Until/2^5 long: 64 steps
	lastLevel  = 44 // T/2^44 is 100 roundings of a time T
	budget     = 0.8
	// pilotError is e_0 of the pilot run that finds K.
	pilotError = 0.05
	// pilotSafety: what the pilot run may underestimate K by before the budget is spent
	// early, which makes the steps that follow shorter.
	pilotSafety = 1.5
	// portion of what is left of the budget that one pair may spend.
	portion = 0.125
	// doubling: a pair twice as long has four times the error.
	doubling = 0.22
	profiles = 64 // parts of the run in the profile of K
	// late is the part of the time so far for which a motion may go on at its pace beyond what the
	// pilot run tells: a run that has nothing left then would go on in the shortest steps.
	late = 0.1
	// mostPairs bounds the pairs of a run by those that N = K/√e_0 asks for: stiff motions that
	// forget their errors need far fewer steps than their sum says. A run that stops here
	// says how far it is from its accuracy.
	mostPairs = 5e5
	// mostChosen are made: pairs are up to half as long as e_0 asks.
	mostChosen = 4 * mostPairs
)

// startSlot keeps the start of the run, for the pilots, followerSlot and straySlot the twins of the
// run, see [Doubled].
const (
	startSlot    = 3
	followerSlot = 4
	straySlot    = 5
)

// accuracyDefault is that of the application's cases.
const accuracyDefault = 1e-2

// ChoosableAccuracy brings an accuracy into the range of [AdaptiveOptions].
func ChoosableAccuracy(a float64) float64 { return min(max(a, 1e-8), 0.5) }

// Validate names the first field out of range.
func (o *AdaptiveOptions) Validate() error {
	switch {
	case !(o.Until > 0) || math.IsInf(o.Until, 1):
		return fmt.Errorf("dynamics: AdaptiveOptions.Until is %g, want a finite number > 0", o.Until)
	case o.Accuracy != 0 && !(o.Accuracy >= 1e-8 && o.Accuracy < 1):
		return fmt.Errorf("dynamics: AdaptiveOptions.Accuracy is %g, want a number from 1e-8 to 1", o.Accuracy)
	case !(o.Longest >= 0):
		return fmt.Errorf("dynamics: AdaptiveOptions.Longest is %g, want a number >= 0", o.Longest)
	}
	return nil
}

// ErrNoStep is the cause where steps as short as times can tell are still off by more than they may.
var ErrNoStep = errors.New("no step is short enough")

// NewAdaptive makes the pilot run of v, which is at its start, and brings it back there.
func NewAdaptive(ctx context.Context, v Variable, o AdaptiveOptions) (*Adaptive, error) {
	a, err := newAdaptive(v, o)
	if err != nil {
		return nil, err
	}
	return a, a.pilots(ctx)
}

func newAdaptive(v Variable, o AdaptiveOptions) (*Adaptive, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Accuracy == 0 {
		o.Accuracy = accuracyDefault
	}
	a := &Adaptive{v: v, ways: waysOf(v), o: o, holding: holdingOf(v, o.Until), coarse: startLevel, slots: [3]int{0, 1, 2}}
	for o.Longest > 0 && a.coarse < lastLevel && o.Until/float64(int64(2)<<a.coarse) > o.Longest {
		a.coarse++
	}
	a.marks = signal.Stretches(o.Until, o.Breaks)
	a.state.Level = a.coarsest(0)
	return a, nil
}

// ResumeAdaptive goes on from a checkpoint: v has loaded its own.
func ResumeAdaptive(v Variable, o AdaptiveOptions, s *AdaptiveState) (*Adaptive, error) {
	a, err := newAdaptive(v, o)
	if err != nil {
		return nil, err
	}
	n := len(v.Distances(nil, -1))
	if s.Stretch < 0 || s.Stretch > len(a.marks)-2 || s.Level < a.coarsest(s.Stretch) ||
		s.Level > a.finest(s.Stretch) || s.At < 0 || s.At > 1<<s.Level || len(s.Extents) != n || len(s.Still) != n ||
		len(s.Energy) != len(v.Creations().Root) || len(s.Sum) != n || len(s.Moved) != a.ways.room(n) ||
		len(s.Profile) != profiles || len(s.Paces) != a.ways.paced(v) {
		return nil, fmt.Errorf("dynamics: the state of the steps is of pair %d at level %d and of %d parts, want levels %d to %d and %d parts",
			s.At, s.Level, len(s.Extents), a.coarse, lastLevel, n)
	}
	a.state = *s
	for _, x := range []*[]float64{&a.state.Extents, &a.state.Still, &a.state.Energy, &a.state.Profile, &a.state.Sum,
		&a.state.Moved, &a.state.Paces} {
		*x = slices.Clone(*x)
	}
	return a, nil
}

// Save stores the present state; the slices of dst are reused.
func (a *Adaptive) Save(dst *AdaptiveState) {
	extents, profile := append(dst.Extents[:0], a.state.Extents...), append(dst.Profile[:0], a.state.Profile...)
	still, energy := append(dst.Still[:0], a.state.Still...), append(dst.Energy[:0], a.state.Energy...)
	sum, moved := append(dst.Sum[:0], a.state.Sum...), append(dst.Moved[:0], a.state.Moved...)
	paces := append(dst.Paces[:0], a.state.Paces...)
	*dst = a.state
	dst.Extents, dst.Still, dst.Energy, dst.Profile, dst.Sum, dst.Moved, dst.Paces = extents, still, energy, profile, sum, moved, paces
}

// Stats returns what the steps so far cost.
func (a *Adaptive) Stats() AdaptiveStats { return a.state.Stats }

// Done reports whether the run has come to its end.
func (a *Adaptive) Done() bool { return a.ends() && a.state.Stretch == len(a.marks)-2 }

// ends reports whether the stretch has come to its end.
func (a *Adaptive) ends() bool { return !a.state.Half && a.state.At == int64(1)<<a.state.Level }

// Step makes the next step and leaves the stepper after it; rejected ones leave no trace.
// On an error the stepper is where it was.
func (a *Adaptive) Step(ctx context.Context) error {
	switch {
	case a.Done():
		return errors.New("dynamics: the run is at its end")
	case a.state.Stats.Accepted >= mostChosen:
		return fmt.Errorf("dynamics: t = %.9g s: %d steps, the most that are chosen, have come no farther: the accuracy of %g wants shorter ones than a run may have: a less strict accuracy, softer or more damped contacts, or a number of steps, help",
			a.time(a.state.At), a.state.Stats.Accepted, a.o.Accuracy)
	case a.state.Half:
		return a.second(ctx)
	}
	a.v.Keep(a.slots[0])
	a.relax()
	allowed := a.allowed()
	known := false // the coarse step is in its slot: it was the half of that pair
	var lasting stubborn
	var kink bisection
	a.holding.begin()
	first := a.time(a.state.At + 1)
	for {
		e, err := a.try(ctx, known)
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), a.v.Return(a.slots[0]))
		}
		if err == nil && e > allowed && lasting.is(e) && e <= budget {
			e = min(e, a.room())
			return a.keep(e, false)
		}
		if err == nil && e <= allowed && !kink.is(a.velocityJump()) {
			steep, err := a.steep(ctx)
			if err != nil {
				return errors.Join(err, a.v.Return(a.slots[0]))
			}
			if !steep {
				a.state.calm(&kink, a.time(a.state.At), first)
				return a.keep(e, e <= doubling*allowed)
			}
		}
		a.refused = refusal{2 * a.half(), a.farthest, e / allowed, err}
		back := a.v.Return(a.slots[0])
		if back != nil || a.state.Level >= a.finest(a.state.Stretch) {
			return errors.Join(a.noStep(e, allowed), err, back)
		}
		if known = err == nil && !a.rates[1].changed; known { // else the coarse step is made in other parts
			a.slots[1], a.slots[2] = a.slots[2], a.slots[1]
			a.rates[1], a.rates[2] = a.rates[2], a.rates[1]
		}
		a.finer()
	}
}

// noStep says of what the error is that the shortest pair makes, which is where it was.
func (a *Adaptive) noStep(e, allowed float64) error {
	of := ""
	switch {
	case !(e <= math.MaxFloat64): // it failed, or what is left open is more than the whole way
		return fmt.Errorf("dynamics: t = %.9g s: %w: nor is one of %.3g s", a.time(a.state.At), ErrNoStep, a.half())
	case a.farthest < 0:
		of = "the energy"
	default:
		names := a.o.Names
		if v, ok := a.v.(Doubling); ok {
			names = v.PartNames()
		}
		of = partName(names, a.farthest)
	}
	return fmt.Errorf("dynamics: t = %.9g s: %w: at %.3g s the error of %s is %.3g of the accuracy, of which %.3g is left for it",
		a.time(a.state.At), ErrNoStep, a.half(), of, e, allowed)
}

// room is what the next pair may spend at most.
func (a *Adaptive) room() float64 {
	if a.state.Profile == nil {
		return portion * budget
	}
	return portion * (a.state.Budget - a.state.Spent)
}

// stubborn finds an error that does not fall with the steps: it is not one of their length, but what
// those before have left, as that of a body which is in another one by a little and is pushed out.
// No choice of steps avoids it: it is taken, and what it takes of the budget is what any pair may.
// What it is worth the measures say, which add up all errors.
type stubborn struct {
	last  float64 // error of a pair twice as long
	stays int     // halvings in a row by which it has not fallen
}

// stubbornHalvings in a row by which an error hardly falls: that of an impact halves with the step,
// but by chance, any other one falls by more.
const stubbornHalvings = 8

// is takes the error of the next pair, and reports whether it stays.
func (x *stubborn) is(e float64) bool {
	if x.stays++; !(math.Abs(e-x.last) <= 0.05*e) {
		x.stays = 0
	}
	x.last = e
	return x.stays >= stubbornHalvings
}

// allowed returns e_0 for the next pair.
func (a *Adaptive) allowed() float64 {
	s := &a.state
	switch {
	case s.Even > 0:
		return math.MaxFloat64
	case s.Profile == nil:
		return a.pilot
	}
	whole := sumOf(s.Profile)
	at := profiles * a.fraction()
	k := 0.0
	for i := profiles - 1; float64(i) > at-1 && i >= 0; i-- {
		k += s.Profile[i] * min(1, float64(i+1)-at) // the rest of the present part
	}
	k = max(k, min(s.Pace, slices.Max(s.Profile))*min(late*at, profiles-at))
	left := s.Budget - s.Spent
	most, least := a.room(), whole/mostPairs
	if k > 0 {
		e := left / (pilotSafety * k)
		most = min(e*e, most)
	}
	return max(most, least*least)
}

// finer halves the pairs.
func (a *Adaptive) finer() {
	a.state.Level++
	a.state.At *= 2
}

// fraction is the part of the run that is made.
func (a *Adaptive) fraction() float64 {
	if len(a.marks) == 2 {
		return float64(a.state.At) / float64(int64(1)<<a.state.Level)
	}
	return a.time(a.state.At) / a.o.Until
}

// time is that of the start of pair k.
func (a *Adaptive) time(k int64) float64 {
	from, to := a.marks[a.state.Stretch], a.marks[a.state.Stretch+1]
	if k == int64(1)<<a.state.Level {
		return to
	}
	return from + (to-from)*(float64(k)/float64(int64(1)<<a.state.Level))
}

// half is the length of a step of the present pair, middle the time between its two.
func (a *Adaptive) half() float64 {
	return a.length(a.state.Stretch) / float64(int64(2)<<a.state.Level)
}
func (a *Adaptive) middle() float64 {
	return a.marks[a.state.Stretch] + a.length(a.state.Stretch)*(float64(2*a.state.At+1)/float64(int64(2)<<a.state.Level))
}

// try makes the pair twice, the coarse step first unless it is known, and returns its
// error e; the stepper is at the end of the fine one.
func (a *Adaptive) try(ctx context.Context, known bool) (e float64, err error) {
	h, end := a.half(), a.time(a.state.At+1)
	if !known {
		err := beside(a.v, func() error { return a.advance(ctx, 2*h, end, a.slots[2]) })
		if err != nil {
			return math.Inf(1), err
		}
		if err := a.v.Return(a.slots[0]); err != nil {
			return math.Inf(1), err
		}
	}
	a.sums = a.v.Creations().sums(a.sums)
	if err := a.advance(ctx, h, a.middle(), a.slots[1]); err != nil {
		return math.Inf(1), err
	}
	a.open = append(a.open[:0], slackOf(a.v, a.slack)...)
	loosening, comes := a.v.(Loosening)
	if a.loose = a.loose[:0]; comes {
		a.loose = loosening.Loosened(a.loose)
	}
	a.state.Stats.Rejected++
	if err := a.v.Advance(ctx, h, end); err != nil {
		return math.Inf(1), err
	}
	a.rates[0].take(a.v)
	if comes {
		a.loose = loosening.Loosened(a.loose)
	}
	a.slack = slackOf(a.v, a.slack)
	for p, x := range a.slack {
		if max(x, a.open[p]) > a.o.Accuracy*a.state.Extents[p] {
			return math.Inf(1), nil // of what both runs step over they agree
		}
	}
	a.parts = a.v.Distances(a.parts, a.slots[2])
	for p, d := range a.parts {
		if x := ratio(d, a.state.Extents[p]); x > e {
			e, a.farthest = x, p
		}
	}
	if x := a.v.Creations().since(a.sums, a.state.Energy); x > e {
		e, a.farthest = x, -1
	}
	return e / a.o.Accuracy, nil
}

// advance makes a step and keeps its end.
func (a *Adaptive) advance(ctx context.Context, h, t float64, slot int) error {
	a.state.Stats.Rejected++ // until it is kept
	if err := a.v.Advance(ctx, h, t); err != nil {
		return err
	}
	a.v.Keep(slot)
	if slot == a.slots[1] {
		a.rates[1].take(a.v)
	} else {
		a.rates[2].take(a.v)
	}
	return nil
}

// keep goes back to the middle of the pair, which is kept.
func (a *Adaptive) keep(e float64, grow bool) error {
	a.state.Spent += e
	a.state.Pace = math.Sqrt(e) * (a.o.Until / profiles) / (2 * a.half())
	for p, d := range a.parts {
		a.state.Sum[p] += d
	}
	a.v.Keep(a.slots[2])
	if err := a.v.Return(a.slots[1]); err != nil {
		return err
	}
	a.state.Half, a.state.Grow, a.ended = true, grow, true
	a.state.Stats.Rejected -= 2
	a.count()
	return nil
}

// second goes to the end of the pair, or makes its second half after a checkpoint.
func (a *Adaptive) second(ctx context.Context) error {
	err := error(nil)
	if a.ended {
		err = a.v.Return(a.slots[2])
	} else {
		err = a.v.Advance(ctx, a.half(), a.time(a.state.At+1))
	}
	if err != nil {
		return err
	}
	a.state.Half, a.ended = false, false
	a.count()
	whole, end := 2*a.half(), a.time(a.state.At+1)
	a.state.At++
	switch {
	case a.ends() && !a.Done():
		longest := whole
		if a.state.Grow {
			longest *= 2
		}
		a.enter(a.state.Stretch+1, longest)
	case a.state.Grow && a.state.At%2 == 0 && a.state.Level > a.coarsest(a.state.Stretch):
		a.state.Level, a.state.At = a.state.Level-1, a.state.At/2
	}
	if a.twin == nil {
		return nil
	}
	return a.twin.compare(ctx, [twins]float64{whole, whole}, end)
}

// watch puts a twin beside the run, which is at its start.
func (a *Adaptive) watch() {
	if v, ok := a.v.(Doubling); ok {
		a.twin = openDoubled(v, a.o.Until, 0)
		a.twin.keep()
	}
}

// Doubled is what runs beside the steps; nil: the stepper is no [Doubling].
func (a *Adaptive) Doubled() *Doubled { return a.twin }

// Watch goes on from a checkpoint of [Adaptive.Doubled].
func (a *Adaptive) Watch(s *DoubledState) (err error) {
	if v, ok := a.v.(Doubling); ok && s != nil {
		a.twin, err = ResumeDoubled(v, a.o.Until, 0, s)
	}
	return err
}

// count counts a step that is kept.
func (a *Adaptive) count() {
	h, s := a.half(), &a.state.Stats
	end := a.time(a.state.At + 1)
	if a.state.Half {
		end = a.middle()
	}
	if s.Accepted++; s.Accepted == 1 || h < s.Least {
		s.Least = h
	}
	s.Most = max(s.Most, h)
	if a.twin != nil {
		a.twin.state.Steps++
		a.twin.see(end)
	}
	a.state.Moved = a.ways.see(a.v, a.state.Moved)
	a.fit()
	a.tell(end, h)
}

// fit makes room for pairs that have met for the first time: the run does not know yet how far they
// will go, and takes the way of what goes farther of the two.
func (a *Adaptive) fit() {
	s := &a.state
	n := a.ways.count(s.Moved)
	if n == len(s.Extents) {
		return
	}
	parts := partsOf(a.v, n)
	s.Extents, s.Still = byPairs(s.Extents, parts), byPairs(s.Still, parts)
	lengthen(&s.Sum, n)
}

func partName(names []string, p int) string {
	if p < len(names) {
		return names[p]
	}
	return fmt.Sprintf("part %d", p)
}

// place says by how much a part is off, at a time, and of what: turns are angles.
func place(v Variable, names []string, p int, off float64, at string, of float64) string {
	if d, ok := v.(Doubling); ok && p >= len(names) {
		names = d.PartNames()
	}
	unit := "m"
	if arm := partsOf(v, p+1)[p].Arm; arm > 0 {
		off, of, unit = off/arm, of/arm, "rad"
	}
	return fmt.Sprintf("%s: %.3g %s%s, of %.3g %s", partName(names, p), off, unit, at, of, unit)
}

// otherSteps is what may help where the steps that were chosen do not.
const otherSteps = "a less strict accuracy, softer contacts, or a number of steps and the change at half of them"

// ChosenError is the name of what [Adaptive.Measures] says.
const ChosenError = "error of the trajectory, estimated by halved steps"

// Measures says what the trajectory is worth: the sum of its estimated errors, of how far
// the worst part moved. That of the energy is in [Creation.Measures]. Of equal steps the twin says it
// alone, see [Adaptive.evenly].
func (a *Adaptive) Measures() []Measure {
	limit := cmp.Or(a.o.Asked, a.o.Accuracy)
	if a.state.Even > 0 {
		return a.twin.Measures(limit)
	}
	m := Measure{Name: ChosenError, Limit: limit, Unit: "-", Basis: Estimated}
	moved, far := a.ways.least(a.v, a.state.Moved), a.ways.far(a.v, a.state.Moved)
	worst, least, still := 0, floors(a.v, moved), a.rests(limit)
	of := func(p int) float64 { return max(moved[p], still[p], least[p], farRounding*far[p]/limit) }
	for p, sum := range a.state.Sum {
		if x := ratio(sum, of(p)); x > m.Value {
			m.Value, worst = x, p
		}
	}
	if len(a.state.Sum) > 0 {
		m.Place = fmt.Sprintf("%s, in %d steps of %.3g s to %.3g s", place(a.v, a.o.Names, worst, a.state.Sum[worst], "", of(worst)),
			a.state.Stats.Accepted, a.state.Stats.Least, a.state.Stats.Most)
	}
	if !m.Passed() {
		m.Remedy = otherSteps
	}
	if a.twin == nil {
		return []Measure{m}
	}
	return append([]Measure{m}, a.twin.Measures(limit)...)
}

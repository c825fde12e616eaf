package friction

import (
	"errors"
	"fmt"
	"math"
)

// Search finds the friction that belongs to the slip that it leads to. Laws of contact have one μ a
// step; what a step solves is the fixed point
//
//	μ = law(‖u_T‖),  u = W r(μ) + b,
//
// by Anderson's acceleration: for one contact the secant method, for the plain iteration contracts by
// r_N L W_TT wherever the step has one solution, see the package page. At rest a law may jump, and a
// contact that could stick and slide goes on as before: what was stuck is tried to stick, with μ(0),
// and slides if that does not hold; what slid slides, and if that turns it round it is tried to
// stick, if its slip has passed through zero. Each is tried once, so that the rounds end.
//
// Where friction of a slip turns round in a step what friction at rest would hold, the force that is needed at
// rest is between the two: there a slip u has u̇ = −W(T₀ + μN u/‖u‖) with ‖T₀‖ > μN, which leads away from zero
// but along one line, that of T₀. A motion along a line, as all are in the plane, comes to zero, and is held. In
// space one that misses zero, by ever so little, slides on, the other way; and what a step has brought to rest, of
// a slip that was not along a line, rests in the next one if friction of a slip holds it.
//
// What sticks may sway where the step begins, see [Sway]. It is held as long as its slip is no more than
// that, and what a sway along the normal adds, see [Lift], by μ(0) on its bound: friction at rest takes the
// sway, of which a law that jumps would make a slip that stays.
//
// A friction that rises from next to nothing at rest, as a ln v, makes the fixed point in μ next to
// singular: there the rounds are Newton's in ln v, see creep.go.
//
// Each round is [Search.See] for all contacts, then [Search.Next].
type Search struct {
	rounds Rounds // of μ
	tries  []try
	steep  []float64
	creeps bool // friction of some creeps
}

// try is a contact.
type try struct {
	law Law
	Start
	phase phase
	gain  float64    // −dv/dμ, see [Search.Gain] [m/s]
	last  [2]float64 // μ and speed of the last round; zero: it stuck
}

// phase is what a contact is tried to do.
type phase uint8

const (
	goes   phase = iota // on, as before
	held                // by μ(0)
	yields              // as it could not be held
)

// Clear leaves no contacts.
func (s *Search) Clear() {
	s.tries, s.creeps = s.tries[:0], false
	s.rounds.Clear()
}

// Start is what a contact did before the step.
type Start struct {
	Slip  [2]float64 // at the beginning of the step, zero where that is rounding; or sway of what stuck [m/s]
	Lift  Lift       // of what stuck
	Stuck bool       // in the step before …
	Loose bool       // … in which it came to rest, but not along a line
	Reach float64    // what misses zero by no more than this comes to it [m/s]
}

// Add adds a contact.
func (s *Search) Add(law Law, start Start) {
	_, creeps := law.(creep)
	s.creeps = s.creeps || creeps
	speed := math.Hypot(start.Slip[0], start.Slip[1])
	start.Stuck = !start.Loose && (start.Stuck || speed == 0)
	t := try{law: law, Start: start}
	switch {
	case start.Loose:
		t.Slip, speed = [2]float64{}, max(start.Reach, math.SmallestNonzeroFloat64)
	case start.Stuck:
		t.phase, speed = held, 0
	}
	s.tries = append(s.tries, t)
	s.rounds.Add(law.Mu(speed))
}

// Misses reports whether a slip that becomes another one, evenly, misses zero.
func (x *Start) Misses(slip [2]float64) bool {
	along := [2]float64{slip[0] - x.Slip[0], slip[1] - x.Slip[1]}
	return math.Abs(x.Slip[0]*along[1]-x.Slip[1]*along[0]) > x.Reach*math.Hypot(along[0], along[1])
}

// Open begins the rounds.
func (s *Search) Open() { s.rounds.Open() }

// Len returns the number of contacts.
func (s *Search) Len() int { return len(s.tries) }

// Mu returns μ of contact n in the present round.
func (s *Search) Mu(n int) float64 { return s.rounds.At(n) }

// Held reports whether contact n was stuck at the beginning of the step, and whether it could be held.
func (s *Search) Held(n int) (stuck, holds bool) {
	if _, creeps := s.tries[n].law.(creep); creeps {
		return false, true // it goes over from one to the other
	}
	return s.tries[n].Stuck, s.tries[n].phase != yields
}

// Sways reports whether contact n is held, though it slips, by the sway with which the step begins, see [IsSway].
func (s *Search) Sways(n int, slip [2]float64) bool {
	t := &s.tries[n]
	if _, creeps := t.law.(creep); creeps {
		return false
	}
	return t.Stuck && IsSway(slip, t.sway(slip))
}

// sway is that along the surface of what stuck, with what that along the normal adds to a slip.
func (x *try) sway(slip [2]float64) [2]float64 {
	if speed := math.Hypot(slip[0], slip[1]); speed > 0 {
		along := [2]float64{slip[0] / speed, slip[1] / speed}
		more := x.Lift.Slips(x.law.Mu(0), along)
		return [2]float64{x.Slip[0] + more*along[0], x.Slip[1] + more*along[1]}
	}
	return x.Slip
}

// Beyond is by how much a slip of contact n is more than what its sway leaves [m/s].
func (s *Search) Beyond(n int, slip [2]float64) float64 {
	speed, t := math.Hypot(slip[0], slip[1]), &s.tries[n]
	if !t.Stuck || speed == 0 {
		return speed
	}
	sway := t.sway(slip)
	return speed - max(0, slip[0]*sway[0]+slip[1]*sway[1])/speed
}

// See takes what contact n does with its μ: whether it slides, its force normal and along the surface,
// in units of the cone of μ = 1, and its slip.
func (s *Search) See(n int, slides bool, normal, along float64, slip [2]float64) {
	t, mu := &s.tries[n], s.rounds.At(n)
	speed := math.Hypot(slip[0], slip[1])
	if l, creeps := t.law.(creep); creeps {
		next, off := t.creep(l, mu, slides, normal, along, speed)
		s.rounds.See(n, next, off*normal)
		return
	}
	next := mu
	switch {
	case slides && t.phase == held && s.Sways(n, slip):
	case slides && t.phase == held:
		t.phase, next = yields, t.law.Mu(speed)
		s.rounds.Change()
	case slides && t.phase == goes && slip[0]*t.Slip[0]+slip[1]*t.Slip[1] < 0 && !t.Misses(slip):
		t.phase, next = held, t.law.Mu(0)
		s.rounds.Change()
	case slides:
		next = t.law.Mu(speed)
	case along > t.law.Mu(0)*normal:
		next = t.law.Mu(0)
	}
	s.rounds.See(n, next, math.Abs(next-mu)*normal)
}

// Unfound is the error of a step whose search is lost, of a share.
func Unfound(share float64) error {
	if share >= 1 {
		return Several(share)
	}
	return errors.New("friction that depends on speed has not found its slip: a smaller step helps")
}

// Several is the error of a step of a share from 1 on.
func Several(share float64) error {
	return fmt.Errorf("friction falls so steeply with speed that the step has several solutions: r_N |dμ/dv| W_TT is %.4g, want less than 1; it falls with the step but for the dampers of patches, which have to be above N |dμ/dv|",
		share)
}

// Next ends a round: what friction is off by, of a size of forces, is at most goal, or accept where it
// does not fall any more.
func (s *Search) Next(size, goal, accept float64) (Outcome, float64) {
	return s.rounds.Next(size, goal, accept, s.creeps)
}

// Bounding is μ of a contact by its forces, in units of the cone of μ = 1, and its speed of slip: that
// of rest unless it slides, with its force on the cone of that speed.
func Bounding(l Law, normal, along, speed float64) float64 {
	if mu := l.Mu(speed); along >= mu*normal*(1-onCone) {
		return mu
	}
	return l.Mu(0)
}

// onCone is the share of a cone that is on it: tolerance of solvers.
const onCone = 1e-6

// Coupling is what [Search.Share] asks of a contact problem: for contact n of the search the norms of
// the tangential parts of its row of W with all contacts, each with the normal force and the largest
// μ of the other one, and its place in the search, −1 for others.
type Coupling func(n int, visit func(other int, norm, normal, most float64))

// Steepness is the normal force of contact n of the search times L, as the last [Search.Share] had it [N s/m].
func (s *Search) Steepness(n int) float64 { return s.steep[n] }

// Share bounds the eigenvalues of D W_TT, see the package page: L is the largest of all speeds that a
// contact may have under friction between none and twice the most. What was stuck and sticks goes on
// as before. state returns its normal force, its slip, and whether it slides.
func (s *Search) Share(row Coupling, state func(n int) (normal float64, slip [2]float64, slides bool)) (share float64) {
	s.steep = s.steep[:0]
	for n := range s.tries {
		t := &s.tries[n]
		normal, slip, slides := state(n)
		if t.Stuck && (!slides || s.Sways(n, slip)) {
			s.steep = append(s.steep, 0)
			continue
		}
		by, speed := 0.0, math.Hypot(slip[0], slip[1])
		row(n, func(_ int, norm, normal, most float64) { by += 2 * norm * most * normal })
		s.steep = append(s.steep, normal*t.law.Weakening(max(0, speed-by), speed+by))
	}
	for n, d := range s.steep {
		sum := 0.0
		if d > 0 {
			row(n, func(other int, norm, _, _ float64) {
				if other >= 0 {
					sum += norm * s.steep[other]
				}
			})
		}
		share = max(share, sum)
	}
	return share
}

package friction

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/anderson"
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
// stick, as its slip has passed through zero. Each is tried once, so that the rounds end.
//
// A friction that rises from next to nothing at rest, as a ln v, makes the fixed point in μ next to
// singular: there the rounds are Newton's in ln v, see creep.go.
//
// Each round is [Search.See] for all contacts, then [Search.Next].
type Search struct {
	tries   []try
	mu      []float64
	next    []float64 // of the slip that mu leads to
	mixer   accelerator
	off     float64 // largest of the round [N or N s]
	changed bool    // in the round a contact is tried to do something else
	left    int     // rounds
	least   float64 // off
	stalled int     // rounds in which it has not been halved
	steep   []float64
	creeps  bool // friction of some creeps
}

// accelerator mixes the rounds.
type accelerator interface {
	Resize(n int)
	Reset()
	Next(x, g []float64)
}

// try is a contact.
type try struct {
	law   Law
	start [2]float64 // slip at the beginning of the step [m/s]
	stuck bool       // there
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

const (
	rounds = 60 // each contact of a few is tried twice, and the secants of the rest take five
	// stall rounds in which the error has not been halved: what is left is that of the solver.
	stall = 8
)

// Clear leaves no contacts.
func (s *Search) Clear() { s.tries, s.mu, s.creeps = s.tries[:0], s.mu[:0], false }

// Add adds a contact with its slip at the beginning of the step, zero where that is rounding; stuck:
// it stuck in the step before.
func (s *Search) Add(law Law, start [2]float64, stuck bool) {
	_, creeps := law.(creep)
	s.creeps = s.creeps || creeps
	t := try{law: law, start: start, stuck: stuck || start == [2]float64{}}
	speed := math.Hypot(start[0], start[1])
	if t.stuck {
		t.phase, speed = held, 0
	}
	s.tries, s.mu = append(s.tries, t), append(s.mu, law.Mu(speed))
}

// Open begins the rounds.
func (s *Search) Open() {
	n := len(s.tries)
	if cap(s.next) < n {
		s.next = make([]float64, n)
	}
	s.next = s.next[:n]
	if s.mixer == nil {
		s.mixer = new(anderson.Mixer)
	}
	s.mixer.Resize(n)
	s.mixer.Reset()
	s.left, s.least, s.stalled, s.off, s.changed = rounds+2*n, math.Inf(1), 0, 0, false
}

// Len returns the number of contacts.
func (s *Search) Len() int { return len(s.tries) }

// Mu returns μ of contact n in the present round.
func (s *Search) Mu(n int) float64 { return s.mu[n] }

// Held reports whether contact n was stuck at the beginning of the step, and whether it could be held.
func (s *Search) Held(n int) (stuck, holds bool) {
	if _, creeps := s.tries[n].law.(creep); creeps {
		return false, true // it goes over from one to the other
	}
	return s.tries[n].stuck, s.tries[n].phase != yields
}

// See takes what contact n does with its μ: whether it slides, its force normal and along the surface,
// in units of the cone of μ = 1, and its slip.
func (s *Search) See(n int, slides bool, normal, along float64, slip [2]float64) {
	t, x := &s.tries[n], &s.next[n]
	speed := math.Hypot(slip[0], slip[1])
	if l, creeps := t.law.(creep); creeps {
		next, off := t.creep(l, s.mu[n], slides, normal, along, speed)
		*x = next
		s.off = max(s.off, off*normal)
		return
	}
	switch *x = s.mu[n]; {
	case slides && t.phase == held:
		t.phase, *x, s.changed = yields, t.law.Mu(speed), true
	case slides && t.phase == goes && slip[0]*t.start[0]+slip[1]*t.start[1] < 0:
		t.phase, *x, s.changed = held, t.law.Mu(0), true
	case slides:
		*x = t.law.Mu(speed)
	case along > t.law.Mu(0)*normal:
		*x = t.law.Mu(0)
	}
	s.off = max(s.off, math.Abs(*x-s.mu[n])*normal)
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
	return fmt.Errorf("friction falls so steeply with speed that the step has several solutions: r_N |dμ/dv| W_TT is %.4g, want less than 1; it falls with the step but for the dampers of patches, which have to be above N |dμ/dv|", share)
}

// Outcome is what a round ends with.
type Outcome int

// The outcomes.
const (
	Again Outcome = iota // there is another round
	Found
	Lost // no rounds are left
)

// Next ends a round: what friction is off by, of a size of forces, is at most goal, or accept where it
// does not fall any more.
func (s *Search) Next(size, goal, accept float64) (Outcome, float64) {
	off, changed := 0.0, s.changed
	if size > 0 {
		off = s.off / size
	}
	s.off, s.changed = 0, false
	if s.stalled++; changed || off <= s.least/2 {
		s.least, s.stalled = off, 0
	}
	if !changed && (off <= goal || off <= accept && s.stalled >= stall) {
		return Found, off
	}
	if s.left--; s.left <= 0 {
		return Lost, off
	}
	if changed || s.creeps {
		copy(s.mu, s.next)
		s.mixer.Reset()
	} else {
		s.mixer.Next(s.mu, s.next)
	}
	return Again, off
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

// Share bounds the eigenvalues of D W_TT, see the package page: L is the largest of all speeds that a
// contact may have under friction between none and twice the most. What was stuck and sticks goes on
// as before. state returns its normal force, its speed, and whether it slides.
func (s *Search) Share(row Coupling, state func(n int) (normal, speed float64, slides bool)) (share float64) {
	s.steep = s.steep[:0]
	for n := range s.tries {
		t := &s.tries[n]
		normal, speed, slides := state(n)
		if t.stuck && !slides {
			s.steep = append(s.steep, 0)
			continue
		}
		by := 0.0
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

package friction

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/anderson"
)

// Rounds are those of a fixed point x = G(x) of numbers that are not negative, by Anderson's
// acceleration: for one number the secant method. Each round is [Rounds.See] for all numbers, then
// [Rounds.Next].
type Rounds struct {
	x, next []float64
	mixer   accelerator
	off     float64 // largest of the round
	changed bool    // G is another function from this round on
	left    int     // rounds
	least   float64 // off
	stalled int     // rounds in which it has not been halved
}

// accelerator mixes the rounds.
type accelerator interface {
	Resize(n int)
	Reset()
	Next(x, g []float64)
}

// Outcome is what a round ends with.
type Outcome int

// The outcomes.
const (
	Again Outcome = iota // there is another round
	Found
	Lost // no rounds are left
)

// Clear leaves no numbers.
func (s *Rounds) Clear() { s.x = s.x[:0] }

// Add adds a number with its first guess.
func (s *Rounds) Add(guess float64) { s.x = append(s.x, guess) }

// Open begins the rounds, at most 60 and two for each number: each contact of a few is tried to do
// something else twice, and the secants of the rest take five.
func (s *Rounds) Open() {
	n := len(s.x)
	if cap(s.next) < n {
		s.next = make([]float64, n)
	}
	s.next = s.next[:n]
	if s.mixer == nil {
		s.mixer = new(anderson.Mixer)
	}
	s.mixer.Resize(n)
	s.mixer.Reset()
	s.left, s.least, s.stalled, s.off, s.changed = 60+2*n, math.Inf(1), 0, 0, false
}

// Len returns how many numbers there are.
func (s *Rounds) Len() int { return len(s.x) }

// At returns number n in the present round.
func (s *Rounds) At(n int) float64 { return s.x[n] }

// See takes what number n leads to, and what it is off by, as a force or an impulse.
func (s *Rounds) See(n int, next, off float64) {
	s.next[n] = next
	s.off = max(s.off, off)
}

// Change says that G is another function from the next round on.
func (s *Rounds) Change() { s.changed = true }

// Next ends a round: what it is off by, of a size, is at most goal, or accept where it has not been
// halved for eight rounds: what is left is that of the solver. plain rounds are not accelerated.
func (s *Rounds) Next(size, goal, accept float64, plain bool) (Outcome, float64) {
	off, changed := 0.0, s.changed
	if size > 0 {
		off = s.off / size
	}
	s.off, s.changed = 0, false
	if s.stalled++; changed || off <= s.least/2 {
		s.least, s.stalled = off, 0
	}
	if !changed && (off <= goal || off <= accept && s.stalled >= 8) {
		return Found, off
	}
	if s.left--; s.left <= 0 {
		return Lost, off
	}
	if changed || plain {
		copy(s.x, s.next)
		s.mixer.Reset()
	} else {
		s.mixer.Next(s.x, s.next)
	}
	return Again, off
}

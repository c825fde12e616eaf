package signal

import (
	"errors"
	"math"
)

// Turned is what a place moves along an axis that turns about another one by an angle θ(t),
//
//	across (cos θ − 1) + along sin θ,
//
// with the component of its arm across the axis of the turn, and that of the way at its begin, axis × arm.
type Turned struct {
	across, along float64
	angle         Scalar
}

// NewTurned takes both components [m] and the angle [rad]. It fails where they can overflow.
func NewTurned(across, along float64, angle Scalar) (*Turned, error) {
	s := &Turned{across, along, angle}
	if at, rate := s.bound(); angle == nil || !finite(at) || math.IsNaN(rate) || !math.IsInf(fastest(angle), 1) && !finite(rate) {
		return nil, errors.New("signal: what turns can overflow")
	}
	return s, nil
}

// At returns the displacement; 1 − cos θ without cancellation.
func (s *Turned) At(t float64) float64 {
	angle := s.angle.At(t)
	half := math.Sin(angle / 2)
	return s.along*math.Sin(angle) - 2*s.across*half*half
}

// Rate returns its derivative.
func (s *Turned) Rate(t float64) float64 {
	sin, cos := math.Sincos(s.angle.At(t))
	return (s.along*cos - s.across*sin) * s.angle.Rate(t)
}

// Breaks appends the kinks of the angle.
func (s *Turned) Breaks(dst []float64, t0, t1 float64) []float64 {
	return mergeBreaks(dst, []Scalar{s.angle}, t0, t1)
}

func (s *Turned) bound() (at, rate float64) {
	arm := math.Hypot(s.across, s.along)
	at, rate = 2*arm, arm*fastest(s.angle)
	if b, ok := s.angle.(bounded); ok {
		most, _ := b.bound()
		at = min(at, arm*most)
	}
	if arm == 0 {
		rate = 0
	}
	return at, rate
}

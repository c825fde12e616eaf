package signal

import (
	"fmt"
	"math"
)

// Sine is offset + amplitude·sin(2π·frequency·t + phase), phase in radians.
type Sine struct {
	offset, amplitude, frequency, phase float64
}

// NewSine fails for data that are not finite and for a value or a rate
// 2π·frequency·amplitude that overflows.
func NewSine(offset, amplitude, frequency, phase float64) (*Sine, error) {
	s := &Sine{offset, amplitude, frequency, phase}
	for _, p := range []struct {
		name  string
		value float64
	}{{"offset", offset}, {"amplitude", amplitude}, {"frequency", frequency}, {"phase", phase}} {
		if !finite(p.value) {
			return nil, fmt.Errorf("signal: sine: %s %v is not finite", p.name, p.value)
		}
	}
	if at, rate := s.bound(); !finite(at) || !finite(rate) {
		return nil, fmt.Errorf("signal: sine: amplitude %v with offset %v and frequency %v overflows", amplitude, offset, frequency)
	}
	return s, nil
}

// angle is 2π·(frequency·t mod 1) + phase. Removing whole cycles before the
// multiplication by 2π is exact and makes the signal periodic to the last bit.
func (s *Sine) angle(t float64) float64 {
	cycles := s.frequency * t
	if math.IsInf(cycles, 0) {
		return s.phase // beyond 2⁵² every number of cycles is whole
	}
	_, part := math.Modf(cycles)
	return 2*math.Pi*part + s.phase
}

// At returns the value.
func (s *Sine) At(t float64) float64 {
	return s.offset + s.amplitude*math.Sin(s.angle(t))
}

// Rate returns 2π·frequency·amplitude·cos(2π·frequency·t + phase).
func (s *Sine) Rate(t float64) float64 {
	return 2 * math.Pi * s.frequency * s.amplitude * math.Cos(s.angle(t))
}

func (s *Sine) bound() (at, rate float64) {
	// The order of the factors is that of Rate, so that neither overflows before the other.
	return math.Abs(s.offset) + math.Abs(s.amplitude), math.Abs(2 * math.Pi * s.frequency * s.amplitude)
}

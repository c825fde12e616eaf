package rigid

import "slices"

// Mode says how the last part of a step was taken, beyond its options: the equations that its files
// satisfy depend on it. It is a sum.
type Mode uint8

// The modes.
const (
	ModeImplicit Mode = 1 << iota // α = γ = 1 in place of smaller ones, see [Options.Alpha]
	ModeHalf                      // … but γ = ½
	ModeStraight                  // gaps are linear, as the rounds of their curvature do not end
	ModePlain                     // gaps of some contacts are, as with their curvature they would make energy
	modesEnd
)

// Valid reports whether m is the mode of some step.
func (m Mode) Valid() bool { return m < modesEnd && (m&ModeHalf == 0 || m&ModeImplicit != 0) }

// weights are the α and γ of a step.
func (m Mode) weights(o *Options) (alpha, gamma float64) {
	switch {
	case m&ModeHalf != 0:
		return 1, 0.5
	case m&ModeImplicit != 0:
		return 1, 1
	}
	return o.Alpha, o.Gamma
}

// taken is the mode of the trial.
func (s *scheme) taken() (m Mode) {
	if s.alpha == 1 && s.mode.alpha < 1 {
		if m = ModeImplicit; s.gamma < 1 {
			m |= ModeHalf
		}
	}
	if s.straight {
		m |= ModeStraight
	}
	if slices.ContainsFunc(s.curves, func(b curve) bool { return b.on && b.plain }) {
		m |= ModePlain
	}
	return m
}

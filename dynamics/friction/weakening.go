package friction

import (
	"fmt"
)

// Stateful is friction with a state of a contact, which steps take along.
type Stateful interface {
	Law
	// State is that of a contact in the files of a run, > 0: itself, or for 0 that of what begins to touch.
	State(state float64) float64
	// In returns the friction in a step of h [s] of a contact of a state.
	In(state, h float64) Law
	// After returns the state after a time [s] at a speed of slip.
	After(state, speed, time float64) float64
	// Lasts reports whether a closed contact keeps its state while it bears no force: what is open has
	// none.
	Lasts() bool
}

var (
	_ Stateful = Ageing{}
	_ Stateful = Weakening{}
)

// Weakening is friction over what a contact has slipped, whichever way: linear between Ways that rise
// from 0, and constant beyond, as of slip weakening and hardening [Ida72]. Its state is
//
//	σ = S + s,  ds/dt = ‖u_T‖,
//
// with S the last of the ways: zero is that of no contact, and an error of σ is relative to the way that
// matters. In a step of h from s friction is that of its middle, μ(s + hv/2), implicit in v: it falls
// with v by h/2 of what it falls with s, and the step has one solution as of laws over speed.
//
// [Ida72] Y. Ida, Cohesive force across the tip of a longitudinal-shear crack and Griffith's specific
// surface energy, J. Geophys. Res. 77 (1972).
type Weakening struct {
	Ways         []float64 // [m]
	Coefficients []float64 // [-]
}

// weakened is that of a contact in a step.
type weakened struct {
	table Table   // over the way
	slip  float64 // at the beginning of the step [m]
	half  float64 // of the step [s]
}

func (l Weakening) last() float64 { return l.Ways[len(l.Ways)-1] }

// State implements [Stateful].
func (l Weakening) State(state float64) float64 { return max(state, l.last()) }

// In implements [Stateful].
func (l Weakening) In(state, h float64) Law {
	return weakened{Table{l.Ways, l.Coefficients}, l.State(state) - l.last(), h / 2}
}

// After implements [Stateful].
func (l Weakening) After(state, speed, time float64) float64 { return l.State(state) + speed*time }

// Lasts implements [Stateful]: of the corners of a face one may bear nothing for a while, and has slipped
// all the same.
func (l Weakening) Lasts() bool { return true }

// Mu implements [Law]: that of what has not slipped.
func (l Weakening) Mu(float64) float64 { return l.Coefficients[0] }

// Weakening implements [Law]: without a step no speed changes what has slipped.
func (l Weakening) Weakening(_, _ float64) float64 { return 0 }

// Bounds implements [Law].
func (l Weakening) Bounds() (least, most float64) { return Table{l.Ways, l.Coefficients}.Bounds() }

// Validate implements [Law].
func (l Weakening) Validate() error {
	if len(l.Ways) < 2 || len(l.Ways) != len(l.Coefficients) || l.Ways[0] != 0 {
		return fmt.Errorf("found ways %v, want at least two, the first one 0", l.Ways)
	}
	for k, s := range l.Ways {
		if k > 0 && !(s > l.Ways[k-1]) {
			return fmt.Errorf("found the way %g behind %g, want ways that rise", s, l.Ways[k-1])
		}
		if x := l.Coefficients[k]; !(x >= 0 && x <= most) {
			return fmt.Errorf("found the coefficient %g, want a number from 0 to %g", x, float64(most))
		}
	}
	return nil
}

// Mu implements [Law].
func (l weakened) Mu(speed float64) float64 { return l.table.Mu(l.slip + l.half*speed) }

// Weakening implements [Law].
func (l weakened) Weakening(from, to float64) float64 {
	return l.half * l.table.Weakening(l.slip+l.half*from, l.slip+l.half*to)
}

// Bounds implements [Law].
func (l weakened) Bounds() (least, most float64) { return l.table.Bounds() }

// Validate implements [Law].
func (l weakened) Validate() error { return Weakening{l.table.Speeds, l.table.Coefficients}.Validate() }

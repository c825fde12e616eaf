package events

import "fmt"

// Regime is what a contact does between two events.
type Regime int8

// The regimes. A contact without friction that is closed sticks: it has no tangent.
const (
	Open Regime = iota
	Stick
	SlipForward  // along the tangent
	SlipBackward // against it
)

var regimeNames = [...]string{"open", "stick", "slip+", "slip-"}

// String returns "open", "stick", "slip+" or "slip-".
func (r Regime) String() string {
	if r < 0 || int(r) >= len(regimeNames) {
		return fmt.Sprintf("Regime(%d)", int8(r))
	}
	return regimeNames[r]
}

// direction is the sign of the velocity of slip, 0 for the others.
func (r Regime) direction() int {
	switch r {
	case SlipForward:
		return 1
	case SlipBackward:
		return -1
	}
	return 0
}

// Event is a change of regime.
type Event[T any] struct {
	Time     T      // [s]
	Contact  int    // by number
	From, To Regime // regimes before and after
}

package friction

import "fmt"

// Jump has one coefficient for what sticks and a smaller one for what slides.
type Jump struct{ Static, Kinetic float64 }

var _ Law = Jump{}

// Mu implements [Law].
func (l Jump) Mu(speed float64) float64 {
	if speed > 0 {
		return l.Kinetic
	}
	return l.Static
}

// Weakening implements [Law].
func (l Jump) Weakening(_, _ float64) float64 { return 0 }

// Bounds implements [Law].
func (l Jump) Bounds() (least, most float64) { return l.Kinetic, l.Static }

// Validate implements [Law].
func (l Jump) Validate() error { return falls(l.Static, l.Kinetic) }

// falls objects to a friction that is larger in motion: between the two a contact could neither
// stick nor slide.
func falls(static, kinetic float64) error {
	if !(kinetic >= 0 && static >= kinetic && static <= most) {
		return fmt.Errorf("found \"static\" %g and \"kinetic\" %g, want 0 <= kinetic <= static <= %g; what rises with speed is a table of \"speeds\" and \"mu\"",
			static, kinetic, most)
	}
	return nil
}

// most is the largest coefficient, that of the case format [-].
const most = 1e6

package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// brokenStart is a velocity at the start that joints do not admit. The first step takes the part of
// it that breaks them,
//
//	½‖v‖²_M − ½‖v − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹Gv‖²_M,
//
// whatever its length: no number of steps mends that.
type brokenStart struct {
	joint int     // the one that is broken most
	speed float64 // |Gv| of it [m/s, rad/s]
	taken float64 // [J]; 0: joints admit the velocity
	share float64 // of the kinetic energy
}

// brokenSpeed is rounding of typed digits, over the largest velocity.
const brokenSpeed = 1e-9

// openBroken looks at the velocities at the start; the joints are prepared for its places.
func (s *accounts) openBroken() {
	if len(s.model.Rows) == 0 {
		return
	}
	x, most := brokenStart{}, 0.0
	for _, v := range s.v {
		most = max(most, math.Abs(v))
	}
	for c := range s.inv {
		inv := &s.inv[c]
		for r, row := range s.model.Components[c].Rows {
			if speed := math.Abs(inv.Bands[r].Rate(s.gather(c, s.v))); speed > x.speed {
				x.speed, x.joint = speed, s.model.Rows[row].Joint
			}
		}
	}
	if !(x.speed > brokenSpeed*most) {
		return
	}
	held := append([]float64(nil), s.v...)
	s.holdAll(held)
	if x.taken = s.kinetic(s.v) - s.kinetic(held); x.taken > 0 {
		x.share = x.taken / s.kinetic(s.v)
		s.broken = x
	}
}

// startBreaks reports whether the present step is the first, and joints do not admit its velocity.
func (s *accounts) startBreaks() bool {
	return s.broken.taken > 0 && s.t == 0 && s.o.Scheme == Secant // the other oscillates in the paper
}

// StartBreaks says which joint does not admit the velocity at the start, and what that takes, of the
// kinetic energy [-]; the text is empty where all do, and for the scheme of the paper, which goes on
// with it.
func (s *Stepper) StartBreaks() (text string, joint int, share float64) {
	if s.broken.taken > 0 && s.o.Scheme == Secant {
		return s.broken.remedy(s.model), s.broken.joint, s.broken.share
	}
	return "", 0, 0
}

// remedy is what mends it.
func (x *brokenStart) remedy(m *multibody.Model) string {
	return fmt.Sprintf("the velocity at the start breaks %s by %.3g m/s or rad/s, and %.3g J of it vanish, however short the steps are: give one that the joints admit",
		m.JointName(x.joint), x.speed, x.taken)
}

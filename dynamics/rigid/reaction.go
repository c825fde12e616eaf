package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Reaction is what a joint does to its body A in the last part of the last step, see forces.go: the force at A's
// point of the joint and the moment about it, in space coordinates; B, at the point that coincides
// with it, feels the opposite. For a Distance the force acts along the line between its two ends.
// Impulses of collisions are not part of it.
//
// The multipliers c of G v^α = 0 solve GM̃⁻¹Gᵀc = GM̃⁻¹j, j the impulse Gᵀc of all joints, so that
// force and moment are those of the scheme over the step, and off by O(h) where joints turn. They are unique for joints that are
// not in Step.Dependent nor share their load with one that is; rows that say nothing new carry
// none.
type Reaction = multibody.Reaction

// react sets the reactions of the joints of component c from the impulses of its bands in a step of
// length h.
func (s *mechanics) react(c int, h float64) {
	inv, rows := &s.inv[c], s.model.Components[c].Rows
	for _, i := range rows {
		s.reactions[s.model.Rows[i].Joint] = Reaction{}
	}
	for k, r := range rows {
		b := &inv.Bands[k]
		s.reactions[s.model.Rows[r].Joint].Add(&b.Lever, b.Impulse/h)
	}
}

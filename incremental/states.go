package incremental

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dissipation"
)

// ContactState is what one particle does at a node of the partition.
type ContactState uint8

const (
	Free    ContactState = iota // above its obstacle, or without one
	Grazing                     // on it without a normal force
	Stick                       // pressed, did not move along it in the last step
	Slip                        // pressed, moved
)

var stateNames = [...]string{"free", "grazing", "stick", "slip"}

// String returns the name.
func (s ContactState) String() string {
	if int(s) >= len(stateNames) {
		return fmt.Sprintf("ContactState(%d)", uint8(s))
	}
	return stateNames[s]
}

// ParseContactState is the inverse of String.
func ParseContactState(name string) (ContactState, error) {
	for i, n := range stateNames {
		if n == name {
			return ContactState(i), nil
		}
	}
	return Free, fmt.Errorf("incremental: unknown contact state %.40q, want one of %v", name, stateNames)
}

// Counts are the numbers of particles in each state.
type Counts [len(stateNames)]int

// Count counts.
func Count(states []ContactState) Counts {
	var c Counts
	for _, s := range states {
		c[s]++
	}
	return c
}

// Classify tells the contact states from a state z at the time t, its gradient and the node
// before (none: nothing slips). A normal force up to scales.None(j) counts as
// none.
func Classify(dst []ContactState, psi *dissipation.Coulomb, t float64, z, grad []float64, from dissipation.Origin, scales *Scales) {
	sys, before := psi.System, from.Z
	for j := range dst {
		if p := sys.ContactParticle(j); sys.Cornered(p) {
			dst[j] = classifyCorner(psi, t, j, p, z, grad, from, scales)
			continue
		}
		switch {
		case !sys.Constrained(j) || z[3*j+2] > 0:
			dst[j] = Free
		case grad[3*j+2] <= scales.None(j):
			dst[j] = Grazing
		case before != nil && (z[3*j] != before[3*j] || z[3*j+1] != before[3*j+1]):
			dst[j] = Slip
		default:
			dst[j] = Stick
		}
	}
}

// classifyCorner tells the state of a contact of a particle with several obstacles.
func classifyCorner(psi *dissipation.Coulomb, t float64, c, p int, z, grad []float64, from dissipation.Origin,
	scales *Scales) ContactState {
	switch {
	case !psi.Touches(t, c, z):
		return Free
	case psi.Pressure(t, c, z, grad, from) <= scales.None(p):
		return Grazing
	case from.Z == nil:
		return Stick
	case psi.System.Bends(p):
		if a, b := psi.Slide(t, c, z, from); a != 0 || b != 0 {
			return Slip
		}
	case [3]float64(z[3*p:3*p+3]) != [3]float64(from.Z[3*p:3*p+3]):
		return Slip
	}
	return Stick
}

// noForce returns the normal force [N] that counts as none where forces are of size
// scale and rounding, see RoundingForce, may pretend another.
func noForce(scale, rounding float64) float64 { return max(zeroForce*scale, rounding) }

// MarkSwitching adds the particles that are free or graze to I_s: whoever lands
// or unloads once is under the rule of switching particles from then on, so that
// no threshold jumps when a label changes.
func MarkSwitching(switching []bool, states []ContactState) {
	for j, s := range states {
		if s == Free || s == Grazing {
			switching[j] = true
		}
	}
}

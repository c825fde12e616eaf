package rigid

import (
	"fmt"
	"math"
	"strings"
)

// For α = ½ a contact holds the mean of its velocities before and after a step, and what is left of a
// velocity at the start of one turns round in each that follows, which nothing damps: v′ = −v, and the
// force alternates by 2m|v|/h about the one that two steps have together.

// pulse is the force of a contact in the last two steps, along its normal.
type pulse struct {
	Force, Before float64 // [N]
	Row           int     // steps in which it alternated, one after the other
}

// alternates are the steps in a row from which on forces do so: what an impact leaves is gone before.
const alternates = 8

// next is that of a further step, and the share of the force by which that and the one before differ from
// their mean, once they alternate by more than a share.
func (x pulse) next(force, most float64) (pulse, float64) {
	rise, fell, size := force-x.Force, x.Before-x.Force, math.Abs(force)+math.Abs(x.Force)
	now := pulse{Force: force, Before: x.Force}
	if rise*fell > 0 && min(math.Abs(rise), math.Abs(fell)) > most*size && math.Abs(rise-fell) < 0.5*math.Abs(rise) {
		now.Row = min(x.Row+1, alternates)
	}
	if now.Row < alternates {
		return now, 0
	}
	return now, math.Abs(rise) / size
}

// alternate remembers the contact whose force alternates most.
func (r *Run) alternate(key uint64, share float64) {
	if m := r.sum.Multibody; share > m.Alternating {
		m.Alternating, m.Alternates = share, r.c.touchName(key)
	}
}

// alternationText says that contact forces alternate.
func (r *Run) alternationText() string {
	m := r.sum.Multibody
	return fmt.Sprintf("forces of %s alternate by %.2g %% (α = ½): means of two steps are right", strings.Replace(m.Alternates, "/", " on ", 1), 100*m.Alternating)
}

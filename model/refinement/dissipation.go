package refinement

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

const (
	// leastShare: what friction takes is small below this share of the energy exchanged, as between
	// steps (decision 19). If the meshes differ by more than the accuracy there it is not judged.
	leastShare = 0.1
	// unresolved: below this share two meshes do not judge it, even if they agree. Where the load
	// along the surface is a small part q of the bound of friction, spheres slip in a ring of q/3
	// of the radius, and friction takes some tenths of μ²q³ of the energy: of the order of 10⁻³
	// where the ring is as wide as elements of a sixth of the radius. Both meshes may then find
	// nothing at all.
	unresolved = 1e-3
	// bears: friction of less than this share of the pressures is rounding, and takes nothing.
	bears = 1e-9
)

// Bear takes the forces of the contacts of one of the two meshes at a node into account: friction
// and pressure, each added up without signs.
func (e *Estimate) Bear(friction, pressure float64) {
	if friction > 0 && pressure > 0 {
		e.Borne = max(e.Borne, friction/pressure)
	}
}

// dissipation leaves the fact of quantity k unsaid if what friction takes is too small for the two
// meshes: a case accepts that by the subject by which it accepts it of steps. Friction that bears
// no force takes nothing.
func (e *Estimate) dissipation(f *table.Fact, q *Quantity, k int, remedy string) {
	if k >= len(e.Parts) || e.Borne <= bears {
		return
	}
	p, energy := &e.Parts[k], e.largest(q.Like)
	if p.Size >= unresolved*energy && f.Passed || p.Size >= leastShare*energy {
		return
	}
	f.Value, f.Limit, f.Passed, f.Basis, f.Subject = 1, 0, false, table.NotSaid, dynamics.UnjudgedDissipation
	f.Place = fmt.Sprintf("so small it is not judged: %.3g J of %.3g J exchanged, %.3g J apart at t=%.6g", p.Size, energy, p.Apart, p.At)
	f.Remedy = fmt.Sprintf("%s; or \"accept\": [%q]", remedy, f.Subject)
}

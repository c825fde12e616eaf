package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
)

// latest is the last sample of a particle whose friction varies.
type latest struct {
	hold   dissipation.Holding
	excess float64 // [N]
}

// sinceLast bounds the force that friction of particle j does not hold between its last sample in this
// step and the present one, of which the excess is given. The distance of a force from what friction
// holds is convex in both, so that with both on their chords it is largest at an end; what friction
// holds may be less than its chord, by its sag.
func (c *Certifier) sinceLast(j int, t, sigma, excess float64, z []float64) float64 {
	last := &c.between.last[j]
	before := *last
	*last = latest{c.psi.Hold(t, j, z, sigma), excess}
	if before.hold.T < c.tPrev || before.hold.T >= t {
		return excess // the first one
	}
	return max(before.excess, excess) + c.psi.Sag(j, &before.hold, &last.hold)
}

// sagging returns into how many parts piece k of the step is divided so that what friction holds falls
// below its chord by no more than restPart of what is allowed, as far as the normal forces are on the
// chord of the step. A sag falls with the square of the length.
func (c *Certifier) sagging(k int) (parts float64) {
	in, n := &c.between, &c.node
	h := n.T - c.tPrev
	var hold [2]dissipation.Holding
	for j, i := range in.island {
		if !c.psi.Varies(j) || !c.psi.Bounded(j) || c.changes(j) || c.flight(j) {
			continue
		}
		for e := range hold {
			t := c.breaks[k-1+e]
			theta := (t - c.tPrev) / h
			c.interpolate(theta, t)
			sigma := c.gradPrev[3*j+2] + theta*(n.Grad[3*j+2]-c.gradPrev[3*j+2])
			hold[e] = c.psi.Hold(t, j, c.zMid, sigma)
		}
		target := restPart * c.opt.Accuracy * in.part[i].size()
		parts = max(parts, math.Sqrt(c.psi.Sag(j, &hold[0], &hold[1])/target))
	}
	return parts
}

// sampledOnly reports whether nothing bounds the force on particle j, or what its friction holds,
// between samples.
func (c *Certifier) sampledOnly(j int) bool {
	return !c.sys.ConstantHessian() || c.between.varies && (!c.psi.Bounded(j) || c.between.cut > mostParts && c.psi.Varies(j))
}

package energetic

import (
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/signal"
)

// mostParts is the number of parts of a step that are looked at: eight waves of friction, or
// thirty cells of a map. Steps that go through more are not judged, but too long.
const mostParts = 64

// mostCounted is the number up to which parts are counted.
const mostCounted = 64 * mostParts

// samePart: ends of parts that are nearer to each other than this share of a step are one.
const samePart = 1e-9

// cuts appends the times amid the step at which the certifier and the twin look, beside the kinks
// of the signals, which dst holds: eighths of the shortest period, where a particle that slides
// goes from cell to cell of a map of friction, or through an eighth of a wave of it, where its
// friction over slip has a kink, and where a spring has turned. What varies between them is smooth at the length of a part, so that neither
// Gauss's points nor steps of the twin pass over it.
func (c *Certifier) cuts(dst []float64) []float64 {
	n := &c.node
	c.between.cut = 0
	h := n.T - c.tPrev
	if h == 0 {
		return dst
	}
	from := len(dst)
	course := signal.Course{Period: c.opt.Period}
	if parts := min(course.Cuts(h), mostCounted); parts > 1 {
		for k := 1; k < parts; k++ {
			dst = append(dst, c.tPrev+h*float64(k)/float64(parts))
		}
	}
	ways := len(dst)
	for k, m := range c.psi.Matrices {
		if g, ok := m.(dissipation.Grained); ok && (c.psi.Touches(c.tPrev, k, c.zPrev) || c.psi.Touches(n.T, k, n.Z)) {
			x, y := c.sys.Spot(c.tPrev, k, c.zPrev)
			a, b := c.sys.Spot(n.T, k, n.Z)
			dst = g.Cuts(dst, [2]float64{x, y}, [2]float64{a, b}, mostCounted)
		}
		dst = c.psi.SlipCuts(dst, k, c.tPrev, n.T, c.zPrev, n.Z)
	}
	if !c.sys.ConstantHessian() {
		dst = c.sys.Turns(dst, c.tPrev, n.T, c.zPrev, n.Z)
	}
	for i := ways; i < len(dst); i++ {
		dst[i] = c.tPrev + h*dst[i]
	}
	if len(dst) == from {
		return dst
	}
	slices.Sort(dst[1:])
	kept := dst[:1]
	for _, t := range dst[1:] {
		if t-kept[len(kept)-1] > samePart*h && n.T-t > samePart*h {
			kept = append(kept, t)
		}
	}
	return c.most(kept)
}

// most notes the number of parts, and keeps no more than are looked at: the step is too long then.
func (c *Certifier) most(cuts []float64) []float64 {
	c.between.cut = len(cuts)
	if c.between.cut > c.sum.Parts {
		c.sum.Parts, c.sum.PartsTime = c.between.cut, c.node.T
	}
	if len(cuts) <= mostParts {
		return cuts
	}
	every := 1 + len(cuts)/mostParts
	kept := cuts[:1]
	for i := every; i < len(cuts); i += every {
		kept = append(kept, cuts[i])
	}
	return kept
}

package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// passed looks for what a step goes past: an obstacle beside the first of a particle, curved or
// moving, that is apart from it at both ends of the step and lies over it in between. (S) asks that
// states be admissible at all times. Flat obstacles at rest, and those whose coordinates a particle
// has, are convex in these, and hold along the straight way between two nodes.
func (c *Certifier) passed() {
	n := &c.node
	h := n.T - c.tPrev
	if h == 0 {
		return
	}
	for _, j := range c.sys.Bent() {
		way := vec3.Norm([3]float64(c.v[3*j : 3*j+3]))
		for _, k := range c.sys.Beside(j) {
			if !c.sys.BentContact(k) || c.psi.Touches(c.tPrev, k, c.zPrev) || c.psi.Touches(n.T, k, n.Z) {
				continue
			}
			if speed := way + c.sys.Sway(k, c.tPrev, h, c.zPrev, way); speed > 0 {
				c.enters(j, k, h, speed)
			}
		}
	}
}

// enters goes along the step by as much as the height over contact k of particle j cannot close in,
// at a speed in lengths a step, or by a thousandth, and keeps how deep the particle is in its obstacle.
func (c *Certifier) enters(j, k int, h, speed float64) {
	for theta := 0.0; theta < 1; {
		s := c.tPrev + h*theta
		c.interpolate(theta, s)
		height := c.sys.Height(s, k, c.zMid)
		c.sum.Passed.keep(-height, s, j)
		theta += max(math.Abs(height)/speed, 1e-3)
	}
}

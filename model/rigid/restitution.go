package rigid

import (
	"cmp"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// restitution is e between a body and another, or an obstacle, −1−f.
func (c *Case) restitution(a, b int) float64 {
	if b >= 0 {
		a, b = min(a, b), max(a, b)
	}
	if m, own := c.setup.Pairs[[2]int{a, b}]; own {
		return m.Restitution
	}
	return c.setup.Material.Restitution
}

// bounces reports whether some surfaces have a restitution.
func (c *Case) bounces() bool {
	for _, m := range c.setup.Pairs {
		if m.Restitution > 0 {
			return true
		}
	}
	return c.setup.Material.Restitution > 0
}

// slowest is the approach up to which nothing rebounds [m/s].
func (c *Case) slowest() float64 { return cmp.Or(c.Options.RestitutionSpeed, 1e-3) }

// slow counts the collisions whose surfaces would rebound from a faster approach.
func (c *Case) slow(list []rigid.Collision) (n int) {
	for i := range list {
		if x := &list[i]; x.Speed <= c.slowest() && c.restitution(x.A, x.B) > 0 {
			n++
		}
	}
	return n
}

package local

import (
	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// reduced is a [form.Local] problem as the methods see it: scaled, with what the solution of each contact
// alone needs, and the barriers of some.
type reduced struct {
	block.Scaled
	one   []oneContact
	kappa float64 // of the barriers of kindInside
}

// reduce overwrites c with the scaled form of p and reports whether the pattern of W is the one that
// c had before.
func (c *reduced) reduce(p *form.Local) (samePattern bool) {
	samePattern = c.Scale(p)
	c.one = num.Grow(c.one, c.Nc)
	for j, k := range c.Diag {
		c.one[j].prepare(&c.Blk[k])
	}
	return samePattern
}

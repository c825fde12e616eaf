package dynamics

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// Contacts collects the contact patches of a [System] at one q: for each patch
// its elements, for each element the gap Ψ_n and the rows W_n, W_t, W_o.
type Contacts struct {
	patches []placed
	gap     []float64        // Ψ_n of each element [m]
	h       contact.Jacobian // Wᵀ, stored by elements
	mu      []float64        // of the elements whose friction depends on their slip [-]
	drive   []float64        // speeds of what the elements touch, dim each; see [Driven] [m/s]
	time    float64          // [s]
	most    int              // elements that memory is for; 0: any number
	beyond  int              // elements that were left out
	out     bool             // the present patch is left out
}

// placed is a patch at its place of this step.
type placed struct {
	key         int
	patch       *Patch
	first, last int // elements [first, last)
	law         contact.Law
	worn        bool // the law is not that of the patch, see [Worn]
}

// Time is that of the contacts [s].
func (c *Contacts) Time() float64 { return c.time }

// Reset empties c for contacts of the given dimension between nv velocities.
func (c *Contacts) Reset(dim, nv int) { c.ResetAt(0, dim, nv) }

// ResetAt is Reset for contacts at a time.
func (c *Contacts) ResetAt(time float64, dim, nv int) {
	c.time, c.drive = time, c.drive[:0]
	c.patches, c.gap = c.patches[:0], c.gap[:0]
	c.h.Dim, c.h.Rows = dim, nv
	c.h.Ptr = append(c.h.Ptr[:0], 0)
	c.h.Row, c.h.Val = c.h.Row[:0], c.h.Val[:0]
}

// Begin starts a patch. The key names it from step to step (two bodies, two
// features): deformations follow it. Keys of one step must differ.
func (c *Contacts) Begin(key int, p *Patch) {
	n := len(c.gap)
	if c.out = c.most > 0 && n >= c.most; c.out {
		return
	}
	c.patches = append(c.patches, placed{key: key, patch: p, first: n, last: n, law: lawOf(p)})
}

// lawOf is the law of a patch that validate may still find missing.
func lawOf(p *Patch) contact.Law {
	if p == nil {
		return nil
	}
	return p.law
}

// Element adds the next element of the patch with its gap Ψ_n [m], positive
// if open.
func (c *Contacts) Element(gap float64) {
	if c.out {
		c.beyond++
		return
	}
	c.patches[len(c.patches)-1].last++
	c.gap = append(c.gap, gap)
	c.h.Ptr = append(c.h.Ptr, len(c.h.Row))
}

// Row says what a unit of the given velocity adds to the speeds (s_n, s_t, s_o)
// of the present element; o is ignored in the plane.
func (c *Contacts) Row(velocity int, n, t, o float64) {
	if c.out {
		return
	}
	c.h.Row = append(c.h.Row, velocity)
	if c.h.Dim == 2 {
		c.h.Val = append(c.h.Val, n, t)
	} else {
		c.h.Val = append(c.h.Val, n, t, o)
	}
	c.h.Ptr[len(c.h.Ptr)-1] = len(c.h.Row)
}

// Gaps returns Ψ_n of all elements in the order of [Contacts.Element].
func (c *Contacts) Gaps() []float64 { return c.gap }

// Speeds adds W v to dst: dim entries for each element, (s_n, s_t[, s_o]).
func (c *Contacts) Speeds(dst, v []float64) { c.h.MulTransAdd(dst, v) }

// relative adds W v less the speeds of what the elements touch to dst.
func (c *Contacts) relative(dst, v []float64) {
	c.h.MulTransAdd(dst, v)
	for i, x := range c.drive {
		dst[i] -= x
	}
}

// rows are the velocities that patch i touches.
func (c *Contacts) rows(i int) []int {
	p := &c.patches[i]
	return c.h.Row[c.h.Ptr[p.first]:c.h.Ptr[p.last]]
}

// elements returns the number of elements.
func (c *Contacts) elements() int { return len(c.gap) }

// validate checks what a user's System may get wrong.
func (c *Contacts) validate() error {
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch == nil {
			return fmt.Errorf("dynamics: contact %d has no patch", p.key)
		}
		if p.patch.Dim() != c.h.Dim || p.patch.Elements() != p.last-p.first {
			return fmt.Errorf("dynamics: contact %d has %d elements in %d dimensions, its patch %d in %d",
				p.key, p.last-p.first, c.h.Dim, p.patch.Elements(), p.patch.Dim())
		}
	}
	for _, g := range c.gap {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			return fmt.Errorf("dynamics: a gap is %g", g)
		}
	}
	for k, r := range c.h.Row {
		if r < 0 || r >= c.h.Rows {
			return fmt.Errorf("dynamics: row %d of a contact is velocity %d, there are %d", k, r, c.h.Rows)
		}
	}
	return nil
}

package dynamics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// Rests that hang on a margin. Where friction at rest may be more than that of a slip, whether a slip comes to
// zero is a decision with a jump behind it. A slip s along a line, with friction of a slip μ_k N throughout,
// would have in what is held
//
//	m = ∫ w(T − μ_k N) dt < 0, w the mobility along it, T what friction at rest takes,
//
// from the rest on: by so much the scheme has it turn round. The least of m until it comes back to zero, or the
// contact is loose, depends smoothly on the step, m(h) = m₀ + Ch, also where all twins come to rest: the true
// slip does if m₀ < 0, which is known if the scheme's error Ch of m, by twins, is less than m itself. w is
// the same factor on both sides, and m stands without it, in N s.

// Caught is what is known of a rest that a slip has come to.
type Caught struct {
	Along        [2]float64 // slip before it; zero: there was none, or m has come back to zero
	T            float64    // when m was least [s]
	Depth, Least float64    // m, and its least so far [N s]
}

// Lose is the end of a rest whose contact is loose.
func (c *Caught) Lose() (at, least float64) {
	at, least, *c = c.T, c.Least, Caught{}
	return at, least
}

// See takes what a contact does up to t with its impulses of a step, normal and along the surface; least < 0: the rest is
// over, or decides nothing any more.
func (c *Caught) See(slides bool, t, normal float64, along []float64, law friction.Law) (at, least float64) {
	push := 0.0
	for k, r := range along {
		push += r * c.Along[k]
	}
	at = c.T
	switch kinetic := law.Mu(math.SmallestNonzeroFloat64); {
	case slides:
		if push < 0 { // on, as before
			least = c.Least
		}
		*c = Caught{}
		if size := norm(along); size > 0 && kinetic < law.Mu(0) {
			for k, r := range along {
				c.Along[k] = -r / size
			}
		}
	case c.Along != [2]float64{}:
		if c.Depth -= kinetic*normal + push; c.Depth < c.Least {
			c.T, c.Least = t, c.Depth
		}
		if c.Depth >= 0 && c.Least < 0 {
			least, *c = c.Least, Caught{}
		}
	}
	return at, least
}

// rests are those with the least depths of a run or a twin.
type rests []Change

// take takes those of the changes of a step.
func (r *rests) take(list []Change) {
	for _, c := range list {
		if c.Depth == 0 {
			continue
		}
		if *r = append(*r, c); len(*r) > dating.rests {
			slices.SortStableFunc(*r, func(a, b Change) int { return cmp.Compare(b.Depth, a.Depth) })
			*r = (*r)[:dating.rests]
		}
	}
}

// near is the rest of a contact that is nearest to t, within a time.
func (r rests) near(contact uint64, t, within float64) (depth float64, known bool) {
	for _, c := range r {
		if off := math.Abs(c.T - t); c.Contact == contact && off <= within {
			depth, known, within = c.Depth, true, off
		}
	}
	return depth, known
}

// Rests says whether each rest is one by more than the error of what decides it; nothing if there are none.
func (d *Doubled) Rests() []Measure {
	m := Measure{Name: "error of what brings a slip to rest, of the margin of that", Value: -1, Limit: 1, Unit: "-", Basis: Estimated}
	shares := d.dateShares()
	for _, c := range d.state.Own.Rests {
		for k := range d.state.Twin {
			x := &d.state.Twin[k].Dates
			depth, known := x.Rests.near(c.Contact, c.T, d.wait(x))
			off := shares[k] / dating.caution * caution * math.Abs(depth-c.Depth)
			if y := ratio(off, -c.Depth); shares[k] > 0 && known && y > m.Value {
				m.Value = y
				m.Place = fmt.Sprintf("rest about t = %.6g s: friction of a slip would have turned it round by %.3g N s, known to %.3g N s, and without that it slides on", c.T, -c.Depth, off)
			}
		}
	}
	switch {
	case m.Value < 0:
		return nil
	case !m.Passed():
		m.Remedy = "shorter steps, or model \"rigid\" with \"alpha\": 0.5, which is of second order"
	}
	return []Measure{m}
}

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
// the same factor on both sides, and m stands without it, in N s. A slip that goes on beyond its slowest decides as
// much: there m₀ > 0 is its least speed, by its parabola, and whether it misses zero is known in the same way.

// Caught is what is known of a rest that a slip has come to.
type Caught struct {
	Along        [2]float64 // slip before it; zero: there was none, or m has come back to zero
	T            float64    // when m was least [s]
	Depth, Least float64    // m, and its least so far [N s]
	Slid         int        // steps in which it has slid along the same line
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
		slid := c.Slid
		*c = Caught{}
		if size := norm(along); size > 0 && kinetic < law.Mu(0) {
			for k, r := range along {
				c.Along[k] = -r / size
			}
			if c.Slid = 1; push < 0 {
				c.Slid += slid
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

// Pass is the slowest that a slip was which goes on, by the parabola through its last three values; it may be below zero,
// between two steps, and is not told where it decides nothing.
func (c *Caught) Pass(contact uint64, x *Course) (pass Change, told bool) {
	t, m := &x.Ended, &x.Hold
	if x.N < courseLength || c.Slid < courseLength || m[1] > m[0] || m[1] >= m[2] {
		return pass, false
	}
	slope := (m[1] - m[0]) / (t[1] - t[0])
	bend := ((m[2]-m[1])/(t[2]-t[1]) - slope) / (t[2] - t[0])
	at := (t[0]+t[1])/2 - slope/bend/2
	return Change{Contact: contact, T: at, Margin: Passes, Depth: m[0] + (at-t[0])*(slope+bend*(at-t[1]))}, true
}

// Margin is the kind of a [Change]: a change with its date, or the margin by which a rest or a slip is one.
type Margin uint8

// These are a change, the depth of a rest [N s], told at its end, and the least speed of a slip that goes on [m/s].
const (
	Changes Margin = iota
	Rests
	Passes
)

// Margins are the least ones of the rests and the slips of a run or a twin.
type Margins struct {
	Rests, Passes rests
}

// take takes those of the changes of a step.
func (x *Margins) take(list []Change) {
	for _, c := range list {
		switch c.Margin {
		case Rests:
			x.Rests.add(c)
		case Passes:
			x.Passes.add(c)
		}
	}
}

// clone shares nothing.
func (x *Margins) clone() Margins { return Margins{slices.Clone(x.Rests), slices.Clone(x.Passes)} }

// rests are those with the least depths of a run or a twin.
type rests []Change

// add adds one.
func (r *rests) add(c Change) {
	if *r = append(*r, c); len(*r) > dating.rests {
		slices.SortStableFunc(*r, func(a, b Change) int { return cmp.Compare(math.Abs(a.Depth), math.Abs(b.Depth)) })
		*r = (*r)[:dating.rests]
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

// Rests says whether each rest is one, and each slip that was slow none, by more than the error of what decides it;
// nothing if there are none.
func (d *Doubled) Rests() []Measure {
	m := Measure{Name: "whether slips come to rest: the error of the margin of that, over it", Value: -1, Limit: 1,
		Unit: "-", Basis: Estimated}
	shares := d.dateShares()
	judge := func(own rests, sign float64, twin func(*Margins) rests, what string) {
		for _, c := range own {
			for k := range d.state.Twin {
				x := &d.state.Twin[k].Dates
				depth, known := twin(&x.Margins).near(c.Contact, c.T, d.wait(x))
				off := shares[k] / dating.caution * caution * math.Abs(depth-c.Depth)
				if y := ratio(off, max(sign*c.Depth, 0)); shares[k] > 0 && known && y > m.Value {
					m.Value, m.Place = y, fmt.Sprintf(what, c.T, sign*c.Depth, off)
				}
			}
		}
	}
	judge(d.state.Own.Margins.Rests, -1, func(x *Margins) rests { return x.Rests },
		"rest about t = %.6g s: friction of a slip would have turned it round by %.3g N s, known to %.3g N s")
	judge(d.state.Own.Margins.Passes, 1, func(x *Margins) rests { return x.Passes },
		"slip about t = %.6g s: slowest at %.3g m/s, known to %.3g m/s, and at rest it would be held by more")
	switch {
	case m.Value < 0:
		return nil
	case !m.Passed():
		m.Remedy = "whether it stops is not decided: shorter steps, or model \"rigid\" with \"alpha\": 0.5, which is of second order; nothing decides it on the edge itself"
	}
	return []Measure{m}
}

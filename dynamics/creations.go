package dynamics

import (
	"fmt"
	"math"
)

// Creations follows the energy that a scheme makes or destroys in each island of a system:
// the parts (bodies, pieces of a mesh) that joints, springs or contact forces have tied to each
// other at some time of the run. What is made in an island is judged against what moves in it,
// see [Creation]: nobody hides behind a heavy or a fast bystander.
//
// Two islands that meet become one. Sums are added, and so are the largest of them, which
// bounds the largest of the sum; as |c_1| + |c_2| ≤ a(S_1 + S_2) if each island keeps a, no
// island fails for having met another.
type Creations struct {
	Whole  Creation   // of all parts together
	Root   []int      // the first part of the island of each part
	Island []Creation // of these
	Work   []float64  // net work of loads and potentials since the start, of the islands, as the velocities have it [J]
	Total  float64    // of Work [J]

	Frames int        // in which an island is looked at, see [View]
	Views  []View     // of each island, Frames of them
	First  []Momentum // of the islands at the start
	Motion []Momentum // of the parts now
	Sizes  []float64  // of the sums by which energies of the parts were found now [J]
	Stored []float64  // energy of their springs at the start [J] …
	Spring []float64  // … and now

	now []share // of the present step, of each part
}

// share is what a part adds in a step [J].
type share struct {
	made, work, taken float64
	rubbed            float64 // [J/kg]
	unsolved          float64 // that the residual of the step may have made
	momentum          [3]float64
	size, released    float64
}

// Unsolved returns what a residual of contact problems may make of the energy e that the forces of
// a step give to bodies at rest, see [Creation]: no less than rounding, no more than the tolerance
// of the solvers.
func Unsolved(residual, rest float64) float64 {
	return 8 * min(max(residual, rounding), resolvedTaken) * rest
}

// take adds y to x.
func (x *share) take(y *share) {
	x.made, x.work, x.taken, x.unsolved = x.made+y.made, x.work+y.work, x.taken+y.taken, x.unsolved+y.unsolved
	x.size, x.released, x.rubbed = x.size+y.size, x.released+y.released, x.rubbed+y.rubbed
	for k := range x.momentum {
		x.momentum[k] += y.momentum[k]
	}
}

// Set makes c a copy of x, between two steps.
func (c *Creations) Set(x *Creations) {
	c.Whole, c.Total = x.Whole, x.Total
	c.Root, c.Island, c.Work = append(c.Root[:0], x.Root...), append(c.Island[:0], x.Island...), append(c.Work[:0], x.Work...)
	c.Frames, c.Views = x.Frames, append(c.Views[:0], x.Views...)
	c.First, c.Motion = append(c.First[:0], x.First...), append(c.Motion[:0], x.Motion...)
	c.Sizes, c.Stored, c.Spring = append(c.Sizes[:0], x.Sizes...), append(c.Stored[:0], x.Stored...), append(c.Spring[:0], x.Spring...)
	c.now = grow(c.now, len(c.Root))
	clear(c.now)
}

// Link makes the islands of two parts one; a negative part is the world, which ties nobody.
// It returns both roots, the one that stays first, and whether they were two.
func (c *Creations) Link(a, b int) (stays, goes int, two bool) {
	if a < 0 || b < 0 || c.Root[a] == c.Root[b] {
		return stays, goes, two
	}
	stays, goes = min(c.Root[a], c.Root[b]), max(c.Root[a], c.Root[b])
	for p, r := range c.Root {
		if r == goes {
			c.Root[p] = stays
		}
	}
	c.meet(stays, goes)
	c.Island[stays].join(&c.Island[goes])
	c.Work[stays] += c.Work[goes]
	c.least(stays)
	c.whole()
	return stays, goes, true
}

// Add takes into the present step: energy made at a part, net work of loads and potentials
// on it, and what the residual of the step may have made there, see [Unsolved] [J].
func (c *Creations) Add(p int, made, work, unsolved float64) {
	x := &c.now[p]
	x.made, x.work, x.unsolved = x.made+made, x.work+work, x.unsolved+unsolved
}

// Take takes into the present step the energy that friction, dampers and impacts have taken
// from a part [J].
func (c *Creations) Take(p int, energy float64) { c.now[p].taken += energy }

// Rub takes into the present step what friction between a part and another one has taken, over the
// mass of the lighter of the two [J/kg].
func (c *Creations) Rub(p int, energy float64) { c.now[p].rubbed += energy }

// Give takes in energies that came to the parts otherwise than in a step that is followed, as those
// of a collision between two states, after [Creations.Move] [J]: they move, like the net work of
// loads; and what the residuals on the way may have made, see [Unsolved] [J].
func (c *Creations) Give(energies, unsolved []float64) {
	c.Forget()
	c.present()
	for p, e := range energies {
		c.now[p].work += e
		c.now[p].unsolved += unsolved[p]
	}
	c.gather()
	for p, r := range c.Root {
		if r != p {
			continue
		}
		c.Work[p] += c.now[p].work
		c.Total += c.now[p].work
		c.look(p, &c.now[p])
	}
	c.whole()
	c.Forget()
}

// Forget drops what was added since the last step.
func (c *Creations) Forget() { clear(c.now) }

// present takes the motion of the parts into their shares.
func (c *Creations) present() {
	for p := range c.now {
		x := &c.now[p]
		for k := range x.momentum {
			x.momentum[k] = c.Motion[p].Of[k]
		}
		x.size, x.released = c.Sizes[p], c.Stored[p]-c.Spring[p]
	}
}

// gather makes the shares of roots those of their islands, and returns that of all.
func (c *Creations) gather() (all share) {
	for p := range c.now {
		x := c.now[p]
		all.take(&x)
		if r := c.Root[p]; r != p { // the root comes first: it is not cleared any more
			c.now[p] = share{}
			c.now[r].take(&x)
		}
	}
	for p, r := range c.Root {
		if r == p {
			for k := range c.now[p].momentum {
				c.now[p].momentum[k] -= c.First[p].Of[k]
			}
		}
	}
	return all
}

// Close ends the step at t.
func (c *Creations) Close(t float64) {
	c.present()
	all := c.gather()
	for p := range c.now {
		if c.Root[p] == p {
			x := &c.now[p]
			c.Work[p] += x.work
			c.look(p, x)
			c.Island[p].step(t, x)
			*x = share{}
		}
	}
	c.Total += all.work
	c.whole()
	c.Whole.step(t, &all)
}

// step takes a step of an island.
func (c *Creation) step(t float64, x *share) {
	c.Taken, c.Rubbed = c.Taken+x.taken, c.Rubbed+x.rubbed
	c.Add(t, x.made, c.Moved)
}

// join adds the sums of another island, whose last step was the same.
func (c *Creation) join(x *Creation) {
	if x.Most > c.Most {
		c.MostAt = x.MostAt
	}
	if x.Step > c.Step {
		c.StepAt = x.StepAt
	}
	c.Size += x.Size
	c.Released, c.Rounding, c.Sum = c.Released+x.Released, c.Rounding+x.Rounding, c.Sum+x.Sum
	c.Taken, c.Rubbed = c.Taken+x.Taken, c.Rubbed+x.Rubbed
	c.Most, c.Step = c.Most+x.Most, c.Step+x.Step
}

// Measures judges the run so far by its worst island, as [Creation.Measures] does; names
// are those of the parts, or nil.
func (c *Creations) Measures(accuracy float64, steps int, instead string, names []string) []Measure {
	var worst []Measure
	several := c.islands() > 1
	for p := range c.Island {
		if c.Root[p] != p {
			continue
		}
		list := c.heard(p).Measures(accuracy, steps, instead)
		for i := range list {
			if several {
				list[i].Place += who(c.Root, p, names)
			}
		}
		if worst == nil {
			worst = list
			continue
		}
		for i := range list {
			if list[i].Value > worst[i].Value {
				worst[i] = list[i]
			}
		}
	}
	return worst
}

// faint: an island in which less than this share of the energy of all was made stands still but for
// the last digits of velocities, 2⁻⁵⁰ of those of others, whose energy nothing measures.
const faint = 0x1p-100

// Faint reports whether an energy is that of last digits of velocities, or zero.
func (c *Creations) Faint(energy float64) bool { return energy <= faint*c.Whole.Scale() }

// heard returns the island of part p, without what is faint.
func (c *Creations) heard(p int) *Creation {
	x := c.Island[p]
	if c.Faint(x.Most) {
		x.Most, x.Step = 0, 0
	}
	return &x
}

// sums stores the sums of the islands by their roots, and behind them what roundings may have made
// of these.
func (c *Creations) sums(dst []float64) []float64 {
	n := len(c.Root)
	dst = grow(dst, 2*n)
	clear(dst)
	for p, r := range c.Root {
		if r == p {
			dst[p], dst[n+p] = c.Island[p].Sum, c.Island[p].Rounding
		}
	}
	return dst
}

// since returns the largest |c| of an island since it had the sums given, over the largest of the
// energies S given for its parts. One that nothing moved in, in the runs that found S, has no scale: steps are chosen for its
// places, and the verdict judges its energy by what has moved at the end.
func (c *Creations) since(sums, energies []float64) (most float64) {
	c.Forget()
	n := len(c.Root)
	for p, r := range c.Root {
		x := &c.now[r]
		x.made, x.work, x.unsolved = x.made+sums[p], max(x.work, energies[p]), x.unsolved+sums[n+p]
	}
	for p, r := range c.Root {
		if r == p && c.now[p].work > 0 {
			x, before := &c.Island[p], &c.now[p]
			made := math.Abs(x.Sum-before.made) - (x.Rounding - before.unsolved)
			most = max(most, ratio(max(0, made), before.work))
		}
	}
	c.Forget()
	return most
}

// energies stores S of the island of each part.
func (c *Creations) energies(dst []float64) []float64 {
	dst = grow(dst, len(c.Root))
	for p, r := range c.Root {
		dst[p] = c.Island[r].Scale()
	}
	return dst
}

// islands counts them.
func (c *Creations) islands() (n int) {
	for p, r := range c.Root {
		if r == p {
			n++
		}
	}
	return n
}

// who names the island of part p.
func who(root []int, p int, names []string) string {
	n := 0
	for _, r := range root {
		if r == p {
			n++
		}
	}
	if n == 1 {
		return ", in " + partName(names, p)
	}
	return fmt.Sprintf(", in the island of %s and %d more", partName(names, p), n-1)
}

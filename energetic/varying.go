package energetic

import (
	"math"
	"slices"

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

// rememberSamples makes the present node the last sample of each particle, as it was when its step
// ended.
func (c *Certifier) rememberSamples() {
	n := &c.node
	for j := range c.sys.N() {
		if !c.between.varies || c.sys.Cornered(j) || !c.psi.Touches(n.T, j, n.Z) || c.psi.Matrices[j] == nil || !c.psi.Varies(j) {
			continue
		}
		g := n.Grad[3*j : 3*j+3]
		sigma := max(g[2], 0)
		c.between.last[j] = latest{c.psi.Hold(n.T, j, n.Z, sigma), c.excess(j, n.T, sigma, c.psi.Factor(j, n.T), [2]float64{}, n.Z, g)}
	}
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

// divideWay divides the pieces of a step through which D²E varies into parts, so that the forces leave
// their chords by no more than restPart of what is allowed, and bounds what they leave them by:
// [particles.System.WayBound], over a way m times as short 1/m² of it. Bounds that ask for more than
// wayParts are those of too long a way: it is halved, with breaks of its own. It reports false, and
// leaves the pieces, if no bound is known or samplesLimit halvings make none small enough: the step is
// sampled then.
func (c *Certifier) divideWay() bool {
	const wayParts = 8 // the square root of samplesLimit: as many parts as breaks at most
	in := &c.between
	if c.sys.ConstantHessian() || c.node.T == c.tPrev || in.bends != "" {
		return false
	}
	c.sampleSizes() // what the node adds to the sizes counts
	clear(in.off)
	c.parts = append(c.parts[:0], 0)
	for k := 1; k < len(c.breaks); {
		parts, known := c.wayParts(k)
		if middle := (c.breaks[k-1] + c.breaks[k]) / 2; !(parts <= wayParts) {
			if !known || len(c.breaks)-len(in.given) >= samplesLimit || !(c.breaks[k-1] < middle && middle < c.breaks[k]) {
				c.breaks = append(c.breaks[:0], in.given...)
				return false
			}
			c.breaks = slices.Insert(c.breaks, k, middle)
			continue
		}
		m := max(math.Ceil(parts), 1)
		c.parts = append(c.parts, int(m))
		for i, b := range in.bend {
			in.off[i] = max(in.off[i], b/(8*m*m))
		}
		k++
	}
	return true
}

// wayParts bounds how forces bend on piece k of the step, and returns into how many parts it is to be
// divided; false if that is not known for any part of it.
func (c *Certifier) wayParts(k int) (parts float64, known bool) {
	in, h := &c.between, c.node.T-c.tPrev
	from, to := c.breaks[k-1], c.breaks[k]
	c.interpolate((from-c.tPrev)/h, from)
	copy(in.at, c.zMid)
	c.interpolate((to-c.tPrev)/h, to)
	if !c.sys.WayBound(in.bend, from, to, in.at, c.zMid) {
		return 0, false
	}
	parts = c.leaving(c.zMid, to)
	if in.varies {
		parts = max(parts, c.sagging(k))
	}
	return parts, true
}

// leaving returns into how many parts a piece is divided on which forces bend by in.bend: of what
// friction does not hold they are |b_T| + μ b_N, compared with the forces along obstacles; and
// together they are compared with the forces of the island.
func (c *Certifier) leaving(z []float64, t float64) (parts float64) {
	n, in := &c.node, &c.between
	for j, i := range in.island {
		b := in.bend[3*j : 3*j+3]
		along, across := math.Hypot(b[0], b[1]), b[2]
		if along+across == 0 {
			continue
		}
		p := in.part[i]
		p.Acting, p.Data = max(p.Acting, in.step[i].Acting), max(p.Data, in.step[i].Data)
		target := 8 * restPart * c.opt.Accuracy
		parts = max(parts, math.Sqrt((along+across)/(target*p.size())))
		if c.psi.Matrices[j] == nil || c.flight(j) {
			continue
		}
		if held := capped(max(p.ForceAlong, math.Hypot(n.Grad[3*j], n.Grad[3*j+1])), p.Data); held > 0 {
			parts = max(parts, math.Sqrt((along+math.Sqrt2*c.psi.Size(t, j, z)*across)/(target*held)))
		}
	}
	return parts
}

// sampledOnly reports whether nothing bounds the force on particle j, or what its friction holds,
// between samples.
func (c *Certifier) sampledOnly(j int) bool {
	free := !c.sys.ConstantHessian() && (!c.between.bounded || c.sys.Cornered(j))
	return free || c.between.varies && (!c.psi.Bounded(j) || c.between.cut > mostParts && c.psi.Varies(j))
}

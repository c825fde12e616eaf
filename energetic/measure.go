package energetic

import (
	"fmt"
)

// Basis says how a number is known.
type Basis int

// The bases, from the strongest.
const (
	Proven    Basis = iota // a bound, for all times and states of which it speaks
	Computed               // at the nodes, or by a quadrature that is exact to its order
	Estimated              // by another run, in parts of the steps: no bound
	Sampled                // over samples: what happens between is not known
)

var basisNames = [...]string{"proven", "computed", "estimated", "sampled"}

// String returns "proven", "computed", "estimated" or "sampled".
func (b Basis) String() string {
	if b < 0 || int(b) >= len(basisNames) {
		return fmt.Sprintf("Basis(%d)", int(b))
	}
	return basisNames[b]
}

// InParts ends the What of measures that compare a run with its evolution in parts of the steps.
const InParts = "against the same evolution in parts of the steps"

// Measure is one number of the verdict. It passes if Value <= Limit.
type Measure struct {
	Name  string  // "stability", "friction", …
	What  string  // what is bounded
	Value float64 // the worst of the islands, relative to their limits
	Limit float64
	Unit  string
	Basis Basis
	// Place says where: the particle, by its number, −1 for none; the time [s], and the
	// island of it.
	Particle, Island int
	Time             float64
	// Judged: the verdict needs it to pass; else it is told only.
	Judged bool
	Remedy string // what makes it smaller; empty if it passes

	rounded float64 // while the worst is looked for, see [Certifier.Rounded]
}

// Passed reports whether the value is within its limit; NaN is not.
func (m *Measure) Passed() bool { return m.Value <= m.Limit }

// String prints the measure in a line.
func (m *Measure) String() string {
	s := fmt.Sprintf("%s: %s, is %.3g %s, allowed %.3g", m.Name, m.What, m.Value, m.Unit, m.Limit)
	if m.Particle < 0 && m.Name == "overlap" {
		s += fmt.Sprintf(", first at t=%.6g", m.Time)
	}
	if m.Particle >= 0 {
		s += fmt.Sprintf(", at t=%.6g, particle %d", m.Time, m.Particle)
	}
	return s
}

// worse keeps the measure that is further beyond its limit, the first of those that are next to
// nothing beside it: rounding shall not choose, which is another one in files, of an island with another limit.
func worse(worst *Measure, m Measure) {
	if worst.Name == "" || !(m.ratio() <= max(worst.ratio(), nothing)) {
		*worst = m
	}
}

// nothing: a measure of less than this part of its limit is what rounding left.
const nothing = 1e-6

// ratio is the value in parts of the limit, 0 where rounding may be all of it.
func (m *Measure) ratio() float64 {
	if m.Value == 0 || m.Passed() && m.Value <= m.rounded {
		return 0
	}
	return m.Value / m.Limit
}

// scales are the limits of one island.
type scales struct {
	along, across, free float64 // [N]
	barred              float64 // what may be gone over [N]: it would have held, and what follows it by its compliance
	slip, balance       float64 // [J]
	lost                float64 // of the dissipation [J]
	friction            float64 // of an island, together [N]
	way                 float64 // [m]
	supports, stresses  float64 // of bodies that yield [N], [Pa]
}

// barely: of an island that slides less than this part of what drives it, nothing smaller is
// asked.
const barely = 1e-6

// floor is the force below which nothing is claimed [N].
func (p *Residuals) floor(tolerance float64) float64 {
	return max(4*p.Rounding, forceSlack*tolerance*p.Acting)
}

// scales returns accuracy times the sizes of the island. A force is compared with those that the
// run has, of the same direction, but not with more than the data can make: DE(t, z(0)). Below the
// rounding of positions and what steps leave unsolved nothing is claimed. So is below what the
// rounding of positions themselves, which may be all that moves, is and does: each node rounds
// anew, so that the way that it makes is a sum over them, strayed.
func (p *Residuals) scales(accuracy, tolerance, rounded, strayed float64) scales {
	floor := p.floor(tolerance)
	s := scales{
		along:  max(accuracy*capped(p.ForceAlong, p.Data), floor),
		across: max(accuracy*capped(p.ForceAcross, p.Data), floor),
		free:   max(accuracy*p.size(), floor),
	}
	s.slip = max(accuracy*p.ExchangedAlong, floor*p.Path)
	// What follows its anchors freely exchanges nothing: there the forces count that are
	// allowed along its way.
	s.balance = max(accuracy*(p.ExchangedAlong+p.ExchangedAcross), floor*p.Path)
	way := p.FreePath
	if p.Borne > 0 { // a force that supports bear, of which each node has a way
		way = min(way, p.Way)
	}
	s.balance += s.free * way
	s.lost = max(accuracy*max(p.Lost, barely*p.ExchangedAlong), floor*p.Path)
	s.friction = max(accuracy*p.Friction, floor)
	s.supports, s.stresses = max(accuracy*p.Borne, floor), accuracy*p.Stressed
	s.way = max(accuracy*max(p.Way, barely*p.Reach), floor*p.Compliance, rounded)
	if s.barred = s.along; p.Compliance > 0 {
		s.barred = max(min(s.along, s.way/p.Compliance), floor)
	}
	if p.Path > 0 {
		idle := strayed * p.Acting
		s.slip, s.balance, s.lost = max(s.slip, idle), max(s.balance, idle), max(s.lost, idle)
	}
	return s
}

// WayTolerance is what the rounding of positions, in frames and in files, makes of them [m].
func (c *Certifier) WayTolerance() float64 { return 4 * 0x1p-52 * c.magnitude }

// strayed is the way that the rounding of positions makes in all, of the particles of an island
// that touch: each goes there and back at each node [m].
func (c *Certifier) strayed(island int) float64 {
	return c.WayTolerance() * float64(c.node.K*c.between.touching[island])
}

// scalesOf returns the limits of an island.
func (c *Certifier) scalesOf(island int) scales {
	return c.between.part[island].scales(c.opt.Accuracy, c.opt.Tolerance, c.WayTolerance(), c.strayed(island))
}

// Rounded is what the rounding of positions alone makes of a measure, in files as in the run:
// numbers of the two that differ by no more are the same.
func (c *Certifier) Rounded(m *Measure) float64 {
	p := &c.between.part[m.Island]
	switch m.Unit {
	case "J":
		return c.strayed(m.Island)*p.Acting + 4*p.Rounding*p.Path // the way of rounding, and forces that it pretends on the way
	case "N":
		return 4 * p.Rounding
	case "m":
		return 2 * c.WayTolerance() // of two places
	}
	return 0
}

// measures returns the verdict's numbers on the evolution, the worst of all islands
// each.
func (c *Certifier) measures(dst []Measure) []Measure {
	var stability, friction, balance, lost, way, hold, barred, behind, gammaStability, gammaBalance, digits Measure
	worse := func(worst *Measure, m Measure) {
		m.rounded = c.Rounded(&m)
		worse(worst, m)
	}
	for i := range c.between.part {
		p := &c.between.part[i]
		s := c.scalesOf(i)
		// What nothing acts on has no force to be off, and what nothing touches none of a contact.
		if size := max(p.Acting, p.Held); p.Closed && size > 0 {
			worse(&digits, Measure{Name: "digits",
				What:  "what the rounding of places, as far from the origin as they are, makes of forces, of those that act",
				Value: 4 * p.Rounding, Limit: c.opt.Accuracy * size, Unit: "N", Basis: Computed, Particle: -1,
				Time: c.node.T, Island: i, Judged: true})
		}
		basis, unknown := Proven, ""
		if p.Sampled {
			basis = Sampled
			if bends := c.between.bends; bends != "" {
				unknown = ", sampled for " + bends
			}
		}
		force := func(worst *Measure, name, what string, e Excess, limit float64) {
			if name != "force" {
				what += unknown
			}
			worse(worst, Measure{Name: name, What: what, Value: e.Force, Limit: limit, Unit: "N", Basis: basis,
				Particle: e.Particle, Time: e.Time, Island: i, Judged: true})
		}
		force(&stability, "stability", "a force along the obstacle that friction does not hold, (S) for all t", p.Along, s.along)
		force(&stability, "stability", "a force away from the obstacle, (S) for all t", p.Across, s.across)
		force(&stability, "stability", "a force that neither obstacle nor friction holds, (S) for all t", p.Free, s.free)
		force(&gammaStability, "stability, γ", "a force that friction less γ does not hold, (S_γ)", p.AlongGamma, s.along)
		energy := func(worst *Measure, name, what string, value, limit float64) {
			worse(worst, Measure{Name: name, What: what, Value: value, Limit: limit, Unit: "J", Basis: Computed,
				Particle: -1, Time: c.node.T, Island: i, Judged: true})
		}
		energy(&friction, "friction", "the unbalanced friction along the way, (DI)", p.Slip, s.slip)
		energy(&lost, "dissipation", "what is dissipated, "+InParts, unseen*p.MaxTwin, s.lost)
		lost.Basis, basis = Estimated, Estimated
		worse(&way, Measure{Name: "position", What: "where particles are, " + InParts, Value: p.Offset.Force,
			Limit: s.way, Unit: "m", Basis: Estimated, Particle: p.Offset.Particle, Time: p.Offset.Time, Island: i, Judged: true})
		force(&hold, "force", "friction at nodes, "+InParts, p.ForceOffset, s.friction)
		force(&barred, "force", "what friction holds on the way of a step beyond all that drives there", p.Barred, s.barred)
		worse(&behind, Measure{Name: "position", What: "how far friction that the steps passed holds a particle behind them", Value: p.Behind.Force,
			Limit: s.way, Unit: "m", Basis: Estimated, Particle: p.Behind.Particle, Time: p.Behind.Time, Island: i, Judged: true})
		energy(&balance, "balance", "the residual of (E)", max(p.MaxBalance, p.Flight), s.balance)
		energy(&gammaBalance, "balance, γ", "the residual of (E_γ)", max(p.MaxBalanceGamma, p.SlipGamma), s.balance)
	}
	if c.twin.failed != "" {
		dst = append(dst, Measure{Name: "parts", What: "the same evolution in parts of the steps is not solved: " +
			c.twin.failed, Value: 1, Basis: Computed, Particle: -1, Time: c.node.T, Judged: true})
	}
	if c.sum.Parts > mostParts {
		dst = append(dst, Measure{Name: "parts", What: "cells and waves of friction, eighths of a period and turns of springs that a step goes through",
			Value: float64(c.sum.Parts), Limit: mostParts, Basis: Computed, Particle: -1, Time: c.sum.PartsTime, Judged: true})
	}
	if x := c.sum.Turned; x.Force > 0 {
		dst = append(dst, Measure{Name: "turns", What: "the way round an obstacle in a step, which its ends do not tell if it is more than half a turn",
			Value: x.Force, Limit: 0.5, Basis: Computed, Particle: x.Particle, Time: x.Time, Judged: true})
	}
	if x := c.sum.Passed; x.Force > 0 {
		island := c.between.island[x.Particle]
		dst = append(dst, Measure{Name: "passed", What: "how deep a particle is, between two nodes, in an obstacle that is apart from it at both",
			Value: x.Force, Limit: c.scalesOf(island).way, Unit: "m", Basis: Computed, Particle: x.Particle,
			Time: x.Time, Island: island, Judged: true})
	}
	x := c.sum.Stretched // 1e9 leaves 7 of 16 digits to a place
	far := Measure{Name: "far", What: "the way in space over that on a curved obstacle of the coordinates of a place far from it, which lose so many digits",
		Value: x.Force, Limit: 1e9, Basis: Computed, Particle: x.Particle, Time: x.Time, Judged: true}
	for _, m := range [...]Measure{far, digits} {
		if !m.Passed() {
			dst = append(dst, m)
		}
	}
	if c.sum.Overlap > 0 {
		dst = append(dst, Measure{Name: "overlap",
			What:  "two bodies, or two sides of one, lie in each other, and contact between them is not modelled: the depth of two elements",
			Value: c.sum.Overlap, Unit: "m", Basis: Computed, Particle: -1, Time: c.sum.OverlapTime, Judged: true})
	}
	dst = append(dst, stability, friction, balance)
	if c.sum.Relinearised > 0 {
		dst = append(dst, c.linearisations())
	}
	if c.twin.stepper != nil {
		dst = append(dst, lost, way, hold)
		for _, m := range [...]Measure{barred, behind} {
			if m.Value > 0 {
				dst = append(dst, m)
			}
		}
	}
	dst = c.flowMeasures(dst)
	if c.opt.Step.Rule.Gamma > 0 {
		gammaStability.Judged, gammaBalance.Judged = false, false
		dst = append(dst, gammaStability, gammaBalance)
	}
	for i := range dst {
		m := &dst[i]
		m.rounded = 0
		if !m.Passed() && m.Judged {
			m.Remedy = c.remedy(dst)
		}
	}
	return dst
}

// linearisations is what new linearisations leave of (E), whatever its signs, of the energy that the world exchanges
// with the particles and that friction takes.
func (c *Certifier) linearisations() Measure {
	exchanged, rounding := 0.0, 0.0
	for i := range c.between.part {
		exchanged += c.between.part[i].ExchangedAlong + c.between.part[i].ExchangedAcross
		rounding += c.Rounded(&Measure{Unit: "J", Island: i})
	}
	return Measure{Name: "linearisations", What: "what new linearisations of bodies that meet leave of (E), added up",
		Value: c.sum.Unlinear, Limit: max(c.opt.Accuracy*exchanged, rounding), Unit: "J", Basis: Computed,
		Particle: -1, Time: c.node.T, Judged: true}
}

// remedy says what may bring a run within its accuracy, from what is known of it.
func (c *Certifier) remedy(list []Measure) string {
	rule := c.opt.Step.Rule
	solved := rule.Gamma > 0
	for i := range list {
		if m := &list[i]; !m.Judged {
			solved = solved && m.Passed()
		}
	}
	switch {
	case c.sum.Overlap > 0:
		return "keep them apart, or let them meet by \"contact\""
	case c.sum.Jumps > 0:
		return "none is known: the evolution jumps, and no polygon through a jump fulfils (S) and (E)"
	case solved:
		return fmt.Sprintf("a smaller gamma: the run solves Problem 3.1 with γ = %.3g N, not the problem without", rule.Gamma)
	case rule.Gamma > c.opt.Accuracy*c.pressed():
		return fmt.Sprintf("a smaller gamma: γ = %.3g N takes away more than the accuracy of normal forces up to %.3g N",
			rule.Gamma, c.pressed())
	case c.opt.Walk:
		return "a looser \"accuracy\": a walk from event to event has no steps to shorten, and as many nodes between events as its accuracy asks for"
	case c.sum.Relinearised > 0:
		return "shorter steps, or linearisations after a smaller part of a segment"
	case c.lagged():
		return "shorter steps, or \"threshold\": \"implicit\""
	}
	return "shorter steps"
}

// pressed is the largest normal force met.
func (c *Certifier) pressed() float64 {
	largest := 0.0
	for i := range c.between.part {
		largest = max(largest, c.between.part[i].ForceAcross)
	}
	return largest
}

// accurate reports whether all measures that are judged pass, and the first that
// does not.
func accurate(list []Measure) (bool, *Measure) {
	for i := range list {
		if m := &list[i]; m.Judged && !m.Passed() {
			return false, m
		}
	}
	return true, nil
}

// Measures returns the numbers of the verdict on the evolution so far: solved by
// [Summary], accurate by these. See docs/theory.md for their definitions.
func (c *Certifier) Measures() []Measure { return c.measures(nil) }

// Measures returns the numbers of the verdict on the evolution so far.
func (e *Evolution) Measures() []Measure { return e.cert.Measures() }

// Residuals returns what the evolution so far leaves in each island.
func (c *Certifier) Residuals() []Residuals { return append([]Residuals(nil), c.between.part...) }

// Residuals returns what the evolution so far leaves in each island.
func (e *Evolution) Residuals() []Residuals { return e.cert.Residuals() }

// judgeAccuracy fails a summary whose evolution is not accurate.
func (c *Certifier) judgeAccuracy(s *Summary) {
	c.list = c.measures(c.list[:0])
	ok, first := accurate(c.list)
	s.Accurate = ok
	if !ok {
		message := "not accurate: " + first.String()
		if s.First == "" {
			s.Remedy = first.Remedy
		}
		s.refuse(message)
	}
}

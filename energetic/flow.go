package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/particles"
)

// dissipated is what internal variables have dissipated since the start [J].
func dissipated(flows []particles.Flow) (sum float64) {
	for i := range flows {
		sum += flows[i].Dissipated
	}
	return sum
}

// flow adds to (E) what internal variables do in the step. On the polygon between two nodes they take, at each
// time, the values that cost least from those of the first node ([particles.Remembering]): they are stable then,
// (S). Their way there may turn, and dissipates more than the shortest one to its end; (E) lacks the difference,
// [particles.Flow] Turned.
func (c *Certifier) flow() {
	n := &c.node
	c.flows = c.sys.Flows(c.tPrev, c.zPrev, n.T, n.Z)
	if n.Flows = c.flows; len(c.flows) == 0 {
		return
	}
	before := c.spent
	c.spent = dissipated(c.flows)
	n.Energy -= c.spent
	n.Plastic += c.spent - before
	for i := range c.flows {
		f := &c.flows[i]
		n.Plastic += f.Turned
		p := &c.between.step[c.between.island[f.Particle]]
		p.Balance += f.Turned
		p.Yielded += f.Work
		p.Borne = max(p.Borne, finite(f.Borne))
		p.Yield.keep(f.Excess, n.T, f.Particle)
	}
}

// compareFlows adds by how much the internal variables of the twin, which is at the same node, have dissipated
// more or less.
func (c *Certifier) compareFlows(t float64) {
	w := &c.twin
	for i, f := range w.psi.System.Flows(t, w.z, t, w.z) {
		p := &c.between.step[c.between.island[f.Particle]]
		p.Unlike = max(p.Unlike, math.Abs(f.Dissipated-c.flows[i].Dissipated))
	}
}

// flowMeasures appends the numbers of the verdict on internal variables, the worst of the islands that have some.
func (c *Certifier) flowMeasures(dst []Measure) []Measure {
	if len(c.flows) == 0 {
		return dst
	}
	var yield, lost Measure
	for i := range c.flows {
		island := c.between.island[c.flows[i].Particle]
		p := &c.between.part[island]
		limit := max(c.opt.Accuracy*max(p.Yielded, barely*(p.ExchangedAlong+p.ExchangedAcross)),
			p.floor(c.opt.Tolerance)*p.Path)
		m := Measure{Basis: Computed, Particle: -1, Time: c.node.T, Island: island, Judged: true}
		m.Name, m.What = "yield", "what drives plastic strains beyond what yields, in parts of that, (S)"
		m.Value, m.Limit = p.Yield.Force, c.opt.Accuracy
		worse(&yield, m)
		m.Name, m.What = "plastic dissipation", "what plastic strains dissipate, "+InParts
		m.Value, m.Limit, m.Unit, m.Basis = unseen*p.Unlike, limit, "J", Estimated
		worse(&lost, m)
	}
	if dst = append(dst, yield); c.twin.stepper != nil {
		dst = append(dst, lost)
	}
	return dst
}

package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
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
		p.Yield.keep(f.Excess, n.T, f.Particle)
		for i := 0; i < len(f.Stresses); i += 6 {
			p.Stressed = max(p.Stressed, finite(num.Norm(f.Stresses[i:i+6])))
		}
	}
}

// compareFlows compares the internal variables of the twin, which is at the same node: what they have dissipated, and
// what they do to supports and stresses, which may differ where all nodes are where the supports have them. It reports
// whether they are alike.
func (c *Certifier) compareFlows(t float64) (alike bool) {
	w := &c.twin
	alike = true
	flows := w.psi.System.Flows(t, w.z, t, w.z)
	for i := range flows {
		f := &flows[i]
		p := &c.between.step[c.between.island[f.Particle]]
		p.Unlike = max(p.Unlike, math.Abs(f.Dissipated-c.flows[i].Dissipated))
		force, stress := c.flows[i].Apart(f)
		p.Supported.keep(unseenForce*force, t, f.Particle)
		p.StressOffset = max(p.StressOffset, finite(unseenForce*stress))
		alike = alike && stress <= followed*p.Stressed
	}
	return alike
}

// flowMeasures appends the numbers of the verdict on internal variables, the worst of the islands that have some.
func (c *Certifier) flowMeasures(dst []Measure) []Measure {
	if len(c.flows) == 0 {
		return dst
	}
	var yield, lost, supports, stresses Measure
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
		m.Name, m.What = "supports", "forces of supports on bodies that yield, "+InParts
		m.Value, m.Limit, m.Unit = p.Supported.Force, c.scalesOf(island).supports, "N"
		worse(&supports, m)
		m.Name, m.What = "stresses", "stresses of bodies that yield, "+InParts
		m.Value, m.Limit, m.Unit = p.StressOffset, c.scalesOf(island).stresses, "Pa"
		worse(&stresses, m)
	}
	if dst = append(dst, yield); c.twin.stepper != nil {
		dst = append(dst, lost, supports, stresses)
	}
	return dst
}

package energetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/table"
)

// boundedBody is one whose mesh has a bound of its error: docs/decisions/0034.
type boundedBody struct {
	body  *body.Body
	first int
	sides []boundedSide
	cuts  map[[2]int][]float64 // of edges that meet others
	// quantities are those of the case in their order, nil of those that are not of the body.
	quantities []*fem.Quantity
}

// boundedSide is an entry of "contact": nodes with their obstacle. Those that are in another entry before face it too.
type boundedSide struct {
	group fem.Group
	nodes []int
	own   []bool
	frame particles.Frame
}

// boundSums are what is known of the bounds at the nodes so far. A checkpoint holds it.
type boundSums struct {
	Energy, At float64 // largest bound [J], and its time [s]
	Strain     float64 // largest energy of the strains [J]
	Change     float64 // largest change of all energy since the start [J]
	Start, Met float64 // energy at the start, and the size of those met [J]
	Z          []float64
	Ended      string // why there is no bound at some node; empty: there is
	Quantities []quantitySums
}

// boundWork is the work for an element beside factors [operations]: a system of 15 unknowns with 14 right sides in the
// plane, of 42 with 39 in space.
var boundWork = [4]float64{2: 3e4, 3: 1e6}

// bounds lists the bodies that have a bound, within the work and the memory that there is for a second run, with what
// the case asks of them; else why there is none.
func (b *builder) bounds(c *Case) {
	steps := float64(c.plan.Steps)
	if c.Chosen || c.Adaptive != nil {
		steps = max(steps, unknownSteps)
	}
	list, work, bytes, why := b.boundable(steps)
	need := c.plan.Need
	need.Parts = slices.Clone(need.Parts)
	need.Add("bound of the mesh", int64(bytes))
	switch {
	case why == "" && work > refinement.Budget:
		why = "it would take longer than what is judged"
	case why == "" && need.Total() > b.Limit.Bytes:
		why = "memory is short"
	}
	if why == "" {
		c.boundedMeetings, why = b.boundedMeetings(list)
	}
	if c.unbounded = why; why != "" {
		return
	}
	c.bounded, c.plan.Need = list, need
	b.quantityBounds(c, steps, work)
}

// boundable lists the bodies of a case that has nothing but linear bodies on flat obstacles, whose meshes are not
// given; else it says why some have no bound. It predicts the work of a number of steps, and bytes.
func (b *builder) boundable(steps float64) (list []boundedBody, work, bytes float64, why string) {
	switch {
	case len(b.doc.Particles) > 0 || len(b.doc.Energies) > len(b.nodes):
		return nil, 0, 0, "not only bodies store energy"
	}
	for _, n := range b.nodes {
		m := n.body.Mesh()
		switch {
		case n.doc.Given():
			return nil, 0, 0, "a mesh is given"
		case !n.body.Linear():
			return nil, 0, 0, "a body is not linear"
		case n.doc.Orthotropic != nil:
			return nil, 0, 0, "a body is orthotropic"
		case n.solid.Lids != nil:
			return nil, 0, 0, "a side moves rigidly, and what holds it so is no known traction"
		case n.solid.Ties != nil:
			return nil, 0, 0, "sides are periodic, and what passes through them is no known traction"
		case n.doc.Bed != nil:
			return nil, 0, 0, "a body lies on a bed, which is no side with a known traction"
		}
		if err := fem.Bounded(m, n.body.Kinematics()); err != nil {
			return nil, 0, 0, unboundedWhy(err)
		}
		elements, unknowns := float64(fem.BoundElements(m)), boundUnknowns(m)
		work += refinement.Work(m.Dim, unknowns, steps) + boundWork[m.Dim]*elements
		bytes += 2*8*refinement.Entries(m.Dim, unknowns) + elements*fem.BoundBytes(m.Dim)
		x := boundedBody{body: n.body, first: n.first}
		for entry, doc := range n.doc.Contact {
			if doc.Body != "" {
				continue
			}
			side := boundedSide{group: m.Groups[doc.Group]}
			for _, i := range side.group.Corners() {
				t := n.contact[i]
				own := t.at[len(t.at)-1] == entry
				side.nodes, side.own = append(side.nodes, i), append(side.own, own)
				if own {
					side.frame = b.frames[n.first+i]
				}
				switch b.matrices[n.first+i].(type) {
				case nil, dissipation.Isotropic:
				default:
					return nil, 0, 0, "friction depends on the direction"
				}
			}
			switch chart := side.frame.Chart; {
			case chart != nil && !chart.Face.Flat():
				return nil, 0, 0, "an obstacle is curved"
			case side.group.Dim != m.Dim-1:
				return nil, 0, 0, "nodes without a side are in contact"
			}
			x.sides = append(x.sides, side)
		}
		list = append(list, x)
	}
	return list, work, bytes, ""
}

// boundUnknowns are those of the facets, of which two elements share each.
func boundUnknowns(m *fem.Mesh) float64 {
	return float64(fem.BoundElements(m)*(m.Dim+1)*m.Dim*m.Dim) / 2
}

// unboundedWhy is an error of [fem.Bound] in a line of the verdict.
func unboundedWhy(err error) string { return strings.TrimPrefix(err.Error(), "fem: ") }

// startBounds prepares them.
func (r *Run) startBounds(ctx context.Context) error {
	for i := range r.c.bounded {
		x := &r.c.bounded[i]
		var sides []fem.Group
		for k := range x.sides {
			sides = append(sides, x.sides[k].group)
		}
		b, err := x.body.Bound(ctx, sides, x.cuts)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.bounds.Ended = unboundedWhy(err)
			return nil
		}
		r.bodies = append(r.bodies, b)
	}
	return nil
}

// bound takes the bounds at a node.
func (r *Run) bound(ctx context.Context, n *energetic.Node) {
	sums := &r.bounds
	if len(r.bodies) == 0 || sums.Ended != "" {
		return
	}
	r.parts = make([][]float64, len(r.bodies))
	at := places(r.c.Psi, n.T, n.Z)
	states, bounds := make([]*fem.BoundState, len(r.bodies)), make([]fem.ErrorBound, len(r.bodies))
	if sums.Z == nil {
		sums.Z, sums.Start = slices.Clone(n.Z), n.Energy
	}
	for k := range r.bodies {
		x := &r.c.bounded[k]
		s := x.body.BoundState(n.T, at)
		for side := range x.sides {
			for i := range x.sides[side].nodes {
				s.Contact = append(s.Contact, r.boundNode(x, side, i, n, at))
			}
		}
		states[k] = s
	}
	var total fem.ErrorBound
	var err error
	total.Square, err = r.meet(n, states)
	for k, b := range r.bodies {
		if err == nil {
			bounds[k], err = b.At(states[k])
		}
		if err != nil {
			sums.Ended = unboundedWhy(err)
			return
		}
		e := &bounds[k]
		total.Square, total.Strain, total.Short = total.Square+e.Square, total.Strain+e.Strain, total.Short+e.Short
		r.parts[k] = e.Elements
	}
	copy(sums.Z, n.Z)
	r.boundQuantities(ctx, n.T, states, bounds)
	if off := total.Off(); !(off <= sums.Energy) { // NaN stays
		sums.Energy, sums.At = off, n.T
	}
	sums.Strain, sums.Change, sums.Met = max(sums.Strain, total.Strain), max(sums.Change, math.Abs(n.Energy-sums.Start)),
		max(sums.Met, n.EnergyScale)
}

// size is the energy that a bound is compared with: that of the strains, or since the start if that is less, as of a body that
// is loaded from the start on; what both is off by is at most the larger bound, for energies are never too small.
func (s *boundSums) size() float64 { return max(min(s.Strain, s.Change), meshRounding*s.Met) }

// boundNode is a node of a side, by its coordinates in the frame of the obstacle, where that is.
func (r *Run) boundNode(x *boundedBody, side, i int, n *energetic.Node, at []float64) fem.BoundNode {
	s, sys := &x.sides[side], r.c.Psi.System
	j := x.first + s.nodes[i]
	measured := j // that has the obstacle, whose axes are the same everywhere
	if !s.own[i] {
		measured = x.first + s.nodes[slices.Index(s.own, true)]
	}
	normal, along, across, _ := sys.ContactAxesAt(n.T, measured, n.Z)
	node := fem.BoundNode{Side: side, Node: s.nodes[i], Axis: x.body.Along(normal)}
	if !s.own[i] {
		place := [3]float64(at[3*j : 3*j+3])
		z := s.frame.ToLocal(place)
		if s.frame.Chart != nil {
			z = s.frame.Chart.Coordinates(n.T, place)
		}
		if node.Gap = z[2]; math.Abs(z[2]) <= contact*size(place[:]) {
			node.Gap = 0
		}
		return node
	}
	vector := func(t, o float64) [3]float64 {
		return x.body.Along(vec3.Add(vec3.Scale(along, t), o, across))
	}
	node.Gap = max(0, n.Z[3*j+2])
	node.Slip = vector(n.Z[3*j]-r.bounds.Z[3*j], n.Z[3*j+1]-r.bounds.Z[3*j+1])
	if n.States[j] != incremental.Free {
		node.Normal = max(0, n.Grad[3*j+2])
	}
	if mu, _ := r.c.Psi.Mu(n.T, j, n.Z); mu > 0 && node.Normal > 0 {
		node.Friction = vector(n.Grad[3*j], n.Grad[3*j+1])
		node.Most = max(mu*r.c.Psi.Factor(j, n.T)*node.Normal, math.Hypot(n.Grad[3*j], n.Grad[3*j+1]))
	}
	return node
}

// rubs reports whether a contact of the case has friction.
func (c *Case) rubs() bool {
	return slices.ContainsFunc(c.Psi.Matrices, func(m dissipation.Matrix) bool { return m != nil })
}

// boundName names the fact of the bound: without friction states depend on no history.
func (c *Case) boundName() string {
	if c.rubs() {
		return "mesh: energy of each step from where it began, with the bounds of friction that were found, by an equilibrated stress"
	}
	return "mesh: energy, by an equilibrated stress"
}

// proven puts the bounds into the facts of the mesh. Without friction one of the energy that is small
// enough takes the place of the estimate of the energies; a larger one is told beside that, which is then what judges,
// as is why there is none. A mesh that was to be refined to a bound has to meet it.
func (r *Run) proven(list []table.Fact) []table.Fact {
	sums := &r.bounds
	k := r.estimateOf("energies", list)
	if why := cmp.Or(r.c.unbounded, sums.Ended); why != "" && k >= 0 {
		list[k].Place += fmt.Sprintf("; no bound is proven: %s", why)
	}
	if r.c.target > 0 && sums.Ended != "" {
		list = append(list, table.No(table.Accurate, "the mesh is to be refined to a bound, and none is proven: "+sums.Ended, table.Computed))
	}
	if len(r.bodies) == 0 {
		return list
	}
	list = r.quantityFacts(list)
	if sums.Ended != "" || !(sums.size() > 0) {
		return list
	}
	f := table.AtMost(table.Accurate, r.c.boundName(), sums.Energy/sums.size(), r.c.plan.Accuracy, "", table.Proven)
	f.Place = fmt.Sprintf("t=%.6g", sums.At)
	if n := r.c.refined; n[0] > 0 {
		f.Place += fmt.Sprintf(", refined to %d elements from %d", n[1], n[0])
	}
	if most := r.c.target; f.Passed && most > 0 && most < f.Limit {
		if f.Limit, f.Passed = most, f.Value <= most; !f.Passed {
			f.Remedy = "a larger \"accuracy\" of the \"mesh\": a finer one costs more than is judged"
			return append(list, f)
		}
	}
	switch {
	case f.Passed && k >= 0 && !r.c.rubs():
		list[k] = f
	case f.Passed:
		list = append(list, f)
	default:
		note(list, k, "by an equilibrated stress %.3g (proven)", f.Value)
	}
	return list
}

// estimateOf is the number of the fact that estimates a group of quantities from a run on another mesh; −1: there is none.
func (r *Run) estimateOf(group string, list []table.Fact) int {
	name := refinement.Name(group, r.c.other.level.Against())
	return slices.IndexFunc(list, func(f table.Fact) bool { return f.Name == name })
}

// note tells a text beside the estimate k, or where there is none beside the first fact, which says why.
func note(list []table.Fact, k int, format string, args ...any) {
	if len(list) > 0 {
		list[max(0, k)].Place += fmt.Sprintf("; "+format, args...)
	}
}

// replaces reports whether a fact of a run takes the place of that of a name.
func (d *diagnosis) replaces(f *table.Fact, name string) bool {
	return f.Name == d.c.boundName() && !d.c.rubs() && name == refinement.Name("energies", d.c.other.level.Against())
}

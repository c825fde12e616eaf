package energetic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

// meeting is an entry of "contact" in which a body meets another one. Its nodes are measured from the
// other side ([particles.Relative]), by the weights of [fem.Mortar] where the case has the bodies:
// docs/decisions/0032.
type meeting struct {
	own, other *bodyNodes
	doc        *solid.Contact
	at         casefile.Path
	overlap    signal.Scalar   // nil: none
	told       bool            // that it overlaps at the start
	sides      [2]fem.Side     // the own one and the other, at the places of the linearisation
	offset     map[int]float64 // of gaps at the start that count as none, by node [m]
}

// meetBodies makes the nodes of bodies that meet others contacts.
func (b *builder) meetBodies() {
	byID, names := map[string]*bodyNodes{}, []string(nil)
	for _, n := range b.nodes {
		byID[n.doc.ID], names = n, append(names, n.doc.ID)
	}
	for _, n := range b.nodes {
		for k := range n.doc.Contact {
			c, p := &n.doc.Contact[k], n.at.With("contact", k)
			if c.Body == "" {
				continue
			}
			other := byID[c.Body]
			if other == nil {
				b.UnknownName(p.With("body"), c.Body, "body", names)
				continue
			}
			b.meet(&meeting{own: n, other: other, doc: c, at: p, offset: map[int]float64{}})
		}
	}
}

// tiedBodies says which bodies are tied to each other; "": none.
func (b *builder) tiedBodies() string {
	text, more := "", 0
	for _, n := range b.nodes {
		for k := range n.doc.Contact {
			switch c := &n.doc.Contact[k]; {
			case !c.Tied:
			case text == "":
				text = fmt.Sprintf("%s is tied to %s", n.doc.ID, c.Body)
			default:
				more++
			}
		}
	}
	if more > 0 {
		text += fmt.Sprintf(", and %d more such pairs", more)
	}
	return text
}

// meet checks one entry and makes its contacts.
func (b *builder) meet(m *meeting) {
	n, o, p := m.own, m.other, m.at
	switch {
	case n.doc.hyperelastic() || o.doc.hyperelastic():
		b.Add(p.With("body"), "bodies that meet have small displacements, want \"law\": \"linear\" of both")
	case n.body.Kinematics() != o.body.Kinematics():
		b.Add(p.With("body"), "the body %q is of %s, and %q of %s: want the same", n.doc.ID, n.body.Kinematics(),
			o.doc.ID, o.body.Kinematics())
	case b.doc.Solution != "":
		b.Add(casefile.Path{"solution"}, "bodies that meet are followed along stable states, want no key \"solution\"")
	}
	own, ok := solid.Group(b.Builder, p.With("group"), n.body.Mesh(), m.doc.Group)
	other, known := solid.Group(b.Builder, p.With("side"), o.body.Mesh(), m.doc.Side)
	m.overlap = m.doc.Interference(b.Builder, p)
	if b.Any() || !ok || !known {
		return
	}
	m.sides = [2]fem.Side{{Mesh: n.body.Mesh(), Group: own}, {Mesh: o.body.Mesh(), Group: other, Held: o.stopped(other)}}
	b.meetings = append(b.meetings, m)
	b.pairUp(m)
}

// pairUp makes the contacts of the nodes of a side that face the other one where the two are.
func (b *builder) pairUp(m *meeting) {
	n, o, p := m.own, m.other, m.at
	nodes, err := fem.Mortar(m.sides[0], m.sides[1], n.body.Kinematics())
	if !b.Accept(p, err) {
		return
	}
	held, shared := map[int][3]bool{}, map[int]bool{} // ends of a slit belong to both of its sides
	if n == o {
		for _, i := range m.sides[1].Group.Corners() {
			shared[i] = true
		}
	}
	for k := range nodes {
		i := nodes[k].Node
		before, twice := n.contact[i]
		if twice && before.meeting != nil {
			b.Add(p, "node %d at %v is in contact by %s too, and has one: leave it out of one of the groups", i,
				n.body.Mesh().Node(i), before.at)
			return
		}
		if axes := m.held(&nodes[k]); twice || shared[i] {
			held[i] = [3]bool{true, true, true}
		} else if axes != [3]bool{} {
			held[i] = axes
		}
	}
	if len(held) > 0 {
		m.sides[0].Held = held
		if nodes, err = fem.Mortar(m.sides[0], m.sides[1], n.body.Kinematics()); err != nil {
			advice := fmt.Sprintf("let %q meet %q", o.doc.ID, n.doc.ID)
			if n == o {
				advice = fmt.Sprintf("let %q be the \"group\" and %q the \"side\"", m.doc.Side, m.doc.Group)
			}
			b.Add(p, "%v: they are prescribed, in another contact or ends of both sides, and bear no other: %s", err, advice)
			return
		}
	}
	for k := range nodes {
		n.contact[nodes[k].Node] = touch{friction: m.doc.Friction, at: p, meeting: m, mortar: &nodes[k]}
	}
}

// stopped are the axes along which nodes of a group are prescribed.
func (n *bodyNodes) stopped(g fem.Group) map[int][3]bool {
	list := map[int][3]bool{}
	for _, i := range g.Corners() {
		var axes [3]bool
		for c := range n.body.Mesh().Dim {
			axes[c] = n.body.Motion(i, c) != nil
		}
		list[i] = axes
	}
	return list
}

// held are the axes along which a node bears no contact. On planes of symmetry of both bodies, where the node and the one
// that it faces nearest to such a plane have the displacement 0 along an axis, it is that axis: the normal is then that
// of the side and its mirror image, of which both bodies are at one end, if it leans. Where anything else is prescribed
// of the node it is all of them.
func (m *meeting) held(node *fem.MortarNode) (axes [3]bool) {
	own, other := m.sides[0].Mesh, m.sides[1].Mesh
	dim, small := own.Dim, contact*size(own.X)
	for c := range dim {
		motion := m.own.body.Motion(node.Node, c)
		if motion == nil {
			continue
		}
		axes[c] = true
		off := func(master int) float64 {
			if d := math.Abs(other.Node(master)[c] - own.Node(node.Node)[c]); d > small {
				return d
			}
			return 0
		}
		nearest := slices.MinFunc(node.Masters, func(i, j int) int {
			return cmp.Or(cmp.Compare(off(i), off(j)), cmp.Compare(m.distance(node.Node, i), m.distance(node.Node, j)))
		})
		faced := m.other.body.Motion(nearest, c)
		lean := math.Abs(node.Frame[dim-1][c])
		// Half the digits: above the rounding of places far from the origin, below any angle that is meant. From 30° on
		// the normal of the image would be far from that of the side.
		if faced == nil || !signal.Zero(motion) || !signal.Zero(faced) || lean > 0.5 ||
			lean > 1e-8 && !(outermost(own, node.Node, c) && outermost(other, nearest, c)) {
			return [3]bool{true, true, true}
		}
	}
	return axes
}

// distance is that of a node from one of the other side.
func (m *meeting) distance(own, other int) (length float64) {
	for c, x := range m.sides[1].Mesh.Node(other) {
		length = math.Hypot(length, x-m.sides[0].Mesh.Node(own)[c])
	}
	return length
}

// outermost reports whether no node of a mesh is farther along an axis than node i, or none is less far.
func outermost(m *fem.Mesh, i, c int) bool {
	low, high, small := true, true, contact*size(m.X)
	for j := c; j < len(m.X); j += m.Dim {
		low, high = low && m.X[j] >= m.Node(i)[c]-small, high && m.X[j] <= m.Node(i)[c]+small
	}
	return low || high
}

// meetingFrame returns frame and friction of a node that meets another body, and makes its coordinates relative.
func (b *builder) meetingFrame(n *bodyNodes, i int, t touch) (particles.Frame, dissipation.Matrix) {
	m, dim := t.meeting, n.body.Mesh().Dim
	var normal, held [3]float64 // of the particle; held is a tangent without shear
	tangents := dim - 1         // that are free
	for c := range dim {
		axis := n.body.Dof(i, c) % 3
		if normal[axis] = t.mortar.Frame[dim-1][c]; n.body.Motion(i, c) != nil {
			normal[axis], held[axis] = 0, 1
			tangents--
		}
	}
	frame := particles.NoObstacle()
	if !m.doc.Tied {
		half, err := particles.NewHalfSpace([3]float64{}, normal)
		if !b.Accept(t.at, err) {
			return particles.Frame{}, nil
		}
		if frame = half.Frame(); dim == 3 && tangents == 1 {
			if frame, err = half.FrameAlong(held); !b.Accept(t.at, err) {
				return particles.Frame{}, nil
			}
		}
	}
	b.relate(n, i, t, &frame)
	if t.friction == nil || tangents == 0 { // shear vanishes across planes of symmetry
		return frame, nil
	}
	p := casefile.Path{"friction", *t.friction}
	law, found := b.frictions.Find(t.at.With("friction"), *t.friction)
	switch {
	case !found:
		return frame, nil
	case law.field != nil || law.Ripple != nil:
		b.Add(p, "friction between bodies is the same everywhere, want no \"map\" and no \"ripple\"")
		return frame, nil
	}
	return frame, b.matrix(p, &law, &frame, n.first+i, false)
}

// metNode is a node that meets another body.
type metNode struct {
	particle int
	mortar   *fem.MortarNode
	reach    float64 // distance of the farthest node that it faces [m]
	finer    float64 // see [fem.MortarNode]
	meeting  *meeting
	gap      float64    // at the start [m]
	normal   [3]float64 // of its frame
	lean     float64    // sine of its angle to the normal where the sides are nearest, of what is open at the start and may rub
}

// setLeans sets lean of the nodes that meet other bodies.
func (b *builder) setLeans() {
	nearest := map[*meeting]*metNode{}
	for i := range b.met {
		n := &b.met[i]
		if x := nearest[n.meeting]; x == nil || n.gap < x.gap {
			nearest[n.meeting] = n
		}
	}
	for i := range b.met {
		if n := &b.met[i]; n.gap > 0 && n.meeting.doc.Friction != nil {
			n.lean = vec3.Norm(vec3.Cross(n.normal, nearest[n.meeting].normal))
		}
	}
}

// meetings are measures of nodes that meet other bodies, the worst so far.
type meetings struct {
	Slip, Finer     float64 // slip since a linearisation over reach, of all; finer, of those that touch
	Slipped, Amidst int     // the particles
	Lean, Holds     float64 // Σ p sin of the lean, and Σ μp: the largest [N]
	Since           float64 // largest slip since the last linearisation, over reach [-] …
	Moved           float64 // … and largest motion, along the normals too [-]
	Lag, At         float64 // largest lag since then, see faceLag, and the slip of the last one [-]
	Unmet           float64 // deepest of sides in each other that the run has apart since then, over reach [-]
	Turned          float64 // largest Σ p sin of what normals turned by since then, where runs are linearised anew [N]
	Before          float64 // largest lag in linearisations before [-]
	Unknown         string  // why that is not known; empty: it is
	Node            int     // the last one that was observed
}

// observe takes a node of the evolution. The lag is in proportion to the slip: it is computed where the slip has grown
// by a quarter, from a hundredth of the accuracy on, and where sides that are apart in the run are in each other, which
// begins at once. What normals turn by follows the loads, also of what sticks.
func (m *meetings) observe(ctx context.Context, c *Case, at *energetic.Node) {
	if at.K > 0 && at.K == m.Node {
		return
	}
	m.Node = at.K
	lean, holds, z := 0.0, 0.0, at.Z
	for _, n := range c.met {
		j := 3 * n.particle
		s := math.Hypot(z[j]-c.Z0[j], z[j+1]-c.Z0[j+1]) / n.reach
		m.Since, m.Moved = max(m.Since, s), max(m.Moved, s, math.Abs(z[j+2]-c.Z0[j+2])/n.reach)
		if s > m.Slip {
			m.Slip, m.Slipped = s, n.particle
		}
		if z[j+2] == 0 && n.finer > m.Finer {
			m.Finer, m.Amidst = n.finer, n.particle
		}
		if mu := c.Psi.Size(at.T, n.particle, z); mu > 0 {
			lean, holds = lean+n.lean*at.Grad[j+2], holds+mu*at.Grad[j+2]
		}
	}
	m.Holds = max(m.Holds, holds)
	if c.relinearisation == nil {
		m.Lean = max(m.Lean, lean)
	}
	if m.Since <= 0.01*c.plan.Accuracy && c.relinearisation == nil {
		return
	}
	l, lag := c.newFaceLag(at), 0.0
	err := l.observe()
	far := m.Since > max(1.25*m.At, 0.01*c.plan.Accuracy) || l.unmet > 1.25*m.Unmet
	m.Unmet = max(m.Unmet, l.unmet)
	if c.relinearisation != nil {
		m.Turned, m.Lean = max(m.Turned, l.turned), max(m.Lean, l.turned)
	}
	if err == nil && (far || m.due(c)) {
		lag, err = l.value(ctx)
		m.Lag, m.At = max(m.Lag, lag), m.Since
	}
	if err != nil {
		m.Unknown = err.Error()
	}
}

// due reports whether a linearisation is to be made anew: bodies have moved so far against each other since the last
// one, along their sides or normals, or normals have turned by half of what accuracy allows.
func (m *meetings) due(c *Case) bool {
	return c.relinearisation != nil && (m.Moved > c.relinearisation.part || m.Turned > c.plan.Accuracy*m.Holds/2)
}

// over is how far what is opposite now is from that of the last linearisation, in parts of what accuracy allows;
// +Inf: it is not known.
func (m *meetings) over(c *Case) float64 {
	if m.Unknown != "" {
		return math.Inf(1)
	}
	over := m.since()
	if m.Turned > 0 {
		over = max(over, m.Turned/m.Holds)
	}
	return over / c.plan.Accuracy
}

// largest is the largest lag so far [-], and whether there is one.
func (m *meetings) largest() (lag float64, known bool) {
	return max(m.Before, m.since()), m.At > 0 || m.Before > 0
}

// since is the largest lag since the last linearisation [-].
func (m *meetings) since() float64 {
	if m.At == 0 {
		return 0
	}
	return m.Lag * m.Since / m.At
}

// again begins with a new linearisation.
func (m *meetings) again() {
	m.Before, _ = m.largest()
	m.Since, m.Moved, m.Lag, m.At, m.Turned, m.Unmet = 0, 0, 0, 0, 0, 0
}

// meetingFacts judge what holds where bodies meet only if slips are small, for what faces what is that of the start:
// the error of that is of the size of the slip over the length on which pressures change, which
// elements resolve by their own length; if the coarser side is the one that is measured; and if it makes no difference
// along which normals sides that lean on each other close: those of the deformed sides lie between the two, and friction
// is off by p sin of what they lean, which is zero of bodies that mirror each other.
func (r *Run) meetingFacts() []table.Fact {
	if len(r.c.met) == 0 {
		return nil
	}
	m := &r.met
	since, remedy := " at the start",
		"\"relinearise\": a part of a segment, after which what faces what is found anew; or a rigid side as an obstacle"
	if r.c.relinearisation != nil {
		since, remedy = " at the last linearisation", "a smaller part \"relinearise\", or shorter steps"
	}
	slip := table.AtMost(table.Accurate, "bodies that meet: the farthest slip, over the segments of what faces what"+since,
		m.Slip, 1, "", table.Computed)
	slip.Remedy = remedy
	if m.Slip > 0 {
		slip.Place = "particle " + r.c.IDs[m.Slipped]
	}
	list := []table.Fact{slip}
	if m.Unknown != "" {
		list = append(list, table.No(table.Accurate, "bodies that meet: displacements, with the faces that are opposite now: "+m.Unknown, table.Computed))
	} else if lag, known := m.largest(); known {
		f := table.AtMost(table.Accurate,
			"bodies that meet: displacements, with the faces that are opposite now, against those"+since, lag, r.c.plan.Accuracy, "", table.Estimated)
		f.Remedy = remedy
		list = append(list, f)
	}
	leans := m.Lean > 1e-6*m.Holds // less is what rounding leaves, and another one in files
	if leans && r.c.relinearisation != nil {
		lean := table.AtMost(table.Accurate,
			"bodies that meet: pressures along tangents, with the normals of now, over what friction holds", m.Lean/m.Holds, r.c.plan.Accuracy, "", table.Estimated)
		lean.Remedy = remedy
		list = append(list, lean)
	} else if leans {
		lean := table.AtMost(table.Accurate, "bodies that meet: pressures along the tangents of where the sides are nearest, over what friction holds",
			m.Lean/m.Holds, r.c.plan.Accuracy, "", table.Estimated)
		lean.Remedy = fmt.Sprintf("the stiffer of the two as an obstacle, whose normals are known; loads under which the sides turn %.2g times less; or an \"accuracy\" of %.2g, to which the mean of their normals, along which they close, is known",
			m.Lean/m.Holds/r.c.plan.Accuracy, 1.05*m.Lean/m.Holds)
		list = append(list, lean)
	}
	if m.Finer <= solid.MostFiner {
		return list
	}
	finer := table.AtMost(table.Accurate, "bodies that meet: edges that are met, over those of the \"group\" that meets them",
		m.Finer, solid.MostFiner, "", table.Computed)
	finer.Remedy = "let the side with the longer edges be the \"group\", and the other the \"side\": pressures of the finer one would swing from node to node"
	finer.Place = "particle " + r.c.IDs[m.Amidst]
	return append(list, finer)
}

// relate measures node i from what it faces,
//
//	v (x_i − X_i) + Σ_h v_h (x_h − X_h) − Σ_m w_m (x_m − X_m) = y_i − (gap − overlap) n,   y = R z,
//
// with held nodes h beside it, so that z is (0, 0, gap − overlap) at the start. Of nodes that are prescribed, x − X is g(t).
func (b *builder) relate(n *bodyNodes, i int, t touch, frame *particles.Frame) {
	m := t.meeting
	mesh := m.sides[0].Mesh
	apart := t.mortar.Apart(mesh, m.sides[1].Mesh)
	gap, reach := vec3.Dot(t.mortar.Across, apart), 0.0
	wide := gap
	for _, master := range t.mortar.Masters {
		reach = max(reach, m.distance(i, master))
	}
	if b.moved && !m.doc.Tied {
		gap -= m.offset[i]
	} else {
		var ok bool
		if gap, ok = m.doc.StartGap(b.Builder, t.at, gap, reach, contact*size(b.at[3*(n.first+i):][:3]), i, mesh.Node(i), n.doc.ID); !ok {
			return
		}
	}
	if !b.moved && wide != gap {
		m.offset[i] = wide - gap
	}
	if !m.doc.Tied {
		b.met = append(b.met, metNode{particle: n.first + i, mortar: t.mortar,
			reach: reach, finer: t.mortar.Finer, meeting: m, gap: gap, normal: frame.N})
	}
	if !b.doc.Equilibrate && !m.told {
		m.told = !solid.Closes(b.Builder, t.at, m.overlap, gap, 0, i, mesh.Node(i), m.doc.Body, true)
	}
	for c := range mesh.Dim {
		if n.body.Motion(i, c) != nil {
			continue // it goes with its plane of symmetry
		}
		r, along := t.relation(n, c), frame.N[n.body.Dof(i, c)%3]
		r.Shift = append(r.Shift, particles.Share{Factor: 1, Signal: signal.Constant(mesh.Node(i)[c] - gap*along*r.Own)})
		if m.overlap != nil && along != 0 {
			r.Shift = append(r.Shift, particles.Share{Factor: along * r.Own * vec3.Norm(t.mortar.Across), Signal: m.overlap})
		}
		if m.doc.Tied {
			r.Follower = n.body.Follow()
		}
		b.relative, b.relativeAt = append(b.relative, r), append(b.relativeAt, t.at)
	}
}

// relation is what a node of n is measured from along an axis, without the shift by places and gaps.
func (t *touch) relation(n *bodyNodes, c int) particles.Relative {
	own, other := t.mortar.Along(c)
	m, v, r := t.meeting, t.mortar.Own(), particles.Relative{Dof: n.body.Dof(t.mortar.Node, c), Own: 1 / t.mortar.Own()}
	delete(own, t.mortar.Node)
	if m.own == m.other {
		for j, w := range own {
			other[j] -= w
		}
		clear(own)
	}
	for _, side := range []struct {
		body    *body.Body
		mesh    *fem.Mesh
		weights map[int]float64
		factor  float64
	}{{m.other.body, m.sides[1].Mesh, other, 1 / v}, {n.body, m.sides[0].Mesh, own, -1 / v}} {
		for _, j := range slices.Sorted(maps.Keys(side.weights)) {
			w, from := side.factor*side.weights[j], side.mesh.Node(j)[c]
			g := side.body.Motion(j, c)
			if g == nil {
				r.Terms = append(r.Terms, particles.Term{Dof: side.body.Dof(j, c), Weight: w, From: from})
				continue
			}
			r.Shift = append(r.Shift, particles.Share{Factor: w, Signal: g, Held: 1 + side.body.Dof(j, c)})
			if back := side.body.Mesh().Node(j)[c] - from; back != 0 {
				r.Shift = append(r.Shift, particles.Share{Factor: w, Signal: signal.Constant(back)})
			}
		}
	}
	return r
}

// checkRelative refuses nodes that are measured from others that are measured themselves.
func (b *builder) checkRelative() {
	is := map[int]casefile.Path{}
	for k := range b.relative {
		is[b.relative[k].Dof] = b.relativeAt[k]
	}
	for k := range b.relative {
		for _, w := range b.relative[k].Terms {
			id := b.ids[w.Dof/3]
			if by, twice := is[w.Dof]; twice {
				b.Add(b.relativeAt[k], "it meets the node %q, which meets another body by %s: let the one side be met, or meet, only",
					id, by)
				return
			}
			if b.frames[w.Dof/3].Chart != nil {
				b.Add(b.relativeAt[k], "it is measured from the node %q, whose obstacle is curved or moves: want an obstacle of it that is flat and at rest",
					id)
				return
			}
		}
	}
}

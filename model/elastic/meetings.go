package elastic

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/table"
)

// meetings are measures of nodes that meet other bodies, the worst so far.
type meetings struct {
	Slip, Finer     float64   // farthest slip since the start, over the segments of what faces what; edges that are met, over own ones
	Slipped, Amidst int       // the contacts
	Moved           float64   // farthest motion, along the normals too, from what touches, over segments …
	At, Lag         float64   // … where the lag was found last, and the largest [-]
	Lean, Holds     float64   // largest Σ p sin of the angle of normals, and Σ μp [N]
	Unknown         string    // why the lag is not known; empty: it is
	Missed          float64   // largest number of steps, see [elastic.Lag] [-] …
	Seen            []float64 // … and the displacements with which it was looked at last
}

// observe takes a state. The lag grows with the motion: it is found where that has grown by a quarter, from a
// hundredth of the accuracy on. Impacts are looked for where a side has gone on by a tenth of its reach: within that, what it
// faces changes little.
func (m *meetings) observe(c *Case, s *elastic.Stepper) {
	if c.met == nil {
		return
	}
	u, dim, holds, far := s.State().U, c.Model.Mesh.Dim, 0.0, 0.0
	if m.Seen == nil {
		m.Seen = make([]float64, len(u))
	}
	for k := range c.met {
		x := &c.met[k]
		r := s.Reactions(x.contact)[0]
		m.slide(x, u[dim*x.node:dim*x.node+dim], r)
		holds += c.Model.Friction[x.contact] * r
		for i := dim * x.node; i < dim*x.node+dim; i++ {
			far = max(far, math.Abs(u[i]-m.Seen[i])/x.reach)
		}
	}
	m.Holds = max(m.Holds, holds)
	grown := m.Moved > max(1.25*m.At, 0.01*c.plan.Accuracy)
	if !grown && far <= 0.1 {
		return
	}
	if lag := m.look(s); grown {
		m.At, m.Lag, m.Lean = m.Moved, max(m.Lag, lag.Share), max(m.Lean, lag.Turned)
	}
}

// look finds the lag, and takes what impacts were missed.
func (m *meetings) look(s *elastic.Stepper) elastic.Lag {
	lag, err := s.Lag(context.Background())
	if err != nil {
		m.Unknown = err.Error()
	}
	m.Missed, m.Seen = max(m.Missed, lag.Missed), append(m.Seen[:0], s.State().U...)
	return lag
}

// end looks at the last state, where anything has moved.
func (m *meetings) end(s *elastic.Stepper) {
	if m.Seen != nil && !slices.Equal(m.Seen, s.State().U) {
		m.look(s)
	}
}

// slide takes a contact that has moved from the start, the normal last, and bears a normal force r; what does not press may be
// anywhere.
func (m *meetings) slide(x *metNode, moved []float64, r float64) {
	if !(r > 0) {
		return
	}
	last, slip := len(moved)-1, 0.0
	for _, v := range moved[:last] {
		slip = math.Hypot(slip, v)
	}
	if slip /= x.reach; slip > m.Slip {
		m.Slip, m.Slipped = slip, x.contact
	}
	if x.finer > m.Finer {
		m.Finer, m.Amidst = x.finer, x.contact
	}
	m.Moved = max(m.Moved, slip, math.Abs(moved[last])/x.reach)
}

// facts judge what holds only if slips are small, for what faces what is that of the start; see those of the model energetic.
func (m *meetings) facts(c *Case) []table.Fact {
	if c.met == nil {
		return nil
	}
	slip := slides(table.AtMost(table.Accurate, "bodies that meet: the farthest slip, over the segments of what faces what at the start",
		m.Slip, 1, "", table.Computed))
	if m.Slip > 0 {
		slip.Place = "node " + c.Model.NodeName(c.Model.Contacts[m.Slipped].Node)
	}
	list := []table.Fact{slip}
	if m.Finer > solid.MostFiner {
		f := table.AtMost(table.Accurate, "bodies that meet: edges that are met, over those of the \"group\" that meets them",
			m.Finer, solid.MostFiner, "", table.Computed)
		f.Remedy = "let the side with the longer edges be the \"group\", and the other the \"side\": pressures of the finer one would swing from node to node"
		f.Place = "node " + c.Model.NodeName(c.Model.Contacts[m.Amidst].Node)
		list = append(list, f)
	}
	return list
}

// lagFacts judge what only the run knows.
func (m *meetings) lagFacts(c *Case) (list []table.Fact) {
	if c.met == nil {
		return nil
	}
	name := "bodies that meet: displacements, with the faces that are opposite now, against those at the start"
	if m.Unknown != "" {
		list = append(list, table.No(table.Accurate, name+": "+m.Unknown, table.Computed))
	} else {
		lag := 0.0
		if m.At > 0 {
			lag = m.Lag * m.Moved / m.At
		}
		list = append(list, slides(table.AtMost(table.Accurate, name, lag, c.plan.Accuracy, "", table.Estimated)))
	}
	if m.Missed > 0 {
		list = append(list, slides(table.AtMost(table.Accurate,
			"bodies that meet: steps since sides that bear nothing went through each other at their present places", m.Missed, 1, "", table.Computed)))
	}
	if m.Lean > 0 && m.Holds > 0 {
		f := table.AtMost(table.Accurate, "bodies that meet: pressures along tangents, with the normals of now, over what friction holds",
			m.Lean/m.Holds, c.plan.Accuracy, "", table.Estimated)
		f.Remedy = "the stiffer of the two as an obstacle, whose normals are known"
		list = append(list, f)
	}
	return list
}

// slides adds the remedy for sides that slide on each other.
func slides(f table.Fact) table.Fact {
	f.Remedy = "longer segments, or a rigid side as an obstacle"
	return f
}

// metNode is a contact with another body.
type metNode struct {
	contact, node int
	reach, finer  float64 // distance of the farthest node that it faces, across its normal [m]; see [fem.MortarNode]
}

// metNodes are those of a model; bars have no way to slide.
func metNodes(m *elastic.Model) (list []metNode) {
	for k := range m.Meetings {
		x := &m.Meetings[k]
		for i := range x.Nodes {
			n := &x.Nodes[i]
			if x.Tied || m.Mesh.Dim == 1 {
				continue
			}
			far := 0.0
			for _, j := range n.Masters {
				var d vec3.Vec
				for c, at := range m.Mesh.Node(j) {
					d[c] = at - m.Mesh.Node(n.Node)[c]
				}
				normal := n.Frame[m.Mesh.Dim-1]
				far = max(far, vec3.Norm(vec3.Add(d, -vec3.Dot(d, normal), normal)))
			}
			list = append(list, metNode{x.First + i, n.Node, far, n.Finer})
		}
	}
	return list
}

package energetic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/signal"
)

// boundedMeeting is where two bodies of a case meet whose meshes have bounds: docs/decisions/0034.
type boundedMeeting struct {
	met     *fem.Meeting
	bodies  [2]int // the own one and the other
	nodes   []*fem.MortarNode
	offset  map[int]float64
	overlap signal.Scalar // nil: none
}

// boundedMeetings are those of a case, with the cuts of their bodies; else it says why some have no bound.
func (b *builder) boundedMeetings(list []boundedBody) (all []boundedMeeting, why string) {
	for _, m := range b.meetings {
		switch {
		case m.doc.Tied:
			return nil, "bodies are tied"
		case m.doc.Friction != nil:
			return nil, "bodies rub on each other"
		case b.doc.Relinearise > 0:
			return nil, "what faces what is found anew"
		case m.own == m.other:
			return nil, "a body meets itself"
		}
		met, err := fem.NewMeeting(m.sides[0], m.sides[1], m.own.body.Kinematics())
		if err != nil {
			return nil, unboundedWhy(err)
		}
		x := boundedMeeting{met: met, offset: m.offset, overlap: m.overlap}
		for side, n := range [2]*bodyNodes{m.own, m.other} {
			x.bodies[side] = slices.Index(b.nodes, n)
			to := &list[x.bodies[side]]
			if to.cuts == nil {
				to.cuts = map[[2]int][]float64{}
			}
			for edge, places := range met.Cuts[side] {
				to.cuts[edge] = append(to.cuts[edge], places...)
			}
		}
		for _, i := range slices.Sorted(maps.Keys(m.own.contact)) {
			if t := m.own.contact[i]; t.meeting == m {
				x.nodes = append(x.nodes, t.mortar)
			}
		}
		all = append(all, x)
	}
	return all, ""
}

// closes returns what the gaps of a meeting count less at a time.
func (m *boundedMeeting) closes(t float64) func(node int) float64 {
	overlap := 0.0
	if m.overlap != nil {
		overlap = m.overlap.At(t)
	}
	return func(node int) float64 { return m.offset[node] + overlap }
}

// pressures are those of the nodes of the own side; held ones have the mean of those that bear theirs [Pa].
func (m *boundedMeeting) pressures(first int, n *energetic.Node) func(node int) float64 {
	at, count := map[int]float64{}, map[int]float64{}
	for _, x := range m.nodes {
		p, j := 0.0, first+x.Node
		if n.States[j] != incremental.Free {
			p = max(0, n.Grad[3*j+2]) / x.Area
		}
		for _, i := range append([]int{x.Node}, x.Held...) {
			at[i], count[i] = at[i]+p, count[i]+1
		}
	}
	return func(node int) float64 { return at[node] / max(1, count[node]) }
}

// meet makes the states of bodies that meet admissible, and adds what presses them; it returns ∫ p* g of all.
func (r *Run) meet(n *energetic.Node, states []*fem.BoundState) (energy float64, err error) {
	size := func(k int) float64 { return 1e-12 * size(r.c.bounded[k].body.Mesh().X) } // rounding of places
	for i := range r.c.boundedMeetings {
		m := &r.c.boundedMeetings[i]
		side := 0 // the softer one
		if r.c.bounded[m.bodies[1]].body.Follow() < r.c.bounded[m.bodies[0]].body.Follow() {
			side = 1
		}
		lifted, x := states[m.bodies[side]], &r.c.bounded[m.bodies[side]]
		nodes := m.met.Lift(states[m.bodies[0]], states[m.bodies[1]], side, m.closes(n.T), size(m.bodies[0]))
		for _, node := range nodes {
			for c := range x.body.Mesh().Dim {
				if at := x.body.Mesh().Dim*node + c; x.body.Motion(node, c) != nil && lifted.Lift[at] != 0 {
					return 0, fmt.Errorf("node %d, which is prescribed, is inside what its body meets", node)
				}
			}
			if slices.ContainsFunc(lifted.Contact, func(n fem.BoundNode) bool { return n.Node == node }) {
				return 0, fmt.Errorf("node %d, which is on an obstacle, is inside what its body meets", node)
			}
		}
	}
	for i := range r.c.boundedMeetings {
		m := &r.c.boundedMeetings[i]
		e, err := m.met.Press(states[m.bodies[0]], states[m.bodies[1]], m.pressures(r.c.bounded[m.bodies[0]].first, n),
			m.closes(n.T), size(m.bodies[0]))
		if err != nil {
			return 0, err
		}
		energy += e
	}
	return energy, nil
}

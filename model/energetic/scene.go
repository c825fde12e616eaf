package energetic

import (
	"context"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// scene collects what pictures show: the particles, the anchors, and what ties
// them together.
func (b *builder) scene(sys *particles.System, sensors casefile.Sensors) *particleview.Scene {
	s := &particleview.Scene{IDs: b.ids, System: sys, Obstacles: b.shown, On: b.charts, Internal: len(b.internals),
		Sensors: sensors.Columns(), SensorUnits: units(sensors)}
	for c, id := range b.contactIDs() {
		if sys.Cornered(sys.ContactParticle(c)) && (c >= sys.N() || sys.Constrained(c)) {
			s.Contacts = append(s.Contacts, particleview.Contact{ID: id, Number: c})
		}
	}
	number := map[*particles.Signal]int{} // paths are the same when they share their slice
	for i, d := range b.doc.Anchors {
		number[&b.anchors[i][0]] = len(b.ids) + i
		s.Anchors = append(s.Anchors, particleview.Anchor{ID: d.ID, Path: b.anchors[i]})
	}
	link := func(kind particleview.LinkKind, i, j int, anchor particles.Path) {
		if anchor != nil {
			j = number[&anchor[0]]
		}
		s.Links = append(s.Links, particleview.Link{A: i, B: j, Kind: kind})
	}
	for _, t := range b.terms.tethers {
		link(particleview.Tether, t.Particle, 0, t.Anchor)
	}
	for _, t := range b.terms.springs {
		link(particleview.Spring, t.I, t.J, t.Anchor)
	}
	for _, t := range b.terms.bonds {
		link(particleview.Bond, t.I, t.J, t.Anchor)
	}
	return s
}

// units are those of the columns of sensors.csv.
func units(sensors casefile.Sensors) map[string]string {
	of := map[string]string{}
	for i := range sensors {
		of[sensors[i].ID] = table.QuantityOf("expect", sensors[i].Quantity).Units()
	}
	return of
}

// areas are those of the particles that touch along sides of bodies: of what they face where that is another body.
func (b *builder) areas() []float64 {
	list := make([]float64, len(b.ids))
	for _, n := range b.nodes {
		m, of := n.body.Mesh(), map[string][]float64{}
		for i, t := range n.contact {
			if t.meeting != nil {
				list[n.first+i] = t.mortar.Area
				continue
			}
			g := n.doc.Contact[t.at[len(t.at)-1].(int)].Group
			if of[g] == nil {
				of[g] = m.CornerAreas(n.body.Kinematics(), m.Groups[g])
			}
			list[n.first+i] = of[g][i]
			for _, t := range n.solid.Ties {
				if t.Image == i {
					list[n.first+i] += of[g][t.Node] // which it bears too
				}
			}
		}
	}
	return list
}

// amid are the particles amid two others of sides that touch.
func (b *builder) amid() (list [][3]int) {
	for _, n := range b.nodes {
		for k := range n.doc.Contact {
			for _, x := range n.body.Mesh().Groups[n.doc.Contact[k].Group].Amid() {
				list = append(list, [3]int{n.first + x[0], n.first + x[1], n.first + x[2]})
			}
		}
	}
	return list
}

// indicator makes what gives the parts of elements in the bounds at nodes of files. Slips are those of a step: with
// friction files have to have all nodes.
func (c *Case) indicator() particleview.Indicator {
	if len(c.bounded) == 0 || c.rubs() && c.plan.Every > 1 {
		return nil
	}
	ctx, r := context.Background(), &Run{c: &Case{Psi: c.Psi, bounded: c.bounded, boundedMeetings: c.boundedMeetings}}
	if r.startBounds(ctx) != nil || r.bounds.Ended != "" {
		return nil
	}
	return func(t float64, before, z, force []float64, states []incremental.ContactState) [][]float64 {
		n := &energetic.Node{T: t, Z: z, States: states, Grad: make([]float64, len(z))}
		for j := 0; j < len(force); j += 3 {
			n.Grad[j], n.Grad[j+1], n.Grad[j+2] = force[j+1], force[j+2], force[j]
		}
		r.bounds = boundSums{Z: before}
		if r.bound(ctx, n); r.bounds.Ended != "" {
			return nil
		}
		return r.parts
	}
}

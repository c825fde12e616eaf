package energetic

import (
	"github.com/quasistatic/quasistatic/casefile"
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

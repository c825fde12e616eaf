package energetic

import (
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// scene collects what pictures show: the particles, the anchors, and what ties
// them together.
func (b *builder) scene(sys *particles.System) *table.Scene {
	s := &table.Scene{IDs: b.ids, System: sys}
	number := map[*particles.Signal]int{} // paths are the same when they share their slice
	for i, d := range b.doc.Anchors {
		number[&b.anchors[i][0]] = len(b.ids) + i
		s.Anchors = append(s.Anchors, table.Anchor{ID: d.ID, Path: b.anchors[i]})
	}
	link := func(kind table.LinkKind, i, j int, anchor particles.Path) {
		if anchor != nil {
			j = number[&anchor[0]]
		}
		s.Links = append(s.Links, table.Link{A: i, B: j, Kind: kind})
	}
	for _, t := range b.terms.tethers {
		link(table.Tether, t.Particle, 0, t.Anchor)
	}
	for _, t := range b.terms.springs {
		link(table.Spring, t.I, t.J, t.Anchor)
	}
	for _, t := range b.terms.bonds {
		link(table.Bond, t.I, t.J, t.Anchor)
	}
	return s
}

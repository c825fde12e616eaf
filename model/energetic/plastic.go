package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

type plasticDocument struct {
	Between   [2]string     `json:"between"`
	Axis      *[3]float64   `json:"axis"`
	ID        string        `json:"id"`
	Stiffness *float64      `json:"stiffness"`
	Yield     *float64      `json:"yield"`
	Hardening *float64      `json:"hardening"`
	Elements  []plasticPart `json:"elements"`
}

type plasticPart struct {
	Stiffness float64 `json:"stiffness"`
	Yield     float64 `json:"yield"`
	Hardening float64 `json:"hardening"`
}

// plasticElement is one element, whose plastic elongation is a particle.
type plasticElement struct {
	at       casefile.Path
	between  [2]string
	axis     [3]float64
	part     plasticPart
	variable int // its number
}

// plastic decodes a plastic spring and appends its plastic elongations to the particles, in the
// middle of it.
func (b *builder) plastic(p casefile.Path, d *plasticDocument, count *int) {
	parts := d.Elements
	single := d.Stiffness != nil || d.Yield != nil || d.Hardening != nil
	switch {
	case single && parts != nil:
		b.Add(p, "found elements and stiffness, yield or hardening, want one of the two")
		return
	case parts == nil && (d.Stiffness == nil || d.Yield == nil):
		b.Add(p, "the key %q is missing (or \"elements\")", map[bool]string{true: "stiffness", false: "yield"}[d.Stiffness == nil])
		return
	case parts == nil:
		parts = []plasticPart{{Stiffness: *d.Stiffness, Yield: *d.Yield}}
		if d.Hardening != nil {
			parts[0].Hardening = *d.Hardening
		}
	}
	from, to, ok := b.endsAtStart(p.With("between"), d.Between)
	if !ok {
		return
	}
	var axis, middle [3]float64
	for c := range 3 {
		axis[c], middle[c] = from[c]-to[c], from[c]/2+to[c]/2
	}
	if d.Axis != nil {
		axis = *d.Axis
	}
	if size(axis[:]) == 0 || !(size(axis[:]) <= math.MaxFloat64) {
		b.Add(p, "the ends of the spring are at one place, so that it has no direction, want the key \"axis\"")
		return
	}
	for k, part := range parts {
		*count++
		number := len(b.ids)
		if !b.variable(p, numbered(d.ID, "plastic", *count, k, len(parts)), middle,
			variable{axis: axis, yield: part.Yield, idle: part.Stiffness}) {
			return
		}
		b.plastics = append(b.plastics, plasticElement{p, d.Between, axis, part, number})
	}
}

// appendPlastics appends the energies of the plastic springs.
func (b *builder) appendPlastics(list []particles.Energy) []particles.Energy {
	if len(b.plastics) == 0 || b.Any() {
		return list
	}
	var items []particles.PlasticSpring
	for _, e := range b.plastics {
		ends, ok := b.pair(e.at.With("between"), e.between)
		if !ok {
			return list
		}
		items = append(items, particles.PlasticSpring{I: ends.i, J: ends.j, Anchor: ends.anchor, Variable: e.variable,
			Axis: e.axis, Stiffness: e.part.Stiffness, Hardening: e.part.Hardening})
	}
	springs, err := particles.NewPlasticSprings(b.at, items...)
	if !b.Accept(b.plastics[0].at, err) {
		return list
	}
	return append(list, springs)
}

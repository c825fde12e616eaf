package energetic

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
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

// variables decodes the plastic springs and appends their plastic elongations to the
// particles, in the middle of each spring.
func (b *builder) variables() {
	count := 0
	for i, raw := range b.doc.Energies {
		var head struct {
			Type string `json:"type"`
		}
		p := casefile.Path{"energies", i}
		if b.Decode(p, raw, &head) && head.Type == "plastic" {
			var d plasticDocument
			if b.Decode(p, raw, &d) {
				b.plastic(p, &d, &count)
			}
		}
	}
}

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
		id := d.ID
		switch {
		case id == "":
			id = fmt.Sprintf("plastic%d", *count)
		case len(parts) > 1:
			id = fmt.Sprintf("%s.%d", id, k+1)
		}
		_, taken := b.particle[id]
		if _, anchor := b.anchor[id]; taken || anchor {
			b.Add(p, "the id %q of a plastic elongation is taken, want an id of its own (key \"id\")", id)
			return
		}
		b.plastics = append(b.plastics, plasticElement{p, d.Between, axis, part, len(b.ids)})
		b.particle[id] = len(b.ids)
		b.ids, b.all, b.at = append(b.ids, id), append(b.all, id), append(b.at, middle[:]...)
	}
}

// endsAtStart returns the positions of two ends at the start.
func (b *builder) endsAtStart(p casefile.Path, ids [2]string) (from, to [3]float64, ok bool) {
	for k, id := range ids {
		at := [2]*[3]float64{&from, &to}[k]
		if j, is := b.particle[id]; is {
			copy(at[:], b.at[3*j:])
			continue
		}
		i, is := b.anchor[id]
		if !is {
			b.unknownID(p.With(k), id, "particle or anchor", b.all, false)
			return from, to, false
		}
		path := b.Vector(casefile.Path{"anchors", i, "at"}, b.doc.Anchors[i].At, 3)
		if path == nil {
			return from, to, false
		}
		path.At(at[:], 0)
	}
	return from, to, true
}

// variableFrames appends frames and friction of the plastic elongations.
func (b *builder) variableFrames() {
	for _, e := range b.plastics {
		f, err := particles.VariableFrame([3]float64(b.at[3*e.variable:3*e.variable+3]), e.axis)
		if !b.Accept(e.at, err) {
			return
		}
		b.frames, b.matrices, b.factors = append(b.frames, f), append(b.matrices, dissipation.Isotropic{Mu: 1}), append(b.factors, nil)
	}
}

// appendPlastics appends the energies of the plastic springs, and what presses their
// variables.
func (b *builder) appendPlastics(list []particles.Energy) []particles.Energy {
	if len(b.plastics) == 0 || b.Any() {
		return list
	}
	var items []particles.PlasticSpring
	var variables []dissipation.Variable
	for _, e := range b.plastics {
		ends, ok := b.pair(e.at.With("between"), e.between)
		if !ok {
			return list
		}
		items = append(items, particles.PlasticSpring{I: ends.i, J: ends.j, Anchor: ends.anchor, Variable: e.variable, Axis: e.axis, Stiffness: e.part.Stiffness, Hardening: e.part.Hardening})
		variables = append(variables, dissipation.Variable{Frame: b.frames[e.variable], Yield: e.part.Yield, Idle: e.part.Stiffness})
	}
	springs, err := particles.NewPlasticSprings(b.at, items...)
	if err == nil {
		var press []particles.Energy
		if press, err = dissipation.Press(b.plastics[0].variable, variables); err == nil {
			return append(append(list, springs), press...)
		}
	}
	b.Accept(b.plastics[0].at, err)
	return list
}

// variable reports whether a contact is that of a plastic elongation, whose forces are no
// reactions of the world.
func (c *Case) variable(contact int) bool {
	return contact >= c.variables[0] && contact < c.variables[1]
}

package energetic

import (
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// variable is an internal variable of an energy, a particle of its own.
type variable struct {
	at                 casefile.Path
	axis               [3]float64
	yield, idle, limit float64
}

// variables decodes the energies that have internal variables, and appends these to the particles.
func (b *builder) variables() {
	b.firstVariable = len(b.ids)
	plastics, adhesives := 0, 0
	for i, raw := range b.doc.Energies {
		var head struct {
			Type string `json:"type"`
		}
		p := casefile.Path{"energies", i}
		if !b.Decode(p, raw, &head) {
			continue
		}
		switch head.Type {
		case "plastic":
			var d plasticDocument
			if b.Decode(p, raw, &d) {
				b.plastic(p, &d, &plastics)
			}
		case "adhesive":
			var d adhesiveDocument
			if b.Decode(p, raw, &d) {
				b.adhesive(p, &d, &adhesives)
			}
		}
	}
}

// numbered is the id of the k-th of n variables of an energy with an id, or with none: then kind
// and a count.
func numbered(id, kind string, count, k, n int) string {
	switch {
	case id == "":
		return fmt.Sprintf("%s%d", kind, count)
	case n > 1:
		return fmt.Sprintf("%s.%d", id, k+1)
	}
	return id
}

// variable appends an internal variable with an id and a place to the particles.
func (b *builder) variable(p casefile.Path, id string, place [3]float64, v variable) bool {
	_, taken := b.particle[id]
	if _, anchor := b.anchor[id]; taken || anchor {
		b.Add(p, "the id %q of an internal variable is taken, want an id of its own (key \"id\")", id)
		return false
	}
	v.at = p
	b.internals = append(b.internals, v)
	b.particle[id] = len(b.ids)
	b.ids, b.all, b.at = append(b.ids, id), append(b.all, id), append(b.at, place[:]...)
	return true
}

// names of the contacts of a variable whose way ends: the friction that holds it, and the end.
const (
	holdContact = "bond"
	endContact  = "broken"
)

// variableFrames appends frames and friction of the variables, and the ends of their ways.
func (b *builder) variableFrames() {
	for i, v := range b.internals {
		j := b.firstVariable + i
		f, err := particles.VariableFrame([3]float64(b.at[3*j:3*j+3]), v.axis)
		if !b.Accept(v.at, err) {
			return
		}
		b.frames, b.matrices, b.factors = append(b.frames, f), append(b.matrices, dissipation.Isotropic{Mu: 1}), append(b.factors, nil)
		if e, ok := b.dissipated(i).End(j); ok {
			b.extras, b.extraName = append(b.extras, e), append(b.extraName, endContact)
			b.extraMatrices, b.extraFactors = append(b.extraMatrices, nil), append(b.extraFactors, nil)
			b.name(j, holdContact)
		}
	}
}

// dissipated is variable i as package dissipation has it.
func (b *builder) dissipated(i int) *dissipation.Variable {
	v := &b.internals[i]
	return &dissipation.Variable{Frame: b.frames[b.firstVariable+i], Yield: v.yield, Idle: v.idle, Limit: v.limit}
}

// appendPress appends what presses the variables onto their planes.
func (b *builder) appendPress(list []particles.Energy) []particles.Energy {
	if b.Any() {
		return list
	}
	var all []dissipation.Variable
	for i := range b.internals {
		all = append(all, *b.dissipated(i))
	}
	press, err := dissipation.Press(b.firstVariable, all)
	if len(all) > 0 && !b.Accept(b.internals[0].at, err) {
		return list
	}
	return append(list, press...)
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

// variable reports whether a contact is that of an internal variable, whose forces are no
// reactions of the world.
func (c *Case) variable(contact int) bool {
	j := c.Psi.System.ContactParticle(contact)
	return j >= c.variables[0] && j < c.variables[1]
}

package energetic

import (
	"encoding/json"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

type adhesiveDocument struct {
	Between   pairs           `json:"between"`
	Stiffness json.RawMessage `json:"stiffness"`
	Energy    float64         `json:"energy"`
	ID        string          `json:"id"`
}

// adhesiveBond is one bond, whose damage is a particle.
type adhesiveBond struct {
	at        casefile.Path
	between   [2]string
	stiffness particles.Stiffness
	length    float64 // of the way of the damage [m]
	variable  int     // its number
}

// shortestWay is the length of the way of a damage in parts of the scene, at least: a bond that
// breaks at elongations below is resolved as well, on a longer way.
const shortestWay = 1e-6

// adhesive decodes adhesive bonds and appends their damages to the particles, in the middle of
// them.
func (b *builder) adhesive(p casefile.Path, d *adhesiveDocument, count *int) {
	k, ok := b.stiffness(p.With("stiffness"), d.Stiffness)
	if !ok {
		return
	}
	stiffest := max(k[0], k[4], k[8])
	if !(stiffest > 0) {
		b.Add(p.With("stiffness"), "found 0, want a bond that holds its ends")
		return
	}
	length := max(particles.BreakingLength(k, d.Energy), shortestWay*size(b.at))
	yield := d.Energy / length
	if !(length > 0 && yield > 0) || math.IsInf(length, 1) || math.IsInf(yield, 1) {
		b.Add(p, "the energy %g J of a bond of %g N/m overflows, want numbers of a moderate size", d.Energy, stiffest)
		return
	}
	for i, between := range d.Between.list {
		at := p.With("between")
		if !d.Between.single {
			at = at.With(i)
		}
		from, to, ok := b.endsAtStart(at, between)
		if !ok {
			return
		}
		*count++
		number := len(b.ids)
		middle := [3]float64{from[0]/2 + to[0]/2, from[1]/2 + to[1]/2, from[2]/2 + to[2]/2}
		if !b.variable(p, numbered(d.ID, "adhesive", *count, i, len(d.Between.list)), middle,
			variable{axis: [3]float64{1, 0, 0}, yield: yield, idle: stiffest, limit: length}) {
			return
		}
		b.adhesives = append(b.adhesives, adhesiveBond{at, between, k, length, number})
	}
}

// appendAdhesives appends the energies of the adhesive bonds.
func (b *builder) appendAdhesives(list []particles.Energy) []particles.Energy {
	if len(b.adhesives) == 0 || b.Any() {
		return list
	}
	var items []particles.AdhesiveBond
	for _, e := range b.adhesives {
		ends, ok := b.pair(e.at, e.between)
		if !ok {
			return list
		}
		items = append(items, particles.AdhesiveBond{I: ends.i, J: ends.j, Anchor: ends.anchor, Variable: e.variable,
			Stiffness: e.stiffness, Length: e.length})
	}
	bonds, err := particles.NewAdhesiveBonds(b.at, items...)
	if !b.Accept(b.adhesives[0].at[:2], err) {
		return list
	}
	return append(list, bonds)
}

// damages lists the variables that are damages of bonds, with the lengths of their ways.
func (b *builder) damages() map[int]float64 {
	list := map[int]float64{}
	for _, e := range b.adhesives {
		list[e.variable] = e.length
	}
	return list
}

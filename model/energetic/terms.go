package energetic

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// tether decodes ½ (x − a)ᵀK(x − a) + ¼ β |x − a|⁴.
func (b *builder) tether(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Particle   names           `json:"particle"`
		Anchor     string          `json:"anchor"`
		Stiffness  json.RawMessage `json:"stiffness"`
		Stiffening float64         `json:"stiffening"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	k, ok := b.stiffness(p.With("stiffness"), d.Stiffness)
	b.noteSlack(p, ok && k == particles.Stiffness{} && d.Stiffening == 0)
	a, known := b.anchor[d.Anchor], b.anchorsNamed.Has(d.Anchor)
	if !known {
		_, isParticle := b.particle[d.Anchor]
		b.unknownID(p.With("anchor"), d.Anchor, "anchor", b.all[len(b.particle):], isParticle)
	}
	for i, id := range d.Particle {
		j, found := b.lookup(d.Particle.at(p.With("particle"), i), id)
		if !ok || !known || !found || b.anchors[a] == nil {
			continue
		}
		item := particles.Tether{Particle: j, Anchor: b.anchors[a], Stiffness: k, Stiffening: d.Stiffening}
		if _, err := particles.NewTethers(item); err != nil {
			b.Add(p.With("stiffness"), "%v", err)
			return
		}
		b.terms.tethers, b.terms.tied = append(b.terms.tethers, item), append(b.terms.tied, -1-a)
	}
}

type springDocument struct {
	Between    pairs        `json:"between"`
	Stiffness  *float64     `json:"stiffness"`
	RestLength *float64     `json:"rest_length"`
	Law        string       `json:"law"`
	Stiffening *float64     `json:"stiffening"`
	Tension    [][2]float64 `json:"tension"`
}

// check finds keys that the law lacks, or does not have.
func (d *springDocument) check(b *builder, p casefile.Path) bool {
	law := d.Law
	if law == "" {
		law = "linear"
	}
	keys := []struct {
		name  string
		given bool
		laws  string
	}{{"stiffness", d.Stiffness != nil, "linear cubic"}, {"stiffening", d.Stiffening != nil, "cubic"},
		{"tension", d.Tension != nil, "piecewise"}}
	for _, k := range keys {
		switch has := strings.Contains(k.laws, law); {
		case has && !k.given:
			b.Add(p, "the key %q is missing, which the law %q needs", k.name, law)
			return false
		case !has && k.given:
			b.Add(p.With(k.name), "%s has no effect on the law %q, want \"law\": %q", k.name, law, strings.Fields(k.laws)[0])
			return false
		}
	}
	return true
}

// law returns φ for a rest length.
func (d *springDocument) law(rest float64) (particles.Law, error) {
	switch d.Law {
	case "cubic":
		return particles.Cubic{K: *d.Stiffness, K3: *d.Stiffening, Rest: rest}, nil
	case "piecewise":
		var length, tension []float64
		for _, point := range d.Tension {
			length, tension = append(length, rest+point[0]), append(tension, point[1])
		}
		return particles.NewPiecewise(length, tension)
	}
	return particles.Linear{K: *d.Stiffness, Rest: rest}, nil
}

// spring decodes φ(|x_i − x_j|).
func (b *builder) spring(p casefile.Path, raw json.RawMessage) {
	var d springDocument
	if !b.Decode(p, raw, &d) || !d.check(b, p) {
		return
	}
	b.noteSlack(p, d.Stiffness != nil && *d.Stiffness == 0 && (d.Stiffening == nil || *d.Stiffening == 0))
	d.Between.each(b, p, func(at casefile.Path, e ends) {
		rest := b.distance(e)
		if d.RestLength != nil {
			rest = *d.RestLength
		}
		law, err := d.law(rest)
		if err != nil {
			b.Add(p.With("tension"), "%v", err)
			return
		}
		item := particles.Spring{I: e.i, J: e.j, Anchor: e.anchor, Law: law}
		if _, err := particles.NewSprings(item); err != nil {
			b.Add(at, "%v", err)
			return
		}
		b.terms.springs = append(b.terms.springs, item)
	})
}

// distance returns |x_i − x_j| at the start.
func (b *builder) distance(e ends) float64 {
	var far [3]float64
	if e.anchor != nil {
		e.anchor.At(far[:], 0)
	} else {
		copy(far[:], b.at[3*e.j:])
	}
	l := 0.0
	for c, x := range far {
		l = math.Hypot(l, b.at[3*e.i+c]-x)
	}
	return l
}

// bond decodes ½ dᵀKd.
func (b *builder) bond(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Between   pairs           `json:"between"`
		Stiffness json.RawMessage `json:"stiffness"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	k, ok := b.stiffness(p.With("stiffness"), d.Stiffness)
	b.noteSlack(p, ok && k == particles.Stiffness{})
	d.Between.each(b, p, func(at casefile.Path, e ends) {
		if !ok {
			return
		}
		item := particles.Bond{I: e.i, J: e.j, Anchor: e.anchor, Stiffness: k}
		if len(b.terms.bonds) == 0 || b.terms.bonds[len(b.terms.bonds)-1].Stiffness != k {
			// The stiffness is judged once for a list of pairs.
			if _, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: k}); err != nil {
				b.Add(p.With("stiffness"), "%v", err)
				ok = false
				return
			}
		}
		b.terms.bonds = append(b.terms.bonds, item)
	})
}

// load decodes −f(t)·x.
func (b *builder) load(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Particle names           `json:"particle"`
		Force    json.RawMessage `json:"force"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	force := b.Vector(p.With("force"), d.Force, 3)
	for i, id := range d.Particle {
		if j, ok := b.lookup(d.Particle.at(p.With("particle"), i), id); ok && force != nil {
			b.terms.loads = append(b.terms.loads, particles.Load{Particle: j, Force: force})
		}
	}
}

// gravity decodes −Σ m g·x.
func (b *builder) gravity(p casefile.Path, raw json.RawMessage) {
	d := struct {
		Acceleration [3]float64 `json:"acceleration"`
	}{[3]float64{0, 0, -9.81}}
	if !b.Decode(p, raw, &d) {
		return
	}
	masses := make([]float64, len(b.ids))
	for j := range b.doc.Particles {
		masses[j] = b.doc.Particles[j].Mass
	}
	if size(masses) == 0 {
		b.Add(p, "no particle has a mass, so gravity has no effect, want \"mass\" on particles")
		return
	}
	e, err := particles.NewGravity(masses, d.Acceleration)
	if err != nil {
		b.Add(p, "%v", err)
		return
	}
	b.terms.gravities = append(b.terms.gravities, e)
}

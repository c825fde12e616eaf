package casefile

import (
	"encoding/json"
	"fmt"

	laws "github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
)

type slipLawDocument struct {
	Mu     float64  `json:"mu"`
	Facets *float64 `json:"facets"`
}

type patchDocument struct {
	Elements  *float64        `json:"elements"`
	Spacing   *float64        `json:"spacing"`
	Epsilon   *float64        `json:"epsilon"`
	Poisson   *float64        `json:"poisson"`
	Stiffness []float64       `json:"stiffness"`
	Damping   json.RawMessage `json:"damping"`
}

type meetingDocument struct {
	Body     json.RawMessage `json:"body"`
	Obstacle *string         `json:"obstacle"`
	Between  json.RawMessage `json:"between"`
	Friction string          `json:"friction"`
	Patch    string          `json:"patch"`
}

// meetings declares the contacts.
func (b *motionBuilder) meetings() {
	b.patch = map[string]*dynamics.Patch{}
	for i := range b.doc.Contacts {
		d := &b.doc.Contacts[i]
		p := path{"contacts", i}
		patch := b.patchOf(p, d)
		switch {
		case (d.Body != nil) == (d.Between != nil):
			b.add(p, "want either \"body\" and \"obstacle\", or \"between\"")
		case d.Body != nil && d.Obstacle == nil:
			b.add(p, "the key \"obstacle\" is missing")
		case d.Between != nil && d.Obstacle != nil:
			b.add(p.with("obstacle"), "the key \"obstacle\" has no effect on contacts between bodies")
		case patch == nil || len(b.ids) != b.world.Bodies(): // a fault elsewhere
		case d.Body != nil:
			b.onObstacle(p, d, patch)
		default:
			b.betweenBodies(p, d, patch)
		}
	}
}

func (b *motionBuilder) onObstacle(p path, d *meetingDocument, patch *dynamics.Patch) {
	o, ok := find(b.builder, p.with("obstacle"), *d.Obstacle, "obstacle", b.obstacle)
	ids, at := b.oneOrMore(p.with("body"), d.Body)
	for i, id := range ids {
		body, known := find(b.builder, at[i], id, "body", b.body)
		if !ok || !known {
			continue
		}
		key, err := b.world.OnHalfSpace(body, o, patch)
		if err != nil {
			b.add(at[i], "%v", err)
			continue
		}
		b.contacts = append(b.contacts, NamedContact{Name: id + "/" + *d.Obstacle, Body: body, Other: -1, Obstacle: o,
			Key: key, Features: b.world.Features(body), Elements: patch.Elements(), Mu: b.doc.Friction[d.Friction].Mu, Facets: b.doc.Friction[d.Friction].facets(), Rigid: patch.Rigid()})
	}
}

func (b *motionBuilder) betweenBodies(p path, d *meetingDocument, patch *dynamics.Patch) {
	p = p.with("between")
	ids, at := b.oneOrMore(p, d.Between)
	if len(ids) == 1 && ids[0] == "all" {
		if b.everyTwo {
			b.add(p, "all pairs have a contact already")
			return
		}
		b.everyTwo, b.pairMu = true, b.doc.Friction[d.Friction].Mu
		if err := b.world.AllPairs(patch); err != nil {
			b.add(p, "%v", err)
		}
		return
	}
	if len(ids) != 2 {
		b.add(p, "found one name, want two ids or \"all\"")
		return
	}
	i, ok := find(b.builder, at[0], ids[0], "body", b.body)
	j, ok2 := find(b.builder, at[1], ids[1], "body", b.body)
	if !ok || !ok2 {
		return
	}
	key, err := b.world.Between(i, j, patch)
	if err != nil {
		b.add(p, "%v", err)
		return
	}
	b.contacts = append(b.contacts, NamedContact{Name: ids[0] + "/" + ids[1], Body: i, Other: j, Obstacle: -1, Key: key, Features: 1, Elements: patch.Elements(), Mu: b.doc.Friction[d.Friction].Mu, Facets: b.doc.Friction[d.Friction].facets(), Rigid: patch.Rigid()})
}

// patchOf returns the patch of a contact, one for each pair of names; nil
// after a fault.
func (b *motionBuilder) patchOf(p path, d *meetingDocument) *dynamics.Patch {
	law, ok := find(b.builder, p.with("friction"), d.Friction, "friction", b.doc.Friction)
	if !ok {
		return nil
	}
	name := d.Patch + "\x00" + d.Friction
	if known := b.patch[name]; known != nil {
		return known
	}
	var patch *dynamics.Patch
	var err error
	l := b.slipLaw(path{"friction", d.Friction}, law)
	at := path{"patches", d.Patch}
	if data, found := b.doc.Patches[d.Patch]; found {
		if b.factor == 0 {
			patch, err = dynamics.NewRigid(l, b.dim)
		} else {
			patch, err = b.compliantPatch(at, l, data)
		}
	} else if d.Patch == "rigid" {
		patch, err = dynamics.NewRigid(l, b.dim)
	} else {
		find(b.builder, p.with("patch"), d.Patch, "patch", b.doc.Patches)
		return nil
	}
	if err != nil {
		b.add(at, "%v", err)
		return nil
	}
	b.patch[name] = patch
	return patch
}

// facets returns the number of facets, 0 for the exact cone.
func (d slipLawDocument) facets() int {
	if d.Facets == nil {
		return 0
	}
	return int(*d.Facets)
}

func (b *motionBuilder) slipLaw(p path, d slipLawDocument) laws.Law {
	if d.Facets == nil {
		return laws.Coulomb{Mu: d.Mu}
	}
	law := laws.Pyramid{Mu: d.Mu, Facets: int(*d.Facets)}
	if err := law.Validate(); err != nil {
		b.add(p.with("facets"), "%v", err)
		return laws.Coulomb{Mu: d.Mu}
	}
	return law
}

// compliantPatch reads a patch of the half-space or a lumped one.
func (b *motionBuilder) compliantPatch(p path, law laws.Law, d patchDocument) (*dynamics.Patch, error) {
	halfSpace := d.Elements != nil || d.Spacing != nil || d.Epsilon != nil || d.Poisson != nil
	switch {
	case d.Stiffness != nil && halfSpace:
		return nil, fmt.Errorf("found a stiffness and an elastic half-space, want one of them")
	case d.Stiffness != nil:
		return b.lumpedPatch(p, law, d)
	case d.Spacing == nil || d.Epsilon == nil:
		return nil, fmt.Errorf("want \"spacing\" and \"epsilon\" (and \"elements\"), or \"stiffness\" and \"damping\"")
	}
	o := dynamics.HalfSpace{Dim: b.dim, Elements: 1, Spacing: *d.Spacing, Epsilon: *d.Epsilon * b.factor, Poisson: 0.3}
	if d.Elements != nil {
		o.Elements = int(*d.Elements)
	}
	if d.Poisson != nil {
		o.Poisson = *d.Poisson
	}
	if d.Damping != nil {
		if d.Damping[0] == '[' {
			return nil, fmt.Errorf("the damping of a half-space is one factor")
		}
		if o.Damping = b.number(p.with("damping"), d.Damping); o.Damping == 0 {
			o.Damping = undamped
		}
	}
	return dynamics.NewPatch(law, o)
}

// undamped stands for no damping: a factor of zero asks for the default.
const undamped = 1e-12

func (b *motionBuilder) lumpedPatch(p path, law laws.Law, d patchDocument) (*dynamics.Patch, error) {
	if d.Damping == nil || d.Damping[0] != '[' {
		return nil, fmt.Errorf("a lumped patch needs \"damping\", %d numbers", b.dim)
	}
	if len(d.Stiffness) != b.dim {
		return nil, fmt.Errorf("a lumped patch has %d stiffnesses, want %d, the dimension", len(d.Stiffness), b.dim)
	}
	c := b.numbers(p.with("damping"), d.Damping, b.dim)
	if c == nil {
		return nil, fmt.Errorf("the damping does not fit the stiffness")
	}
	k := make([]float64, b.dim)
	for i, v := range d.Stiffness {
		k[i] = v / b.factor
	}
	return dynamics.NewLumped(law, k, c)
}

package patch

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	laws "github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	speed "github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/signal"
)

type slipLawDocument struct {
	world.SlipDocument
	Mu     json.RawMessage    `json:"mu"`
	Map    *world.MapDocument `json:"map"`
	Facets *float64           `json:"facets"`
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
func (b *builder) meetings() {
	b.patch = map[string]*dynamics.Patch{}
	b.frictions = map[string]friction{}
	for _, name := range casefile.Keys(b.doc.Friction) {
		b.frictions[name] = b.friction(casefile.Path{"friction", name}, b.doc.Friction[name])
	}
	const entry = "an entry of \"contacts\" with it"
	common := b.Builder.Builder
	b.obstacles = casefile.Declare(common, casefile.Path{"obstacles"}, "obstacle", entry, b.Obstacle)
	b.laws = casefile.Declare(common, casefile.Path{"friction"}, "friction", entry, b.frictions).Spare()
	b.patches = casefile.Declare(common, casefile.Path{"patches"}, "patch", entry, b.doc.Patches).Spare()
	for i := range b.doc.Contacts {
		d := &b.doc.Contacts[i]
		p := casefile.Path{"contacts", i}
		patch := b.patchOf(p, d)
		switch {
		case (d.Body != nil) == (d.Between != nil):
			b.Add(p, "want either \"body\" and \"obstacle\", or \"between\"")
		case d.Body != nil && d.Obstacle == nil:
			b.Add(p, "the key \"obstacle\" is missing")
		case d.Between != nil && d.Obstacle != nil:
			b.Add(p.With("obstacle"), "the key \"obstacle\" has no effect on contacts between bodies")
		case patch == nil || len(b.IDs) != b.World.Bodies(): // a fault elsewhere
		case d.Body != nil:
			b.onObstacle(p, d, patch)
		default:
			b.betweenBodies(p, d, patch)
		}
	}
	b.passing()
}

// passing reports bodies that no contact names, beside others.
func (b *builder) passing() {
	var free []string
	for i, id := range b.IDs {
		if !b.everyTwo && !slices.ContainsFunc(b.contacts, func(x namedContact) bool { return x.Body == i || x.Other == i }) {
			free = append(free, id)
		}
	}
	if len(free) > 0 && len(b.contacts) > 0 {
		b.Note("no entry of \"contacts\" names %s, which pass through everything", casefile.Listed(free))
	}
}

func (b *builder) onObstacle(p casefile.Path, d *meetingDocument, patch *dynamics.Patch) {
	o, ok := b.obstacles.Find(p.With("obstacle"), *d.Obstacle)
	ids, at := b.OneOrMore(p.With("body"), d.Body)
	for i, id := range ids {
		body, known := b.FindBody(at[i], id)
		if !ok || !known {
			continue
		}
		key, err := b.World.OnObstacle(body, o, patch)
		if err != nil {
			b.Add(at[i], "%v", err)
			continue
		}
		b.Begins(body, *d.Obstacle)
		if f := b.frictions[d.Friction].Field; f != nil {
			if err := b.World.Wear(key, f); err != nil {
				b.Add(p.With("friction"), "%v", err)
				return
			}
		}
		b.contacts = append(b.contacts, namedContact{Name: id + "/" + *d.Obstacle, Body: body, Other: -1, Obstacle: o,
			Key: key, Features: b.World.Patches(key), Elements: patch.Elements(), friction: b.frictions[d.Friction], Rigid: patch.Rigid()})
	}
}

func (b *builder) betweenBodies(p casefile.Path, d *meetingDocument, patch *dynamics.Patch) {
	if b.frictions[d.Friction].Field != nil {
		b.Add(p.With("friction"), "a map of friction in x and y is one of an obstacle, not of two bodies")
		return
	}
	p = p.With("between")
	ids, at := b.OneOrMore(p, d.Between)
	if len(ids) == 1 && ids[0] == "all" {
		if b.everyTwo {
			b.Add(p, "all pairs have a contact already")
			return
		}
		b.everyTwo, b.pairFriction = true, b.frictions[d.Friction]
		if err := b.World.AllPairs(patch); err != nil {
			b.Add(p, "%v", err)
		}
		return
	}
	if len(ids) != 2 {
		b.Add(p, "found one name, want two ids or \"all\"")
		return
	}
	i, ok := b.FindBody(at[0], ids[0])
	j, ok2 := b.FindBody(at[1], ids[1])
	if !ok || !ok2 {
		return
	}
	key, err := b.World.Between(i, j, patch)
	if err != nil {
		b.Add(p, "%v", err)
		return
	}
	b.contacts = append(b.contacts, namedContact{Name: ids[0] + "/" + ids[1], Body: i, Other: j, Obstacle: -1, Key: key,
		Features: 1, Elements: patch.Elements(), friction: b.frictions[d.Friction], Rigid: patch.Rigid()})
}

// patchOf returns the patch of a contact, one for each pair of names; nil
// after a fault.
func (b *builder) patchOf(p casefile.Path, d *meetingDocument) *dynamics.Patch {
	law, ok := b.laws.Find(p.With("friction"), d.Friction)
	if !ok {
		return nil
	}
	b.patches.Has(d.Patch)
	name := d.Patch + "\x00" + d.Friction
	if known := b.patch[name]; known != nil {
		return known
	}
	var patch *dynamics.Patch
	var err error
	l := b.slipLaw(casefile.Path{"friction", d.Friction}, law)
	at := casefile.Path{"patches", d.Patch}
	if data, found := b.doc.Patches[d.Patch]; found {
		if b.factor == 0 {
			patch, err = dynamics.NewRigid(l, b.Dim)
		} else {
			patch, err = b.compliantPatch(at, l, data)
		}
	} else if d.Patch == "rigid" {
		b.patches.Other()
		patch, err = dynamics.NewRigid(l, b.Dim)
	} else {
		b.patches.Find(p.With("patch"), d.Patch)
		return nil
	}
	switch {
	case err != nil:
	case law.Over != nil:
		err = patch.ChangeFriction(law.Over)
	case law.Slip != nil:
		err = patch.ChangeWithSlip(law.Slip)
	}
	if err != nil {
		b.Add(at, "%v", err)
		return nil
	}
	b.patch[name] = patch
	return patch
}

// friction is a decoded friction law.
type friction struct {
	Mu     float64       // at the start
	Over   signal.Scalar // μ over time; nil: Mu
	Field  bodies.Field  // μ of the place, in place of both; nil: the same everywhere
	Slip   speed.Law     // μ of the speed of slip, in place of all; nil: at any the same
	Facets int           // of its pyramid; 0: the exact cone
}

// none reports whether the contact rubs at no time and nowhere.
func (f *friction) none() bool { return f.Mu == 0 && f.Over == nil && f.Field == nil && f.Slip == nil }

// at is μ at a time.
func (f *friction) at(t float64) float64 {
	if f.Over == nil {
		return f.Mu
	}
	return max(0, f.Over.At(t))
}

// friction decodes a law.
func (b *builder) friction(p casefile.Path, d slipLawDocument) (f friction) {
	if f.Slip = world.Slip(b.Builder.Builder, p, &d.SlipDocument, d.Mu, d.Map); f.Slip == nil && !b.Any() {
		f.Mu, f.Over, f.Field = b.Friction(p, d.Mu, d.Map)
	}
	if d.Facets != nil {
		f.Facets = int(*d.Facets)
		if f.Field != nil {
			b.Add(p.With("facets"), "found %d with a map, want the exact cone", f.Facets)
		}
		if f.Over != nil || f.Slip != nil {
			b.Add(p.With("facets"), "found %d with a coefficient that changes with time or speed, want the exact cone", f.Facets)
		}
	}
	return f
}

func (b *builder) slipLaw(p casefile.Path, d friction) laws.Law {
	if d.Facets == 0 {
		return laws.Coulomb{Mu: d.Mu}
	}
	law := laws.Pyramid{Mu: d.Mu, Facets: d.Facets}
	if err := law.Validate(); err != nil {
		b.Add(p.With("facets"), "%v", err)
		return laws.Coulomb{Mu: d.Mu}
	}
	return law
}

// compliantPatch reads a patch of the half-space or a lumped one.
func (b *builder) compliantPatch(p casefile.Path, law laws.Law, d patchDocument) (*dynamics.Patch, error) {
	halfSpace := d.Elements != nil || d.Spacing != nil || d.Epsilon != nil || d.Poisson != nil
	switch {
	case d.Stiffness != nil && halfSpace:
		return nil, fmt.Errorf("found a stiffness and an elastic half-space, want one of them")
	case d.Stiffness != nil:
		return b.lumpedPatch(p, law, d)
	case d.Spacing == nil || d.Epsilon == nil:
		return nil, fmt.Errorf("want \"spacing\" and \"epsilon\" (and \"elements\"), or \"stiffness\" and \"damping\"")
	}
	o := dynamics.HalfSpace{Dim: b.Dim, Elements: 1, Spacing: *d.Spacing, Epsilon: *d.Epsilon * b.factor, Poisson: 0.3}
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
		if o.Damping = b.Number(p.With("damping"), d.Damping); o.Damping == 0 {
			o.Damping = undamped
		}
	}
	return dynamics.NewPatch(law, o)
}

// undamped stands for no damping: a factor of zero asks for the default.
const undamped = 1e-12

func (b *builder) lumpedPatch(p casefile.Path, law laws.Law, d patchDocument) (*dynamics.Patch, error) {
	if d.Damping == nil || d.Damping[0] != '[' {
		return nil, fmt.Errorf("a lumped patch needs \"damping\", %d numbers", b.Dim)
	}
	if len(d.Stiffness) != b.Dim {
		return nil, fmt.Errorf("a lumped patch has %d stiffnesses, want %d, the dimension", len(d.Stiffness), b.Dim)
	}
	c := b.Numbers(p.With("damping"), d.Damping, b.Dim)
	if c == nil {
		return nil, fmt.Errorf("the damping does not fit the stiffness")
	}
	k := make([]float64, b.Dim)
	for i, v := range d.Stiffness {
		k[i] = v / b.factor
	}
	return dynamics.NewLumped(law, k, c)
}

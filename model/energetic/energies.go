package energetic

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// terms are the items of the energies, by kind: package particles evaluates many
// items of one kind in one call.
type terms struct {
	tethers   []particles.Tether
	tied      []int // their anchors, −1 − number, as J of what is anchored below
	springs   []particles.Spring
	bonds     []particles.Bond
	loads     []particles.Load
	gravities []particles.Energy
	quadratic []particles.Energy
	surfaces  []particles.Energy
}

// energies decodes the terms of E and returns them in a fixed order: tethers,
// springs and pair potentials, bonds, loads, gravity, quadratic forms,
// surfaces, bodies, plastic springs, adhesive bonds.
func (b *builder) energies() []particles.Energy {
	for i, raw := range b.doc.Energies {
		b.energy(casefile.Path{"energies", i}, raw)
	}
	if b.Any() {
		return nil
	}
	var list []particles.Energy
	t := &b.terms
	if len(t.tethers) > 0 {
		e, err := particles.NewTethers(t.tethers...)
		list = b.append(list, e, err)
	}
	if len(t.springs) > 0 {
		e, err := particles.NewSprings(t.springs...)
		list = b.append(list, e, err)
	}
	if len(t.bonds) > 0 {
		e, err := particles.NewBonds(b.at, t.bonds...)
		list = b.append(list, e, err)
	}
	if len(t.loads) > 0 {
		e, err := particles.NewLoads(t.loads...)
		list = b.append(list, e, err)
	}
	var bodies []particles.Energy
	for _, n := range b.nodes {
		bodies = append(bodies, n.body)
	}
	return b.appendPress(b.appendAdhesives(b.appendPlastics(slices.Concat(list, t.gravities, t.quadratic, t.surfaces, bodies))))
}

func (b *builder) append(list []particles.Energy, e particles.Energy, err error) []particles.Energy {
	if err != nil {
		b.Add(casefile.Path{"energies"}, "%v", err)
		return list
	}
	return append(list, e)
}

func (b *builder) energy(p casefile.Path, raw json.RawMessage) {
	var head struct {
		Type string `json:"type"`
	}
	if !b.Decode(p, raw, &head) {
		return
	}
	switch head.Type {
	case "tether":
		b.tether(p, raw)
	case "spring":
		b.spring(p, raw)
	case "bond":
		b.bond(p, raw)
	case "load":
		b.load(p, raw)
	case "gravity":
		b.gravity(p, raw)
	case "quadratic":
		b.quadratic(p, raw)
	case "pair":
		b.pairPotential(p, raw)
	case "surface":
		b.surface(p, raw)
	}
}

// names are one id or a list of them.
type names []string

// UnmarshalJSON reads a string or a list of strings.
func (n *names) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(n))
	}
	*n = make([]string, 1)
	return json.Unmarshal(data, &(*n)[0])
}

// at returns the path of the i-th id: of the key itself if it is a single one.
func (n names) at(p casefile.Path, i int) casefile.Path {
	if len(n) == 1 {
		return p
	}
	return p.With(i)
}

// stiffness decodes a number, three numbers or a 3×3 matrix.
func (b *builder) stiffness(p casefile.Path, raw json.RawMessage) (k particles.Stiffness, ok bool) {
	var rows []json.RawMessage
	if raw[0] != '[' {
		return particles.Isotropic(b.positive(p, raw)), true
	}
	if !b.Decode(p, raw, &rows) {
		return k, false
	}
	nested := 0
	for _, r := range rows {
		if r[0] == '[' {
			nested++
		}
	}
	switch nested {
	case 0:
		return particles.Diagonal(b.positive(p.With(0), rows[0]), b.positive(p.With(1), rows[1]), b.positive(p.With(2), rows[2])), true
	case 3:
		var m [3][3]float64
		ok = b.Decode(p, raw, &m)
		for r := range m {
			for c := range m {
				k[3*r+c] = m[r][c]
			}
		}
		return k, ok
	}
	b.Add(p, "found rows and numbers mixed, want three numbers or three rows of three")
	return k, false
}

// positive decodes a number >= 0.
func (b *builder) positive(p casefile.Path, raw json.RawMessage) float64 {
	v := b.Number(p, raw)
	if v < 0 {
		b.Add(p, "found %g, want a number >= 0", v)
		return 0
	}
	return v
}

// pairs are one pair of ids or a list of them.
type pairs struct {
	list   [][2]string
	single bool
}

// UnmarshalJSON reads ["a", "b"] or [["a", "b"], …].
func (q *pairs) UnmarshalJSON(data []byte) error {
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	q.single = len(items) == 2 && items[0][0] == '"' && items[1][0] == '"'
	if q.single {
		q.list = make([][2]string, 1)
		return json.Unmarshal(data, &q.list[0])
	}
	for i, r := range items {
		if r[0] != '[' {
			return fmt.Errorf("found the id %s at place %d, want two ids or a list of pairs", casefile.Abbreviate(string(r)), i)
		}
	}
	return json.Unmarshal(data, &q.list)
}

// each calls visit for every pair whose ends exist.
func (q *pairs) each(b *builder, p casefile.Path, visit func(p casefile.Path, e ends)) {
	p = p.With("between")
	for i, ids := range q.list {
		inner := p
		if !q.single {
			inner = p.With(i)
		}
		if e, ok := b.pair(inner, ids); ok {
			visit(inner, e)
		}
	}
}

package world

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// slipKeys are the keys of a coefficient of friction in the schemas of models.
//
//go:embed slipfriction.json
var slipKeys string

// SlipSchema puts them into the schema of a model, for its place "FRICTION BY SLIP".
func SlipSchema(model string) string {
	return strings.ReplaceAll(model, `"FRICTION BY SLIP": {}`,
		strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(slipKeys), "{"), "}"))
}

// SlipDocument has the keys of a coefficient over the speed of slip.
type SlipDocument struct {
	Static   *float64     `json:"static"`
	Kinetic  *float64     `json:"kinetic"`
	Speed    *float64     `json:"speed"`
	Exponent *float64     `json:"exponent"`
	Speeds   []float64    `json:"speeds"`
	Slip     [][2]float64 `json:"slip"`
	Ageing   *struct {
		Mu0    float64  `json:"mu0"`
		A      float64  `json:"a"`
		B      float64  `json:"b"`
		V0     float64  `json:"v0"`
		Length float64  `json:"length"`
		Rest   *float64 `json:"rest"`
		State  *float64 `json:"state"`
	} `json:"rate_state"`
}

// defaultRest is the speed that counts as rest, over v0: what creeps at a thousandth of it.
const defaultRest = 1e-3

// ageing decodes rate-and-state friction, nil after a fault.
func ageing(b *casefile.Builder, p casefile.Path, d *SlipDocument, others bool) friction.Law {
	x := d.Ageing
	if others {
		b.Add(p, "found \"rate_state\" beside other coefficients of friction, want one of them")
		return nil
	}
	l := friction.Ageing{Reference: x.Mu0, Direct: x.A, Evolution: x.B, Speed: x.V0, Length: x.Length,
		Rest: defaultRest * x.V0, Start: x.Length / x.V0}
	if x.Rest != nil {
		l.Rest = *x.Rest
	}
	if x.State != nil {
		l.Start = *x.State
	}
	if err := l.Validate(); err != nil {
		b.Add(p.With("rate_state"), "%v", err)
		return nil
	}
	return l
}

// weakening decodes friction over what has slipped, nil after a fault.
func weakening(b *casefile.Builder, p casefile.Path, rows [][2]float64) friction.Law {
	var l friction.Weakening
	for _, r := range rows {
		l.Ways, l.Coefficients = append(l.Ways, r[0]), append(l.Coefficients, r[1])
	}
	if !b.Accept(p, l.Validate()) {
		return nil
	}
	return l
}

// Slip decodes a coefficient over the speed of slip at a path, nil where none of its keys is there;
// what else is said of the coefficient objects to it.
func Slip(b *casefile.Builder, p casefile.Path, d *SlipDocument, mu json.RawMessage, field *MapDocument) friction.Law {
	var law friction.Law
	jump, table := d.Static != nil || d.Kinetic != nil || d.Speed != nil || d.Exponent != nil, d.Speeds != nil
	switch {
	case d.Ageing != nil:
		return ageing(b, p, d, jump || table || mu != nil || field != nil || d.Slip != nil)
	case d.Slip != nil && (jump || table || mu != nil || field != nil):
		b.Add(p, "found \"slip\" beside other coefficients of friction, want one of them")
		return nil
	case d.Slip != nil:
		return weakening(b, p.With("slip"), d.Slip)
	case !jump && !table && mu != nil && mu[0] == '[':
		b.Add(p.With("mu"), "a list has a coefficient for each of \"speeds\", which are missing")
		return nil
	case !jump && !table:
		return nil
	case jump && (table || mu != nil), field != nil:
		b.Add(p, "found several coefficients of friction, want one: \"mu\" (also over time), \"map\", \"static\" and \"kinetic\", or \"speeds\" with a list \"mu\"")
		return nil
	case table:
		law = slipTable(b, p, d.Speeds, mu)
	case d.Static == nil || d.Kinetic == nil:
		b.Add(p, "want both \"static\" and \"kinetic\"")
		return nil
	case d.Speed == nil && d.Exponent != nil:
		b.Add(p.With("exponent"), "it has no effect without \"speed\", that of Stribeck")
		return nil
	case d.Speed == nil:
		law = friction.Jump{Static: *d.Static, Kinetic: *d.Kinetic}
	default:
		exponent := 2.0
		if d.Exponent != nil {
			exponent = *d.Exponent
		}
		law = friction.Stribeck{Static: *d.Static, Kinetic: *d.Kinetic, Speed: *d.Speed, Exponent: exponent}
	}
	if law == nil {
		return nil
	}
	if err := law.Validate(); err != nil {
		b.Add(p, "%v", err)
		return nil
	}
	return law
}

// slipTable decodes a table.
func slipTable(b *casefile.Builder, p casefile.Path, speeds []float64, mu json.RawMessage) friction.Law {
	if mu == nil || mu[0] != '[' {
		b.Add(p.With("mu"), "want a list of as many numbers as \"speeds\" has")
		return nil
	}
	coefficients := b.Numbers(p.With("mu"), mu, len(speeds))
	if coefficients == nil {
		return nil
	}
	return friction.Table{Speeds: speeds, Coefficients: coefficients}
}

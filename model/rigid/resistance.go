package rigid

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// resistanceDocument has the keys of what a contact has beyond friction.
type resistanceDocument struct {
	Rolling  *float64 `json:"rolling"`
	Spinning *float64 `json:"spinning"`
	Drilling *float64 `json:"drilling"`
	Adhesion *float64 `json:"adhesion"`
}

// resistance decodes it for a material.
func (b *builder) resistance(p casefile.Path, d *resistanceDocument, m *multibody.Material) {
	if *d == (resistanceDocument{}) || b.Any() {
		return
	}
	value := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	m.Resistance = &multibody.Resistance{Rolling: value(d.Rolling), Spinning: value(d.Spinning),
		Drilling: value(d.Drilling), Adhesion: value(d.Adhesion)}
	if err := m.Resistance.Validate(m, b.Dim); err != nil {
		b.Add(p, "%v", err)
	}
	if b.doc.Facets != nil && m.Resistance.Moments() {
		b.Add(p, "resistance to rolling, spinning or drilling has no cones with \"facets\"")
	}
}

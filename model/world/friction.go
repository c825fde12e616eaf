package world

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// MapDocument is a coefficient of friction over x and y, as in the model energetic.
type MapDocument struct {
	X  []float64   `json:"x"`
	Y  []float64   `json:"y"`
	Mu [][]float64 `json:"mu"`
}

// Friction decodes a coefficient at a path, from one of the keys "mu" and "map": a number, the
// function of time that has it as its first value, or a map, from the inner origin.
func (b *Builder) Friction(p casefile.Path, mu json.RawMessage, d *MapDocument) (number float64, over signal.Scalar, field bodies.Field) {
	if (mu == nil) == (d == nil) {
		b.Add(p, "want either \"mu\" or \"map\"")
		return 0, nil, nil
	}
	if d == nil {
		number, over = b.Coefficient(p.With("mu"), mu, b.doc.Until)
		return number, over, nil
	}
	m, err := dissipation.NewMap(d.X, d.Y, d.Mu)
	if err == nil && b.Origin != [3]float64{} {
		m, err = dissipation.NewMap(shifted(d.X, b.Origin[0]), shifted(d.Y, b.Origin[1]), d.Mu)
	}
	if err != nil {
		b.Add(p.With("map"), "%v", err)
		return 0, nil, nil
	}
	return 0, nil, m
}

package world

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/floats"

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

// Moves are moves of a contact on its obstacle that cover where the point of a body was or was
// expected in a step of h, at the velocities at both ends: up to twice as far as these tell.
func Moves(w *bodies.World, body int, h float64, ends ...[]float64) [][2]float64 {
	moves := [][2]float64{{}}
	far := 0.0
	for _, v := range ends {
		far = max(far, 2*h*speedBound(w, body, v))
	}
	if far == 0 {
		return moves
	}
	const rings, rays = 8, 16
	for ring := range rings {
		for ray := range rays {
			sin, cos := math.Sincos(2 * math.Pi * float64(ray) / rays)
			r := far * float64(ring+1) / rings
			moves = append(moves, [2]float64{r * cos, r * sin})
		}
	}
	return moves
}

// speedBound bounds the speeds of the points of a body under the velocities v.
func speedBound(w *bodies.World, body int, v []float64) float64 {
	_, first := w.Coordinates(body)
	speed := floats.Norm(v[first:first+w.Dim()], 2)
	if w.Spins(body) {
		turns := v[first+w.Dim() : first+3*(w.Dim()-1)] // one of the plane, three of space
		speed += floats.Norm(turns, 2) * w.Reach(body)
	}
	return speed
}

package elastic

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// TestOverlap: two unit squares 1 m apart, the first of which goes to the right: past the
// other's edge by .25 m it lies in it by .25/√2 across the diagonals of the elements at most.
func TestOverlap(t *testing.T) {
	mesh := &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 3, 0, 3, 1, 2, 1}, Elem: []int{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}}
	c := &Case{Model: &elastic.Model{Mesh: mesh}}
	var o overlap
	o.open(c)
	for _, move := range []float64{0, .5, 1, 1.25, .5} {
		u := make([]float64, 16)
		for k := range 4 {
			u[2*k] = move
		}
		o.observe(c, move, u)
		if deep := move > 1; deep == o.fact().Passed && move != .5 {
			t.Errorf("moved by %g m: %+v", move, o.fact())
		}
	}
	if f := o.fact(); f.Passed || o.Time != 1.25 || !(f.Value > .1 && f.Value < .25+1e-12) || math.IsNaN(f.Value) {
		t.Errorf("%+v", f)
	}
}

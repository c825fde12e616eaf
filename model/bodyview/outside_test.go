package bodyview

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// TestOutside: joints beyond a box or an ellipsoid have an arm, those at its rim by typed digits
// have none, nor those of other shapes.
func TestOutside(t *testing.T) {
	box, oval := bodies.Appearance{Half: [3]float64{1, 2, 3}}, bodies.Appearance{Round: [3]float64{1, 2, 3}}
	for _, c := range []struct {
		l    bodies.Appearance
		y    [3]float64
		want bool
	}{
		{box, [3]float64{1 + 1e-12, -2, 3}, false}, {box, [3]float64{0, -2.001, 0}, true}, {box, [3]float64{1.001, 0, 0}, true},
		{oval, [3]float64{0, 0, -3 - 1e-12}, false}, {oval, [3]float64{0, 0, -3.001}, true},
		{oval, [3]float64{.8, 1.4, 0}, true}, {oval, [3]float64{.7, 1.4, 0}, false},
		{bodies.Appearance{Point: true}, [3]float64{1, 0, 0}, false},
	} {
		if got := outside(c.l, c.y); got != c.want {
			t.Errorf("%+v at %v: outside is %v", c.l, c.y, got)
		}
	}
}

package bodies_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestSegmentOverBox: a capsule over a face touches it in two points, at the ends of the part that
// is above it, each with the number of an end or of a rim; beside the face in one.
func TestSegmentOverBox(t *testing.T) {
	for _, c := range []struct {
		at     v3
		length float64
		ends   []float64 // x of the points
	}{
		{v3{0, 0, 3.5}, 1, []float64{-.5, .5}},
		{v3{0, 1.9, 3.5}, 4, []float64{-1, 1}},
		{v3{1, 0, 3.5}, 1, []float64{.5, 1}},
		{v3{-1, -1.9, 3.5}, 1, []float64{-1, -.5}},
		{v3{0, 2.3, 3.3}, 1, []float64{-.5}}, // beside: equally near along its length, the first end goes before
		{v3{2, 0, 3.3}, 1, []float64{1}},     // beyond
	} {
		list := touches(t, 3, bodies.Body{Shape: bodies.Capsule{Length: c.length, R: .25}, Position: c.at}, bodies.Body{Shape: bodies.Box{Size: v3{2, 4, 6}}})
		if len(list) != len(c.ends) || len(list) == 2 && list[0].Key == list[1].Key {
			t.Errorf("%v: %+v, want %d", c.at, list, len(c.ends))
			continue
		}
		found := map[float64]bool{}
		for _, x := range list {
			gap := math.Hypot(math.Hypot(max(0, c.at[1]-2), max(0, c.at[2]-3)), max(0, c.at[0]-c.length/2-1)) - .25
			foot := vec3.Add(x.At, -x.Gap/2, x.N)
			for _, end := range c.ends {
				if math.Abs(foot[0]-end) <= 1e-15 {
					found[end] = true
				}
			}
			if !(math.Abs(x.Gap-gap) <= 1e-15) {
				t.Errorf("%v: gap %g, want %g", c.at, x.Gap, gap)
			}
		}
		if len(found) != len(c.ends) {
			t.Errorf("%v: %+v, want ends at %g", c.at, list, c.ends)
		}
	}
}

package bodies_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestSegmentOverBox: a capsule along a face or an edge touches it in two points, at the ends of the
// part that is above it, each with the number of an end or of a rim; beyond it in one.
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
		{v3{0, 2.3, 3.3}, 1, []float64{-.5, .5}},  // along an edge
		{v3{.75, 2.3, 3.3}, 1, []float64{.25, 1}}, // and beyond its end
		{v3{2, 0, 3.3}, 1, []float64{1}},          // beyond
	} {
		list := touches(t, 3, bodies.Body{Shape: bodies.Capsule{Length: c.length, R: .25}, Position: c.at},
			bodies.Body{Shape: bodies.Box{Size: v3{2, 4, 6}}})
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

// TestOverEdge: a cylinder that has rolled over the edge of a box lies along it as before along the
// face, in two points of the same names, and between is no turn at which it has one alone.
func TestOverEdge(t *testing.T) {
	keys := map[uint64]bool{}
	for _, angle := range []float64{-1e-3, 0, 1e-12, 1e-6, 1e-3, 9e-3, 1.1e-2, 0.3, 0.7} {
		sin, cos := math.Sincos(max(0, angle))
		at := v3{1 + 0.5*sin + 0.5*min(0, angle), 0, 1 + 0.5*cos}
		list := touches(t, 3, bodies.Body{Shape: bodies.SolidCylinder{R: 0.5, Height: 1}, Position: at,
			Orientation: [4]float64{math.Sqrt2 / 2, math.Sqrt2 / 2, 0, 0}}, bodies.Body{Shape: bodies.Box{Size: v3{2, 4, 2}}})
		if len(list) != 2 {
			t.Fatalf("angle %g: %d points", angle, len(list))
		}
		for _, x := range list {
			keys[x.Key] = true
			if math.Abs(x.Gap) > 1e-15 || math.Abs(x.N[0]-sin) > 1e-12 || math.Abs(math.Abs(x.At[1])-0.5) > 1e-12 {
				t.Errorf("angle %g: %+v", angle, x)
			}
		}
	}
	if len(keys) != 2 {
		t.Errorf("%d names", len(keys))
	}
}

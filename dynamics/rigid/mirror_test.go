package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestMirror: a row of dominoes in space goes as that in the plane, and none leaves it, to the bit;
// free to do so they do, by rounding, from the blow on in which the last slides on the others.
func TestMirror(t *testing.T) {
	const n, h, d = 7, .2, .1
	const off = 2e-5 // of what steps of 1 ms know of the collisions [m]
	row := func(dim int, aslant bool) []float64 {
		gravity, up := [3]float64{0, 0, -9.81}, [3]float64{0, 0, 1}
		if dim == 2 {
			gravity, up = [3]float64{0, -9.81}, [3]float64{0, 1}
		}
		w := world(t, dim, gravity)
		must[int](t)(w.AddHalfSpace([3]float64{}, up))
		for i := range n {
			b := bodies.Body{Shape: bodies.Box{Size: [3]float64{.02, .1, h}}, Mass: .3, Position: [3]float64{d * float64(i), 0, h / 2}}
			if i == 0 {
				b.Velocity, b.Spin = [3]float64{.4, 0, .04}, [3]float64{0, 4, 0}
			}
			if dim == 2 {
				b.Shape = plate(.02, h)
				b.Position, b.Velocity, b.Spin = [3]float64{b.Position[0], h / 2},
					[3]float64{b.Velocity[0], b.Velocity[2]}, [3]float64{0, 0, -b.Spin[1]}
			}
			must[int](t)(w.Add(b))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.3}, Aslant: aslant}, rigid.Options{Alpha: .5})
		run(t, s, 1e-3, 560)
		_, q, _, _ := s.State()
		return q
	}
	plane, kept, free := row(2, false), row(3, false), row(3, true)
	left := 0.0
	for i := range n {
		near(t, "x", kept[7*i], plane[3*i], off)
		near(t, "z", kept[7*i+2], plane[3*i+1], off)
		if kept[7*i+1] != 0 || kept[7*i+4] != 0 || kept[7*i+6] != 0 {
			t.Errorf("domino %d leaves the plane: %v", i, kept[7*i:7*i+7])
		}
		left = max(left, math.Abs(free[7*i+1]))
	}
	if left == 0 {
		t.Error("those that are free keep to the plane: there is nothing to show")
	}
	t.Logf("free: %.3g m", left)
}

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestRoundSlap: a cylinder, or a cone of a height c of its centre, that is let go tilted on its rim
// turns about that, falls flat and rises on the same point again. At the slap the far point has u⁺ =
// −e u⁻ and the pivot 0, both by impulses > 0: ω⁺ = −e ω⁻, so that the centre rises again by e² of
// what it has fallen. The pivot was not in the collision, as its point goes by another name once the
// face lies flat: it hit by itself 3e-7 s later, and next to nothing was left.
func TestRoundSlap(t *testing.T) {
	thorough.Seconds(t)
	solids := []struct {
		shape bodies.Shape
		r, c  float64
	}{
		{bodies.SolidCylinder{R: .1, Height: .1}, .1, .05},
		{bodies.SolidCylinder{R: .05, Height: .1}, .05, .05},
		{bodies.SolidCylinder{R: .1, Height: .05}, .1, .025},
		{bodies.Cone{R: .1, Height: .2}, .1, .05},
	}
	for _, x := range solids {
		for _, tilt := range []float64{.1, .2, .3} {
			for _, e := range []float64{.3, .5} {
				for _, thick := range []float64{0, .1} { // of a table; 0: the floor
					t.Run(fmt.Sprint(x.shape, tilt, e, thick), func(t *testing.T) {
						w := world(t, 3, [3]float64{2: -9.81})
						if thick > 0 {
							must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{2, 2, thick}}, Mass: 1,
								Position: [3]float64{2: -thick / 2}}))
						} else {
							must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{2: 1}))
						}
						sin, cos := math.Sincos(tilt)
						i := must[int](t)(w.Add(bodies.Body{Shape: x.shape, Mass: 1,
							Position: [3]float64{2: x.c*cos + x.r*sin}, Orientation: about(0, tilt)}))
						m := multibody.Setup{Material: multibody.Material{Restitution: e}}
						if thick > 0 {
							m.Joints = []multibody.Joint{{A: 0, B: -1, Kind: multibody.Fixed}}
						}
						s := start(t, w, m, rigid.Options{Alpha: .5})
						const h = .3 / 256
						hits, most, fell := 0, 0.0, x.r*sin-x.c*(1-cos)
						for range 256 {
							run(t, s, h, 1)
							if hits += len(s.Last().Collisions); hits > 0 {
								_, q, _, _ := s.State()
								most = max(most, q[7*i+2]-x.c)
							}
						}
						near(t, "rise of the centre over what it fell", most/fell, e*e, .05*e*e) // of 256 steps; .001 to .1 of e² it was
					})
				}
			}
		}
	}
}

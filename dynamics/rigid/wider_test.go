package rigid_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestProjectionsEnd: tilted boxes fall on each other on the gap grid. What a projection of one
// pair closes of the next one is opened in the same round: no step is cut for gaps that cannot be
// opened, and none leaves more than 1e-10 m.
func TestProjectionsEnd(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for i := range 6 {
		a, b, c := .3*math.Sin(float64(5*i+1)), .3*math.Sin(float64(7*i+2)), .3*math.Sin(float64(11*i+3))
		n := math.Sqrt(1 + a*a + b*b + c*c)
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .1, .1}}, Mass: 1,
			Position:    [3]float64{.17*float64(i%2) + .01*a, .01 * b, .1 + .2*float64(i/2)},
			Orientation: [4]float64{1 / n, a / n, b / n, c / n}}))
	}
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Grid: rigid.GapGrid})
	cuts := 0
	for range 100 {
		run(t, s, .005, 1)
		x := s.Last()
		for _, c := range x.Cuts {
			if !strings.Contains(c.Reason, "of a body deep") { // see TestSinks
				cuts++
			}
		}
		if !(x.Penetration <= 1e-10) {
			t.Errorf("t = %g: penetration %g m", x.T, x.Penetration)
		}
	}
	if cuts > 0 {
		t.Errorf("%d cuts", cuts)
	}
}

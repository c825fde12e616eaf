package rigid_test

import (
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// boxLayers are shiftedLayers whose boxes lie on one box with most of a face, and on up to three
// others with less.
func boxLayers(t testing.TB, n, layers int, gap float64, o rigid.Options) *rigid.Stepper {
	return shiftedLayers(t, .02, n, layers, gap, o)
}

// shiftedLayers are layers of n×n boxes of 1 kg and .1 m, each a gap above the one below and every
// second one shifted along both sides, so that a box lies on up to four others; their places
// sideways are random by a millimetre.
func shiftedLayers(t testing.TB, aslant float64, n, layers int, gap float64, o rigid.Options) *rigid.Stepper {
	random := rand.New(rand.NewPCG(12, 1))
	aside := func() float64 { return .001 * (2*random.Float64() - 1) }
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for z := range layers {
		for x := range n {
			for y := range n {
				shift := aslant * float64(z%2)
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .1, .1}}, Mass: 1,
					Position: [3]float64{.112*float64(x) + shift + aside(), .112*float64(y) + shift + aside(), .05 + gap + float64(z)*(.1+gap)}}))
			}
		}
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, o)
}

// TestLayersLandAtOnce: layers of boxes fall flat. All corners of a layer close at one time, to
// rounding, and after that they touch: there is one collision a layer, and the rounds of the steps
// end soon. What the residual of an impact left of the speeds of corners had them close one after
// the other.
func TestLayersLandAtOnce(t *testing.T) {
	n, layers, gap, steps, most := 3, 2, .02, 60, 40
	if thorough.Asked() {
		n, layers, gap, steps, most = 4, 4, .05, 120, 60
	}
	s := boxLayers(t, n, layers, gap, rigid.Options{Alpha: .75})
	collisions, solves, contacts := 0, 0, 0
	for range steps { // the last layer lands after √(2·layers·gap/g): .09 s, or .20 s
		run(t, s, .002, 1)
		x := s.Last()
		collisions, solves = collisions+len(x.Collisions), solves+x.Solves
		contacts = max(contacts, x.Stick+x.Slip)
		if x.Penetration > 1e-10 || len(x.Cuts) > 0 {
			t.Errorf("t = %g: penetration %g, cuts %v", x.T, x.Penetration, x.Cuts)
		}
	}
	if collisions != layers || solves > most || contacts <= 60 {
		t.Errorf("%d collisions of %d layers, %d problems of up to %d contacts", collisions, layers, solves, contacts)
	}
}

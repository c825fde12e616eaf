package rigid_test

import (
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// fallenRods are rods without thickness that fall, at random angles, onto each other between walls.
func fallenRods(t testing.TB, seed uint64, n int) *rigid.Stepper {
	random := rand.New(rand.NewPCG(seed, 7))
	w := world(t, 2, [3]float64{0, -9.81})
	for _, x := range [][2][3]float64{{{}, {0, 1}}, {{-.6}, {1}}, {{.6}, {-1}}} {
		must[int](t)(w.AddHalfSpace(x[0], x[1]))
	}
	for i := range n {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: .3}, Mass: 1,
			Position: [3]float64{.36 * float64(i%3-1), .2 + .32*float64(i/3)},
			Angle:    6.3 * random.Float64(), Spin: [3]float64{2: 4*random.Float64() - 2}}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .6}}, rigid.Options{})
}

// TestFallenRods: they glide past each other at 1e-6 m for most of a step, in which no bound of
// their speeds keeps them apart: the sweep gave up after 1,000 looks, and half of the piles were
// cut for that, or ended in "pass through each other".
func TestFallenRods(t *testing.T) {
	seeds, steps := []uint64{7, 11}, 22
	if thorough.Asked() {
		steps = 60
		for seed := range uint64(40) {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		s := fallenRods(t, seed, 9)
		run(t, s, .01, steps)
		if cuts := s.Last().Cuts; len(cuts) > 0 && steps == 22 {
			t.Errorf("seed %d: %+v", seed, cuts)
		}
	}
}

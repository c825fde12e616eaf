package incremental

import (
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// TestPlatforms: of two particles that are bonded and one beside, those are asked for a loss before each step that some translation along
// the floor leaves without stiffness.
func TestPlatforms(t *testing.T) {
	bond := must(particles.NewBonds([]float64{0, 0, 0, 1, 0, 0, 5, 0, 0}, particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(1)}))
	tether := func(j int, k [3]float64) particles.Energy {
		return must(particles.NewTethers(particles.Tether{Particle: j, Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(k[0], k[1], k[2])}))
	}
	for _, c := range []struct {
		name string
		more []particles.Energy
		want []int // first members
	}{
		{"nothing holds", nil, []int{0, 2}},
		{"one is held", []particles.Energy{tether(2, [3]float64{1, 1, 1})}, []int{0}},
		{"the pair is held by one of them", []particles.Energy{tether(1, [3]float64{1, 1, 1})}, []int{2}},
		{"softly", []particles.Energy{tether(1, [3]float64{1e-9, 1e-9, 0})}, []int{2}},
		{"along x", []particles.Energy{tether(0, [3]float64{1, 0, 0})}, []int{0, 2}},
		{"along y", []particles.Energy{tether(0, [3]float64{0, 1, 0})}, []int{0, 2}},
		{"upwards", []particles.Energy{tether(0, [3]float64{0, 0, 1})}, []int{0, 2}},
		{"one along x, the other along y", []particles.Energy{tether(0, [3]float64{1, 0, 0}), tether(1, [3]float64{0, 1, 0})}, []int{2}},
		{"both", []particles.Energy{tether(0, [3]float64{1, 1, 0}), tether(2, [3]float64{1, 1, 0})}, nil},
	} {
		sys := must(particles.NewSystem(particles.Floors(3), append([]particles.Energy{bond}, c.more...)...))
		s := must(New(must(dissipation.New(sys, nil)), 0, []float64{0, 0, 0, 1, 0, 0, 5, 0, 0}, Options{}))
		ok := len(s.platforms) == len(c.want) && (s.sweep != nil) == (c.want != nil)
		for i, p := range s.platforms {
			ok = ok && p.members[0] == c.want[i]
		}
		if !ok {
			t.Errorf("%s: %+v, want %v", c.name, s.platforms, c.want)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

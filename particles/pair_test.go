package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
)

var pairLaws = map[string]particles.Law{
	"lennard-jones": particles.LennardJones{Depth: 2, Distance: 1.1},
	"morse":         particles.Morse{Depth: 1.5, Distance: 0.9, Decay: 3},
	"cut":           particles.Cut{Law: particles.LennardJones{Depth: 2, Distance: 1.1}, From: 1.4, To: 2.2},
}

// TestPairDerivatives: D1 and D2 against central differences, error h²·φ‴ ~ 1e-8.
func TestPairDerivatives(t *testing.T) {
	const h = 1e-5
	for name, law := range pairLaws {
		for l := 0.85; l < 2.6; l += 0.035 {
			near(t, name+" D1", law.D1(l), (law.Value(l+h)-law.Value(l-h))/(2*h), 1e-5*max(1, math.Abs(law.D1(l))))
			near(t, name+" D2", law.D2(l), (law.D1(l+h)-law.D1(l-h))/(2*h), 1e-5*max(1, math.Abs(law.D2(l))))
		}
	}
}

// TestPairMinimum: depth, distance and stiffness of the well.
func TestPairMinimum(t *testing.T) {
	lj, morse := pairLaws["lennard-jones"], pairLaws["morse"]
	near(t, "LJ value", lj.Value(1.1), -2, 1e-15)
	near(t, "LJ slope", lj.D1(1.1), 0, 1e-14)
	near(t, "LJ stiffness", lj.D2(1.1), 72*2/(1.1*1.1), 1e-12)
	near(t, "Morse value", morse.Value(0.9), -1.5, 1e-15)
	near(t, "Morse stiffness", morse.D2(0.9), 2*1.5*9, 1e-12)
	near(t, "cut", pairLaws["cut"].Value(2.2), 0, 0)
}

// TestPairEnergy: the energy of all pairs passes the derivative checks.
func TestPairEnergy(t *testing.T) {
	x := []float64{0, 0, 0, 1, 0.1, 0, 0.2, 1.1, 0.3, 1.9, 0.8, 0.7}
	for name, law := range pairLaws {
		list := particles.AllPairs([]int{0, 1, 2, 3}, law)
		if len(list) != 6 {
			t.Fatalf("%d pairs", len(list))
		}
		e, err := particles.NewSprings(list...)
		if err != nil {
			t.Fatal(err)
		}
		if err := energytest.Check(e, 0.3, x); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPairFaults(t *testing.T) {
	for name, law := range map[string]particles.Law{
		"depth":    particles.LennardJones{Depth: -1, Distance: 1},
		"distance": particles.Morse{Depth: 1, Decay: 1},
		"decay":    particles.Morse{Depth: 1, Distance: 1, Decay: math.NaN()},
		"cut":      particles.Cut{Law: particles.Linear{K: 1}, From: 2, To: 1},
		"inner":    particles.Cut{Law: particles.LennardJones{Depth: 1}, From: 1, To: 2},
		"nil":      particles.Cut{From: 1, To: 2},
	} {
		if _, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: law}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

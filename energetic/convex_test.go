package energetic

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestConvexTerms: what proves convexity, and what does not.
func TestConvexTerms(t *testing.T) {
	must := func(e particles.Energy, err error) particles.Energy {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	tether := func(k, stiffening float64) particles.Energy {
		e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(k), Stiffening: stiffening})
		return must(e, err)
	}
	quadratic := func(kx float64) particles.Energy {
		entries, err := particles.DenseEntries([][]float64{{kx, 0, 0}, {0, 1, 0}, {0, 0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		zero := signal.Constant(0)
		e, err := particles.NewQuadratic([]int{0}, make([]float64, 3), entries, particles.Path{zero, zero, zero})
		return must(e, err)
	}
	spring := func(law particles.Law) particles.Energy {
		e, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: law})
		return must(e, err)
	}
	for name, c := range map[string]struct {
		terms []particles.Energy
		want  bool
	}{
		"nothing":                      {nil, true},
		"stiffening":                   {[]particles.Energy{tether(1, 1)}, true},
		"cubic from rest length 0":     {[]particles.Energy{spring(particles.Cubic{K: 1, K3: 1})}, true},
		"rest length":                  {[]particles.Energy{spring(particles.Linear{K: 1, Rest: 1})}, false},
		"pair":                         {[]particles.Energy{spring(particles.Morse{Depth: 1, Distance: 1, Decay: 1})}, false},
		"saddle":                       {[]particles.Energy{tether(0, 1), quadratic(-1)}, false},
		"saddle held by a linear term": {[]particles.Energy{tether(1, 0), tether(0, 1), quadratic(-1)}, true},
		"not known":                    {[]particles.Energy{unknown{}}, false},
	} {
		sys, err := particles.NewSystem(particles.Floors(2), c.terms...)
		if err != nil {
			t.Fatal(err)
		}
		if got := convexTerms(t.Context(), sys); got != c.want {
			t.Errorf("%s: convex %v", name, got)
		}
	}
}

// TestConvexToRounding: a negative eigenvalue is rounding below 1e-12 of the norm, whatever the norm; what may be entered beside
// one body is not convex.
func TestConvexToRounding(t *testing.T) {
	for _, norm := range []float64{1e-4, 1, 1e4} {
		for part, want := range map[float64]bool{1e-10: false, 1e-14: true} {
			tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(norm, norm/2, 0)}))
			entries := must(particles.DenseEntries([][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, -part * norm}}))
			zero := signal.Constant(0)
			e := must(particles.NewQuadratic([]int{0}, make([]float64, 3), entries, particles.Path{zero, zero, zero}))
			if got := convexTerms(t.Context(), must(particles.NewSystem(particles.Floors(1), tether, e))); got != want {
				t.Errorf("norm %g, eigenvalue %g of it: convex %t", norm, -part, got)
			}
		}
	}
	if sys := reference.BallAndWall(false).Psi.System; len(sys.Bent()) != 1 || convexTerms(t.Context(), sys) {
		t.Errorf("beside %d bodies: convex", len(sys.Bent()))
	}
}

// unknown is a user's term that says nothing about itself.
type unknown struct{}

func (unknown) Pattern(*particles.Pattern)                           {}
func (unknown) Value(float64, []float64) (e, rate float64)           { return 0, 0 }
func (unknown) Gradient(_, _ []float64, _ float64, _ []float64)      {}
func (unknown) Hessian(_ *particles.Hessian, _ float64, _ []float64) {}

package energetic_test

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
)

// wave is a user's own energy: a potential landscape that travels along x and
// drags the particle, E = 1 − cos(x − t) + ½(y² + (z + 1)²).
type wave struct{}

func (wave) Pattern(p *particles.Pattern) {
	for a := range 3 {
		p.Add(a, a)
	}
}

func (wave) Value(t float64, x []float64) (e, rate float64) {
	return 1 - math.Cos(x[0]-t) + 0.5*(x[1]*x[1]+(x[2]+1)*(x[2]+1)), -math.Sin(x[0] - t)
}

func (wave) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		grad[0] += math.Sin(x[0] - t)
		grad[1] += x[1]
		grad[2] += x[2] + 1
	}
	if rate != nil {
		rate[0] -= math.Cos(x[0] - t)
	}
}

func (wave) Hessian(h *particles.Hessian, t float64, x []float64) {
	h.Add(0, 0, math.Cos(x[0]-t))
	h.Add(1, 1, 1)
	h.Add(2, 2, 1)
}

// A particle rides on a travelling wave: friction 0.5 · 1 N holds it until the
// slope is 0.5, at t = π/6; from then on it follows, π/6 behind.
func Example() {
	ctx := context.Background()
	system, err := particles.NewSystem(particles.Floors(1), wave{})
	if err != nil {
		fmt.Println(err)
		return
	}
	friction, err := dissipation.New(system, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := energetic.Start(ctx, friction, []float64{0, 0, 0}, energetic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for k := 1; k <= 200; k++ {
		if err := run.Step(ctx, 0.01*float64(k)); err != nil {
			fmt.Println(err)
			return
		}
	}
	node, verdict := run.Node(), run.Summary()
	fmt.Printf("x(2) = %.6f, exact %.6f\n", node.Z[0], 2-math.Pi/6)
	fmt.Printf("%v, dissipated %.4f J\n", node.States[0], node.Dissipation)
	fmt.Printf("certified: %v, stability gap below 1e-12: %v\n", verdict.Certified, verdict.MaxGap < 1e-12)
	// Output:
	// x(2) = 1.476401, exact 1.476401
	// slip, dissipated 0.7382 J
	// certified: true, stability gap below 1e-12: true
}

// Command energy runs an evolution with an energy of its own, a landscape that travels
// along x, and reads the certificates of the result.
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
)

// landscape is E = 1 − cos(x − t) + ½(y² + (z + 1)²).
type landscape struct{}

var _ particles.Energy = landscape{}

func (landscape) Pattern(p *particles.Pattern) {
	for a := range 3 {
		p.Add(a, a)
	}
}

func (landscape) Value(t float64, x []float64) (e, rate float64) {
	return 1 - math.Cos(x[0]-t) + 0.5*(x[1]*x[1]+(x[2]+1)*(x[2]+1)), -math.Sin(x[0] - t)
}

func (landscape) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		grad[0] += math.Sin(x[0] - t)
		grad[1] += x[1]
		grad[2] += x[2] + 1
	}
	if rate != nil {
		rate[0] -= math.Cos(x[0] - t)
	}
}

func (landscape) Hessian(h *particles.Hessian, t float64, x []float64) {
	h.Add(0, 0, math.Cos(x[0]-t))
	h.Add(1, 1, 1)
	h.Add(2, 2, 1)
}

func main() {
	ctx := context.Background()
	system, err := particles.NewSystem(particles.Floors(1), landscape{})
	if err != nil {
		log.Fatal(err)
	}
	friction, err := dissipation.New(system, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}})
	if err != nil {
		log.Fatal(err)
	}
	run, err := energetic.Start(ctx, friction, []float64{0, 0, 0}, energetic.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for k := 1; k <= 200; k++ {
		if err := run.Step(ctx, 0.01*float64(k)); err != nil {
			log.Fatal(err)
		}
	}
	verdict := run.Summary()
	fmt.Printf("x(2) = %.6f m, exact %.6f m\n", run.Node().Z[0], 2-math.Pi/6)
	fmt.Printf("certified: %v, stability gap below 1e-12 J: %v\n", verdict.Certified, verdict.MaxGap < 1e-12)
}

// Output:
// x(2) = 1.476401 m, exact 1.476401 m
// certified: true, stability gap below 1e-12 J: true

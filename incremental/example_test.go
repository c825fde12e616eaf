package incremental_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// pull is a spring of 1 N/m whose far end walks along x with 1 m/s, and 1 m below the
// floor: E = ½((x − t)² + y² + (z + 1)²).
type pull struct{}

func (pull) Pattern(p *particles.Pattern) {
	for a := range 3 {
		p.Add(a, a)
	}
}

func (pull) Value(t float64, x []float64) (e, rate float64) {
	return 0.5 * ((x[0]-t)*(x[0]-t) + x[1]*x[1] + (x[2]+1)*(x[2]+1)), t - x[0]
}

func (pull) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		grad[0] += x[0] - t
		grad[1] += x[1]
		grad[2] += x[2] + 1
	}
	if rate != nil {
		rate[0]--
	}
}

func (pull) Hessian(h *particles.Hessian, t float64, x []float64) {
	for a := range 3 {
		h.Add(a, a, 1)
	}
}

// A particle pressed by 1 N with μ = ½ stays until the spring pulls with ½ N, and
// then follows ½ m behind its end.
func ExampleStepper() {
	system, err := particles.NewSystem(particles.Floors(1), pull{})
	if err != nil {
		fmt.Println(err)
		return
	}
	friction, err := dissipation.New(system, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := incremental.New(friction, 0, []float64{0, 0, 0}, incremental.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range []float64{0.4, 0.8, 1.2} {
		if err := s.Step(context.Background(), t); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("t = %.1f s: x = %.3f m, %v\n", t, s.State()[0], s.States()[0])
	}
	// Output:
	// t = 0.4 s: x = 0.000 m, stick
	// t = 0.8 s: x = 0.300 m, slip
	// t = 1.2 s: x = 0.700 m, slip
}

package sensitivity_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/optimize"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/sensitivity"
)

// The friction of a slide is identified from a measured motion: least squares over μ
// with the gradient of the solution.
func ExampleSensitivity() {
	problem := func(mu float64) *contact.Local {
		return &contact.Local{W: &contact.Dense{D: 2, N: 4,
			Val: []float64{2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2}}, Q: []float64{-1, 2, -1, 1},
			Laws: []contact.Law{contact.Coulomb{Mu: mu}, contact.Coulomb{Mu: mu}}}
	}
	measured := []float64{0, 1.7, 0, 0.7} // m/s, of μ = 0.3
	var res contact.Result
	misfit := func(mu float64) (f, slope float64) {
		p := problem(mu)
		if err := contact.SolveLocal(context.Background(), p, &contact.Options{Tolerance: 1e-12}, nil, &res); err != nil {
			fmt.Println(err)
		}
		bar := make([]float64, 4)
		for i, u := range measured {
			bar[i] = res.U[i] - u
			f += 0.5 * bar[i] * bar[i]
		}
		s, err := sensitivity.Linearise(p, res.R)
		if err != nil {
			fmt.Println(err)
		}
		g := s.Backward(nil, bar)
		return f, g.Bound[0] + g.Bound[1]
	}
	found, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { f, _ := misfit(x[0]); return f },
		Grad: func(grad, x []float64) { _, grad[0] = misfit(x[0]) },
	}, []float64{0.1}, nil, &optimize.BFGS{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("μ = %.6f\n", found.X[0])
	// Output: μ = 0.300000
}

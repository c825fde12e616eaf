// Command local solves a discrete contact problem of a block on an incline: three
// numbers of motion, one contact with Coulomb friction, and the answer with the
// residuals of its check.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

func main() {
	const mass, dt = 2.0, 0.01 // kg, s
	for _, degrees := range []float64{20, 40} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		m := sparse.NewBuilder(3).Build() // the diagonal is always there
		for i := range 3 {
			m.AddAt(i, i, mass)
		}
		problem := &contact.Global{
			M: m,
			F: []float64{-9.81 * mass * dt * cos, 9.81 * mass * dt * sin, 0}, // normal, down the slope, across [N s]
			H: &contact.Jacobian{Dim: 3, Rows: 3, Ptr: []int{0, 3}, Row: []int{0, 1, 2}, Val: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
			W: make([]float64, 3), Laws: []contact.Law{contact.Coulomb{Mu: 0.5}},
		}
		var answer contact.Result
		if err := contact.SolveGlobal(context.Background(), problem, nil, nil, &answer); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%2.0f°: v = %.5f m/s down the slope, friction %.5f N s, residuals below 1e-9: %v\n", degrees, answer.V[1], -answer.R[1],
			answer.Primal < 1e-9 && answer.Dual < 1e-9 && answer.Gap < 1e-9)
	}
	// A context that has ended is seen through the error.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := &contact.Local{W: &contact.Dense{D: 2, N: 4, Val: []float64{2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2}},
		Q:    []float64{-1, 1, -1, 1},
		Laws: []contact.Law{contact.Coulomb{Mu: 0.3}, contact.Coulomb{Mu: 0.3}}}
	err := contact.SolveLocal(ctx, p, &contact.Options{Method: contact.MethodNewton}, nil, nil)
	fmt.Println("cancelled:", errors.Is(err, context.Canceled))
}

// Output:
// 20°: v = 0.00000 m/s down the slope, friction 0.06710 N s, residuals below 1e-9: true
// 40°: v = 0.02548 m/s down the slope, friction 0.07515 N s, residuals below 1e-9: true
// cancelled: true

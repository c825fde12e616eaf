package contact_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// spring is one particle on springs of 2, 2 and 5 N/m along the normal and the two
// tangents of a floor, pushed down by 1.5 N and aside by 1 N.
func spring(l contact.Law) *contact.Global {
	m := sparse.NewBuilder(3).Build()
	for i, k := range []float64{5, 2, 2} {
		m.AddAt(i, i, k)
	}
	return &contact.Global{M: m, F: []float64{-1.5, 1, 0}, W: make([]float64, 3), Laws: []contact.Law{l},
		H: &contact.Jacobian{Dim: 3, Rows: 3, Ptr: []int{0, 3}, Row: []int{0, 1, 2}, Val: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}}
}

func ExampleSolveConvex() {
	p := spring(contact.Tresca{Threshold: 0.6})
	var res contact.Result
	if err := contact.SolveConvex(context.Background(), p, 0, nil, nil, &res); err != nil {
		fmt.Println(err)
		return
	}
	gap := contact.DualityGap(context.Background(), p, res.V, res.R, nil)
	fmt.Printf("moves by %.1f m, carries %.1f N, duality gap below 1e-15: %v\n", res.V[1], res.R[0], gap.Total() < 1e-15)
	// Output: moves by 0.2 m, carries 1.5 N, duality gap below 1e-15: true
}

func ExampleSolveGlobal() {
	var res contact.Result
	if err := contact.SolveGlobal(context.Background(), spring(contact.Coulomb{Mu: 0.4}), nil, nil, &res); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("moves by %.1f m, carries %.1f N and %.1f N\n", res.V[1], res.R[0], -res.R[1])
	// Output: moves by 0.2 m, carries 1.5 N and 0.6 N
}

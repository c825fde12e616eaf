package lcp_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// Two contacts of a light plate, unit compliance, coupled by one half: one
// presses, the other is pulled off.
func ExampleSolveLCP() {
	p := &lcp.LCP{M: []float64{1, 0.5, 0.5, 1}, Q: []float64{-2, 1}}
	var res lcp.LCPResult
	if err := lcp.SolveLCP(context.Background(), p, nil, nil, &res); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Status, res.Z, res.W)
	// Output: converged [2 0] [0 2]
}

// A mass on a joint (u free, equation) that leans on a stop (v ≥ 0).
func ExampleSolveMLCP() {
	p := lcp.BlockMLCP(1,
		[]float64{2}, []float64{-1}, // 2u − v + 4 = 0
		[]float64{1}, []float64{0}, // u ≥ 0 ⊥ v ≥ 0
		[]float64{4}, []float64{0})
	var res lcp.MLCPResult
	if err := lcp.SolveMLCP(context.Background(), p, nil, nil, &res); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Status, "u =", res.X[0], "v =", res.X[1])
	// Output: converged u = 0 v = 4
}

// A block on a box-shaped friction cone, as a complementarity problem.
func ExampleToLCP() {
	local := &contact.Local{
		W:    &contact.Dense{D: 3, N: 3, Val: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
		Q:    []float64{-1, 2, 0},
		Laws: []contact.Law{contact.Pyramid{Mu: 0.5, Facets: 4}},
	}
	p, pairs, err := lcp.ToLCP(local)
	if err != nil {
		fmt.Println(err)
		return
	}
	var res lcp.LCPResult
	if err := lcp.SolveLCP(context.Background(), p, nil, nil, &res); err != nil {
		fmt.Println(err)
		return
	}
	r := pairs.Reactions(nil, res.Z)
	fmt.Printf("%d pairs, normal %.3f, friction %.3f\n", p.N(), r[0], r[1])
	// Output: 6 pairs, normal 1.000, friction -0.500
}

// Command cholesky times the factorisation of the stiffness that
// benchmarks/cholmod.py gives to CHOLMOD: cholesky NX NY [NZ].
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
)

func main() {
	var cells []int
	for _, a := range os.Args[1:] {
		n, err := strconv.Atoi(a)
		if err != nil {
			log.Fatal(err)
		}
		cells = append(cells, n)
	}
	dim := len(cells)
	if dim != 2 && dim != 3 {
		fmt.Fprintln(os.Stderr, "usage: cholesky NX NY [NZ]")
		os.Exit(2)
	}
	mesh, err := fem.Box{Corner: make([]float64, dim), Size: []float64{1, 0.25, 0.25}[:dim], Cells: cells}.Mesh()
	if err != nil {
		log.Fatal(err)
	}
	a, err := fem.Stiffness(mesh, fem.Elastic{Young: 1000, Poisson: 0.3})
	if err != nil {
		log.Fatal(err)
	}
	var fixed []int
	for _, i := range mesh.Groups["top"].Nodes() {
		for c := range dim {
			fixed = append(fixed, dim*i+c)
		}
	}
	m, _ := fem.NewSplit(a.N, fixed).Restrict(a)
	start := time.Now()
	plan := factor.NewPlan(m, factor.Options{})
	analysed := time.Since(start)
	f := plan.Factor()
	best := time.Hour
	for range 3 {
		start = time.Now()
		if err := f.Refactor(m); err != nil {
			log.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	fmt.Printf("%d dofs, %v: analyse %.3f s, factorise %.3f s, %.2f Gflop, %d MB\nentries of L: %d\n",
		m.N, plan.Ordering(), analysed.Seconds(), best.Seconds(), plan.Flops()/1e9, plan.Bytes()>>20, plan.NNZ())
}

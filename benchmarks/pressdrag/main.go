// Command pressdrag times the quasi-static block that
// benchmarks/getfem_press_drag.py times with GetFEM: an elastic block pressed on
// a rigid floor and dragged, implicit thresholds, one press step and four drag
// steps. With -certify the steps go through package energetic.
//
//	go run ./benchmarks/pressdrag 64 16 16
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

func main() {
	certify := flag.Bool("certify", false, "certify every step")
	flag.Parse()
	var cells []int
	for _, a := range flag.Args() {
		n, err := strconv.Atoi(a)
		if err != nil {
			log.Fatal(err)
		}
		cells = append(cells, n)
	}
	if len(cells) != 2 && len(cells) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pressdrag [-certify] NX NY [NZ]")
		os.Exit(2)
	}
	if err := run(cells, *certify); err != nil {
		log.Fatal(err)
	}
}

// block makes the body: one second a step.
func block(cells []int) (*body.Body, error) {
	dim := len(cells)
	mesh, err := fem.Box{Corner: make([]float64, dim), Size: []float64{1, 0.25, 0.25}[:dim], Cells: cells}.Mesh()
	if err != nil {
		return nil, err
	}
	drag, err := signal.NewTable([]float64{0, 1, 5}, []float64{0, 0, 0.01})
	if err != nil {
		return nil, err
	}
	press, err := signal.NewTable([]float64{0, 1, 5}, []float64{0, -0.005, -0.005})
	if err != nil {
		return nil, err
	}
	top := mesh.Groups["top"].Nodes()
	o := body.Options{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3}, Prescribed: []body.Prescribed{
		{Nodes: top, Axis: 0, Motion: drag}, {Nodes: top, Axis: dim - 1, Motion: press}}}
	if dim == 3 {
		o.Prescribed = append(o.Prescribed, body.Prescribed{Nodes: top, Axis: 1, Motion: signal.Constant(0)})
	}
	return body.New(o)
}

func run(cells []int, certify bool) error {
	start := time.Now()
	b, err := block(cells)
	if err != nil {
		return err
	}
	bottom := b.Mesh().Groups["bottom"].Nodes()
	floor, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	if err != nil {
		return err
	}
	frames, err := b.Obstacle(bottom, floor)
	if err != nil {
		return err
	}
	sys, err := particles.NewSystem(frames, b)
	if err != nil {
		return err
	}
	friction := make([]dissipation.Matrix, sys.N())
	for _, i := range bottom {
		friction[i] = dissipation.Isotropic{Mu: 0.3}
	}
	psi, err := dissipation.New(sys, friction)
	if err != nil {
		return err
	}
	z := make([]float64, 3*sys.N())
	sys.ToLocal(z, b.Start())
	fmt.Printf("%d nodes, %d dofs of the mesh, %d in contact, set up in %.2f s\n", sys.N(), len(b.Mesh().X),
		len(bottom), time.Since(start).Seconds())
	return march(psi, z, bottom, certify)
}

func march(psi *dissipation.Coulomb, z []float64, bottom []int, certify bool) error {
	ctx := context.Background()
	plan, err := incremental.NewPlan(ctx, psi, incremental.Implicit, 0)
	if err != nil {
		return err
	}
	o := incremental.Options{Threshold: incremental.Implicit, Plan: plan}
	fmt.Printf("memory of the steps and their certificates: %v, predicted\n", o.Plan.Need())
	defer func() { fmt.Printf("memory at the peak, with mesh and garbage: %s\n", memory.Format(memory.Peak())) }()
	step, gradient, stats := (func(t float64) error)(nil), (func() []float64)(nil), (func() incremental.Stats)(nil)
	if certify {
		e, err := energetic.Start(ctx, psi, z, energetic.Options{Step: o})
		if err != nil {
			return err
		}
		step = func(t float64) error { return e.Step(ctx, t) }
		gradient = func() []float64 { return e.Node().Grad }
		stats = func() incremental.Stats { return e.Node().Stats }
		defer func() { fmt.Printf("certified: %t %s\n", e.Summary().Certified, e.Summary().First) }()
	} else {
		s, err := incremental.New(psi, 0, z, o)
		if err != nil {
			return err
		}
		step, gradient, stats = func(t float64) error { return s.Step(ctx, t) }, s.Gradient, s.Stats
	}
	for k := 1; k <= 5; k++ {
		start, used := time.Now(), processor.Time()
		if err := step(float64(k)); err != nil {
			return err
		}
		seconds, cpu := time.Since(start).Seconds(), (processor.Time() - used).Seconds()
		n, f := 0.0, 0.0
		for _, i := range bottom {
			n += gradient()[3*i+2]
			f += gradient()[3*i]
		}
		s := stats()
		fmt.Printf("step %d: %.3f s (processors %.3f s)  N=%.6f T=%.6f  solves %d, Newton steps on the contacts %d, dense factors %d, residual %.2g, fell back %t\n",
			k, seconds, cpu, n, f, s.Solves, s.Inner, s.Factors, s.Residual, s.FellBack)
	}
	return nil
}

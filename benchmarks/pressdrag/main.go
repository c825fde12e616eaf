// Command pressdrag times the quasi-static block that
// benchmarks/getfem_press_drag.py times with GetFEM: an elastic block pressed on
// a rigid floor and dragged, implicit thresholds, one press step and four drag
// steps. With -certify the steps go through package energetic. With -case it times the
// steps of a case of the model energetic in their place, those that the case names.
//
//	go run ./benchmarks/pressdrag 64 16 16
//	go run ./benchmarks/pressdrag -case two_blocks.json
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
	model "github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/signal"
)

func main() {
	certify := flag.Bool("certify", false, "certify every step")
	file := flag.String("case", "", "a case file with steps and elastic bodies")
	flag.Parse()
	if *file != "" {
		if err := ofCase(*file, *certify); err != nil {
			log.Fatal(err)
		}
		return
	}
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
	if err := ofBlock(cells, *certify); err != nil {
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

// ofBlock makes the steps of the block.
func ofBlock(cells []int, certify bool) error {
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
	return march(psi, z, []float64{1, 2, 3, 4, 5}, certify)
}

// ofCase makes the steps of a case.
func ofCase(file string, certify bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	k, err := run.Grammar([]*run.Model{&model.Model}).Decode(file, text)
	if err != nil {
		return err
	}
	built, err := run.Build(context.Background(), k, &model.Model)
	if err != nil {
		return err
	}
	c := built.(*model.Case)
	plan := built.Plan()
	nodes := make([]float64, plan.Steps)
	for k := range nodes {
		nodes[k] = plan.Until * float64(k+1) / float64(plan.Steps)
	}
	return march(c.Psi, c.Z0, nodes, certify)
}

// march makes steps that end at some times, and prints each.
func march(psi *dissipation.Coulomb, z, nodes []float64, certify bool) error {
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
	all := processor.Time()
	defer func() { fmt.Printf("steps: processors %.3f s\n", (processor.Time() - all).Seconds()) }()
	for k, t := range nodes {
		start, used := time.Now(), processor.Time()
		if err := step(t); err != nil {
			return err
		}
		seconds, cpu := time.Since(start).Seconds(), (processor.Time() - used).Seconds()
		n, f := 0.0, 0.0
		for i := range psi.System.N() {
			if psi.System.Constrained(i) {
				n += gradient()[3*i+2]
				f += gradient()[3*i]
			}
		}
		s := stats()
		fmt.Printf("step %d: %.3f s (processors %.3f s)  N=%.6f T=%.6f  solves %d, Newton steps on the contacts %d, dense factors %d, residual %.2g, fell back %t\n",
			k+1, seconds, cpu, n, f, s.Solves, s.Inner, s.Factors, s.Residual, s.FellBack)
	}
	return nil
}

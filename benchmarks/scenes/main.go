// Command scenes times the cases that scripts/peers/rigid_scenes.mjs runs with
// MuJoCo, and prints what that prints: milliseconds a step over the whole run,
// contacts at the end, how far a body has moved sideways, energy before and after.
//
//	go run ./benchmarks/scenes [-only NAME] [-profile FILE]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	model "github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/models"
)

func main() {
	only, profile := flag.String("only", "", "part of the name of a scene"), flag.String("profile", "", "file for a profile of the processor time")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	for _, x := range []struct {
		file  string
		steps int
	}{{"cases/box-stack.json", 2000}, {"cases/pile.json", 800}, {"cases/box-pile.json", 300}, {"cases/dominoes.json", 750}, {"cases/chain-50.json", 800}} {
		if !strings.Contains(x.file, *only) {
			continue
		}
		if err := run(x.file, x.steps); err != nil {
			log.Fatal(err)
		}
	}
}

func run(file string, steps int) error {
	c, err := models.Grammar().Load(file)
	if err != nil {
		return err
	}
	built, err := models.Build(context.Background(), c)
	if err != nil {
		return err
	}
	m := built.(*model.Case)
	m.Options.Pointedness = false // a certificate that the peer has not
	s, err := rigid.NewStepper(m.Model, m.Options)
	if err != nil {
		return err
	}
	e := s.Energy()
	before := e.Kinetic + e.Potential
	began, slowest := processorTime(), time.Duration(0)
	iterations := make([]int, 0, steps)
	for range steps {
		t := processorTime()
		if err := s.Step(context.Background(), m.Plan().Step()); err != nil {
			return err
		}
		slowest = max(slowest, processorTime()-t)
		iterations = append(iterations, s.Last().Iterations)
	}
	spent := processorTime() - began
	slices.Sort(iterations)
	_, q, _, _ := s.State()
	drift := 0.0
	for i := range m.World.Bodies() {
		at, _ := m.World.Coordinates(i)
		drift = max(drift, math.Hypot(q[at]-m.Q0[at], q[at+1]-m.Q0[at+1]))
	}
	l := s.Last()
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%s: %d steps, %.4f ms/step, slowest %.3g ms, %d iterations in half of the steps, %d at most, %d contacts, penetration %.2g m", c.Name, steps, ms(spent)/float64(steps), ms(slowest), iterations[steps/2], iterations[steps-1], l.Stick+l.Slip, l.Penetration)
	e = s.Energy()
	fmt.Printf(", sideways %.2g m, energy %.4f to %.4f J\n", drift, before, e.Kinetic+e.Potential)
	return nil
}

// Command scenes times the cases that scripts/peers/rigid_scenes.mjs runs with
// MuJoCo, and prints what that prints: milliseconds a step over the whole run,
// contacts at the end, how far a body has moved sideways, energy before and after.
//
//	go run ./benchmarks/scenes
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	model "github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/models"
)

func main() {
	for _, x := range []struct {
		file  string
		steps int
	}{{"cases/box-stack.json", 2000}, {"cases/pile.json", 800}, {"cases/box-pile.json", 300}, {"cases/dominoes.json", 750}, {"cases/chain-50.json", 800}} {
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
	began, slowest := time.Now(), time.Duration(0)
	for range steps {
		t := time.Now()
		if err := s.Step(context.Background(), m.Plan().Step()); err != nil {
			return err
		}
		slowest = max(slowest, time.Since(t))
	}
	spent := time.Since(began)
	_, q, _, _ := s.State()
	drift := 0.0
	for i := range m.World.Bodies() {
		at, _ := m.World.Coordinates(i)
		drift = max(drift, math.Hypot(q[at]-m.Q0[at], q[at+1]-m.Q0[at+1]))
	}
	l := s.Last()
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%s: %d steps, %.4f ms/step, slowest %.3g ms, %d contacts, penetration %.2g m", c.Name, steps, ms(spent)/float64(steps), ms(slowest), l.Stick+l.Slip, l.Penetration)
	e = s.Energy()
	fmt.Printf(", sideways %.2g m, energy %.4f to %.4f J\n", drift, before, e.Kinetic+e.Potential)
	return nil
}

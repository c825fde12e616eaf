package main

import (
	"context"
	"fmt"
	"os"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
)

func main() {
	for _, f := range os.Args[1:] {
		c, err := casefile.Load(f)
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		if c.Model != "compliant" && c.Model != "theta" {
			continue
		}
		m, err := c.BuildMotion()
		if err != nil {
			fmt.Println(err)
			continue
		}
		v0 := m.V0
		if m.Boundary != nil {
			r, err := dynamics.SolveBoundary(context.Background(), m.World, &dynamics.State{Q: m.Q0, V: m.V0}, &m.Boundary.Boundary, m.Boundary.Options)
			if err != nil {
				fmt.Println(err)
				continue
			}
			v0 = r.V0
		}
		s, err := dynamics.NewStepper(m.World, m.Q0, v0, m.Options)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for range m.Steps {
			if err := s.Step(context.Background(), m.H()); err != nil {
				fmt.Println(err)
				break
			}
		}
		cr := s.Creation()
		fmt.Printf("%s %+v\n", f, cr)
		for _, x := range cr.Measures(1e-2, m.Steps, "") {
			fmt.Printf("   %+v\n", x)
		}
	}
}

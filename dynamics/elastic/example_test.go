package elastic_test

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// A bar of length 10 m, stiffness 900 N and density 1 kg/m is thrown with 10 m/s at a
// wall 5 m away: it arrives at 0.5 s, presses with v√(Eρ) = 300 N until its waves of
// 30 m/s have come back, 2L/c = 2/3 s later, and leaves with its momentum of 100 N s reversed.
func ExampleStepper() {
	mesh, err := fem.Box{Corner: []float64{0}, Size: []float64{10}, Cells: []int{200}}.Mesh()
	if err != nil {
		fmt.Println(err)
		return
	}
	contacts, err := fem.Contacts(mesh, mesh.Groups["left"].Nodes(), fem.HalfSpace{Point: []float64{-5}, Normal: []float64{1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &elastic.Model{Mesh: mesh, Material: fem.Elastic{Young: 900, Density: 1}, Contacts: contacts, V0: make([]float64, 201)}
	for i := range m.V0 {
		m.V0[i] = -10
	}
	s, err := elastic.New(context.Background(), m, elastic.Options{Step: 1e-3})
	if err != nil {
		fmt.Println(err)
		return
	}
	pressing, sum := 0, 0.0
	for range 1500 {
		if err := s.Step(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
		if r := s.State().R[0]; r > 0 {
			pressing++
			sum += r
		}
	}
	fmt.Printf("presses for %.2f s, its impulse within 1 %% of 200 N s: %v\n", 1e-3*float64(pressing), math.Abs(1e-3*sum-200) < 2)
	// Output: presses for 0.67 s, its impulse within 1 % of 200 N s: true
}

package rigid_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// A box that slides with 1 m/s on a floor of μ = 0.2 comes to rest after
// v²/(2μg) = 0.255 m.
func ExampleStepper() {
	world, err := bodies.NewWorld(3, [3]float64{0, 0, -9.81})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := world.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}); err != nil {
		fmt.Println(err)
		return
	}
	box, err := world.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{0.4, 0.4, 0.1}}, Mass: 1,
		Position: [3]float64{0, 0, 0.05}, Velocity: [3]float64{1, 0, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := multibody.NewModel(world, multibody.Setup{Material: multibody.Material{Mu: 0.2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := rigid.NewStepper(model, rigid.Options{Alpha: 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 400 {
		if err := s.Step(context.Background(), 2e-3); err != nil {
			fmt.Println(err)
			return
		}
	}
	_, q, _, _ := s.State()
	at, _ := world.Coordinates(box)
	fmt.Printf("slides %.3f m\n", q[at])
	// Output: slides 0.255 m
}

// Command rigid swings a double pendulum of two bars over a floor: joints, contact and
// friction, with the drift of the joints at the end.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func main() {
	world, err := bodies.NewWorld(3, [3]float64{0, 0, -9.81})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := world.AddHalfSpace([3]float64{0, 0, -1.5}, [3]float64{0, 0, 1}); err != nil {
		log.Fatal(err)
	}
	var bars []int
	for k := range 2 {
		bar, err := world.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{1, 0.1, 0.1}}, Mass: 1,
			Position: [3]float64{0.5 + float64(k), 0, 0}})
		if err != nil {
			log.Fatal(err)
		}
		bars = append(bars, bar)
	}
	model, err := multibody.NewModel(world, multibody.Setup{
		Joints: []multibody.Joint{
			{Name: "shoulder", Kind: multibody.Revolute, A: bars[0], B: -1, At: [3]float64{0, 0, 0}, Axis: [3]float64{0, 1, 0}},
			{Name: "elbow", Kind: multibody.Revolute, A: bars[1], B: bars[0], At: [3]float64{1, 0, 0}, Axis: [3]float64{0, 1, 0}},
		},
		Material: multibody.Material{Mu: 0.4},
	})
	if err != nil {
		log.Fatal(err)
	}
	stepper, err := rigid.NewStepper(model, rigid.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for range 1000 {
		if err := stepper.Step(context.Background(), 2e-3); err != nil {
			log.Fatal(err)
		}
	}
	t, _, _, _ := stepper.State()
	drift, _ := stepper.Drift()
	depth, _ := stepper.Deepest()
	fmt.Printf("t = %.3f s: joints within 1e-9 m: %v, nothing deeper in the floor than 1e-6 m: %v\n", t, drift < 1e-9, depth < 1e-6)
}

// Output:
// t = 2.000 s: joints within 1e-9 m: true, nothing deeper in the floor than 1e-6 m: true

package bodies_test

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// A ball that is thrown along the floor rolls with five sevenths of its speed.
func ExampleWorld() {
	w, err := bodies.NewWorld(3, [3]float64{0, 0, -9.81})
	if err != nil {
		fmt.Println(err)
		return
	}
	patch, _ := dynamics.NewRigid(contact.Coulomb{Mu: 0.3}, 3)
	floor, _ := w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	ball, _ := w.Add(bodies.Body{Shape: bodies.Sphere{R: 0.1}, Mass: 1, Position: [3]float64{0, 0, 0.1}, Velocity: [3]float64{0.7, 0, 0}})
	if _, err := w.OnObstacle(ball, floor, patch); err != nil {
		fmt.Println(err)
		return
	}
	q, v := w.Start()
	s, err := dynamics.NewStepper(w, q, v, dynamics.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 {
		if err := s.Step(context.Background(), 1e-3); err != nil {
			fmt.Println(err)
			return
		}
	}
	_, i := w.Coordinates(ball)
	fmt.Printf("v = %.6f m/s, ω = %.6f rad/s\n", s.State().V[i], s.State().V[i+4])
	// Output: v = 0.500000 m/s, ω = 5.000000 rad/s
}

package particles_test

import (
	"fmt"
	"log"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/energytest"
)

// A mass of 2 kg lies on the floor and is drawn by a spring of which the other
// end moves with 1 m/s.
func Example() {
	hook, err := particles.PiecewiseLinear([]float64{0, 2}, [][3]float64{{0, 0, 0}, {2, 0, 0}})
	if err != nil {
		log.Fatal(err)
	}
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: hook, Stiffness: particles.Diagonal(2, 2, 5)})
	if err != nil {
		log.Fatal(err)
	}
	weight, err := particles.NewGravity([]float64{2}, [3]float64{0, 0, -10})
	if err != nil {
		log.Fatal(err)
	}
	s, err := particles.NewSystem(particles.Floors(1), tether, weight)
	if err != nil {
		log.Fatal(err)
	}
	z := []float64{0.25, 0, 0}
	grad, rate := make([]float64, 3), make([]float64, 3)
	s.Gradient(grad, rate, 1, z)
	fmt.Println("elastic force", grad, "rate", rate)
	fmt.Println("normal force", s.NormalForce(grad, 0))
	fmt.Println(s.IndexSets(nil, z, grad, particles.IndexTolerance{}))
	// Output:
	// elastic force [-1.5 0 20] rate [-2 0 0]
	// normal force 20
	// [contact]
}

// Well is a user's energy: the double well ¼ h (x₁² − 1)² of particle 0.
type Well struct{ H float64 }

func (w Well) Pattern(p *particles.Pattern) { p.Add(0, 0) }

func (w Well) Value(_ float64, x []float64) (e, rate float64) {
	s := x[0]*x[0] - 1
	return w.H * s * s / 4, 0
}

func (w Well) Gradient(grad, _ []float64, _ float64, x []float64) {
	if grad != nil {
		grad[0] += w.H * x[0] * (x[0]*x[0] - 1)
	}
}

func (w Well) Hessian(h *particles.Hessian, _ float64, x []float64) {
	h.Add(0, 0, w.H*(3*x[0]*x[0]-1))
}

func ExampleEnergy() {
	if err := energytest.Check(Well{H: 2}, 0, []float64{0.5, 0, 0}); err != nil {
		log.Fatal(err)
	}
	s, err := particles.NewSystem(particles.Floors(1), Well{H: 2})
	if err != nil {
		log.Fatal(err)
	}
	e, _ := s.Value(0, []float64{0, 0, 0})
	fmt.Println("barrier", e)
	fmt.Println("curvature there", s.Hessian(0, []float64{0, 0, 0}).Val[0])
	// Output:
	// barrier 0.5
	// curvature there -2
}

package bodies_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

var gravity = [3]float64{0, 0, -9.81}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// spheres are n spheres on a floor, rolling, with lumped patches.
func spheres(n int, pairs bool) *bodies.World {
	w := must(bodies.NewWorld(3, gravity))
	p := must(dynamics.NewLumped(contact.Coulomb{Mu: .3}, []float64{2e4, 1e4, 1e4}, []float64{40, 20, 20}))
	f := must(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	side := int(math.Ceil(math.Sqrt(float64(n))))
	for i := range n {
		b := bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
			Position: [3]float64{.21 * float64(i%side), .21 * float64(i/side), .1},
			Velocity: [3]float64{.3 * math.Sin(float64(3*i)), .3 * math.Cos(float64(5*i)), 0}}
		must(w.OnObstacle(must(w.Add(b)), f, p))
	}
	if pairs {
		if err := w.AllPairs(p); err != nil {
			panic(err)
		}
	}
	return w
}

func BenchmarkSpheres(b *testing.B) {
	for _, pairs := range []bool{false, true} {
		name := "floor"
		if pairs {
			name = "floor and pairs"
		}
		b.Run(name, func(b *testing.B) {
			w := spheres(100, pairs)
			q, v := w.Start()
			s := must(dynamics.NewStepper(w, q, v, dynamics.Options{}))
			for range 500 {
				if err := s.Step(context.Background(), 1e-3); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Step(context.Background(), 1e-3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestWarmStepAllocatesNothing with 36 spheres that roll, stick and collide.
func TestWarmStepAllocatesNothing(t *testing.T) {
	s := start(t, spheres(36, false), dynamics.Options{})
	run(t, s, 1e-3, 50)
	if n := testing.AllocsPerRun(100, func() { run(t, s, 1e-3, 1) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

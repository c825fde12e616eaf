package rigid_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// rows are pyramids of spheres behind each other, which a wind breaks; each is an island, of 22
// contacts at the start.
func rows(t *testing.T, depth []float64) *rigid.Stepper {
	t.Helper()
	w := world(t, 3, [3]float64{2, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	const r = .125 // levers to the last bit
	for _, y := range depth {
		for layer := range 4 {
			for i := range 4 - layer {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1, Position: [3]float64{r * float64(2*i+layer), y, r + math.Sqrt(3)*r*float64(layer)}}))
			}
		}
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
}

// TestTwins: islands that are the same to the last bit are solved once, to the bits and in the
// iterations of one of them alone.
func TestTwins(t *testing.T) {
	one, three := rows(t, []float64{0}), rows(t, []float64{0, 4, -8})
	most := 0
	for k := range 60 {
		for _, s := range []*rigid.Stepper{one, three} {
			if err := s.Step(context.Background(), 5e-3); err != nil {
				t.Fatal(err)
			}
		}
		a, b := one.Last(), three.Last()
		if a.Iterations != b.Iterations {
			t.Fatalf("step %d: %d iterations, alone %d", k, b.Iterations, a.Iterations)
		}
		most = max(most, a.Iterations)
		_, q, v, _ := one.State()
		_, p, u, _ := three.State()
		for c := range 3 {
			for i := range q {
				if want := p[c*len(q)+i]; q[i] != want && i%7 != 1 {
					t.Fatalf("step %d, row %d: coordinate %d is %v, alone %v", k, c, i, want, q[i])
				}
			}
			for i := range v {
				if want := u[c*len(v)+i]; v[i] != want {
					t.Fatalf("step %d, row %d: velocity %d is %v, alone %v", k, c, i, want, v[i])
				}
			}
		}
	}
	if most == 0 {
		t.Error("nothing was to be solved")
	}
}

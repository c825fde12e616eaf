package rigid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// A ladder slides down a wall and a floor, both rough. Its cone is tested after
// every step: the bound of c_FC is above ‖(c_n, β)‖/‖z‖ of any impulses in the
// cone, ‖z‖² = (F_x² + F_y²)/m + M²/J, and at most twice that of a new program,
// though most steps solve none.
func TestConeOfALadder(t *testing.T) {
	const m, l, mu = 3.0, 2.0, 0.2
	const j = m * l * l / 12
	w := world(t, 2, [3]float64{0, -9.81})
	angle := math.Pi / 3
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: l}, Mass: m,
		Position: [3]float64{math.Cos(angle), math.Sin(angle)}, Angle: -angle}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{1}))
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Pointedness: true})
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for k := range 100 {
		run(t, s, 2e-3, 1)
		last := s.Last()
		if last.Pointed != rigid.ConePointed || last.Slip != 2 {
			t.Fatalf("t = %g: %v, %d slip", last.T, last.Pointed, last.Slip)
		}
		bound := last.ConeBound
		for range 200 {
			var z [3]float64
			size := 0.0
			s.Contacts(func(p *rigid.Present) {
				if p.State == rigid.Open {
					return
				}
				c := rng.ExpFloat64()
				b := mu * c * (2*rng.Float64() - 1)
				f := [2]float64{c*p.N[0] + b*p.Frame[1][0], c*p.N[1] + b*p.Frame[1][1]}
				z[0] += f[0]
				z[1] += f[1]
				z[2] += (p.At[0]-last.Q[0])*f[1] - (p.At[1]-last.Q[1])*f[0]
				size += c*c + b*b
			})
			worst = max(worst, math.Sqrt(size/((z[0]*z[0]+z[1]*z[1])/m+z[2]*z[2]/j))/bound)
		}
		if k%25 == 24 {
			if _, fresh := s.Cone(context.Background()); bound > 2.01*fresh {
				t.Errorf("t = %g: bound %g, by a new program %g", last.T, bound, fresh)
			}
		}
	}
	t.Logf("sharpest sample: %.3f of the bound", worst)
	if !(worst <= 1) || worst < 0.1 {
		t.Errorf("impulses of %g of the bound", worst)
	}
	run(t, s, 1e-4, 2) // one end has opened and closes
	if n := testing.AllocsPerRun(20, func() { run(t, s, 1e-4, 1) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

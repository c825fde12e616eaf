package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestReversalOrder: a point on a spring, μ = .3: x = −d + A sin(ωt + φ) while it slides ahead, d =
// μg/ω², and about +d back. With α = ½ it is of second order on its way back, at any place of the
// reversal in its step; without a part that ends there of first: the velocity after the step of the
// reversal is off by 2μg times what is left of it.
func TestReversalOrder(t *testing.T) {
	const omega, mu, g, v0, end = 10., .3, 10., 1.5, .3
	const d = mu * g / omega / omega
	a := math.Hypot(d, v0/omega)
	turn := (math.Pi/2 - math.Atan2(d, v0/omega)) / omega
	if back := a - 2*d; end > turn+math.Pi/omega || back*omega*omega < mu*g {
		t.Fatal("it does not slide back")
	}
	want := d + (a-2*d)*math.Cos(omega*(end-turn))
	off := func(n int) float64 {
		w := world(t, 2, [3]float64{0, -g})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Velocity: [3]float64{v0}}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu},
			Forces: []multibody.Force{&multibody.Spring{A: 0, B: -1, AtB: [3]float64{-5}, Stiffness: omega * omega,
				RestLength: 5}}}, rigid.Options{Alpha: .5})
		run(t, s, end/float64(n), n)
		_, q, _, _ := s.State()
		if n, _ := s.Cuts(); n != 0 {
			t.Errorf("%d parts failed", n)
		}
		return math.Abs(q[0] - want)
	}
	for n := 20; n < 30; n++ { // other places of the reversal
		if e, fine := off(n), off(8*n); math.Abs(math.Log2(e/fine)/3-2) > .1 {
			t.Errorf("%d steps: off by %.3g m, eight times as many %.3g", n, e, fine)
		}
	}
}

// TestSlipEnds: what slides under a constant force and comes to stick, or to roll, is where the
// motion is, to rounding, whatever part of a step is left: a disc and a ball with backspin, across
// the axes in space, and a block on a plank that slides on ice.
func TestSlipEnds(t *testing.T) {
	const r, mu, g, end = .1, .2, 10., 1.5
	for _, dim := range []int{2, 3} {
		for _, speed := range []float64{1, 1.03, 1.06} {
			const spin = 30.
			up, shape, j := dim-1, bodies.Shape(bodies.Disc{R: r}), .5
			b := bodies.Body{Mass: 1, Velocity: [3]float64{speed}, Spin: [3]float64{0, 0, spin}}
			ahead := [3]float64{1}
			if dim == 3 {
				shape, j, ahead = bodies.Sphere{R: r}, .4, [3]float64{.6, .8}
				b.Velocity, b.Spin = [3]float64{.6 * speed, .8 * speed}, [3]float64{.8 * spin, -.6 * spin}
			}
			var gravity, normal [3]float64
			b.Shape, b.Position[up], gravity[up], normal[up] = shape, r, -g, 1
			w := world(t, dim, gravity)
			must[int](t)(w.AddHalfSpace([3]float64{}, normal))
			must[int](t)(w.Add(b))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: .5})
			run(t, s, end/37, 37)
			slide := (speed + spin*r) / (mu * g * (1 + 1/j)) // until it rolls
			last := speed - mu*g*slide
			way := speed*slide - mu*g*slide*slide/2 + last*(end-slide)
			_, q, v, _ := s.State()
			for i, x := range ahead[:dim-1] {
				near(t, "place", q[i], x*way, 1e-12)
				near(t, "velocity", v[i], x*last, 1e-12)
			}
		}
	}
	for _, speed := range []float64{1, 1.03, 1.06} {
		w := world(t, 2, [3]float64{0, -g})
		floor := must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: plate(4, .2), Mass: 2, Position: [3]float64{0, .1}}))
		must[int](t)(w.Add(bodies.Body{Shape: plate(.2, .1), Mass: 1, Position: [3]float64{-1, .25}, Velocity: [3]float64{speed}}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu},
			Pairs: map[[2]int]multibody.Material{{0, -1 - floor}: {}}}, rigid.Options{Alpha: .5})
		run(t, s, end/37, 37)
		slide := speed / (mu * g * 1.5)
		last := mu * g / 2 * slide
		_, q, _, _ := s.State()
		near(t, "plank", q[0], last*(end-slide/2), 1e-10)
		near(t, "block", q[3], -1+speed*slide-mu*g*slide*slide/2+last*(end-slide), 1e-10)
	}
}

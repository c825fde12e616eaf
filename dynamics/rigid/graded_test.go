package rigid_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestGradedDrop: boxes of 1 kg and 1e8 kg in turn, dropped with gaps of a centimetre, land one
// after the other and stand; each of the collisions is one, and none of the light ones rattles. It
// was 1,800 contact problems in one step, by rounding.
func TestGradedDrop(t *testing.T) {
	const n, gap, h = 8, .01, .006
	for _, alpha := range []float64{.5, 1} {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		for i := range n {
			at := [3]float64{0, 0, .1 + gap + float64(i)*(.2+gap)}
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: []float64{1, 1e8}[i%2], Position: at}))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Alpha: alpha})
		hits, depth := 0, 0.0
		for range 30 {
			run(t, s, h, 1)
			x := s.Last()
			d, _ := s.Deepest()
			hits, depth = hits+len(x.Collisions), max(depth, d)
		}
		if hits != n || depth > 1e-10 {
			t.Errorf("alpha = %g: %d collisions, want %d; penetration %g m", alpha, hits, n, depth)
		}
		_, q, v, _ := s.State()
		for i := range n {
			near(t, "height at rest", q[7*i+2], .1+.2*float64(i), 1e-10) // a projection's
		}
		for i, x := range v {
			near(t, fmt.Sprintf("velocity %d", i), x, 0, 1e-12)
		}
	}
}

// TestGradedImpact: two boxes of 1e8 kg and more that fly at each other and a light one between
// them go on together, with the velocity that keeps momentum. Impulses of 1e8 N s are off by 1e-8 N
// s of rounding, which were 1e-8 m/s of the light one.
func TestGradedImpact(t *testing.T) {
	masses, speeds := [3]float64{1e8, 1, 3e8}, [3]float64{1, 0, -2}
	w := world(t, 3, [3]float64{})
	for i, m := range masses {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: m,
			Position: [3]float64{.205 * float64(i)}, Velocity: [3]float64{speeds[i]}}))
	}
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
	run(t, s, .05, 1)
	_, _, v, _ := s.State()
	for i := range v {
		want := 0.0
		if i%6 == 0 {
			want = -5e8 / (4e8 + 1)
		}
		near(t, fmt.Sprintf("velocity %d", i), v[i], want, 1e-13)
	}
}

// TestGradedSlide: 1e8 kg slide on a box of 1 kg that sticks to the floor, with the deceleration μ
// g and aslant to the axes of the friction; the light one, pressed by μ m g from both sides, does
// not move by a rounding of that.
func TestGradedSlide(t *testing.T) {
	const mu, g, h, v0 = .3, 9.81, .002, .5
	w := world(t, 3, [3]float64{0, 0, -g})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{2, 2, .1}}, Mass: 1, Position: [3]float64{0, 0, .05}}))
	way := [2]float64{.6, .8}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .02}}, Mass: 1e8,
		Position: [3]float64{0, 0, .11}, Velocity: [3]float64{way[0] * v0, way[1] * v0}}))
	pairs := map[[2]int]multibody.Material{{0, 1}: {Mu: mu}}
	for _, alpha := range []float64{.5, 1} {
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 1}, Pairs: pairs}, rigid.Options{Alpha: alpha})
		for k := range 50 {
			run(t, s, h, 1)
			_, _, v, _ := s.State()
			for d := range 6 {
				near(t, "velocity of the light box", v[d], 0, 1e-12)
			}
			for d := range 2 {
				near(t, "velocity of the heavy box", v[6+d], way[d]*(v0-mu*g*h*float64(k+1)), 1e-12)
			}
		}
	}
}

// TestGradedRebound: 1e8 kg fall on a ball of 1 kg that lies on the floor, and leave with e times
// their velocity: what the compression takes from the light one it gives back. A ball elsewhere
// falls at the same time, an island of its own.
func TestGradedRebound(t *testing.T) {
	const e, v0, h = .5, 2, .01
	for _, law := range []rigid.Impact{rigid.NewtonImpact, rigid.MoreauImpact, rigid.PoissonImpact} {
		for _, grid := range []rigid.Grid{rigid.CollisionGrid, rigid.GapGrid} {
			w := world(t, 3, [3]float64{})
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
			for _, b := range []struct{ m, x, z, v float64 }{{1, 0, .1, 0}, {1e8, 0, .3 + v0*h/2, -v0}, {3, 5, .1 + v0*h/2, -v0}} {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: b.m,
					Position: [3]float64{b.x, 0, b.z}, Velocity: [3]float64{0, 0, b.v}}))
			}
			s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: e}}, rigid.Options{Impact: law, Grid: grid})
			run(t, s, h, 2)
			_, _, v, _ := s.State()
			for i := range v {
				want := 0.0
				if i == 8 || i == 14 {
					want = e * v0
				}
				near(t, fmt.Sprintf("law %d, grid %d: velocity %d", law, grid, i), v[i], want, 1e-12)
			}
		}
	}
}

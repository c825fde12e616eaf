package rigid_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// bounced is the height of a ball that falls from H at rest with g = 10 and rebounds with e, at the
// time t: infinitely often until √(2H/g)(1+e)/(1−e), when it rests.
func bounced(height, e, t float64) float64 {
	const g = 10
	t0 := math.Sqrt(2 * height / g)
	if t < t0 {
		return height - g*t*t/2
	}
	t -= t0
	for v := e * g * t0; v > 1e-9; v *= e {
		long := 2 * v / g
		if t < long {
			return v*t - g*t*t/2
		}
		t -= long
	}
	return 0
}

// TestAccumulation: the times of the impacts of a ball that bounces accumulate, and it rests from
// there on. No speed is too small to rebound with; what it still rises when it rests in the scheme
// is less than gh²/2.
func TestAccumulation(t *testing.T) {
	const h, height = .02, .3
	for _, e := range []float64{0, .3, .5, .8} {
		for _, alpha := range []float64{.5, .75, 1} {
			w := world(t, 3, [3]float64{0, 0, -10})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 2, Position: [3]float64{0, 0, .1 + height}}))
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5, Restitution: e}},
				rigid.Options{Alpha: alpha, RestitutionSpeed: 1e-100})
			hits := 0
			for k := range 140 {
				run(t, s, h, 1)
				hits += len(s.Last().Collisions)
				_, q, _, _ := s.State()
				if want := bounced(height, e, float64(k+1)*h); alpha == .5 && !(math.Abs(q[2]-.1-want) <= 10*h*h/2) {
					t.Errorf("e = %g, t = %g: height %g, want %g", e, float64(k+1)*h, q[2]-.1, want)
				}
			}
			_, q, _, v := s.State() // v^α
			near(t, fmt.Sprintf("e = %g, alpha %g: height at rest", e, alpha), q[2], .1, 1e-10)
			near(t, fmt.Sprintf("e = %g, alpha %g: speed at rest", e, alpha), v[2], 0, 1e-12)
			if hits > 40 {
				t.Errorf("e = %g, alpha %g: %d collisions", e, alpha, hits)
			}
		}
	}
}

// rattling are columns of boxes whose places are off by millimetres, dropped from 1 mm.
func rattling(t testing.TB, alpha, e float64) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	for i := range 6 {
		off := .02 * math.Sin(float64(7*i+1))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Polygon{Vertices: [][2]float64{{-.1, -.1}, {.1, -.1}, {.1, .1}, {-.1, .1}}}, Mass: 1,
			Position: [3]float64{.25*float64(i%2) + off, .1 + .001 + .202*float64(i/2)}, Angle: off / 10}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .6, Restitution: e}},
		rigid.Options{Alpha: alpha, Impact: rigid.MoreauImpact})
}

// TestRattle: they come to rest flat on each other, m g (1 + 3 + 5) a/2 for each column, and lose
// energy in all steps.
func TestRattle(t *testing.T) {
	for _, e := range []float64{0, .3} {
		s := rattling(t, 1, e)
		hits, most := 0, 0
		for range 70 {
			before := s.Energy()
			run(t, s, .005, 1)
			now := s.Energy()
			if made := now.Kinetic + now.Potential - before.Kinetic - before.Potential; made > 1e-4 { // what Euler's rule gives back in a rise
				t.Errorf("e = %g: %g J are made", e, made)
			}
			hits, most = hits+len(s.Last().Collisions), max(most, len(s.Last().Collisions))
		}
		near(t, "potential energy", s.Energy().Potential, 2*9.81*9*.1, 6*9.81*1e-9)
		near(t, "kinetic energy", s.Energy().Kinetic, 0, 1e-20)
		if e > 0 && most > 16 { // 12 in a step, 21 without what settles
			t.Errorf("e = %g: %d collisions, %d in a step", e, hits, most)
		}
	}
}

// TestRattleResumes: a run that is stopped after a step in which pairs settled goes on to the same
// bits, and remembers them.
func TestRattleResumes(t *testing.T) {
	a := rattling(t, .75, .3)
	for range 40 {
		run(t, a, .005, 1)
		var c, again rigid.Checkpoint
		if a.Save(&c); len(c.Chattering) < 2 {
			continue
		}
		b := rattling(t, .75, .3)
		if err := b.Load(&c); err != nil {
			t.Fatal(err)
		}
		if b.Save(&again); !slices.IsSorted(c.Chattering) || !slices.Equal(c.Chattering, again.Chattering) {
			t.Errorf("%v goes on with %v", c.Chattering, again.Chattering)
		}
		run(t, a, .005, 3)
		run(t, b, .005, 3)
		_, q, v, _ := a.State()
		_, p, u, _ := b.State()
		if !slices.Equal(q, p) || !slices.Equal(v, u) {
			t.Error("it goes on to other bits")
		}
		return
	}
	t.Error("nothing settles")
}

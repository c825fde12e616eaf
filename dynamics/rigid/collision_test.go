package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// The paper's convention: the state of the end of the step in which a collision
// is found is (q⁻, v⁺), and the clock goes on by h. Where forces do not depend
// on time, the sequence is that of the grid with t* in it: here the second run,
// whose step is cut just behind t*. With α = ½ a fall is exact, and both find
// the t* of reference/dynamics.md to its ten digits, at 5 m/s and 40 rad/s².
func TestFixedGrid(t *testing.T) {
	const h, hit, before, tol = 0.01, 0.2855686246, 28, 1e-8
	fixed := disc(t, rigid.Options{Alpha: 0.5, Grid: rigid.FixedGrid})
	plain := disc(t, rigid.Options{Alpha: 0.5})
	for k := 1; k <= 100; k++ {
		run(t, fixed, h, 1)
		if k == before+1 {
			run(t, plain, hit-before*h+1e-10, 1)
		} else {
			run(t, plain, h, 1)
		}
		time, q, v, va := fixed.State()
		_, q1, v1, _ := plain.State()
		near(t, "time", time, float64(k)*h, 1e-12)
		for i := range q {
			near(t, "q", q[i], q1[i], tol)
			near(t, "v", v[i], v1[i], tol)
		}
		if k == before+1 {
			if n := len(fixed.Last().Collisions); n != 1 {
				t.Fatalf("%d collisions in step %d", n, k)
			}
			near(t, "gap at the collision", q[1], 0.1, 1e-10)
			for i := range v {
				near(t, "v^{h,α} of (4.9)", va[i], v[i], 0)
			}
		}
	}
	if q, _, _, _ := fixed.State(); math.Abs(q-1) > 1e-12 {
		t.Errorf("the clock shows %g", q)
	}
}

// Three equal balls in a row, the first strikes the two that touch. Newton's law
// with e = 1 at both contacts at once: 2p₁ − p₂ = 2mv and 2p₂ − p₁ = 0, so that
// v⁺ = (−1, 2, 2)v/3, with the energy of before. With e = 0 all go on with v/3.
func TestCradle(t *testing.T) {
	for e, want := range map[float64][3]float64{1: {-1. / 3, 2. / 3, 2. / 3}, 0: {1. / 3, 1. / 3, 1. / 3}} {
		w := world(t, 3, [3]float64{})
		for i, x := range []float64{-1, 0, .2} {
			b := bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 2, Position: [3]float64{x}}
			if i == 0 {
				b.Velocity[0] = 1
			}
			must[int](t)(w.Add(b))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .3, Restitution: e}}, rigid.Options{Alpha: .5})
		run(t, s, 0.05, 20)
		if n := len(s.Last().Collisions); n != 0 {
			t.Errorf("e = %g: %d collisions at the end", e, n)
		}
		_, _, v, _ := s.State()
		for i, x := range want {
			near(t, "speed", v[6*i], x, 1e-10)
		}
		near(t, "loss", s.Last().Energy.Impact, 1-(want[0]*want[0]+want[1]*want[1]+want[2]*want[2]), 1e-10)
	}
}

// A disc falls into a groove of a right angle and strikes both walls at once.
// Without friction it stops there, with impulses mv/√2 each; with it, too, and
// what it turned with is gone: sticking at both contacts leaves no motion.
func TestGroove(t *testing.T) {
	for _, c := range []struct{ mu, spin float64 }{{0, 0}, {0, 5}, {1, 0}, {1, 5}} {
		w := world(t, 2, [3]float64{})
		h := .5 + .1*math.Sqrt2
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 2, Position: [3]float64{0, h},
			Velocity: [3]float64{0, -1}, Spin: [3]float64{0, 0, c.spin}}))
		for _, x := range []float64{-1, 1} {
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{x, 1}))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: c.mu}}, rigid.Options{})
		run(t, s, 0.3, 1)
		near(t, "nothing yet", float64(len(s.Last().Collisions)), 0, 0)
		run(t, s, 0.3, 1) // meets at 0.5 s
		if n := len(s.Last().Collisions); n != 1 {
			t.Fatalf("%+v: %d collisions, want one of both contacts", c, n)
		}
		hit := s.Last().Collisions[0]
		near(t, "time", hit.T, 0.5, 1e-10)
		_, _, v, _ := s.State()
		near(t, "vx", v[0], 0, 1e-10)
		near(t, "vy", v[1], 0, 1e-10)
		if c.mu == 0 {
			near(t, "impulse", hit.Impulse[0], 2/math.Sqrt2, 1e-10)
			near(t, "spin", v[2], c.spin, 1e-12)
			continue
		}
		near(t, "spin", v[2], 0, 1e-10) // Iω/R = ½mRω = .5 N s of friction fits into 2·mv/√2
	}
}

// A cube lands flat on four corners at once: it stops without turning, and their
// impulses carry m v together.
func TestFlatLanding(t *testing.T) {
	w := world(t, 3, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 3,
		Position: [3]float64{0, 0, 1.1}, Velocity: [3]float64{.1, 0, -2}}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
	run(t, s, 1, 1)
	if n := len(s.Last().Collisions); n != 1 {
		t.Fatalf("%d collisions", n)
	}
	_, _, v, _ := s.State()
	for i, x := range v {
		near(t, "velocity", x, 0, 1e-10*float64(i+1))
	}
	near(t, "loss", s.Last().Energy.Impact+s.Last().Energy.Friction, 3*(4+.01)/2, 1e-9)
}

// A ball on a spring, x = a cos ωt, strikes a wall at x = b: the path within the step finds time
// and speed with the second order of the motion, and e = 1 turns it round, so
// that it is back at the amplitude after twice the time.
func TestCollisionOrder(t *testing.T) {
	const a, b, omega = 1.0, -0.4, 3.0
	hit := math.Acos(b/a) / omega
	speed := omega * math.Sqrt(a*a-b*b)
	var time, fast, back [2]float64
	for k, n := range []int{100, 200} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 2, Position: [3]float64{a}}))
		must[int](t)(w.AddHalfSpace([3]float64{b}, [3]float64{1}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Restitution: 1},
			Forces: []multibody.Force{guess{2 * omega * omega, -2 * omega * omega, 0}}}, rigid.Options{Alpha: .5})
		h := 2 * hit / (float64(n) + 0.5) // the collision within a step
		hits := 0
		for range n/2 + 1 {
			run(t, s, h, 1)
			for _, c := range s.Last().Collisions {
				time[k], fast[k] = c.T/hit-1, c.Speed/speed-1
				hits++
			}
		}
		run(t, s, (2*hit-s.Last().T)/float64(n/2), n/2)
		_, q, _, _ := s.State()
		back[k] = q[0] - a
		if hits != 1 || s.Last().Energy.Impact > 1e-9 {
			t.Fatalf("%d collisions, %g J lost", hits, s.Last().Energy.Impact)
		}
	}
	for what, e := range map[string][2]float64{"time": time, "speed": fast, "place at the end": back} {
		ordered(t, what, e, 2)
	}
}

package rigid_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// watched makes n equal steps of the double pendulum, with a twin.
func watched(t *testing.T, s *rigid.Stepper, d *dynamics.Doubled, until float64, from, to, n int) {
	t.Helper()
	h := until / float64(n)
	for k := from; k < to; k++ {
		if err := d.Step(context.Background(), float64(k)*h, func() error { return s.Step(context.Background(), h) }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDoubled: the run has the bits of one without a twin; what the twin says the pendulum is
// off by is what it is off by, of second order for α = ½ and of first for α = 1; a resumed
// run says the same.
func TestDoubled(t *testing.T) {
	const until, n = .5, 200
	exact := pendulum(t, false, rigid.Options{Alpha: .5})
	_, q0, _, _ := exact.State()
	first := slices.Clone(q0)
	run(t, exact, until/20000, 20000)
	_, want, _, _ := exact.State()
	for _, alpha := range []float64{.5, 1} {
		s := pendulum(t, false, rigid.Options{Alpha: alpha})
		d := dynamics.NewDoubled(s, until, n)
		watched(t, s, d, until, 0, n, n)
		_, q, _, _ := s.State()
		alone := pendulum(t, false, rigid.Options{Alpha: alpha})
		run(t, alone, until/n, n)
		if _, x, _, _ := alone.State(); !slices.Equal(q, x) {
			t.Errorf("α = %g: the run with a twin ends at %v, without at %v", alpha, q, x)
		}
		worst := 0.0 // of the ways, and of the turns
		for body := range 2 {
			off, way := math.Hypot(q[3*body]-want[3*body], q[3*body+1]-want[3*body+1]),
				math.Hypot(want[3*body]-first[3*body], want[3*body+1]-first[3*body+1])
			worst = max(worst, off/way, math.Abs(q[3*body+2]-want[3*body+2])/math.Abs(want[3*body+2]-first[3*body+2]))
		}
		// The twin's is that at the worst time: within a factor of 3.
		m := d.Measures(1e-2)[0]
		if !(m.Value > worst/3 && m.Value < 3*worst) {
			t.Errorf("α = %g: %+v, off by %g m at the end", alpha, m, worst)
		}

		half, rest := pendulum(t, false, rigid.Options{Alpha: alpha}), pendulum(t, false, rigid.Options{Alpha: alpha})
		before := dynamics.NewDoubled(half, until, n)
		watched(t, half, before, until, 0, 77, n)
		var c rigid.Checkpoint
		half.Save(&c)
		state, err := before.Save()
		if err != nil {
			t.Fatal(err)
		}
		if err := rest.Load(&c); err != nil {
			t.Fatal(err)
		}
		after, err := dynamics.ResumeDoubled(rest, until, n, state)
		if err != nil {
			t.Fatal(err)
		}
		watched(t, rest, after, until, 77, n, n)
		if again := after.Measures(1e-2)[0]; again != m {
			t.Errorf("α = %g: resumed %+v, want %+v", alpha, again, m)
		}
	}
}

// TestDirection: a fast top at .6 ms. The scheme of the paper keeps its energy and loses its
// direction, and the secant scheme does not; the twins tell them apart.
func TestDirection(t *testing.T) {
	for _, scheme := range []rigid.Scheme{rigid.Gavrea, rigid.Secant} {
		s, _ := gyroscope(t, 200, rigid.Options{Alpha: .5, Scheme: scheme})
		const until, n = .25, 400
		d := dynamics.NewDoubled(s, until, n)
		watched(t, s, d, until, 0, n, n)
		if m := d.Measures(1e-2)[0]; m.Passed() != (scheme == rigid.Secant) {
			t.Errorf("%v: %+v", scheme, m)
		}
	}
}

// TestRestInTwins: a ball on a spring hits the floor early in a step. What is left of the step is
// that of every twin whose step ends at the same time, and an error of it would be seen by none: a
// twin makes it in four pieces, which are off by a sixteenth.
func TestRestInTwins(t *testing.T) {
	const h = .05
	end := func(n, pieces int) float64 {
		w := world(t, 2, [3]float64{0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{0, .1 + 2e-3},
			Velocity: [3]float64{0, -1}}))
		s := start(t, w, multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: -1, AtB: [3]float64{0, 2},
			Stiffness: 400, RestLength: 1.8}},
			Material: multibody.Material{Restitution: .9}}, rigid.Options{Alpha: .5})
		s.Beside(pieces)
		for k := range n {
			if err := s.Advance(context.Background(), h/float64(n), h*float64(k+1)/float64(n)); err != nil {
				t.Fatal(err)
			}
		}
		_, q, _, _ := s.State()
		return q[1]
	}
	exact := end(4096, 0)
	if plain, twin := math.Abs(end(1, 0)-exact), math.Abs(end(1, 4)-exact); !(twin < plain/8 && twin > plain/32) {
		t.Errorf("a step of %g s with an impact is off by %.3g m, that of a twin by %.3g m, want about a sixteenth", h, plain, twin)
	}
}

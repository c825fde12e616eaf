package dynamics_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// units are those of a scene, and where it is.
type units struct {
	length, mass, time float64
	at                 float64 // of the scene, in sizes of its bodies
}

// scene is an ellipse thrown at a floor, another one beside it that stands and is pushed,
// through springs or rigid ones.
func scene(t *testing.T, u units, rigid bool, o dynamics.Options) *dynamics.Stepper {
	t.Helper()
	l, speed := u.length, u.length/u.time
	x, y := .1*u.at*l, -.07*u.at*l
	w, err := bodies.NewWorld(2, [3]float64{0, -10 * l / (u.time * u.time)})
	if err != nil {
		t.Fatal(err)
	}
	patch, err := dynamics.NewRigid(contact.Coulomb{Mu: 0.3}, 2)
	if !rigid {
		k := u.mass / (u.time * u.time)
		patch, err = dynamics.NewLumped(contact.Coulomb{Mu: 0.3}, []float64{2e4 * k, 1e4 * k}, []float64{100 * k * u.time, 50 * k * u.time})
	}
	if err != nil {
		t.Fatal(err)
	}
	floor, err := w.AddHalfSpace([3]float64{x, y}, [3]float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range []bodies.Body{
		{Position: [3]float64{x, y + .2*l}, Velocity: [3]float64{speed, -.5 * speed}, Angle: .3},
		{Position: [3]float64{x + l, y + .05*l}, Velocity: [3]float64{.2 * speed}},
	} {
		b.Shape, b.Mass = bodies.Ellipse{A: .1 * l, B: .05 * l}, float64(1+i)*u.mass
		id, err := w.Add(b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.OnObstacle(id, floor, patch); err != nil {
			t.Fatal(err)
		}
	}
	q, v := w.Start()
	s, err := dynamics.NewStepper(w, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestInvariance: a scene anywhere, in any units, moves alike, and as much is said of it.
// Positions round with the distance from the origin, in each step anew.
func TestInvariance(t *testing.T) {
	const steps, h = 300, 1e-3
	type answer struct {
		q, v     []float64
		made     [2]float64
		accurate bool
	}
	solve := func(u units, rigid bool, o dynamics.Options) (a answer) {
		s := scene(t, u, rigid, o)
		start := append([]float64(nil), s.State().Q...)
		for range steps {
			if err := s.Step(context.Background(), h*u.time); err != nil {
				t.Fatalf("%+v: %v", u, err)
			}
		}
		for i, x := range s.State().Q {
			length, speed := u.length, u.length/u.time
			if i%3 == 2 {
				length, speed = 1, 1/u.time
			}
			a.q, a.v = append(a.q, (x-start[i])/length), append(a.v, s.State().V[i]/speed)
		}
		list := s.Accurate(.05)
		a.made, a.accurate = [2]float64{list[0].Value, list[1].Value}, list[0].Passed() && list[1].Passed()
		return a
	}
	for name, c := range map[string]struct {
		rigid bool
		o     dynamics.Options
	}{
		"springs": {}, "rigid": {rigid: true}, "θ = ¼": {o: dynamics.Options{ImplicitForce: true, Theta: .25}},
		"velocities": {rigid: true, o: dynamics.Options{VelocityForm: true}},
	} {
		want := solve(units{1, 1, 1, 0}, c.rigid, c.o)
		for _, u := range []units{
			{1, 1, 1, 10}, {1, 1, 1, 1e3}, {1, 1, 1, 1e6}, {1e6, 1, 1, 0}, {1e-6, 1, 1, 0}, {1, 1e6, 1, 0}, {1, 1e-6, 1, 0}, {1, 1, 1e6, 0}, {1, 1, 1e-6, 0}, {1e-6, 1e6, 1e-6, 1e3},
		} {
			got := solve(u, c.rigid, c.o)
			// A position at .1·at lengths rounds by 1e-17·at in each step; the gap over h in
			// which that shows is a speed 1e3 times that; impacts and the ends of slip keep
			// it, turned by their lever arms.
			tol := 1e-10 + 1e-12*u.at
			for i := range want.q {
				if !(math.Abs(got.q[i]-want.q[i]) <= tol) || !(math.Abs(got.v[i]-want.v[i]) <= 100*tol) {
					t.Errorf("%s in %+v: coordinate %d is %.17g, want %.17g, velocity %.17g, want %.17g", name, u, i, got.q[i], want.q[i], got.v[i], want.v[i])
				}
			}
			for i, x := range want.made {
				if !(math.Abs(got.made[i]-x) <= 10*tol) {
					t.Errorf("%s in %+v: energy made %.17g, want %.17g", name, u, got.made[i], x)
				}
			}
			if got.accurate != want.accurate {
				t.Errorf("%s in %+v: accurate %t, want %t: %v", name, u, got.accurate, want.accurate, got.made)
			}
		}
	}
}

// TestAdaptiveInvariance: steps chosen by accuracy are as many, to what rounding decides,
// and lead to the same place.
func TestAdaptiveInvariance(t *testing.T) {
	solve := func(u units) (x float64, accepted int) {
		s := scene(t, u, true, dynamics.Options{})
		start := s.State().Q[0]
		a, err := dynamics.NewAdaptive(context.Background(), s, dynamics.AdaptiveOptions{Until: .3 * u.time, Accuracy: .05})
		for err == nil && !a.Done() {
			err = a.Step(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		return (s.State().Q[0] - start) / u.length, a.Stats().Accepted
	}
	want, accepted := solve(units{1, 1, 1, 0})
	for _, u := range []units{{1, 1, 1, 10}, {1, 1, 1, 1e3}, {1, 1, 1, 1e6}, {1e6, 1, 1, 0}, {1e-6, 1e6, 1e-6, 1e3}} {
		x, n := solve(u)
		// Other steps, both within .05.
		if math.Abs(x-want) > .1*math.Abs(want) || math.Abs(float64(n-accepted)) > .2*float64(accepted) {
			t.Errorf("in %+v: x = %g in %d steps, want %g in %d", u, x, n, want, accepted)
		}
	}
}

// TestImplicitTorque: the turning of a small body is found as exactly as that of a large
// one: its angular momentum, 1e-14 of the number of the other one, has its own scale.
func TestImplicitTorque(t *testing.T) {
	solve := func(l float64) *dynamics.State {
		w, err := bodies.NewWorld(3, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Add(bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{.1 * l, .08 * l, .05 * l}}, Mass: 1, Velocity: [3]float64{l, 0, 0}, Spin: [3]float64{3, 5, 1}}); err != nil {
			t.Fatal(err)
		}
		q, v := w.Start()
		s, err := dynamics.NewStepper(w, q, v, dynamics.Options{ImplicitForce: true, Theta: .5})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if err := s.Step(context.Background(), 1e-2); err != nil {
				t.Fatal(err)
			}
		}
		return s.State()
	}
	want := solve(1)
	for _, l := range []float64{1e-7, 1e7} {
		for i, v := range solve(l).V[3:] {
			if math.Abs(v-want.V[3+i]) > 1e-11 { // a hundred steps to 1e-13
				t.Errorf("length %g: ω_%d = %.17g, want %.17g", l, i, v, want.V[3+i])
			}
		}
	}
}

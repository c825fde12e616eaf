package dynamics_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// onObstacle is a body that meets one obstacle by a patch.
func onObstacle(t *testing.T, dim int, gravity [3]float64, p *dynamics.Patch, o dynamics.Options, b bodies.Body,
	x bodies.Obstacle) *dynamics.Stepper {
	t.Helper()
	w, err := bodies.NewWorld(dim, gravity)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(b); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(x); err != nil {
		t.Fatal(err)
	}
	if _, err := w.OnObstacle(0, 0, p); err != nil {
		t.Fatal(err)
	}
	q, v := w.Start()
	s, err := dynamics.NewStepper(w, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func step(t *testing.T, s *dynamics.Stepper, until float64, n int) {
	t.Helper()
	for range n {
		if err := s.Step(context.Background(), until/float64(n)); err != nil {
			t.Fatal(err)
		}
	}
}

func table(t *testing.T, times, values []float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewTable(times, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rigidPatch is one without springs.
func rigidPatch(t *testing.T, mu float64, dim int) *dynamics.Patch {
	t.Helper()
	p, err := dynamics.NewRigid(contact.Coulomb{Mu: mu}, dim)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPatchOnABelt: v = μgt up to the speed V of the belt, and the works mV² and ½mV² of belt
// and friction; of first order for θ = 0, exact in the velocity.
func TestPatchOnABelt(t *testing.T) {
	const mu, g, belt, mass = 0.4, 10.0, 2.0, 3.0
	for _, o := range []dynamics.Options{{}, {VelocityForm: true}, {ImplicitForce: true, Theta: 0.5}} {
		s := onObstacle(t, 2, [3]float64{0, -g}, rigidPatch(t, mu, 2), o, bodies.Body{Shape: bodies.Point{}, Mass: mass},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
				Motion: signal.Motion{Shift: signal.Vector{table(t, []float64{-1, 10}, []float64{-belt, 10 * belt}),
					signal.Constant(0), signal.Constant(0)}}})
		step(t, s, 0.25, 100)
		if v := s.State().V[0]; math.Abs(v-mu*g*0.25) > 1e-12 {
			t.Errorf("%+v: v = %.15g at t = .25", o, v)
		}
		step(t, s, 0.75, 300)
		e := s.Ledger()
		if v := s.State().V[0]; math.Abs(v-belt) > 1e-12 || math.Abs(e.Loads-mass*belt*belt) > 1e-10 {
			t.Errorf("%+v: v = %.15g, work %.15g", o, v, e.Loads)
		}
		// Friction at the new velocity takes less by ½m(μgh)² a step for θ = 0, and impacts that.
		if heat := e.Friction + e.Impact; math.Abs(heat-0.5*mass*belt*belt) > 1e-10 {
			t.Errorf("%+v: heat %.15g J", o, heat)
		}
	}
}

// TestPatchLeavesTheSphere: cos φ = 2/3 + v0²/(3gr), then v_x = √(gr) cos^{3/2} φ; to first order.
func TestPatchLeavesTheSphere(t *testing.T) {
	const v0, g = 0.5, 10.0
	cos := 2.0/3 + v0*v0/(3*g)
	want := math.Sqrt(g*cos) * cos
	var off [2]float64
	for k := range off {
		s := onObstacle(t, 3, [3]float64{0, 0, -g}, rigidPatch(t, 0, 3), dynamics.Options{},
			bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{0, 0, 1}, Velocity: [3]float64{v0}},
			bodies.Obstacle{Surface: bodies.Ball{R: 1}})
		step(t, s, 1, 500<<(2*k))
		off[k] = math.Abs(s.State().V[0] - want)
	}
	if order := math.Log2(off[0]/off[1]) / 2; !(order > 0.8) || off[1] > 5e-3 {
		t.Errorf("v_x is off by %.3g, order %.2f, want 1", off, order)
	}
}

// TestFrictionOverTime: a block that slows down under μ(t) = .2 + .2 t, v = v0 − g ∫μ; θ = ½ is
// exact for a μ that is linear, θ = 0 takes it at the ends of steps.
func TestFrictionOverTime(t *testing.T) {
	for theta, allowed := range map[float64]float64{0: 10 * 0.2 / 2 / 400 * 1.01, 0.5: 1e-12} {
		p := rigidPatch(t, 1, 2)
		if err := p.ChangeFriction(table(t, []float64{0, 1}, []float64{0.2, 0.4})); err != nil {
			t.Fatal(err)
		}
		s := onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{ImplicitForce: theta > 0, Theta: theta},
			bodies.Body{Shape: bodies.Point{}, Mass: 3, Velocity: [3]float64{4}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
		step(t, s, 1, 400)
		if v := s.State().V[0]; math.Abs(v-1) > allowed {
			t.Errorf("θ = %g: v = %.12g, want 1 ± %.3g", theta, v, allowed)
		}
	}
	if rigidPatch(t, 1, 2).ChangeFriction(nil) == nil {
		t.Error("no coefficient is accepted")
	}
	pyramid, err := dynamics.NewRigid(contact.Pyramid{Mu: 1, Facets: 4}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if pyramid.ChangeFriction(signal.Constant(1)) == nil {
		t.Error("a pyramid takes a coefficient over time")
	}
}

// TestGoesWithTheDisc: what sticks to a disc that turns is where the disc takes it, in large steps.
func TestGoesWithTheDisc(t *testing.T) {
	m := signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: table(t, []float64{-1, 9}, []float64{-1, 9})}
	s := onObstacle(t, 3, [3]float64{0, 0, -10}, rigidPatch(t, 0.5, 3), dynamics.Options{},
		bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{1, 0, 0}, Velocity: [3]float64{0, 1, 0}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, Motion: m})
	step(t, s, 2, 40)
	if q := s.State().Q; math.Abs(q[0]-math.Cos(2)) > 1e-12 || math.Abs(q[1]-math.Sin(2)) > 1e-12 {
		t.Errorf("the body is at %v, the disc takes it to (%g, %g)", q, math.Cos(2), math.Sin(2))
	}
}

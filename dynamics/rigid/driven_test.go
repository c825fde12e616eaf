package rigid_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/signal"
)

// TestBelt: v = μgt until the speed V of the belt, the work mV², half of it heat; for both
// weights and on the gap grid, and for steps that do not meet the time of sticking.
func TestBelt(t *testing.T) {
	const mu, g, v, mass = 0.4, 10.0, 2.0, 3.0
	for _, o := range []rigid.Options{{Alpha: 1}, {Alpha: 0.5}, {Grid: rigid.GapGrid}} {
		s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Mu: mu}, o,
			[]bodies.Body{{Shape: brick, Mass: mass, Position: [3]float64{0, .1}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
				Motion: along(ramp(t, []float64{0, 10}, []float64{0, 10 * v}), nil, nil)})
		const h = 1.0 / 130
		march(t, s, 26*h, 26)
		if _, _, vel, _ := s.State(); math.Abs(vel[0]-mu*g*26*h) > 1e-9 {
			t.Errorf("%+v: v = %.12g at t = %g, want %.12g", o, vel[0], 26*h, mu*g*26*h)
		}
		march(t, s, 104*h, 104)
		_, q, vel, _ := s.State()
		e := s.Energy()
		// A step decides by its beginning whether it sticks: x is off by less than the way of a
		// step.
		if math.Abs(vel[0]-v) > 1e-9 || math.Abs(q[0]-(v*v/(2*mu*g)+v*0.5)) > v*h {
			t.Errorf("%+v: v = %.12g, x = %.9g", o, vel[0], q[0])
		}
		// With α = 1 friction sees the new velocity: it takes less by ½m(Δv)² a step, Normal that.
		if heat := e.Friction + e.Normal; math.Abs(e.Loads-mass*v*v) > 1e-8 || math.Abs(heat-0.5*mass*v*v) > 1e-8 ||
			math.Abs(e.Residual) > 1e-11 {
			t.Errorf("%+v: work %.12g, heat %.12g, residual %.3g", o, e.Loads, heat, e.Residual)
		}
	}
}

// TestMovingWall: Newton's, Moreau's and Poisson's restitution relative to a wall that comes, and
// to one that flees; the balance has the work of the wall, and no collision gains.
func TestMovingWall(t *testing.T) {
	for _, law := range []rigid.Impact{rigid.NewtonImpact, rigid.MoreauImpact, rigid.PoissonImpact, rigid.SequentialImpact} {
		for _, wall := range []float64{1, -0.25} {
			const e, v0, mass = 0.5, -1.0, 2.0
			s := onObstacles(t, 2, [3]float64{}, multibody.Material{Restitution: e}, rigid.Options{Impact: law},
				[]bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: mass, Position: [3]float64{.6, 0}, Velocity: [3]float64{v0}}},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{1, 0}},
					Motion: along(ramp(t, []float64{0, 10}, []float64{0, 10 * wall}), nil, nil)})
			march(t, s, 1, 7)
			_, _, v, _ := s.State()
			want := wall + e*(wall-v0)
			en := s.Energy()
			work, loss := mass*(want-v0)*wall, mass/2*(1-e*e)*(wall-v0)*(wall-v0)
			if math.Abs(v[0]-want) > 1e-12 || math.Abs(en.Loads-work) > 1e-12 || math.Abs(en.Impact-loss) > 1e-12 ||
				math.Abs(en.Residual) > 1e-13 {
				t.Errorf("law %d, wall %g: v = %g, want %g; work %g, want %g; loss %g, want %g; residual %g", law, wall,
					v[0], want, en.Loads, work, en.Impact, loss, en.Residual)
			}
		}
	}
}

// TestFloorStrikes: on the gap grid, by each law, a floor that comes with 1 m/s strikes one of two
// discs, and the other one, before or after it in the list of contacts, a step later.
func TestFloorStrikes(t *testing.T) {
	for _, law := range []rigid.Impact{rigid.NewtonImpact, rigid.SequentialImpact} {
		for struck := range 2 {
			list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{0, .106},
				Velocity: [3]float64{0, .5}}, {Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{1, .106},
				Velocity: [3]float64{0, .5}}}
			list[struck].Position[1], list[struck].Velocity[1] = .105, -1
			s := onObstacles(t, 2, [3]float64{}, multibody.Material{Restitution: 1}, rigid.Options{Impact: law, Grid: rigid.GapGrid}, list,
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
					Motion: along(nil, ramp(t, []float64{0, 10}, []float64{0, 10}), nil)})
			march(t, s, 0.03, 3)
			_, _, v, _ := s.State()
			e := s.Energy() // the floor does 1 m/s times what it pushes
			if math.Abs(v[3*struck+1]-3) > 1e-12 || math.Abs(v[4-3*struck]-1.5) > 1e-12 ||
				math.Abs(e.Loads-5) > 1e-12 || math.Abs(e.Residual) > 1e-12 {
				t.Errorf("law %d, disc %d struck: velocities %v, work %g, residual %g", law, struck, v, e.Loads, e.Residual)
			}
		}
	}
}

// TestSticksToTheLetter: a box that friction holds on a disc that turns, and is shaken up and down,
// is where the disc takes it, in large steps too.
func TestSticksToTheLetter(t *testing.T) {
	lift, err := signal.NewSine(0, 0.01, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	speed := lift.Rate(0)
	m := along(nil, nil, lift)
	m.Axis, m.Angle = [3]float64{0, 0, 1}, ramp(t, []float64{-1, 10}, []float64{-1, 10})
	for _, alpha := range []float64{1, 0.5} {
		s := onObstacles(t, 3, [3]float64{0, 0, -10}, multibody.Material{Mu: 0.5}, rigid.Options{Alpha: alpha},
			[]bodies.Body{{Shape: bodies.Box{Size: [3]float64{.1, .1, .02}}, Mass: 1, Position: [3]float64{1, 0, .01},
				Velocity: [3]float64{0, 1, speed}, Spin: [3]float64{0, 0, 1}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}, Motion: m})
		march(t, s, 2, 40)
		_, q, _, _ := s.State()
		want := [7]float64{math.Cos(2), math.Sin(2), .01 + lift.At(2), math.Cos(1), 0, 0, math.Sin(1)}
		for i, x := range want {
			if math.Abs(q[i]-x) > 1e-9 { // contact problems to 1e-11, 40 steps
				t.Errorf("α = %g: coordinate %d is %.12g, want %.12g", alpha, i, q[i], x)
			}
		}
		if e := s.Energy(); math.Abs(e.Friction) > 1e-9 || math.Abs(e.Residual) > 1e-11 {
			t.Errorf("α = %g: friction takes %g J, residual %g", alpha, e.Friction, e.Residual)
		}
	}
}

// TestLeavesTheSphere: a particle that slides off a sphere from the top with v0 leaves at cos φ =
// 2/3 + v0²/(3gr) with v² = gr cos φ: after that v_x = √(g r) cos^{3/2} φ, with observed order.
func TestLeavesTheSphere(t *testing.T) {
	const v0, g = 0.5, 10.0
	cos := 2.0/3 + v0*v0/(3*g)
	want := math.Sqrt(g*cos) * cos
	var off [3]float64
	for k := range off {
		s := onObstacles(t, 3, [3]float64{0, 0, -g}, multibody.Material{}, rigid.Options{Alpha: 0.5},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{0, 0, 1}, Velocity: [3]float64{v0}}},
			bodies.Obstacle{Surface: bodies.Ball{R: 1}})
		march(t, s, 1, 500<<k)
		_, _, v, _ := s.State()
		off[k] = math.Abs(v[0] - want)
	}
	if order := math.Log2(off[0]/off[2]) / 2; !(order > 0.8) || off[2] > 2e-3 {
		t.Errorf("v_x is off by %.3g: order %.2f, want 1", off, order)
	}
}

// TestHalfPipe: the frictionless ball is a pendulum of the length R − r, the one that rolls has 7/5
// of its mass: v² at the bottom from rest at 60°.
func TestHalfPipe(t *testing.T) {
	const g, l = 9.81, 0.9
	for _, c := range []struct{ mu, period, share float64 }{{0, 0.5105990598164022, 1}, {0.8, 0.6041489550098978, 5.0 / 7}} {
		var off [2]float64
		for k := range off {
			s := onObstacles(t, 3, [3]float64{0, 0, -g}, multibody.Material{Mu: c.mu}, rigid.Options{Alpha: 0.5},
				[]bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{l * math.Sin(math.Pi/3), 0, -l / 2}}},
				bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{0, 1, 0}, R: 1, Inside: true}})
			march(t, s, c.period, 300<<(2*k)) // a quarter of a period
			_, q, v, _ := s.State()
			off[k] = math.Abs(v[0]+math.Sqrt(g*l*c.share)) + math.Abs(q[0])
		}
		if order := math.Log2(off[0]/off[1]) / 2; math.Abs(order-2) > .05 || off[1] > 1e-6 { // 3e-7 m without friction
			t.Errorf("μ = %g: off by %.3g, order %.2f, want 2", c.mu, off, order)
		}
	}
}

// TestWakes: a box rests on a table until the table moves, and sleeps again when it stands.
func TestWakes(t *testing.T) {
	s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Mu: 0.5}, rigid.Options{},
		[]bodies.Body{{Shape: brick, Mass: 1, Position: [3]float64{0, .1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: along(ramp(t, []float64{0.5, 0.7}, []float64{0, 0.1}), nil, nil)})
	solves := func(n int) (sum int) {
		for range n {
			march(t, s, 0.01, 1)
			sum += s.Last().Solves
		}
		return sum
	}
	if n := solves(50); n > 5 {
		t.Errorf("%d contact problems while the table stands", n)
	}
	if n := solves(20); n < 20 {
		t.Errorf("%d contact problems while the table moves", n)
	}
	_, q, _, _ := s.State()
	if q[0] < 0.05 {
		t.Errorf("the box is at %g, the table at .1", q[0])
	}
	solves(40) // friction stops it
	if n := solves(20); n > 0 {
		t.Errorf("%d contact problems after the table has stopped", n)
	}
}

// TestPassesThrough: no obstacle gets through a body unseen, however fast: the step is cut, or
// refused; what is hit leaves with the velocity that restitution says.
func TestPassesThrough(t *testing.T) {
	for _, speed := range []float64{10, 300, 1e6} {
		s := onObstacles(t, 2, [3]float64{}, multibody.Material{Restitution: 0}, rigid.Options{},
			[]bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1}},
			bodies.Obstacle{Surface: bodies.Ball{Center: [3]float64{-1, 0}, R: 0.05},
				Motion: along(ramp(t, []float64{0, 10}, []float64{0, 10 * speed}), nil, nil)})
		err := s.Step(context.Background(), 0.5)
		_, _, v, _ := s.State()
		if err == nil && math.Abs(v[0]-speed) > 1e-9*speed {
			t.Errorf("speed %g: the disc has %g afterwards", speed, v[0])
		}
		if err != nil && !strings.Contains(err.Error(), "step") {
			t.Errorf("speed %g: %v", speed, err)
		}
	}
}

// TestKinks: a plate lifts a body with a jerk; for α = ½ that is no reason to sway, and the time of
// the jerk is a grid point.
func TestKinks(t *testing.T) {
	s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{}, rigid.Options{Alpha: 0.5},
		[]bodies.Body{{Shape: brick, Mass: 1, Position: [3]float64{0, .1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: along(nil, ramp(t, []float64{0.123, 1}, []float64{0, 0.877}), nil)})
	for range 20 {
		march(t, s, 0.05, 1)
		now, q, v, _ := s.State()
		lift, speed := max(0, now-0.123), 1.0
		if now < 0.123 {
			speed = 0
		}
		if math.Abs(v[1]-speed) > 1e-9 || math.Abs(q[1]-.1-lift) > 1e-9 {
			t.Fatalf("t = %g: y = %.12g, v = %.12g, want %g and %g", now, q[1], v[1], .1+lift, speed)
		}
		if now > 0.99 {
			break
		}
	}
	// mV²/2 is lost where the plate takes the body along, and as much its kinetic energy.
	if e := s.Energy(); math.Abs(e.Normal+e.Impact-0.5) > 1e-9 {
		t.Errorf("%g J lost by the jerk, want .5", e.Normal+e.Impact)
	}
}

// TestBeltJumps: a belt that starts with a jerk slides below a body, which friction takes along,
// x = μgτ²/2 until both have one speed: exact for α = ½, as where the belt went all the time.
func TestBeltJumps(t *testing.T) {
	const mu, g, jerk, speed = .3, 10., .123, 1.
	s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Mu: mu}, rigid.Options{Alpha: 0.5},
		[]bodies.Body{{Shape: brick, Mass: 1, Position: [3]float64{0, .1}}},
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: along(ramp(t, []float64{jerk, 1}, []float64{0, speed * (1 - jerk)}), nil, nil)})
	for range 30 {
		march(t, s, 1./32, 1)
		now, q, v, _ := s.State()
		since := min(max(0, now-jerk), speed/(mu*g))
		near(t, fmt.Sprintf("x at %g", now), q[0], mu*g*since*since/2+speed*max(0, now-jerk-since), 1e-12)
		near(t, fmt.Sprintf("v at %g", now), v[0], mu*g*since, 1e-12)
	}
}

// TestResumesOnObstacles: a run that goes on from a checkpoint has the same bits.
func TestResumesOnObstacles(t *testing.T) {
	make := func() *rigid.Stepper {
		m := along(ramp(t, []float64{0, 0.3, 1}, []float64{0, 0.2, -0.3}), nil, nil)
		m.Axis, m.Angle = [3]float64{0, 1, 0}, ramp(t, []float64{0, 1}, []float64{0, 2})
		return onObstacles(t, 3, [3]float64{0, 0, -10}, multibody.Material{Mu: 0.3, Restitution: 0.2}, rigid.Options{Alpha: 0.5},
			[]bodies.Body{{Shape: bodies.Box{Size: [3]float64{.1, .3, .05}}, Mass: 1, Position: [3]float64{0, 0, -.9}},
				{Shape: bodies.Sphere{R: .1}, Mass: 2, Position: [3]float64{.3, 0, -.5}}},
			bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{0, 1, 0}, R: 1, Inside: true}, Motion: m})
	}
	a, b := make(), make()
	march(t, a, 0.37, 37)
	var c rigid.Checkpoint
	a.Save(&c)
	if err := b.Load(&c); err != nil {
		t.Fatal(err)
	}
	march(t, a, 0.5, 50)
	march(t, b, 0.5, 50)
	_, qa, va, _ := a.State()
	_, qb, vb, _ := b.State()
	for i := range qa {
		if qa[i] != qb[i] {
			t.Fatalf("coordinate %d: %v and %v", i, qa[i], qb[i])
		}
	}
	for i := range va {
		if va[i] != vb[i] {
			t.Fatalf("velocity %d: %v and %v", i, va[i], vb[i])
		}
	}
	if a.Energy() != b.Energy() {
		t.Error("the ledgers differ")
	}
}

// TestMuOverTime: v = v0 − g ∫μ dt for μ(t) = .2 + .2 t; α = ½ takes the middle of each step and is
// exact, α = 1 its end. A block that μ no longer holds wakes.
func TestMuOverTime(t *testing.T) {
	over := ramp(t, []float64{0, 1}, []float64{0.2, 0.4})
	for alpha, allowed := range map[float64]float64{1: 10 * 0.2 / 2 / 200 * 1.01, 0.5: 1e-9} {
		s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Over: over}, rigid.Options{Alpha: alpha},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 3, Velocity: [3]float64{4}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
		march(t, s, 1, 200)
		if _, _, v, _ := s.State(); math.Abs(v[0]-1) > allowed {
			t.Errorf("α = %g: v = %.12g, want 1 ± %.3g", alpha, v[0], allowed)
		}
	}
	// On a slope of 1/4 it rests until μ falls below 1/4, at t = 1.25.
	slope := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0.25, 1}}}
	s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Over: ramp(t, []float64{1, 2}, []float64{0.3, 0.1})}, rigid.Options{},
		[]bodies.Body{{Shape: bodies.Point{}, Mass: 3}}, slope)
	march(t, s, 1.24, 124)
	if _, _, v, _ := s.State(); v[0] != 0 {
		t.Errorf("it slides with %g m/s before μ lets it", v[0])
	}
	// Asleep, its contact has the μ of the step, not that of the one in which it came to rest.
	s.Contacts(func(p *rigid.Present) {
		if s.Last().Solves != 0 || math.Abs(p.Mu-(0.3-0.2*0.24)) > 1e-15*124 { // rounding of 124 steps
			t.Errorf("%d solves, μ = %.17g at t = 1.24, want a body at rest with .252", s.Last().Solves, p.Mu)
		}
	})
	march(t, s, 0.26, 26)
	// a = g(sin β − μ cos β), ∫ from 1.25 to 1.5 of g cos β (1/4 − μ) = g cos β · .2 · .25²/2 along
	// the slope.
	cos := 1 / math.Sqrt(1+1.0/16)
	if _, _, v, _ := s.State(); math.Abs(v[0]/cos-10*cos*0.2*0.25*0.25/2) > 10*0.01*0.05 { // a step of h at the largest a
		t.Errorf("v = %g along the slope, want %g", v[0]/cos, 10*cos*0.2*0.25*0.25/2)
	}
}

// TestJerk: a floor that begins to rise under a disc hits it; on the grid of gaps the step closes
// what it finds, and no collision is made.
func TestJerk(t *testing.T) {
	for _, grid := range []rigid.Grid{rigid.CollisionGrid, rigid.GapGrid} {
		s := onObstacles(t, 2, [3]float64{0, -9.81}, multibody.Material{}, rigid.Options{Grid: grid},
			[]bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{0, .1}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
				Motion: along(nil, ramp(t, []float64{0, .1, 1}, []float64{0, 0, 1}), nil)})
		march(t, s, .1, 1) // to the kink
		march(t, s, .01, 1)
		if n := len(s.Last().Collisions); (n > 0) != (grid == rigid.CollisionGrid) {
			t.Errorf("grid %v: %d collisions", grid, n)
		}
		_, q, v, _ := s.State()
		if !(math.Abs(v[1]-1/.9) <= 1e-9) || !(math.Abs(q[1]-.1-.01/.9) <= 1e-9) {
			t.Errorf("grid %v: at %g with %g m/s", grid, q[1], v[1])
		}
	}
}

// TestShortStepsOfWhatSticks: a plate with static and kinetic friction sticks to a belt x = A sin ωt, of
// which the mean velocity holds it, so that its own is off by e ≤ (α − ½)hAω² + h²Aω³/3. In
// steps of h/64 after steps of h, m e 64/h is more than the bound, and released it, to slide at the
// kinetic coefficient. It is held, and stays where it is on the belt but for what friction on the bound
// takes of the sway, e/a of time and a step.
func TestShortStepsOfWhatSticks(t *testing.T) {
	thorough.Seconds(t)
	const mass, amplitude, omega, h, g, mu = 2.0, .1, 20.0, .01, 10.0, 6.0
	belt := must[*signal.Sine](t)(signal.NewSine(0, amplitude, omega/(2*math.Pi), 0))
	plate := bodies.Polygon{Vertices: [][2]float64{{-2, -.01}, {2, -.01}, {2, .01}, {-2, .01}}}
	for _, alpha := range []float64{.5, .55, .7, 1} {
		s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Slip: friction.Jump{Static: mu, Kinetic: 1}},
			rigid.Options{Alpha: alpha},
			[]bodies.Body{{Shape: plate, Mass: mass, Position: [3]float64{0, .01}, Velocity: [3]float64{amplitude * omega}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}, Motion: along(belt, nil, nil)})
		spare := (mu*g - amplitude*omega*omega)
		sway := (alpha-.5)*h*amplitude*omega*omega + h*h*amplitude*omega*omega*omega/3
		for n := range 80 {
			march(t, s, 9*h, 9)
			for range n {
				march(t, s, h/64, 1)
				at, q, _, _ := s.State()
				s.Contacts(func(p *rigid.Present) {
					if p.Force[1] != 0 && p.State != rigid.Stick {
						t.Fatalf("α = %g, t = %g: a corner slides", alpha, at)
					}
				})
				if off := math.Abs(q[0] - belt.At(at)); off > float64(n)*sway*(sway/spare+h/64) {
					t.Fatalf("α = %g, t = %g: %g m from its place", alpha, at, off)
				}
			}
		}
	}
}

// TestLetsGo: a body on a belt that swings is let go where m a is more than friction at rest holds, for all
// α: the lag with which it follows the belt is not a sway that holds it.
func TestLetsGo(t *testing.T) {
	const amplitude, omega, static, g, until, n = .1, 2 * math.Pi, .3, 10., .25, 2000
	belt := must[*signal.Sine](t)(signal.NewSine(0, amplitude, 1, 0))
	want := math.Asin(static*g/(amplitude*omega*omega)) / omega
	for _, alpha := range []float64{.5, .55, .7, .9, 1} {
		s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Slip: friction.Jump{Static: static, Kinetic: .1}},
			rigid.Options{Alpha: alpha},
			[]bodies.Body{{Shape: bodies.Point{}, Mass: 1, Velocity: [3]float64{amplitude * omega}}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}, Motion: along(belt, nil, nil)})
		at := 0.
		for k := 0; k < n && at == 0; k++ {
			if march(t, s, until/n, 1); s.Last().Slip > 0 {
				at, _, _, _ = s.State()
			}
		}
		if math.Abs(at-want) > 2*until/n {
			t.Errorf("α = %g: it slides from %g s, want %g", alpha, at, want)
		}
	}
}

// TestSlidesOnTiltingTable: what slides down, with friction μ, a table that turns with ω, about a place on the
// line that its centre of mass slides on, has N/m = g cos ωt + 2ωẋ and ẍ = ω²x − g sin ωt + μN/m: with k = g/(2ω²)
//
//	x = A e^{λ₊t} + B e^{λ₋t} + k((1−μ²) sin ωt − 2μ cos ωt)/(1+μ²),  λ± = ω(μ ± √(1+μ²)).
//
// It hits nothing and never leaves the table, and friction takes ∫μN|ẋ|dt: all that is lost.
func TestSlidesOnTiltingTable(t *testing.T) {
	const g, omega, mu, far, v0, until, n = 9.81, .4, .1, 1., -.2, .8, 200
	k, w := g/(2*omega*omega)/(1+mu*mu), math.Sqrt(1+mu*mu)
	a, b := k*(1-mu*mu), -2*mu*k
	plus, minus := omega*(mu+w), omega*(mu-w)
	second := (v0 - a*omega - plus*(far-b)) / (minus - plus) // B
	first := far - b - second
	path := func(t float64) (x, v float64) {
		sin, cos := math.Sincos(omega * t)
		p, m := first*math.Exp(plus*t), second*math.Exp(minus*t)
		return p + m + a*sin + b*cos, plus*p + minus*m + omega*(a*cos-b*sin)
	}
	heat := 0.
	for i := range 2 * n { // the middle of each interval
		at := (float64(i) + .5) * until / (2 * n)
		_, v := path(at)
		heat -= mu * (g*math.Cos(omega*at) + 2*omega*v) * v * until / (2 * n)
	}
	for _, c := range []struct {
		body   bodies.Body
		height float64 // of the centre over the table
	}{
		{bodies.Body{Shape: bodies.Point{}}, 0},
		{bodies.Body{Shape: bodies.Disc{R: .02}, Inertia: [3]float64{2: 1e9}}, .02},
		{bodies.Body{Shape: plate(.1, .02)}, .01},
	} {
		for _, alpha := range []float64{.5, .75, 1} {
			c.body.Mass, c.body.Position, c.body.Velocity = 1, [3]float64{far, c.height}, [3]float64{v0, omega * far}
			c.body.Spin = [3]float64{2: omega}
			s := onObstacles(t, 2, [3]float64{0, -g}, multibody.Material{Mu: mu}, rigid.Options{Alpha: alpha}, []bodies.Body{c.body},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}, Motion: signal.Motion{
					Center: [3]float64{1: c.height}, Axis: [3]float64{2: 1}, Angle: ramp(t, []float64{0, 1}, []float64{0, omega})}})
			what := fmt.Sprintf("%T, α = %g: ", c.body.Shape, alpha)
			for range n {
				march(t, s, until/n, 1)
				if x := s.Last(); len(x.Collisions) > 0 || x.Slip == 0 {
					t.Fatalf("%st = %g: %d collisions, %d contacts slide", what, x.T, len(x.Collisions), x.Slip)
				}
			}
			_, q, _, _ := s.State()
			e := s.Energy()
			x, _ := path(until)
			off, made := .5*until/n, .75*until/n // of first order, m and J of about 1
			if alpha == .5 {
				off = .625 * until / n * until / n
			}
			if _, corners := c.body.Shape.(bodies.Polygon); alpha == .5 && !corners {
				made = 1e-12 // rounding
			}
			near(t, what+"x", math.Hypot(q[0], q[1]-c.height), x, off)
			near(t, what+"friction", e.Friction, heat, off)
			near(t, what+"impacts", e.Impacts(), 0, made)
		}
	}
}

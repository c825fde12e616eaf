package dynamics_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/signal"
)

// TestTilts: the corners of a box stick to a table that tilts, and hold it by static friction, up to where
// tan φ = μ_s, in steps of any θ; these are solutions for who plays them again by their forces.
func TestTilts(t *testing.T) {
	const static, kinetic, until = .3, .15, 1.
	angle := swing(t, .5, .2, 0)
	for _, theta := range []float64{0, .3, .5} {
		p := rigidPatch(t, 1, 2)
		if err := p.ChangeWithSlip(friction.Jump{Static: static, Kinetic: kinetic}); err != nil {
			t.Fatal(err)
		}
		rate := angle.Rate(0)
		box := bodies.Body{Mass: 2, Shape: bodies.Polygon{Vertices: [][2]float64{{-.2, -.05}, {.2, -.05}, {.2, .05}, {-.2, .05}}},
			Position: [3]float64{0, .05}, Velocity: [3]float64{-.05 * rate}, Spin: [3]float64{0, 0, rate}}
		on := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: angle}}
		s := onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{Theta: theta}, box, on)
		again := onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{Theta: theta}, box, on)
		const n = 400
		for k := range n {
			step(t, s, until/n, 1)
			now := until * float64(k+1) / n
			if holds := math.Abs(math.Tan(angle.At(now))) < .97*static; holds && s.Last().Slide > 0 {
				t.Fatalf("θ = %g, t = %g: it slides at %.3g rad, by %g m/s", theta, now, angle.At(now), s.State().Slip)
			}
			x := s.State()
			f, err := again.Replay(until/n, x.T, s.Last().Theta, x.Q, x.V, func(key int) []float64 {
				first, last := x.Patch(key)
				return x.Lambda[first:last]
			})
			if err != nil || f.Law > 1e-7 || f.Cone > 1e-8 {
				t.Fatalf("θ = %g, t = %g: %v, law off by %g, cone by %g", theta, now, err, f.Law, f.Cone)
			}
		}
		if s.Last().Slide == 0 {
			t.Errorf("θ = %g: it does not slide at %.3g rad", theta, angle.At(until))
		}
	}
}

// TestTiltsUnevenly: nor does it slide before where it rests aside of the axis, and steps become much shorter than those
// before. There the friction that it needs of what presses it has, in the coordinate x along the table with the box b
// above,
//
//	T/N = (g sin φ − xφ̇² − bφ̈)/(g cos φ + xφ̈ − bφ̇²).
func TestTiltsUnevenly(t *testing.T) {
	const static, kinetic, until, g, at, b = .366, .217, .99, 9.81, .137, .057
	angle, err := signal.NewSine(.222, .222, .388, -math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	omega := 2 * math.Pi * .388
	needs := func(t float64) float64 {
		phi, w, a := angle.At(t), angle.Rate(t), .222*omega*omega*math.Cos(omega*t)
		return (g*math.Sin(phi) - at*w*w - b*a) / (g*math.Cos(phi) + at*a - b*w*w)
	}
	for _, theta := range []float64{.3, .4, .5} {
		p := rigidPatch(t, 1, 2)
		if err := p.ChangeWithSlip(friction.Jump{Static: static, Kinetic: kinetic}); err != nil {
			t.Fatal(err)
		}
		box := bodies.Body{Mass: 3.775, Shape: bodies.Polygon{Vertices: [][2]float64{{-.268, -b}, {.268, -b}, {.268, b},
			{-.268, b}}}, Position: [3]float64{at, b}}
		on := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
			Motion: signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: angle}}
		s := onObstacle(t, 2, [3]float64{0, -g}, p, dynamics.Options{Theta: theta}, box, on)
		slides := 0.
		for k := 0; slides == 0 && s.State().T < until; k++ {
			h := until / 128
			if k%12 >= 4 {
				h /= 8
			}
			if step(t, s, h, 1); s.Last().Slide > 0 {
				slides = s.State().T
			}
		}
		if need := needs(slides); math.Abs(need-static) > .02*static {
			t.Errorf("θ = %g: it slides from %g s, where it needs a friction of %.4g, want %g", theta, slides, need, static)
		}
	}
}

// TestGoesByRest: a point on a plane that tilts by a slope between both coefficients slides up along the fall line, and
// rests where it turns round. With the least velocity beside that line it never is at rest, and slides down again: in the
// limit v = g(sin φ − μ_k cos φ)(t − t₀), from when it turns round, t₀ = v₀/(g(sin φ + μ_k cos φ)), of which a velocity u
// aside takes as much as u/v₀ at most, and a step hg.
func TestGoesByRest(t *testing.T) {
	const static, kinetic, slope, g, start, until = .5, .2, .35, 10., 1., 1.
	for _, theta := range []float64{0, .3, .5} {
		for _, aside := range []float64{0, 1e-5, 1e-3} {
			for _, n := range []int{100, 130, 333} {
				p := rigidPatch(t, 1, 3)
				if err := p.ChangeWithSlip(friction.Jump{Static: static, Kinetic: kinetic}); err != nil {
					t.Fatal(err)
				}
				s := onObstacle(t, 3, [3]float64{g * slope, 0, -g}, p, dynamics.Options{Theta: theta},
					bodies.Body{Mass: 2, Shape: bodies.Point{}, Velocity: [3]float64{-start, aside}},
					bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}})
				step(t, s, until, n)
				want := 0.
				if aside > 0 {
					want = g * (slope - kinetic) * (until - start/(g*(slope+kinetic)))
				}
				if v := s.State().V[0]; math.Abs(v-want) > 2*aside+g*until/float64(n) {
					t.Errorf("θ = %g, %d steps, %g m/s beside the fall line: it goes at %g m/s, want %g", theta, n, aside, v, want)
				}
			}
		}
	}
}

// swing is a sine.
func swing(t *testing.T, amplitude, frequency, phase float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewSine(0, amplitude, frequency, phase)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRestsOn: what comes to stick goes on with the velocity of what it sticks to, at rest, on a belt that
// swings and on one that jumps from one velocity to another, to O(h²); so does what is on stiff springs.
func TestRestsOn(t *testing.T) {
	const until, n = 2., 400
	stiff, err := dynamics.NewLumped(contact.Coulomb{Mu: .7}, []float64{1e8, 1e8}, []float64{2e4, 2e4})
	if err != nil {
		t.Fatal(err)
	}
	slow := rigidPatch(t, 1, 2)
	if err := slow.ChangeWithSlip(friction.Table{Speeds: []float64{0, 1, 2}, Coefficients: []float64{.7, .2, .6}}); err != nil {
		t.Fatal(err)
	}
	for name, belt := range map[string]signal.Scalar{
		"rest":   signal.Constant(0),
		"swings": swing(t, .05, .5, 0),
		"jumps":  table(t, []float64{-1, 1, 9}, []float64{-.2, .2, -1.4}),
	} {
		for j, p := range []*dynamics.Patch{slow, stiff} {
			s := onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{Theta: .5},
				bodies.Body{Mass: 1, Shape: bodies.Point{}, Velocity: [3]float64{.273}},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
					Motion: signal.Motion{Shift: signal.Vector{belt, signal.Constant(0), signal.Constant(0)}}})
			for k := range n {
				step(t, s, until/n, 1)
				now := until * float64(k+1) / n
				if stops := now < .2 || now > .99 && now < 1.1; stops {
					continue
				}
				want := belt.Rate(now)
				if v := s.State().V[0]; math.Abs(v-want) > 1e-3 { // h²v''/6 is 7e-6 m/s
					t.Fatalf("%s, patch %d, t = %g: it goes at %g m/s, want %g", name, j, now, v, want)
				}
			}
		}
	}
}

// TestGoesAlong: a box with the velocity of its belt sticks to it from the start on, with more friction than it would
// slide with, and with none; in a step much shorter than the one before, too.
func TestGoesAlong(t *testing.T) {
	const until, n = 1., 100
	for name, belt := range map[string]signal.Scalar{
		"swings": swing(t, .1, 1, 1), // by up to 3.9 m/s², 3.3 m/s² at first
		"goes":   table(t, []float64{0, 1}, []float64{0, .123}),
	} {
		for _, theta := range []float64{0, .3, .5} {
			p := rigidPatch(t, 1, 2)
			if err := p.ChangeWithSlip(friction.Jump{Static: .45, Kinetic: .1}); err != nil {
				t.Fatal(err)
			}
			s := onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{Theta: theta},
				bodies.Body{Mass: 2, Shape: bodies.Polygon{Vertices: [][2]float64{{-.2, -.05}, {.2, -.05}, {.2, .05},
					{-.2, .05}}}, Position: [3]float64{3, .05}, Velocity: [3]float64{belt.Rate(0)}},
				bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
					Motion: signal.Motion{Shift: signal.Vector{belt, signal.Constant(0), signal.Constant(0)}}})
			for range n {
				for _, h := range []float64{until / n, 1e-3 * until / n} {
					step(t, s, h, 1)
					if s.Last().Slide > 0 {
						t.Fatalf("%s, θ = %g, t = %g: it slides, by %g m/s", name, theta, s.State().T, s.State().Slip)
					}
				}
			}
		}
	}
}

// TestLetsGo: a box on a belt that swings is let go where m a is more than friction at rest holds, by all θ: the
// lag with which it follows the belt is not a sway that holds it.
func TestLetsGo(t *testing.T) {
	const amplitude, omega, static, g, until, n = .1, 2 * math.Pi, .3, 10., .25, 2000
	for _, theta := range []float64{0, .1, .3, .5} {
		p := rigidPatch(t, 1, 2)
		if err := p.ChangeWithSlip(friction.Jump{Static: static, Kinetic: .1}); err != nil {
			t.Fatal(err)
		}
		s := onObstacle(t, 2, [3]float64{0, -g}, p, dynamics.Options{Theta: theta},
			bodies.Body{Mass: 1, Shape: bodies.Point{}, Velocity: [3]float64{amplitude * omega}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
				Motion: signal.Motion{Shift: signal.Vector{swing(t, amplitude, 1, 0), signal.Constant(0), signal.Constant(0)}}})
		at := 0.
		for k := 0; k < n && at == 0; k++ {
			if step(t, s, until/n, 1); s.Last().Slide > 0 {
				at = s.State().T
			}
		}
		if want := math.Asin(static*g/(amplitude*omega*omega)) / omega; math.Abs(at-want) > 2*until/n {
			t.Errorf("θ = %g: it slides from %g s, want %g", theta, at, want)
		}
	}
}

// TestLeftBehind: a belt whose velocity jumps leaves what sticks to it behind, and takes it along by the friction of
// what slides, x = vt + μ_k g (t − t₀)²/2, for all θ: a jump is no sway that friction at rest holds. The place is off by
// what a step of the jump is, hΔv, at most.
func TestLeftBehind(t *testing.T) {
	const slow, fast, jump, until, n, kinetic, g = .1, .5, .3, .6, 120, .1, 10.
	for _, theta := range []float64{0, .3, .5} {
		p := rigidPatch(t, 1, 2)
		if err := p.ChangeWithSlip(friction.Jump{Static: .6, Kinetic: kinetic}); err != nil {
			t.Fatal(err)
		}
		belt := table(t, []float64{0, jump, 1}, []float64{0, slow * jump, slow*jump + fast*(1-jump)})
		s := onObstacle(t, 2, [3]float64{0, -g}, p, dynamics.Options{Theta: theta},
			bodies.Body{Mass: 2, Shape: bodies.Point{}, Velocity: [3]float64{slow}},
			bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
				Motion: signal.Motion{Shift: signal.Vector{belt, signal.Constant(0), signal.Constant(0)}}})
		for range n {
			step(t, s, until/n, 1)
			at, since := s.State().T, max(0, s.State().T-jump)
			if off := s.State().Q[0] - slow*at - kinetic*g*since*since/2; math.Abs(off) > until/n*(fast-slow) {
				t.Fatalf("θ = %g, t = %g: %g m from where friction takes it", theta, at, off)
			}
		}
	}
}

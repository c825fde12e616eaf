package rigid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// onSpring is a point of 1 kg at x with a speed, on a spring of ω² N/m over a belt, g = 10 m/s².
func onSpring(t testing.TB, x, speed, omega, belt float64, law friction.Law) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -10})
	must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}},
		Motion: along(ramp(t, []float64{0, 1000}, []float64{0, 1000 * belt}), nil, nil)}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{x}, Velocity: [3]float64{speed}}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Slip: law},
		Forces: []multibody.Force{&multibody.Spring{A: 0, B: -1, AtB: [3]float64{-50}, Stiffness: omega * omega,
			RestLength: 50}}}, rigid.Options{Alpha: .5})
}

// draws returns numbers of a range, the same ones every time.
func draws() func(from, to float64) float64 {
	r := rand.New(rand.NewPCG(34, 1))
	return func(from, to float64) float64 { return from + (to-from)*r.Float64() }
}

// TestStickSlip: the cycle of a mass on a spring over a belt with μ_s and μ_k: released at x_s it
// slides about x_k for 2(π − atan(Dω/V))/ω, D = x_s − x_k, and then sticks for 2D/V. With α = ½ it is
// of second order over four periods, wherever its events fall.
func TestStickSlip(t *testing.T) {
	between := draws()
	for range 8 {
		omega, kinetic := between(3, 20), between(.1, .4)
		static := kinetic + between(.05, .3)
		xk, d := kinetic*10/omega/omega, (static-kinetic)*10/omega/omega
		belt := between(.3, 2) * d * omega
		slip, stick := 2*(math.Pi-math.Atan(d*omega/belt))/omega, 2*d/belt
		off := func(n int) (most float64) {
			s := onSpring(t, xk-d, belt, omega, belt, friction.Jump{Static: static, Kinetic: kinetic})
			h := 4 * (slip + stick) / float64(n)
			for range n {
				run(t, s, h, 1)
				now, q, _, _ := s.State()
				want := xk - d + belt*math.Mod(now, slip+stick)
				if since := math.Mod(now, slip+stick) - stick; since > 0 {
					want = xk + d*math.Cos(omega*since) + belt/omega*math.Sin(omega*since)
				}
				most = max(most, math.Abs(q[0]-want))
			}
			return most / math.Hypot(d, belt/omega)
		}
		if e, fine := off(160), off(1280); e > .1 || fine > e/12 && fine > 1e-4 {
			t.Fatalf("160 steps: off by %.3g of the amplitude, eight times as many %.3g", e, fine)
		}
	}
}

// TestStribeckBrake: a block that friction brakes has, for δ = 1, E(v) = μ_k exp(v/v_s) + μ_s − μ_k =
// E(v_0) exp(−μ_k g t/v_s), until it stops.
func TestStribeckBrake(t *testing.T) {
	between := draws()
	for range 8 {
		kinetic := between(.1, .4)
		fall, vs, v0 := between(.05, .3), between(.05, 2), between(.5, 2)
		e0 := kinetic*math.Exp(v0/vs) + fall
		stop := vs / (kinetic * 10) * math.Log(e0/(kinetic+fall))
		s := onSpring(t, 0, v0, 0, 0, friction.Stribeck{Static: kinetic + fall, Kinetic: kinetic, Speed: vs, Exponent: 1})
		const n = 400
		for range n {
			run(t, s, 1.2*stop/n, 1)
			now, _, v, _ := s.State()
			want := 0.0
			if now < stop {
				want = vs * math.Log((e0*math.Exp(-kinetic*10*now/vs)-fall)/kinetic)
			}
			if math.Abs(v[0]-want) > 2e-4*v0 {
				t.Fatalf("t = %.6g of %.6g s: v = %.9g, want %.9g", now, stop, v[0], want)
			}
		}
		for _, m := range s.Solved() {
			if !m.Passed() {
				t.Errorf("%+v", m)
			}
		}
	}
}

// TestSeveralSolutions: a block of 1 kg that slides at u after a step of h has come from u + h g μ(u).
// Where h g |dμ/dv| > 1 two more speeds have; the step says so, and is refused if steps are chosen.
func TestSeveralSolutions(t *testing.T) {
	law := friction.Stribeck{Static: .5, Kinetic: .3, Speed: .01, Exponent: 2}
	for _, h := range []float64{1e-3, .1} {
		w := world(t, 2, [3]float64{0, -10})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Velocity: [3]float64{.01 + 10*h*law.Mu(.01)}}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Slip: law}}, rigid.Options{Chosen: true})
		err := s.Advance(context.Background(), h, h)
		if several := h*10*law.Weakening(0, 1) > 1; several != (err != nil) || several != (s.Last().Weakening > 1) {
			t.Errorf("h = %g: %v, share %g", h, err, s.Last().Weakening)
		} else if several && !strings.Contains(err.Error(), "several solutions") {
			t.Error(err)
		}
	}
}

// TestResumesSlipping: a run that goes on from a checkpoint amid slip and stick has the same bits, and
// its steps are played again by their forces.
func TestResumesSlipping(t *testing.T) {
	for _, law := range []friction.Law{friction.Jump{Static: .5, Kinetic: .3},
		friction.Stribeck{Static: .5, Kinetic: .3, Speed: .3, Exponent: 2},
		friction.Table{Speeds: []float64{0, .2}, Coefficients: []float64{.5, .3}},
		friction.Ageing{Reference: .4, Direct: .01, Evolution: .03, Speed: .1, Length: .01, Rest: 1e-4, Start: .1}} {
		make := func() *rigid.Stepper { return onSpring(t, 0, .1, 10, .1, law) }
		if n := replays(t, make(), make(), 1e-2, 100); n < 80 {
			t.Errorf("%T: %d of 100 steps are played again", law, n)
		}
		for _, at := range []int{30, 70} {
			a, b := make(), make()
			run(t, a, 1e-2, at)
			var c rigid.Checkpoint
			a.Save(&c)
			if err := b.Load(&c); err != nil {
				t.Fatal(err)
			}
			run(t, a, 1e-2, 50)
			run(t, b, 1e-2, 50)
			_, qa, va, _ := a.State()
			_, qb, vb, _ := b.State()
			if qa[0] != qb[0] || va[0] != vb[0] {
				t.Errorf("%T, from step %d: %v %v and %v %v", law, at, qa, va, qb, vb)
			}
		}
	}
}

// TestHopfPoint: about steady sliding at V a slider has the characteristic polynomial
//
//	m λ³ + (mV/L + Na/V) λ² + (k − N(b − a)/L) λ + kV/L,
//
// with two roots on the imaginary axis at k_c = N(b − a)/L (1 + mV²/(NaL)) [Rice83]: what is small grows
// below, decays above, and by as much as the roots say.
//
// [Rice83] J. R. Rice, A. L. Ruina, Stability of steady frictional slipping, J. Appl. Mech. 50 (1983).
func TestHopfPoint(t *testing.T) {
	between := draws()
	for _, part := range []float64{.85, 1, 1.2} {
		for range 3 {
			const n, mass = 10.0, 1.0
			a, belt := between(.005, .02), between(.01, .1)
			b, length := a*between(1.3, 2.5), belt*between(.01, .2)
			law := friction.Ageing{Reference: .4, Direct: a, Evolution: b, Speed: belt, Length: length,
				Rest: 1e-3 * belt, Start: length / belt}
			k := part * n * (b - a) / length * (1 + mass*belt*belt/(n*a*length))
			c2, c1, c0 := (mass*belt/length+n*a/belt)/mass, (k-n*(b-a)/length)/mass, k*belt/length/mass
			real := 0.0 // the root λ₁ < 0, by bisection; the others have −(c₂ + λ₁)/2 for their real part
			lo, hi := -2*(c2+math.Sqrt(math.Abs(c1))+math.Cbrt(c0)), 0.0
			for range 200 {
				if real = (lo + hi) / 2; ((real+c2)*real+c1)*real+c0 < 0 {
					lo = real
				} else {
					hi = real
				}
			}
			sigma := -(c2 + real) / 2
			period := 2 * math.Pi / math.Sqrt(-c0/real-sigma*sigma)
			x := .4 * n / k
			s := onSpring(t, x+1e-3*length, 0, math.Sqrt(k), belt, law)
			const steps = 120 // a period
			var most [2]float64
			for j := range 6 * steps {
				run(t, s, period/steps, 1)
				_, q, _, _ := s.State()
				if w := j / steps; w == 1 || w == 5 {
					most[w/5] = max(most[w/5], math.Abs(q[0]-x))
				}
			}
			if got, want := math.Log(most[1]/most[0]), 4*sigma*period; math.Abs(got-want) > .02+.03*math.Abs(want) {
				t.Errorf("k = %g k_c, a = %g, b = %g, V = %g, L = %g: grew by e^%.4g in four periods, want e^%.4g",
					part, a, b, belt, length, got, want)
			}
		}
	}
}

// TestGoesByRest: a point that slides up a plane, which tilts by a slope between both coefficients, rests where it turns
// round, by the law of what slides along a line. With the least velocity beside the fall line it is at rest nowhere, and
// slides down again, by all α: in the limit v = g(slope − μ_k)(t − t₀), t₀ = v₀/(g(slope + μ_k)). A velocity beside takes of
// that as much as itself, and a step hg.
func TestGoesByRest(t *testing.T) {
	const static, kinetic, slope, g, speed, until, n = .5, .2, .35, 10., 1., 1., 200
	for _, alpha := range []float64{.5, .7, 1} {
		for _, aside := range []float64{0, 1e-5, 1e-3} {
			w := world(t, 3, [3]float64{g * slope, 0, -g})
			must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 0, 1}}}))
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 2, Velocity: [3]float64{-speed, aside}}))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Slip: friction.Jump{Static: static,
				Kinetic: kinetic}}}, rigid.Options{Alpha: alpha})
			run(t, s, until/n, n)
			want := 0.
			if aside > 0 {
				want = g * (slope - kinetic) * (until - speed/(g*(slope+kinetic)))
			}
			if _, _, v, _ := s.State(); math.Abs(v[0]-want) > 2*aside+g*until/n {
				t.Errorf("α = %g, %g m/s beside the fall line: it goes at %g m/s, want %g", alpha, aside, v[0], want)
			}
		}
	}
}

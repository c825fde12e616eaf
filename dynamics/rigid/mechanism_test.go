package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// Two boxes that are welded one on the other are one body with the moments of
// both about their common centre, J₁ = J₂: torque-free, its spin along the axis
// stays and the spin across turns in the body with (J₃ − J₁)/J₁ ω₃. The Coriolis
// term at v^l is of first order.
func TestWeldedTop(t *testing.T) {
	const m, side, h, wx, wz = 3.0, 0.4, 0.2, 0.7, 2.0
	j1 := 2 * (m*(side*side+h*h)/12 + m*h*h/4)
	j3 := 2 * m * side * side / 6
	var e [2]float64
	for k, n := range []int{1000, 2000} {
		w := world(t, 3, [3]float64{})
		for _, z := range []float64{-h / 2, h / 2} {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{side, side, h}}, Mass: m, Position: [3]float64{0, 0, z},
				Velocity: [3]float64{0, -wx * z}, Spin: [3]float64{wx, 0, wz}}))
		}
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Fixed, A: 0, B: 1,
			At: [3]float64{}}}}, rigid.Options{Alpha: 0.5, Scheme: rigid.Gavrea})
		run(t, s, 2/float64(n), n)
		_, _, _, v := s.State()
		e[k] = math.Remainder(math.Atan2(v[4], v[3])-2*(j3-j1)/j1*wz, 2*math.Pi)
		near(t, "spin along", v[5], wz, 1e-2)
		near(t, "spin across", math.Hypot(v[3], v[4]), wx, 1e-2)
		near(t, "kinetic energy", s.Last().Energy.Kinetic, 0.5*(j1*wx*wx+j3*wz*wz), 1e-11) // α = ½: 2000 roundings
	}
	ordered(t, "phase", e, 1)
}

// The slider of a slider-crank is at r cos θ + √(l² − r² sin² θ) at all times, to
// the drift of its joints, and the crank turns as energy has it.
func TestSliderCrank(t *testing.T) {
	const r, l = 0.2, 0.5
	for _, alpha := range []float64{0.5, 0.75, 1} {
		s := crank(t, rigid.Options{Alpha: alpha})
		for range 1000 {
			run(t, s, 1e-3, 1)
			_, q, _, _ := s.State()
			sin := r * math.Sin(q[2])
			near(t, "slider", q[6], r*math.Cos(q[2])+math.Sqrt(l*l-sin*sin), 5e-10) // drift 1e-10 of four joints
			near(t, "rod", math.Sin(q[5]), -sin/l, 5e-10)
		}
	}
}

// crank is the slider-crank of cases/slider-crank.json.
func crank(t testing.TB, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: .2}, Mass: 1, Position: [3]float64{.1},
		Velocity: [3]float64{0, 1}, Spin: [3]float64{0, 0, 10}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: .5}, Mass: 1, Position: [3]float64{.45},
		Velocity: [3]float64{0, 1}, Spin: [3]float64{0, 0, -4}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{.7}}))
	return start(t, w, multibody.Setup{Apart: map[[2]int]bool{{0, 2}: true}, Joints: []multibody.Joint{
		{Kind: multibody.Revolute, A: 0, B: -1},
		{Kind: multibody.Revolute, A: 1, B: 0, At: [3]float64{.2}},
		{Kind: multibody.Revolute, A: 1, B: 2, At: [3]float64{.7}},
		{Kind: multibody.Slider, A: 2, B: -1, At: [3]float64{.7}, Axis: [3]float64{1}},
	}}, o)
}

// Every kind of joint between two bodies that tumble: with the projection the
// drift stays below 1e-10; without, a step leaves G(q^l)v^α = 0 by the curvature,
// O(h²), and the drift is of first order.
func TestDrift(t *testing.T) {
	thorough.Seconds(t)
	for _, dim := range []int{2, 3} {
		for _, kind := range multibody.Kinds(dim) {
			for _, alpha := range []float64{0.5, 0.75, 1} {
				name := fmt.Sprintf("%v in %d dimensions, α = %g", kind, dim, alpha)
				s := tumblers(t, dim, kind, rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea})
				worst, corrected := 0.0, 0.0
				for range 200 {
					run(t, s, 0.005, 1)
					worst, corrected = max(worst, s.Last().Drift), max(corrected, s.Last().Correction)
				}
				if !(worst <= 1e-10) || !(corrected > 1e-8) {
					t.Errorf("%s: drift %g after corrections of %g", name, worst, corrected)
				}
				var drift [2]float64
				for k, n := range []int{400, 800} {
					s := tumblers(t, dim, kind, rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea, Unstabilised: true})
					run(t, s, 1/float64(n), n)
					drift[k] = s.Last().Drift
				}
				near(t, name+": order of the drift", math.Log2(drift[0]/drift[1]), 1, 0.01) // next term O(h) of 400 steps
			}
		}
	}
}

// Parallel cranks of one length under a bar, which stays level, are one pendulum,
//
//	(Σ m_i l²/3 + M l²) θ̈ = −g (Σ m_i l/2 + M l) cos θ.
//
// Where they lie along the bar, twice a turn, the pins of the second crank say the same, and
// the bar could leave to either side: the gradients in the middle of the step and at its end may
// be on two sides of that place. From the third crank on the pins are redundant in all places.
// The cranks turn on, energy is kept, and the angle has the error of order 2.
func TestDeadPoints(t *testing.T) {
	const l, bar, g, theta, omega, until = 0.2, 2.0, 9.81, 1.2, 6.0, 1.0
	for cranks := 2; cranks <= 4; cranks++ {
		inertia, weight := bar*l*l, g*bar*l
		for i := range cranks {
			m := 1 + 0.3*float64(i)
			inertia, weight = inertia+m*l*l/3, weight+g*m*l/2
		}
		want, rate := theta, omega // by Runge and Kutta, to 1e-12
		const n = 4000
		for range n {
			const h = until / n
			f := func(a float64) float64 { return -weight / inertia * math.Cos(a) }
			k1, l1 := rate, f(want)
			k2, l2 := rate+h/2*l1, f(want+h/2*k1)
			k3, l3 := rate+h/2*l2, f(want+h/2*k2)
			k4, l4 := rate+h*l3, f(want+h*k3)
			want, rate = want+h/6*(k1+2*k2+2*k3+k4), rate+h/6*(l1+2*l2+2*l3+l4)
		}
		var e [2]float64
		for k, steps := range []int{500, 1000} {
			s := parallelCranks(t, cranks, l, bar, theta, omega, g)
			before := s.Energy()
			run(t, s, until/float64(steps), steps)
			_, q, _, _ := s.State()
			for i := range cranks {
				near(t, "crank beside the first", q[3*i+2], q[2], 1e-9) // drift of the pins, 1e-11 m over .2 m
			}
			near(t, "angle of the bar", q[3*cranks+2], 0, 1e-9)
			after := s.Energy()
			near(t, "energy", after.Kinetic+after.Potential, before.Kinetic+before.Potential, 1e-10) // 1000 roundings of 10 J
			e[k] = q[2] - want
		}
		ordered(t, fmt.Sprintf("%d cranks", cranks), e, 2)
	}
}

func parallelCranks(t testing.TB, cranks int, l, bar, theta, omega, g float64) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -g})
	tip := [3]float64{l * math.Cos(theta), l * math.Sin(theta)}
	v := [3]float64{-omega * tip[1], omega * tip[0]}
	setup := multibody.Setup{Apart: map[[2]int]bool{}}
	for i := range cranks {
		x := 0.25 * float64(i)
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: l}, Mass: 1 + 0.3*float64(i),
			Position: [3]float64{x + tip[0]/2, tip[1] / 2}, Angle: theta,
			Velocity: [3]float64{v[0] / 2, v[1] / 2}, Spin: [3]float64{0, 0, omega}}))
		setup.Joints = append(setup.Joints, multibody.Joint{Kind: multibody.Revolute, A: i, B: -1, At: [3]float64{x}},
			multibody.Joint{Kind: multibody.Revolute, A: i, B: cranks, At: [3]float64{x + tip[0], tip[1]}})
		for j := range i {
			setup.Apart[[2]int{j, i}] = true
		}
	}
	length := 0.25 * float64(cranks-1)
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: length}, Mass: bar,
		Position: [3]float64{tip[0] + length/2, tip[1]}, Velocity: v}))
	return start(t, w, setup, rigid.Options{Alpha: 0.5})
}

// Let go, they swing through the dead points slowly. There the pivots of the redundant pins are
// rounding of numbers a million times as large as what they began with.
func TestDeadPointsSlow(t *testing.T) {
	s := parallelCranks(t, 4, 0.2, 2, 1.2, 0, 9.81)
	before := s.Energy()
	run(t, s, 2e-3, 2700)
	after := s.Energy()
	near(t, "energy", after.Kinetic+after.Potential, before.Kinetic+before.Potential, 1e-10) // 2700 roundings of 9 J
}

// Steps that end next to a dead point leave 1e-11 m to 1e-10 m of the pins apart, which only a move
// of a micrometre or ten would close: 1.4e-4 to 3.5e-4 J were made or taken of 30 J to 1,000 J. Now
// the pins wait until they are past it.
func TestDeadPointAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		cranks, steps     int
		bar, theta, omega float64
	}{
		{3, 3, 2.9876932656939199, -0.041919495933922316, 5.6314571353616341},
		{6, 2, 1.0293524670334333, -0.044848319854004587, 9.0049239291615955},
		{5, 6, 2.8687598230428715, -0.036982263981915661, 2.5567104004828174},
		{6, 2, 3.5618412303799096, -0.048383161769539815, 9.7084863062625502},
	} {
		s := parallelCranks(t, c.cranks, 1, c.bar, c.theta, c.omega, 9.81)
		before := s.Energy()
		waited := 0.0
		for k := range c.steps + 20 {
			run(t, s, 2.5e-3, 1)
			if waited = max(waited, s.Last().Drift); k > c.steps+10 && s.Last().Drift > 1e-11 {
				t.Errorf("%d cranks: the pins are apart by %g m %d steps behind the dead point", c.cranks, s.Last().Drift, k-c.steps)
			}
		}
		after := s.Energy()
		near(t, "energy", after.Kinetic+after.Potential, before.Kinetic+before.Potential,
			1e-5) // the steps leave 2e-10 m, where the pins take 1e4 N: 2e-6 J
		near(t, "energy of projections", after.Projection, 0,
			1e-6) // 1e3 of 1e-11 m, of weights of 60 N to 170 N
		if waited > 1e-9 {
			t.Errorf("%d cranks: the pins wait with %g m", c.cranks, waited)
		}
	}
}

// Without gravity they turn evenly, by φ = 2 atan(hω/2) a step, which is Cayley's transform. From
// −(n + ½)φ the middle of step n + 1 is the dead point itself, where the gradients of the pins are
// dependent to the bit, or to rounding.
func TestDeadPointAmidStep(t *testing.T) {
	const h, omega = 0.01, 6.0
	phi := 2 * math.Atan(h*omega/2)
	for cranks := 2; cranks <= 4; cranks++ {
		for _, n := range []int{3, 20} {
			start := -(float64(n) + 0.5) * phi
			s := parallelCranks(t, cranks, 0.2, 2, start, omega, 0)
			for k := 1; k <= 2*n+6; k++ {
				run(t, s, h, 1)
				_, q, v, _ := s.State()
				near(t, "angle", q[2], start+float64(k)*phi, 1e-11) // drift of the pins is below 1e-11 m
				near(t, "spin", v[2], omega, 1e-9)                  // that over the step
			}
		}
	}
}

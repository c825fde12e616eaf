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

func tumbler(t testing.TB, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	w := world(t, 3, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .2, .3}}, Inertia: [3]float64{1, 2, 3},
		Mass: 1, Spin: [3]float64{.1, 5, .2}}))
	return start(t, w, multibody.Setup{}, o), w
}

// long is the number of steps of the drift tests: 10⁶ with QUASISTATIC_LONG.
func long(short int) int {
	if thorough.Asked() {
		return 1e6
	}
	return short
}

// What the secant scheme keeps for α = ½, over many steps: energy; the angular
// momentum of a free body, all of it, and that of a gyroscope about the vertical.
// Nothing is projected. The scheme of the paper creates 23 J in 250 s of the
// pendulum, and 10 % of the angular momentum of the free body are lost in 20 s.
func TestSecantKeepsEnergyAndMomentum(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(testing.TB, rigid.Options) (*rigid.Stepper, *bodies.World)
		h     float64
		steps int
		keeps func(w *bodies.World, q, v []float64) []float64
	}{
		{"pendulum", func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return chainOf(t, 1, 2, 1, o)
		}, .005, 20000, nil},
		{"pendulum in space", func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return chainOf(t, 1, 3, 1, o)
		}, .005, 5000, nil},
		{"chain of ten", func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return chainOf(t, 10, 2, 1, o)
		}, .005, 1000, nil},
		{"chain of four in space", func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return chainOf(t, 4, 3, 1, o)
		}, .005, 500, nil},
		{"gyroscope", func(t testing.TB, o rigid.Options) (*rigid.Stepper, *bodies.World) { return gyroscope(t, 200, o) }, .001, 2000,
			func(w *bodies.World, q, v []float64) []float64 {
				_, l := momenta(w, q, v)
				return l[2:] // about the vertical
			}},
		{"free body", tumbler, .01, 20000, func(w *bodies.World, q, v []float64) []float64 {
			_, l := momenta(w, q, v)
			return l[:]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, w := c.make(t, rigid.Options{Alpha: 0.5})
			began := s.Energy()
			_, q, v, _ := s.State()
			var kept []float64
			if c.keeps != nil {
				kept = c.keeps(w, q, v)
			}
			worst, moving := 0.0, began.Kinetic
			run(t, s, c.h, 1)
			for range long(c.steps) / 10 {
				run(t, s, c.h, 10)
				e := s.Energy()
				moving = max(moving, e.Kinetic)
				worst = max(worst, math.Abs(e.Kinetic+e.Potential-began.Kinetic-began.Potential))
				if s.Last().Drift > 1e-11 { // what the steps after bring back without a projection
					t.Fatalf("%s: joints apart by %g", c.name, s.Last().Drift)
				}
			}
			if !(worst <= 1e-9*moving) {
				t.Errorf("%s: energy off by %.3g J of %.3g J that move", c.name, worst, moving)
			}
			if p := s.Last().Energy.Projection; p != 0 {
				t.Errorf("%s: projections changed the energy by %g J", c.name, p)
			}
			if c.keeps != nil {
				_, q, v, _ = s.State()
				size := 0.0
				for _, x := range kept {
					size = max(size, math.Abs(x))
				}
				for i, x := range c.keeps(w, q, v) {
					near(t, fmt.Sprintf("%s: momentum %d", c.name, i), x, kept[i], 1e-9*size)
				}
			}
		})
	}
}

// In free flight the secant scheme with α = ½ keeps the angular momentum of tied
// bodies in space to rounding; for α > ½ it loses (α − ½)‖v' − v‖²_M a step, no
// more and no less.
func TestSecantDissipation(t *testing.T) {
	joints := []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: 1, At: [3]float64{.5}},
		{Kind: multibody.Distance, A: 1, B: 2, At: [3]float64{1}, Other: [3]float64{1.8}}}
	for _, dim := range []int{2, 3} {
		for _, alpha := range []float64{0.5, 0.75, 1} {
			name := fmt.Sprintf("%d dimensions, α = %g", dim, alpha)
			s, w := thrown(t, dim, joints, rigid.Options{Alpha: alpha})
			run(t, s, 1e-4, 1) // jerks the joints taut
			_, q, v, _ := s.State()
			p0, l0 := momenta(w, q, v)
			for range 400 {
				before, e := append([]float64(nil), v...), s.Energy().Kinetic
				run(t, s, 2e-3, 1)
				_, q, v, _ = s.State()
				loss := 0.0
				for i := range v {
					d := v[i] - before[i]
					mass, j := w.Inertia(i * 3 / len(v))
					m := mass
					if k := i % (len(v) / 3); k >= dim {
						m = j[2]
						if dim == 3 {
							m = j[k-3]
						}
					}
					loss += (alpha - 0.5) * m * d * d
				}
				near(t, name+": energy of a step", s.Energy().Kinetic, e-loss, 1e-11) // roundings of 100 J
			}
			p, l := momenta(w, q, v)
			for i := range 3 {
				near(t, name+": momentum", p[i], p0[i], 1e-11) // 400 roundings of 10 N s
				if alpha == 0.5 {
					near(t, name+": angular momentum", l[i], l0[i], 1e-10) // … of 30 N m s, and what the rounds leave
				}
			}
		}
	}
}

// A gyroscope and a free body of three moments: the positions are of second
// order. The axis of the gyroscope (200 rad/s, steps of 1 ms) was off by 1 rad in
// the scheme of the paper.
func TestSecantOrder(t *testing.T) {
	for name, c := range map[string]struct {
		make func(testing.TB, rigid.Options) (*rigid.Stepper, *bodies.World)
		t    float64
		n    int
		off  float64 // of all coordinates, or of the axis, between h and h/2
	}{
		"gyroscope": {func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return gyroscope(t, 200, o)
		}, 1, 1000, 2e-3},
		"free body": {tumbler, 4, 400, 1e-2},
		"chain of three": {func(t testing.TB, o rigid.Options) (*rigid.Stepper,
			*bodies.World) {
			return chainOf(t, 3, 2, 1, o)
		}, .5, 200, 1e-2},
	} {
		var q [3][]float64
		for k := range q {
			s, _ := c.make(t, rigid.Options{Alpha: 0.5})
			n := c.n << k
			run(t, s, c.t/float64(n), n)
			_, x, _, _ := s.State()
			if name == "gyroscope" {
				x = x[:3] // along the axis
			}
			q[k] = append(q[k], x...)
		}
		a, b := 0.0, 0.0
		for i := range q[0] {
			a, b = math.Hypot(a, q[0][i]-q[1][i]), math.Hypot(b, q[1][i]-q[2][i])
		}
		near(t, name+": order", math.Log2(a/b), 2, 0.1) // next term O(h)
		if !(a <= c.off) {
			t.Errorf("%s: off by %g", name, a)
		}
	}
}

// A closed ring of links, with two joints at the ground, has loops: the Schur
// complement of the tree holds them, and the energy stays.
func TestSecantLoops(t *testing.T) {
	w := world(t, 2, [3]float64{0, -9.81})
	const n = 8
	at := func(i int) [3]float64 {
		return [3]float64{math.Cos(2 * math.Pi * float64(i) / n), math.Sin(2 * math.Pi * float64(i) / n)}
	}
	apart := map[[2]int]bool{}
	var joints []multibody.Joint
	for i := range n {
		a, b := at(i), at(i+1)
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: math.Hypot(b[0]-a[0], b[1]-a[1])}, Mass: 1,
			Position: [3]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, Angle: math.Atan2(b[1]-a[1], b[0]-a[0])}))
		joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: i, B: (i + 1) % n, At: b})
		for k := range i {
			apart[[2]int{k, i}] = true
		}
	}
	joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1, At: at(0)})
	s := start(t, w, multibody.Setup{Joints: joints, Apart: apart}, rigid.Options{Alpha: 0.5})
	began := s.Energy()
	run(t, s, .005, 400)
	e := s.Energy()
	near(t, "energy", e.Kinetic+e.Potential, began.Kinetic+began.Potential, 1e-10) // 400 roundings of 100 J
	if d := s.Last().Drift; !(d < 1e-12) {
		t.Errorf("joints apart by %g", d)
	}
}

// A ball with backspin on a floor, α = ½: it slides until t = (v₀ + Rω₀)/(μg(1 +
// mR²/I)) and rolls then with (v₀ − kRω₀)/(1 + k), k = I/mR². The velocity is
// that of rolling in every step after, and does not alternate; the end is of second
// order but for the one step in which the slide ends.
func TestBackspin(t *testing.T) {
	const v0, w0, r, mu, g = 2.0, 30.0, .1, .3, 9.81
	for name, k := range map[string]float64{"full": .4, "hollow": 2. / 3} {
		w := world(t, 3, [3]float64{0, 0, -g})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		// moving along x, backspin about −y
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 2,
			Inertia: [3]float64{2 * k * r * r, 2 * k * r * r, 2 * k * r * r}, Position: [3]float64{0, 0, r},
			Velocity: [3]float64{v0}, Spin: [3]float64{0, -w0, 0}}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: .5})
		const h = 1e-3
		rolls := (v0 + r*w0) / (mu * g * (1 + 1/k))
		for i := range 2000 {
			run(t, s, h, 1)
			if float64(i) < rolls/h+2 {
				continue
			}
			_, _, v, _ := s.State()
			near(t, name+": speed", v[0], (v0-k*r*w0)/(1+k), 2*mu*g*h) // what a step changes
			near(t, name+": slip", v[0]-r*v[4], 0, 1e-9)               // slides: a speed that is not rounding
		}
	}
}

// A body without a shape turns if it has inertia: the gyroscope as one.
func TestBodyWithoutShape(t *testing.T) {
	whole, _ := gyroscope(t, 50, rigid.Options{Alpha: .5})
	_, q0, v0, _ := whole.State()
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Inertia: [3]float64{.0026, .0026, .005},
		Position: [3]float64(q0[:3]), Orientation: [4]float64(q0[3:7]), Spin: [3]float64(v0[3:6])}))
	s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: -1}}}, rigid.Options{Alpha: .5})
	run(t, whole, 1e-3, 500)
	run(t, s, 1e-3, 500)
	_, q, _, _ := s.State()
	_, want, _, _ := whole.State()
	for i := range q {
		near(t, "coordinate", q[i], want[i], 1e-10) // 500 rounds that end elsewhere
	}
}

// A chain of twenty links that hangs nearly at rest, α = ½: it was shaken from 2.5e-6 to .15 J
// within 1.5 s. It swings as small motions do, with no more than the energy of its start: turned by
// 1e-3 rad, ½ 1e-6 Σ m g d = ½ 1e-6·20·9.81·½.
func TestChainNearlyAtRest(t *testing.T) {
	const angle = 1e-3
	s, _ := chainOf(t, 20, 2, angle, rigid.Options{Alpha: .5})
	began, most := s.Energy(), 0.0
	whole := 20 * 9.81 * .5 * (1 - math.Cos(angle))
	for range 300 {
		run(t, s, .005, 1)
		e := s.Energy()
		most = max(most, e.Kinetic)
		near(t, "energy", e.Kinetic+e.Potential, began.Kinetic+began.Potential,
			1e-9*whole+1e-13*math.Abs(began.Potential)) // rounding of the sum of potentials
	}
	if most > whole*(1+1e-9) || most < .5*whole {
		t.Errorf("kinetic energy up to %g J, the start has %g", most, whole)
	}
}

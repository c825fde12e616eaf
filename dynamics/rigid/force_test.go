package rigid_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// A stiff spring, h√(k/m) = 100, that stretches and compresses along x: with
// semidefinite Jacobians the step is stable, explicit it is not. Compressed by
// T, the exact one makes M̃ indefinite across the spring as soon as
// αγh²T/ℓ > m, here for T > 2e4 N of the 1e5 N that come: the error of the
// paper's remark after (4.16), with its remedies.
func TestStiffSpring(t *testing.T) {
	for _, c := range []struct {
		o    rigid.Options
		want string
	}{
		{rigid.Options{Alpha: 0.5, Jacobians: multibody.DefiniteJacobians}, "stable"},
		{rigid.Options{Jacobians: multibody.DefiniteJacobians}, "stable"},
		{rigid.Options{Alpha: 0.5}, "not positive definite: a smaller step or semidefinite"},
		{rigid.Options{Jacobians: multibody.NoJacobians}, "grows"},
	} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{2.001}}))
		c.o.Uncut = true
		s := start(t, w, multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: -1, Stiffness: 1e8, RestLength: 2}}}, c.o)
		got := "stable"
		for range 200 {
			if err := s.Step(context.Background(), 0.01); err != nil {
				got = err.Error()
				break
			}
			// ½kx² at the start is never exceeded; 1e-9 are 200 roundings of it
			if e := s.Last().Energy; e.Kinetic+e.Elastic > 50*(1+1e-9) {
				got = "the energy grows"
				break
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

// A ball on a spring, without constraints: α = γ = ½ with the exact Jacobian is
// of second order. With halved steps the differences fall by 4, or by 2 where
// the force enters explicitly. (A body with three moments would be of first
// order: (4.2) takes F at v^l.)
func TestSpringOrder(t *testing.T) {
	end := func(j multibody.Jacobians, n int) float64 {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .2}, Mass: 1, Position: [3]float64{1}, Velocity: [3]float64{0, 1, 0}}))
		s := start(t, w, multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: -1,
			AtA: [3]float64{.1, .1, .1}, Stiffness: 30, Damping: .2, RestLength: .8}}},
			rigid.Options{Alpha: .5, Jacobians: j})
		run(t, s, 0.5/float64(n), n)
		_, q, _, _ := s.State()
		return q[0]
	}
	order := func(j multibody.Jacobians) float64 {
		a, b, c := end(j, 100), end(j, 200), end(j, 400)
		return math.Log2(math.Abs((a - b) / (b - c)))
	}
	near(t, "order with exact Jacobians", order(multibody.ExactJacobians), 2, 0.1) // of O(h) next terms
	near(t, "order without", order(multibody.NoJacobians), 1, 0.1)
}

// Every Jacobian of a force against central differences along the velocities:
// 1e-7 covers their error, d² and ε/d, of entries of the order of 10.
func TestForceJacobians(t *testing.T) {
	plane := func(w *bodies.World) {
		for i := range 2 {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1,
				Position: [3]float64{float64(i), .3 * float64(i)}, Angle: .4, Velocity: [3]float64{1, 2},
				Spin: [3]float64{0, 0, float64(i)}}))
		}
	}
	space := func(w *bodies.World) {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .2, .3}}, Mass: 1,
			Orientation: [4]float64{.5, .5, -.5, .5}, Velocity: [3]float64{1, 2, -1}, Spin: [3]float64{1, -2, 3}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{.5, .7, .2}, Velocity: [3]float64{0, 1, 1}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{-.5, .4, -.2},
			Orientation: [4]float64{.6, 0, .8, 0}, Spin: [3]float64{2, 1, 0}}))
	}
	a, b := [3]float64{.1, .2}, [3]float64{.05, -.1}
	for name, c := range map[string]struct {
		dim  int
		add  func(*bodies.World)
		f    multibody.Force
		from []int
	}{
		"twist": {2, plane, &multibody.Twist{A: 0, B: 1, Stiffness: 3, Damping: .5, Rest: .1},
			[]int{0, 1, 2, 3, 4, 5}},
		"twist on the ground": {2, plane, &multibody.Twist{A: 1, B: -1, Stiffness: 3, Damping: .5, Rest: .1}, []int{3, 4, 5}},
		"stretched spring": {2, plane,
			&multibody.Spring{A: 0, B: 1, AtA: a, AtB: b, Stiffness: 3, Damping: .5, RestLength: .1}, []int{0, 1, 2, 3, 4, 5}},
		"compressed spring": {2, plane,
			&multibody.Spring{A: 1, B: -1, AtA: a, AtB: b, Stiffness: 3, Damping: .5, RestLength: 4}, []int{3, 4, 5}},
		"spring in space": {3, space,
			&multibody.Spring{A: 0, B: 2, AtA: [3]float64{.1, .2, .3}, AtB: [3]float64{-.1, .1, .2}, Stiffness: 3,
				Damping: .5, RestLength: .1}, []int{0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}},
		"spring between box and point": {3, space,
			&multibody.Spring{A: 0, B: 1, AtA: [3]float64{.1, .2, .3}, Stiffness: 3, Damping: .5, RestLength: 2},
			[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		w := world(t, c.dim, [3]float64{})
		c.add(w)
		m := must[*multibody.Model](t)(multibody.NewModel(w, multibody.Setup{}))
		q, v := w.Start()
		n := len(c.from)
		eval := func(q, v []float64) []float64 {
			x := make([]float64, n)
			c.f.Force(x, 0, &multibody.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
			return x
		}
		kq, kv := make([]float64, n*n), make([]float64, n*n)
		c.f.Jacobian(kq, kv, 0, &multibody.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
		const d = 1e-5
		along := make([]float64, len(v))
		for j, k := range c.from {
			clear(along)
			along[k] = 1
			moved := func(h float64) []float64 {
				x := append([]float64(nil), q...)
				w.Move(x, x, along, h)
				return x
			}
			faster := func(h float64) []float64 {
				x := append([]float64(nil), v...)
				x[k] += h
				return x
			}
			up, down := eval(moved(d), v), eval(moved(-d), v)
			vp, vm := eval(q, faster(d)), eval(q, faster(-d))
			for i := range n {
				near(t, fmt.Sprintf("%s: k_q[%d][%d]", name, i, j), kq[i*n+j], (up[i]-down[i])/(2*d), 1e-7)
				near(t, fmt.Sprintf("%s: k_v[%d][%d]", name, i, j), kv[i*n+j], (vp[i]-vm[i])/(2*d), 1e-7)
			}
		}
	}
}

// guess is a user's force on body 0 of the plane, −k x along e_x, with Jacobians
// of the user's choice.
type guess struct{ k, kq, kv float64 }

func (f guess) Bodies() []int                                             { return []int{0} }
func (f guess) Force(x []float64, _ float64, s *multibody.Snapshot)       { x[0] -= f.k * s.Q[0] }
func (f guess) Jacobian(q, v []float64, _ float64, _ *multibody.Snapshot) { q[0] += f.kq; v[0] += f.kv }
func (f guess) Energy(s *multibody.Snapshot) float64                      { return 0.5 * f.k * s.Q[0] * s.Q[0] }

// Approximations of the Jacobians given by the user enter as in (4.3) and (4.5),
//
//	(m − αh k̃_v − αγh² k̃_q)(v' − v) = −h k x + αh² k̃_q v,
//
// and DefiniteJacobians takes of them what is not positive.
func TestGivenJacobians(t *testing.T) {
	const m, x, v, k = 2.0, 0.3, -0.7, 50.0
	for _, o := range []rigid.Options{{}, {Alpha: 0.5}, {Alpha: 0.5, Gamma: 1}, {Alpha: 0.7},
		{Jacobians: multibody.DefiniteJacobians}, {Alpha: 0.5, Jacobians: multibody.NoJacobians}} {
		for _, j := range []guess{{k, -k, 0}, {k, -k / 2, -3}, {k, -2 * k, 0}, {k, 0, 0}, {k, 5, 1}} {
			const h = 0.1
			w := world(t, 2, [3]float64{})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: m, Position: [3]float64{x}, Velocity: [3]float64{v}}))
			s := start(t, w, multibody.Setup{Forces: []multibody.Force{j}}, o)
			run(t, s, h, 1)
			kq, kv := j.kq, j.kv
			switch o.Jacobians {
			case multibody.DefiniteJacobians:
				kq, kv = min(kq, 0), min(kv, 0)
			case multibody.NoJacobians:
				kq, kv = 0, 0
			}
			a, g := o.Alpha, o.Gamma
			if a == 0 {
				a = 1
			}
			if g == 0 {
				g = a
			}
			want := v + (-h*k*x+a*h*h*kq*v)/(m-a*h*kv-a*g*h*h*kq)
			_, _, got, _ := s.State()
			near(t, fmt.Sprintf("%+v, %+v: v", o, j), got[0], want, 1e-14)
		}
	}
}

// A stiff spring of h√(k/m) = 100 along a line, linear, with its Jacobian: α = γ
// = ½ is the trapezoidal rule, which keeps the energy; α = γ = 1 is the implicit
// Euler scheme, which divides it by 1 + h²k/m a step.
func TestStiffEnergy(t *testing.T) {
	const m, k, h = 1.0, 1e8, 0.01
	for _, alpha := range []float64{0.5, 1} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: m, Position: [3]float64{1e-3}, Velocity: [3]float64{5}}))
		s := start(t, w, multibody.Setup{Forces: []multibody.Force{guess{k, -k, 0}}}, rigid.Options{Alpha: alpha})
		e0 := s.Last().Energy.Kinetic + 0.5*k*1e-6
		want, steps := e0, 1000
		if alpha == 1 {
			steps = 3
		}
		for range steps {
			run(t, s, h, 1)
			if alpha == 1 {
				want /= 1 + h*h*k/m
			}
			near(t, fmt.Sprintf("α = %g: energy", alpha), s.Last().Energy.Kinetic+s.Last().Energy.Elastic, want,
				1e-9*want) // 1000 steps of a matrix of condition 1e4
		}
	}
}

// TestPushedAtPoint: in the ledger of a spinning body that a force pushes at a point, of equal moments and
// of others, the work of the force is once what the scheme has it do: the balance closes to rounding for
// all α. What turns its moment within a step was counted twice.
func TestPushedAtPoint(t *testing.T) {
	for _, inertia := range [][3]float64{{.02, .02, .02}, {.02, .025, .03}} {
		for _, alpha := range []float64{.5, .7, 1} {
			w := world(t, 3, [3]float64{})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: .4, Inertia: inertia, Spin: [3]float64{6}}))
			s := start(t, w, multibody.Setup{Forces: []multibody.Force{&multibody.Push{Body: 0,
				At: [3]float64{.1, .2, .3}, F: signal.Vector{signal.Constant(0), signal.Constant(0),
					signal.Constant(1)}}}}, rigid.Options{Alpha: alpha})
			march(t, s, .6, 60)
			if e := s.Energy(); math.Abs(e.Residual) > 1e-13*e.Kinetic {
				t.Errorf("moments %v, α = %g: the balance is off by %g of %g J", inertia, alpha, e.Residual, e.Kinetic)
			}
		}
	}
}

// TestMotorAtItsLimit: a motor of gain g and limit L holds a rotor against a torque T < L at v − T/g, in the
// mean of steps that are twenty times longer than I/g: by the velocity before a step it would brake with
// all of L a rotor that is a little too fast.
func TestMotorAtItsLimit(t *testing.T) {
	const inertia, gain, limit, torque, want, h = .0064, 20., 6., 3.6, 12.5, .0078
	w := world(t, 2, [3]float64{})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .08}, Mass: 2, Inertia: [3]float64{2: inertia}}))
	joint := multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1}
	s := start(t, w, multibody.Setup{Joints: []multibody.Joint{joint}, Forces: []multibody.Force{
		&multibody.Motor{Coordinate: multibody.NewCoordinate(w, &joint, false), Velocity: signal.Constant(want), Gain: gain, Limit: limit},
		&multibody.Push{Body: 0, Torque: signal.Vector{signal.Constant(0), signal.Constant(0),
			signal.Constant(-torque)}}}}, rigid.Options{Alpha: .5})
	run(t, s, h, 8) // it takes I v/(L − T) = .033 s
	for range 20 {
		run(t, s, h, 1)
		_, _, _, mean := s.State()
		near(t, "mean spin of a step", mean[2], want-torque/gain, 5e-2) // what it takes to change the spin, which α = ½ does to and fro
	}
}

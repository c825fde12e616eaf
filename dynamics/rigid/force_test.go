package rigid_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
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
		{rigid.Options{Alpha: 0.5, Jacobians: rigid.DefiniteJacobians}, "stable"},
		{rigid.Options{Jacobians: rigid.DefiniteJacobians}, "stable"},
		{rigid.Options{Alpha: 0.5}, "not positive definite: a smaller step or semidefinite"},
		{rigid.Options{Jacobians: rigid.NoJacobians}, "grows"},
	} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{2.001}}))
		s := start(t, w, rigid.Setup{Forces: []rigid.Force{&rigid.Spring{A: 0, B: -1, Stiffness: 1e8, RestLength: 2}}}, c.o)
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
	end := func(j rigid.Jacobians, n int) float64 {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .2}, Mass: 1, Position: [3]float64{1}, Velocity: [3]float64{0, 1, 0}}))
		s := start(t, w, rigid.Setup{Forces: []rigid.Force{&rigid.Spring{A: 0, B: -1, AtA: [3]float64{.1, .1, .1}, Stiffness: 30, Damping: .2, RestLength: .8}}},
			rigid.Options{Alpha: .5, Jacobians: j})
		run(t, s, 0.5/float64(n), n)
		_, q, _, _ := s.State()
		return q[0]
	}
	order := func(j rigid.Jacobians) float64 {
		a, b, c := end(j, 100), end(j, 200), end(j, 400)
		return math.Log2(math.Abs((a - b) / (b - c)))
	}
	near(t, "order with exact Jacobians", order(rigid.ExactJacobians), 2, 0.1) // of O(h) next terms
	near(t, "order without", order(rigid.NoJacobians), 1, 0.1)
}

// Every Jacobian of a force against central differences along the velocities:
// 1e-7 covers their error, d² and ε/d, of entries of the order of 10.
func TestForceJacobians(t *testing.T) {
	plane := func(w *bodies.World) {
		for i := range 2 {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{float64(i), .3 * float64(i)}, Angle: .4, Velocity: [3]float64{1, 2}, Spin: [3]float64{0, 0, float64(i)}}))
		}
	}
	space := func(w *bodies.World) {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .2, .3}}, Mass: 1, Orientation: [4]float64{.5, .5, -.5, .5}, Velocity: [3]float64{1, 2, -1}, Spin: [3]float64{1, -2, 3}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{.5, .7, .2}, Velocity: [3]float64{0, 1, 1}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{-.5, .4, -.2}, Orientation: [4]float64{.6, 0, .8, 0}, Spin: [3]float64{2, 1, 0}}))
	}
	a, b := [3]float64{.1, .2}, [3]float64{.05, -.1}
	for name, c := range map[string]struct {
		dim  int
		add  func(*bodies.World)
		f    rigid.Force
		from []int
	}{
		"twist":                        {2, plane, &rigid.Twist{A: 0, B: 1, Stiffness: 3, Damping: .5, Rest: .1}, []int{0, 1, 2, 3, 4, 5}},
		"twist on the ground":          {2, plane, &rigid.Twist{A: 1, B: -1, Stiffness: 3, Damping: .5, Rest: .1}, []int{3, 4, 5}},
		"stretched spring":             {2, plane, &rigid.Spring{A: 0, B: 1, AtA: a, AtB: b, Stiffness: 3, Damping: .5, RestLength: .1}, []int{0, 1, 2, 3, 4, 5}},
		"compressed spring":            {2, plane, &rigid.Spring{A: 1, B: -1, AtA: a, AtB: b, Stiffness: 3, Damping: .5, RestLength: 4}, []int{3, 4, 5}},
		"spring in space":              {3, space, &rigid.Spring{A: 0, B: 2, AtA: [3]float64{.1, .2, .3}, AtB: [3]float64{-.1, .1, .2}, Stiffness: 3, Damping: .5, RestLength: .1}, []int{0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}},
		"spring between box and point": {3, space, &rigid.Spring{A: 0, B: 1, AtA: [3]float64{.1, .2, .3}, Stiffness: 3, Damping: .5, RestLength: 2}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		w := world(t, c.dim, [3]float64{})
		c.add(w)
		m := must[*rigid.Model](t)(rigid.NewModel(w, rigid.Setup{}))
		q, v := w.Start()
		n := len(c.from)
		eval := func(q, v []float64) []float64 {
			x := make([]float64, n)
			c.f.Force(x, 0, &rigid.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
			return x
		}
		kq, kv := make([]float64, n*n), make([]float64, n*n)
		c.f.Jacobian(kq, kv, 0, &rigid.Snapshot{M: m, Poses: w.Poses(nil, q), Q: q, V: v})
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

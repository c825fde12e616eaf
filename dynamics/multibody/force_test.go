package multibody_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// snapshot is five round bodies in a row that move and turn.
func snapshot(t *testing.T, dim int) (*multibody.Model, *multibody.Snapshot) {
	t.Helper()
	var list []bodies.Body
	for i := range 5 {
		b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1 + float64(i), Position: vec{.2 * float64(i), .1}}
		if dim == 3 {
			b.Shape = bodies.Sphere{R: .1}
		}
		list = append(list, b)
	}
	m := modelOf(t, dim, multibody.Setup{}, list)
	nq, nv, _ := m.World.Size()
	s := &multibody.Snapshot{M: m, Q: make([]float64, nq), V: make([]float64, nv)}
	for b := range m.Bodies {
		q, v := m.World.Coordinates(b)
		for d := range dim {
			s.Q[q+d] = list[b].Position[d]
		}
		if dim == 3 {
			s.Q[q+3] = 1
		}
		for k := range m.Bodies[b].N {
			s.V[v+k] = .1*float64(b) + .3*float64(k)
		}
	}
	s.Poses = m.World.Poses(nil, s.Q)
	return m, s
}

// TestPowers: the power of a damper of a turn between two bodies, of which body 0 may be the
// second, and on the ground; a spring of no length pushes with its rest length and what its damper
// adds, in some direction.
func TestPowers(t *testing.T) {
	m, s := snapshot(t, 2)
	for b := range m.Bodies {
		s.V[m.Bodies[b].V+2] = float64(b*b) + 1
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{3, -1, 2 * 100}, {3, 1, 2 * 64}, {3, 0, 2 * 81}, {0, 3, 2 * 81}} {
		if got := (&multibody.Twist{A: c.a, B: c.b, Damping: 2}).Power(s); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("a twist of %d and %d: %g W, want %g", c.a, c.b, got, c.want)
		}
	}
	for dim := 2; dim <= 3; dim++ {
		m, s := snapshot(t, dim)
		clear(s.V)
		x := &multibody.Spring{A: 3, B: -1, AtB: s.Poses[3].Centre, Stiffness: 10, RestLength: .3, Damping: 1}
		f := make([]float64, m.Bodies[3].N)
		x.Force(f, 0, s)
		size := 0.0
		for _, x := range f[:dim] {
			size = math.Hypot(size, x)
		}
		if !(math.Abs(size-10*.3) <= 1e-14) {
			t.Errorf("a spring of no length pushes with %v", f)
		}
	}
}

// TestPairsOfForces: a force between two bodies, whichever of them is the first, pushes both as its
// Jacobian says.
func TestPairsOfForces(t *testing.T) {
	m, s := snapshot(t, 2)
	for _, c := range [][2]int{{3, 0}, {0, 3}, {4, 1}} {
		for _, f := range []multibody.Force{&multibody.Spring{A: c[0], B: c[1], AtA: vec{.05}, AtB: vec{0, .03},
			Stiffness: 10, RestLength: .3, Damping: 1}, &multibody.Twist{A: c[0], B: c[1], Stiffness: 3, Damping: 2}} {
			const n, d = 6, 1e-6
			jacobians := [2][]float64{make([]float64, n*n),
				make([]float64, n*n)} // by places, which are as many in the plane, and by velocities
			f.Jacobian(jacobians[0], jacobians[1], 0, s)
			force := func(k, by int, off float64) []float64 {
				x := &multibody.Snapshot{M: m, Q: append([]float64(nil), s.Q...), V: append([]float64(nil), s.V...)}
				[2][]float64{x.Q, x.V}[by][m.Bodies[c[k/3]].V+k%3] += off
				x.Poses = m.World.Poses(nil, x.Q)
				dst := make([]float64, n)
				f.Force(dst, 0, x)
				return dst
			}
			for by, jacobian := range jacobians {
				for k := range n {
					a, b := force(k, by, d), force(k, by, -d)
					for r := range n {
						if diff := (a[r] - b[r]) / (2 * d); !(math.Abs(jacobian[r*n+k]-diff) <= 1e-7) { // d² and rounding over d
							t.Errorf("%T of %v: by %d of %d, force %d: %g, by differences %g", f, c, k, by, r, jacobian[r*n+k], diff)
						}
					}
				}
			}
		}
	}
}

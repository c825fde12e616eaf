package energetic_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// obstacle returns the frame of a plane through a point.
func obstacle(t testing.TB, point, normal [3]float64) particles.Frame {
	t.Helper()
	h, err := particles.NewHalfSpace(point, normal)
	if err != nil {
		t.Fatal(err)
	}
	return h.Frame()
}

// driven returns a particle at z0 (local) on the first of its planes, with friction mu on
// all, tied to an anchor.
func driven(t testing.TB, frames []particles.Frame, mu float64, stiffness [3]float64, anchor particles.Path) *dissipation.Coulomb {
	t.Helper()
	k := particles.Diagonal(stiffness[0], stiffness[1], stiffness[2])
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: anchor, Stiffness: k})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames[:1], tether)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	for _, f := range frames[1:] {
		extras = append(extras, particles.Extra{Frame: f})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	matrices := make([]dissipation.Matrix, len(frames))
	for i := range matrices {
		matrices[i] = dissipation.Isotropic{Mu: mu}
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// BenchmarkObstacles is one warm step of a particle dragged to and fro along the same path: with
// one obstacle, with three of which it meets one, in a corner of two that bear it, and in a groove
// with a floor that touches it. Issue 18: three cost at most twice one.
func BenchmarkObstacles(b *testing.B) {
	floor := particles.Floor()
	wall, far := obstacle(b, [3]float64{}, [3]float64{0, 1, 0}), obstacle(b, [3]float64{0, -5, 0}, [3]float64{0, 1, 0})
	end := obstacle(b, [3]float64{-5, 0, 0}, [3]float64{1, 0, 0})
	left, right := obstacle(b, [3]float64{}, [3]float64{0, math.Sqrt(.75), .5}),
		obstacle(b, [3]float64{}, [3]float64{0, -math.Sqrt(.75), .5})
	sine, err := particles.Sine(0, 1, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, tc := range []struct {
		name      string
		frames    []particles.Frame
		y, anchor float64
	}{
		{"one", []particles.Frame{floor}, -.2, -.2},
		{"path", []particles.Frame{floor, far, end}, -.2, -.2},
		{"corner", []particles.Frame{floor, wall, end}, 0, -.2},
		{"groove", []particles.Frame{left, right, floor}, 0, 0},
	} {
		b.Run(tc.name, func(b *testing.B) {
			anchor := particles.At(0, tc.anchor, -.3)
			anchor[0] = sine
			psi := driven(b, tc.frames, .4, [3]float64{2, 2, 5}, anchor)
			z0 := make([]float64, 3)
			psi.System.ToLocal(z0, []float64{0, tc.y, 0})
			e, err := energetic.Start(b.Context(), psi, z0, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for k := 1; b.Loop(); k++ {
				if err := e.Step(b.Context(), float64(k)/400); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// turned returns R v for the rotation by 1.1 about (1, 2, 2)/3.
func turned(v [3]float64) [3]float64 {
	a, sin, cos := [3]float64{1. / 3, 2. / 3, 2. / 3}, math.Sin(1.1), math.Cos(1.1)
	d := a[0]*v[0] + a[1]*v[1] + a[2]*v[2]
	x := [3]float64{a[1]*v[2] - a[2]*v[1], a[2]*v[0] - a[0]*v[2], a[0]*v[1] - a[1]*v[0]}
	for c := range v {
		x[c] = cos*v[c] + sin*x[c] + (1-cos)*d*a[c]
	}
	return x
}

// TestCornerTurned: a scene that is turned as a whole, with its obstacles in another order,
// has the same evolution, turned: the obstacle of the frame is not special.
func TestCornerTurned(t *testing.T) {
	planes := [][3]float64{{0, .8, .6}, {0, -.6, .8}, {1, 0, .5}}
	times := []float64{0, 1, 2, 3, 4}
	way := [][3]float64{{-.5, .1, -1}, {1, .2, -1.2}, {.4, 1.5, -.6}, {-1, -1.2, -.3}, {-.6, .3, 1}}
	run := func(order []int, turn func([3]float64) [3]float64) (states [][]float64, dissipation float64) {
		var frames []particles.Frame
		for _, k := range order {
			frames = append(frames, obstacle(t, [3]float64{}, turn(planes[k])))
		}
		var points [][3]float64
		for _, p := range way {
			points = append(points, turn(p))
		}
		anchor, err := particles.PiecewiseLinear(times, points)
		if err != nil {
			t.Fatal(err)
		}
		psi := driven(t, frames, .3, [3]float64{2, 2, 2}, anchor)
		e, err := energetic.Start(t.Context(), psi, []float64{0, 0, 0},
			energetic.Options{Equilibrate: true, Step: incremental.Options{Threshold: incremental.Implicit}})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 3)
		for k := 1; k <= 80; k++ {
			if err := e.Step(t.Context(), 4*float64(k)/80); err != nil {
				t.Fatal(err)
			}
			psi.System.ToGlobal(x, e.Node().Z)
			states = append(states, append([]float64(nil), x...))
		}
		if s := e.Summary(); !s.Solved {
			t.Errorf("order %v: %s", order, s.First)
		}
		return states, e.Node().Dissipation
	}
	still := func(v [3]float64) [3]float64 { return v }
	want, lost := run([]int{0, 1, 2}, still)
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		got, d := run(order, turned)
		// Steps are solved to 1e-12 of forces of some newtons over 2 N/m, thresholds to 1e-13.
		if math.Abs(d-lost) > 1e-10 {
			t.Errorf("order %v: dissipated %.15g J, want %.15g", order, d, lost)
		}
		for k := range want {
			w := turned([3]float64(want[k]))
			for c := range w {
				if math.Abs(got[k][c]-w[c]) > 1e-10 {
					t.Fatalf("order %v: node %d at %v, want %v", order, k+1, got[k], w)
				}
			}
		}
	}
}

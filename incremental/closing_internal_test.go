package incremental

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// closingWalls is a stepper of a particle at the origin, on no floor, between walls with the given
// normals that come nearer by one metre a second from the given distances.
func closingWalls(t *testing.T, normals [][3]float64, distance []float64) *Stepper {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
		Stiffness: particles.Isotropic(1)}, particles.Tether{Particle: 1, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle(), particles.NoObstacle()}, tether)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	matrices := []dissipation.Matrix{nil, nil}
	for i, n := range normals {
		h, err := particles.NewHalfSpace([3]float64{-distance[i] * n[0], -distance[i] * n[1], -distance[i] * n[2]}, n)
		if err != nil {
			t.Fatal(err)
		}
		plane, err := particles.NewPlane(h.Frame())
		if err != nil {
			t.Fatal(err)
		}
		shift := make(particles.Path, 3)
		for d := range 3 {
			if shift[d], err = signal.NewTable([]float64{0, 10}, []float64{0, 10 * n[d]}); err != nil {
				t.Fatal(err)
			}
		}
		chart, err := particles.NewChart(plane, particles.Motion{Shift: shift})
		if err != nil {
			t.Fatal(err)
		}
		extras, matrices = append(extras, particles.Extra{Particle: 1, Frame: particles.Charted(chart, [3]float64{})}),
			append(matrices, nil)
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(psi, 0, make([]float64, 6), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestClosingWalls: the best place between walls is as deep in each of those that touch it as their
// distances say: half of what two opposite ones overlap, Σ λ d / Σ λ for normals with Σ λ n = 0
// that all bear; where there is room there is no depth. Newton's method ends in one round on flat
// walls whose set does not change.
func TestClosingWalls(t *testing.T) {
	c := math.Sqrt(3) / 2
	up := 1 / math.Sqrt(3)
	for _, k := range []struct {
		name     string
		normals  [][3]float64
		distance []float64
		at       float64
		depth    float64
		contacts []int
	}{
		{"two", [][3]float64{{1, 0, 0}, {-1, 0, 0}}, []float64{1, 1}, 1.25, 0.25, []int{2, 3}},
		{"two, one nearer", [][3]float64{{1, 0, 0}, {-1, 0, 0}}, []float64{0.25, 1}, 1, 0.375, []int{2, 3}},
		{"room", [][3]float64{{1, 0, 0}, {-1, 0, 0}}, []float64{1, 1}, 0.75, 0, nil},
		{"room beside", [][3]float64{{1, 0, 0}, {-1, 0, 0}}, []float64{0.25, 1}, 0.6, 0, nil},
		{"just room", [][3]float64{{1, 0, 0}, {-1, 0, 0}}, []float64{0.5, 1.5}, 1, 0, nil},
		{"two and one aside", [][3]float64{{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}}, []float64{9, 1, 1}, 1.25, 0.25, []int{3, 4}},
		{"two and one that is open", [][3]float64{{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}}, []float64{1.5, 1, 1}, 1.25, 0.25, []int{3, 4}},
		{"three", [][3]float64{{1, 0, 0}, {-0.5, c, 0}, {-0.5, -c, 0}}, []float64{1, 1, 1}, 1.5, 0.5, []int{2, 3, 4}},
		{"three, at different distances", [][3]float64{{1, 0, 0}, {-0.5, c, 0}, {-0.5, -c, 0}},
			[]float64{1, 1.25, 0.75}, 1.5, 0.5, []int{2, 3, 4}},
		{"three with room", [][3]float64{{1, 0, 0}, {-0.5, c, 0}, {-0.5, -c, 0}}, []float64{1, 1.25, 0.75}, 0.875, 0, nil},
		{"by halves, for one opens on the way to all",
			[][3]float64{{1, 0, 0}, {-0.98, math.Sqrt(1 - 0.98*0.98), 0}, {-0.98, -math.Sqrt(1 - 0.98*0.98), 0}},
			[]float64{0.25, 1.3, 1.3}, 1.25, (1.96*1 - 2*0.05) / 3.96, []int{2, 3, 4}},
		{"four in space", [][3]float64{{up, up, up}, {up, -up, -up}, {-up, up, -up}, {-up, -up, up}},
			[]float64{1, 1, 1, 1}, 1.125, 0.125, []int{2, 3, 4, 5}},
		{"wedge that opens", [][3]float64{{1, 0, 0}, {0.6, 0.8, 0}}, []float64{1, 1}, 5, 0, nil},
	} {
		s := closingWalls(t, k.normals, k.distance)
		lost := s.Closing(k.at)
		if k.depth == 0 {
			if lost != nil {
				t.Errorf("%s: %v", k.name, lost)
			}
			continue
		}
		if lost == nil {
			t.Errorf("%s: room is left", k.name)
			continue
		}
		// The regularisation of directions in which nothing pushes is 1e-12.
		if math.Abs(lost.Depth-k.depth) > 1e-11 || lost.Particle != 1 || lost.Time != k.at || !slices.Equal(lost.Closing, k.contacts) {
			t.Errorf("%s: %+v, want %g in %v", k.name, lost, k.depth, k.contacts)
		}
		if err := s.Step(t.Context(), k.at); err == nil || s.Time() != 0 {
			t.Errorf("%s: a step is made", k.name)
		}
	}
}

// TestClosingCurved: a wall that comes nearer by one metre a second leaves no place in a hollow
// cylinder or sphere once it is beyond its bottom, however far beside the deepest line the particle
// is; beside a ball it may give way. At a time that is none nothing is closed.
func TestClosingCurved(t *testing.T) {
	hollow, err := particles.NewCylinder([3]float64{}, [3]float64{0, 0, 1}, 0.5, true)
	if err != nil {
		t.Fatal(err)
	}
	ball, err := particles.NewSphere([3]float64{1, 0, 0}, 0.5, false, [3]float64{2, 0.1, 0})
	if err != nil {
		t.Fatal(err)
	}
	bowl, err := particles.NewSphere([3]float64{0, 0, 0.25}, 0.5, true, [3]float64{-0.3, 0.1, -0.2})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name string
		face particles.Face
		deep bool
	}{{"hollow", hollow, true}, {"bowl", bowl, true}, {"ball", ball, false}} {
		for _, aside := range []float64{0, 1e-9, 1e-6, -1e-3, 0.05, -0.2, 0.3} {
			s := closingOn(t, k.face, [3]float64{0.1, aside, 0.25})
			for _, at := range []float64{0.3, 0.79, 0.81, 0.9, 1.2} {
				lost := s.Closing(at)
				// The wall is at x = at − .3, the bottom at ½: halfway between it is as deep in
				// both.
				if depth := (100*math.Sin(at/100) - 0.8) / 2; !k.deep || depth < 0 {
					if lost != nil {
						t.Errorf("%s, %g aside, at %g: %v", k.name, aside, at, lost)
					}
				} else if lost == nil || math.Abs(lost.Depth-depth) > 1e-9*depth || !slices.Equal(lost.Closing, []int{1, 2}) {
					t.Errorf("%s, %g aside, at %g: %+v, want %g", k.name, aside, at, lost, depth)
				}
			}
			for _, at := range []float64{math.NaN(), math.Inf(1)} {
				if lost := s.Closing(at); lost != nil {
					t.Errorf("at %g: %v", at, lost)
				}
			}
		}
	}
}

// closingOn is a particle at a place between a face at rest and a wall x >= −.3 that comes nearer.
func closingOn(t *testing.T, face particles.Face, at [3]float64) *Stepper {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()}, tether)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := particles.NewHalfSpace([3]float64{-0.3, 0, 0}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	plane, err := particles.NewPlane(wall.Frame())
	if err != nil {
		t.Fatal(err)
	}
	// t but for (t/100)²/6 of it; no number at infinity
	push, err := signal.NewSine(0, 100, 1/(200*math.Pi), 0)
	if err != nil {
		t.Fatal(err)
	}
	zero := signal.Constant(0)
	var extras []particles.Extra
	for i, m := range []particles.Motion{{Shift: particles.Path{push, zero, zero}}, {}} {
		chart, err := particles.NewChart([]particles.Face{plane, face}[i], m)
		if err != nil {
			t.Fatal(err)
		}
		extras = append(extras, particles.Extra{Frame: particles.Charted(chart, [3]float64{})})
	}
	far, err := particles.NewHalfSpace([3]float64{50, 0, 0}, [3]float64{-1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	extras = append(extras, particles.Extra{Frame: far.Frame()})
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, make([]dissipation.Matrix, 4))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(psi, 0, at[:], Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

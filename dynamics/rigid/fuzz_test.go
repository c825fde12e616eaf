package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// scene makes up to 20 bodies with absurd masses and velocities, some tied.
func scene(r *rand.Rand) (*rigid.Stepper, error) {
	dim := 2 + r.IntN(2)
	g := [3]float64{0, -9.81, 0}
	up := [3]float64{0, 1, 0}
	w, err := bodies.NewWorld(dim, g)
	if err != nil {
		return nil, err
	}
	if _, err = w.AddHalfSpace([3]float64{}, up); err != nil {
		return nil, err
	}
	n := 1 + r.IntN(20)
	size := func() float64 { return 0.1 + 0.4*r.Float64() }
	for range n {
		var s bodies.Shape
		a, b := size(), size()
		if dim == 2 {
			s = []bodies.Shape{bodies.Disc{R: a}, bodies.Rod{Length: a, R: 0.1 * r.Float64()}, bodies.Rod{Length: a}, bodies.Ellipse{A: a, B: 0.2 * b},
				bodies.Polygon{Vertices: [][2]float64{{-a, -b}, {a, -b}, {a, b}, {-a, b}}}, bodies.Polygon{Vertices: [][2]float64{{-a, -b}, {a, -b}, {0, 2 * b}}},
				bodies.Point{}}[r.IntN(7)]
		} else {
			s = []bodies.Shape{bodies.Sphere{R: a}, bodies.Capsule{Length: a, R: 0.1}, bodies.Box{Size: [3]float64{a, b, size()}}, bodies.Box{Size: [3]float64{a, b, 0.01}},
				bodies.Ellipsoid{Axes: [3]float64{a, b, size()}}, bodies.Ellipsoid{Axes: [3]float64{a, b, 0.02}}, bodies.Point{}}[r.IntN(7)]
		}
		body := bodies.Body{Shape: s, Mass: math.Pow(10, 12*r.Float64()-6), Angle: 6 * r.Float64()}
		body.Velocity = [3]float64{1, 1, float64(dim - 2)}
		speed := math.Pow(10, 6*r.Float64()-3)
		for k := range dim {
			body.Position[k] = 3 * (r.Float64() - 0.3)
			body.Velocity[k] *= speed * (r.Float64() - 0.5)
		}
		if dim == 2 {
			body.Spin[2] = speed * (r.Float64() - 0.5)
		} else {
			body.Angle = 0
			body.Spin = [3]float64{speed * r.Float64(), speed * r.Float64(), speed * r.Float64()}
		}
		if _, err := w.Add(body); err != nil {
			return nil, err
		}
	}
	x := multibody.Setup{Material: multibody.Material{Mu: 2 * r.Float64(), Restitution: float64(r.IntN(2)) * r.Float64()}}
	for range r.IntN(4) {
		a, b := r.IntN(n), r.IntN(n+1)-1
		if a == b {
			continue
		}
		j := multibody.Joint{Kind: multibody.Kind(r.IntN(6)), A: a, B: b, Axis: [3]float64{1, r.Float64(), float64(dim-2) * r.Float64()}, Other: [3]float64{1, 1}}
		x.Joints = append(x.Joints, j)
	}
	o := rigid.Options{Alpha: 0.5 + 0.5*float64(r.IntN(2)), Grid: rigid.Grid(r.IntN(3)), Impact: rigid.Impact(r.IntN(4)), Settle: true}
	if o.Grid == rigid.GapGrid {
		o.Alpha, x.Material.Restitution = 1, 0
	}
	m, err := multibody.NewModel(w, x)
	if err != nil {
		return nil, err
	}
	return rigid.NewStepper(m, o)
}

// try runs a scene: each step ends with a verdict, and what it leaves is finite.
func try(t *testing.T, seed uint64) string {
	s, err := scene(rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		return "refused: " + err.Error()
	}
	for range 20 {
		err := s.Step(t.Context(), 0.005)
		_, q, v, va := s.State()
		for _, x := range [][]float64{q, v, va} {
			for _, y := range x {
				if math.IsNaN(y) || math.IsInf(y, 0) {
					t.Fatalf("seed %d: the state holds %g after %v", seed, y, err)
				}
			}
		}
		if err != nil {
			return err.Error()
		}
	}
	return "ran"
}

func TestRandomScenes(t *testing.T) {
	n, ran := 25, 0
	for seed := range n {
		verdict := try(t, uint64(seed))
		if verdict == "ran" {
			ran++
		} else {
			t.Logf("seed %d: %s", seed, verdict)
		}
	}
	t.Logf("%d of %d ran", ran, n)
	if ran < n/2 {
		t.Errorf("only %d of %d scenes ran", ran, n)
	}
}

func FuzzScenes(f *testing.F) {
	f.Add(uint64(7))
	f.Fuzz(func(t *testing.T, seed uint64) { try(t, seed) })
}

package bodies_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// TestEveryShape: the lists of these tests have all shapes that cases have.
func TestEveryShape(t *testing.T) {
	for dim, list := range shapes {
		for _, name := range bodies.ShapeNames(dim) {
			if !slices.ContainsFunc(list, func(s bodies.Shape) bool { return s.Name() == name }) {
				t.Errorf("no test has a %s in %d dimensions", name, dim)
			}
		}
	}
}

// TestEveryPairByPatches: any two shapes, and any shape and obstacle, meet by a patch with a gap
// that is a number, or are refused at the door.
func TestEveryPairByPatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	obstacles := map[int][]bodies.Surface{
		2: {bodies.HalfSpace{Normal: v3{0, 1}}, bodies.Ball{R: 1}, bodies.Ball{R: 1, Inside: true},
			bodies.Oval{Axes: v3{1, .5}}, bodies.Oval{Axes: v3{2, 1.5}, Inside: true}},
		3: {bodies.HalfSpace{Normal: v3{0, 0, 1}}, bodies.Ball{R: 1}, bodies.Ball{R: 1, Inside: true},
			bodies.Cylinder{Axis: v3{1}, R: 1}, bodies.Cylinder{Axis: v3{1}, R: 1, Inside: true},
			bodies.Oval{Axes: v3{1, .5, .7}}, bodies.Oval{Axes: v3{2, 1.5, 1.7}, Inside: true},
			bodies.Torus{Axis: v3{1}, Radius: 1, Tube: .3}, bodies.Torus{Axis: v3{1}, Radius: 2, Tube: 1, Inside: true}},
	}
	for dim, list := range shapes {
		patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, dim))
		for _, a := range list {
			for _, b := range list {
				w, _, err := scenery(rng.Float64, dim, a, b, 1)
				if err != nil {
					t.Fatal(err)
				}
				key, err := w.Between(0, 1, patch)
				finiteMeeting(t, w, key, err, fmt.Sprintf("%T %v and %T %v", a, a, b, b))
			}
			for _, s := range obstacles[dim] {
				for _, motion := range []bool{false, true} {
					w, _, err := scenery(rng.Float64, dim, a, a, 1)
					if err != nil {
						t.Fatal(err)
					}
					o := bodies.Obstacle{Surface: s}
					if motion {
						o.Motion.Shift = signal.Vector{signal.Constant(.01), signal.Constant(.02), signal.Constant(0)}
					}
					n := must(w.AddObstacle(o))
					key, err := w.OnObstacle(0, n, patch)
					finiteMeeting(t, w, key, err, fmt.Sprintf("%T %v and obstacle %T", a, a, s))
					if w.Meets(0, n) == nil {
						q, _ := w.Start()
						for _, x := range w.NewToucher(func(a, b int) bool { return b >= 0 }).Find(nil, 0, q, 10) {
							if math.IsNaN(x.Gap+x.At[0]) || !(math.Abs(abs(x.N)-1) < 1e-12) {
								t.Errorf("%T and obstacle %T: %+v", a, s, x)
							}
						}
					}
				}
			}
		}
	}
}

func finiteMeeting(t *testing.T, w *bodies.World, key int, err error, what string) {
	t.Helper()
	if err != nil {
		if len(err.Error()) < 20 {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	q, _ := w.Start()
	for k := range w.Patches(key) {
		if _, at, n := w.Meeting(key+k, 0, q); math.IsNaN(at[0]+at[1]+at[2]) || !(math.Abs(abs(n)-1) < 1e-12) {
			t.Errorf("%s: at %v along %v", what, at, n)
		}
	}
}

// TestConeMoments: mass moments of a cone by sums over discs of it, and its centre of mass.
func TestConeMoments(t *testing.T) {
	const n = 2000
	c := bodies.Cone{R: .3, Height: .8}
	var volume, first, along, across float64
	for k := range n { // midpoints: the error is of second order in 1/n
		z := (float64(k) + .5) / n * c.Height
		r := c.R * (1 - z/c.Height)
		m := math.Pi * r * r * c.Height / n
		z -= c.Height / 4
		volume, first = volume+m, first+m*z
		along, across = along+m*r*r/2, across+m*(r*r/4+z*z)
	}
	w := must(bodies.NewWorld(3, v3{}))
	must(w.Add(bodies.Body{Shape: c, Mass: volume}))
	_, j := w.Inertia(0)
	if math.Abs(first) > 1e-6*volume || math.Abs(j[2]/along-1) > 1e-6 || math.Abs(j[0]/across-1) > 1e-6 || j[0] != j[1] {
		t.Errorf("centre %g, moments %v, want %g across and %g along", first/volume, j, across, along)
	}
	for _, c := range []bodies.Cone{{R: 1}, {Height: 1}, {R: math.NaN(), Height: 1}, {R: 1, Height: math.Inf(1)}} {
		if _, err := w.Add(bodies.Body{Shape: c, Mass: 1}); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// TestConesOfAnySize: needles and plates, in micrometres and kilometres, near each other or in each
// other: gaps and normals are numbers, keys are different, and the normal separates as far as the
// least gap says.
func TestConesOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	for range 200 {
		size := math.Pow(10, 9*rng.Float64()-6)
		some := func() float64 { return size * math.Pow(10, 4*rng.Float64()-3) }
		a := bodies.Cone{R: some(), Height: some()}
		b := []bodies.Shape{bodies.Cone{R: some(), Height: some()}, bodies.Box{Size: v3{some(), some(), some()}},
			bodies.Sphere{R: some()}}[rng.IntN(3)]
		w, s, err := scenery(rng.Float64, 3, a, b, size*math.Pow(10, 4*rng.Float64()-3))
		if err != nil {
			t.Fatal(err)
		}
		q, _ := w.Start()
		seen, least := map[uint64]bool{}, bodies.Touch{Gap: math.Inf(1)}
		for _, x := range w.NewToucher(nil).Find(nil, 0, q, 1e9) {
			if seen[x.Key] || math.IsNaN(x.Gap+abs(x.At)) || !(math.Abs(abs(x.N)-1) < 1e-12) {
				t.Errorf("%+v and %+v: %+v", a, b, x)
			}
			if seen[x.Key] = true; x.Gap < least.Gap {
				least = x
			}
		}
		if bound := separation(&s[0], &s[1], least.N); !(bound >= least.Gap-2e-9*(w.Reach(0)+
			w.Reach(1))) { // facets are taken for the nearest point to 1e-9
			t.Errorf("%+v and %+v: gap %g, the normal separates them by %g", a, b, least.Gap, bound)
		}
	}
}

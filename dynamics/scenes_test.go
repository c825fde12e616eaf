package dynamics_test

import (
	"context"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// crowd is bodies of a kind in a plane or in space over a floor that may move: they meet it and
// each other.
func crowd(t *testing.T, dim int, shapes []bodies.Shape, patches []*dynamics.Patch, moving bool,
	o dynamics.Options) (*dynamics.Stepper, []int) {
	t.Helper()
	up := [3]float64{}
	up[dim-1] = 1
	w, err := bodies.NewWorld(dim, [3]float64{.5, up[1] * -10, up[2] * -10})
	if err != nil {
		t.Fatal(err)
	}
	for i, shape := range shapes {
		b := bodies.Body{Shape: shape, Mass: 1 + .2*float64(i), Position: [3]float64{.21 * float64(i)},
			Velocity: [3]float64{.3 - .4*float64(i)}, Spin: [3]float64{0, 0, 2}, Drag: .1}
		b.Position[dim-1], b.Angle = .1+.02*float64(i), .3*float64(i)
		if dim == 3 {
			b.Spin = [3]float64{1, 2, .5}
		}
		if i == 0 {
			load, err := signal.NewSine(0, 3, 5, 0)
			if err != nil {
				t.Fatal(err)
			}
			b.Load, b.SpinDrag = signal.Vector{load, signal.Constant(.1), signal.Constant(0)}[:dim], .01
		}
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: up}}
	if moving {
		shift, err := signal.NewTable([]float64{0, 1}, []float64{0, .5})
		if err != nil {
			t.Fatal(err)
		}
		floor.Motion = signal.Motion{Shift: signal.Vector{shift, signal.Constant(0), signal.Constant(0)}}
	}
	if _, err := w.AddObstacle(floor); err != nil {
		t.Fatal(err)
	}
	var keys []int
	for i := range shapes {
		key, err := w.OnObstacle(i, 0, patches[i%len(patches)])
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
		if i > 0 {
			if key, err = w.Between(i-1, i, patches[(i+1)%len(patches)]); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
	}
	q, v := w.Start()
	s, err := dynamics.NewStepper(w, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"left", "middle", "right", "last"}
	s.NameParts(names[:len(shapes)])
	return s, keys
}

// scenes are runs in which bodies meet, slide, stick, part and turn.
func scenes(t *testing.T) map[string]func() (*dynamics.Stepper, []int) {
	t.Helper()
	patch := func(p *dynamics.Patch, err error) *dynamics.Patch {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	soft := func(law contact.Law, dim, n int) *dynamics.Patch {
		return patch(dynamics.NewPatch(law, dynamics.HalfSpace{Dim: dim, Elements: n, Spacing: 2e-3, Epsilon: 2e-6,
			Poisson: .3, Damping: .2}))
	}
	rigid := func(law contact.Law, dim int) *dynamics.Patch { return patch(dynamics.NewRigid(law, dim)) }
	discs := []bodies.Shape{bodies.Disc{R: .1}, bodies.Disc{R: .11}, bodies.Disc{R: .1}}
	ovals := []bodies.Shape{bodies.Ellipse{A: .1, B: .07}, bodies.Disc{R: .11}}
	balls := []bodies.Shape{bodies.Sphere{R: .1}, bodies.Sphere{R: .11}}
	quadrics := []bodies.Shape{bodies.Ellipsoid{Axes: [3]float64{.11, .1, .09}}, bodies.Sphere{R: .1}}
	c := contact.Coulomb{Mu: .3}
	return map[string]func() (*dynamics.Stepper, []int){
		"discs": func() (*dynamics.Stepper, []int) {
			return crowd(t, 2, discs, []*dynamics.Patch{soft(c, 2, 2)}, false, dynamics.Options{Smallness: true})
		},
		"rigid": func() (*dynamics.Stepper, []int) {
			return crowd(t, 2, discs, []*dynamics.Patch{rigid(c, 2), soft(c, 2, 3)}, true, dynamics.Options{})
		},
		"velocity": func() (*dynamics.Stepper, []int) {
			return crowd(t, 2, discs[:2], []*dynamics.Patch{rigid(c, 2)}, true, dynamics.Options{VelocityForm: true})
		},
		"ovals": func() (*dynamics.Stepper, []int) {
			return crowd(t, 2, ovals[:1], []*dynamics.Patch{soft(c, 2, 2)}, true, dynamics.Options{ImplicitForce: true, Theta: .3})
		},
		"balls": func() (*dynamics.Stepper, []int) {
			return crowd(t, 3, balls, []*dynamics.Patch{soft(c, 3, 2), rigid(c, 3)}, true, dynamics.Options{})
		},
		"quadrics": func() (*dynamics.Stepper, []int) {
			return crowd(t, 3, quadrics[:1], []*dynamics.Patch{soft(contact.Pyramid{Mu: .3, Facets: 6}, 3, 1)}, false,
				dynamics.Options{ImplicitForce: true, Theta: .5})
		},
		"tresca": func() (*dynamics.Stepper, []int) {
			return crowd(t, 3, balls, []*dynamics.Patch{soft(contact.Tresca{Threshold: 1}, 3, 1),
				rigid(contact.Frictionless{}, 3)}, false, dynamics.Options{})
		},
	}
}

// TestScenes: in each step of each scene the dampers and friction take energy and give none, and
// from a slot the run goes on to the same bits, at steps of other lengths too.
func TestScenes(t *testing.T) {
	for name, begin := range scenes(t) {
		s, _ := begin()
		length := func(k int) float64 {
			if k >= 30 {
				return 1. / 300
			}
			return 1. / 512
		}
		contacts := 0
		for k := range 60 {
			if k == 20 {
				s.Keep(1)
			}
			if err := s.Step(context.Background(), length(k)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			x := s.Last()
			contacts += x.Stick + x.Slide
			if e := x.Energy; e.Friction < -1e-9 || e.Viscous < 0 || e.Stored < 0 { // the merit of the contact problems, of joules
				t.Errorf("%s, step %d: %+v", name, k, e)
			}
		}
		if contacts == 0 {
			t.Errorf("%s: no contacts", name)
		}
		x := s.State()
		q, v, lambda, e := slices.Clone(x.Q), slices.Clone(x.V), slices.Clone(x.Lambda), s.Ledger()
		if err := s.Return(1); err != nil {
			t.Fatal(err)
		}
		for k := 20; k < 60; k++ {
			if err := s.Step(context.Background(), length(k)); err != nil {
				t.Fatal(err)
			}
		}
		if x := s.State(); !slices.Equal(x.Q, q) || !slices.Equal(x.V, v) || !slices.Equal(x.Lambda, lambda) || s.Ledger() != e {
			t.Errorf("%s: other bits from the slot", name)
		}
	}
}

// TestSpoiledSteps: steps are those of the scheme, as states and forces alone tell, and not those
// in which a force, a velocity or a place is wrong; of bodies on which a force is not known nothing
// is said.
func TestSpoiledSteps(t *testing.T) {
	const h = 1. / 400
	for name, begin := range scenes(t) {
		s, keys := begin()
		again, _ := begin()
		seen := [6]int{}
		for k := range 40 {
			var before dynamics.Checkpoint
			s.Save(&before)
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
			x, theta := s.State(), s.Last().Theta
			for spoil := range seen {
				q, v, spoilt := slices.Clone(x.Q), slices.Clone(x.V), spoil >= 4
				lambda := func(key int) []float64 {
					first, last := x.Patch(key)
					l := slices.Clone(x.Lambda[first:last])
					if l == nil {
						return []float64{}
					}
					switch {
					case spoil == 1 && len(l) > 0 && key == keys[0]:
						l[0] += 1
						spoilt = true
					case spoil == 2 && len(l) > 0:
						l[len(l)-1] += 2
						spoilt = true
					case spoil == 3 && key == keys[0]:
						return nil
					}
					return l
				}
				switch spoil {
				case 4:
					v[len(v)-1] += 1e-2
				case 5:
					q[0] += 1e-4
				}
				if err := again.Load(&before); err != nil {
					t.Fatal(err)
				}
				f, err := again.Replay(h, x.T, theta, q, v, lambda)
				if err != nil {
					t.Fatal(err)
				}
				seen[spoil]++
				bad := f.Motion > 1e-9*f.Speed[f.MotionAt] || f.Path > 1e-9 || f.Law > 1e-6 || f.Cone > 1e-8
				if bad != spoilt && spoil != 3 || spoil == 3 && (f.Motion > 1e-9*f.Speed[f.MotionAt] || !slices.Contains(f.Unknown, true)) {
					t.Errorf("%s, step %d, spoilt by %d: %+v", name, k, spoil, *f)
				}
			}
		}
		x := s.State()
		for _, bad := range [][2]int{{1, 0}, {0, 1}} {
			if _, err := s.Replay(h, h, 0, x.Q[bad[0]:], x.V[bad[1]:], nil); err == nil {
				t.Error("a state of another size is replayed")
			}
		}
	}
}

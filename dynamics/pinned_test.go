package dynamics_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// crowd is bodies of a kind in a plane or in space over a floor that may move: they meet it and
// each other.
func crowd(t *testing.T, dim int, shapes []bodies.Shape, patches []*dynamics.Patch, moving bool, o dynamics.Options) (*dynamics.Stepper, []int) {
	t.Helper()
	up := [3]float64{}
	up[dim-1] = 1
	w, err := bodies.NewWorld(dim, [3]float64{.5, up[1] * -10, up[2] * -10})
	if err != nil {
		t.Fatal(err)
	}
	for i, shape := range shapes {
		b := bodies.Body{Shape: shape, Mass: 1 + .2*float64(i), Position: [3]float64{.21 * float64(i)}, Velocity: [3]float64{.3 - .4*float64(i)}, Spin: [3]float64{0, 0, 2}, Drag: .1}
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
		return patch(dynamics.NewPatch(law, dynamics.HalfSpace{Dim: dim, Elements: n, Spacing: 2e-3, Epsilon: 2e-6, Poisson: .3, Damping: .2}))
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
			return crowd(t, 3, quadrics[:1], []*dynamics.Patch{soft(contact.Pyramid{Mu: .3, Facets: 6}, 3, 1)}, false, dynamics.Options{ImplicitForce: true, Theta: .5})
		},
		"tresca": func() (*dynamics.Stepper, []int) {
			return crowd(t, 3, balls, []*dynamics.Patch{soft(contact.Tresca{Threshold: 1}, 3, 1), rigid(contact.Frictionless{}, 3)}, false, dynamics.Options{})
		},
	}
}

// TestPinnedScenes: motions, forces, energies and what is said of them.
func TestPinnedScenes(t *testing.T) {
	table := dynamics.Pinned(t)
	for name, begin := range scenes(t) {
		s, _ := begin()
		table.Check("scene-start-"+name, s.Need().Total(), s.Turns(), s.Reach(nil, .5), s.Ledger(), s.Creations().Island, len(s.PartNames()))
		var counts [5]int
		for k := range 60 {
			h := 1. / 512
			if k >= 30 {
				h = 1. / 300
			}
			if k == 20 {
				s.Keep(1)
			}
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			x := s.Last()
			for i, n := range []int{x.Open, x.Stick, x.Slide, x.Solves, x.Rounds} {
				counts[i] += n
			}
			if k == 24 {
				table.Check("scene-middle-"+name, s.State().Q, s.State().Lambda, s.State().Delta, s.State().Slip, s.Last().Energy)
			}
		}
		x, e := s.State(), s.Ledger()
		mu, bar := s.SmallnessNow()
		table.Check("scene-"+name, x.T, x.Q, x.V, x.Delta, x.Lambda, x.Slip, counts, mu, bar, s.Smallness().Mu, s.Smallness().MuBar)
		table.Check("scene-energy-"+name, e, s.Creation(), s.Creations().Root, s.Creations().Island, s.Creations().Work, s.Accurate(1e-9))
		table.Check("scene-distances-"+name, s.Distances(nil, -1), s.Distances(nil, 1), s.Reach(nil, .25), s.Need().Total())
		// Back in the slot and again: the same bits.
		if err := s.Return(1); err != nil {
			t.Fatal(err)
		}
		for k := 20; k < 60; k++ {
			h := 1. / 512
			if k >= 30 {
				h = 1. / 300
			}
			if err := s.Step(context.Background(), h); err != nil {
				t.Fatal(err)
			}
		}
		table.Check("scene-"+name, s.State().T, s.State().Q, s.State().V, s.State().Delta, s.State().Lambda, s.State().Slip, counts, mu, bar, s.Smallness().Mu, s.Smallness().MuBar)
	}
}

// TestPinnedReplay: how far steps with wrong forces, velocities or places are from the scheme,
// where, and which bodies nothing is said of.
func TestPinnedReplay(t *testing.T) {
	table := dynamics.Pinned(t)
	for _, name := range []string{"discs", "rigid", "velocity", "ovals", "balls", "tresca"} {
		begin := scenes(t)[name]
		s, keys := begin()
		again, _ := begin()
		for k := range 40 {
			var before dynamics.Checkpoint
			s.Save(&before)
			if err := s.Step(context.Background(), 1./400); err != nil {
				t.Fatal(err)
			}
			if k < 20 || k%10 > 0 {
				continue
			}
			x := s.State()
			for spoil := range 6 {
				q, v := slices.Clone(x.Q), slices.Clone(x.V)
				lambda := func(key int) []float64 {
					first, last := x.Patch(key)
					l := slices.Clone(x.Lambda[first:last])
					if l == nil {
						l = []float64{}
					}
					switch {
					case spoil == 1 && len(l) > 0 && key == keys[0]:
						l[0] += 1
					case spoil == 2 && len(l) > 0:
						l[len(l)-1] += 2
					case spoil == 3 && key == keys[0]:
						return nil
					}
					return l
				}
				switch spoil {
				case 4:
					v[len(v)-1] += 1e-2
					q[0] += 1e-3
				case 5:
					v[0] -= 1e-3
					q[len(q)-1] += 1e-4
				}
				if err := again.Load(&before); err != nil {
					t.Fatal(err)
				}
				f, err := again.Replay(1./400, q, v, lambda)
				if err != nil {
					t.Fatal(err)
				}
				if spoil == 0 { // rounding
					f.Path, f.Motion, f.Law, f.Cone, f.PathAt, f.MotionAt, f.LawKey, f.ConeKey, f.LawElement, f.ConeElement = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
				}
				if f.Cone < 1e-8 {
					f.Cone, f.ConeKey, f.ConeElement = 0, 0, 0
				}
				if f.Law < 1e-8 {
					f.Law, f.LawKey, f.LawElement = 0, 0, 0
				}
				if f.Path < 1e-12 {
					f.Path, f.PathAt = 0, 0
				}
				if f.Motion < 1e-12 {
					f.Motion, f.MotionAt = 0, 0
				}
				f.Law = float64(float32(f.Law)) // a residual, relative to a force
				e := again.Ledger()
				table.Check(fmt.Sprintf("replay-%s-%d-%d", name, k, spoil), *f, e.Kinetic, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual, again.Creation(), again.State().T, again.State().Delta)
			}
		}
		for _, bad := range [][2]int{{1, 0}, {0, 1}} {
			x := s.State()
			if _, err := s.Replay(1./400, x.Q[bad[0]:], x.V[bad[1]:], nil); err == nil {
				t.Error("a state of another size is replayed")
			}
		}
	}
}

// TestPinnedTwins: what twins say of runs of equal steps, small ones and others, and what runs say
// that choose their steps.
func TestPinnedTwins(t *testing.T) {
	table := dynamics.Pinned(t)
	for _, name := range []string{"discs", "velocity", "ovals", "quadrics", "balls"} {
		begin := scenes(t)[name]
		for _, n := range []int{6, 41} {
			s, _ := begin()
			until := .1
			d := dynamics.NewDoubled(s, until, n)
			h := until / float64(n)
			for k := range n {
				if err := d.Step(context.Background(), float64(k)*h, func() error { return s.Step(context.Background(), h) }); err != nil {
					t.Fatal(err)
				}
			}
			x, err := d.Save()
			if err != nil {
				t.Fatal(err)
			}
			for k := range x.Twin {
				x.Twin[k].State = nil
			}
			steps, _ := d.Unknown()
			table.Check(fmt.Sprintf("twins-%s-%d", name, n), *x, steps, d.Measures(1e-9), d.Measures(1))
		}
	}
	for _, name := range []string{"velocity", "ovals"} {
		s, _ := scenes(t)[name]()
		a, err := dynamics.NewAdaptive(context.Background(), s, dynamics.AdaptiveOptions{Until: .06, Accuracy: .3, Breaks: []float64{.031}})
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for !a.Done() {
			if err := a.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			sum += math.Sqrt(s.State().T)
		}
		var x dynamics.AdaptiveState
		a.Save(&x)
		table.Check("chosen-"+name, s.State().Q, s.State().V, sum, x.Level, x.At, x.Extents, x.Still, x.Energy, x.Stats, a.Measures())
	}
}

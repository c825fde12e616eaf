package rigid_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// hurled are two boxes of a seed that fall onto a floor, or without one, and each other, turning.
func hurled(t *testing.T, seed uint64, o rigid.Options, floor bool) (*rigid.Stepper, *bodies.World) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	w := hurledIn(t, world(t, 3, [3]float64{2: -9.81}), r, floor)
	if floor {
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{2: 1}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .2 + .5*r.Float64()}}, o), w
}

// hurledIn adds the boxes to a world.
func hurledIn(t *testing.T, w *bodies.World, r *rand.Rand, floor bool) *bodies.World {
	t.Helper()
	z := .02
	for i := range 2 {
		b := bodies.Body{Mass: .5 + 4*r.Float64(), Velocity: [3]float64{r.Float64() - .5, r.Float64() - .5, -2}}
		if !floor {
			b.Velocity[2] -= float64(i)
		}
		size, reach, turn := [3]float64{}, 0.0, 0.0
		for d := range 3 {
			size[d] = .1 + .3*r.Float64()
			reach += .25 * size[d] * size[d]
			b.Spin[d] = 16 * (r.Float64() - .5)
		}
		for d := range b.Orientation {
			b.Orientation[d] = r.NormFloat64()
			turn += b.Orientation[d] * b.Orientation[d]
		}
		for d := range b.Orientation {
			b.Orientation[d] /= math.Sqrt(turn)
		}
		z += math.Sqrt(reach)
		b.Shape, b.Position = bodies.Box{Size: size}, [3]float64{.1 * r.Float64(), .1 * r.Float64(), z}
		z += math.Sqrt(reach) + .01
		must[int](t)(w.Add(b))
	}
	return w
}

// Thrown boxes on the gap grid, h = 10 ms: a step that ends deep in a body is taken again, and says
// so, at first in its whole length with the curvature of its gaps, then in halves. Projections make .05
// J and more in some steps that are not cut, a tenth of that in no step that is; and no step makes
// energy, as gravity and obstacles at rest do not.
func TestSinks(t *testing.T) {
	total := [2]float64{}
	bends, halves := 0, 0
	for _, seed := range []uint64{11, 12, 13, 20, 35} {
		for k, o := range []rigid.Options{{Grid: rigid.GapGrid}, {Grid: rigid.GapGrid, Uncut: true}} {
			most := 0.0
			s, _ := hurled(t, seed, o, true)
			e := s.Energy()
			for range 40 {
				run(t, s, .01, 1)
				now := s.Energy()
				if rise := now.Kinetic + now.Potential - e.Kinetic - e.Potential; rise > 1e-9*e.Kinetic && k == 0 {
					t.Errorf("seed %d, t = %.2f: %g J are made", seed, s.Last().T, rise)
				}
				total[k] += e.Projection - now.Projection
				most = max(most, e.Projection-now.Projection)
				e = now
				list := s.Last().Cuts
				for _, c := range list {
					if k == 1 || !strings.Contains(c.Reason, " of a body deep") || !strings.Contains(c.Reason, " overlap by ") {
						t.Errorf("seed %d: cut %v", seed, c)
					}
				}
				switch len(list) {
				case 0:
				case 1:
					bends++
					near(t, "whole", list[0].H, .01, 0)
				default:
					halves++
					near(t, "with bends", list[1].H, .01, 0)
				}
			}
			if (most > .045) != (k == 1) || k == 0 && most > .005 {
				t.Errorf("seed %d: the projection of a step makes %g J, uncut: %d", seed, most, k)
			}
		}
	}
	if total[0] > total[1]/50 || bends < 3 || halves < 3 {
		t.Errorf("projections make %g J; %d steps were taken again whole, %d in halves", total, bends, halves)
	}
	t.Log(total, bends, halves)
}

// What is steady is not cut: a box at rest on another, and a plank that tips over an edge at ω²r =
// 1 m/s², whose gap bends by 5e-5 m in 10 ms; nor are thrown boxes without weight, or beside seven
// others that slide on four corners each.
func TestSinksNot(t *testing.T) {
	slab := func(w *bodies.World, at [3]float64, size [3]float64, spin, slip float64) {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: size}, Mass: 1, Position: at,
			Velocity: [3]float64{1: slip}, Spin: [3]float64{1: spin}}))
	}
	steady := world(t, 3, [3]float64{2: -9.81})
	slab(steady, [3]float64{2: .2}, [3]float64{.4, .4, .4}, 0, 0)
	slab(steady, [3]float64{.15, 0, .45}, [3]float64{.4, .2, .1}, 0, 0)
	slab(steady, [3]float64{2: .55}, [3]float64{.4, .1, .1}, 1, 0)
	weightless := hurledIn(t, world(t, 3, [3]float64{}), rand.New(rand.NewPCG(20, 11)), true)
	crowd := hurledIn(t, world(t, 3, [3]float64{2: -9.81}), rand.New(rand.NewPCG(20, 11)), true)
	for i := range 7 {
		slab(crowd, [3]float64{2 + float64(i), 0, .1}, [3]float64{.2, .2, .2}, 0, 5)
	}
	for name, w := range map[string]*bodies.World{"steady": steady, "weightless": weightless, "crowd": crowd} {
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{2: 1}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .6}}, rigid.Options{Grid: rigid.GapGrid})
		run(t, s, .01, 40)
		if n, why := s.Cuts(); n > 0 {
			t.Errorf("%s: %d cuts: %s", name, n, why)
		}
	}
}

// Two boxes that fall freely and meet: steps that are taken again with H in the middle keep the
// momentum, and the angular momentum about the centre of mass, about which gravity has no moment.
func TestSinksKeepMomentum(t *testing.T) {
	again := 0
	for _, seed := range []uint64{3, 6, 7, 9, 19} {
		s, w := hurled(t, seed, rigid.Options{Grid: rigid.GapGrid}, false)
		about := func() (p, l [3]float64) {
			_, q, v, _ := s.State()
			p, l = momenta(w, q, v)
			var x [3]float64
			mass := 0.0
			for i := range 2 {
				m, _ := w.Inertia(i)
				at, _ := w.Place(i, q)
				for d := range 3 {
					x[d] += m * at[d]
				}
				mass += m
			}
			for d := range 3 {
				e, f := (d+1)%3, (d+2)%3
				l[d] -= (x[e]*p[f] - x[f]*p[e]) / mass
			}
			p[2] += 9.81 * mass * s.Last().T
			return p, l
		}
		p0, l0 := about()
		for range 30 {
			before := s.Energy().Projection
			run(t, s, .01, 1)
			p, l := about()
			if len(s.Last().Cuts) == 1 && s.Energy().Projection == before { // a projection moves what has a velocity
				again++
				for d := range 3 {
					near(t, "momentum", p[d], p0[d], 1e-12)
					near(t, "angular momentum", l[d], l0[d], 1e-12) // of 1 N m s
				}
			}
			p0, l0 = p, l
		}
	}
	if again < 3 {
		t.Errorf("%d steps were taken again", again)
	}
}

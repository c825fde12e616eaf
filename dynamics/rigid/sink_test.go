package rigid_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// hurled are two boxes of a seed that fall onto a floor and each other, turning.
func hurled(t *testing.T, seed uint64, o rigid.Options) *rigid.Stepper {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	w := world(t, 3, [3]float64{2: -9.81})
	z := .02
	for range 2 {
		b := bodies.Body{Mass: .5 + 4*r.Float64(), Velocity: [3]float64{r.Float64() - .5, r.Float64() - .5, -2}}
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
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{2: 1}))
	return start(t, w, rigid.Setup{Material: rigid.Material{Mu: .2 + .5*r.Float64()}}, o)
}

// Thrown boxes on the gap grid, h = 10 ms: a step that ends deep in a body is taken again, and says so, at first
// in its whole length with the bends of its gaps, then in halves. Projections make .05 J and more in some steps that are not cut, a tenth of that in no step
// that is; and no step makes energy, as gravity and obstacles at rest do not.
func TestSinks(t *testing.T) {
	total := [2]float64{}
	bends, halves := 0, 0
	for _, seed := range []uint64{11, 12, 13, 20, 35} {
		for k, o := range []rigid.Options{{Grid: rigid.GapGrid}, {Grid: rigid.GapGrid, Uncut: true}} {
			s, most := hurled(t, seed, o), 0.0
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
					if k == 1 || !strings.Contains(c.Reason, "the step ends 0.0005 of a body deep") || !strings.Contains(c.Reason, " overlap by ") {
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

// What is steady is not cut: a box at rest on another, and a plank that tips over an edge at ω²r = 1 m/s², whose gap bends by 5e-5 m in 10 ms.
func TestSinksNot(t *testing.T) {
	w := world(t, 3, [3]float64{2: -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{2: 1}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.4, .4, .4}}, Mass: 1, Position: [3]float64{2: .2}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.4, .2, .1}}, Mass: 1, Position: [3]float64{.15, 0, .45}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.4, .1, .1}}, Mass: 1, Position: [3]float64{2: .55}, Spin: [3]float64{1: 1}}))
	s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: .6}}, rigid.Options{Grid: rigid.GapGrid})
	run(t, s, .01, 40)
	if n, why := s.Cuts(); n > 0 {
		t.Errorf("%d cuts: %s", n, why)
	}
}

package rigid_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// branches is a random tree of rods, boxes and discs at pins, which move, with drag and loads; its
// joints name the body that hangs first or last. Inexact trees hang on nothing. A slack spring
// between two bodies that are far away makes no difference but that the step is solved by the
// general rounds.
func branches(t *testing.T, seed uint64, loose, slack bool, o rigid.Options) *rigid.Stepper {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	w := world(t, 2, [3]float64{.3, -9.81})
	var x multibody.Setup
	at := [][2]float64{}
	const n = 9
	for i := range n {
		j := multibody.Joint{Kind: multibody.Revolute, A: i, B: -1}
		if i > 0 {
			j.B = r.IntN(i)
			j.At = [3]float64{at[j.B][0] + .2*r.NormFloat64(), at[j.B][1] + .2*r.NormFloat64()}
		}
		c := [2]float64{j.At[0] + .3*r.NormFloat64(), j.At[1] + .3*r.NormFloat64()}
		at = append(at, c)
		if r.IntN(2) == 0 && j.B >= 0 {
			j.A, j.B = j.B, j.A
		}
		b := bodies.Body{Shape: bodies.Disc{R: .05}, Mass: math.Exp(r.NormFloat64()), Position: [3]float64{c[0], c[1]},
			Angle: r.NormFloat64(), Drag: .3 * r.Float64(), SpinDrag: .01 * r.Float64()}
		b.Load = signal.Vector{signal.Constant(r.NormFloat64()), signal.Constant(r.NormFloat64())}
		must[int](t)(w.Add(b))
		if i > 0 || !loose {
			x.Joints = append(x.Joints, j)
		}
	}
	x.Apart = map[[2]int]bool{}
	for i := range 2 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{100, 100 + float64(i)}}))
	}
	for a := range n + 2 {
		for b := range a {
			x.Apart[[2]int{b, a}] = true
		}
	}
	if slack {
		x.Forces = []multibody.Force{&multibody.Spring{A: n, B: n + 1}}
	}
	return start(t, w, x, o)
}

// TestPins: what the kernel for pins in the plane solves is what the general rounds do, for trees
// that are held and loose, with drag and loads: to what both leave of the equations, 1e-13 of the
// speeds a step, which 100 steps of a swinging tree let grow a thousandfold.
func TestPins(t *testing.T) {
	for seed := range uint64(6) {
		for k, o := range []rigid.Options{{Alpha: .5}, {Alpha: .75}, {}, {Alpha: .5, Jacobians: multibody.NoJacobians}} {
			loose := seed%2 == 1
			name := fmt.Sprintf("tree %d, options %d", seed, k)
			x, y := branches(t, seed, loose, false, o), branches(t, seed, loose, true, o)
			for range 100 {
				for _, s := range []*rigid.Stepper{x, y} {
					if err := s.Step(context.Background(), 2e-3); err != nil {
						t.Fatal(name, err)
					}
				}
			}
			_, q, v, _ := x.State()
			_, p, u, _ := y.State()
			for i := range q {
				near(t, name+": coordinate", q[i], p[i], 1e-9)
			}
			for i := range v {
				near(t, name+": velocity", v[i], u[i], 1e-8)
			}
			a, b := x.Energy(), y.Energy()
			near(t, name+": residual of the energy", a.Residual, 0, 1e-11)
			near(t, name+": energy", a.Kinetic+a.Potential, b.Kinetic+b.Potential, 1e-8)
			near(t, name+": scheme", a.Scheme, b.Scheme, 1e-8)
			for j := range 8 {
				for d := range 2 {
					near(t, name+": reaction", x.Reaction(j).Force[d], y.Reaction(j).Force[d], 1e-6) // speeds over h
				}
			}
		}
	}
}

// TestPinsTurnTooFar: what the kernel does not solve is refused with the words of the general
// rounds.
func TestPinsTurnTooFar(t *testing.T) {
	x, y := branches(t, 1, false, false, rigid.Options{Alpha: .5, Uncut: true}),
		branches(t, 1, false, true, rigid.Options{Alpha: .5, Uncut: true})
	for _, h := range []float64{.5, 5} {
		a, b := x.Step(context.Background(), h), y.Step(context.Background(), h)
		if a == nil || b == nil || a.Error() != b.Error() {
			t.Errorf("h = %g: %v, want %v", h, a, b)
		}
	}
}

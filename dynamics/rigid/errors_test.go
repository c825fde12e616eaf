package rigid_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// Each error of a step names the bodies by their names, the place, the time and
// what to try.
func TestErrorsNameTheirBodies(t *testing.T) {
	ball := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1}
	at := func(b bodies.Body, x, y, vx, vy float64) bodies.Body {
		b.Position, b.Velocity = [3]float64{x, y}, [3]float64{vx, vy}
		return b
	}
	rod := at(ball, .5, .1, 0, 0)
	rod.Spin[2] = 1e4
	names := []string{"ball", "other"}
	for name, c := range map[string]struct {
		bodies []bodies.Body
		walls  [][2][3]float64
		setup  multibody.Setup
		o      rigid.Options
		want   []string
	}{
		"Zeno": {[]bodies.Body{at(ball, 0, 0, 1e8, 0)}, [][2][3]float64{{{-.2}, {1}}, {{.2}, {-1}}},
			multibody.Setup{Material: multibody.Material{Restitution: 1}}, rigid.Options{},
			[]string{`body "ball" and obstacle "`, "0.2, 0, 0) m", "t = 1.99e-07 s", "less restitution than 1", "smaller step"}},
		"tunnel": {[]bodies.Body{ball, at(ball, 0, 1, 0, -500)}, nil, multibody.Setup{}, rigid.Options{Grid: rigid.GapGrid},
			[]string{`body "ball" and body "other" pass`, "at (0, 0.1, 0) m", "t = 0 s", "a step of 0.0002 s resolves it"}},
		"no number": {[]bodies.Body{ball, at(ball, 1, 0, 0, 0)}, nil,
			multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 1, B: -1, Stiffness: 1e200}}},
			rigid.Options{Jacobians: multibody.NoJacobians},
			[]string{`body "other"`, "not finite", "smaller step"}},
		"matrix": {[]bodies.Body{ball, at(ball, 1, 0, 0, 0)}, nil,
			multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 1, B: -1, Stiffness: 1e8, RestLength: 2}}}, rigid.Options{},
			[]string{`body "other" and what is tied to it`, "not positive definite", "semidefinite Jacobians"}},
		// a crank that turns by 100 rad in the step, with its rod on a rail
		"joints that cannot close": {[]bodies.Body{at(ball, 0, 0, 0, 1e4), rod}, nil,
			multibody.Setup{Joints: []multibody.Joint{{Name: "shaft", Kind: multibody.Revolute, A: 0, B: -1, At: [3]float64{-.3}},
				{Name: "pin", Kind: multibody.Revolute, A: 1, B: 0, At: [3]float64{.2}},
				{Name: "rail", Kind: multibody.Slider, A: 1, B: -1, At: [3]float64{.7}, Axis: [3]float64{1}}}},
			rigid.Options{}, []string{`joint "`, "(revolute) cannot close", "smaller step"}},
		// the rope holds the ball below the floor
		"joints that gaps contradict": {[]bodies.Body{at(ball, .1, -.05, 0, 0)}, [][2][3]float64{{{}, {0, 1}}},
			multibody.Setup{Joints: []multibody.Joint{{Name: "rope", Kind: multibody.Distance, A: 0, B: -1,
				At: [3]float64{.1, -.05}, Other: [3]float64{0, -.3}}}}, rigid.Options{},
			[]string{`joint "rope" (distance) cannot close`, `body "ball" and obstacle "west" overlap by`}},
	} {
		w := world(t, 2, [3]float64{})
		for _, b := range c.bodies {
			must[int](t)(w.Add(b))
		}
		for _, x := range c.walls {
			must[int](t)(w.AddHalfSpace(x[0], x[1]))
		}
		c.setup.Names, c.setup.HalfSpaces = names, []string{"west", "east"}
		c.o.Uncut = true
		c.o.Settle = true
		s, err := rigid.NewStepper(must[*multibody.Model](t)(multibody.NewModel(w, c.setup)), c.o)
		if err == nil {
			err = s.Step(context.Background(), 0.01)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q, want %q in it", name, err, want)
			}
		}
	}
}

// Bodies that overlap at the start are refused, with the pair and the depth, or
// moved apart on request.
func TestOverlapAtTheStart(t *testing.T) {
	build := func(settle bool) (*rigid.Stepper, error) {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		for i := range 3 {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1,
				Position: [3]float64{0, 0, .09 + .19*float64(i)}}))
		}
		return rigid.NewStepper(must[*multibody.Model](t)(multibody.NewModel(w,
			multibody.Setup{Material: multibody.Material{Mu: .5}})), rigid.Options{Settle: settle})
	}
	if _, err := build(false); err == nil || !strings.Contains(err.Error(), "body 0 and half-space 0") ||
		!strings.Contains(err.Error(), "overlap by 0.01 m") {
		t.Errorf("error %v", err)
	}
	s := must[*rigid.Stepper](t)(build(true))
	_, q, _, _ := s.State()
	for i, z := range []float64{.1, .3, .5} {
		near(t, "height", q[7*i+2], z, 3e-11) // 1e-12 of what a round opens, .01, .02 and .03 m
	}
	run(t, s, .01, 100)
	near(t, "kinetic energy", s.Last().Energy.Kinetic, 0, 0) // it rests from the first step on
}

// A box 1e18 times as light as those that it carries takes their forces out of the sums of
// doubles: the step is given up after a few cuts, not after 2^8, and the error says why. On
// top of them it does no harm, nor does a box 1e12 times as light below.
func TestSwampedStack(t *testing.T) {
	for _, c := range []struct {
		light int
		mass  float64
		lost  bool
	}{{1, 1e-16, true}, {2, 1e-18, false}, {1, 1e-11, false}} {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		for i := range 3 {
			mass := 1.0
			if i == c.light {
				mass = c.mass
			}
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: mass,
				Position: [3]float64{0, 0, .1 + .2*float64(i)}}))
		}
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.5}}, rigid.Options{})
		var err error
		for k := 0; k < 3 && err == nil; k++ { // what the solvers make of rounding may pass once
			err = s.Step(t.Context(), 0.005)
		}
		if want := fmt.Sprintf("body %d of 1e-16 kg touches", c.light); (err != nil) != c.lost || err != nil &&
			(!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "leaves 0 of 16 digits")) {
			t.Errorf("body %d of %g kg: error %v", c.light, c.mass, err)
		}
	}
}

// TestMemoryNeed: what an error says that the contacts at once need is enough, and a byte less is
// not.
func TestMemoryNeed(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		step := func(limit int64) error {
			w := world(t, dim, [3]float64{0, -9.81})
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
			for i := range 6 {
				var shape bodies.Shape = plate(.2, .2)
				if dim == 3 {
					shape = bodies.Box{Size: [3]float64{.2, .2, .2}}
				}
				must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: 1, Position: [3]float64{0, .1 + .2*float64(i)}}))
			}
			s, err := rigid.NewStepper(must[*multibody.Model](t)(multibody.NewModel(w,
				multibody.Setup{Material: multibody.Material{Mu: .5}})), rigid.Options{Memory: limit})
			if err != nil {
				return err
			}
			return s.Step(t.Context(), .01)
		}
		var e *rigid.MemoryError
		need := int64(0)
		for limit := int64(1 << 10); limit < 1<<24; limit += limit / 8 { // until all touches are found and predicted
			if err := step(limit); errors.As(err, &e) && e.Need > 0 {
				need = e.Need
			} else if err == nil {
				break
			}
		}
		if err := step(need); need == 0 || err != nil {
			t.Errorf("%d dimensions, %d bytes: %v", dim, need, err)
		}
		if err := step(need - 1); !errors.As(err, &e) || e.Need != need || e.Limit != need-1 ||
			!strings.Contains(err.Error(), "contacts at once need") {
			t.Errorf("%d dimensions, a byte less than %d: %v", dim, need, err)
		}
	}
}

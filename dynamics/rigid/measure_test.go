package rigid_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func measure(t *testing.T, list []dynamics.Measure, name string) dynamics.Measure {
	t.Helper()
	for _, m := range list {
		if strings.HasPrefix(m.Name, name) {
			return m
		}
	}
	t.Fatalf("no measure %q", name)
	return dynamics.Measure{}
}

// A pendulum in the scheme of the paper: its projections make energy, .1 J a
// second of 4.9 J at h = 5 ms, which the verdict finds; the secant scheme passes.
func TestVerdictOfAPendulum(t *testing.T) {
	for _, scheme := range []rigid.Scheme{rigid.Gavrea, rigid.Secant} {
		s, _ := chainOf(t, 1, 2, 1, rigid.Options{Alpha: .5, Scheme: scheme})
		run(t, s, .005, 1000)
		e := s.Energy()
		m := measure(t, s.Accurate(1e-2), "energy made by projections")
		all := measure(t, s.Accurate(1e-2), "energy made or destroyed by the scheme")
		if good := scheme == rigid.Secant; m.Passed() != good || all.Passed() != good {
			t.Errorf("%v: %+v, %+v", scheme, m, all)
		}
		c := s.Creation()
		near(t, "creation", c.Sum, e.Residual-e.Projection-e.Joints-e.Normal-e.Scheme, 1e-12) // 1000 roundings of 5 J
		for _, m := range s.Solved() {
			if !m.Passed() {
				t.Errorf("%v: %+v", scheme, m)
			}
		}
	}
}

// Steps chosen by accuracy: the double pendulum to 1e-2 and 1e-3 of its motion,
// against one of short steps; the measures say no less than what it is off by.
func TestChosenSteps(t *testing.T) {
	const until = .5
	exact := pendulum(t, false, rigid.Options{Alpha: .5})
	run(t, exact, until/20000, 20000)
	_, want, _, _ := exact.State()
	for _, accuracy := range []float64{1e-2, 1e-3} {
		s := pendulum(t, false, rigid.Options{Alpha: .5})
		a, err := dynamics.NewAdaptive(context.Background(), s, dynamics.AdaptiveOptions{Until: until, Accuracy: accuracy})
		if err != nil {
			t.Fatal(err)
		}
		for !a.Done() {
			if err := a.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		_, q, _, _ := s.State()
		for body := range 2 {
			off := math.Hypot(q[3*body]-want[3*body], q[3*body+1]-want[3*body+1])
			if off > accuracy { // the bodies move by more than 1 m
				t.Errorf("accuracy %g: body %d is off by %g m", accuracy, body, off)
			}
		}
		near(t, "end", s.Last().T, until, 1e-12)
		if m := a.Measures()[0]; !m.Passed() {
			t.Errorf("accuracy %g: %+v", accuracy, m)
		}
	}
}

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

// TestVerdictTells: the lines of what is solved have what the steps have left, the worst with its
// time, what is drift only where joints are held, and two more from the first problem on that was
// solved to the error of its step; what is not estimated are the collisions that nothing decides.
func TestVerdictTells(t *testing.T) {
	s := garden(t, 2, rigid.Options{})
	load := func(change func(*rigid.Worth)) {
		t.Helper()
		var c rigid.Checkpoint
		s.Save(&c)
		change(&c.Worth)
		if err := s.Load(&c); err != nil {
			t.Fatal(err)
		}
	}
	load(func(w *rigid.Worth) {
		w.Residual, w.Gap, w.GapAt, w.Depth, w.DepthAt, w.Ambiguous, w.Narrow, w.Narrowest = 4, 5, 3, 2, 1, 4, 6, 1e-7
	})
	list := s.Solved()
	if len(list) != 3 || list[0].Value != 4 || list[1].Value != 5 || list[2].Value != 2 || list[1].Remedy == "" ||
		!strings.Contains(list[1].Place, "t = 3 s") {
		t.Errorf("%+v", list)
	}
	if said := s.NotEstimated(); len(said) != 2 || !strings.HasPrefix(said[0], "4 collisions in") ||
		!strings.Contains(said[1], "6 collisions whose") || !strings.Contains(said[1], "the least 1e-07 m") {
		t.Errorf("%q", said)
	}
	load(func(w *rigid.Worth) { w.Gap, w.Ambiguous = 1e-9, 1 })
	if s.Solved()[1].Remedy != "" || !strings.HasPrefix(s.NotEstimated()[0], "1 collision in") {
		t.Errorf("%+v, %q", s.Solved()[1], s.NotEstimated())
	}
	load(func(w *rigid.Worth) { w.Inexact = rigid.Inexact{Solves: 1} })
	if given := s.Solved()[2]; given.Value != 0 || !given.Passed() {
		t.Errorf("nothing given: %+v", given)
	}
	load(func(w *rigid.Worth) { w.Inexact = rigid.Inexact{Solves: 2, Share: .01, Given: .25, Taken: 10} })
	if list := s.Solved(); len(list) != 5 || list[1].Value != .01 || list[2].Value != .025 {
		t.Errorf("%+v", list)
	}
	if list := garden(t, 2, rigid.Options{Unstabilised: true}).Solved(); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

// TestWorstIsland: of each part of the scheme the worst island is told, over what moves there, with
// what was most in a step and what was destroyed.
func TestWorstIsland(t *testing.T) {
	s := garden(t, 2, rigid.Options{})
	run(t, s, 1e-3, 1)
	var c rigid.Checkpoint
	s.Save(&c)
	w := &c.Worth
	for i, root := range w.Made.Root {
		if root == i {
			w.Made.Island[i].Start, w.Made.Island[i].Moved = float64(i+1), 0
			for k := range w.Portions[i] {
				w.Portions[i][k] = rigid.Portion{Made: .1 * float64(k+1), Most: float64(i), MostAt: 5, Lost: 3}
			}
		}
	}
	if err := s.Load(&c); err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, m := range s.Accurate(.01) {
		if !strings.HasPrefix(m.Name, "energy made by ") {
			continue
		}
		parts++
		if k := math.Round(10*m.Value) - 1; !(k >= 0 && math.Abs(m.Value-.1*(k+1)) <= 1e-12) ||
			!strings.HasSuffix(m.Place, "most of it 0 J at t = 5 s; destroyed 3 J") || m.Remedy == "" || m.Passed() {
			t.Errorf("%+v", m)
		}
	}
	if parts < 4 {
		t.Errorf("%d parts", parts)
	}
}

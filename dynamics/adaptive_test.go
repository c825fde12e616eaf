package dynamics

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// adapt runs s to the end by steps of its own choice.
func adapt(t *testing.T, s *Stepper, o AdaptiveOptions, visit func()) *Adaptive {
	t.Helper()
	a, err := NewAdaptive(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if s.now.T != 0 || s.step.Index != 0 || s.Creation().Most != 0 {
		t.Fatalf("the pilot left the stepper at t = %g", s.now.T)
	}
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		if visit != nil {
			visit()
		}
	}
	if s.State().T != o.Until {
		t.Fatalf("the run ends at %g, want %g", s.State().T, o.Until)
	}
	return a
}

// TestAdaptiveIsAccurate: the true errors of closed forms and of the reference are within
// the accuracy asked for, and of the order of it; so says the run of itself.
func TestAdaptiveIsAccurate(t *testing.T) {
	thorough.Seconds(t)
	rigid := func(law contact.Law) *Patch {
		p, err := NewRigid(law, 2)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// Thrown from z = 1 with v = (3, 1) under g = 10: lands at t* = .1 + √.21 with the speed
	// 10√.21, loses .3 of that of its 3 m/s, and slides to a halt at 3 m/s² by t = 1.2.
	land := .1 + math.Sqrt(.21)
	slow := 3 - .3*10*math.Sqrt(.21)
	thrown := 3*land + slow*slow/6
	slider := func(name string, theta float64) func() *Stepper {
		return func() *Stepper {
			return newSlider(t, name, contact.Coulomb{Mu: .3}, []float64{1, -.4, 0}, Options{ImplicitForce: true, Theta: theta})
		}
	}
	for name, c := range map[string]struct {
		make  func() *Stepper
		until float64
		want  []float64 // coordinates, to more digits than the least accuracy
		size  float64   // how far it moves [m]
		steps int       // at most, at 1e-2
	}{
		"A":       {slider("A", 0), 1, []float64{.2698167261, -.0572278870}, .2759, 600},
		"A, θ=½":  {slider("A", .5), 1, []float64{.2698167261, -.0572278870}, .2759, 600},
		"B":       {slider("B", 0), 1, []float64{.2696238790, -.0570408466}, .2757, 600},
		"ellipse": {func() *Stepper { return newEllipse(t, 0, Options{}) }, 2, []float64{.19099364, .05059901}, .172, 12000},
		"thrown": {func() *Stepper {
			return fall(t, &faller{patch: rigid(contact.Coulomb{Mu: .3}), m: 2, g: 10}, Options{}, 1, 3, 1, 1, 0)
		},
			2, []float64{thrown, 0}, math.Hypot(thrown, 1), 800}, // of which the dissipated energy asks for 200
	} {
		for _, accuracy := range []float64{.1, 1e-2, 1e-3} {
			if name == "ellipse" && accuracy < 1e-2 {
				continue // 85,000 steps
			}
			s := c.make()
			a := adapt(t, s, AdaptiveOptions{Until: c.until, Accuracy: accuracy}, nil)
			off := 0.0
			for i, want := range c.want {
				off = max(off, math.Abs(s.State().Q[i]-want))
			}
			m, energy := a.Measures()[0], s.Accurate(accuracy)
			if off > accuracy*c.size || !m.Passed() || !energy[0].Passed() || !energy[1].Passed() {
				t.Errorf("%s, accuracy %g: off by %g of %g m; %+v, %+v", name, accuracy, off, c.size, m, energy[0])
			}
			if accuracy == 1e-2 && a.Stats().Accepted > c.steps {
				t.Errorf("%s: %+v, want at most %d steps", name, a.Stats(), c.steps)
			}
			t.Logf("%s, accuracy %g: true error %.2g, estimated %.2g, energy %.2g; %+v", name, accuracy, off/c.size,
				m.Value, energy[0].Value, a.Stats())
		}
	}
}

// TestAdaptiveStill: what does not move, or moves straight, needs the fewest steps there are.
func TestAdaptiveStill(t *testing.T) {
	for name, s := range map[string]*Stepper{
		"at rest":        fall(t, &faller{m: 2, g: 10}, Options{}, 0, 0, 0, 1, 0),
		"held":           fall(t, &faller{m: 2, g: 10, f: 1}, Options{}, 0, 0, 0, 1, 0),
		"nothing at all": fall(t, &faller{m: 2}, Options{}, 1, 0, 0, 1, 0),
		"straight":       fall(t, &faller{m: 2}, Options{}, 1, 3, 4, 1, 0),
	} {
		a := adapt(t, s, AdaptiveOptions{Until: 10}, nil)
		if x := a.Stats(); x.Accepted != 64 || !a.Measures()[0].Passed() {
			t.Errorf("%s: %+v, %+v", name, x, a.Measures())
		}
	}
}

// TestAdaptiveLeavesNoTrace: the accepted steps made one after the other, without the rejected
// ones, have the same bits, ledger and all; so has a run that goes on from a checkpoint of any
// step, the middles of pairs too; and so has the same run again.
func TestAdaptiveLeavesNoTrace(t *testing.T) {
	thorough.Seconds(t)
	fresh := func() *Stepper {
		p, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{2e4, 1e4}, []float64{20, 20})
		if err != nil {
			t.Fatal(err)
		}
		return fall(t, &faller{patch: p, m: 2, g: 10}, Options{}, .2, 1, 0, 1, 0)
	}
	o := AdaptiveOptions{Until: 1, Accuracy: .05}
	s := fresh()
	var times []float64
	var saved []Checkpoint
	var states []AdaptiveState
	var a *Adaptive
	a, err := NewAdaptive(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		times = append(times, s.State().T)
		saved, states = append(saved, Checkpoint{}), append(states, AdaptiveState{})
		s.Save(&saved[len(saved)-1])
		a.Save(&states[len(states)-1])
	}
	same := func(what string, x *Stepper) {
		t.Helper()
		if !slices.Equal(x.State().Q, s.State().Q) || !slices.Equal(x.State().V, s.State().V) ||
			x.Ledger() != s.Ledger() || x.Creation() != s.Creation() {
			t.Errorf("%s: %v, %+v, want %v, %+v", what, x.State().Q, x.Ledger(), s.State().Q, s.Ledger())
		}
	}
	plain, last := fresh(), 0.0
	for _, now := range times {
		k := math.Round(math.Log2(o.Until / (now - last))) // steps are Until/2^k
		if err := plain.Advance(context.Background(), math.Ldexp(o.Until, -int(k)), now); err != nil {
			t.Fatal(err)
		}
		last = now
	}
	same("plain", plain)
	again := fresh()
	b := adapt(t, again, o, nil)
	same("again", again)
	if b.Stats() != a.Stats() {
		t.Errorf("%+v, then %+v", a.Stats(), b.Stats())
	}
	for k := 0; k < len(saved); k += 1 + len(saved)/12 { // a dozen places
		x := fresh()
		if err := x.Load(&saved[k]); err != nil {
			t.Fatal(err)
		}
		b, err := ResumeAdaptive(x, o, &states[k])
		if err != nil {
			t.Fatal(err)
		}
		for !b.Done() {
			if err := b.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		same("resumed", x)
		if b.Stats().Accepted != a.Stats().Accepted || b.Measures()[0] != a.Measures()[0] {
			t.Errorf("resumed after step %d: %+v, want %+v", k, b.Stats(), a.Stats())
		}
	}
}

// TestAdaptiveUnits: in units of 2^20 m, kg or s the same steps are made, bit by bit.
func TestAdaptiveUnits(t *testing.T) {
	thorough.Seconds(t)
	run := func(length, mass, time float64) (float64, AdaptiveStats) {
		stiffness := mass / (time * time)
		p, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{2e4 * stiffness, 1e4 * stiffness},
			[]float64{20 * stiffness * time, 20 * stiffness * time})
		if err != nil {
			t.Fatal(err)
		}
		s := fall(t, &faller{patch: p, m: 2 * mass, g: 10 * length / (time * time)}, Options{}, .2*length, length/time, 0, 1, 0)
		a := adapt(t, s, AdaptiveOptions{Until: time, Accuracy: .05}, nil)
		return s.State().Q[0] / length, a.Stats()
	}
	x, want := run(1, 1, 1)
	const big = 1 << 20
	for _, u := range [][3]float64{{big, 1, 1}, {1. / big, 1, 1}, {1, big, 1}, {1, 1. / big, 1}, {1, 1, big},
		{1, 1, 1. / big}, {big, 1. / big, big}} {
		y, stats := run(u[0], u[1], u[2])
		stats.Least, stats.Most = stats.Least/u[2], stats.Most/u[2]
		if y != x || stats != want {
			t.Errorf("units %v: x = %g, %+v, want %g, %+v", u, y, stats, x, want)
		}
	}
}

// TestAdaptiveErrors: wrong options, states and a context that ends are errors, and the
// stepper stays where it was.
func TestAdaptiveErrors(t *testing.T) {
	for want, o := range map[string]AdaptiveOptions{
		"Until is 0": {}, "Until is +Inf": {Until: math.Inf(1)}, "Accuracy is 1": {Until: 1, Accuracy: 1},
		"Accuracy is 1e-09": {Until: 1, Accuracy: 1e-9},
		"Longest is NaN":    {Until: 1, Longest: math.NaN()},
	} {
		if _, err := NewAdaptive(context.Background(), fall(t, &faller{m: 1}, Options{}, 1, 0, 0, 1, 0),
			o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	s := fall(t, &faller{m: 1, g: 10}, Options{}, 1, 0, 0, 1, 0)
	ctx, cancel := context.WithCancel(context.Background())
	a, err := NewAdaptive(ctx, s, AdaptiveOptions{Until: 1})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := a.Step(ctx); !errors.Is(err, context.Canceled) || s.now.T != 0 {
		t.Errorf("%v, t = %g", err, s.now.T)
	}
	if _, err := NewAdaptive(ctx, s, AdaptiveOptions{Until: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := ResumeAdaptive(s, AdaptiveOptions{Until: 1}, &AdaptiveState{Level: 99}); err == nil {
		t.Error("a state of level 99 is accepted")
	}
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Step(context.Background()); err == nil {
		t.Error("a step after the end")
	}
}

// TestAdaptiveBreaks: a break of the loads cuts the run into stretches, each in steps of their
// parts no longer than those of the run; steps of a longest length are as short as asked.
func TestAdaptiveBreaks(t *testing.T) {
	s := fall(t, &faller{m: 2}, Options{}, 1, 3, 4, 1, 0)
	a := adapt(t, s, AdaptiveOptions{Until: 1, Breaks: []float64{.3}}, nil)
	if x := a.Stats(); math.Abs(x.Least-.3/32) > 1e-15 || math.Abs(x.Most-.7/64) > 1e-15 {
		t.Errorf("%+v", x)
	}
	s = fall(t, &faller{m: 2}, Options{}, 1, 3, 4, 1, 0)
	a = adapt(t, s, AdaptiveOptions{Until: 1, Longest: 1e-3}, nil)
	if x := a.Stats(); x.Least != 1./1024 || x.Most != 1./1024 {
		t.Errorf("%+v", x)
	}
}

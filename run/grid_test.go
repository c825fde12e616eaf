package run_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/signal"
)

// planOf returns the plan of a case with signals, before its nodes are laid out.
func planOf(t *testing.T, steps int, signals ...signal.Scalar) (*run.Plan, *casefile.Builder) {
	t.Helper()
	var d struct {
		casefile.Document
		Height float64 `json:"height"`
	}
	b := casefile.NewBuilder(t.Context(), decoded(t), &d)
	for _, s := range signals {
		b.Signals = append(b.Signals, casefile.Signal{Path: casefile.Path{"height"}, Of: s})
	}
	return &run.Plan{Until: 1, Steps: steps}, b
}

func sine(t *testing.T, frequency float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewSine(0, 1, frequency, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pulse has kinks at .123 and .456.
func pulse(t *testing.T) signal.Scalar {
	t.Helper()
	s, err := signal.NewTable([]float64{0, .123, .456, 1}, []float64{0, 0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNodesSeeSines: eight nodes a period, all steps equal, and a note that says so; steps that see
// the sine stay as they are.
func TestNodesSeeSines(t *testing.T) {
	for _, c := range []struct{ asked, want int }{{10, 400}, {400, 400}, {399, 798}} {
		p, b := planOf(t, c.asked, sine(t, 50))
		p.Resolve(b)
		if b.Err() != nil || p.Steps != c.want || !p.Grid().Equal() || (len(p.Notes) == 1) != (c.want != c.asked) {
			t.Errorf("%d steps: %d, %v, notes %v", c.asked, p.Steps, b.Err(), p.Notes)
		}
		if h := p.Step(); p.StepFrom(.5) != h || p.StepTo(.5) != h || math.Abs(p.Time(p.Steps)-1) > 1e-15 {
			t.Errorf("%d steps of %g, the end is %g", p.Steps, h, p.Time(p.Steps))
		}
	}
}

// TestNodesMeetKinks: each kink is a node, the lengths of the steps are the distances of the nodes,
// and those of twice as many steps are among them.
func TestNodesMeetKinks(t *testing.T) {
	p, b := planOf(t, 10, pulse(t))
	p.Resolve(b)
	if b.Err() != nil || p.Grid().Equal() || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "kinks") {
		t.Fatalf("%v, %v", b.Err(), p.Notes)
	}
	met := 0
	for k := range p.Steps {
		from, to := p.Time(k), p.Time(k+1)
		if math.Abs(p.StepFrom(from)-(to-from)) > 1e-15 || math.Abs(p.StepTo(to)-(to-from)) > 1e-15 || to-from > .1+1e-12 {
			t.Errorf("step %d from %g to %g: %g, %g", k, from, to, p.StepFrom(from), p.StepTo(to))
		}
		if math.Abs(to-.123) < 1e-9 || math.Abs(to-.456) < 1e-9 {
			met++
		}
	}
	if met != 2 || len(p.Stretches()) == 0 {
		t.Errorf("%d kinks of 2 are nodes, stretches %v", met, p.Stretches())
	}
	twice, other := p.Refined(2*p.Steps), p.Refined(7)
	for k := range p.Steps + 1 {
		if twice.Time(2*k) != p.Time(k) {
			t.Errorf("node %d: %g, refined %g", k, p.Time(k), twice.Time(2*k))
		}
	}
	if other.Steps < 7 || math.Abs(other.Time(other.Steps)-1) > 1e-15 || len(other.Notes) != 0 {
		t.Errorf("7 steps asked: %d to %g", other.Steps, other.Time(other.Steps))
	}
}

// TestEqualNodesSeeKinks: where a scheme makes equal steps alone no stretch between two kinks is
// seen by less than four of them.
func TestEqualNodesSeeKinks(t *testing.T) {
	p, b := planOf(t, 10, pulse(t), sine(t, 1))
	p.ResolveEqually(b)
	if b.Err() != nil || !p.Grid().Equal() || p.Step() > .123/4+1e-12 {
		t.Errorf("%v: %d steps of %g", b.Err(), p.Steps, p.Step())
	}
}

// TestUnseenIsRefused: what takes more steps than a run makes is a fault with the path of the
// signal, for given and for chosen steps; chosen ones that see it keep their plan.
func TestUnseenIsRefused(t *testing.T) {
	for _, resolve := range []func(*run.Plan, *casefile.Builder){(*run.Plan).Resolve, (*run.Plan).ResolveNodes, (*run.Plan).ResolveChosen} {
		p, b := planOf(t, 10, sine(t, 1), sine(t, 1e9))
		resolve(p, b)
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), "$.height: found a period of 1e-09 s") ||
			!strings.Contains(err.Error(), "no run makes more") {
			t.Errorf("%v", err)
		}
		for _, frequency := range []float64{1e19, -1e25, casefile.Largest} {
			p, b = planOf(t, 10, sine(t, frequency))
			if resolve(p, b); b.Err() == nil || !strings.Contains(b.Err().Error(), "no run makes more") {
				t.Errorf("%g Hz: %v", frequency, b.Err())
			}
		}
		p, b = planOf(t, 10, sine(t, 1e6))
		if resolve(p, b); b.Err() == nil || !strings.Contains(b.Err().Error(), `"steps": 8000000`) {
			t.Errorf("%v", b.Err())
		}
	}
	p, b := planOf(t, 10, sine(t, 3))
	if p.ResolveChosen(b); b.Err() != nil || p.Steps != 10 || p.Adaptive {
		t.Errorf("chosen: %v, %d steps", b.Err(), p.Steps)
	}
}

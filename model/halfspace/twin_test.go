package halfspace

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// drivenCase is a sphere pressed and sheared on 13×13 elements.
func drivenCase(steps int, mu float64, on, approach, shift string) string {
	return fmt.Sprintf(`{"name": "driven", "model": "halfspace", "until": 2, "steps": %d, "mesh": "given", "window": {"elements": [13, 13], "size": [0.24, 0.24]},
  "body": {"young": 2, "poisson": 0.3}, "on": %q, "profile": {"sphere": 1}, "friction": {"mu": %g},
  "control": {"normal": {"approach": %s}, "x": {"shift": %s}}}`, steps, on, mu, approach, shift)
}

// judged makes a run and returns the fact of its twin, whether all others hold, and the
// dissipation at the nodes; nil: a step has no solution.
func judged(t *testing.T, text string) (twin table.Fact, others bool, dissipation []float64) {
	t.Helper()
	r := began(t, text, nil)
	r.count(0)
	for range r.c.plan.Steps {
		if r.Step(t.Context()) != nil {
			return twin, false, nil
		}
		r.count(r.step)
		dissipation = append(dissipation, r.sum.Dissipated)
	}
	others = true
	for _, f := range r.Verdict() {
		switch {
		case strings.HasPrefix(f.Name, twinName) && !strings.HasPrefix(twin.Name, "dissipation:"),
			f.Subject == dynamics.UnjudgedDissipation:
			twin = f
		default:
			others = others && f.Passed
		}
	}
	return twin, others, dissipation
}

// apart is the largest difference of dissipations at the nodes of a run from those of one in k
// times the steps, in parts of what the fact of the twin is, or more.
func apart(coarse, fine []float64, k int, energy float64) float64 {
	most := 0.0
	for i, d := range coarse {
		most = max(most, math.Abs(d-fine[(i+1)*k-1]))
	}
	return most / max(fine[len(fine)-1], leastShare*energy)
}

// TestTurnsBetweenNodes: knots of a drive are nodes, so that a load beyond what friction bears at
// one has no solution there; and a sine has eight nodes a period, of which the twin sees what they
// cut off, 1 − cos π/8 of the way. Random knots (issue 12) were off by 4 % of the dissipation where
// they lay between nodes, and a sine of two periods a step took none.
func TestTurnsBetweenNodes(t *testing.T) {
	thorough.Seconds(t)
	knots := `{"table": [[0, 0], [0.2793, -0.002354], [0.429, -0.000529], [0.7096, 0.002808], [1.0555, 0.002007], [1.1609, 0.00164], [2, 0.002383]]}`
	sine := `{"sine": {"amplitude": 0.001, "frequency": 2, "phase": 0.39269908169872414}}`
	for _, c := range []struct {
		name, text   string
		passes, ends bool
		least        float64 // of a fact that fails
	}{
		{"knots", drivenCase(216, 0.05, "similar", `{"table": [[0, 0], [0.2793, 0.01], [2, 0.00876]]}`, knots), true, true, 0},
		{"cycles", drivenCase(2, 0.05, "similar", "0.01", sine), false, true, 0.05},
		{"beyond friction", strings.Replace(drivenCase(2, 0.3, "similar", "0.01",
			`{"table": [[0, 0], [0.3, 1], [0.5, 0]]}`), "shift", "load", 1), false, false, 0},
		{"resolved", drivenCase(200, 0.3, "similar", `{"table": [[0, 0], [0.5, 0.01], [2, 0.00985]]}`,
			`{"sine": {"amplitude": 0.0014, "frequency": 0.5}}`), true, true, 0},
	} {
		twin, others, dissipation := judged(t, c.text)
		if c.ends != (dissipation != nil) || c.passes && !others || twin.Passed != c.passes || !c.passes && twin.Value < c.least {
			t.Errorf("%s: %s, the others hold: %t, %d nodes", c.name, &twin, others, len(dissipation))
		}
	}
}

// TestTwinStops: a run that is stopped while its twin is on the way, by a context that allows a
// number of looks at it, goes on from there to the bits of one that was not, whether it or its
// checkpoint does.
func TestTwinStops(t *testing.T) {
	text := edit(t, `"x": {"shift": 0}`, `"x": {"shift": {"sine": {"amplitude": 0.02, "frequency": 0.5, "phase": 0.6}}}`)
	whole := began(t, text, nil)
	for range 2 {
		stepped(t, whole)
	}
	want, stops := checkpoint(t, whole), 0
	for looks := range 32 { // the twin takes a few more
		r := began(t, text, nil)
		stepped(t, r)
		if r.Step(&patient{t.Context(), looks}) == nil {
			break
		}
		stops++
		if r.step != 1 {
			t.Fatalf("%d looks: stopped at step %d, want 1", looks, r.step)
		}
		resumed := began(t, text, checkpoint(t, r))
		for _, r := range []*Run{r, resumed} {
			if stepped(t, r); !bytes.Equal(checkpoint(t, r), want) {
				t.Errorf("%d looks: %+v, want %+v", looks, r.node, whole.node)
			}
		}
	}
	if stops < 3 {
		t.Errorf("stopped %d times, want each of the parts of a step to be", stops)
	}
}

// patient is a context that is done after a number of looks.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestDissipationIsTrue: of random drives of shift and approach no run is certified whose
// dissipation, at any node, is off by more than the accuracy, against 16 times the steps: by 1.1
// times of it, since an estimate of the first order in the step is one of a series. With
// QUASISTATIC_LONG, two minutes.
func TestDissipationIsTrue(t *testing.T) {
	thorough.Only(t, "two minutes")
	certified, refused, wrong, caught := 0, 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(12, seed))
		between := func(a, b float64) float64 { return a + (b-a)*rng.Float64() }
		times := []float64{0, between(0.05, 0.5)}
		for range rng.IntN(5) {
			times = append(times, times[len(times)-1]+between(0.02, 0.4))
		}
		rows := []string{"[0, 0]"}
		for _, at := range times[1:] {
			rows = append(rows, fmt.Sprintf("[%.4f, %.6f]", at, between(-0.003, 0.003)))
		}
		shift := fmt.Sprintf(`{"table": [%s]}`, strings.Join(rows, ", "))
		if rng.IntN(2) == 0 {
			shift = fmt.Sprintf(`{"sine": {"amplitude": %g, "frequency": %g}}`, between(1e-4, 3e-3), between(0.3, 3))
		}
		approach := fmt.Sprintf(`{"table": [[0, 0], [%.4f, 0.01], [2, %.5f]]}`, times[1], between(0.004, 0.012))
		steps, mu, on := 8+rng.IntN(70), [...]float64{0.05, 0.3, 0.8, 3}[rng.IntN(4)],
			[...]string{"similar", "similar", "rigid"}[rng.IntN(3)]
		twin, others, coarse := judged(t, drivenCase(steps, mu, on, approach, shift))
		if !others {
			continue
		}
		r := reference(t, drivenCase(steps, mu, on, approach, shift), 16)
		off := apart(coarse, r.dissipation, 16, r.highest)
		switch {
		case twin.Passed && off > 1.1e-2:
			wrong++
			t.Errorf("seed %d, %d steps: certified, off by %.2g of its dissipation, the twin says %.2g", seed, steps, off, twin.Value)
		case twin.Passed:
			certified++
		case off < 1e-2:
			refused++
		default:
			caught++
		}
	}
	t.Logf("%d certified, %d of them wrong; refused %d that are wrong, %d that are right", certified+wrong, wrong, caught, refused)
	// More than twice what the step must be refined by is refused for nothing otherwise.
	if refused > certified/2 {
		t.Errorf("%d refused that are right, %d certified", refused, certified)
	}
}

// finer is a run that others are compared with.
type finer struct {
	dissipation []float64
	highest     float64 // elastic energy
}

// reference makes a run, each of its steps cut into some, without its twin.
func reference(t *testing.T, text string, parts int) (f finer) {
	t.Helper()
	c := began(t, text, nil).c
	cut, err := c.Refined(parts * c.plan.Steps)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := cut.Start(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := begun.(*Run)
	r.twin = nil
	for range r.c.plan.Steps {
		if err := r.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		l := r.e.Ledger()
		f.dissipation, f.highest = append(f.dissipation, l.Dissipated), max(f.highest, l.Stored)
	}
	return f
}

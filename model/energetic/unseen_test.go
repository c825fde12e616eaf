package energetic_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// What varies in place or time within a step was certified, exit 0, as if it were not there: steps
// that are commensurate with it, and parts of them, see the same phase at each node. The truth is
// that of the drum: the least friction of a period counts for what sticks, the largest bound on the
// way for what slides.

// pulled is a particle pressed with 1.5 N and pulled by a spring of 2 N/m whose end goes to a place
// in a second.
const pulled = `{"name": "unseen", "model": "energetic", "until": 1, %s "friction": {"f": %s},
	"particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}],
	"anchors": [{"id": "u", "at": {"table": [[0, [0, 0, -0.3]], [1, [%g, 0, -0.3]]]}}],
	"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}]}`

// last returns a coordinate of the only particle at the end.
func last(t *testing.T, x *trial.Trial) float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(x.Dir, table.TrajectoryFile))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	var at [4]float64
	if _, err := fmt.Sscanf(rows[len(rows)-1], "%g,%g,%g,%g", &at[0], &at[1], &at[2], &at[3]); err != nil {
		t.Fatal(err)
	}
	return at[1]
}

// refused fails the test if the run is certified, and returns the fact with a name.
func refused(t *testing.T, x *trial.Trial, name string) *table.Fact {
	t.Helper()
	if x.Summary.Certified {
		t.Errorf("certified at x = %g", last(t, x))
	}
	for i := range x.Summary.Facts {
		if f := &x.Summary.Facts[i]; strings.HasPrefix(f.Name, name) && !f.Passed {
			return f
		}
	}
	t.Errorf("no fact %q fails: %v", name, x.Summary.Facts)
	return nil
}

// A strip of 5 mm on which friction is five times as large: the particle sticks on it. Steps that
// were chosen went over it.
func TestStripIsSeen(t *testing.T) {
	strip := `{"map": {"x": [-5, 1, 1.0005, 1.0055, 1.006, 10], "y": [-1, 1], "mu": [[0.3, 0.3, 1.5, 1.5, 0.3, 0.3], [0.3, 0.3, 1.5, 1.5, 0.3, 0.3]]}}`
	x := trial.Run(t, fmt.Sprintf(pulled, "", strip, 2.), &energetic.Model)
	x.Passed(t)
	if at := last(t, x); math.Abs(at-1.0009) > 5e-4 { // on the ramp
		t.Errorf("it is at %g, want on the strip", at)
	}
	refused(t, trial.Run(t, fmt.Sprintf(pulled, `"steps": 32,`, strip, 2.), &energetic.Model), "position")
}

// Strips and peaks over slip that a step goes over, of which it dissipates little: nothing drives the particle over them
// before the spring has grown to what they hold, at .375 and at .1 of the way, and then it jumps.
func TestStripsAreNotPassed(t *testing.T) {
	for _, x := range []struct{ steps, friction string }{
		{"", `{"map": {"x": [0, 1, 1.0005, 1.0055, 1.006, 10], "y": [-1, 1], "mu": [[0.3, 0.3, 1.5, 1.5, 0.3, 0.3], [0.3, 0.3, 1.5, 1.5, 0.3, 0.3]]}}`},
		{`"steps": 64,`, `{"map": {"x": [0, 1, 1.0005, 1.0055, 1.006, 10], "y": [-1, 1], "mu": [[0.3, 0.3, 1.5, 1.5, 0.3, 0.3], [0.3, 0.3, 1.5, 1.5, 0.3, 0.3]]}}`},
		{"", `{"slip": [[0, 0.4], [0.0005, 1.6], [0.005, 1.6], [0.0055, 0.4]]}`},
		{`"steps": 64,`, `{"slip": [[0, 0.4], [0.0005, 1.6], [0.005, 1.6], [0.0055, 0.4]]}`},
	} {
		if r := trial.Run(t, fmt.Sprintf(pulled, x.steps, x.friction, 8.), &energetic.Model); r.Summary.Certified {
			t.Errorf("%s %s: certified, to x = %g", x.steps, x.friction, last(t, r))
		}
	}
}

// Where the pressure has just begun, at a landing or at the start, what a strip holds beyond the drive is too little to be judged. It
// grows with the pressure: the particle stays there for good, or long after the steps have passed.
func TestPressureGrowsOnAStrip(t *testing.T) {
	const text = `{"name": "grows", "model": "energetic", "until": 1, "friction": {"f": {"map": {"x": [-50, %[1]g, %[2]g, %[3]g, %[4]g, 50], "y": [-1, 1],
		"mu": [[%[5]g, %[5]g, %[6]g, %[6]g, %[5]g, %[5]g], [%[5]g, %[5]g, %[6]g, %[6]g, %[5]g, %[5]g]]}}},
		"particles": [{"id": "p", "at": [0, 0, %[7]g], "friction": "f"}], "anchors": [{"id": "h", "at": {"table": [[0, [0, 0, %[8]g]], [1, [%[9]g, 0, %[10]g]]]}}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "h", "stiffness": [1, 1, 1]}]}`
	for _, x := range [][]any{
		{0.85, 0.851, 0.857, 0.858, 0.3, 2.5, 0.4, 0.4, 4., -1.6},
		{0.608281, 0.608282, 0.608395, 0.608396, 0.335964, 0.727881, 0.83993, 0.83993, 1.836364, -1.70097},
		{0.130651, 0.130883, 0.133197, 0.133428, 0.250582, 1.229503, 0., -0.01, 3.395239, -0.897947},
	} {
		refused(t, trial.Run(t, fmt.Sprintf(text, x...), &energetic.Model), "position")
	}
}

// What sticks at first and slides in the rest of a step is behind the places that it would be at by then, where friction holds more
// than what drives: that drives enough at the end of the step is no strip that was passed.
func TestWaitsInAStep(t *testing.T) {
	trial.Run(t, `{"name": "waits", "model": "energetic", "until": 1, "steps": 10, "accuracy": 0.15,
		"friction": {"f": {"map": {"x": [-1, 0.01, 0.02, 0.03, 0.05, 5], "y": [-1, 1], "mu": [[0.3, 0.3, 0.31, 0.32, 0.32, 0.32], [0.3, 0.3, 0.31, 0.32, 0.32, 0.32]]}}},
		"particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}], "anchors": [{"id": "u", "at": {"table": [[0, [0, 0, -1]], [1, [2, 0, -1]]]}}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [1, 1, 1]}]}`, &energetic.Model).Passed(t)
}

// 142 waves of friction in a step, of which Gauss's points see the same one.
func TestWavesAreSeen(t *testing.T) {
	thorough.Seconds(t)
	x := trial.Run(t, fmt.Sprintf(pulled, `"steps": 20, "on_jump": "continue",`,
		`{"mu": 0.2, "ripple": {"amplitude": 0.5, "wavelength": 0.00035211267605633803, "axis": [1, 0, 0]}}`, 1.), &energetic.Model)
	if f := refused(t, x, "parts"); f != nil && f.Value < 8*142 {
		t.Errorf("it says %g parts, want at least %d", f.Value, 8*142)
	}
}

// μ(t) of 71 periods in a step: what slides does so while friction is least, and stands else.
func TestFastFrictionIsSeen(t *testing.T) {
	fast := `{"mu": {"sine": {"offset": 0.4, "amplitude": 0.3, "frequency": %g}}}`
	x := trial.Run(t, fmt.Sprintf(pulled, `"steps": 2,`, fmt.Sprintf(fast, 142.), 1.), &energetic.Model)
	// The bound is .1 · 1.5 N at a trough; at the end, at most a period later, the spring has 1 − x
	// = .075 and its way.
	if at := last(t, x); math.Abs(at-0.925) > 1./142 {
		t.Errorf("it is at %g, want .925 but for a period", at)
	}
	refused(t, x, "dissipation") // eight nodes a period see it; sixty would do
	x = trial.Run(t, fmt.Sprintf(pulled, `"steps": 2, "accuracy": 0.5,`, fmt.Sprintf(fast, 14.2), 1.), &energetic.Model)
	if x.Summary.Steps != 2*57 {
		t.Errorf("%d steps, want eight a period", x.Summary.Steps)
	}
}

// A spring that turns with its anchor, 142 periods in a step of a second.
func TestTurningSpringIsSeen(t *testing.T) {
	thorough.Seconds(t)
	const text = `{"name": "turn", "model": "energetic", "until": 0.2, "steps": 2, "stability": "convex", "friction": {"f": {"mu": 0.3}},
	"particles": [{"id": "p", "at": [0, 0, 0], "friction": "f"}],
	"anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 50, "offset": [0, 0, -0.5]}}}, {"id": "w", "at": [0, 0, -0.2]}],
	"energies": [{"type": "spring", "between": [["p", "u"]], "stiffness": 10}, {"type": "tether", "particle": "p", "anchor": "w", "stiffness": 1}]}`
	x := trial.Run(t, text, &energetic.Model)
	if d := x.Summary.Steps; d != 80 {
		t.Errorf("%d steps, want eight a period", d)
	}
	for i := range x.Summary.Facts {
		if f := &x.Summary.Facts[i]; strings.HasPrefix(f.Name, "dissipation") && f.Limit == 0 {
			t.Errorf("%s: nothing is dissipated", f.String())
		}
	}
}

// Times that are given, and adaptive steps, see signals too.
func TestGivenTimesSeeSignals(t *testing.T) {
	slow := `{"mu": {"sine": {"offset": 0.4, "amplitude": 0.3, "frequency": 4}}}`
	for name, steps := range map[string]string{"times": `"times": [0.5, 1], "accuracy": 0.9,`,
		"adaptive": `"adaptive": {"max_step": 0.5}, "accuracy": 0.9,`} {
		x := trial.Run(t, fmt.Sprintf(pulled, steps, slow, 1.), &energetic.Model)
		if x.Summary.Steps < 32 || len(x.Summary.Notes) == 0 {
			t.Errorf("%s: %d steps, want 32, and a note: %q", name, x.Summary.Steps, x.Summary.Notes)
		}
		if d := x.Diagnose(t); d.Certified != x.Summary.Certified {
			t.Errorf("%s: certified %t, diagnosed %t: %s", name, x.Summary.Certified, d.Certified, d.Message)
		}
	}
}

// On the strip (N4) fails; at the start it held, and nothing more was said.
func TestAssumptionOnTheWay(t *testing.T) {
	strip := `{"map": {"x": [-5, 0.2, 0.21, 10], "y": [-1, 1], "mu": [[0.3, 0.3, 1.5, 1.5], [0.3, 0.3, 1.5, 1.5]]}}`
	x := trial.Run(t, fmt.Sprintf(pulled, `"steps": 100,`, strip, 0.8), &energetic.Model)
	var s particleview.Section
	if err := x.Summary.Read(&s); err != nil {
		t.Fatal(err)
	}
	e := s.Existence
	if e == nil || e.Verdict != "holds" || e.Nodes == 0 || e.Worst == nil || e.Worst.Verdict != "fails" || e.Worst.Time < 0.4 {
		t.Errorf("%+v, want that it holds at the start and fails on the ramp", e)
	}
}

// TestLeastOnTheWay: Klarbring's particle has q/α = μ/2 everywhere. At the start T_* is .5 s, until
// it may unload; as its pressure falls there is less and less of that, of which the least is told.
func TestLeastOnTheWay(t *testing.T) {
	text, err := os.ReadFile("../../cases/klarbring.json")
	if err != nil {
		t.Fatal(err)
	}
	var s particleview.Section
	if err := trial.Run(t, string(text), &energetic.Model).Summary.Read(&s); err != nil {
		t.Fatal(err)
	}
	if e := s.Existence; e == nil || math.Abs(e.Ratio-0.75) > 1e-9 || !(e.Star > 0 && e.Star < 0.01) {
		t.Errorf("%+v, want q/α = 3/4 and T_* far below .5 s", e)
	}
}

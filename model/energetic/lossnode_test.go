package energetic

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// tried runs a case through its files.
func tried(t *testing.T, doc object) *trial.Trial {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return trial.Run(t, string(text), &Model)
}

// diagnosed is the verdict of the files of a run.
func diagnosed(t *testing.T, x *trial.Trial, doc object) *table.Summary {
	t.Helper()
	x.Built = built(t, doc) // the run has shortened its plan
	return x.Diagnose(t)
}

// held is a case to t = 1 of a block of 10 N on a floor, μ = 3/10, pulled by p(t) newtons along
// (.6, .8).
func held(p any) object {
	along := func(c float64) any {
		if rows, ok := p.([]any); ok {
			var list []any
			for _, row := range rows {
				row := row.([]any)
				list = append(list, []any{row[0], c * row[1].(float64)})
			}
			return object{"table": list}
		}
		return c * p.(float64)
	}
	return object{"name": "held", "model": "energetic", "until": 1.0, "steps": 4.0, "until_loss": true,
		"friction":  object{"dry": object{"mu": 0.3}},
		"particles": []any{object{"id": "a", "at": []any{0.0, 0.0, 0.0}, "friction": "dry"}},
		"energies":  []any{object{"type": "load", "particle": "a", "force": []any{along(0.6), along(0.8), -10.0}}},
		"expect":    []any{object{"quantity": "loss_time", "max": 1.0}}}
}

// TestLossAtNode: friction holds no longer at a node, t = 1/2, or as little before or after it as
// forces are solved to, or less: the time is located, and the run ends there as the case expects,
// and is certified; so does its diagnosis. A block, and two tied by a bond or a spring, of which
// the pulled one slips before.
func TestLossAtNode(t *testing.T) {
	offs := []float64{0, -1e-13, 1e-9, 1e-12, -1e-11}
	if !thorough.Asked() {
		offs = offs[:3]
	}
	for _, off := range offs {
		at := 0.5 * (1 + off)
		tied := pulled(0.3, 700)
		until := 9 / at // the loss at 9 s is off the middle
		tied["until"], tied["steps"], tied["accuracy"], tied["stability"] = until, 20., 1.0, "convex"
		tied["energies"].([]any)[2].(object)["force"].([]any)[0] = object{"table": []any{[]any{0.0, 0.0}, []any{until, until}}}
		turns := pulled(0.3, 700)
		for k, v := range tied {
			turns[k] = v
		}
		turns["energies"] = append([]any{object{"type": "spring", "between": []any{"a", "b"}, "stiffness": 700.0}},
			tied["energies"].([]any)[1:]...)
		for name, c := range map[string]struct {
			doc  object
			want float64
		}{"block": {held([]any{[]any{0.0, 0.0}, []any{1.0, 3 / at}}), at}, "tied": {tied, 9}, "tied by a spring": {turns, 9}} {
			x := tried(t, c.doc)
			loss := x.Summary.Section.(*particleview.Section).Loss
			if loss == nil {
				t.Errorf("%s, %g: no loss: %s", name, off, x.Summary.Message)
				continue
			}
			// Forces of 20 N to half of 1e-12, and the pull grows by 1 and 6 N/s.
			if math.Abs(loss.Time-c.want) > 2e-12*c.want || !x.Summary.Certified || !x.Summary.Met {
				t.Errorf("%s, %g: lost at t=%.17g, want %.17g, %s", name, off, loss.Time, c.want, x.Summary.Message)
			}
			if s := diagnosed(t, x, c.doc); !s.Certified {
				t.Errorf("%s, %g: diagnosed: %s", name, off, s.Message)
			}
		}
	}
}

// TestLossInParts: a chain that is lost within 1e-15 of a node, to which thresholds that lag led in
// one step but not in two: a probe for jumps that is lost finds none, and leaves the step as it
// was.
func TestLossInParts(t *testing.T) {
	doc := object{"name": "parts", "model": "energetic", "until": 1.0, "steps": 16.0, "until_loss": true,
		"accuracy": 0.05, "threshold": "lagged", "friction": object{"dry": object{"mu": 0.5588993790601775}}}
	var particles, energies []any
	for j, weight := range []float64{20, 20, 20, 40, 40} {
		id := string(rune('a' + j))
		particles = append(particles, object{"id": id, "at": []any{float64(j), 0.0, 0.0}, "friction": "dry"})
		pull := any(0.0)
		if j == 4 {
			pull = object{"table": []any{[]any{0.0, 0.0}, []any{1.0, 250.3869218189598}}}
		}
		energies = append(energies, object{"type": "load", "particle": id, "force": []any{pull, 0.0, -weight}})
		if j > 0 {
			energies = append(energies, object{"type": "bond", "between": []any{string(rune('a' + j - 1)), id}, "stiffness": 7000.0})
		}
	}
	doc["particles"], doc["energies"] = particles, energies
	x := tried(t, doc)
	if loss := x.Summary.Section.(*particleview.Section).Loss; loss == nil || math.Abs(loss.Time-0.3125) > 1e-12 || !x.Summary.Certified {
		t.Errorf("%+v: %s", loss, x.Summary.Message)
	}
	if s := diagnosed(t, x, doc); !s.Certified {
		t.Errorf("diagnosed: %s", s.Message)
	}
}

// TestLostAtOnce: where the present node is the last equilibrium no step is made, and no row twice:
// at the start, and behind a step that thresholds of before held: 2 N pull and the weight falls by
// 5 N/s, so that μ·10 N hold to t = .75, and μ·6.25 N nothing more.
func TestLostAtOnce(t *testing.T) {
	lagged := held(2.0)
	lagged["threshold"], lagged["steps"] = "lagged", 2.0
	lagged["until"] = 1.5
	lagged["energies"].([]any)[0].(object)["force"].([]any)[2] = object{"table": []any{[]any{0.0, -10.0}, []any{1.5, -2.5}}}
	for _, c := range []struct {
		name, solution string
		doc            object
		at             float64
		rows           int
	}{
		{"start", "local", held([]any{[]any{0.0, 3.0}, []any{1.0, 4.0}}), 0, 1},
		{"start", "viscous", held([]any{[]any{0.0, 3.0}, []any{1.0, 4.0}}), 0, 1},
		{"start", "energetic", held([]any{[]any{0.0, 3.0}, []any{1.0, 4.0}}), 0, 1},
		{"lagged", "local", lagged, 0.75, 2},
		{"lagged", "viscous", lagged, 0.75, 2},
		{"lagged", "energetic", lagged, 0.75, 2},
	} {
		c.doc["solution"] = c.solution
		x := tried(t, c.doc)
		loss := x.Summary.Section.(*particleview.Section).Loss
		if loss == nil || loss.Time != c.at || x.Summary.Steps != c.rows-1 || !x.Summary.Met ||
			!table.Holds(x.Summary.Facts, table.Solved) {
			t.Errorf("%s, %s: %+v, %d steps: %s", c.name, c.solution, loss, x.Summary.Steps, x.Summary.Message)
		}
		text, err := os.ReadFile(filepath.Join(x.Dir, table.TrajectoryFile))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n != c.rows+1 {
			t.Errorf("%s, %s: %d lines", c.name, c.solution, n)
		}
	}
}

// TestLossAtStart: the pull is all that friction holds at t = 0 and grows: a walk from event to
// event, which found no state at all, has one node, and so has a run in steps. Without "until_loss"
// the loss is named.
func TestLossAtStart(t *testing.T) {
	for _, steps := range []any{"events", 10.0} {
		doc := held([]any{[]any{0.0, 3.0}, []any{1.0, 5.0}})
		doc["steps"] = steps
		x := tried(t, doc)
		if l := x.Summary.Section.(*particleview.Section).Loss; l == nil || l.Time > 1e-15 ||
			math.Abs(l.Direction[0]-0.6) > 1e-9 || x.Summary.Status != table.Done || !x.Summary.Certified {
			t.Errorf("%v: %+v, %s", steps, l, x.Summary.Message)
		}
		if d := diagnosed(t, x, doc); !d.Certified {
			t.Errorf("%v: diagnosed %s", steps, d.Message)
		}
		doc["until_loss"] = false
		if x := tried(t, doc); x.Summary.Status != table.Failed || !strings.Contains(x.Summary.Message, "no equilibrium beyond t=") {
			t.Errorf("%v: %s %s", steps, x.Summary.Status, x.Summary.Message)
		}
	}
}

// TestNoLoss: a case that may be lost, and is not, is certified, and its page says so.
func TestNoLoss(t *testing.T) {
	doc := held([]any{[]any{0.0, 0.0}, []any{1.0, 2.0}})
	delete(doc, "expect")
	x := tried(t, doc)
	if !x.Summary.Certified {
		t.Error(x.Summary.Message)
	}
	for _, lost := range []bool{false, true} {
		r := &Run{c: x.Built.(*Case), sum: *x.Summary.Section.(*particleview.Section)}
		if lost {
			r.sum.Loss = &particleview.Loss{Time: 1}
		}
		p := run.NewPage(x.Summary, nil)
		r.reportProblem(p)
		if strings.Contains(p.String(), "there is an equilibrium until t=1, and no loss") == lost {
			t.Errorf("lost %t: %s", lost, p)
		}
	}
}

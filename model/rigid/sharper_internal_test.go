package rigid

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestSharper: a case whose steps are chosen is made at half its accuracy in more of them, and
// stays as it was.
func TestSharper(t *testing.T) {
	x := trial.Run(t, `{"name": "thrown", "model": "rigid", "until": 1, "accuracy": 0.01, "alpha": 1, "dimension": 2, "gravity": [0, -10],
  "bodies": [{"id": "stone", "shape": {"type": "disc", "radius": 0.1}, "mass": 1, "position": [0, 1], "velocity": [1, 2], "spin": 1, "load": [{"sine": {"amplitude": 3, "frequency": 2}}, 0]}]}`,
		&Model)
	c := x.Built.(*Case)
	s := c.Sharper().(*Case)
	if c.plan.Accuracy != .01 || s.plan.Accuracy != .005 || !s.plan.Adaptive {
		t.Fatalf("accuracies %g and %g", c.plan.Accuracy, s.plan.Accuracy)
	}
	j := run.Of(x.Case, &Model, s, t.TempDir())
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if j.Summary.Status != table.Done || !(j.Summary.Steps > x.Summary.Steps) {
		t.Errorf("%s in %d steps, %d before", j.Summary.Status, j.Summary.Steps, x.Summary.Steps)
	}
}

package rigid_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestFrictionInSpace: of the friction on a body in space, along tangents that depend on the way,
// files alone tell the size: more than its contacts have is not theirs.
func TestFrictionInSpace(t *testing.T) {
	x := trial.Run(t, `{"model": "rigid", "until": 0.1, "steps": 10, "alpha": 0.5, "gravity": [0, 0, -10], "friction": {"dry": {"mu": 0.3}}, "material": "dry",
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "bodies": [{"id": "p", "mass": 1, "position": [0, 0, 0], "velocity": [1, 0.5, 0]}]}`, &rigid.Model)
	if d := x.Diagnose(t); !run.Certified(d) {
		t.Fatal(run.Failure(d))
	}
	name := filepath.Join(x.Dir, table.ForcesFile)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	cells := strings.Split(lines[5], ",")
	cells[3] = "3.5" // μmg is 3 N
	lines[5] = strings.Join(cells, ",")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	x.Summary.Files = nil // as if its sums had been made again, too
	d, err := run.Diagnose(t.Context(), x.Case, x.Built, run.Source{Dir: x.Dir, Summary: x.Summary, FilesOnly: true})
	if err != nil || run.Certified(d.Result()) || !strings.Contains(run.Failure(d.Result()), "forces.csv") {
		t.Errorf("friction of 3.5 N: %v, %+v", err, d)
	}
}

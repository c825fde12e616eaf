package rigid_test

import (
	"encoding/json"
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
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "bodies": [{"id": "p", "mass": 1, "position": [0, 0, 0], "velocity": [1, 0.5, 0]}]}`,
		&rigid.Model)
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

// TestExactConveyor: the case conveyor is certified to 1e-12, by run and files alike, and it is so:
// forces are constant, which α = 1/2 follows without error, and the block sticks at a node, so that
// place, work and heat are those of the closed form to 1e-12 of them, though their tolerances in
// the case are those of any number of steps.
func TestExactConveyor(t *testing.T) {
	text, err := os.ReadFile("../../cases/conveyor.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc["accuracy"] = 1e-12
	for _, e := range doc["expect"].([]any) {
		e := e.(map[string]any)
		e["tolerance"] = 1e-12 * e["value"].(float64)
	}
	if text, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	x := trial.Run(t, string(text), &rigid.Model)
	x.Passed(t)
	if d := x.Diagnose(t); !run.Certified(d) || !x.Summary.Met {
		t.Errorf("run: met %t; diagnose: %s", x.Summary.Met, run.Failure(d))
	}
}

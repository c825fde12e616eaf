package rigid

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

const swing = `{"model": "rigid", "until": 0.5, "steps": 1000, "dimension": 2, "gravity": [0, -9.81], "accept": ["dissipation"],
  "bodies": [{"id": "a", "shape": {"type": "rod", "length": 1, "radius": 0.02}, "mass": 1, "position": [0.5, 0]VELOCITY}],
  "joints": [{"type": "revolute", "body": "a", "at": [0, 0]}]}`

// TestImpactColumn: column impact has what impacts take. A pendulum without contact has none, and
// what the step length takes is in the residual, as in other models; a ball that falls dead on a
// floor loses mgh in it; a disc that joints stop at the start loses its energy in it.
func TestImpactColumn(t *testing.T) {
	for _, c := range []struct {
		name, text      string
		impact, most    float64 // and what it may be off by [J]
		residual        float64 // at least this size
		diagnosedBroken bool
	}{
		{"pendulum", strings.ReplaceAll(swing, "VELOCITY", ""), 0, 1e-14, 1e-3, false},
		{"dead ball", `{"model": "rigid", "until": 1, "steps": 100, "alpha": 0.5, "dimension": 2, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.3}}, "material": "dry",
  "bodies": [{"id": "a", "shape": {"type": "disc", "radius": 0.1}, "mass": 2, "position": [0, 1.1]}]}`, 20, 1e-9, 0, false},
		{"stopped at the start", strings.ReplaceAll(strings.Replace(swing, `"accept"`, `"accuracy": 1, "accept"`, 1),
			"VELOCITY", `, "velocity": [3, 0]`), 4.5, 1e-9, 0, true},
	} {
		x := trial.Run(t, c.text, &Model)
		if !c.diagnosedBroken {
			x.Passed(t)
		}
		if d := x.Diagnose(t); !c.diagnosedBroken && !run.Certified(d) {
			t.Errorf("%s: diagnose: %s", c.name, run.Failure(d))
		}
		f, err := os.Open(filepath.Join(x.Dir, table.EnergiesFile))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		at := func(column string) float64 {
			v, err := strconv.ParseFloat(rows[len(rows)-1][slices.Index(rows[0], column)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		if v := at("impact"); math.Abs(v-c.impact) > c.most {
			t.Errorf("%s: impact %.17g J, want %g", c.name, v, c.impact)
		}
		if v := at("residual"); !(math.Abs(v) >= c.residual) {
			t.Errorf("%s: residual %g J, want at least %g of the step length", c.name, v, c.residual)
		}
	}
}

package rigid

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/table"
)

// TestStepsOfPendulums: α = ½ turns what is left of a velocity across a joint round in each step, however short:
// steps that are chosen do not shrink for its sake amid smooth motion.
func TestStepsOfPendulums(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range 12 {
		x, y, spin := r.Float64()-0.5, -0.5-0.5*r.Float64(), 3+3*r.Float64()
		run := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "gravity": [0, -10], "until": %.17g, "bodies": [{"id": "b", "mass": 33, "inertia": 0.033,
			"shape": {"type": "point"}, "position": [%.17g, %.17g], "spin": %.17g, "velocity": [%.17g, %.17g]}],
			"joints": [{"id": "j", "type": "revolute", "body": "b", "at": [0, 0]}]}`, 2+5*r.Float64(), x, y, spin, -spin*y, spin*x), &Model)
		run.Passed(t)
		file, err := os.Open(filepath.Join(run.Dir, table.TrajectoryFile))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		least, most, before := 1e9, 0.0, 0.0
		for _, row := range rows[2:] {
			now, err := strconv.ParseFloat(row[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			least, most, before = min(least, now-before), max(most, now-before), now
		}
		if least < 1e-3*most {
			t.Errorf("steps from %g to %g s", least, most)
		}
	}
}

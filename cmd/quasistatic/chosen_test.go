package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// Cases of the model rigid that name no steps: a double pendulum, a thrown body that
// tumbles, a disc that bounces and a box that slides to rest. Each is certified, and where
// steps eight times as many lead; diagnose agrees, and a run that was stopped goes on to
// the same bytes.
func TestRigidChoosesSteps(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		until float64
		moved float64 // how far the body that moves farthest does, rounded down [m]
	}{
		"pendulum": {`"dimension": 2, "gravity": [0, -9.81],
			"bodies": [{"id": "upper", "shape": {"type": "rod", "length": 1, "radius": 0}, "mass": 1, "position": [0.5, 0]},
				{"id": "lower", "shape": {"type": "rod", "length": 1, "radius": 0}, "mass": 1, "position": [1.5, 0]}],
			"joints": [{"type": "revolute", "body": "upper", "at": [0, 0]}, {"type": "revolute", "body": "lower", "to": "upper", "at": [1, 0]}]`,
			0.5, 1},
		"thrown": {`"gravity": [0, 0, -9.81],
			"bodies": [{"id": "box", "shape": {"type": "box", "size": [0.1, 0.2, 0.3]}, "mass": 1, "position": [0, 0, 1], "velocity": [1, 0, 2], "spin": [0.1, 5, 0.1]}]`,
			1, 3},
		"bouncing": {`"dimension": 2, "gravity": [0, -9.81], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"friction": {"dry": {"mu": 0.3, "restitution": 0.8}}, "material": "dry",
			"bodies": [{"id": "disc", "shape": {"type": "disc", "radius": 0.1}, "mass": 1, "position": [0, 1.1], "velocity": [1, 0], "spin": 3}],
			"expect": [{"quantity": "collision_time", "value": 0.45152364, "tolerance": 0.0045}, {"quantity": "collisions", "value": 1, "tolerance": 0}]`,
			1, 1}, // √(2/g)
		"sliding": {`"dimension": 2, "gravity": [0, -9.81], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
			"friction": {"dry": {"mu": 0.5}}, "material": "dry",
			"bodies": [{"id": "box", "shape": {"type": "polygon", "vertices": [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]}, "mass": 1, "position": [0, 0.1], "velocity": [3, 0]}],
			"expect": [{"quantity": "position", "body": "box", "axis": "x", "value": 0.91743119, "tolerance": 0.0092}]`, 1, 0.9}, // v²/2μg
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "pendulum" || name == "thrown" {
				thorough.Only(t, "half a second")
			}
			dir := t.TempDir()
			text := fmt.Sprintf(`{"name": %q, "model": "rigid", "until": %g, %s`, name, c.until, c.text)
			file := write(t, text+"}", dir, "case.json")
			whole := dir + "/whole"
			mustRun(t, "run", file, "--out", whole, "--quiet", "--no-picture")
			mustRun(t, "diagnose", "-v", whole)
			resumes(t, file, whole)

			steps := summaryOf(t, whole).Steps
			fine := write(t, fmt.Sprintf(`%s, "alpha": 0.5, "steps": %d}`, text, 8*steps), dir, "fine.json")
			mustRun(t, "run", fine, "--out", dir+"/fine", "--quiet", "--no-picture")
			got, want := lastRow(t, whole), lastRow(t, dir+"/fine")
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-2*c.moved {
					t.Errorf("column %d of the trajectory ends at %g, want %g, in %d steps", k+1, got[k], want[k], steps)
				}
			}
		})
	}
}

// lastRow returns the time and the coordinates at the end of a run.
func lastRow(t *testing.T, dir string) (row []float64) {
	t.Helper()
	lines := strings.Fields(read(t, dir, table.TrajectoryFile))
	for _, cell := range strings.Split(lines[len(lines)-1], ",") {
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		row = append(row, x)
	}
	return row
}

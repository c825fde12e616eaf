package rigid_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// beamWith is a clamped beam, and a box on a floor pushed against it by nothing.
const beamWith = `{"name": "sensed", "model": "rigid", "until": 1, "dimension": 2, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, -4], "normal": [0, 1]}},
	"bodies": [{"id": "beam", "mass": 2, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [0.5, 0]}, {"id": "ball", "mass": 3, "shape": {"type": "disc", "radius": 1}, "position": [9, -3], "velocity": [2, 0]}],
	"joints": [{"id": "wall", "type": "fixed", "body": "beam"}], "sensors": [SENSORS]}`

// TestSensorColumns: what a case asks for is a column of sensors.csv, by its name, in every row; a
// number that is another one there is found, and the page draws it.
func TestSensorColumns(t *testing.T) {
	x := trial.Run(t, strings.Replace(beamWith, "SENSORS",
		`{"quantity": "joint_force", "joint": "wall", "axis": "y"}, {"quantity": "joint_torque", "joint": "wall", "name": "clamp"},
		{"quantity": "contact_force", "body": "ball", "other": "floor", "axis": "y"}, {"quantity": "position", "body": "ball", "axis": "x"}, {"quantity": "kinetic_energy"}`,
		1), &rigid.Model)
	x.Passed(t)
	text, err := os.ReadFile(filepath.Join(x.Dir, table.SensorsFile))
	if err != nil {
		t.Fatal(err)
	}
	if head, _, _ := strings.Cut(string(text), "\n"); head != "t,wall.joint_force.y,clamp,ball/floor.contact_force.y,ball.position.x,kinetic_energy" {
		t.Errorf("columns %s", head)
	}
	row := x.Last(t, table.SensorsFile)
	for k, want := range []float64{1, 20, 10, 30, 11, 6} {
		if math.Abs(row[k]-want) > 1e-9 {
			t.Errorf("column %d is %.15g, want %g", k, row[k], want)
		}
	}
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
	if s := x.Doctored(t, table.SensorsFile, 5); run.Certified(s) {
		t.Error("another number in sensors.csv is certified")
	}
	if ids := trial.Figures(t, x.Page(t)); !strings.Contains(ids, "sensors") {
		t.Errorf("figures %s", ids)
	}
}

// TestWrongSensorColumns: what cannot be a column is a fault, with the place.
func TestWrongSensorColumns(t *testing.T) {
	for sensor, want := range map[string]string{
		`{"quantity": "joint_force", "joint": "wal", "axis": "y"}`:                         `$.sensors[0].joint`,
		`{"quantity": "joint_force", "joint": "wall"}`:                                     `"axis" is missing`,
		`{"quantity": "kinetic_energy", "time": 1}`:                                        `unknown key "time"`,
		`{"quantity": "kinetic_energi"}`:                                                   `"kinetic_energy"`,
		`{"quantity": "kinetic_energy"}, {"quantity": "energy", "name": "kinetic_energy"}`: `$.sensors[1]: the column "kinetic_energy" is that of $.sensors[0]`,
		`{"quantity": "kinetic_energy", "name": "a,b"}`:                                    `$.sensors[0].name`,
		`{"quantity": "kinetic_energy", "name": "t"}`:                                      `that of the time`,
	} {
		refused(t, strings.Replace(beamWith, "SENSORS", sensor, 1), want)
	}
}

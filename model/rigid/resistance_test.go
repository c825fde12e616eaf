package rigid_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestResistanceFaults: resistance that a contact cannot have is refused with its place.
func TestResistanceFaults(t *testing.T) {
	ball := func(dim int, friction, more string) string {
		zeros := []string{"0, 1", "0, 0, 1"}[dim-2]
		body := fmt.Sprintf(`"shape": {"type": "%s", "radius": 1}, `, []string{"disc", "sphere"}[dim-2])
		return fmt.Sprintf(`{"name": "x", "model": "rigid", "until": 1, "dimension": %d, "obstacles": {"floor": {"point": [%s], "normal": [%[2]s]}}, "friction": {"f": {%s}}, "material": "f", %s "bodies": [{"id": "a", "mass": 1, %s"position": [%[2]s], "velocity": [%[2]s]}]}`,
			dim, zeros, friction, more, body)
	}
	for _, c := range [][2]string{
		{ball(3, `"mu": 0.3, "rolling": -1`, ""), "$.friction.f.rolling"},
		{ball(3, `"mu": 0.3, "adhesion": -1`, ""), "$.friction.f.adhesion"},
		{ball(2, `"mu": 0.3, "spinning": 1`, ""), "no effect in the plane"},
		{ball(2, `"mu": 0.3, "drilling": 1`, ""), "no effect in the plane"},
		{ball(3, `"mu": 0.3, "spinning": 1, "drilling": 1`, ""), "want one of them"},
		{ball(3, `"static": 0.3, "kinetic": 0.2, "drilling": 1`, ""), "a \"mu\" that is one number"},
		{ball(3, `"mu": 0, "drilling": 1`, ""), "no effect without friction"},
		{ball(3, `"mu": 0.3, "rolling": 1`, `"facets": 8,`), "no cones with \"facets\""},
		{ball(3, `"mu": 0.3, "torsional_friction": 1`, ""), "spinning"},
		{`{"name": "x", "model": "rigid", "until": 1, "dimension": 2, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"mu": 0.3, "rolling": 0.1}}, "material": "f", "bodies": [{"id": "a", "mass": 1}]}`,
			"$.material: resistance to rolling, spinning or drilling has no effect"},
	} {
		refused(t, c[0], c[1])
	}
}

// TestUniformWithoutFaces: an even pressure that no face may have is a fault: a ball has no face, and those
// of a box on a fixed one bear at their corners.
func TestUniformWithoutFaces(t *testing.T) {
	for _, x := range []string{`"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "bodies": [{"id": "a", "mass": 1, "position": [0, 0, 1], "shape": {"type": "sphere", "radius": 1}}]`,
		`"bodies": [{"id": "floor", "fixed": true, "shape": {"type": "box", "size": [1, 1, 1]}}, {"id": "a", "mass": 1, "position": [0, 0, 1], "shape": {"type": "box", "size": [1, 1, 1]}}]`} {
		refused(t, `{"model": "rigid", "until": 1, "gravity": [0, 0, -9.81], "pressure": "uniform", "friction": {"f": {"mu": 0.3}}, "material": "f", `+
			x+`}`, "$.pressure: found \"uniform\", which has no effect")
	}
}

// TestSpunDisc: a puck that turns on the spot is measured by its turn: what its centre drifts by is no way
// of its own.
func TestSpunDisc(t *testing.T) {
	trial.Run(t, `{"model": "rigid", "until": 0.1, "steps": 8, "alpha": 0.5, "gravity": [0, 0, -9.81], "pressure": "uniform", "friction": {"f": {"mu": 0.25}}, "material": "f",
		"obstacles": {"table": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "bodies": [{"id": "puck", "mass": 0.5, "shape": {"type": "cylinder", "radius": 0.05, "height": 0.02}, "position": [0, 0, 0.01], "spin": [0, 0, 15]}],
		"expect": [{"quantity": "spin", "body": "puck", "axis": "z", "value": 8.46, "tolerance": 0.02}]}`, &rigid.Model).Passed(t)
}

// TestResistanceIsAudited: what rolls over a turning plate and another body, falls on a floor and rebounds from
// a wall, or adheres: its files are certified by the audit.
func TestResistanceIsAudited(t *testing.T) {
	thorough.Seconds(t)
	floor := `"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1], "motion": {"rotation": {"axis": [0, 0, 1], "angle": {"table": [[0, 0], [1, 1]]}}}}, "wall": {"point": [0.6, 0, 0], "normal": [-1, 0, 0]}}, `
	bodies := `"bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0.12], "velocity": [1, 0.2, 0], "spin": [1, 5, 6]},
		{"id": "b", "mass": 2, "shape": {"type": "box", "size": [0.2, 0.2, 0.1]}, "position": [-0.5, 0, 0.05], "spin": [0, 0, 2]}]`
	for _, friction := range []string{`"rolling": 0.005, "spinning": 0.002`, `"rolling": 0.002, "drilling": 0.01`,
		`"rolling": 0.001, "adhesion": 2`} {
		x := trial.Run(t, `{"name": "resisting", "model": "rigid", "until": 0.8, "accuracy": 0.1, "gravity": [0, 0, -10], `+
			floor+`"friction": {"f": {"mu": 0.4, "restitution": 0.3, `+friction+`}}, "material": "f", `+bodies+`}`, &rigid.Model)
		x.Passed(t)
		if s := x.Diagnose(t); !run.Certified(s) {
			t.Error(run.Failure(s))
		}
	}
}

// TestAdheresWithoutForce: a ball without weight that adheres to a ceiling bears no force and may bear 12 N, of
// which friction is .3: contacts.csv has that, and the audit finds it in impulses.csv.
func TestAdheresWithoutForce(t *testing.T) {
	x := trial.Run(t, `{"model": "rigid", "until": 0.1, "steps": 4, "gravity": [0, 0, 0], "friction": {"glue": {"mu": 0.3, "adhesion": 12}}, "material": "glue",
		"obstacles": {"ceiling": {"point": [0, 0, 0], "normal": [0, 0, -1]}},
		"bodies": [{"id": "ball", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, -0.1]}]}`, &rigid.Model)
	x.Passed(t)
	text, err := os.ReadFile(filepath.Join(x.Dir, table.ContactsFile))
	if err != nil || !strings.HasSuffix(string(text), ",3.6\n") {
		t.Errorf("contacts.csv: %v, %s; want 3.6 N that bound the friction", err, text)
	}
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}

// TestCartRollsToRest: two wheels of ½ kg under 2 kg, with rolling resistance on the floor and dry friction
// of a bearing: (3 + 2·½·½) v' = −(μ_R 30 + M)/r.
func TestCartRollsToRest(t *testing.T) {
	wheel := func(id, x string) string {
		return `{"id": "` + id + `", "mass": 0.5, "shape": {"type": "disc", "radius": 0.1}, "position": [` + x +
			`, 0.1], "velocity": [1, 0], "spin": -10}`
	}
	x := trial.Run(t, `{"name": "cart", "model": "rigid", "dimension": 2, "until": 1.5, "accuracy": 0.02, "gravity": [0, -10],
		"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"mu": 0.5, "rolling": 0.005}}, "material": "f",
		"bodies": [{"id": "frame", "mass": 2, "shape": {"type": "polygon", "vertices": [[-0.3, -0.02], [0.3, -0.02], [0.3, 0.02], [-0.3, 0.02]]}, "position": [0, 0.3], "velocity": [1, 0]}, `+
		wheel("l", "-0.25")+`, `+wheel("r", "0.25")+`],
		"joints": [{"type": "revolute", "body": "l", "to": "frame", "at": [-0.25, 0.1], "friction": 0.05}, {"type": "revolute", "body": "r", "to": "frame", "at": [0.25, 0.1]}],
		"expect": [{"quantity": "displacement", "body": "frame", "axis": "x", "value": 0.8571428571428571, "tolerance": 1e-9}]}`,
		&rigid.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}

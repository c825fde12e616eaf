package patch_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestMesh: in both models of patches a ball rolls down a ramp of triangles as down a plane, to rounding;
// bodies that touch a mesh at several points, and balls on one with a hollow edge, are refused with the
// reason.
func TestMesh(t *testing.T) {
	const head = `{"name": "m", "model": %q, "until": 0.2, "steps": 200, "accuracy": 1, "gravity": [4, 1, -9], "friction": {"dry": {"mu": 0.4}}, "patches": {"p": {"stiffness": [1e5, 5e4, 5e4], "damping": [200, 100, 100]}},
 "obstacles": {"ground": {%s}}, "bodies": [{"id": "b", "mass": 1, "position": [0, 0, 0.1], "shape": {"type": %s}}], "contacts": [{"body": "b", "obstacle": "ground", "friction": "dry", "patch": "p"}]}`
	const ball, corners = `"sphere", "radius": 0.1`,
		`"type": "mesh", "open": true, "vertices": [[-1, -1, 0], [0.02, -1, 0], [1, -1, 0], [-1, 1, 0], [0.01, 1, 0], [1, 1, 0], [0, -1, -1], [0, 1, -1]], "faces": `
	const flat = corners + `[[0, 1, 4, 3], [1, 2, 5], [1, 5, 4]]`
	for _, model := range []*run.Model{&patch.Theta, &patch.Compliant} {
		end := func(ground string) []float64 {
			x := trial.Run(t, fmt.Sprintf(head, model.Name, ground, ball), &patch.Theta, &patch.Compliant)
			return x.Last(t, table.TrajectoryFile)
		}
		got, want := end(flat), end(`"point": [0, 0, 0], "normal": [0, 0, 1]`)
		for i := range want {
			if d := got[i] - want[i]; !(d*d <= 1e-24) {
				t.Errorf("%s: column %d is %.15g, on a plane %.15g", model.Name, i, got[i], want[i])
			}
		}
		for shape, want := range map[[2]string]string{
			{flat, `"capsule", "radius": 0.1, "length": 0.1`}: "no single point",
			{corners + `[[0, 6, 7, 3], [6, 2, 5, 7]]`, ball}:  "is hollow at its edge from (0, -1, -1) to (0, 1, -1) m",
		} {
			text := fmt.Sprintf(head, model.Name, shape[0], shape[1])
			c, err := run.Grammar([]*run.Model{&patch.Theta, &patch.Compliant}).Decode("case.json", []byte(text))
			if err == nil {
				_, err = model.Build(t.Context(), c)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %v, want %q", model.Name, shape, err, want)
			}
		}
	}
}

// TestMeshEdge: in both models of patches a ball that passes the edge of ground of triangles goes on freely; one
// that begins behind its faces is refused.
func TestMeshEdge(t *testing.T) {
	const text = `{"name": "m", "model": %q, "until": 0.25, "steps": 64, "gravity": [0, 0, 0], "friction": {"dry": {"mu": 0.4}},
 "obstacles": {"ground": {"type": "mesh", "open": true, "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], "faces": [%s]}},
 "bodies": [{"id": "b", "mass": 1, "position": [%g, 0.5, %g], "velocity": [0, 0, -1], "shape": {"type": "sphere", "radius": 0.1}}], "contacts": [{"body": "b", "obstacle": "ground", "friction": "dry", "patch": "rigid"}]}`
	for _, model := range []*run.Model{&patch.Theta, &patch.Compliant} {
		x := trial.Run(t, fmt.Sprintf(text, model.Name, "[0, 1, 2, 3]", 1.3, .15), &patch.Theta, &patch.Compliant)
		if x.Passed(t); math.Abs(x.Last(t, table.TrajectoryFile)[3]+.1) > 1e-12 {
			t.Errorf("%s: z = %g, want -0.1", model.Name, x.Last(t, table.TrajectoryFile)[3])
		}
		c, err := run.Grammar([]*run.Model{&patch.Theta, &patch.Compliant}).Decode("case.json",
			[]byte(fmt.Sprintf(text, model.Name, "[3, 2, 1, 0], [0, 1, 5, 4], [2, 3, 7, 6], [3, 0, 4, 7], [1, 2, 6, 5]", .4, 1.3)))
		if err == nil {
			_, err = model.Build(t.Context(), c)
		}
		if err == nil || !strings.Contains(err.Error(), "$.bodies[0].position: bodies: a body begins behind ground") {
			t.Errorf("%s, over a box seen from outside: %v", model.Name, err)
		}
	}
}

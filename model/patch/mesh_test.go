package patch_test

import (
	"fmt"
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
	const ball, corners = `"sphere", "radius": 0.1`, `"type": "mesh", "open": true, "vertices": [[-1, -1, 0], [0.02, -1, 0], [1, -1, 0], [-1, 1, 0], [0.01, 1, 0], [1, 1, 0], [0, -1, -1], [0, 1, -1]], "faces": `
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

package patch_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
)

// TestOffCentre: a polyhedron that is written from its corner is refused with the place of its centre of
// mass, which taken off its corners and added to its position makes it one that runs.
func TestOffCentre(t *testing.T) {
	const text = `{"name": "corner", "model": "compliant", "until": 0.01, "steps": 10, "bodies": [{"id": "b", "mass": 1, "position": [0, 0, 0], "shape": {"type": "polyhedron", "vertices": [[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0], [0, 0, 1], [2, 0, 1], [0, 1, 1], [2, 1, 1]]}, "velocity": [1, 0, 0]}]}`
	k, err := run.Grammar([]*run.Model{&patch.Compliant}).Decode("case.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = patch.Compliant.Build(t.Context(), k); err == nil ||
		!strings.Contains(err.Error(), "$.bodies[0]: the centre of mass is at [1 0.5 0.5]") {
		t.Errorf("%v", err)
	}
	moved := strings.NewReplacer(`"position": [0, 0, 0]`, `"position": [1, 0.5, 0.5]`,
		"[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0], [0, 0, 1], [2, 0, 1], [0, 1, 1], [2, 1, 1]",
		"[-1, -0.5, -0.5], [1, -0.5, -0.5], [-1, 0.5, -0.5], [1, 0.5, -0.5], [-1, -0.5, 0.5], [1, -0.5, 0.5], [-1, 0.5, 0.5], [1, 0.5, 0.5]").Replace(text)
	if x := trial.Run(t, moved, &patch.Compliant); !run.Certified(x.Summary) {
		t.Error(run.Failure(x.Summary))
	}
}

package bodyview_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestOverview: scenes in space have a picture of their motion, and no panel of forces that are
// none.
func TestOverview(t *testing.T) {
	const head = `{"name": "x", "model": "rigid", "until": 0.1, "steps": 20, "gravity": [0, 0, -9.81], `
	for name, c := range map[string]struct{ text, has, lacks string }{
		"top": {head + `"bodies": [{"id": "wheel", "shape": {"type": "ellipsoid", "semi_axes": [0.1, 0.1, 0.02]}, "mass": 1, "position": [0, 0, 0.1]}],
			"joints": [{"id": "tip", "type": "spherical", "body": "wheel", "at": [0, 0, 0]}]}`,
			"Motion, 9 snapshots|oblique view [m]|Displacement of wheel|Energies", "Normal forces|Tangential forces|Impacts"},
		"sliding ball": {head + `"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": 0.3}}, "material": "dry",
			"bodies": [{"id": "ball", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0]}]}`,
			"Motion, 9 snapshots|Normal forces|Energies|Friction cone, all contacts", "Displacement of|Impacts|slip at ±1"},
		"bouncing ball without friction": {head + `"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"ice": {"mu": 0, "restitution": 1}}, "material": "ice",
			"bodies": [{"id": "ball", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 0.11], "velocity": [1, 0, 0]}]}`,
			"Motion, 9 snapshots|Displacement of ball|Impacts|Energies", "Tangential forces|Normal forces"},
	} {
		x := trial.Run(t, c.text, &rigid.Model)
		r := run.Reader(x.Built, x.Dir)
		_, err := r.Read(t.Context())
		var warnings []string
		if err == nil {
			warnings, err = r.Overview(x.Dir, name)
		}
		if closed := r.Close(); err != nil || closed != nil || len(warnings) > 0 {
			t.Fatal(name, err, closed, warnings)
		}
		b, err := os.ReadFile(filepath.Join(x.Dir, "overview.svg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range strings.Split(c.has, "|") {
			if !strings.Contains(string(b), want) {
				t.Errorf("%s: the overview has no %q", name, want)
			}
		}
		for _, no := range strings.Split(c.lacks, "|") {
			if strings.Contains(string(b), no) {
				t.Errorf("%s: the overview has %q", name, no)
			}
		}
	}
}

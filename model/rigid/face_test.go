package rigid

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestFaces: a run says that a face turned where it slid and turned; not where it slid straight, nor
// of feet that are points. Contacts without friction touch, and neither stick nor slide.
func TestFaces(t *testing.T) {
	const box, feet = `"shape": {"type": "box", "size": [0.2, 0.1, 0.06]}`, `"parts": [{"shape": {"type": "sphere", "radius": 0.03}, "position": [0.1, 0, 0]},
		{"shape": {"type": "sphere", "radius": 0.03}, "position": [-0.1, 0.05, 0]}, {"shape": {"type": "sphere", "radius": 0.03}, "position": [-0.1, -0.05, 0]}]`
	for _, c := range []struct {
		name, form, spin string
		mu               float64
		turns            bool
		word             string
	}{
		{"slides straight", box, "[0, 0, 0]", 0.3, false, "slip"},
		{"turns", box, "[0, 0, 5]", 0.3, true, "slip"},
		{"feet", feet, "[0, 0, 5]", 0.3, false, "slip"},
		{"no friction", box, "[0, 0, 5]", 0, false, "touch"},
	} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "until": 0.05, "steps": 5, "alpha": 0.5, "gravity": [0, 0, -9.81], "friction": {"f": {"mu": %g}}, "material": "f",
			"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "bodies": [{"id": "b", "mass": 1, "position": [0, 0, 0.03], "velocity": [1, 0, 0], "spin": %s, %s}]}`, c.mu, c.spin, c.form), &Model)
		x.Passed(t)
		if told := strings.Contains(readFile(t, x.Dir, "summary.json"), `"turns_on_face": "b on floor"`); told != c.turns {
			t.Errorf("%s: told %v", c.name, told)
		}
		if events := readFile(t, x.Dir, "events.csv"); !strings.Contains(events, c.word) || strings.Contains(events, "stick") {
			t.Errorf("%s: events\n%s", c.name, events)
		}
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

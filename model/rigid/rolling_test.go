package rigid_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestStoryWords: of a contact that sticks the story says whether its body rolls on it, tips about it or
// rests, and the events say that it sticks.
func TestStoryWords(t *testing.T) {
	const scene = `{"name": "told", "model": "rigid", "dimension": 2, "until": 0.2, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 2}}, "material": "dry", "bodies": [{"id": "a", "mass": 1, `
	const box = `"shape": {"type": "polygon", "vertices": [[-0.1, -0.2], [0.1, -0.2], [0.1, 0.2], [-0.1, 0.2]]}, `
	for body, want := range map[string]string{
		`"shape": {"type": "disc", "radius": 0.5}, "position": [0, 0.5], "velocity": [1, 0], "spin": -2`: "a on floor rolls from the start to the end",
		// Thrown over its right foot.
		box + `"position": [0, 0.2], "velocity": [0.2, 0.1], "spin": -1`: "a on floor tips",
		box + `"position": [0, 0.2]`:                                     "a on floor sticks from the start to the end",
		// A disc with a weight rocks on its round.
		`"parts": [{"shape": {"type": "disc", "radius": 0.5}, "density": 1}, {"shape": {"type": "disc", "radius": 0.1}, "position": [0.3, 0], "density": 200}], "position": [0, 0.5]`: "a on floor rolls from the start to the end",
	} {
		text := scene + body + `}]}`
		if strings.Contains(body, "density") {
			text = strings.Replace(text, `"mass": 1, `, "", 1)
		}
		j := toItsEnd(t, text)
		if said := j.Brief(120, false); !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %q", body, said, want)
		}
	}
}

// toItsEnd runs a case that need not be certified.
func toItsEnd(t *testing.T, text string) *run.Task {
	t.Helper()
	c, err := run.Grammar([]*run.Model{&rigid.Model}).Decode("case.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	built, err := rigid.Model.Build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	j := run.Of(c, &rigid.Model, built, t.TempDir())
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return j
}

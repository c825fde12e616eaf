package casefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// TestCheckPath: of what is missing at the end of a path, only a name beside others that the
// author gave is refused.
func TestCheckPath(t *testing.T) {
	const text = `{"model": "energetic", "friction": {"dry": {"mu": 0.4}, "wet": {"mu": 0.1}},
  "particles": [{"id": "p", "position": [0, 0, 1]}], "energies": [{"type": "tether", "particle": "p"}]}`
	for path, want := range map[string]string{
		"friction.dry.mu":         "",
		"friction.dry.mu_y":       "", // a key of the format
		"friction.oil":            "", // with its whole entry
		"friction.dri.mu":         `"dri", the nearest one is "dry"`,
		"friction.concrete.mu":    `"concrete", there are dry, wet`,
		"obstacles.floor.point":   "", // there is none yet
		"solver.tolerance":        "",
		"solvr.tolerance":         "", // for Decode to say, as are the next ones
		"particles[0].postion[1]": "",
		"particles[3].mass":       "",
		"particles.p":             "",
		"friction[0].mu":          "",
		"until.x":                 "",
		"friction..mu":            "empty key",
	} {
		err := models.Grammar().CheckPath([]byte(text), path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if err := models.Grammar().CheckPath([]byte("{"), "friction.dri.mu"); err != nil {
		t.Errorf("a text that is no JSON, which Decode refuses: %v", err)
	}
}

// TestLoad: a case is a file, of a length that there is memory for, with or without the mark of
// UTF-8.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, file := range map[string]string{"plain": write("plain.json", valid), "marked": write("marked.json", "\uFEFF"+valid)} {
		if c, err := models.Grammar().Load(file); err != nil || c.File != file {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := write("long.json", valid+strings.Repeat(" ", 1<<20))
	if _, err := models.Grammar().LoadWithin(long, 1<<20); err == nil || !strings.Contains(err.Error(), "needs 31.5 MB") {
		t.Errorf("a file that takes 30 MB, within 1: %v", err)
	}
	if _, err := models.Grammar().LoadWithin(long, 1<<30); err != nil {
		t.Errorf("a file that takes 30 MB, within 1 GB: %v", err)
	}
	for file, want := range map[string]string{dir: "is a directory", filepath.Join(dir, "none.json"): "no such file",
		os.DevNull: "a pipe or a device"} {
		if _, err := models.Grammar().Load(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// TestSolid takes bodies of a Gmsh file, linear and neo-Hookean, alone and two at a
// time, through the commands: run, diagnose, report, and run into the same folder.
func TestSolid(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	dir := t.TempDir()
	write(t, plate, dir, "plate.msh")
	pressed := strings.Replace(plateEnergetic, `"axis": "y", "motion": 0`, `"axis": "y", "motion": {"table": [[0, 0], [1, -0.2]]}`, 1)
	pressed = strings.Replace(pressed, `"plate.msh"`, `"plate.msh", "accuracy": "given"`, 1)
	first := pressed[strings.Index(pressed, `{"type"`):strings.LastIndex(pressed, "]}")]
	write(t, strings.NewReplacer("10 0 0 0", "10 5 0 0", "20 1 0 0", "20 6 0 0", "30 1 1 0", "30 6 1 0", "40 0 1 0",
		"40 5 1 0").Replace(plate), dir, "beside.msh")
	second := strings.NewReplacer(`"id": "b"`, `"id": "c"`, "plate.msh", "beside.msh").Replace(first)
	for _, c := range []struct {
		name, text string
		files      int
	}{
		{"two", strings.Replace(pressed, first, first+", "+second, 1), 2}, // the others take the second file away
		{"linear", pressed, 1},
		{"neo-hookean", strings.Replace(strings.Replace(pressed, `"until"`,
			`"stability": "convex", "accuracy": 0.1, "until"`, 1), `"id": "b"`, `"id": "b", "law": "neo-hookean"`, 1), 1},
	} {
		name := c.name
		file, out := write(t, c.text, dir, "p.json"), filepath.Join(dir, "out")
		mustRun(t, "run", file, "--out", out, "--quiet", "--no-picture")
		finals, _ := filepath.Glob(filepath.Join(out, "final*.vtu"))
		if len(finals) != c.files {
			t.Errorf("%s: %v, want %d files of bodies", name, finals, c.files)
		}
		for _, f := range finals {
			if text := read(t, f); !strings.Contains(text, `Name="von_mises"`) ||
				!strings.Contains(text, `Name="displacement"`) || !strings.Contains(text, `NumberOfCells="2"`) {
				t.Errorf("%s: %s is\n%s", name, f, text)
			}
		}
		if text := mustRun(t, "diagnose", "-v", out); !strings.Contains(text, "certified") {
			t.Errorf("%s: %s", name, text)
		}
		mustRun(t, "report", out)
		if page := read(t, out, table.ReportFile); !strings.Contains(page, "von Mises") {
			t.Errorf("%s: no stress on the page", name)
		}
	}
}

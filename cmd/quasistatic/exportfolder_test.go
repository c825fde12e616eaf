package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// TestExportFolder: an export to a folder of its own takes the case and what the case names along,
// so that diagnose knows it, and comes again to the same folder in any format; a folder with a run,
// with an export of another run, or with a user's own files of the names in question is left as it
// is.
func TestExportFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, "t,f\n0,0\n.1,.5\n.2,0\n", dir, "pull.csv")
	text := `{"name": "pulled", "model": "energetic", "until": 0.2, "steps": 8, "accuracy": 0.9, "friction": {"dry": {"mu": 0.4}},
		"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}], "anchors": [{"id": "hook", "at": [{"csv": "pull.csv", "time": "t", "value": "f"}, 0, -0.3]}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "hook", "stiffness": [2, 2, 5]}]}`
	for name, text := range map[string]string{"a": text, "b": strings.Replace(text, `"mu": 0.4`, `"mu": 0.3`, 1)} {
		mustRun(t, "run", write(t, text, dir, name+".json"), "--out", at(name), "--quiet", "--no-picture")
	}
	for _, format := range []string{"csv", "npz", "vtu", "parquet", "csv"} {
		mustRun(t, "export", at("a"), "--format", format, "--out", at("e"), "--quiet")
	}
	for _, name := range []string{table.CaseFile, "pull.csv", table.TrajectoryFile} {
		if read(t, at("e"), name) != read(t, at("a"), name) {
			t.Errorf("%s is another one", name)
		}
	}
	mustRun(t, "diagnose", "-v", at("e"), "--quiet")
	for name, text := range map[string]string{"own/forces.csv": "mine", "case/case.json": text + " ", "signal/pull.csv": "mine"} {
		if err := os.Mkdir(filepath.Dir(at(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, text, at(name))
	}
	for to, want := range map[string]string{"own": "forces.csv", "case": "case.json", "signal": "pull.csv",
		"b": "the folder of another run", "e": "case.json"} {
		from := at("a")
		if to == "e" {
			from = at("b")
		}
		before := contents(t, at(to))
		if code, _, stderr := qs("export", from, "--format", "npz", "--out", at(to)); code != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s", to, code, stderr)
		}
		if after := contents(t, at(to)); after != before {
			t.Errorf("%s: %s, before %s", to, after, before)
		}
	}
}

// contents are the names and bytes of the files of a folder.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			all.WriteString(e.Name() + "\n" + read(t, dir, e.Name()))
		}
	}
	return all.String()
}

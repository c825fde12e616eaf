package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestPicturesPeers lets NumPy and VTK read what real runs are exported to: the bits of
// the tables, and the arrays of the pictures.
func TestPicturesPeers(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no Python")
	}
	script, err := filepath.Abs("../../scripts/peers/tables.py")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"elastic"} // VTK takes half a second to load; .ci/run has both
	if thorough.Asked() {
		names = append(names, "rigid")
	}
	for _, name := range names {
		dir := t.TempDir()
		out := filepath.Join(dir, "run")
		mustRun(t, "run", shortCase(t, name, "csv"), "--out", out, "--quiet", "--no-picture")
		for _, format := range []string{"npz", "vtu"} {
			mustRun(t, "export", out, "--format", format, "--out", filepath.Join(dir, format))
		}
		text, err := exec.Command(python, script, out, filepath.Join(dir, "npz"), filepath.Join(dir, "vtu")).CombinedOutput()
		if strings.Contains(string(text), "ModuleNotFoundError") {
			t.Skip("numpy or vtk is not installed; .ci/run installs them")
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

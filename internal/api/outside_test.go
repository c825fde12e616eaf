package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestOutsideModule copies the programs of examples/ into another module, which has
// this one as a requirement, and compares what they print with their last comment. .ci/run
// does; by default it would link three programs.
func TestOutsideModule(t *testing.T) {
	thorough.Only(t, "seconds, to link three programs")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module outside.example")
	text += "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
	write(t, filepath.Join(dir, "go.mod"), text)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	programs, err := filepath.Glob(filepath.Join(root, "examples", "*", "main.go"))
	if err != nil || len(programs) < 3 {
		t.Fatalf("%d programs in examples, want three or more: %v", len(programs), err)
	}
	for _, path := range programs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path))
		source, comment, found := strings.Cut(string(data), "\n// Output:\n")
		if !found {
			t.Errorf("%s: no output in its last comment", path)
			continue
		}
		want := strings.ReplaceAll("\n"+strings.TrimSpace(comment), "\n// ", "\n")[1:]
		write(t, filepath.Join(dir, name, "main.go"), source)
		cmd := exec.Command("go", "run", "-mod=mod", "./"+name)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %v, prints\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

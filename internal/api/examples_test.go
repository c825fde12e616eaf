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

// TestExamplesOutside copies every file of Examples into another module, which has this
// one as a requirement, and runs them there; it takes minutes, and QUASISTATIC_LONG.
func TestExamplesOutside(t *testing.T) {
	thorough.Only(t, "minutes")
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
	write(t, filepath.Join(dir, "go.mod"), text+"\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+root+"\n")
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	copied := 0
	err = filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "example") || !strings.HasSuffix(name, "_test.go") ||
			strings.Contains(name, string(filepath.Separator)+"internal"+string(filepath.Separator)) {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !strings.Contains(string(source), "\nfunc Example") {
			return nil
		}
		room, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		if !regexp.MustCompile(`(?m)^package \w+_test$`).Match(source) {
			t.Errorf("%s is not of a package outside: no other module can write it", name)
			return nil
		}
		write(t, filepath.Join(dir, room, d.Name()), string(source))
		copied++
		return nil
	})
	if err != nil || copied < 7 {
		t.Fatalf("%d files of examples, %v", copied, err)
	}
	cmd := exec.Command("go", "test", "-mod=mod", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Package peer runs programs of others in tests: readers of the file formats.
package peer

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run runs a script of scripts/peers in a folder, as the test of a name; it is skipped
// where the peer is not there. root is the way to the module.
func Run(t *testing.T, root, name, script, folder string, args ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		script, err := filepath.Abs(filepath.Join(root, "scripts", "peers", script))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(args[0], append([]string{script}, args[1:]...)...)
		cmd.Dir = folder
		text, err := cmd.CombinedOutput()
		for _, missing := range []string{"ModuleNotFoundError", "MODULE_NOT_FOUND"} {
			if bytes.Contains(text, []byte(missing)) {
				t.Skipf("the peer is not installed: %s", missing)
			}
		}
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			t.Skip(err)
		}
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
	})
}

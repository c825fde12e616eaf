package table

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// peer runs a script of scripts/peers in a folder, if the peer is there.
func peer(t *testing.T, name, script, folder string, args ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		script, err := filepath.Abs("../scripts/peers/" + script)
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

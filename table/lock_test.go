package table

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestLocks: who has a folder or a file alone keeps all others away, who shares it only that one; all
// give it back, and nothing is left but by those who shared, on Windows.
func TestLocks(t *testing.T) {
	if !locks && runtime.GOOS != "windows" {
		t.Skip("this system has no locks")
	}
	dir := filepath.Join(t.TempDir(), "a folder", "über")
	file := filepath.Join(t.TempDir(), "case.json")
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	alone := func() (func(), error) { return Lock(dir) }
	shared := func() (func(), error) { return Share(dir) }
	ofFile := func() (func(), error) { return LockFile(file) }
	for _, c := range []struct {
		name          string
		first, second func() (func(), error)
		refused       bool
	}{
		{"two runs", alone, alone, true},
		{"a file", ofFile, ofFile, true},
		{"a folder and a file", alone, ofFile, false},
		{"shared by a second", alone, shared, true},
		{"two that share", shared, shared, false},
		{"alone after shared", shared, alone, true},
	} {
		for range 2 { // the second time what the first gave back
			release, err := c.first()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			again, err := c.second()
			if refused := errors.Is(err, ErrLocked); refused != c.refused || !refused && err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if err == nil {
				again()
			}
			release()
		}
	}
	release, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "{}" {
		t.Errorf("%q: %v", text, err)
	}
}

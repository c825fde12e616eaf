package table

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCreate: a file that is there stays as it is.
func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.json")
	if opened, err := Create(name, []byte("one")); !opened || err != nil {
		t.Fatalf("opened %v, error %v", opened, err)
	}
	if opened, err := Create(name, []byte("two")); opened || !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: opened %v, error %v", opened, err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "one" {
		t.Errorf("%q, error %v", text, err)
	}
}

package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/disk"
)

// TestRemoveEach: a tree goes, links in it as links, and what is not there is gone.
func TestRemoveEach(t *testing.T) {
	dir, kept := filepath.Join(t.TempDir(), "a"), t.TempDir()
	for _, name := range []string{"b/c/d", "b/e", "f", "..g"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(kept, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink(kept, filepath.Join(dir, "link")) // where there are links
	for range 2 {
		if err := disk.RemoveEach(dir); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", dir, err)
	}
	if _, err := os.Stat(filepath.Join(kept, "x")); err != nil {
		t.Error(err)
	}
}

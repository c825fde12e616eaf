package table

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestWritingTo: a folder that is held, one that was held a moment ago, one that was left.
func TestWritingTo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not list locks")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, TrajectoryFile)
	if err := os.WriteFile(name, []byte("t\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if w := WritingTo(dir); w != Written {
		t.Errorf("held: %v", w)
	}
	unlock()
	if w := WritingTo(dir); w != Unknown {
		t.Errorf("just given back: %v", w)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	if w := WritingTo(dir); w != Abandoned {
		t.Errorf("left: %v", w)
	}
	if w := WritingTo(filepath.Join(dir, "none")); w != Unknown {
		t.Errorf("no folder: %v", w)
	}
}

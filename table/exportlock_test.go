package table

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestExportsOneAtATime: an export to a folder keeps another one away, of its own folder by the
// case and of another one by the folder, and gives both back.
func TestExportsOneAtATime(t *testing.T) {
	if !locks {
		t.Skip("this system has no locks")
	}
	f := &Folder{Dir: t.TempDir(), layout: &Layout{}}
	if err := os.WriteFile(filepath.Join(f.Dir, CaseFile), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.Dir, TrajectoryFile), []byte("t\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	for to, held := range map[string]func() (func(), error){
		f.Dir: func() (func(), error) { return LockFile(filepath.Join(f.Dir, CaseFile)) },
		other: func() (func(), error) { return Lock(other) },
	} {
		release, err := held()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Export(context.Background(), NPZ, ExportOptions{To: to}); !errors.Is(err, ErrLocked) {
			t.Errorf("a second export: %v", err)
		}
		release()
		if _, err := f.Export(context.Background(), NPZ, ExportOptions{To: to}); errors.Is(err, ErrLocked) {
			t.Errorf("after the first: %v", err)
		}
		if release, err = held(); err != nil {
			t.Errorf("an export does not give the folder back: %v", err)
		} else {
			release()
		}
	}
	run, err := Lock(f.Dir) // which exports at its end
	if err != nil {
		t.Fatal(err)
	}
	defer run()
	if _, err := f.Export(context.Background(), NPZ, ExportOptions{}); errors.Is(err, ErrLocked) {
		t.Errorf("the run itself: %v", err)
	}
}

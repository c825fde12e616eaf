//go:build unix && !solaris && !aix

package table

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// TestLock: a folder has one lock, which is given back although a copy of its descriptor is
// open, as a child that is between its fork and its exec has one.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := lock(d); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	child, err := syscall.Dup(int(d.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	unlock(d)
	release, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

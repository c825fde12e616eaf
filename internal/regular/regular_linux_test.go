package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/memory"
)

// TestRegular: files are opened, folders are left to who reads, pipes, devices and what links to
// them are refused at once, and a file that is longer than the memory that is free is not read.
func TestRegular(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o666), syscall.Mkfifo(at("pipe"), 0o666),
		os.Symlink("/dev/zero", at("link")), os.WriteFile(at("long"), nil, 0o666), os.Truncate(at("long"), 1<<30)); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(at("file")); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	limit := debug.SetMemoryLimit(1 << 29)
	if _, err := ReadFile(at("long")); !isExceeded(err) {
		t.Errorf("1 GiB where half of that is free: %v", err)
	}
	debug.SetMemoryLimit(limit)
	if _, err := ReadFile(dir); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v", err)
	}
	for name, want := range map[string]error{"file": nil, "pipe": ErrNotRegular, "link": ErrNotRegular, "none": fs.ErrNotExist} {
		for how, open := range map[string]func(string) (*os.File, error){"Open": Open, "Append": Append} {
			f, err := open(at(name))
			if !errors.Is(err, want) {
				t.Errorf("%s %s: %v, want %v", how, name, err, want)
			}
			if err == nil {
				_ = f.Close()
			}
		}
		if _, err := ReadFile(at(name)); !errors.Is(err, want) {
			t.Errorf("ReadFile %s: %v, want %v", name, err, want)
		}
	}
}

func isExceeded(err error) bool {
	_, is := errors.AsType[*memory.ExceededError](err)
	return is
}
